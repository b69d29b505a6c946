use super::*;
use crate::archive::schema::registry::START;
use crate::archive::testing::OneRecord;

const FEN: &str = "4k3/8/8/8/8/8/4P3/4K2R w K - 0 1";

fn spelling(fen: &str) -> Option<FenSpelling> {
    let set_up = FenPosition::of(fen.as_bytes())?;
    assert_eq!(set_up.fen(), Ok(fen.as_bytes().to_vec()));
    Some(set_up.spelling)
}

#[test]
fn canonical_fens_become_start_positions() {
    for fen in [
        FEN,
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
        "4k3/8/8/8/8/8/4P3/4K3 w - e6 0 1",
        "bqnnrkrb/pppppppp/8/8/8/8/PPPPPPPP/BQNNRKRB w KQkq - 0 1",
        "4k3/8/8/8/8/8/4P3/4K3 w - - 255 300",
        "k7/8/8/8/8/8/QQQQQQQQ/QK6 w - - 0 1",
        "8/8/8/8/8/8/8/8 b - - 0 65535",
    ] {
        assert_eq!(spelling(fen), Some(FenSpelling::XFen), "{fen}");
    }
    let shredder = "1rk3r1/pp4pp/8/8/8/8/PP4PP/1RK3R1 b GBgb - 2 17";
    assert_eq!(spelling(shredder), Some(FenSpelling::Shredder));
}

#[test]
fn other_fens_stay_text() {
    for fen in [
        "",
        "?",
        "4k3/8/8/8/8/8/4P3/4K3",
        "4k3/8/8/8/8/8/4P3/4K2R w K -",
        "4k3/8/8/8/8/8/4P3/4K3  w - - 0 1",
        "4k3/8/8/8/8/8/4P3/4K3_w_-_-_0_1",
        "4k3/8/8/8/8/8/4P3/4K3 w - - 00 1",
        "4k3/8/8/8/8/8/4P3/4K3 w - - 0 0",
        "4k3/8/8/8/8/8/4P3/4K3 w - - 256 1",
        "4k3/8/8/8/8/8/4P3/4K3 w - - 0 65536",
        "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 ",
        "4k3/8/8/8/8/8/4P3/4K3 w - e3 0 1",
        "4k3/8/8/8/8/8/4P3/4K3 w KQ - 0 1",
        "4k3/8/8/8/8/8/4P3/4K3[Qp] w - - 0 1",
        "4k3/8/8/8/8/8/4P3/4KQ~2 w - - 0 1",
        "4k3/8/8/8/8/8/4P3/4K3 w - - 1+2 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R w kqKQ - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R w KQha - 0 1",
        "rr2k1rr/8/8/8/8/8/8/RR2K1RR w KBkq - 0 9",
        "P3k3/8/8/8/8/8/8/4K3 w - - 0 1",
    ] {
        assert_eq!(spelling(fen), None, "{fen}");
    }
    let latin_1 = [FEN.as_bytes(), b"\xe9"].concat();
    assert_eq!(FenPosition::of(&latin_1), None);
}

#[test]
fn start_numbers_round_trip() {
    let set_up = |spelling| FenPosition::new(spelling, Vec::new());
    let set_ups = [
        None,
        Some(set_up(FenSpelling::XFen)),
        Some(set_up(FenSpelling::Shredder)),
    ];
    let mut numbers = 0..;
    for set_up in &set_ups {
        for start in (0..Start::NUMBERS).filter_map(Start::from_number) {
            let number = start_number(start, set_up.as_ref());
            assert_eq!(numbers.next(), Some(number));
            let spelling = set_up.as_ref().map(|set_up| set_up.spelling);
            assert_eq!(read_start_number(number.into()), Ok((start, spelling)));
        }
    }
    for unknown in [96, 255, 256, u64::MAX] {
        assert!(read_start_number(unknown).is_err());
    }
}

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
    let shredder = FenPosition::new(FenSpelling::Shredder, no_rights.bytes);
    refused("spelling", columns(record("", Some(shredder))));
}

#[test]
fn the_number_of_start_positions_is_checked() {
    let bytes = set_up().bytes;
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
