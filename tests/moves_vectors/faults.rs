//! The vectors of `huffman` that fail, as they are made.

use pgna::chess::Square;
use pgna::moves::Codec::{self, Huffman, HuffmanElided};

use super::craft::{At, Field, Op, Piece, bits, craft, craft_with};
use super::huffman::{SHORT, STANDARD, TWO_QUEENS};
use super::vector::{Expected, Vector};

/// All of them.
pub(crate) fn all() -> Vec<Vector> {
    let mut all = tree_faults();
    all.extend(opening_faults());
    all.extend(move_faults());
    all.extend(shape_faults());
    all
}

fn tree_faults() -> Vec<Vector> {
    let elided = |error, about, text| Vector::failing(error, about, HuffmanElided, 2, bits(text));
    let zeros = "0".repeat(64);
    let squares = "0 1 011100 1 100100";
    let e4_e5 = [Piece(12), At(Square::E4), Piece(28), At(Square::E5)];
    let foreign = |about, unsaid: Op| {
        let bytes = craft_with(&[unsaid], &e4_e5);
        Vector::failing("tree-foreign-id", about, HuffmanElided, 2, bytes)
    };
    vec![
        elided(
            "tree-repeated-id",
            ("x-piece-tree-repeated-id", "Piece 12 has two leaves"),
            &format!("0 1 01100 1 01100 {squares}"),
        ),
        elided(
            "tree-repeated-id",
            ("x-square-tree-repeated-id", "Square e4 has two leaves"),
            "0 1 01100 1 11100 0 1 011100 1 011100",
        ),
        elided(
            "tree-cut-short",
            ("x-piece-tree-cut-short", "The bits end in the piece tree"),
            "0 1 01100 1",
        ),
        elided(
            "tree-cut-short",
            ("x-square-tree-cut-short", "The bits end in the square tree"),
            "0 1 01100 1 11100 0 1 01",
        ),
        elided("tree-cut-short", ("x-no-tree", "Moves, but no bits"), ""),
        elided(
            "tree-too-many-leaves",
            (
                "x-piece-tree-too-many-leaves",
                "32 branches call for 33 pieces",
            ),
            &zeros,
        ),
        elided(
            "tree-too-many-leaves",
            (
                "x-square-tree-too-many-leaves",
                "64 branches call for 65 squares",
            ),
            &format!("1 01100 {zeros}"),
        ),
        foreign(
            (
                "x-piece-tree-foreign-id",
                "A leaf for a piece that does not move",
            ),
            Piece(0),
        ),
        foreign(
            (
                "x-square-tree-foreign-id",
                "A leaf for a square that is not mentioned",
            ),
            At(Square::A1),
        ),
        elided(
            "not-canonical",
            ("x-mirrored-tree", "1. e4 e5 with the piece tree mirrored"),
            &format!("0 1 11100 1 01100 {squares} 1 0 0 1"),
        ),
    ]
}

/// Kings on e1 and e8, and what is put between table and kings.
fn kings(table: &[Op], others: &[Op], rest: &[Op]) -> Vec<u8> {
    let white = [Piece(4), At(Square::E1)];
    let black = [Piece(20), At(Square::E8)];
    craft(&[table, &white, others, &black, rest].concat())
}

fn opening_faults() -> Vec<Vector> {
    let failing = |error, name, description, bytes| {
        Vector::failing(error, (name, description), Huffman, 0, bytes)
    };
    let (none, white) = ([Field(0, 4)], [Field(0, 1)]);
    let a_pawns = [Piece(8), At(Square::A5), Piece(9), At(Square::B5)];
    let queen = |pawn| [Piece(pawn), Field(3, 2)];
    let table = |pawns: &[u8]| {
        let entries = pawns.iter().flat_map(|pawn| queen(*pawn));
        [Field(pawns.len() as u64, 4)]
            .into_iter()
            .chain(entries)
            .collect::<Vec<_>>()
    };
    let (e1, e8) = (At(Square::E1), At(Square::E8));
    vec![
        failing(
            "table-not-pawn",
            "x-table-not-pawn",
            "A king in the promotion table",
            kings(&table(&[4]), &a_pawns, &white),
        ),
        failing(
            "table-repeated",
            "x-table-repeated",
            "A pawn twice in the promotion table",
            kings(&table(&[8, 8]), &a_pawns, &white),
        ),
        failing(
            "table-order",
            "x-table-order",
            "Pawn 9 before pawn 8 in the promotion table",
            kings(&table(&[9, 8]), &a_pawns, &white),
        ),
        failing(
            "initial-order",
            "x-initial-order",
            "Black's king before White's",
            craft(&[Field(0, 4), Piece(20), e8, Piece(4), e1, Field(0, 1)]),
        ),
        failing(
            "initial-order",
            "x-initial-repeated",
            "White's king twice before Black's",
            craft(&[Field(0, 4), Piece(4), e1, Piece(4), e8, Piece(20), e8]),
        ),
        failing(
            "two-on-square",
            "x-two-on-square",
            "Both kings on e1",
            craft(&[Field(0, 4), Piece(4), e1, Piece(20), e1, Field(0, 1)]),
        ),
        failing(
            "not-a-position",
            "x-no-king",
            "Black has no king",
            craft(&[Field(0, 4), Piece(4), e1, Field(0, 1)]),
        ),
        failing(
            "not-a-position",
            "x-pawn-on-first-rank",
            "A pawn on a1",
            kings(&none, &[Piece(8), At(Square::A1)], &white),
        ),
        failing(
            "not-a-position",
            "x-opposite-check",
            "White to move takes a king",
            kings(&none, &[Piece(7), At(Square::H8)], &white),
        ),
        failing(
            "not-canonical",
            "x-wrong-rook",
            "The only rook has the second rook's ID",
            kings(&none, &[Piece(7), At(Square::H1)], &white),
        ),
        failing(
            "not-canonical",
            "x-pawns-crossed",
            "Pawn 8 stands behind pawn 9 in square order",
            kings(
                &none,
                &[Piece(8), At(Square::B5), Piece(9), At(Square::A5)],
                &white,
            ),
        ),
        failing(
            "cut-short",
            "x-table-cut-short",
            "The bits end in the promotion table",
            bits("0 1 00100 1 10100 0 1 000100 1 111100 1111"),
        ),
        failing(
            "trailing",
            "x-side-trailing",
            "A bit set behind the side to move",
            kings(&none, &[], &[Field(0b01, 2)]),
        ),
    ]
}

