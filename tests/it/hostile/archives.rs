//! Archives with valid checksums and invalid content.

use super::{options, pack, unpack};
use crate::{forged, samples};
use pgna::internals::codec::pack as press;
use pgna::{
    Archive, Bytes, Codec, Error, ErrorClass, Limits, PackOptions, PositionTest, Query, Writer,
};
use rayon::prelude::*;

/// Two blocks whose headers announce one game too many and one too few. The sums are correct.
#[test]
fn another_number_of_games_than_announced_is_refused() {
    let options = PackOptions {
        block_records: 4,
        ..options()
    };
    let mut writer = Writer::new(Vec::new(), options).unwrap();
    for games in [1, 4] {
        // The text before the first game is a record, but no game.
        let text = format!("no game\n\n{}", "[Round \"1\"]\n\n*\n\n".repeat(games));
        writer.add_source("a.pgn", text.as_bytes()).unwrap();
    }
    let (archive, _) = writer.finish().unwrap();
    let whole = Archive::new(&archive[..]).unwrap();
    assert_eq!((whole.games(), whole.blocks().unwrap()), (5, 2));
    let forged = forged::with_block_games(&archive, |block, games| match block {
        0 => games + 1,
        _ => games - 1,
    });
    let forged = Archive::new(forged).unwrap();
    assert_eq!(forged.games(), 5);
    let is_damage = |error: Error| error.class() == ErrorClass::Damaged;
    for number in 1..=5 {
        let games = if number < 4 { 1..4 } else { 4..6 };
        let error = forged.stored_game(number).unwrap_err();
        assert_eq!(error.games(), Some(games.clone()), "{error}");
        assert!(is_damage(error));
        assert_eq!(forged.unreadable_with(number), games);
    }
    let parts: Vec<_> = forged.parts(|_| true).collect();
    assert_eq!(parts.len(), 2);
    assert!(parts.into_iter().filter_map(Result::err).all(is_damage));
}

/// Games of many kinds, so that a segment has all kinds of tables.
fn sample() -> Vec<u8> {
    let names = [
        "annotated.pgn",
        "variations.pgn",
        "setup-fen.pgn",
        "two-blank-lines.pgn",
    ];
    names.map(samples::text).concat()
}

fn archive() -> Vec<u8> {
    let options = PackOptions {
        mixed_prose_bytes: usize::MAX,
        ..options()
    };
    pack(&sample(), options)
}

/// The content of every table, block and section of an archive.
fn parts_of(archive: &[u8]) -> Vec<Vec<u8>> {
    let mut parts = Vec::new();
    pgna_fuzz::forge(archive, |content| parts.push(content.clone())).unwrap();
    parts
}

/// Queries and unpacks the archive. Returns whether it unpacks, and asserts that the text is the
/// original.
fn read(archive: &[u8], text: &[u8]) -> bool {
    let Ok(archive) = Archive::new(archive) else {
        return false;
    };
    let query = Query {
        filter: Some("White ~ \"a\"".parse().unwrap()),
        positions: vec![
            PositionTest::pieces("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR").unwrap(),
        ],
        ..Query::default()
    };
    archive.query(&query).unwrap().for_each(|_| ());
    match unpack(&archive) {
        Ok(unpacked) => {
            assert!(unpacked == text, "another text");
            true
        }
        Err(_) => false,
    }
}

/// The archive with one part changed, or `None` if the result cannot be framed.
fn forged(archive: &[u8], chosen: usize, edit: impl Fn(&mut Vec<u8>)) -> Option<Vec<u8>> {
    let mut number = 0..;
    let edited = pgna_fuzz::forge(archive, |content| {
        if number.next() == Some(chosen) {
            edit(content);
        }
    });
    edited.ok()
}

/// Asserts that most archives are refused if each part is changed at some places in turn. `edit`
/// gets the part and the place. The others are changed in indexes, which the text does not need.
fn assert_most_refused(edit: impl Fn(&mut Vec<u8>, usize) + Sync) {
    let (archive, text) = (archive(), sample());
    let parts = parts_of(&archive);
    let places = parts.iter().enumerate().flat_map(|(part, content)| {
        let step = content.len().div_ceil(6).max(1);
        (0..content.len())
            .step_by(step)
            .map(move |place| (part, place))
    });
    let places: Vec<(usize, usize)> = places.collect();
    assert!(places.len() > 100);
    let forged = places.par_iter().filter_map(|(part, place)| {
        // Some changed parts cannot be framed.
        forged(&archive, *part, |content| edit(content, *place))
    });
    let read: Vec<bool> = forged.map(|forged| read(&forged, &text)).collect();
    let accepted = read.iter().filter(|is_read| **is_read).count();
    assert!(2 * read.len() > places.len());
    assert!(3 * accepted < read.len(), "{accepted} of {}", read.len());
}

