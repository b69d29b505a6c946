//! Test vectors of the codes of Xiangqi positions and of share links, and the worked examples of
//! `docs/xiangqi.md`.

mod faults;
mod passing;
mod vector;

use std::collections::BTreeSet;

use pgna::internals::bits::BitWriter;
use pgna::internals::codec::uniform::UniformCode;
use pgna::internals::xiangqi::{Link, XiangqiCode};
use vector::{Expected, Scheme, Vector};

const SPEC: &str = include_str!("../../docs/xiangqi.md");

fn made() -> Vec<Vector> {
    let mut made = passing::all();
    made.extend(faults::all());
    made.sort_by_key(Vector::key);
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
    let (stored, made) = (vector::stored(), made());
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
    let (_, section) = SPEC.split_once("## Errors").expect("a section");
    let (table, _) = section.split_once("\n## ").expect("a next section");
    let rows = table.lines().filter_map(|line| line.strip_prefix("| `"));
    let listed: BTreeSet<&str> = rows.map(|row| row.split('`').next().unwrap()).collect();
    let stored = vector::stored();
    let failing = stored.iter().filter_map(|vector| match &vector.expected {
        Expected::Error(name) => Some(name.as_str()),
        Expected::Position(_) | Expected::Game(..) => None,
    });
    assert_eq!(listed, failing.collect());
}

/// The lines of the worked example under a heading.
fn example(heading: &str) -> Vec<&str> {
    let (_, section) = SPEC
        .split_once(&format!("{heading}\n"))
        .expect("an example");
    let lines = section.lines().skip_while(|line| !line.starts_with("    "));
    let block = lines.take_while(|line| line.starts_with("    "));
    block.map(str::trim).collect()
}

/// The bytes of a worked example: the bits before two spaces in each line.
fn example_bytes(heading: &str) -> Vec<u8> {
    let mut out = BitWriter::new();
    for line in example(heading) {
        let bits = line.split("  ").next().unwrap();
        for bit in bits.chars().filter(|c| !c.is_whitespace()) {
            out.push_bit(bit == '1');
        }
    }
    out.into_bytes()
}

#[test]
fn worked_examples_match_to_the_bit() {
    let stored = vector::stored();
    let vector = |scheme: Scheme| {
        let is_named = |v: &&Vector| v.name == "example" && v.scheme == scheme;
        stored.iter().find(is_named).expect("a vector")
    };
    let fen = example("## Examples").concat();
    for code in XiangqiCode::ALL {
        let heading = format!("### Example: {}", code.name());
        let vector = vector(Scheme::Code(code));
        assert_eq!(example_bytes(&heading), vector.bytes, "{heading}");
        assert_eq!(vector.expected, Expected::Position(fen.clone()));
    }
    let text = String::from_utf8(vector(Scheme::Link).bytes.clone()).unwrap();
    assert!(SPEC.contains(&format!("bytes: `{text}`. Without")));
    let bytes = pgna::internals::bits::from_base64(&text).expect("base64");
    assert_eq!(example_bytes("### Example: xq-link"), bytes);
}

#[test]
fn links_match_the_spec() {
    let text = |fen: &str| {
        let link = Link::new(vector::position(fen));
        link.encode().expect("a link")
    };
    let start = text(passing::START);
    assert!(SPEC.contains(&format!("without plies is `{start}`")));
    let small = text(passing::EXAMPLE);
    assert!(SPEC.contains(&format!("Without the plies the link is `{small}`")));
    let old = example("### Example: a link as it was").concat();
    assert_eq!(text(&old), "gSQCL5P5oIDhCFJCIBJ4eQCAkX8");
}

#[test]
fn uniform_words_match_the_spec() {
    let (_, section) = SPEC.split_once("### Uniform words").expect("a section");
    let (_, table) = section.split_once("| n | i |").expect("a table");
    let rows = table.lines().skip(2).take_while(|line| !line.is_empty());
    let mut count = 0;
    for row in rows {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let (symbols, symbol) = (cells[1].parse().unwrap(), cells[2].parse().unwrap());
        for (code, cell) in [
            (UniformCode::Phased, cells[3]),
            (UniformCode::Truncated, cells[4]),
        ] {
            let bits = u32::try_from(cell.len()).unwrap();
            let word = u32::from_str_radix(cell, 2).unwrap();
            assert_eq!(code.word(symbol, symbols), Some((word, bits)), "{row}");
        }
        count += 1;
    }
    assert_eq!(count, 18);
}
