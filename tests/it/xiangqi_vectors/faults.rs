//! Generator of the failing vectors.

use pgna::internals::bits::{BitReader, BitString, BitWriter};
use pgna::internals::codec::natural::Natural;
use pgna::internals::xiangqi::XiangqiCode::{self, Array, List, Prefix, Ranked};

use super::passing::{EXAMPLE, START};
use super::vector::{Scheme, Vector, position};

pub(crate) fn all() -> Vec<Vector> {
    let mut all: Vec<Vector> = XiangqiCode::ALL
        .into_iter()
        .flat_map(of_every_code)
        .collect();
    all.extend(arrays());
    all.extend(lists());
    all.extend(prefixes());
    all.extend(ranked());
    all.extend(links());
    all
}

fn fails(error: &str, name: &str, description: &str, code: XiangqiCode, out: BitWriter) -> Vector {
    let scheme = Scheme::Code(code);
    Vector::failing(error, (name, description), scheme, out.into_bytes())
}

/// The bits of a position, as a writer to append to.
fn bits(code: XiangqiCode, fen: &str) -> BitWriter {
    let bits = code.encode(&position(fen)).expect("bits");
    let mut input = BitReader::new(bits.bytes());
    let mut out = BitWriter::new();
    for _ in 0..bits.bit_len() {
        out.push_bit(input.read_bit().expect("a bit"));
    }
    out
}

/// Bits of fields, each given as value and width.
fn fields(fields: &[(u64, u32)]) -> BitWriter {
    let mut out = BitWriter::new();
    for (value, width) in fields {
        out.push_bits(*value, *width);
    }
    out
}

fn of_every_code(code: XiangqiCode) -> Vec<Vector> {
    let fail = |error, name, description, bytes: Vec<u8>| {
        Vector::failing(error, (name, description), Scheme::Code(code), bytes)
    };
    let whole = bits(code, START).into_bytes();
    let mut padded = bits(code, START);
    padded.push_bit(true);
    vec![
        fail("cut-short", "x-empty", "No bits at all", Vec::new()),
        fail(
            "cut-short",
            "x-cut-short",
            "The last byte is missing",
            whole[..whole.len() - 1].to_vec(),
        ),
        fail(
            "trailing",
            "x-padding",
            "The first bit of the padding is 1",
            padded.into_bytes(),
        ),
        fail(
            "trailing",
            "x-trailing",
            "A byte 0 after the padding",
            [whole, vec![0]].concat(),
        ),
    ]
}

/// An `xq-array` in which all pieces but these are captured.
fn array(pieces: &[(usize, u64)]) -> BitWriter {
    let mut places = [90; 32];
    for (id, place) in pieces {
        places[*id] = *place;
    }
    let places = places.map(|place| (place, 8));
    fields(&[&[(1, 1)], &places[..]].concat())
}

fn arrays() -> Vec<Vector> {
    let fail = |error, name, description, pieces: &[(usize, u64)]| {
        fails(error, name, description, Array, array(pieces))
    };
    vec![
        fail("not-a-point", "x-91", "A piece on point 91", &[(0, 91)]),
        fail(
            "two-on-point",
            "x-two-on-point",
            "Both generals on point 40",
            &[(0, 40), (16, 40)],
        ),
        fail(
            "not-canonical",
            "x-other-horse",
            "The only horse has the first ID of two",
            &[(5, 40)],
        ),
        fail(
            "not-canonical",
            "x-adviser-from-home",
            "The adviser on f1 has the ID of the one on d1",
            &[(2, 86)],
        ),
        fail(
            "not-canonical",
            "x-two-at-home",
            "Soldiers on both points of a home, which has no encoding",
            &[(11, 62), (12, 53)],
        ),
    ]
}

/// An `xq-list` of these pieces.
fn list(pieces: &[(u64, u64)]) -> BitWriter {
    let mut out = fields(&[(1, 1), (pieces.len() as u64, 6)]);
    for (id, point) in pieces {
        out.push_bits(*id, 5);
        out.push_bits(*point, 7);
    }
    out
}

fn lists() -> Vec<Vector> {
    let fail = |error, name, description, pieces: &[(u64, u64)]| {
        fails(error, name, description, List, list(pieces))
    };
    vec![
        fail("not-a-point", "x-90", "A piece on point 90", &[(0, 90)]),
        fail(
            "order",
            "x-order",
            "Black's general before Red's",
            &[(16, 4), (0, 85)],
        ),
        fail(
            "order",
            "x-repeated",
            "Red's general twice",
            &[(0, 84), (0, 85)],
        ),
        fail(
            "two-on-point",
            "x-two-on-point",
            "Both generals on point 40",
            &[(0, 40), (16, 40)],
        ),
        fail(
            "not-canonical",
            "x-other-horse",
            "The only horse has the first ID of two",
            &[(5, 40)],
        ),
        fails(
            "too-many-pieces",
            "x-33",
            "33 pieces are announced",
            List,
            fields(&[(1, 1), (33, 6), (0, 64)]),
        ),
    ]
}

/// The example with the word of Red's general replaced.
fn with_general_word(word: u64, width: u32) -> BitWriter {
    let example = bits(Prefix, EXAMPLE).into_bytes();
    let mut input = BitReader::new(&example);
    let mut out = fields(&[(input.read_bits(1).expect("a bit"), 1), (word, width)]);
    input.read_bits(3).expect("bits");
    for _ in 4..151 {
        out.push_bit(input.read_bit().expect("a bit"));
    }
    out
}

