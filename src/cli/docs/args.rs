//! The arguments of `completions` and `man`.

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