fn move_faults() -> Vec<Vector> {
    let (e4, e5, d4, d5) = (Square::E4, Square::E5, Square::D4, Square::D5);
    let e4_e5 = [Piece(12), At(e4), Piece(28), At(e5)];
    let short = Vector::passing("", "", HuffmanElided, STANDARD, SHORT).bytes;
    let captured = [
        Piece(12),
        At(e4),
        Piece(27),
        At(d5),
        Piece(12),
        At(d5),
        Piece(27),
        At(d4),
    ];
    let elided = |error, name, description, plies, bytes| {
        Vector::failing(error, (name, description), HuffmanElided, plies, bytes)
    };
    let mut padding = short.clone();
    *padding.last_mut().unwrap() |= 1;
    // The kings step out and back, so that no padding is left to be read as a
    // promotion.
    let promotion = [
        [Piece(8), At(Square::A7)],
        [Piece(20), At(Square::E8)],
        [Piece(4), At(Square::E2)],
        [Piece(20), At(Square::E7)],
        [Piece(4), At(Square::E1)],
        [Piece(20), At(Square::E8)],
        [Piece(8), At(Square::A8)],
    ];
    let promotion = [
        &[Field(0, 4), Piece(4), At(Square::E1)],
        promotion.as_flattened(),
    ]
    .concat();
    vec![
        elided(
            "captured-moves",
            "x-captured-moves",
            "A pawn moves that was captured",
            4,
            craft(&captured),
        ),
        elided(
            "illegal-move",
            "x-blocked-pawn",
            "1. e4 e5 2. e5",
            3,
            craft(&[&e4_e5[..], &[Piece(12), At(e5)]].concat()),
        ),
        elided(
            "illegal-move",
            "x-wrong-side",
            "White moves twice",
            2,
            craft(&[Piece(12), At(e4), Piece(11), At(d4)]),
        ),
        elided(
            "illegal-move",
            "x-king-takes-rook",
            "The king moves onto its own rook",
            1,
            craft(&[Piece(4), At(Square::H1)]),
        ),
        elided("trailing", "x-padding", "A padding bit is 1", 6, padding),
        elided(
            "trailing",
            "x-trailing-byte",
            "A byte of zeros follows",
            2,
            [craft(&e4_e5), vec![0]].concat(),
        ),
        elided("trailing", "x-no-plies", "No plies, but a byte", 0, vec![0]),
        elided(
            "cut-short",
            "x-moves-cut-short",
            "The last byte of the moves is missing",
            6,
            short[..short.len() - 1].to_vec(),
        ),
        Vector::failing(
            "cut-short",
            (
                "x-promotion-cut-short",
                "The bits end before what the pawn becomes",
            ),
            Huffman,
            5,
            craft(&promotion),
        ),
    ]
}

fn shape_faults() -> Vec<Vector> {
    let vector = |error: &str, name: &str, description: &str, codec: Codec, fen, plies| {
        let mut vector = Vector::passing(name, description, codec, fen, plies);
        vector.expected = Expected::Error(error.to_owned());
        vector
    };
    let elided = |error, name, description, plies| {
        vector(error, name, description, HuffmanElided, STANDARD, plies)
    };
    let mut too_many = elided(
        "too-many-plies",
        "x-too-many-plies",
        "One ply above the default limit",
        "e2e4",
    );
    too_many.plies = (32 << 20) + 1;
    let mut behind = elided(
        "null-plies",
        "x-null-behind",
        "A null move behind the last ply",
        "e2e4 --",
    );
    behind.nulls = vec![2];
    let mut order = elided(
        "null-plies",
        "x-null-order",
        "Null moves not in ascending order",
        "e2e4 -- --",
    );
    order.nulls = vec![2, 1];
    let mut start = elided(
        "wrong-start",
        "x-not-standard-start",
        "The form without start position, announced for another",
        "e2e4",
    );
    start.rest.halfmoves = 1;
    let mut check = elided(
        "null-in-check",
        "x-null-in-check",
        "1. e4 f5 2. Qh5+ and Black passes",
        "e2e4 f7f5 d1h5",
    );
    check.plies = 4;
    check.nulls = vec![3];
    let mut rights = vector(
        "not-a-position",
        "x-castling-right",
        "A castling right without its rook",
        Huffman,
        TWO_QUEENS,
        "",
    );
    rights.rest.castling_rooks = 1;
    vec![too_many, behind, order, start, check, rights]
}
