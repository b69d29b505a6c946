//! Bit strings that no encoder produces.

use pgna::internals::chess::Setup;
use pgna::internals::position::{PositionCode, encode_line};

use super::played;
use super::vector::{Vector, bits};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const KINGS: &str = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";

/// The codes with the common trailer.
const WITH_TRAILER: [PositionCode; 6] = [
    PositionCode::Base13,
    PositionCode::MixedBase,
    PositionCode::HuffmanStatic,
    PositionCode::Difference,
    PositionCode::PieceList,
    PositionCode::PieceListRanked,
];

pub(crate) fn all() -> Vec<Vector> {
    let mut all = Vec::new();
    all.extend(PositionCode::ALL.into_iter().flat_map(ends));
    all.extend(WITH_TRAILER.into_iter().flat_map(trailers));
    all.extend(nibbles());
    all.extend(numbers());
    all.extend(differences());
    all.extend(
        [PositionCode::PieceList, PositionCode::PieceListRanked]
            .into_iter()
            .flat_map(lists),
    );
    all.extend(falling_digits());
    all.extend(games());
    all
}

/// The bits of a code as text: all of them, and those of the pieces.
fn text(code: PositionCode, fen: &str) -> (String, String) {
    let setup = Setup::from_fen(fen.as_bytes()).expect("a FEN");
    let encoded = code.encode(&setup).expect("bits");
    let bytes = encoded.bytes().iter();
    let all: String = bytes.map(|byte| format!("{byte:08b}")).collect();
    let length = |bits: u64| usize::try_from(bits).expect("few");
    let pieces = code.piece_bits(&setup).expect("bits");
    let pieces = pieces.unwrap_or(encoded.bit_len());
    let (all, pieces) = (&all[..length(encoded.bit_len())], &all[..length(pieces)]);
    (all.to_owned(), pieces.to_owned())
}

/// Bits that end too early or too late.
fn ends(code: PositionCode) -> Vec<Vector> {
    let (whole, _) = text(code, START);
    let whole = bits(&whole);
    let cut = whole[..whole.len() - 1].to_vec();
    let mut all = vec![Vector::failing(code, "cut-short", "end-of-input", cut)];
    if code != PositionCode::Game {
        let longer = [whole.as_slice(), &[0]].concat();
        all.push(Vector::failing(code, "another-byte", "trailing", longer));
        let (kings, _) = text(code, KINGS);
        let filled = bits(&format!("{kings}1"));
        all.push(Vector::failing(code, "padding", "trailing", filled));
    }
    all
}

fn trailers(code: PositionCode) -> Vec<Vector> {
    let (_, kings) = text(code, KINGS);
    let vector = |name, error, trailer| {
        Vector::failing(code, name, error, bits(&format!("{kings} {trailer}")))
    };
    vec![
        vector("right-without-rook", "castling", "0 1000 0 0 0"),
        vector("clock-of-0", "counter", "0 0000 0 1 00000000 0"),
        vector("move-1", "counter", "0 0000 0 0 1 0000000000000001"),
        vector("move-0", "fullmoves", "0 0000 0 0 1 0000000000000000"),
    ]
}

/// Faults of `nibble`, made by changing values of squares of a board with two kings.
fn nibbles() -> Vec<Vector> {
    let vector = |name, error, changes: &[(usize, u8)]| {
        let mut values = [0; 64];
        values[4] = 6;
        values[60] = 12;
        for (square, value) in changes {
            values[*square] = *value;
        }
        let mut text: String = values.iter().map(|value| format!("{value:04b}")).collect();
        text.push_str("0 0 0");
        Vector::failing(PositionCode::Nibble, name, error, bits(&text))
    };
    vec![
        vector("king-with-right-on-e2", "value", &[(12, 14)]),
        vector("rook-with-right-on-h5", "value", &[(39, 15)]),
        vector("king-without-rook", "castling", &[(4, 14)]),
        vector("rook-without-king", "castling", &[(7, 15)]),
        vector(
            "two-rooks-on-a-side",
            "castling",
            &[(4, 14), (6, 15), (7, 15)],
        ),
        vector(
            "two-kings-with-right",
            "castling",
            &[(3, 14), (4, 14), (7, 15)],
        ),
        vector("another-king", "castling", &[(4, 14), (7, 15), (20, 6)]),
        vector("two-pawns-just-moved", "en-passant", &[(35, 13), (36, 13)]),
        vector("pawn-just-moved-on-e3", "en-passant", &[(20, 13)]),
        vector("own-pawn-just-moved", "en-passant", &[(28, 13)]),
        vector("pawn-on-a1", "pawn", &[(0, 1)]),
    ]
}

