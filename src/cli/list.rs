//! `pgna list`.

use super::common::Common;
use super::common::ReaderArgs;
use super::errors::{Exit, Failure, print_message};
use super::missed::MissedGames;
use super::open::{open, warn};
use super::output::Output;
use super::selection::{OPEN_END, games, no_games};
use super::terminal::fit;
use crate::{Archive, Error, StoredGame, VerbatimReason};
use clap::Args as ClapArgs;
use serde_json::{Value, json};
use std::ops::RangeInclusive;
use std::path::PathBuf;

/// List the games of an archive, one line a game
///
/// Prints number, White, Black, result, date, event and plies of each game:
/// separated by tabs, or in columns on a terminal. Control characters are shown as
/// blanks.
#[derive(Debug, ClapArgs)]
#[command(after_help = LIST_EXAMPLES)]
pub(crate) struct ListArgs {
    /// The archive
    #[arg(value_name = "ARCHIVE")]
    pub(crate) archive: PathBuf,
    /// Games to list (17, 100-200, 100-); by default all
    #[arg(value_name = "GAME", value_parser = games)]
    pub(crate) games: Vec<RangeInclusive<u64>>,
    /// Print JSON, one object a line
    ///
    /// `verbatim` is the reason why part of a game is stored verbatim; null for
    /// most games.
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) reader: ReaderArgs,
}

const LIST_EXAMPLES: &str = "\
Examples:
  pgna list games.pgna
  pgna list games.pgna 1-20
  pgna list games.pgna | grep Carlsen
  pgna list games.pgna --json | jq -r 'select(.plies > 200) | .number'";

/// The tags that are listed, with their width on a terminal.
const TAGS: [(&str, usize); 5] = [
    ("White", 24),
    ("Black", 24),
    ("Result", 7),
    ("Date", 10),
    ("Event", 28),
];

/// Prints one line a game.
pub(crate) fn run(args: &ListArgs, common: &Common) -> Result<Exit, Failure> {
    let archive = open(&args.archive, &args.reader)?;
    let mut output = Output::new();
    let form = match (args.json, output.is_terminal()) {
        (true, _) => ListForm::Json,
        (false, true) => ListForm::Aligned,
        (false, false) => ListForm::Tabs,
    };
    if form == ListForm::Aligned {
        output.line(&header())?;
    }
    let mut missed = MissedGames::new(&args.archive);
    let mut exit = Exit::Done;
    let all = [1..=OPEN_END];
    let ranges = match args.games.is_empty() {
        true => all.as_slice(),
        false => args.games.as_slice(),
    };
    for range in ranges {
        let mut number = *range.start();
        let last = archive.games().min(*range.end());
        while number <= last {
            number = match ListLine::of(&archive, number) {
                Ok(line) => {
                    output.bytes(&line.write(form))?;
                    number + 1
                }
                Err(error) => missed.report_unreadable(number..=last, &archive, &error),
            };
        }
        if !args.games.is_empty()
            && let Some(missing) = no_games(range, archive.games())
        {
            print_message(&format!("{}: {missing}", args.archive.display()));
            exit = Exit::NothingFound;
        }
    }
    output.finish()?;
    warn(&args.archive, &archive.warnings(), common);
    Ok(missed.exit(exit))
}

/// The format of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ListForm {
    /// Aligned columns.
    Aligned,
    /// Fields separated by tabs.
    Tabs,
    /// A JSON object.
    Json,
}

/// A game in one line.
pub(crate) struct ListLine {
    number: u64,
    /// Values of [`TAGS`]. Of a repeated tag, the first counts.
    values: Vec<Vec<u8>>,
    plies: u64,
    /// Why part of the game is stored verbatim, if any is.
    verbatim: Option<&'static str>,
}

