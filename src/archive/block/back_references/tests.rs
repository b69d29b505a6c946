use super::*;
use crate::archive::schema::record::StoredRecord;
use crate::archive::tables::rosters::NameTables;
use crate::archive::testing::OneRecord;
use crate::pgn::{Lexeme, Scanner, parse};
use crate::testing::examples::shown;

fn stored(text: &str) -> Vec<Vec<u8>> {
    let lexemes: Vec<Lexeme> = Scanner::new(text.as_bytes()).collect();
    let tree = parse(text.as_bytes(), &lexemes).tree;
    let values = stored_values(&tree).into_iter();
    values.map(Cow::into_owned).collect()
}

/// The stored value of a tag in this game.
fn stored_in(tag: &str, moves: &str) -> Vec<u8> {
    let text = format!("[CurrentPosition \"{tag}\"]\n\n{moves}");
    stored(&text).remove(0)
}

#[test]
fn the_last_position_is_referenced_in_each_form() {
    let board = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq";
    let idle = "1. e4 e5 *";
    for (number, tail) in [
        (1, "- 0 2"),
        (2, "-"),
        (3, "e6 0 2"),
        (4, "e6"),
        (5, "- 1 2"),
    ] {
        assert_eq!(stored_in(&format!("{board} {tail}"), idle), [0, number]);
    }
    assert_eq!(stored_in(&format!("{board} e6 1 2"), idle), [0, 6]);
    let other = format!("{board} - 2 2");
    assert_eq!(stored_in(&other, idle), other.as_bytes());
    assert_eq!(
        stored_in(&format!("{board} - 0 2"), "1. e4 *").len(),
        board.len() + 6
    );
    let in_variant = format!("[Variant \"Atomic\"]\n[X \"{board} - 0 2\"]\n\n{idle}");
    assert_eq!(stored(&in_variant)[1].len(), board.len() + 6);
}

#[test]
fn the_first_form_that_fits_is_taken() {
    let fen = "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 2";
    let moves = "[FEN \"rnbqkbnr/ppp1pppp/8/8/3p4/8/PPPPPPPP/RNBQKBNR w KQkq - 0 2\"]\n\n2. e4 *";
    assert_eq!(stored(&format!("[X \"{fen}\"]\n{moves}"))[0], [0, 1]);
}

#[test]
fn tags_needed_for_moves_have_no_position_reference() {
    let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    for name in ["White", "FEN"] {
        let text = format!("[{name} \"{fen}\"]\n\n*");
        assert_eq!(stored(&text), [fen.as_bytes()]);
    }
}

/// Values of "White", "Event" and "Termination", read back.
fn read(values: [&[u8]; 3]) -> Result<Vec<Vec<u8>>, ContentError> {
    let one = OneRecord::new(&[b"White", b"Event", b"Termination"], &[0, 1, 2]);
    let record = StoredRecord {
        roster: 1,
        values: values.map(Cow::Borrowed).to_vec(),
        ..StoredRecord::default()
    };
    one.values(one.columns(record))
}

#[test]
fn stored_values_resolve_to_their_texts() {
    let fen = b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    let read = |values| read(values).unwrap();
    assert_eq!(
        read([b"Tal", b"a\0\0b", b"\0\x07 won"]),
        [&b"Tal"[..], b"a\0b", b"Tal won"]
    );
    assert_eq!(
        read([b"", b"\0\x02", b"x\0\x07\0\0\0\x07"]),
        [&b""[..], fen, b"x\0"]
    );
}

