use super::*;
use crate::archive::schema::column_directory::ColumnWriter;
use crate::archive::schema::fen_position::FenSpelling;
use crate::archive::schema::record::StoredRecord;
use crate::archive::schema::registry::{START, START_POSITIONS};
use crate::archive::testing::OneRecord;
use std::borrow::Cow;

const FEN: &str = "4k3/8/8/8/8/8/4P3/4K2R w K - 0 1";

/// Two FEN tags after another tag.
fn one_record() -> OneRecord {
    OneRecord::new(&[b"White", b"FEN"], &[0, 1, 1])
}

fn columns(record: StoredRecord<'_>) -> ColumnWriter {
    one_record().columns(record)
}

fn read(columns: ColumnWriter) -> Result<Vec<Vec<u8>>, ContentError> {
    one_record().values(columns)
}

fn record<'a>(fen: &'a str, set_up: Option<FenPosition>) -> StoredRecord<'a> {
    StoredRecord {
        roster: 1,
        values: [&b"Greco"[..], fen.as_bytes(), b"second"]
            .map(Cow::Borrowed)
            .to_vec(),
        set_up,
        ..StoredRecord::default()
    }
}

fn set_up() -> FenPosition {
    FenPosition::of(FEN.as_bytes()).unwrap()
}

#[test]
fn a_set_up_gives_the_value_of_the_first_fen_tag() {
    let values = read(columns(record("", Some(set_up())))).unwrap();
    assert_eq!(values, [b"Greco", FEN.as_bytes(), b"second"]);
}

/// A text is accepted even if a start position could replace it.
#[test]
fn a_text_is_taken_as_it_is() {
    let values = read(columns(record(FEN, None))).unwrap();
    assert_eq!(values[1], FEN.as_bytes());
}

#[test]
fn invalid_start_positions_are_refused() {
    let refused = |name: &str, columns: ColumnWriter| {
        let error = read(columns).expect_err(name);
        assert!(error.to_string().contains(name), "{name}: {error}");
    };
    refused("text of a FEN", columns(record(FEN, Some(set_up()))));
    let no_tags = StoredRecord {
        set_up: Some(set_up()),
        ..StoredRecord::default()
    };
    refused("without a FEN tag", columns(no_tags));
    let ones = FenPosition::new(FenSpelling::XFen, vec![0xff; 3]);
    refused("set-up:", columns(record("", Some(ones))));
    let long = FenPosition::new(FenSpelling::XFen, [set_up().bytes(), &[0]].concat());
    refused("set-up:", columns(record("", Some(long))));
    let no_rights = FenPosition::of(b"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1").unwrap();
    let shredder = FenPosition::new(FenSpelling::Shredder, no_rights.bytes().to_vec());
    refused("spelling", columns(record("", Some(shredder))));
}

#[test]
fn the_number_of_start_positions_is_checked() {
    let bytes = set_up().bytes().to_vec();
    let mut unannounced = columns(record(FEN, None));
    unannounced.strings(START_POSITIONS, &[&bytes], None);
    assert!(read(unannounced).is_err());
    let mut twice = columns(record("", Some(set_up())));
    twice.strings(START_POSITIONS, &[&bytes, &bytes], None);
    assert!(read(twice).is_err());
    let mut missing = columns(record("", None));
    missing.ints(START, &[32]);
    assert!(read(missing).is_err());
    let mut unknown = columns(record("", Some(set_up())));
    unknown.ints(START, &[96]);
    assert!(read(unknown).is_err());
}
