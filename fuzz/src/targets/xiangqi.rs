//! The properties of the Xiangqi codes, of links and of FENs.

use pgna::internals::xiangqi::{
    Fen, Link, LinkEncodeError, Point, XiangqiCode, XiangqiPiece, XiangqiPosition,
};

/// Checks a code on bits: a decoded position encodes to the same bits, and its FEN and its moves
/// are valid.
pub(super) fn check_code(code: XiangqiCode, bytes: &[u8]) {
    if let Ok(position) = code.decode(bytes) {
        let again = code.encode(&position).expect("what decodes has bits");
        assert_eq!(again.bytes(), bytes);
        check_position(&position);
    }
}

/// Checks a text as a link. If it is not a link, its bytes choose a start position and moves, which
/// must round-trip through a link.
pub(super) fn check_link(input: &[u8]) {
    let text = std::str::from_utf8(input).unwrap_or_default();
    if let Ok(link) = Link::decode(Link::from_url(text)) {
        assert_eq!(link.encode().as_deref(), Ok(Link::from_url(text)));
        check_position(link.last_position());
        return;
    }
    let (changes, picks) = match input.split_first() {
        Some((count, rest)) => rest.split_at(rest.len().min(2 * usize::from(*count % 64))),
        None => (input, input),
    };
    let start = changed_start(changes);
    let mut link = Link::new(start.clone());
    for pick in picks.iter().take(60) {
        let legal = link.last_position().legal_moves();
        let Some(played) = legal.get(usize::from(*pick) % legal.len().max(1)) else {
            break;
        };
        link.play(*played).expect("a legal move");
    }
    match link.encode() {
        Ok(text) => assert_eq!(Link::decode(&text).as_ref(), Ok(&link)),
        Err(refusal) => {
            let refused = XiangqiCode::Prefix.encode(&start).expect_err("a refusal");
            assert_eq!(refusal, LinkEncodeError::Start(refused));
        }
    }
    check_position(link.last_position());
}

/// The start of a game with changes. In each pair of bytes, the first chooses a point, the second
/// the piece to put there, or none.
fn changed_start(changes: &[u8]) -> XiangqiPosition {
    let pieces: Vec<XiangqiPiece> = XiangqiPiece::all().collect();
    let mut position = XiangqiPosition::start();
    for change in changes.chunks_exact(2) {
        let point = Point::new(change[0] % Point::COUNT).expect("a point");
        let piece = pieces.get(usize::from(change[1]) % (pieces.len() + 1));
        position.put(point, piece.copied());
    }
    position
}

/// Checks a text as a FEN.
pub(super) fn check_fen(input: &[u8]) {
    let text = std::str::from_utf8(input).unwrap_or_default();
    if let Ok(fen) = text.parse::<Fen>() {
        check_position(&fen.position);
    }
}

/// Asserts that a position round-trips through its FEN and through each code that can represent it,
/// and that its legal moves can be played.
fn check_position(position: &XiangqiPosition) {
    let fen: Fen = position.fen().parse().expect("a FEN that was written");
    assert_eq!(&fen.position, position);
    for code in XiangqiCode::ALL {
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