#[test]
fn invalid_back_references_are_refused() {
    let refused = |name: &str, values| {
        let error = read(values).expect_err(name).to_string();
        assert!(error.contains(name), "{name}: {error}");
    };
    refused("before the moves", [b"\0\x01", b"", b""]);
    refused("has references itself", [b"a\0\0", b"\0\x07", b""]);
    refused("has references itself", [b"", b"\0\x01", b"\0\x08"]);
    refused("has references itself", [b"", b"\0\x08", b""]);
    refused("no tag pair", [b"", b"\0\x0a", b""]);
    refused("no tag pair", [b"", b"\0\xff\xff\xff\xff\xff\x01", b""]);
    let many = b"\0\x07".repeat(MAX_BACK_REFERENCES + 1);
    refused("too many", [b"", &many, b""]);
    refused("ends", [b"", b"\0", b""]);
    let long = [b'x'; 90];
    refused("more text", [&long, b"\0\x07\0\x07\0\x07", b""]);
    refused("more text", [&long, b"\0\x07\0\x07", b"\0\x07"]);
}

/// A record of "Event", "White" and "Termination".
fn record(values: [&str; 3]) -> StoredRecord<'static> {
    let values = values.map(|value| Cow::Owned(value.as_bytes().to_vec()));
    StoredRecord {
        values: values.to_vec(),
        ..StoredRecord::default()
    }
}

#[test]
fn columns_that_contain_others_refer_to_them() {
    let [names, rosters] = [["Event", "White", "Termination"], [""; 3]];
    let names: Vec<Vec<u8>> = names.map(|name| name.as_bytes().to_vec()).to_vec();
    let rosters = [(0..).take(rosters.len()).collect()];
    let names = NameTables {
        names: &names,
        rosters: &rosters,
    };
    let players = ["Morphy", "Anderssen", "Staunton", "La Bourdonnais"];
    let mut records: Vec<_> = players
        .iter()
        .map(|player| record(["Cup", player, &format!("{player} won, {player}!")]))
        .collect();
    records.push(record(["Cup", "x", "x won"]));
    let back_references = BackReferences::learn(&records, names);
    assert_eq!(back_references.referenced(), [1].into());
    let event = |record: &StoredRecord<'_>| record.values[0].to_vec();
    for record in &mut records {
        back_references.insert(record, names);
        assert_eq!(event(record), b"Cup");
    }
    for record in &records[..4] {
        assert_eq!(&*record.values[2], b"\0\x08 won, \0\x08!");
    }
    assert_eq!(
        &*records[4].values[2], b"x won",
        "too short to be mentioned"
    );
}

/// The right of an inner rook is written as its file, not as `K` or `Q`.
#[test]
fn rights_are_written_by_outermost_rooks() {
    let game = "[Variant \"Chess960\"]\n[FEN \"1k6/8/8/8/8/7R/8/1KR5 w C - 0 1\"]\n\
                [X \"1k6/8/8/8/8/8/8/1KR4R b C - 1 1\"]\n\n1. Rhh1 *";
    assert_eq!(stored(game)[2], [0, 1]);
}

#[test]
fn long_values_are_not_searched() {
    let names = ["White", "Termination"].map(|name| name.as_bytes().to_vec());
    let names = NameTables {
        names: &names,
        rosters: &[vec![0, 1]],
    };
    let record = |player: &str| StoredRecord {
        values: vec![
            Cow::Owned(player.as_bytes().to_vec()),
            Cow::Owned(format!("{player}{}", " won".repeat(100)).into_bytes()),
        ],
        ..StoredRecord::default()
    };
    let records = ["Tal", "Keres", "Bronstein"].map(record);
    assert!(
        BackReferences::learn(&records, names)
            .referenced()
            .is_empty()
    );
}

/// The example of the specification. Without its last byte it is refused.
#[test]
fn the_example_of_the_specification_is_read() {
    let spec = include_str!("../../../../spec/archive.md");
    let stored = shown(spec, "back-reference");
    let one = OneRecord::new(&[b"White", b"Termination"], &[0, 1]);
    let of = |stored: &[u8]| {
        let record = StoredRecord {
            roster: 1,
            values: vec![Cow::Borrowed(b"Tal"), Cow::Owned(stored.to_vec())],
            ..StoredRecord::default()
        };
        one.values(one.columns(record))
    };
    assert_eq!(of(&stored).unwrap()[1], b"Tal won\0");
    assert!(of(&stored[..stored.len() - 1]).is_err());
}
