//! What the arguments name: a position, a place in an archive, or files.

use super::super::args::Common;
use super::super::errors::{Failure, say};
use super::super::open::{open, warn};
use super::super::selection::Selection;
use super::super::view::{no_game, no_position};
use super::Place;
use super::args::PositionArgs;
use pgna::archive::Game;
use pgna::chess::{Position, Setup};
use pgna::position::CannotRepresent;
use std::path::{Path, PathBuf};

/// What the arguments name.
pub(super) enum Subject {
    Place(Place),
    /// Files, whose positions are all meant.
    Files(Vec<PathBuf>),
    /// A place that the archive has not, which has been said.
    NotFound,
}

/// What stands for the FEN of the standard start position, as in UCI.
const STARTPOS: &str = "startpos";

/// Finds what the arguments name.
///
/// # Errors
/// It is nothing, or the archive cannot be read.
pub(super) fn find(args: &PositionArgs, common: &Common) -> Result<Subject, Failure> {
    if let [archive, place] = args.what.as_slice()
        && let Some(Ok(Selection::Position { game, ply })) = place.to_str().map(str::parse)
    {
        return in_archive(Path::new(archive), (game, ply), args, common);
    }
    if let Some(setup) = fen(args) {
        return Ok(Subject::Place(Place { setup, game: None }));
    }
    let paths: Vec<PathBuf> = args.what.iter().map(PathBuf::from).collect();
    let is_there = |path: &PathBuf| path == Path::new("-") || path.exists();
    match paths.iter().find(|path| !is_there(path)) {
        None => Ok(Subject::Files(paths)),
        Some(path) => {
            let message = format!("{}: no such file, and no FEN", path.display());
            Err(Failure::usage(message))
        }
    }
}

/// The arguments as one FEN, which need not stand in quotes.
fn fen(args: &PositionArgs) -> Option<Setup> {
    let words: Option<Vec<&str>> = args.what.iter().map(|word| word.to_str()).collect();
    match words?.join(" ").as_str() {
        STARTPOS => Some(Position::standard().setup()),
        fen => Setup::from_fen(fen.as_bytes()).ok(),
    }
}

fn in_archive(
    path: &Path,
    (number, ply): (u64, usize),
    args: &PositionArgs,
    common: &Common,
) -> Result<Subject, Failure> {
    let archive = open(path, &args.reader)?;
    let missing = |why: &str| {
        say(&format!("{}: {why}", path.display()));
        Ok(Subject::NotFound)
    };
    if number > archive.games() {
        return missing(&no_game(number, archive.games()));
    }
    let game = archive.game(number);
    let game = game.map_err(|error| Failure::game(path, number, &error))?;
    warn(path, &archive.warnings(), common);
    let Some(position) = game.position(ply) else {
        let why = no_position(&game, ply);
        return missing(&format!("no position {number}@{ply}: {why}"));
    };
    Ok(Subject::Place(Place {
        setup: position.setup(),
        game: Some(plies_of(&game, ply)),
    }))
}

/// The plies that lead to a position of a game from the standard start.
fn plies_of(game: &Game, ply: usize) -> Result<Vec<pgna::chess::Ply>, CannotRepresent> {
    let start = game.position(0);
    if !start.is_some_and(|start| start.is_standard_start()) {
        return Err(CannotRepresent::OddGame);
    }
    let mut plies = game.plies();
    plies.truncate(ply);
    Ok(plies)
}
