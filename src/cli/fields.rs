//! `pgna fields`.

use super::errors::{Exit, Failure};
use super::output::Output;
use crate::{Field, FieldError, FieldValue};
use clap::Args as ClapArgs;
use serde_json::{Value, json};

/// List the fields that follow from tags and moves
///
/// Beside the tags, `find` compares these fields, `sort`, `split` and `stats` take them with --by,
/// and `list` with --columns. A tag with the name of a field is written in quotes in filters:
/// '"Year" = 2'.
#[derive(Debug, ClapArgs)]
#[command(after_help = EXAMPLES)]
pub(crate) struct FieldsArgs {
    /// Print JSON, one object a line
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  pgna find games.pgna -w 'elo.mean > 2600 and speed = blitz and winner ~ carlsen'
  pgna sort games.pgna --by -elo.mean -o strongest-first.pgna
  pgna split games.pgna --by speed -o speeds
  pgna stats games.pgna --by year
  pgna list games.pgna --columns winner,loser,winner.elo --csv";

/// Prints the fields.
pub(crate) fn run(args: &FieldsArgs) -> Result<Exit, Failure> {
    let mut output = Output::new();
    for (name, about) in Field::all() {
        match args.json {
            true => output.json(&json!({ "name": name, "about": about }))?,
            false => output.line(&format!("{name:<12}{about}"))?,
        }
    }
    output.finish()?;
    Ok(Exit::Done)
}

/// A field; blanks around its name are ignored.
pub(crate) fn field(name: &str) -> Result<Field, FieldError> {
    name.trim().parse()
}

/// A value as JSON.
pub(crate) fn json_value(value: &FieldValue) -> Value {
    match value {
        FieldValue::Number(number) => json_number(*number),
        FieldValue::Flag(flag) => (*flag).into(),
        text => text.to_string().into(),
    }
}

/// A number, without a fraction if it has none.
fn json_number(number: f64) -> Value {
    match serde_json::from_str(&number.to_string()) {
        Ok(number) => number,
        Err(_) => Value::Null,
    }
}
