//! The records of any bytes join to those bytes, and a stream that arrives in
//! two parts is cut in the same places.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pgna::pgn::{Record, Splitter};

/// Small enough that an input of the fuzzer reaches the bound.
const MAX_RECORD_BYTES: usize = 512;

fn split(text: &[u8], is_last: bool, in_piece: bool) -> Splitter<'_> {
    Splitter::new(text, is_last, in_piece).with_max_record_bytes(MAX_RECORD_BYTES)
}

/// Cuts a first part, then goes on with what was left of it and the rest.
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

fuzz_target!(|data: &[u8]| {
    let Some((first, text)) = data.split_first() else {
        return;
    };
    let records: Vec<Record> = split(text, true, false).collect();
    let mut end = 0;
    for record in &records {
        assert_eq!(record.start, end, "a gap or an overlap");
        assert!(record.end > record.start, "an empty record");
        assert!(
            record.end - record.start <= MAX_RECORD_BYTES,
            "a record too long"
        );
        end = record.end;
    }
    assert_eq!(end, text.len(), "bytes are left");
    let at = text.len() * usize::from(*first) / 256;
    assert_eq!(split_twice(text, at), records, "cut at {at}");
});
