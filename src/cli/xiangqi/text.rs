//! A position as human-readable text.

use super::super::bit_text;
use super::super::figures::count;
use super::{board, input};
use crate::internals::xiangqi::{Link, XiangqiCode, XiangqiPosition};

/// The drawing, and the facts about the position.
pub(super) fn describe(game: &Link, as_characters: bool) -> String {
    let last = game.last_position();
    let mut out = board::draw(last, as_characters);
    out.push('\n');
    if game.moves().len() > 0 {
        out.push_str(&row("start", &game.start().fen()));
        let plies = count(game.moves().len() as u64, "ply");
        out.push_str(&row("moves", &input::join_moves(game.moves())));
        out.push_str(&row("", &plies));
    }
    out.push_str(&row("to move", &to_move(last)));
    out.push_str(&row("fen", &last.fen()));
    let link = game.encode().unwrap_or_else(|why| format!("none: {why}"));
    out.push_str(&row("link", &link));
    out.push_str(&format!(
        "\n{:<11}{:>4}  hex\n{:17}base64\n",
        "code", "bits", ""
    ));
    for code in XiangqiCode::ALL {
        out.push_str(&code_rows(code, last));
    }
    out
}

fn row(name: &str, value: &str) -> String {
    format!("{name:<9}{value}\n")
}

fn to_move(position: &XiangqiPosition) -> String {
    let turn = position.turn();
    let check = if position.is_attacked(turn) {
        ", in check"
    } else {
        ""
    };
    let moves = count(position.legal_moves().len() as u64, "legal move");
    format!("{turn}{check}, {moves}")
}

fn code_rows(code: XiangqiCode, position: &XiangqiPosition) -> String {
    let name = code.name();
    match code.encode(position) {
        Ok(bits) => bit_text::rows(&format!("{name:<11}{:>4}", bits.bit_len()), &bits),
        Err(why) => format!("{name:<11}{:>4}  cannot represent: {why}\n", "-"),
    }
}
