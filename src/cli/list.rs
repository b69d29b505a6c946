//! `pgna list`.

use super::common::Common;
use super::common::ReaderArgs;
use super::empty_results::report_unknown_tags;
use super::errors::{Exit, Failure, print_message};
use super::fields::{field, json_value};
use super::missed::MissedGames;
use super::open::warn;
use super::output::Output;
use super::selection::{OPEN_END, games, no_games};
use super::terminal::{fit, printable};
use super::texts::TextArgs;
use crate::{Archive, Error, Field, FieldValue, VerbatimReason};
use clap::Args as ClapArgs;
use serde_json::{Map, Value};
use std::ops::RangeInclusive;
use std::path::PathBuf;

/// List the games of an archive, one line a game
///
/// Prints number, White, Black, result, date, event and plies of each game, or the columns that are
/// asked for: separated by tabs, or in columns on a terminal. Control characters are shown as
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
    /// The columns after the number: tags and the fields of `pgna fields`
    ///
    /// By default White, Black, Result, Date, Event and plies.
    ///
    /// Values of a game that has several, such as those of `player`, are separated by a semicolon
    /// and a blank.
    #[arg(
        long,
        value_name = "FIELD,...",
        value_delimiter = ',',
        value_parser = column
    )]
    pub(crate) columns: Vec<Field>,
    /// Print CSV with a header
    #[arg(long, conflicts_with_all = ["tsv", "json"])]
    pub(crate) csv: bool,
    /// Print fields separated by tabs, with a header
    #[arg(long, conflicts_with = "json")]
    pub(crate) tsv: bool,
    /// Print JSON, one object a line
    ///
    /// A value is a text or a number, null if the game has none; of fields that can have several
    /// values, a list. `verbatim` is the reason why part of a game is stored verbatim; null for
    /// most games.
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) reader: ReaderArgs,
    #[command(flatten)]
    pub(crate) texts: TextArgs,
}

const LIST_EXAMPLES: &str = "\
Examples:
  pgna list games.pgna
  pgna list games.pgna 1-20
  pgna list games.pgna | grep Carlsen
  pgna list games.pgna --columns winner,winner.elo,ECO,plies --csv > games.csv
  pgna list games.pgna --json | jq -r 'select(.plies > 200) | .number'";

/// The columns that are listed if none are asked for.
const DEFAULT_FIELDS: &str = "White,Black,Result,Date,Event,plies";

/// The width of a column on a terminal.
fn width_of(field: &Field) -> usize {
    match field.to_string().as_str() {
        "White" | "Black" | "winner" | "loser" => 24,
        "Event" | "Site" | "Opening" | "player" | "comments" => 28,
        "Result" => 7,
        name if field.is_number() => name.len().max(5),
        name => name.len().max(10),
    }
}

