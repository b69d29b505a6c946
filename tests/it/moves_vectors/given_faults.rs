//! Generator of the failing vectors of the codecs that are given the start position.

use pgna::Codec::{self, Radix, RadixEnd, San, Squares};
use pgna::internals::chess::Outcome;

use super::craft::bits;
use super::given::{BLACK, FOUR_PLIES, MATE, shuffle};
use super::huffman::STANDARD;
use super::vector::{Coding, Vector};

/// All vectors.
pub(crate) fn all() -> Vec<Vector> {
    let mut all = radix_faults();
    all.extend(end_faults());
    all.extend(squares_faults());
    all.extend(san_faults());
    for codec in [Radix, Squares, San] {
        all.extend(shape_faults(codec, None));
    }
    all.extend(shape_faults(RadixEnd, Some(BLACK)));
    all
}

/// 1. e4 e5 2. Nf3 f6, to be broken by the caller.
fn game(codec: Codec, name: &str, description: &str, plies: &str) -> Vector {
    let result = (codec == RadixEnd).then_some(BLACK);
    let about = (name, description);
    Vector::given(about, codec, (STANDARD, "chess"), plies, result)
}

/// Faults in the start position, the null moves and the number of plies.
pub(crate) fn shape_faults(coding: impl Into<Coding>, result: Option<Outcome>) -> Vec<Vector> {
    let coding = coding.into();
    let given = |about, plies| Vector::given(about, coding, (STANDARD, "chess"), plies, result);
    let check = "e2e4 f7f5 d1h5 g7g6 h5g6";
    let check = match coding.codec {
        RadixEnd => Vector::given(
            ("x-null-in-check", "Black passes in check"),
            coding,
            (STANDARD, "chess"),
            check,
            Some(super::given::WHITE),
        ),
        // A model decodes the other plies only if the number of plies is right.
        Codec::Model => Vector::given(
            ("x-null-in-check", "Black passes in check"),
            coding,
            ("4k3/8/8/8/8/8/8/4RK2 b - - 0 1", "chess"),
            "",
            None,
        ),
        _ => given(("x-null-in-check", "Black passes in check"), check),
    };
    let plies = check.plies;
    let mut all = vec![
        given(
            ("x-start-unknown", "Only the rest of the start is given"),
            FOUR_PLIES,
        )
        .broken("start-unknown", |vector| vector.start = None),
        given(
            ("x-null-order", "Null moves not in order"),
            "e2e4 -- -- e7e5",
        )
        .broken("null-plies", |vector| vector.nulls = vec![2, 1]),
        check.broken("null-in-check", |vector| {
            vector.plies = plies + 1;
            vector.nulls = vec![plies];
        }),
    ];
    // `radix-end` checks null moves and the limit while it decodes.
    if coding.codec != RadixEnd {
        let after = ("x-null-after", "A null move after the last ply");
        let many = ("x-too-many-plies", "More plies than the default limit");
        all.extend([
            given(after, FOUR_PLIES).broken("null-plies", |vector| vector.nulls = vec![4]),
            given(many, FOUR_PLIES)
                .broken("too-many-plies", |vector| vector.plies = (32 << 20) + 1),
        ]);
    }
    all
}

fn radix_faults() -> Vec<Vector> {
    let short = |name, description| game(Radix, name, description, FOUR_PLIES);
    let long = |name: &str, description: &str| {
        let mut vector = shuffle(Radix, 1025, None);
        vector.name = name.to_owned();
        vector.description = description.to_owned();
        vector
    };
    vec![
        short("x-remainder", "The number is too large by one base")
            .broken("remainder", |vector| vector.plies = 3),
        short(
            "x-zero-byte",
            "A leading zero: one number in the form of several",
        )
        .broken("cut-short", |vector| vector.bytes.push(0)),
        short(
            "x-single-number",
            "One number, with its length, in the form of several",
        )
        .broken("single-number", |vector| {
            vector.bytes.insert(0, 3);
            vector.bytes.push(0);
        }),
        short("x-numbers-trailing", "Two numbers for four plies")
            .broken("trailing", |vector| vector.bytes = vec![1, 13, 0, 0]),
        long("x-cut-short", "The second number is not there")
            .broken("cut-short", |vector| vector.bytes = vec![13]),
        long(
            "x-length-cut-short",
            "The second number is shorter than its length",
        )
        .broken("cut-short", |vector| {
            let mark = vector.bytes.len() - 1;
            vector.bytes.truncate(mark - 1);
            vector.bytes.push(0);
        }),
        long("x-leading-zeros", "The second number has a leading zero").broken(
            "leading-zeros",
            |vector| {
                vector.bytes = vec![0, 1, 0, 0];
            },
        ),
        long("x-length", "A length of two bytes where one would do")
            .broken("length", |vector| vector.bytes = vec![0x80, 0, 0, 0]),
        long("x-first-remainder", "The first number leaves something").broken(
            "remainder",
            |vector| {
                let number = [0xff; 400];
                vector.bytes = [&[0x90, 3], &number[..], &[0, 0]].concat();
            },
        ),
        game(Radix, "x-no-legal-move", "A ply after the mate", MATE)
            .broken("no-legal-move", |vector| vector.plies = 5),
    ]
}

