//! The input: a position, or a game from it.

use super::super::bit_text;
use super::super::common::Common;
use super::super::errors::{Failure, print_message};
use super::super::terminal::fit;
use super::XiangqiArgs;
use crate::internals::xiangqi::{Fen, Link, XiangqiCode, XiangqiMove, XiangqiPosition};
use std::fmt::Display;
use std::iter;

/// The number of characters of a text that errors show.
const SHOWN_CHARS: usize = 60;

/// The game of a FEN, a link or a code, with the moves that are played after it.
pub(super) fn game(args: &XiangqiArgs, common: &Common) -> Result<Link, Failure> {
    let mut game = match (&args.position, args.code, &args.decode) {
        (_, Some(code), Some(text)) => Link::new(decode(code, text, args.hex)?),
        (Some(first), ..) => {
            // A FEN need not be quoted.
            let words: Vec<&str> = iter::once(first)
                .chain(&args.fields)
                .map(String::as_str)
                .collect();
            fen_or_link(words.join(" ").trim_ascii(), common)?
        }
        (None, ..) => Link::new(XiangqiPosition::start()),
    };
    if let Some(moves) = &args.moves {
        play(&mut game, &moves.0)?;
    }
    Ok(game)
}

fn decode(code: XiangqiCode, text: &str, is_hex: bool) -> Result<XiangqiPosition, Failure> {
    let undecodable = |error: &dyn Display| {
        let (text, code) = (fit(text, SHOWN_CHARS), code.name());
        Failure::usage(format!("{text:?} is not a position in {code}: {error}"))
    };
    let bytes = bit_text::parse(text, is_hex).map_err(|error| undecodable(&error))?;
    code.decode(&bytes).map_err(|error| undecodable(&error))
}

/// The game of a text. No address parses as a FEN: a FEN has ten ranks.
fn fen_or_link(text: &str, common: &Common) -> Result<Link, Failure> {
    let no_fen = match text.parse::<Fen>() {
        Ok(fen) => {
            if !common.quiet {
                warn_about_counters(&fen);
            }
            return Ok(Link::new(fen.position));
        }
        Err(why) => why,
    };
    let no_link = match Link::decode(Link::from_url(text)) {
        Ok(link) => return Ok(link),
        Err(why) => why,
    };
    let shown = fit(text, SHOWN_CHARS);
    Err(Failure::usage(match text {
        "" => "an empty text is neither a FEN nor a share link".to_owned(),
        text if is_like_fen(text) => format!("{shown:?} is not a FEN of Xiangqi: {no_fen}"),
        // A link may begin with -, so a mistyped option is taken for one.
        text if text.starts_with('-') => {
            format!("{shown:?} is neither an option nor a FEN nor a share link: {no_link}")
        }
        _ => format!("{shown:?} is neither a FEN nor a share link: {no_link}"),
    }))
}

/// Whether a text is meant to be a FEN. A board has nine slashes, one of chess
/// seven; addresses hardly ever do.
fn is_like_fen(text: &str) -> bool {
    let is_address = text.contains("://") || text.contains(['#', '?']);
    !is_address && (text.contains(' ') || text.matches('/').count() >= 7)
}

fn warn_about_counters(fen: &Fen) {
    let (half, full) = (fen.halfmoves, fen.fullmoves);
    if (half, full) != (0, 1) {
        print_message(&format!(
            "the counters of the FEN, {half} and {full}, are not stored"
        ));
    }
}

/// Plays moves after those of a game.
fn play(game: &mut Link, moves: &[XiangqiMove]) -> Result<(), Failure> {
    for played in moves {
        let ply = game.moves().len() + 1;
        if game.play(*played).is_err() {
            return Err(illegal(game.last_position(), *played, ply));
        }
    }
    Ok(())
}

/// Explains an illegal move, with the legal moves of the piece.
fn illegal(position: &XiangqiPosition, played: XiangqiMove, ply: usize) -> Failure {
    let (from, turn) = (played.from, position.turn());
    let why = match position.at(from) {
        None => format!("{from} is empty"),
        Some(piece) if piece.side != turn => {
            format!("the {piece} on {from} is not {turn}'s, who is to move")
        }
        Some(piece) => {
            let mut legal = position.legal_moves();
            legal.retain(|legal| legal.from == from);
            match join_moves(legal) {
                none if none.is_empty() => format!("the {piece} on {from} has no legal move"),
                legal => format!("the {piece} on {from} can play {legal}"),
            }
        }
    };
    Failure::usage(format!("ply {ply}, {played}, is illegal: {why}"))
}

/// Moves separated by blanks.
pub(super) fn join_moves(moves: impl IntoIterator<Item = XiangqiMove>) -> String {
    let texts: Vec<String> = moves.into_iter().map(|played| played.to_string()).collect();
    texts.join(" ")
}
