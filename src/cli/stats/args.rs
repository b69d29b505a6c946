//! The arguments of `pgna stats`.

use crate::Field;
use crate::cli::common::ReaderArgs;
use crate::cli::document::DocumentArgs;
use crate::cli::errors::Failure;
use crate::cli::fields::field;
use crate::cli::find::args::FilterArgs;
use crate::cli::texts::{TextArgs, argument};
use clap::{Args as ClapArgs, ValueEnum};
use std::path::PathBuf;

/// Show statistics of a collection
///
/// Games and results, years, openings by the letter of their ECO code, the players with
/// most games; or, with --event, the crosstable of an event. A page (--as html) has them with
/// charts; it is one file that loads nothing and opens without a server.
#[derive(Debug, ClapArgs)]
#[command(after_help = EXAMPLES)]
pub(crate) struct StatsArgs {
    /// The archive
    #[arg(value_name = "ARCHIVE")]
    pub(crate) archive: PathBuf,
    #[command(flatten)]
    pub(crate) filter: FilterArgs,
    /// The crosstable of the event with exactly this name
    #[arg(long, value_name = "NAME", value_parser = argument())]
    pub(crate) event: Option<String>,
    /// Results by the values of a tag or a field of `pgna fields`: year, ECO, speed, elo.class
    ///
    /// Scores are White's. A game with several values, such as the two of elo, counts once for each.
    #[arg(long, value_name = "FIELD", value_parser = field, conflicts_with_all = ["event", "players"])]
    pub(crate) by: Option<Field>,
    /// The number of players to list
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(crate) players: usize,
    /// Print JSON, one object; with --by one object a line
    #[arg(long, conflicts_with = "form")]
    pub(crate) json: bool,
    /// The form; the default is that of FILE's name, or text
    #[arg(long = "as", value_name = "FORM", value_enum)]
    pub(crate) form: Option<Form>,
    #[command(flatten)]
    pub(crate) document: DocumentArgs,
    #[command(flatten)]
    pub(crate) reader: ReaderArgs,
    #[command(flatten)]
    pub(crate) texts: TextArgs,
}

const EXAMPLES: &str = "\
Examples:
  pgna stats games.pgna
  pgna stats games.pgna -w 'player ~ morphy' --players 20
  pgna stats games.pgna --by speed
  pgna stats games.pgna --event 'Candidates Tournament' -w 'Date = 2024'
  pgna stats games.pgna -o games.html           a page with charts";

/// The form of statistics.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    /// Tables of text
    Text,
    /// A page with charts
    Html,
}

impl StatsArgs {
    /// # Errors
    /// The extension of the file's name is that of no form.
    pub(super) fn form(&self) -> Result<Form, Failure> {
        self.document.form_or(self.form, Form::Text)
    }

    /// The name of the archive without its extension.
    pub(super) fn collection(&self) -> String {
        let name = self.archive.file_stem().unwrap_or_default();
        name.to_string_lossy().into_owned()
    }
}
