//! The vectors of `huffman` that pass, as they are made.

use pgna::chess::{Ply, Position};
use pgna::moves::Codec::{Huffman, HuffmanElided};

use super::faults;
use super::vector::{Vector, position};

/// The standard start position.
pub(crate) const STANDARD: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
/// The start of the worked example with a promotion table.
pub(crate) const TWO_QUEENS: &str = "7k/1P6/8/8/8/8/Q1Q5/2K5 w - - 0 40";
/// The worked example from the standard start position.
pub(crate) const SHORT: &str = "e2e4 e7e5 g1f3 f7f6 f3e5 f6e5";
/// En passant, a promoted pawn that moves on, castling to both sides.
pub(crate) const RULES: &str = "e2e4 d7d5 e4e5 f7f5 e5f6 b8c6 f6g7 c8e6 g7h8q d8d7 g1f3 e8c8 f1e2 g8f6 \
                     e1g1 a7a6 h8f8";

/// All vectors.
pub(crate) fn all() -> Vec<Vector> {
    let mut all = elided_lines();
    all.extend(written_lines());
    all.extend(faults::all());
    all
}

fn elided_lines() -> Vec<Vector> {
    let vector = |name: &str, description: &str, plies: &str| {
        let name = format!("elided-{name}");
        Vector::passing(&name, description, HuffmanElided, STANDARD, plies)
    };
    vec![
        vector("empty", "No plies, no bits", ""),
        vector(
            "one-ply",
            "One ply: trees of one leaf, codes of no bits",
            "e2e4",
        ),
        vector("short", "The worked example", SHORT),
        vector(
            "rules",
            "En passant, promotion, castling to both sides",
            RULES,
        ),
        vector(
            "null",
            "Null moves are not in the bits",
            "-- -- d2d4 -- -- d7d5",
        ),
        vector("only-nulls", "Null moves alone: no bits", "-- --"),
        vector(
            "long",
            "400 plies of a game played at random",
            &random_game(STANDARD),
        ),
    ]
}

fn written_lines() -> Vec<Vector> {
    let vector = |name: &str, description: &str, fen: &str, plies: &str| {
        let name = format!("written-{name}");
        Vector::passing(&name, description, Huffman, fen, plies)
    };
    let many = "1r2k3/P6P/QN6/NQ6/1N1R4/p7/6pp/RR2K3 b - - 7 33";
    vec![
        vector(
            "standard",
            "The standard start, written out",
            STANDARD,
            SHORT,
        ),
        vector(
            "white-to-move",
            "No plies, White to move",
            "4k3/8/8/8/8/8/8/4K3 w - - 12 80",
            "",
        ),
        vector(
            "black-to-move",
            "No plies, Black to move",
            "4k3/8/8/8/8/8/8/4K3 b - - 12 80",
            "",
        ),
        vector(
            "two-queens",
            "The worked example",
            TWO_QUEENS,
            "b7b8n h8g7 b8d7",
        ),
        vector(
            "promoted",
            "Promoted pieces of several kinds",
            many,
            &random_game(many),
        ),
        vector(
            "en-passant",
            "En passant at the first ply",
            "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 9",
            "e5d6",
        ),
        vector(
            "null-first",
            "Behind a null move the other side moves first",
            TWO_QUEENS,
            "-- h8g7 a2a7",
        ),
        vector(
            "only-null",
            "Only null moves: the side to move is written",
            TWO_QUEENS,
            "--",
        ),
        vector(
            "chess960",
            "Chess960 castling goes onto the rook",
            "5k1r/8/8/8/8/8/8/5K1R w Hh - 0 1",
            "f1h1 f8g8",
        ),
        vector(
            "chess960-step",
            "The king's step to its castling square",
            "5k1r/8/8/8/8/8/8/5K1R w Hh - 0 1",
            "f1g1",
        ),
        vector(
            "chess960-stays",
            "Castling by a king that stays",
            "6k1/8/8/8/8/8/8/6KR w H - 0 1",
            "g1h1 g8g7",
        ),
    ]
}

/// Up to 400 legal plies picked by a linear congruential generator.
pub(crate) fn random_game(fen: &str) -> String {
    let mut position: Position = position(fen);
    let mut state = 1u64;
    let mut plies = Vec::new();
    for _ in 0..400 {
        let legal = position.legal_plies();
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        let pick = usize::try_from(state >> 33).unwrap() % legal.len().max(1);
        let Some(ply) = legal.get(pick) else { break };
        position.play(*ply).unwrap();
        plies.push(uci(*ply));
    }
    plies.join(" ")
}

fn uci(ply: Ply) -> String {
    match ply {
        Ply::Drop { role, to } => format!("{}@{to}", role.upper_char()),
        Ply::Null => "--".to_owned(),
        Ply::Move {
            from,
            to,
            promotion,
        } => {
            let promotion = promotion.map_or(String::new(), |role| role.char().to_string());
            format!("{from}{to}{promotion}")
        }
    }
}