/// Numbers that are too large, and pawns on ranks 1 and 8.
fn numbers() -> Vec<Vector> {
    let trailer = "0 0000 0 0 0";
    let ones = |code, width: usize| {
        let text = format!("{} {trailer}", "1".repeat(width));
        Vector::failing(code, "too-large", "number", bits(&text))
    };
    let empty = "0".repeat(63);
    let huffman = format!("{empty} 110 {trailer}");
    // A white pawn on h8 is the least significant digit 1.
    let base13 = format!("{} 1 {trailer}", "0".repeat(236));
    vec![
        ones(PositionCode::Base13, 237),
        ones(PositionCode::MixedBase, 233),
        Vector::failing(
            PositionCode::HuffmanStatic,
            "pawn-on-h8",
            "pawn",
            bits(&huffman),
        ),
        Vector::failing(PositionCode::Base13, "pawn-on-h8", "pawn", bits(&base13)),
    ]
}

fn differences() -> Vec<Vector> {
    let vector = |name, error, pieces: &str| {
        let text = format!("{pieces} 0 0000 0 0 0");
        Vector::failing(PositionCode::Difference, name, error, bits(&text))
    };
    let all_the_same = "0000001000001";
    vec![
        vector("no-change", "value", &format!("1 1 0000 {all_the_same}")),
        vector("no-piece", "value", "1 1 1001 0000001000000"),
        // The rook on a1 is 4; 4 XOR 5 is a pawn.
        vector("pawn-on-a1", "pawn", "1 1 0101 0000001000000"),
        vector("run-too-long", "number", "1 0000001000010"),
        vector("run-of-8-bits", "number", "1 00000001"),
    ]
}

/// Kings on e1 and e8, then the pieces of both sides.
fn lists(code: PositionCode) -> Vec<Vector> {
    let vector = |name, error, lists: &str| {
        let text = format!("000100 111100 {lists} 0 0000 0 0 0");
        Vector::failing(code, name, error, bits(&text))
    };
    let kings_touch = bits("000100 000100 0 0000 0 0000 0 0000 0 0 0");
    // One pawn among 48 squares.
    let too_large = "1 000 0000 0 0000 110000";
    vec![
        Vector::failing(code, "kings-on-one-square", "occupied", kings_touch),
        vector("rook-on-the-king", "occupied", "0 0001 10 000100 0 0000"),
        vector(
            "officers-descend",
            "order",
            "0 0010 10 000111 10 000000 0 0000",
        ),
        vector("pawn-too-large", "number", too_large),
    ]
}

/// Pawns on a2 and b2 as digits 1 of 48 and 0 of 47, which places b2 before a2.
fn falling_digits() -> Vec<Vector> {
    let number = format!("{:012b}", 47);
    let text = format!("000100 111100 1 001 0000 0 0000 {number} 0 0000 0 0 0");
    let vector = Vector::failing(
        PositionCode::PieceList,
        "pawns-descend",
        "order",
        bits(&text),
    );
    vec![vector]
}

fn games() -> Vec<Vector> {
    let vector = |name, error, bytes: &[u8]| {
        Vector::failing(PositionCode::Game, name, error, bytes.to_vec())
    };
    vec![
        vector("remainder", "number", &[1, 40]),
        vector("leading-zero", "number", &[1, 13, 0]),
        vector("number-without-plies", "number", &[0, 1]),
        vector("too-many-bytes", "number", &[1; 258]),
        vector("after-mate", "no-legal-move", &mate_and_on()),
    ]
}

/// 1. f3 e5 2. g4 Qh4 mate, with a count of five plies.
fn mate_and_on() -> Vec<u8> {
    let (plies, _) = played(&["f2f3", "e7e5", "g2g4", "d8h4"]);
    let mut bytes = encode_line(&plies).expect("a game").bytes().to_vec();
    bytes[0] += 1;
    bytes
}
