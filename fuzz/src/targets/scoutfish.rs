//! Queries in the JSON of Scoutfish.

use super::lines::find;
use pgna::{LineScope, Query};

/// Parts of such queries, so that inputs are found that are valid and long.
const PARTS: [&str; 32] = [
    "{",
    "}",
    "[",
    "]",
    ",",
    "{\"sequence\":[",
    "{\"streak\":[",
    "]}",
    "\"stm\":",
    "\"white\"",
    "\"black\"",
    "\"sub-fen\":",
    "\"8/8/8/8/4P3/8/8/8\"",
    "\"8/8/8/8/8/2n5/8/8\"",
    "\"material\":",
    "\"KPPKP\"",
    "\"imbalance\":",
    "\"Pv\"",
    "\"vNN\"",
    "\"white-move\":",
    "\"black-move\":",
    "\"O-O\"",
    "\"e4\"",
    "\"moved\":",
    "\"captured\":",
    "\"KP\"",
    "\"\"",
    "\"result\":",
    "\"1-0\"",
    "\"result-type\":",
    "\"mate\"",
    "\"pass\":",
];

/// A valid query has the same hits with an index and without.
pub(super) fn check(input: &[u8]) {
    let text = match input.split_first() {
        Some((0, bytes)) => {
            let parts = bytes
                .iter()
                .filter_map(|byte| PARTS.get(usize::from(byte % 32)));
            parts.copied().collect()
        }
        _ => String::from_utf8_lossy(input).into_owned(),
    };
    let Ok(mut query) = Query::from_scoutfish(&text) else {
        return;
    };
    let found = find(&query);
    query.uses_indexes = false;
    assert_eq!(find(&query), found);
    query.scope = LineScope::AnyLine;
    assert!(find(&query).len() >= found.len());
}
