//! What is asked for: a position, or a game from it.

use super::super::args::Common;
use super::super::errors::{Failure, say};
use super::XiangqiArgs;
use pgna::xiangqi::{Fen, Link, Move, Position};

/// The game of a FEN or a link, and the moves that are played behind it.
pub(super) fn game(args: &XiangqiArgs, common: &Common) -> Result<Link, Failure> {
    let mut game = match args.position.as_deref() {
        None => from(Position::start()),
        Some(text) if text.contains("://") || text.contains('#') => {
            link(text.rsplit(['/', '#']).next().unwrap_or_default())?
        }
        Some(text) if text.contains('/') => from(fen(text, common)?),
        Some(text) => link(text)?,
    };
    if let Some(moves) = &args.moves {
        play(&mut game, &moves.0)?;
    }
    Ok(game)
}

fn from(start: Position) -> Link {
    Link {
        start,
        moves: Vec::new(),
    }
}

fn fen(text: &str, common: &Common) -> Result<Position, Failure> {
    let fen: Fen = text
        .parse()
        .map_err(|error| Failure::usage(format!("no FEN of Xiangqi: {error}: {text}")))?;
    let counters = (fen.halfmoves, fen.fullmoves);
    if counters != (0, 1) && !common.quiet {
        let (half, full) = counters;
        say(&format!(
            "the counters of the FEN, {half} and {full}, are not kept"
        ));
    }
    Ok(fen.position)
}

fn link(text: &str) -> Result<Link, Failure> {
    let explain =
        |error| Failure::usage(format!("neither a FEN nor a share link: {error}: {text}"));
    Link::decode(text).map_err(explain)
}

/// Plays moves behind those of a game.
fn play(game: &mut Link, moves: &[Move]) -> Result<(), Failure> {
    let mut position = game.last_position();
    for played in moves {
        let ply = game.moves.len() + 1;
        if position.play(*played).is_err() {
            return Err(illegal(&position, *played, ply));
        }
        game.moves.push(*played);
    }
    Ok(())
}

/// What is wrong with a move, and what the piece could do instead.
fn illegal(position: &Position, played: Move, ply: usize) -> Failure {
    let (from, turn) = (played.from, position.turn());
    let why = match position.at(from) {
        None => format!("{from} is empty"),
        Some(piece) if piece.side != turn => {
            format!("the {piece} on {from} is not {turn}'s, who is to move")
        }
        Some(piece) => {
            let mut legal = position.legal_moves();
            legal.retain(|legal| legal.from == from);
            match text(&legal) {
                none if none.is_empty() => format!("the {piece} on {from} has no legal move"),
                legal => format!("the {piece} on {from} can play {legal}"),
            }
        }
    };
    Failure::usage(format!("ply {ply}, {played}, is illegal: {why}"))
}

/// Moves with blanks between them.
pub(super) fn text(moves: &[Move]) -> String {
    let texts: Vec<String> = moves.iter().map(ToString::to_string).collect();
    texts.join(" ")
}