/// Prints one line a game.
pub(crate) fn run(args: &ListArgs, common: &Common) -> Result<Exit, Failure> {
    let archive = args.texts.open(&args.archive, &args.reader, common)?;
    report_unknown_tags(&archive, &args.columns, common);
    let columns = match args.columns.is_empty() {
        true => default_fields(),
        false => args.columns.clone(),
    };
    let mut output = Output::new();
    let form = match (args.json, args.csv, args.tsv) {
        (true, ..) => ListForm::Json,
        (_, true, _) => ListForm::Csv,
        (.., true) => ListForm::Tabs,
        _ if output.is_terminal() => ListForm::Aligned,
        _ => ListForm::Tabs,
    };
    if form == ListForm::Aligned || args.csv || args.tsv {
        output.bytes(&header(&columns, form))?;
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
            number = match ListLine::of(&archive, number, &columns) {
                Ok(line) => {
                    output.bytes(&line.write(form))?;
                    number + 1
                }
                // Without the movetext of a block most of its games can be listed.
                Err(error) if archive.stored_game(number).is_ok() => {
                    missed.report(number, number, &error);
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
    /// Fields separated by commas.
    Csv,
    /// A JSON object.
    Json,
}

/// A game in one line.
pub(crate) struct ListLine<'f> {
    number: u64,
    fields: &'f [Field],
    /// The values of each field.
    values: Vec<Vec<FieldValue>>,
    /// Why part of the game is stored verbatim, if any is.
    verbatim: Option<&'static str>,
}

impl<'f> ListLine<'f> {
    /// The line of an existing game.
    pub(crate) fn of(archive: &Archive, number: u64, fields: &'f [Field]) -> Result<Self, Error> {
        let reason = archive.stored_game(number)?.verbatim_reason()?;
        Ok(ListLine {
            number,
            fields,
            values: archive.game_values(number, fields)?,
            verbatim: reason.map(VerbatimReason::describe),
        })
    }

    fn write(&self, form: ListForm) -> Vec<u8> {
        if form == ListForm::Json {
            return format!("{}\n", self.json()).into_bytes();
        }
        let texts = self.values.iter().map(|values| {
            let values: Vec<String> = values.iter().map(ToString::to_string).collect();
            values.join("; ")
        });
        row(&self.number.to_string(), self.fields, texts, form)
    }

    pub(crate) fn json(&self) -> Value {
        let mut object = Map::new();
        object.insert("number".to_owned(), self.number.into());
        for (field, values) in self.fields.iter().zip(&self.values) {
            object.insert(key_of(field), json_of(field, values));
        }
        object.insert("verbatim".to_owned(), self.verbatim.into());
        object.into()
    }
}

/// A column other than the number.
fn column(name: &str) -> Result<Field, String> {
    match name.trim() {
        "number" => Err("number is listed in any case".to_owned()),
        name => field(name).map_err(|error| error.to_string()),
    }
}

/// The fields that `find --json` and `list` print.
pub(crate) fn default_fields() -> Vec<Field> {
    let fields = DEFAULT_FIELDS.split(',').map(field);
    fields.filter_map(Result::ok).collect()
}

/// The key of a field in JSON.
fn key_of(field: &Field) -> String {
    let name = field.to_string();
    let is_listed = DEFAULT_FIELDS.split(',').any(|other| other == name);
    match is_listed {
        true => name.to_ascii_lowercase(),
        false => name,
    }
}

fn json_of(field: &Field, values: &[FieldValue]) -> Value {
    let mut values = values.iter().map(json_value);
    match field.is_list() {
        true => values.collect(),
        false => values.next().unwrap_or_default(),
    }
}

/// A line of a table.
fn row(
    number: &str,
    fields: &[Field],
    values: impl Iterator<Item = String>,
    form: ListForm,
) -> Vec<u8> {
    let mut line = match form {
        ListForm::Aligned => format!("{number:>9}"),
        _ => number.to_owned(),
    };
    for (field, value) in fields.iter().zip(values) {
        match form {
            ListForm::Aligned => {
                let width = width_of(field);
                let value = fit(&value, width);
                line += &match field.is_number() {
                    true => format!("  {value:>width$}"),
                    false => format!("  {value:<width$}"),
                };
            }
            ListForm::Csv => {
                line.push(',');
                line += &csv_field(&value);
            }
            // A control character would break the line or drive the terminal.
            ListForm::Tabs | ListForm::Json => {
                line.push('\t');
                line.extend(printable(&value));
            }
        }
    }
    (line + "\n").into_bytes()
}

/// A field of CSV, by RFC 4180.
fn csv_field(text: &str) -> String {
    match text.contains(['"', ',', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}

fn header(fields: &[Field], form: ListForm) -> Vec<u8> {
    let number = match form {
        ListForm::Aligned => "game",
        _ => "number",
    };
    row(number, fields, fields.iter().map(ToString::to_string), form)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line<'f>(fields: &'f [Field], values: [&str; 5]) -> ListLine<'f> {
        let text = |text: &&str| vec![FieldValue::Text((*text).to_owned())];
        let mut values: Vec<_> = values.iter().map(text).collect();
        values.push(vec![FieldValue::Number(34.0)]);
        ListLine {
            number: 7,
            fields,
            values,
            verbatim: None,
        }
    }

    #[test]
    fn fields_break_no_line() {
        let fields = default_fields();
        let line = line(
            &fields,
            ["Müller", "a\tb\nc\x1b[m", "1-0", "", "E \"x\", y"],
        );
        let shown = |form| String::from_utf8(line.write(form)).unwrap();
        assert_eq!(
            shown(ListForm::Tabs),
            "7\tMüller\ta b c [m\t1-0\t\tE \"x\", y\t34\n"
        );
        assert_eq!(
            shown(ListForm::Csv),
            "7,Müller,\"a\tb\nc\x1b[m\",1-0,,\"E \"\"x\"\", y\",34\n"
        );
    }

    #[test]
    fn columns_have_their_width() {
        let fields = default_fields();
        let long = "ä".repeat(99);
        let line = line(&fields, [&long, "\x1b", "1-0", "", "E"]);
        let [line, header] = [
            line.write(ListForm::Aligned),
            header(&fields, ListForm::Aligned),
        ]
        .map(|line| String::from_utf8(line).unwrap());
        assert_eq!(line.chars().count(), header.chars().count());
        assert!(!line.contains('\x1b'));
        assert!(line.contains("ää…"));
    }

    #[test]
    fn json_has_one_type_for_each_key() {
        let fields: Vec<Field> = ["White", "elo", "elo.mean", "mate"]
            .map(|name| field(name).unwrap())
            .to_vec();
        let json = |values: Vec<Vec<FieldValue>>| {
            let line = ListLine {
                number: 1,
                fields: &fields,
                values,
                verbatim: None,
            };
            line.json().to_string()
        };
        let all = json(vec![
            vec![FieldValue::Text("Müller".to_owned())],
            vec![FieldValue::Number(2700.0)],
            vec![FieldValue::Number(2700.5)],
            vec![FieldValue::Flag(true)],
        ]);
        assert_eq!(
            all,
            r#"{"number":1,"white":"Müller","elo":[2700],"elo.mean":2700.5,"mate":true,"verbatim":null}"#
        );
        assert_eq!(
            json(vec![vec![]; 4]),
            r#"{"number":1,"white":null,"elo":[],"elo.mean":null,"mate":null,"verbatim":null}"#
        );
    }
}
