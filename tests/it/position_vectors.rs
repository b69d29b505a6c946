//! Test vectors of the position codes, and the worked examples of `spec/positions.md`.

mod faults;
mod vector;

use std::collections::BTreeSet;

use pgna::internals::chess::{ChessPosition, PlyKind, Setup};
use pgna::internals::position::{PositionCode, encode_line};
use vector::{Expected, Vector, bits};

const SPEC: &str = include_str!("../../spec/positions.md");

/// Named positions. A code that cannot represent one has no vector of it.
const POSITIONS: [(&str, &str); 17] = [
    (
        "start",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    ),
    (
        "e4",
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
    ),
    (
        "e4-idle-square",
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
    ),
    (
        "en-passant",
        "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
    ),
    ("kings", "4k3/8/8/8/8/8/8/4K3 b - - 0 1"),
    ("some-rights", "r3k2r/8/8/3pP3/8/8/8/R3K2R w Kq d6 0 17"),
    ("chess960", "1rk3r1/pp4pp/8/8/8/8/PP4PP/1RK3R1 b KQkq - 0 1"),
    ("inner-rook", "4k3/8/8/8/8/8/8/RRK5 w B - 0 1"),
    ("nine-queens", "4k3/8/8/8/QQQQ4/QQQQQ3/8/4K3 w - - 0 1"),
    ("ten-knights", "4k3/8/8/8/NNNN4/NNNNNN2/8/4K3 w - - 0 1"),
    (
        "sixteen-promotions",
        "rqqqkqqr/qqq5/8/8/NNNN4/NN6/8/RNBQKBNR w - - 0 90",
    ),
    (
        "sixteen-officers",
        "4k3/8/8/8/QQQQ4/QQQQ4/RRRRNNNN/4K3 w - - 0 1",
    ),
    ("nine-pawns", "4k3/pppppppp/p7/8/8/8/8/4K3 w - - 0 1"),
    ("no-king", "8/8/8/8/8/8/8/R7 w - - 0 1"),
    ("square-without-pawn", "4k3/8/8/8/8/8/8/4K3 w - d6 0 17"),
    ("counters", "8/p7/1p2k3/8/8/3K4/P7/8 b - - 99 300"),
    (
        "largest-counters",
        "8/p7/1p2k3/8/8/3K4/P7/8 b - - 255 65535",
    ),
];

fn made() -> Vec<Vector> {
    let mut made = Vec::new();
    for (name, fen) in POSITIONS {
        let setup = Setup::from_fen(fen.as_bytes()).expect("a FEN");
        for code in PositionCode::ALL {
            if let Ok(encoded) = code.encode(&setup) {
                made.push(Vector::passing(code, name, fen, &encoded));
            }
        }
    }
    made.push(castled_game());
    made.extend(faults::all());
    made.sort_by_key(Vector::key);
    made
}

/// A game too long for the encoder to find by search.
fn castled_game() -> Vector {
    let (plies, position) = played(&["e2e4", "e7e5", "g1f3", "g8f6", "f1c4", "f8c5", "e1g1"]);
    let encoded = encode_line(&plies).expect("a game");
    Vector::passing(PositionCode::Game, "castled", &position.fen(), &encoded)
}

/// The plies of these texts, and the position after them.
fn played(texts: &[&str]) -> (Vec<PlyKind>, ChessPosition) {
    let mut position = ChessPosition::standard();
    let mut plies = Vec::new();
    for text in texts {
        let ply = PlyKind::Move {
            from: text[..2].parse().expect("a square"),
            to: text[2..].parse().expect("a square"),
            promotion: None,
        };
        position.make(ply).expect("legal");
        plies.push(ply);
    }
    (plies, position)
}

#[test]
fn vectors_decode_as_stored() {
    let stored = vector::stored();
    assert!(stored.len() > 100);
    stored.iter().for_each(Vector::check);
}

#[test]
fn stored_vectors_match_the_generator() {
    assert_eq!(vector::stored(), made());
}

#[test]
#[ignore = "writes tests/vectors"]
fn write_vectors() {
    vector::write(&made());
}

/// The failing vectors cover exactly the errors in the table of the specification.
#[test]
fn every_error_has_a_vector() {
    let (_, table) = SPEC.split_once("## Errors").expect("a section");
    let listed: BTreeSet<String> = table
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split_once('`'))
        .map(|(name, _)| name.to_owned())
        .collect();
    let stored = vector::stored().into_iter();
    let failing = stored.filter_map(|vector| match vector.expected {
        Expected::Error(name) => Some(name),
        Expected::Position(_) => None,
    });
    assert_eq!(listed, failing.collect());
}

/// The bits of a worked example, from the first column of its block.
fn example(heading: &str) -> Vec<u8> {
    let (_, section) = SPEC
        .split_once(&format!("{heading}\n"))
        .expect("an example");
    let lines = section.lines().skip_while(|line| !line.starts_with("    "));
    let block = lines.take_while(|line| line.starts_with("    "));
    let text: String = block.map(|line| line.get(..44).unwrap_or(line)).collect();
    bits(&text)
}

#[test]
fn worked_examples_match_to_the_bit() {
    let stored = vector::stored();
    for code in PositionCode::ALL {
        let is_named = |v: &&Vector| v.name == "some-rights" && v.code == code;
        let is_e4 = |v: &&Vector| v.name == "e4-idle-square" && v.code == code;
        let named = stored
            .iter()
            .find(is_named)
            .or_else(|| stored.iter().find(is_e4));
        let heading = format!("### Example: {}", code.name());
        assert_eq!(
            example(&heading),
            named.expect("a vector").bytes,
            "{heading}"
        );
    }
}
