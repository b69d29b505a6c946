//! Expressions on positions, as text, asked of an archive.

use super::lines::{GAMES, find};
use pgna::{LineScope, Place, PositionTest, Query};

/// Words of the language, so that expressions are found that are valid and long.
const WORDS: [&str; 64] = [
    "(",
    ")",
    "and",
    "or",
    "not",
    "ever",
    "then",
    "within",
    "for",
    "1",
    "2",
    "3",
    "7",
    "any",
    "end",
    "check",
    "mate",
    "stalemate",
    "opposite",
    "bishops",
    "castled",
    "white",
    "black",
    "short",
    "long",
    "same",
    "repeated",
    "turn",
    "isolated",
    "doubled",
    "passed",
    "backward",
    "attacked",
    "by",
    "pinned",
    "open",
    "half-open",
    "a",
    "A",
    "P",
    "p",
    "[Pp]",
    "Pd",
    "p7",
    "N",
    "Nd4-5",
    "[QRqr]",
    "K[e1,g1]",
    "d",
    "a-h",
    "=",
    ">=",
    "<",
    "plays",
    "Nf3",
    "O-O",
    "e4",
    "moves",
    "to",
    "takes",
    "imbalance Pv",
    "material KP+kp+",
    "pattern 'Pe4 .e2'",
    "pieces 8/8/8/8/8/8/8/8",
];

/// The text of an input: as it is, or words that its bytes choose.
fn text(input: &[u8]) -> String {
    match input.split_first() {
        Some((0, bytes)) => {
            let words = bytes
                .iter()
                .filter_map(|byte| WORDS.get(usize::from(byte % 64)));
            words.copied().collect::<Vec<_>>().join(" ")
        }
        _ => String::from_utf8_lossy(input).into_owned(),
    }
}

fn query(test: PositionTest) -> Query {
    Query {
        filter: Some("variant?".parse().unwrap()),
        positions: vec![test],
        ..Query::default()
    }
}

/// An error is in the text. A valid expression has the same hits with an index and without, the same games
/// without their places, and the same hits twice flipped and twice negated; either it or its negation holds where a game begins.
pub(super) fn check(input: &[u8]) {
    let text = text(input);
    let test: PositionTest = match text.parse() {
        Ok(test) => test,
        Err(error) => {
            let error: pgna::SyntaxError = error;
            assert!(error.at <= text.chars().count());
            return;
        }
    };
    let mut sought = query(test.clone());
    let found = find(&sought);
    sought.places = false;
    let numbers = |found: &[(u64, Option<Place>)]| -> Vec<u64> {
        found.iter().map(|(number, _)| *number).collect()
    };
    assert_eq!(numbers(&find(&sought)), numbers(&found));
    sought.places = true;
    sought.uses_indexes = false;
    assert_eq!(find(&sought), found);
    assert_eq!(find(&query(test.flipped().flipped())), found);
    let no: Result<PositionTest, _> = format!("not ({text})").parse();
    // The parentheses may nest too deep.
    let Ok(no) = no else { return };
    let either = find(&query(PositionTest::any([test, no])));
    let at_start = (1..=GAMES).map(|number| (number, Some(Place::Ply(0))));
    assert_eq!(either, at_start.collect::<Vec<_>>());
    sought.scope = LineScope::AnyLine;
    assert!(find(&sought).len() >= found.len());
}