impl ListLine {
    /// The line of an existing game.
    pub(crate) fn of(archive: &Archive, number: u64) -> Result<Self, Error> {
        let game = archive.stored_game(number)?;
        let values = TAGS.iter().map(|(name, _)| listed_value(&game, name));
        Ok(ListLine {
            number,
            values: values.collect::<Result<_, _>>()?,
            plies: game.plies()?,
            verbatim: game.verbatim_reason()?.map(VerbatimReason::describe),
        })
    }

    fn write(&self, form: ListForm) -> Vec<u8> {
        match form {
            ListForm::Aligned => self.aligned().into_bytes(),
            ListForm::Tabs => self.tabs(),
            ListForm::Json => format!("{}\n", self.json()).into_bytes(),
        }
    }

    fn aligned(&self) -> String {
        let mut out = format!("{:>9}", self.number);
        for (value, (_, width)) in self.values.iter().zip(TAGS) {
            let value = fit(&String::from_utf8_lossy(value), width);
            out.push_str(&format!("  {value:<width$}"));
        }
        out.push_str(&format!("  {:>5}\n", self.plies));
        out
    }

    fn tabs(&self) -> Vec<u8> {
        let mut out = self.number.to_string().into_bytes();
        for value in &self.values {
            out.push(b'\t');
            // A control character would break the line or drive the terminal.
            let shown = |byte: &u8| if byte.is_ascii_control() { b' ' } else { *byte };
            out.extend(value.iter().map(shown));
        }
        out.extend_from_slice(format!("\t{}\n", self.plies).as_bytes());
        out
    }

    pub(crate) fn json(&self) -> Value {
        let mut value = json!({ "number": self.number });
        if let Some(object) = value.as_object_mut() {
            for (text, (name, _)) in self.values.iter().zip(TAGS) {
                let text = String::from_utf8_lossy(text).into_owned();
                object.insert(name.to_ascii_lowercase(), text.into());
            }
            object.insert("plies".to_owned(), self.plies.into());
            object.insert("verbatim".to_owned(), self.verbatim.into());
        }
        value
    }
}

/// The listed value of a tag. If Date is unknown, UTCDate is listed, which servers write.
fn listed_value(game: &StoredGame, name: &str) -> Result<Vec<u8>, Error> {
    let own = game.tag(name.as_bytes())?.unwrap_or_default();
    if name == "Date" && own.iter().all(|byte| b"?.".contains(byte)) {
        let utc = game.tag(b"UTCDate")?.filter(|utc| !utc.is_empty());
        return Ok(utc.unwrap_or(own));
    }
    Ok(own)
}

fn header() -> String {
    let mut out = format!("{:>9}", "game");
    for (name, width) in TAGS {
        out.push_str(&format!("  {name:<width$}"));
    }
    out + &format!("  {:>5}", "plies")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(values: [&[u8]; 5]) -> ListLine {
        ListLine {
            number: 7,
            values: values.iter().map(|value| value.to_vec()).collect(),
            plies: 34,
            verbatim: None,
        }
    }

    #[test]
    fn fields_keep_their_bytes_but_break_no_line() {
        let line = line([b"M\xfcller", b"a\tb\nc\x1b[m", b"1-0", b"", b"E"]);
        assert_eq!(line.tabs(), b"7\tM\xfcller\ta b c [m\t1-0\t\tE\t34\n");
    }

    #[test]
    fn columns_have_their_width() {
        let long = "ä".repeat(99);
        let line = line([long.as_bytes(), b"\x1b", b"1-0", b"", b"E"]);
        assert_eq!(line.aligned().chars().count(), header().chars().count() + 1);
        assert!(!line.aligned().contains('\x1b'));
        assert!(line.aligned().contains("ää…"));
    }

    #[test]
    fn json_has_all_fields() {
        let json = line([b"M\xfcller", b"", b"", b"", b""]).json();
        assert_eq!(json["white"], "M\u{fffd}ller");
        assert_eq!(json["plies"], 34);
        assert_eq!(json["verbatim"], Value::Null);
        assert_eq!(json.as_object().unwrap().len(), 8);
    }
}
