//! A position for programs.

use pgna::xiangqi::{Code, Link, Move, Position, Side};
use serde_json::{Value, json};

/// Everything about a game and its last position, as one object.
pub(super) fn json(game: &Link, last: &Position) -> Value {
    let (link, why) = match game.encode() {
        Ok(link) => (Some(link), None),
        Err(why) => (None, Some(why.to_string())),
    };
    json!({
        "start": game.start.fen(),
        "moves": texts(&game.moves),
        "fen": last.fen(),
        "to_move": match last.turn() {
            Side::Red => "red",
            Side::Black => "black",
        },
        "in_check": last.is_attacked(last.turn()),
        "legal_moves": texts(&last.legal_moves()),
        "codes": Code::ALL.map(|code| code_json(code, last)),
        "link": link,
        "cannot_share": why,
    })
}

fn texts(moves: &[Move]) -> Vec<String> {
    moves.iter().map(ToString::to_string).collect()
}

fn code_json(code: Code, position: &Position) -> Value {
    match code.encode(position) {
        Ok(bits) => json!({
            "code": code.name(),
            "bits": bits.bit_len(),
            "hex": bits.to_hex(),
            "base64": bits.to_base64(),
        }),
        Err(why) => json!({
            "code": code.name(),
            "cannot_represent": why.to_string(),
        }),
    }
}
