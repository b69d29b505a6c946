//! Options that several verbs share.

use super::errors::Failure;
use super::limits::LimitArgs;
use clap::Args as ClapArgs;
use std::error::Error as _;

/// More threads would only cost memory.
const MAX_THREADS: i64 = 1024;

/// The options of all verbs.
#[derive(Debug, Clone, ClapArgs)]
#[command(next_help_heading = "Options of all verbs")]
pub(crate) struct Common {
    /// Print only errors on stderr
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,
    /// Print more on stderr, for example each file as it is done
    #[arg(short, long, global = true, conflicts_with = "quiet")]
    pub(crate) verbose: bool,
    /// Use N threads; 0 uses all cores. Results do not depend on it
    #[arg(short = 'T', long, global = true, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u16).range(..=MAX_THREADS))]
    pub(crate) threads: u16,
}

impl Common {
    /// Sets the number of threads of rayon's global pool, on which the library works.
    pub(crate) fn start_threads(&self) -> Result<(), Failure> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads.into());
        match pool.build_global() {
            // An error without a cause: the pool runs already. That is so in tests.
            Err(error) if error.source().is_some() => {
                let why = format!("cannot start the threads: {error}; -T 1 needs only one");
                Err(Failure::usage(why))
            }
            _ => Ok(()),
        }
    }
}

/// The options of all verbs that read archives.
#[derive(Debug, Clone, Default, ClapArgs)]
pub(crate) struct ReaderArgs {
    /// Read the archive without mapping it into memory
    ///
    /// If another program truncates a mapped file, this one ends with a bus error.
    /// Use this where that can happen.
    #[arg(long)]
    pub(crate) no_mmap: bool,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}
