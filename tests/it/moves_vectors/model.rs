//! Generator of the vectors of `model`, for each level.

use pgna::internals::moves::Ratings;
use pgna::{BuiltinModel, Codec};

use super::given::{FOUR_PLIES, WHITE};
use super::given_faults::shape_faults;
use super::huffman::{RULES, SHORT, STANDARD, random_game};
use super::vector::{Coding, Vector};

/// All vectors.
pub(crate) fn all() -> Vec<Vector> {
    BuiltinModel::ALL.into_iter().flat_map(of_level).collect()
}

/// The vectors of a level. Their names begin with the name of the level.
fn of_level(level: BuiltinModel) -> Vec<Vector> {
    let coding = Coding::model(level);
    let mut all = passing(coding);
    all.extend(faults(coding));
    all.extend(shape_faults(coding, None));
    for vector in &mut all {
        vector.name = format!("{}-{}", level.level(), vector.name);
    }
    all
}

fn passing(coding: Coding) -> Vec<Vector> {
    let of = |about, setup, plies: &str| Vector::given(about, coding, setup, plies, None);
    let standard = (STANDARD, "chess");
    let mut all = vec![
        of(("empty", "No plies"), standard, ""),
        of(("six-plies", "Captures"), standard, SHORT),
        of(
            ("rules", "En passant, promotion, castling"),
            standard,
            RULES,
        ),
        of(
            ("null", "Null moves are not in the bits"),
            standard,
            "-- -- d2d4 -- -- d7d5",
        ),
        of(
            ("promotion", "A promotion from a set-up"),
            ("7k/1P6/8/8/8/8/Q1Q5/2K5 w - - 0 40", "chess"),
            "b7b8n h8g7",
        ),
        of(
            ("forced", "The only legal move is not in the bits"),
            ("7k/8/8/8/8/8/6q1/7K w - - 0 1", "chess"),
            "h1g2 h8g7",
        ),
        of(
            (
                "chess960",
                "Castling onto the rook, and the king's step there",
            ),
            ("5k1r/8/8/8/8/8/8/5K1R w Hh - 0 1", "chess960"),
            "f1h1 f8g8",
        ),
        of(
            (
                "chess960-beside",
                "Castling where the king stands beside the rook, and attacks it",
            ),
            ("rk6/8/8/8/8/8/8/2KR4 w Da - 0 1", "chess960"),
            "c1d1 b8a8",
        ),
        of(
            ("long", "400 plies of a game played at random"),
            standard,
            &random_game(STANDARD),
        ),
    ];
    let mut context = of(
        ("context", "Ratings and result of the game are known"),
        standard,
        FOUR_PLIES,
    );
    context.ratings = Ratings {
        white: Some(2500),
        black: Some(900),
    };
    context.result = Some(WHITE);
    context.encode();
    all.push(context);
    all
}

fn faults(coding: Coding) -> Vec<Vector> {
    let of = |about, plies: &str| Vector::given(about, coding, (STANDARD, "chess"), plies, None);
    let variant = Vector::given(
        ("x-variant", "Models know no rules but those of chess"),
        Codec::Radix,
        (STANDARD, "crazyhouse"),
        FOUR_PLIES,
        None,
    );
    let stalemate = Vector::given(
        ("x-no-legal-move", "A ply after stalemate"),
        coding,
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "chess"),
        "",
        None,
    );
    vec![
        stalemate.broken("no-legal-move", |vector| vector.plies = 1),
        of(("x-zero", "A byte of zeros follows"), FOUR_PLIES)
            .broken("not-shortest", |vector| vector.bytes.push(0)),
        of(("x-trailing", "Many bytes follow"), FOUR_PLIES)
            .broken("trailing", |vector| vector.bytes.extend([1; 16])),
        of(("x-no-symbol", "A number above all shares"), FOUR_PLIES)
            .broken("no-symbol", |vector| vector.bytes = vec![0xff; 8]),
        variant.broken("not-chess", |vector| vector.coding = coding),
    ]
}
