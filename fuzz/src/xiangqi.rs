//! What the targets of Xiangqi share: what must hold of each code, of links and
//! of FENs.

use pgna::xiangqi::{Code, Fen, Link, Position};

/// Checks a code on bits: what decodes is encoded with the same bits, and its
/// FEN and its moves are in order.
///
/// # Panics
/// The code is wrong.
pub fn check_code(code: Code, bytes: &[u8]) {
    if let Ok(position) = code.decode(bytes) {
        let again = code.encode(&position).expect("what decodes has bits");
        assert_eq!(again.bytes(), bytes);
        check_position(&position);
    }
}

/// Checks a text as a link. Where it is none, its bytes pick moves from the
/// start of a game, which come back.
///
/// # Panics
/// The link is wrong.
pub fn check_link(input: &[u8]) {
    let text = std::str::from_utf8(input).unwrap_or_default();
    if let Ok(link) = Link::decode(text) {
        assert_eq!(link.encode().as_deref(), Ok(text));
        check_position(&link.last_position());
        return;
    }
    let start = Position::start();
    let mut position = start.clone();
    let mut moves = Vec::new();
    for pick in input.iter().take(60) {
        let legal = position.legal_moves();
        let Some(played) = legal.get(usize::from(*pick) % legal.len().max(1)) else {
            break;
        };
        position.play(*played).expect("a legal move");
        moves.push(*played);
    }
    let link = Link { start, moves };
    let text = link.encode().expect("a game has a link");
    assert_eq!(Link::decode(&text), Ok(link));
    check_position(&position);
}

/// Checks a text as a FEN.
///
/// # Panics
/// The FEN is wrong.
pub fn check_fen(input: &[u8]) {
    let text = std::str::from_utf8(input).unwrap_or_default();
    if let Ok(fen) = text.parse::<Fen>() {
        check_position(&fen.position);
    }
}

/// Whether the position comes back from its FEN and from each code that can
/// represent it, and its legal moves can be played.
fn check_position(position: &Position) {
    let fen: Fen = position.fen().parse().expect("a FEN that was written");
    assert_eq!(&fen.position, position);
    for code in Code::ALL {
        if let Ok(bits) = code.encode(position) {
            assert_eq!(code.decode(bits.bytes()).as_ref(), Ok(position));
        }
    }
    let legal = position.legal_moves();
    assert!(legal.is_sorted_by(|a, b| a < b));
    for played in legal.iter().take(3) {
        let mut after = position.clone();
        assert_eq!(after.play(*played), Ok(()));
        assert!(!after.is_attacked(position.turn()));
    }
}
