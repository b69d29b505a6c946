//! `pgna position`: a position as bits, in every code.

pub(crate) mod args;
mod single;
mod subject;
mod sweep;
mod tally;

use super::args::Common;
use super::bit_text;
use super::errors::{Exit, Failure};
use super::output::Output;
use args::PositionArgs;
use pgna::bits::BitString;
use pgna::chess::{Ply, Setup};
use pgna::position::{CannotRepresent, Code, encode_line};
use serde_json::json;
use std::fmt::Display;
use subject::Subject;

/// A position, and the game that leads to it where that is known.
struct Place {
    setup: Setup,
    /// The plies from the standard start position, or that the game does not
    /// begin there.
    game: Option<Result<Vec<Ply>, CannotRepresent>>,
}

/// Shows positions as bits, or gives a position back.
pub(crate) fn run(args: &PositionArgs, common: &Common) -> Result<Exit, Failure> {
    if let (Some(text), Some(code)) = (&args.decode, args.code) {
        return decode(text, code, args);
    }
    match subject::find(args, common)? {
        Subject::Place(place) => single::show(&place, args),
        Subject::Files(paths) => sweep::run(&paths, args, common),
        Subject::NotFound => Ok(Exit::NothingFound),
    }
}

fn decode(text: &str, code: Code, args: &PositionArgs) -> Result<Exit, Failure> {
    let wrong = |error: &dyn Display| {
        Failure::usage(format!("{text}: no position in {}: {error}", code.name()))
    };
    let bytes = bit_text::parse(text, args.hex).map_err(|error| wrong(&error))?;
    let fen = code.decode(&bytes).map_err(|error| wrong(&error))?.fen();
    let mut output = Output::new();
    match args.json {
        true => output.json(&json!({ "code": code.name(), "fen": fen }))?,
        false => output.line(&fen)?,
    }
    output.finish()?;
    Ok(Exit::Done)
}

/// A position in a code; `game` takes the game that is known.
fn encode(code: Code, place: &Place) -> Result<BitString, CannotRepresent> {
    match &place.game {
        Some(game) if code == Code::Game => encode_line(game.as_ref().map_err(|why| *why)?),
        _ => code.encode(&place.setup),
    }
}
