//! Generator of the passing vectors.

use pgna::internals::xiangqi::{Link, XiangqiCode};

use super::vector::{Vector, position};

pub(crate) const START: &str =
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

/// The position of the worked examples.
pub(crate) const EXAMPLE: &str = "3k3n1/9/9/P8/9/9/9/9/4A4/4K4 w - - 0 1";

const LONGEST: &str = "PPPPP4/4a4/3ak4/NNRRCC3/9/9/3ccrrnn/4KA3/4A4/4ppppp b - - 0 1";
const NO_GENERALS: &str = "r8/9/9/9/9/9/9/9/9/8R b - - 0 1";
const EMPTY: &str = "9/9/9/9/9/9/9/9/9/9 w - - 0 1";
const FACING: &str = "4k4/9/9/9/9/9/9/9/9/4K4 b - - 0 1";
const ODD_SOLDIER: &str = "4k4/9/9/9/9/9/9/9/1P7/3K5 w - - 0 1";
const SOLDIERS_AT_HOME: &str = "3k5/9/9/9/9/P8/P8/9/9/4K4 w - - 0 1";

pub(crate) fn all() -> Vec<Vector> {
    let mut all: Vec<Vector> = XiangqiCode::ALL.into_iter().flat_map(of_code).collect();
    all.extend(links());
    all
}

fn of_code(code: XiangqiCode) -> Vec<Vector> {
    let make = |name, description, fen| Vector::position(name, description, code, fen);
    let mut all = vec![
        make("start", "The start of a game: all 32 pieces", START),
        make("example", "The worked example", EXAMPLE),
        make("longest", "All pieces at places with long words", LONGEST),
        make(
            "no-generals",
            "One chariot each, and no generals",
            NO_GENERALS,
        ),
        make("empty", "No pieces", EMPTY),
        make("facing", "The generals face each other", FACING),
    ];
    if matches!(code, XiangqiCode::Array | XiangqiCode::List) {
        let about = "A soldier on its own side of its start, where none can come";
        all.push(make("odd-soldier", about, ODD_SOLDIER));
    }
    if code == XiangqiCode::Ranked {
        let about = "Two soldiers on one file before the river";
        all.push(make("soldiers-at-home", about, SOLDIERS_AT_HOME));
    }
    all
}

fn links() -> Vec<Vector> {
    let make = |name, description, fen, moves: &str| {
        let moves: Vec<String> = moves.split_whitespace().map(String::from).collect();
        Vector::link(name, description, fen, &moves)
    };
    vec![
        make("start", "The start of a game, without moves", START, ""),
        make("example", "The worked example", EXAMPLE, "a7b7 h10g8"),
        make("opening", "Two plies of a game", START, "h3e3 h10g8"),
        make(
            "forced",
            "A move that is the only one, and takes no bits",
            "3k5/9/9/9/9/9/9/9/8r/4K4 w - - 0 1",
            "e1f1 d10d9",
        ),
        make(
            "no-generals",
            "Moves without generals",
            NO_GENERALS,
            "a10a1 i1a1",
        ),
        Vector::link(
            "plies-1023",
            "As many plies as a link can hold",
            START,
            &shuffle(),
        ),
        Vector {
            bytes: b"gSQCL5P5oIDhCFJCIBJ4eQCAkX8".to_vec(),
            ..make(
                "as-it-was",
                "A link of the scheme's older use",
                "rnbakabnr/7R1/9/C8/2p1P3p/6p2/PcP5P/1C7/9/RNBAKcB2 w - - 0 1",
                "",
            )
        },
    ]
}

/// A game of 1,023 plies in which horses step to and fro.
fn shuffle() -> Vec<String> {
    let round = ["h1g3", "h10g8", "g3h1", "g8h10"];
    let moves: Vec<String> = round
        .into_iter()
        .cycle()
        .take(1023)
        .map(String::from)
        .collect();
    let mut link = Link::new(position(START));
    for text in &moves {
        link.play(text.parse().unwrap()).unwrap();
    }
    assert!(link.encode().is_ok());
    moves
}
