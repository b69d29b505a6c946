//! `pgna position`: a position as bits, in every code.

pub(crate) mod args;
mod single;
mod subject;
mod sweep;
mod tally;

use super::bit_text;
use super::common::Common;
use super::errors::{Exit, Failure};
use super::output::Output;
use super::terminal::fit;
use crate::internals::bits::BitString;
use crate::internals::chess::{ChessPosition, PlyKind, Setup};
use crate::internals::position::{PositionCode, PositionEncodeError, encode_line};
use args::PositionArgs;
use serde_json::json;
use std::borrow::Cow;
use std::fmt::Display;
use subject::Subject;

/// A position, and the game that leads to it, if known.
struct KnownPosition<'a> {
    setup: Setup,
    game: GameHistory<'a>,
}

/// The game that leads to a position.
enum GameHistory<'a> {
    /// Not known.
    Unknown,
    /// These plies from the standard start position.
    Plies(Cow<'a, [PlyKind]>),
    /// A game from another start position, or under other rules.
    Other,
}

impl<'a> GameHistory<'a> {
    fn new(start: &ChessPosition, plies: Cow<'a, [PlyKind]>) -> Self {
        match start.is_standard_start() {
            true => GameHistory::Plies(plies),
            false => GameHistory::Other,
        }
    }
}

/// Shows positions as bits, or decodes a position.
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

/// The number of characters of a text that errors show.
const SHOWN_CHARS: usize = 60;

fn decode(text: &str, code: PositionCode, args: &PositionArgs) -> Result<Exit, Failure> {
    let wrong = |error: &dyn Display| {
        let (text, code) = (fit(text, SHOWN_CHARS), code.name());
        Failure::usage(format!("{text:?} is not a position in {code}: {error}"))
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

/// Encodes a position; the code `game` encodes the game if it is known.
fn encode(code: PositionCode, place: &KnownPosition<'_>) -> Result<BitString, PositionEncodeError> {
    match &place.game {
        GameHistory::Plies(plies) if code == PositionCode::Game => encode_line(plies),
        GameHistory::Other if code == PositionCode::Game => {
            Err(PositionEncodeError::NotStandardChess)
        }
        _ => code.encode(&place.setup),
    }
}
