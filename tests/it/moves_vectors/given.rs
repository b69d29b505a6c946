//! Generator of the passing vectors of the codecs that are given the start position.

use pgna::Codec::{self, Radix, RadixEnd, San, Squares};
use pgna::internals::chess::{Color, Outcome};

use super::huffman::{RULES, SHORT, STANDARD, random_game};
use super::vector::Vector;

/// 1. e4 e5 2. Nf3 f6.
pub(crate) const FOUR_PLIES: &str = "e2e4 e7e5 g1f3 f7f6";
/// Fool's mate.
pub(crate) const MATE: &str = "f2f3 e7e5 g2g4 d8h4";
/// Sam Loyd's stalemate in 19 plies.
const STALEMATE: &str = "e2e3 a7a5 d1h5 a8a6 h5a5 h7h5 h2h4 a6h6 a5c7 f7f6 c7d7 e8f7 d7b7 d8d3 \
                         b7b8 d3h7 b8c8 f7g6 c8e6";
pub(crate) const WHITE: Outcome = Outcome::Decisive {
    winner: Color::White,
};
pub(crate) const BLACK: Outcome = Outcome::Decisive {
    winner: Color::Black,
};

/// Lines that every codec can code: name and description, FEN and variant, plies.
const LINES: [(&str, &str, (&str, &str), &str); 14] = [
    ("empty", "No plies", (STANDARD, "chess"), ""),
    (
        "short",
        "The worked example",
        (STANDARD, "chess"),
        FOUR_PLIES,
    ),
    ("six-plies", "Captures", (STANDARD, "chess"), SHORT),
    (
        "rules",
        "En passant, promotion, castling",
        (STANDARD, "chess"),
        RULES,
    ),
    (
        "null",
        "Null moves are not in the bits",
        (STANDARD, "chess"),
        "-- -- d2d4 -- -- d7d5",
    ),
    (
        "promotion",
        "A promotion, and a second knight that must be distinguished from the first",
        ("7k/1P6/8/8/8/8/Q1Q5/2K5 w - - 0 40", "chess"),
        "b7b8n h8g7",
    ),
    (
        "black-to-move",
        "Black moves first; the squares of Black count from h8",
        (
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
            "chess",
        ),
        "g8h6 g1f3 a7a5",
    ),
    (
        "chess960",
        "Castling onto the rook, and the king's step to the same square",
        ("5k1r/8/8/8/8/8/8/5K1R w Hh - 0 1", "chess960"),
        "f1h1 f8g8",
    ),
    (
        "chess960-stays",
        "Castling by a king that stays",
        ("6k1/8/8/8/8/8/8/6KR w H - 0 1", "chess960"),
        "g1h1 g8g7",
    ),
    (
        "atomic",
        "An explosion that wins",
        (STANDARD, "atomic"),
        "g1f3 a7a6 f3e5 a6a5 e5d7",
    ),
    (
        "antichess",
        "A capture is forced",
        (STANDARD, "antichess"),
        "b2b4 e7e6 a2a3 f8b4 a3b4",
    ),
    (
        "kingofthehill",
        "The king arrives",
        ("4k3/8/8/8/8/4K3/8/8 w - - 0 1", "kingofthehill"),
        "e3e4",
    ),
    (
        "threecheck",
        "The last check wins",
        ("4k3/8/8/8/8/8/8/R3K3 w - - 1+3 0 1", "threecheck"),
        "a1a8",
    ),
    (
        "racingkings",
        "Both kings run",
        ("8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1", "racingkings"),
        "h2h3 a2a3",
    ),
];

/// All vectors.
pub(crate) fn all() -> Vec<Vector> {
    let mut all = endings();
    for codec in [Radix, Squares, San] {
        let vector = |(name, description, setup, plies)| {
            Vector::given((name, description), codec, setup, plies, None)
        };
        all.extend(LINES.map(vector));
        all.push(long(codec));
    }
    for codec in [Radix, San] {
        all.extend(beyond_squares(codec));
    }
    all.push(shuffle(Radix, 1024, None));
    all.push(shuffle(Radix, 1025, None));
    all
}

/// Lines that `squares` cannot represent.
fn beyond_squares(codec: Codec) -> [Vector; 2] {
    let crazyhouse = ("4k3/8/8/8/8/8/P7/4K3[QNpp] b - - 0 1", "crazyhouse");
    let antichess = ("8/P7/8/8/8/7k/8/8 w - - 0 1", "antichess");
    let of = |about, setup, plies| Vector::given(about, codec, setup, plies, None);
    [
        of(
            ("crazyhouse", "Drops come after all moves on the board"),
            crazyhouse,
            "P@h7 Q@a8",
        ),
        of(
            ("king-promotion", "A pawn becomes a king"),
            antichess,
            "a7a8k h3h2",
        ),
    ]
}

fn long(codec: Codec) -> Vector {
    let about = ("long", "400 plies of a game played at random");
    let plies = random_game(STANDARD);
    Vector::given(about, codec, (STANDARD, "chess"), &plies, None)
}

/// A line in which the kings step to and fro.
pub(crate) fn shuffle(codec: Codec, plies: usize, result: Option<Outcome>) -> Vector {
    let round = ["e1e2", "e8e7", "e2e1", "e7e8"];
    let texts: Vec<&str> = round.into_iter().cycle().take(plies).collect();
    let name = format!("shuffle-{plies}");
    let about = (name.as_str(), "A line at the edge of its first number");
    let setup = ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "chess");
    Vector::given(about, codec, setup, &texts.join(" "), result)
}

fn endings() -> Vec<Vector> {
    let ended = |name, description, setup, plies, result| {
        Vector::given((name, description), RadixEnd, setup, plies, Some(result))
    };
    let standard = (STANDARD, "chess");
    vec![
        ended(
            "resigned",
            "The worked example: White resigns",
            standard,
            FOUR_PLIES,
            BLACK,
        ),
        ended(
            "agreed",
            "A draw is agreed",
            standard,
            FOUR_PLIES,
            Outcome::Draw,
        ),
        ended("mate", "Black mates", standard, MATE, BLACK),
        ended("stalemate", "Stalemate", standard, STALEMATE, Outcome::Draw),
        ended(
            "at-once",
            "White resigns without a move",
            standard,
            "",
            BLACK,
        ),
        ended(
            "null",
            "Null moves are given",
            standard,
            "-- e7e5 d2d4 --",
            BLACK,
        ),
        ended(
            "kingofthehill",
            "The end by a variant's rule is not coded",
            ("4k3/8/8/8/8/4K3/8/8 w - - 0 1", "kingofthehill"),
            "e3e4",
            WHITE,
        ),
        ended(
            "crazyhouse",
            "Drops count among the legal moves",
            ("4k3/8/8/8/8/8/P7/4K3[QNpp] b - - 0 1", "crazyhouse"),
            "P@h7 Q@a8",
            WHITE,
        ),
        shuffle(RadixEnd, 1023, Some(Outcome::Draw)),
        shuffle(RadixEnd, 1024, Some(Outcome::Draw)),
    ]
}