fn end_faults() -> Vec<Vector> {
    let resigned = |name, description| game(RadixEnd, name, description, FOUR_PLIES);
    let long = |name: &str, description: &str| {
        let mut vector = shuffle(RadixEnd, 1024, Some(Outcome::Draw));
        vector.name = name.to_owned();
        vector.description = description.to_owned();
        vector
    };
    vec![
        // Digit 20 of base 21 is the end at the first ply; the remaining number is 2.
        resigned("x-remainder", "What is left after the end is 2")
            .broken("remainder", |vector| vector.bytes = vec![20 + 2 * 21]),
        game(
            RadixEnd,
            "x-mate-remainder",
            "Something is left after the mate",
            MATE,
        )
        .broken("remainder", |vector| {
            // There are 20, 20, 19 and 30 legal moves; each base also counts the end.
            let product: u32 = 21 * 21 * 20 * 31;
            let mut number = [0; 4];
            number[..vector.bytes.len()].copy_from_slice(&vector.bytes);
            let larger = u32::from_le_bytes(number) + product;
            vector.bytes = larger.to_le_bytes()[..3].to_vec();
        }),
        resigned("x-numbers-trailing", "A number after the end")
            .broken("trailing", |vector| vector.bytes = vec![1, 20, 0, 0]),
        resigned(
            "x-no-end",
            "The first piece goes to its first target for ever",
        )
        .broken("cut-short", |vector| vector.bytes = Vec::new()),
        long("x-cut-short", "The end is not there")
            .broken("cut-short", |vector| vector.bytes = Vec::new()),
        // All numbers are 0, so the game continues to the limit.
        long("x-too-many-plies", "No end within the default limit")
            .broken("too-many-plies", |vector| vector.bytes = vec![0; 1100]),
        resigned("x-single-number", "One number in the form of several")
            .broken("single-number", |vector| vector.bytes = vec![1, 20, 0]),
        resigned("x-null-not-met", "The game ends before its null move")
            .broken("null-plies", |vector| vector.nulls = vec![5]),
    ]
}

fn squares_faults() -> Vec<Vector> {
    let short = |name, description| game(Squares, name, description, FOUR_PLIES);
    let e4_e5 = "100001 100011 100110 100100";
    let e2_e5 = "100001 100100";
    let promotion = Vector::given(
        (
            "x-promotion-cut-short",
            "The bits end before what the pawn becomes",
        ),
        Squares,
        ("8/1P5k/8/8/8/8/8/K7 w - - 0 1", "chess"),
        "a1a2 h7h8 a2a1 h8h7 a1a2 h7h8",
        None,
    );
    vec![
        short("x-illegal", "A pawn makes three steps").broken("illegal-move", |vector| {
            vector.plies = 1;
            vector.bytes = bits(e2_e5);
        }),
        short("x-empty-square", "A move from an empty square").broken("illegal-move", |vector| {
            vector.plies = 1;
            vector.bytes = vec![0x6d, 0xb0];
        }),
        short("x-cut-short", "Three plies of bits for four")
            .broken("cut-short", |vector| vector.bytes = bits(e4_e5)),
        short("x-trailing", "A byte of zeros follows")
            .broken("trailing", |vector| vector.bytes.push(0)),
        short("x-padding", "A padding bit is 1").broken("trailing", |vector| {
            vector.plies = 1;
            vector.bytes = bits("100001 100011 0001");
        }),
        promotion.broken("cut-short", |vector| {
            // Six moves fill nine bytes. The tenth holds 8 of the 12 bits of the seventh move, and
            // nothing of its promotion.
            vector.bytes.extend(bits("001110 001111"));
            vector.bytes.truncate(10);
            vector.plies = 7;
        }),
    ]
}

fn san_faults() -> Vec<Vector> {
    let text = |error: &str, name: &str, description: &str, text: &str| {
        let plies = text.split(' ').count() as u64 - 1;
        let vector = game(San, name, description, FOUR_PLIES);
        vector.broken(error, |vector| {
            vector.plies = plies.max(1);
            vector.bytes = text.as_bytes().to_vec();
        })
    };
    vec![
        text(
            "not-a-move",
            "x-not-a-move",
            "No text of a move",
            "e4 hello ",
        ),
        text("not-a-move", "x-empty", "Two blanks", "e4  e5 "),
        text(
            "not-a-move",
            "x-null",
            "A null move is not in the bits",
            "e4 -- ",
        ),
        text(
            "not-standard",
            "x-origin",
            "An origin that is not needed",
            "Ng1f3 ",
        ),
        text("not-standard", "x-check", "A check that is none", "e4+ "),
        text(
            "not-standard",
            "x-zeros",
            "Castling with zeros",
            "Nf3 Nf6 g3 g6 Bg2 Bg7 0-0 ",
        ),
        text(
            "illegal-move",
            "x-illegal",
            "A pawn makes three steps",
            "e5 ",
        ),
        text(
            "illegal-move",
            "x-ambiguous",
            "Two knights can go there",
            "Nf3 Nf6 d3 d6 Nd2 ",
        ),
        text(
            "cut-short",
            "x-cut-short",
            "No blank after the last move",
            "e4",
        ),
        text("cut-short", "x-no-text", "A ply without text", ""),
        game(San, "x-trailing", "A move too many", FOUR_PLIES)
            .broken("trailing", |vector| vector.plies = 3),
    ]
}
