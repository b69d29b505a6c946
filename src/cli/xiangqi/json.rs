//! A position as JSON.

use crate::internals::xiangqi::{Link, XiangqiCode, XiangqiMove, XiangqiPosition, XiangqiSide};
use serde_json::{Value, json};

/// Everything about a game and its last position, as one object. Missing values
/// have no key.
pub(super) fn object(game: &Link, codes: &[XiangqiCode]) -> Value {
    let last = game.last_position();
    let codes: Vec<Value> = codes.iter().map(|code| code_json(*code, last)).collect();
    let mut object = json!({
        "start": game.start().fen(),
        "moves": texts(game.moves()),
        "fen": last.fen(),
        "to_move": match last.turn() {
            XiangqiSide::Red => "red",
            XiangqiSide::Black => "black",
        },
        "in_check": last.is_attacked(last.turn()),
        "legal_moves": texts(last.legal_moves()),
        "codes": codes,
    });
    let (key, value) = match game.encode() {
        Ok(link) => ("link", link),
        Err(why) => ("cannot_share", why.to_string()),
    };
    if let Some(object) = object.as_object_mut() {
        object.insert(key.to_owned(), value.into());
    }
    object
}

fn texts(moves: impl IntoIterator<Item = XiangqiMove>) -> Vec<String> {
    moves.into_iter().map(|played| played.to_string()).collect()
}

fn code_json(code: XiangqiCode, position: &XiangqiPosition) -> Value {
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
