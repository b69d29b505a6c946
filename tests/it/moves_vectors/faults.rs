//! Generator of the failing vectors of `huffman` and `huffman-index`.

use pgna::Codec::{self, HuffmanIndex, HuffmanIndexElided};
use pgna::internals::chess::Square;

use super::craft::{At, Field, Op, Piece, To, bits, craft, craft_with};
use super::huffman::{Forms, SHORT, STANDARD, TWO_QUEENS};
use super::vector::{Expected, Vector};

/// The vectors that both codecs have.
pub(crate) fn all(forms: Forms) -> Vec<Vector> {
    let mut all = tree_faults(forms.elided);
    all.extend(opening_faults(forms.written));
    all.extend(move_faults(forms));
    all.extend(shape_faults(forms));
    all
}

/// The vectors of the codec of target numbers alone, `huffman-index`.
pub(crate) fn of_numbers() -> Vec<Vector> {
    let elided = |error, name, description, plies, ops: &[Op]| {
        let bytes = craft(HuffmanIndexElided, ops);
        Vector::failing(error, (name, description), HuffmanIndexElided, plies, bytes)
    };
    vec![
        elided(
            "no-target",
            "x-no-target",
            "The pawn e2 has targets 0 and 1, but no 2",
            1,
            &[Piece(12), To(Square::E4, 2)],
        ),
        elided(
            "tree-foreign-id",
            "x-number-27",
            "A leaf for number 27, which no target has",
            1,
            &[Piece(12), To(Square::E4, 27)],
        ),
        Vector::failing(
            "table-not-pawn",
            (
                "x-number-tree-without-moves",
                "No moves, but a number tree, which is read as the promotion table",
            ),
            HuffmanIndex,
            0,
            craft_with(
                HuffmanIndex,
                &[To(Square::E4, 1)],
                &[
                    Field(0, 4),
                    Piece(4),
                    At(Square::E1),
                    Piece(20),
                    At(Square::E8),
                    Field(0, 1),
                ],
            ),
        ),
    ]
}

fn tree_faults(codec: Codec) -> Vec<Vector> {
    let elided = |error, about, text: &str| Vector::failing(error, about, codec, 2, bits(text));
    let zeros = "0".repeat(64);
    // The leaves of the targets of e4 and e5.
    let (first, second) = match codec {
        HuffmanIndexElided => ("1 00000", "1 00001"),
        _ => ("1 011100", "1 100100"),
    };
    let targets = format!("0 {first} {second}");
    let foreign = |about, unused: Op| {
        let bytes = craft_with(codec, &[unused], &E4_E5);
        Vector::failing("tree-foreign-id", about, codec, 2, bytes)
    };
    vec![
        elided(
            "tree-repeated-id",
            ("x-piece-tree-repeated-id", "Piece 12 has two leaves"),
            &format!("0 1 01100 1 01100 {targets}"),
        ),
        elided(
            "tree-repeated-id",
            (
                "x-second-tree-repeated-id",
                "A square or number has two leaves",
            ),
            &format!("0 1 01100 1 11100 0 {first} {first}"),
        ),
        elided(
            "tree-cut-short",
            ("x-piece-tree-cut-short", "The bits end in the piece tree"),
            "0 1 01100 1",
        ),
        elided(
            "tree-cut-short",
            ("x-second-tree-cut-short", "The bits end in the second tree"),
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
                "x-second-tree-too-many-leaves",
                "64 branches call for 65 squares or numbers",
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
                "x-second-tree-foreign-id",
                "A leaf for a target that no move has",
            ),
            To(Square::A1, 9),
        ),
    ]
}

/// 1. e4 e5.
const E4_E5: [Op; 4] = [Piece(12), To(Square::E4, 1), Piece(28), To(Square::E5, 0)];

/// Kings on e1 and e8, with a promotion table before them and `others` between them.
fn kings(codec: Codec, table: &[Op], others: &[Op], rest: &[Op]) -> Vec<u8> {
    let white = [Piece(4), At(Square::E1)];
    let black = [Piece(20), At(Square::E8)];
    craft(codec, &[table, &white, others, &black, rest].concat())
}

fn opening_faults(codec: Codec) -> Vec<Vector> {
    let failing = |error, name, description, bytes| {
        Vector::failing(error, (name, description), codec, 0, bytes)
    };
    let kings = |table: &[Op], others: &[Op], rest: &[Op]| kings(codec, table, others, rest);
    let craft = |ops: &[Op]| craft(codec, ops);
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
            "initial-ids",
            "x-wrong-rook",
            "The only rook has the second rook's ID",
            kings(&none, &[Piece(7), At(Square::H1)], &white),
        ),
        failing(
            "initial-ids",
            "x-pawns-crossed",
            "Pawn 8 comes after pawn 9 in square order",
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
            bits(match codec {
                HuffmanIndex => "0 1 01000 1 11100 1111 0 11 1 11",
                _ => "0 1 00100 1 10100 0 1 000100 1 111100 1111",
            }),
        ),
        failing(
            "trailing",
            "x-side-trailing",
            "A bit set after the side to move",
            kings(&none, &[], &[Field(0b01, 2)]),
        ),
    ]
}

