//! `completions` and `man`, generated from the arguments.

pub(crate) mod args;

use args::{CompletionsArgs, ManArgs};

use super::args::Args;
use super::errors::{Exit, Failure};
use super::output::Output;
use clap::CommandFactory;

/// Prints a completion script.
pub(crate) fn completions(args: &CompletionsArgs) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Args::command(), "pgna", &mut script);
    print(&script)
}

/// Prints a manual page.
pub(crate) fn man(args: &ManArgs) -> Result<Exit, Failure> {
    let mut command = Args::command();
    command.build();
    if let Some(verb) = &args.verb {
        let found = command.find_subcommand(verb).cloned();
        command = found.ok_or_else(|| {
            Failure::usage(format!("{verb}: no such verb; `pgna --help` lists them"))
        })?;
    }
    let mut page = Vec::new();
    clap_mangen::Man::new(command)
        // By default the name and version of the verb, which has none.
        .source(concat!("pgna ", env!("CARGO_PKG_VERSION")))
        .render(&mut page)
        .map_err(|error| Failure::stdout(&error))?;
    print(&page)
}

fn print(bytes: &[u8]) -> Result<Exit, Failure> {
    let mut output = Output::new();
    output.bytes(bytes)?;
    output.finish()?;
    Ok(Exit::Done)
}
