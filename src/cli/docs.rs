//! `completions` and `man`, generated from the arguments.

use super::args::Args;
use super::errors::{Exit, Failure};
use super::output::Output;
use clap::CommandFactory;

/// Print a completion script for a shell
#[derive(Debug, clap::Args)]
#[command(after_help = COMPLETIONS_EXAMPLES)]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: clap_complete::Shell,
}

const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  pgna completions bash > ~/.local/share/bash-completion/completions/pgna
  pgna completions zsh > ~/.zfunc/_pgna
  pgna completions fish > ~/.config/fish/completions/pgna.fish";

/// Print a manual page
#[derive(Debug, clap::Args)]
#[command(after_help = MAN_EXAMPLES)]
pub(crate) struct ManArgs {
    /// The verb to print the page of; by default the page of the program
    #[arg(value_name = "VERB")]
    pub(crate) verb: Option<String>,
}

const MAN_EXAMPLES: &str = "\
Examples:
  pgna man | man -l -
  pgna man pack > pgna-pack.1";

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