fn move_faults(forms: Forms) -> Vec<Vector> {
    let (e4, e5, d4, d5) = (Square::E4, Square::E5, Square::D4, Square::D5);
    let short = Vector::passing("", "", forms.elided, STANDARD, SHORT).bytes;
    // An illegal move has no number; no piece has a target number 9.
    let illegal = match forms.elided {
        HuffmanIndexElided => "no-target",
        _ => "illegal-move",
    };
    let elided = |error, name, description, plies, bytes| {
        Vector::failing(error, (name, description), forms.elided, plies, bytes)
    };
    let craft = |ops: &[Op]| craft(forms.elided, ops);
    let mut padding = short.clone();
    *padding.last_mut().unwrap() |= 1;
    vec![
        elided(
            "captured-moves",
            "x-captured-moves",
            "A pawn moves that was captured",
            4,
            craft(&[
                Piece(12),
                To(e4, 1),
                Piece(27),
                To(d5, 0),
                Piece(12),
                To(d5, 0),
                Piece(27),
                To(d4, 0),
            ]),
        ),
        elided(
            illegal,
            "x-blocked-pawn",
            "1. e4 e5 2. e5",
            3,
            craft(&[&E4_E5[..], &[Piece(12), To(e5, 0)]].concat()),
        ),
        elided(
            illegal,
            "x-wrong-side",
            "White moves twice",
            2,
            craft(&[Piece(12), To(e4, 1), Piece(11), To(d4, 1)]),
        ),
        elided(
            illegal,
            "x-king-takes-rook",
            "The king moves onto its own rook",
            1,
            craft(&[Piece(4), To(Square::H1, 0)]),
        ),
        elided("trailing", "x-padding", "A padding bit is 1", 6, padding),
        elided(
            "trailing",
            "x-trailing-byte",
            "A byte of zeros follows",
            2,
            [craft(&E4_E5), vec![0]].concat(),
        ),
        elided("trailing", "x-no-plies", "No plies, but a byte", 0, vec![0]),
        elided(
            "cut-short",
            "x-moves-cut-short",
            "The last byte of the moves is missing",
            6,
            short[..short.len() - 1].to_vec(),
        ),
        promotion_cut_short(forms.written),
    ]
}

/// The kings step to and fro so often that no padding is left that could be read as a promotion.
fn promotion_cut_short(codec: Codec) -> Vector {
    let setup = [
        Field(0, 4),
        Piece(4),
        At(Square::E1),
        Piece(8),
        At(Square::A7),
        Piece(20),
        At(Square::E8),
    ];
    let steps = [
        [Piece(4), To(Square::E2, 3)],
        [Piece(20), To(Square::E7, 1)],
        [Piece(4), To(Square::E1, 1)],
        [Piece(20), To(Square::E8, 6)],
    ];
    let promotion = [Piece(8), To(Square::A8, 0)];
    let rounds: usize = if codec == HuffmanIndex { 5 } else { 1 };
    let steps = steps.as_flattened().repeat(rounds);
    let ops = [&setup[..], &steps, &promotion].concat();
    Vector::failing(
        "cut-short",
        (
            "x-promotion-cut-short",
            "The bits end before what the pawn becomes",
        ),
        codec,
        4 * rounds as u64 + 1,
        craft(codec, &ops),
    )
}

fn shape_faults(forms: Forms) -> Vec<Vector> {
    let vector = |error: &str, name: &str, description: &str, codec: Codec, fen, plies| {
        let mut vector = Vector::passing(name, description, codec, fen, plies);
        vector.expected = Expected::Error(error.to_owned());
        vector
    };
    let elided = |error, name, description, plies| {
        vector(error, name, description, forms.elided, STANDARD, plies)
    };
    let mut too_many = elided(
        "too-many-plies",
        "x-too-many-plies",
        "One ply above the default limit",
        "e2e4",
    );
    too_many.plies = (32 << 20) + 1;
    let mut after = elided(
        "null-plies",
        "x-null-after",
        "A null move after the last ply",
        "e2e4 --",
    );
    after.nulls = vec![2];
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
        forms.written,
        TWO_QUEENS,
        "",
    );
    rights.rest.castling_rooks = 1;
    vec![too_many, after, order, start, check, rights]
}
