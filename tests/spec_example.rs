//! The worked example of `spec/pgn.md` and `spec/archive.md` is what the code
//! makes of the record, and gives the record back.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "tests may fail loudly"
)]

use pgna::archive::registry::{LAYOUTS, ROSTERS, TAG_NAMES};
use pgna::archive::{Archive, PackOptions, Writer};
use pgna::bits::ByteReader;
use pgna::container::{Bytes, Container};
use pgna::limits::Limits;
use pgna::moves::Codec;
use pgna::pgn::{
    Layout, Learner, Lexeme, Mark, Node, Patch, Scanner, encode, parse, read_shape, render,
    write_shape,
};

const PGN: &str = include_str!("../spec/pgn.md");
const ARCHIVE: &str = include_str!("../spec/archive.md");

const RECORD: &str = r#"[White "Greco"]
[Black "NN"]

1. e4 e5 2. Ng1f3 Nc6 {Two knights} 3. Bc4
Bc5 5. 0-0 Nf6 1-0
"#;

/// The bytes that a document shows in its line "`name`: hex bytes".
fn shown(spec: &str, name: &str) -> Vec<u8> {
    let marker = format!("`{name}`: ");
    let line = spec.lines().find_map(|line| line.strip_prefix(&marker));
    let digits = line.unwrap_or_else(|| panic!("no line {marker}"));
    let byte = |digits| u8::from_str_radix(digits, 16).unwrap();
    digits.split_whitespace().map(byte).collect()
}

fn assert_shown(spec: &str, name: &str, bytes: &[u8]) {
    let hex: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(shown(spec, name), bytes, "`{name}`: {}", hex.join(" "));
}

#[test]
fn the_record_is_shown() {
    let indented: Vec<String> = RECORD
        .lines()
        .map(|line| format!("    {line}").trim_end().to_owned())
        .collect();
    assert!(PGN.contains(&indented.join("\n")));
}

#[test]
fn the_example_is_what_the_writer_makes_of_it() {
    let record = RECORD.as_bytes();
    let lexemes: Vec<Lexeme> = Scanner::new(record).collect();
    let parsed = parse(record, &lexemes);
    assert_eq!(parsed.rest, None);
    let mut learner = Learner::default();
    let group = learner.observe(record, &lexemes);
    let learned = learner.finish();
    assert_eq!(learned.layout_of(group), Some(0));
    let mut layout = Vec::new();
    learned.layouts[0].write(&mut layout);
    assert_shown(PGN, "layout", &layout);
    let encoded = encode(record, &parsed, &learned.layouts[0]).unwrap();
    let mut patch = Vec::new();
    encoded.patch.write(&mut patch);
    assert_shown(PGN, "patch", &patch);
    let mut shape = Vec::new();
    let (plies, marks) = marks(&encoded.tree.nodes);
    write_shape(plies, &marks, &mut shape);
    assert_shown(PGN, "shape", &shape);
}

/// The number of plies, and the marks before the result.
fn marks(nodes: &[Node<'_>]) -> (usize, Vec<(usize, Mark)>) {
    let (last, nodes) = nodes.split_last().unwrap();
    assert_eq!(*last, Node::Result(0));
    let mut plies = 0;
    let mut marks = Vec::new();
    for node in nodes {
        marks.extend(Mark::of(node).map(|mark| (plies, mark)));
        plies += usize::from(matches!(node, Node::Ply(..)));
    }
    (plies, marks)
}

#[test]
fn the_bytes_shown_give_the_record() {
    let record = RECORD.as_bytes();
    let lexemes: Vec<Lexeme> = Scanner::new(record).collect();
    let tree = parse(record, &lexemes).tree;
    let layout = shown(PGN, "layout");
    let layout = Layout::read(&mut ByteReader::new(&layout))
        .unwrap()
        .unwrap();
    let patch = shown(PGN, "patch");
    let patch = Patch::read(&patch).unwrap();
    let text = render(&tree, &layout, &patch, record.len()).unwrap();
    assert_eq!(String::from_utf8(text).unwrap(), RECORD);
    assert_eq!(
        read_shape(&shown(PGN, "shape"), 8, 1),
        Ok(vec![(4, Mark::Comment)])
    );
}

#[test]
fn the_archive_of_the_record_is_shown() {
    let options = PackOptions {
        codecs: vec![Codec::HuffmanElided],
        ..PackOptions::default()
    };
    let mut writer = Writer::new(Vec::new(), options).unwrap();
    writer.add_source("example.pgn", RECORD.as_bytes()).unwrap();
    let (archive, ..) = writer.finish().unwrap();
    let (container, _) = Container::open(Bytes(&archive), Limits::default()).unwrap();
    let (segment, _) = container.segment(0).unwrap();
    let (tables, _) = container.tables(&segment).unwrap();
    assert_shown(ARCHIVE, "tag-names", tables.get(TAG_NAMES, 0).unwrap());
    assert_shown(ARCHIVE, "rosters", tables.get(ROSTERS, 0).unwrap());
    assert_shown(ARCHIVE, "layouts", tables.get(LAYOUTS, 0).unwrap());
    let block = container.block(&segment, 0).unwrap();
    assert_shown(ARCHIVE, "block", block.packed());
    // A column of one literal: its number, its length, itself.
    for (name, len) in [("shape", 4), ("departures", 2), ("patch", 6)] {
        let column = [&[2, 0, 0, 2, 0, len, 0], &shown(PGN, name)[..]].concat();
        let mut windows = block.packed().windows(column.len());
        assert!(windows.any(|bytes| bytes == column), "{name}");
    }
    let text = Archive::new(&archive).unwrap().text(1).unwrap();
    assert_eq!(text, RECORD.as_bytes());
}
