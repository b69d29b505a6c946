//! The records of arbitrary bytes join to those bytes, a stream in two parts splits at the same
//! places, and a layout and a patch of a record render to its text.

use pgna::internals::bits::ByteReader;
use pgna::internals::pgn::{
    Layout, LayoutLearner, Lexeme, LineEnding, Patch, Record, Scanner, Splitter, Wrap, encode,
    parse, render,
};

/// Small enough that inputs of the fuzzer reach the bound.
const MAX_RECORD_BYTES: usize = 1024;

fn split(text: &[u8], is_last: bool, in_piece: bool) -> Splitter<'_> {
    Splitter::new(text, is_last, in_piece).with_max_record_bytes(MAX_RECORD_BYTES)
}

/// Splits the first `at` bytes, then continues with their remainder and the rest.
fn split_twice(text: &[u8], at: usize) -> Vec<Record> {
    let mut first = split(&text[..at], false, false);
    let mut records: Vec<Record> = first.by_ref().collect();
    let done = first.position();
    let rest = split(&text[done..], true, first.in_piece());
    let moved = |r: Record| Record {
        start: r.start + done,
        end: r.end + done,
        ..r
    };
    records.extend(rest.map(moved));
    records
}

fn check_joined(records: &[Record], text: &[u8]) {
    let mut end = 0;
    for record in records {
        assert_eq!(record.start, end, "a gap or an overlap");
        assert!(record.end > record.start, "an empty record");
        assert!(
            record.end - record.start <= MAX_RECORD_BYTES,
            "a record too long"
        );
        end = record.end;
    }
    assert_eq!(end, text.len(), "bytes are left");
}

/// Up to three layouts learned from the records, and one that need not fit any of them.
fn layouts(records: &[&[u8]]) -> Vec<Layout> {
    let mut learner = LayoutLearner::default();
    for record in records {
        let lexemes: Vec<Lexeme> = Scanner::new(record).collect();
        learner.assign(record, &lexemes);
    }
    let mut layouts = learner.finish().layouts;
    layouts.truncate(3);
    layouts.push(Layout::new(LineEnding::CrLf, Wrap::NONE));
    layouts
}

/// Renders the record from its layout and patch, both read back from bytes.
fn check_record(record: &[u8], layout: &Layout) {
    let lexemes: Vec<Lexeme> = Scanner::new(record).collect();
    let parsed = parse(record, &lexemes);
    let Some(encoded) = encode(record, &parsed, layout) else {
        return;
    };
    let mut bytes = Vec::new();
    layout.write(&mut bytes);
    let read = Layout::read(&mut ByteReader::new(&bytes));
    let layout = read.expect("a layout").expect("a known layout");
    bytes.clear();
    encoded.patch.write(&mut bytes);
    let patch = Patch::read(&bytes).expect("a patch");
    let text = render(&encoded.tree, &layout, &patch, record.len()).expect("a patch that fits");
    assert_eq!(text, record, "another text");
}

pub(super) fn check(data: &[u8]) {
    let Some((first, text)) = data.split_first() else {
        return;
    };
    let records: Vec<Record> = split(text, true, false).collect();
    check_joined(&records, text);
    let at = text.len() * usize::from(*first) / 256;
    assert_eq!(split_twice(text, at), records, "cut at {at}");
    let texts: Vec<&[u8]> = records.iter().map(|r| &text[r.start..r.end]).collect();
    for layout in layouts(&texts) {
        texts.iter().for_each(|text| check_record(text, &layout));
    }
}
