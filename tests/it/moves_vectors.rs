//! Test vectors of the move codecs, and the worked examples of `spec/moves.md`.

mod craft;
mod faults;
mod given;
mod given_faults;
mod huffman;
mod model;
mod names;
mod vector;

use std::collections::BTreeSet;

use pgna::Codec;
use vector::{Expected, Vector};

const SPEC: &str = include_str!("../../spec/moves.md");

fn made() -> Vec<Vector> {
    let mut made = huffman::all();
    made.extend(given::all());
    made.extend(given_faults::all());
    made.extend(model::all());
    made
}

#[test]
fn vectors_decode_as_stored() {
    let stored = vector::stored();
    assert!(stored.len() > 40);
    stored.iter().for_each(Vector::check);
}

#[test]
fn stored_vectors_match_the_generator() {
    let mut made = made();
    made.sort_by_key(Vector::key);
    let stored = vector::stored();
    let names = |vectors: &[Vector]| vectors.iter().map(Vector::key).collect::<Vec<_>>();
    assert_eq!(names(&stored), names(&made));
    for (stored, made) in stored.iter().zip(&made) {
        assert_eq!(stored.bytes, made.bytes, "{}", made.name);
        assert_eq!(stored.to_json(), made.to_json(), "{}", made.name);
    }
}

#[test]
#[ignore = "writes tests/vectors"]
fn write_vectors() {
    made().iter().for_each(Vector::write);
}

/// The failing vectors cover exactly the errors in the table of the specification.
#[test]
fn every_error_has_a_vector() {
    let (_, table) = SPEC.split_once("## Errors").expect("a section");
    let listed: BTreeSet<&str> = table
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split_once('`'))
        .map(|(name, _)| name)
        .collect();
    let stored = vector::stored();
    let failing = stored.iter().filter_map(|vector| match &vector.expected {
        Expected::Error(name) => Some(name.as_str()),
        Expected::Line(..) | Expected::Game(..) => None,
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
    let text: String = block.map(|line| &line[..24]).collect();
    craft::bits(&text)
}

#[test]
fn worked_examples_match_to_the_bit() {
    let stored = vector::stored();
    for (heading, codec, name) in [
        (
            "### Example: start elided",
            Codec::HuffmanElided,
            "elided-short",
        ),
        (
            "### Example: start written",
            Codec::Huffman,
            "written-two-queens",
        ),
        (
            "### Example: numbers, start elided",
            Codec::HuffmanIndexElided,
            "elided-short",
        ),
        (
            "### Example: numbers, start written",
            Codec::HuffmanIndex,
            "written-two-queens",
        ),
        ("### Example: radix", Codec::Radix, "short"),
        ("### Example: radix-end", Codec::RadixEnd, "resigned"),
        ("### Example: squares", Codec::Squares, "promotion"),
        ("### Example: san", Codec::San, "short"),
    ] {
        let is_named = |v: &&Vector| v.name == name && v.coding == codec.into();
        let vector = stored.iter().find(is_named).expect("a vector");
        assert_eq!(example(heading), vector.bytes, "{heading}");
    }
}