#[test]
fn unchanged_archives_are_read() {
    let (archive, text) = (archive(), sample());
    assert!(read(&forged(&archive, 0, |_| ()).unwrap(), &text));
}

/// Overwrites bytes of a part.
fn put(content: &mut Vec<u8>, place: usize, bytes: &[u8]) {
    let end = content.len().min(place + bytes.len());
    content.splice(place..end, bytes.iter().copied());
}

#[test]
fn bombs_are_refused() {
    // As much as the limits admit, and more.
    let most = press::compress(&vec![0; 64 << 20], 1);
    assert_most_refused(|content, place| put(content, place, &most));
    let claim = [1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f, 1, 0, 0];
    assert_most_refused(|content, place| put(content, place, &claim));
}

#[test]
fn unbounded_counts_are_refused() {
    assert_most_refused(|content, place| put(content, place, &[0xff; 8]));
    let varint = [[0xff; 9].as_slice(), &[1]].concat();
    assert_most_refused(|content, place| put(content, place, &varint));
}

#[test]
fn inconsistent_lengths_are_refused() {
    assert_most_refused(|content, place| content.truncate(place));
    assert_most_refused(|content, place| content.insert(place, 0));
}

/// A limit below the content of an archive costs only the games that exceed it.
#[test]
fn games_within_a_limit_are_read_beside_others_beyond() {
    let long = format!("{}1/2-1/2\n\n", "Nf3 Nf6 Ng1 Ng8 ".repeat(10));
    let short = "1. e4 e5 1/2-1/2\n\n";
    let text = long.repeat(60) + &short.repeat(3);
    for codec in [Codec::RadixEnd, Codec::Radix, Codec::Huffman, Codec::Model] {
        let options = PackOptions {
            codecs: vec![codec],
            ..options()
        };
        let archive = pack(text.as_bytes(), options);
        let limits = Limits {
            plies: 30,
            ..Limits::default()
        };
        let archive = Archive::open(Bytes(archive), limits).unwrap();
        assert_eq!(archive.blocks().unwrap(), 1);
        for _ in 0..2 {
            for number in 1..=60 {
                let error = archive.text(number).unwrap_err();
                assert_eq!(error.class(), ErrorClass::Limit, "{error}");
                let head = archive.head(number);
                assert_eq!(head.is_err(), codec == Codec::RadixEnd);
            }
            for number in 61..=63 {
                assert_eq!(archive.text(number).unwrap(), short.as_bytes());
                assert_eq!(archive.head(number).unwrap().plies, 2);
            }
        }
    }
}

#[test]
fn what_can_be_read_does_not_depend_on_the_order() {
    let games = [
        "1. e4 e5 2. Nf3 *\n\n",
        "1. d4 d5 *\n\n",
        "1. c4 (1. b3) c5 *\n\n",
    ];
    let options = PackOptions {
        codecs: vec![Codec::Squares],
        ..options()
    };
    let archive = pack(games.concat().as_bytes(), options);
    let read = |forged: &[u8], order: [u64; 3]| {
        let archive = Archive::new(forged.to_vec()).ok()?;
        let mut texts = order.map(|number| (number, archive.text(number).ok()));
        texts.sort_unstable();
        Some(texts)
    };
    let mut lost = 0;
    for (part, content) in parts_of(&archive).iter().enumerate() {
        for (place, change) in (0..content.len()).flat_map(|at| [(at, 0), (at, 1), (at, 0xff)]) {
            let forged = forged(&archive, part, |content| put(content, place, &[change]));
            let texts = forged.and_then(|forged| Some((read(&forged, [3, 2, 1])?, forged)));
            let Some((texts, forged)) = texts else {
                continue;
            };
            // The last game requires that the columns decode to their ends.
            if texts[2].1.is_none() {
                continue;
            }
            for order in [[1, 2, 3], [2, 1, 3], [2, 3, 1]] {
                let others = read(&forged, order);
                assert_eq!(others.as_ref(), Some(&texts), "{part} {place}");
            }
            lost += texts.iter().filter(|text| text.1.is_none()).count();
        }
    }
    assert!(lost > 10, "{lost}");
}
