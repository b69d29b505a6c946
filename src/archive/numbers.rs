//! The sizes and bounds of the archive equal those of the registry.

use crate::annotation::{
    MAX_FIELDS, MAX_LITERAL_BYTES, MAX_PATTERN_MARKS, MAX_PATTERNS, MAX_SLOTS, MAX_TEMPLATES,
};
use crate::archive::block::back_references::MAX_BACK_REFERENCES;
use crate::archive::block::stream::MAX_OPEN;
use crate::archive::block::{
    MAX_BLOCK_RECORDS, MAX_STRING_BYTES_OVER_TEXT, MAX_STRING_BYTES_PER_TEXT_BYTE,
};
use crate::archive::fs::names::MAX_NAME_BYTES;
use crate::archive::tables::names::MAX_NAMES;
use crate::archive::tables::rosters::MAX_ROSTERS;
use crate::codec::dictionary::{MAX_PAGE_STRINGS, PAGE_BYTES};
use crate::pgn::{
    MAX_LAYOUTS, MAX_NODES, MAX_PIECES, MAX_RECORD_BYTES, MAX_TAGS, MAX_TEMPLATE_BYTES,
};
use crate::testing::registry_numbers;

const NUMBERS: &[(&str, u64)] = &[
    ("records a block, most", MAX_BLOCK_RECORDS as u64),
    ("layouts a segment, most", MAX_LAYOUTS as u64),
    ("tag pairs a record, most", MAX_TAGS as u64),
    ("tag names a segment, most", MAX_NAMES as u64),
    ("rosters a segment, most", MAX_ROSTERS as u64),
    ("nodes a movetext, most", MAX_NODES as u64),
    ("pieces a patch, most", MAX_PIECES as u64),
    ("template, most", MAX_TEMPLATE_BYTES as u64),
    (
        "strings of a block for each byte of text, most",
        MAX_STRING_BYTES_PER_TEXT_BYTE,
    ),
    (
        "strings of a block beyond its text, most",
        MAX_STRING_BYTES_OVER_TEXT,
    ),
    ("record, most", MAX_RECORD_BYTES as u64),
    ("strings a dictionary page, most", MAX_PAGE_STRINGS as u64),
    (
        "strings of a dictionary page together, most",
        PAGE_BYTES as u64,
    ),
    ("source name, most", MAX_NAME_BYTES as u64),
    ("variations open in a stream, most", MAX_OPEN as u64),
    ("templates of comments, most", MAX_TEMPLATES as u64),
    ("fields of a template of comments, most", MAX_FIELDS as u64),
    (
        "text of a template of comments, most",
        MAX_LITERAL_BYTES as u64,
    ),
    ("patterns of marks, most", MAX_PATTERNS as u64),
    ("marks of a pattern, most", MAX_PATTERN_MARKS as u64),
    ("slots of numbers, most", MAX_SLOTS as u64),
    (
        "back-references in a value, most",
        MAX_BACK_REFERENCES as u64,
    ),
];

#[test]
fn numbers_are_those_of_the_registry() {
    assert_eq!(registry_numbers("Numbers of the archive"), NUMBERS);
}
