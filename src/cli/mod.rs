//! The program: one module per verb, and shared modules.
//!
//! Results go to stdout, everything else to stderr. A verb returns its exit
//! status, or a `Failure`.

mod adding;
mod append;
mod args;
mod bit_text;
mod codecs;
mod common;
mod compact;
mod compare;
mod dedupe;
mod docs;
mod document;
mod empty_results;
mod errors;
#[cfg(feature = "export")]
mod export;
mod fields;
mod figures;
mod file_names;
mod find;
mod games;
mod index;
mod info;
mod inputs;
mod interrupt;
mod limits;
mod line;
mod list;
mod malformed_dates;
mod merge;
mod missed;
mod open;
mod output;
mod pack;
mod position;
mod progress;
mod recover;
mod repack;
mod replacing;
mod saving;
mod selection;
#[cfg(feature = "serve")]
mod serve;
mod show;
mod sizes;
mod sort;
mod sources;
mod spellings;
mod split;
mod startpos;
mod stats;
mod target;
mod terminal;
mod test;
mod texts;
mod train;
mod tree;
mod unpack;
mod usage_hints;
mod view;
mod writing;
mod xiangqi;

pub use sources::{PackSource, named_stream};

use args::{Args, Verb};
use clap::Parser;
use errors::{Exit, Failure};
use std::ffi::OsString;

/// Runs the program with these arguments, of which the first is its name; returns the exit
/// status. An interrupt ends the process.
pub fn run(args: impl IntoIterator<Item = OsString>) -> u8 {
    let args: Vec<OsString> = args.into_iter().collect();
    let args = match Args::try_parse_from(&args) {
        Ok(args) => args,
        Err(mut error) => {
            usage_hints::add_hint(&mut error, &args);
            // If the stream is closed, the error is not reported elsewhere.
            let _ = error.print();
            return u8::try_from(error.exit_code()).unwrap_or(Exit::Usage as u8);
        }
    };
    let exit = match run_verb(&args) {
        Ok(exit) => exit,
        // Cut output is no error for a listing, but an archive or file that is
        // cut is incomplete.
        Err(Failure::ClosedPipe) if args.verb.writes_files() => Exit::Usage,
        Err(failure) => failure.report(),
    };
    exit as u8
}

fn run_verb(args: &Args) -> Result<Exit, Failure> {
    let common = &args.common;
    common.start_threads()?;
    if !args.verb.stops_gracefully() {
        interrupt::remove_temporary_files_on_interrupt();
    }
    match &args.verb {
        Verb::Pack(args) => pack::run(args, common),
        Verb::Append(args) => append::run(args, common),
        Verb::Merge(args) => merge::run(args, common),
        Verb::Compact(args) => compact::run(args, common),
        Verb::Repack(args) => repack::run(args, common),
        Verb::Unpack(args) => unpack::run(args, common),
        Verb::View(args) => view::run(args, common),
        Verb::Show(args) => show::run(args, common),
        Verb::List(args) => list::run(args, common),
        Verb::Find(args) => find::run(args, common),
        Verb::Tree(args) => tree::run(args, common),
        Verb::Index(args) => index::run(args, common),
        #[cfg(feature = "export")]
        Verb::Export(args) => export::run(args, common),
        #[cfg(not(feature = "export"))]
        Verb::Export { .. } => Err(Failure::usage(
            "this build has no `export`: cargo install --path . --features full; in Python, \
             pgna.polars.scan_pgna(…).sink_parquet(…)",
        )),
        #[cfg(feature = "serve")]
        Verb::Serve(args) => serve::run(args, common),
        #[cfg(not(feature = "serve"))]
        Verb::Serve { .. } => Err(Failure::usage(
            "this build has no `serve`: cargo install --path . --features full",
        )),
        Verb::Sort(args) => sort::run(args, common),
        Verb::Dedupe(args) => dedupe::run(args, common),
        Verb::Split(args) => split::run(args, common),
        Verb::Stats(args) => stats::run(args, common),
        Verb::Fields(args) => fields::run(args),
        Verb::Info(args) => info::run(args, common),
        Verb::Test(args) => test::run(args, common),
        Verb::Recover(args) => recover::run(args, common),
        Verb::Compare(args) => compare::run(args, common),
        Verb::Train(args) => train::run(args, common),
        Verb::Position(args) => position::run(args, common),
        Verb::Xiangqi(args) => xiangqi::run(args, common),
        Verb::Completions(args) => docs::completions(args),
        Verb::Man(args) => docs::man(args),
    }
}