fn prefixes() -> Vec<Vector> {
    vec![
        fails(
            "two-on-point",
            "x-two-on-point",
            "Red's general on e2, as the adviser",
            Prefix,
            with_general_word(0b011, 3),
        ),
        fails(
            "not-canonical",
            "x-other-horse",
            "The only horse has the first ID of two",
            Prefix,
            other_horse(),
        ),
    ]
}

fn ranked() -> Vec<Vector> {
    let number = |bytes: &[u64]| {
        let mut out = fields(&[(1, 1), (0, 1), (bytes.len() as u64, 8)]);
        for byte in bytes {
            out.push_bits(*byte, 8);
        }
        out
    };
    let fail = |error, name, description, out| fails(error, name, description, Ranked, out);
    vec![
        fail(
            "remainder",
            "x-full-remainder",
            "All pieces on the board, and the largest number of 132 bits",
            fields(&[(1, 1), (1, 1), (u64::MAX, 64), (u64::MAX, 64), (15, 4)]),
        ),
        fail(
            "remainder",
            "x-remainder",
            "20 bytes of ones",
            number(&[255; 20]),
        ),
        fail(
            "not-canonical",
            "x-leading-zero",
            "The number 0 as a byte 0",
            number(&[0]),
        ),
        fail(
            "not-canonical",
            "x-full-by-counts",
            "The start of a game with the counts of its pieces written",
            counted_start(),
        ),
    ]
}

/// The start of a game in the form with piece counts. The counts, all of them the highest digits,
/// are folded into the number of the full form.
fn counted_start() -> BitWriter {
    let whole = bits(Ranked, START).into_bytes();
    let mut input = BitReader::new(&whole);
    input.read_bits(2).expect("bits");
    let mut number = Natural::read(132, &mut input).expect("a number");
    for base in [3, 3, 3, 3, 3, 3, 6, 6, 3, 3, 3, 3, 2, 2] {
        number.push(base - 1, base);
    }
    let bytes = number.to_le_bytes();
    let mut out = fields(&[(1, 1), (0, 1), (bytes.len() as u64, 8)]);
    for byte in bytes {
        out.push_bits(byte.into(), 8);
    }
    out
}

fn links() -> Vec<Vector> {
    let text = |out: BitWriter| BitString::from(out).to_base64().into_bytes();
    let fail = |error, name, description, bytes| {
        Vector::failing(error, (name, description), Scheme::Link, bytes)
    };
    let with = |fen, more: &[(u64, u32)]| {
        let mut out = bits(Prefix, fen);
        for (value, width) in more {
            out.push_bits(*value, *width);
        }
        text(out)
    };
    let mated = "3k5/3P5/3R5/9/9/9/9/9/9/4K4 b";
    // The start has 149 bits and 44 moves, the first of which take 5 bits. The example has 151
    // bits.
    vec![
        fail(
            "not-base64",
            "x-plus",
            "A character of plain base64",
            b"gSQ+".to_vec(),
        ),
        fail(
            "not-base64",
            "x-equals",
            "Padding of base64",
            b"gSQCLw==".to_vec(),
        ),
        fail(
            "not-base64",
            "x-last-bits",
            "Bits after the last byte",
            b"gS".to_vec(),
        ),
        fail("cut-short", "x-empty", "No text", Vec::new()),
        fail(
            "cut-short",
            "x-cut-short",
            "Three bytes of a position",
            b"gSQC".to_vec(),
        ),
        fail(
            "cut-short",
            "x-plies-cut-short",
            "The number of plies ends early",
            with(EXAMPLE, &[(0, 9)]),
        ),
        fail(
            "cut-short",
            "x-move-cut-short",
            "A ply is announced and none follows",
            with(START, &[(1, 10), (0, 1)]),
        ),
        fail(
            "padding",
            "x-padding",
            "The position is filled up with zeros",
            with(START, &[]),
        ),
        fail(
            "padding",
            "x-moves-padding",
            "The moves are filled up with zeros",
            with(START, &[(1, 10), (0, 5)]),
        ),
        fail(
            "padding",
            "x-trailing",
            "A byte of ones after the moves",
            with(START, &[(1, 10), (0, 5), (u64::MAX, 4 + 8)]),
        ),
        fail(
            "no-plies",
            "x-no-plies",
            "A history of 0 plies",
            with(START, &[(0, 10), (1, 1)]),
        ),
        fail(
            "no-legal-move",
            "x-mated",
            "A ply after mate",
            with(mated, &[(1, 10)]),
        ),
        fail(
            "two-on-point",
            "x-two-on-point",
            "Two pieces on one point",
            text(with_general_word(0b011, 3)),
        ),
        fail(
            "not-canonical",
            "x-not-canonical",
            "The only horse has the first ID of two",
            text(other_horse()),
        ),
    ]
}

/// The generals at home, and a horse of Red with ID 5, where 6 is canonical. The words of all other
/// pieces are zero.
fn other_horse() -> BitWriter {
    let before_horses = 3 + 2 * 2 + 2 * 3;
    let after_it = 5 * 6 + 5 * 5;
    let of_black = 74;
    fields(&[
        (1, 1),
        (0, before_horses),
        (1, 6),
        (0, after_it),
        (0, of_black - 64),
        (0, 64),
    ])
}
