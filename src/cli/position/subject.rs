//! The subject of the arguments: a position, a place in an archive, or files.

use super::super::common::Common;
use super::super::errors::{Failure, print_message};
use super::super::open::{open, warn};
use super::super::selection::{Selection, no_game, no_position};
use super::super::startpos::fen_of;
use super::super::terminal::fit;
use super::args::PositionArgs;
use super::{GameHistory, KnownPosition, SHOWN_CHARS};
use crate::internals::chess::{InvalidFen, Setup};
use std::path::{Path, PathBuf};

/// What the arguments name.
pub(super) enum Subject {
    Place(KnownPosition<'static>),
    /// Files, with all their positions.
    Files(Vec<PathBuf>),
    /// A place that does not exist in the archive; already reported.
    NotFound,
}

/// Finds what the arguments name.
///
/// # Errors
/// The arguments name nothing, or the archive cannot be read.
pub(super) fn find(args: &PositionArgs, common: &Common) -> Result<Subject, Failure> {
    if let [archive, place] = args.what.as_slice()
        && let Some(place) = place.to_str().filter(|place| place.contains('@'))
    {
        return in_archive(Path::new(archive), place, args, common);
    }
    let text = text(args);
    match Setup::from_fen(fen_of(&text).as_bytes()) {
        Ok(setup) => {
            refuse_games_option(args)?;
            let game = GameHistory::Unknown;
            Ok(Subject::Place(KnownPosition { setup, game }))
        }
        Err(why) => files(args, &text, &why),
    }
}

/// The arguments as one text: a FEN need not be quoted.
fn text(args: &PositionArgs) -> String {
    let words: Vec<_> = args
        .what
        .iter()
        .map(|word| word.to_string_lossy())
        .collect();
    words.join(" ").trim().to_owned()
}

/// Refuses `--games` for a single position, where it has no effect.
fn refuse_games_option(args: &PositionArgs) -> Result<(), Failure> {
    match args.games {
        Some(_) => Err(Failure::usage("--games is for files, not for one position")),
        None => Ok(()),
    }
}

/// The files that the arguments name, if they are not a FEN.
fn files(args: &PositionArgs, text: &str, why: &InvalidFen) -> Result<Subject, Failure> {
    let paths: Vec<PathBuf> = args.what.iter().map(PathBuf::from).collect();
    let is_there = |path: &PathBuf| path == Path::new("-") || path.exists();
    let Some(path) = paths.iter().find(|path| !is_there(path)) else {
        return Ok(Subject::Files(paths));
    };
    if let [archive, game] = paths.as_slice()
        && archive.is_file()
        && let Some(Ok(number)) = game.to_str().map(str::parse::<u64>)
    {
        let why = format!("{number}: give the ply too: {number}@34");
        return Err(Failure::usage(why));
    }
    let shown = fit(text, SHOWN_CHARS);
    // A board has seven slashes; paths hardly ever do.
    Err(Failure::usage(match text.matches('/').count() {
        7.. => format!("{shown:?} is not a FEN: {why}"),
        _ => format!(
            "{}: neither a file nor a FEN (a place in an archive: ARCHIVE 17@34)",
            path.display()
        ),
    }))
}

fn in_archive(
    path: &Path,
    place: &str,
    args: &PositionArgs,
    common: &Common,
) -> Result<Subject, Failure> {
    refuse_games_option(args)?;
    let (number, ply) = match place.parse() {
        Ok(Selection::Position { game, ply }) => (game, ply),
        Ok(Selection::Games(_)) => return Err(Failure::usage(format!("{place}: write 17@34"))),
        Err(why) => return Err(Failure::usage(format!("{place}: {why}"))),
    };
    let archive = open(path, &args.reader)?;
    let missing = |why: &str| {
        print_message(&format!("{}: {why}", path.display()));
        Ok(Subject::NotFound)
    };
    if number > archive.games() {
        return missing(&no_game(number, archive.games()));
    }
    let game = archive.game(number);
    let game = game.map_err(|error| Failure::reading_game(path, number, &error))?;
    warn(path, &archive.warnings(), common);
    let (Some(start), Some(position)) = (game.main_line_position(0), game.main_line_position(ply))
    else {
        let why = no_position(&game, ply);
        return missing(&format!("no position {number}@{ply}: {why}"));
    };
    let mut plies = game.main_line_plies();
    plies.truncate(ply);
    Ok(Subject::Place(KnownPosition {
        setup: position.setup(),
        game: GameHistory::new(&start, plies.into()),
    }))
}
