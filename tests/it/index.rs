//! Adding and removing indexes changes nothing else in an archive.

use crate::unprotected::unprotected;
use crate::{places, samples};
use pgna::{Archive, Bytes, Indexes, Limits, PackOptions, PositionTest, Query, Warning, Writer};

fn texts() -> Vec<Vec<u8>> {
    [
        "annotated.pgn",
        "chess960.pgn",
        "garbage.pgn",
        "null-moves.pgn",
    ]
    .map(samples::text)
    .to_vec()
}

fn pack(indexes: Indexes) -> Vec<u8> {
    let options = PackOptions {
        segment_bytes: 40_000,
        block_records: 16,
        indexes,
        ..PackOptions::default()
    };
    let mut writer = Writer::new(Vec::new(), options).unwrap();
    for text in texts() {
        writer.add_source("games.pgn", &text[..]).unwrap();
    }
    let (mut bytes, slot, _) = writer.finish_with_slot().unwrap();
    slot.write_to(&mut bytes);
    bytes
}

fn open(bytes: Vec<u8>) -> Archive {
    Archive::open(Bytes(bytes), Limits::default()).unwrap()
}

#[test]
fn indexing_an_archive_equals_packing_with_indexes() {
    let all = [Indexes::None, Indexes::Openings, Indexes::Full];
    let packed = all.map(pack);
    assert!(packed[0].len() < packed[1].len() && packed[1].len() < packed[2].len());
    for from in &packed {
        let archive = open(from.clone());
        for (to, expected) in all.iter().zip(&packed) {
            let (mut again, slot) = archive.write_indexed(Vec::new(), *to, |_| {}).unwrap();
            slot.write_to(&mut again);
            assert!(again == *expected, "{to:?}");
        }
    }
}

/// Calls `see` for each byte of an index that is damaged, and for queries by a pattern and by a
/// position, with: the name of the index, its damaged byte, whether the query needs the index,
/// whether it still used indexes, and the warnings. The hits are always the same.
fn damage_each_index(whole: &[u8], see: impl Fn(&str, usize, bool, bool, &[Warning])) {
    let archive = open(whole.to_vec());
    let of = |position: PositionTest| Query {
        positions: vec![position],
        ..Query::default()
    };
    let pattern = of(PositionTest::pattern(vec!["Pe4 pe5".parse().unwrap()]));
    let open_game = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -";
    let position = of(PositionTest::exact(open_game).unwrap());
    let hits = |archive: &Archive, query: &Query| {
        let mut hits = archive.query(query).unwrap();
        let found: Vec<_> = hits.by_ref().map(Result::unwrap).collect();
        (found, hits.is_indexed())
    };
    // The sections that each query reads.
    let used = [
        (&pattern, &["openings", "continuations", "visits"][..]),
        (&position, &["openings", "continuations", "pawn structures"]),
    ];
    let indexes = places::indexes(whole);
    assert!(indexes.iter().any(|(name, _)| *name == "pawn structures"));
    for (query, used) in used {
        let (expected, is_indexed) = hits(&archive, query);
        assert!(is_indexed && !expected.is_empty());
        for (name, place) in &indexes {
            let mut damaged = whole.to_vec();
            damaged[*place] ^= 1;
            let archive = open(damaged);
            let (found, is_indexed) = hits(&archive, query);
            assert_eq!(found, expected, "{name}");
            let is_used = used.contains(name);
            let warnings = archive.warnings();
            // Heads of sections are read together.
            let least = usize::from(is_used);
            assert!((least..=1).contains(&warnings.len()), "{name}");
            see(name, *place, is_used, is_indexed, &warnings);
        }
    }
}

#[test]
fn a_damaged_index_is_ignored() {
    let whole = unprotected(pack(Indexes::Full));
    damage_each_index(&whole, |name, _, is_used, is_indexed, warnings| {
        // Nothing else can be used without openings.
        assert!(is_indexed || is_used, "{name}");
        assert!(!is_indexed || name != "openings");
        let is_ignored = |warning: &Warning| matches!(warning, Warning::IndexIgnored { .. });
        assert!(warnings.iter().all(is_ignored), "{name}");
    });
}

#[test]
fn a_damaged_index_is_mended() {
    let whole = pack(Indexes::Full);
    damage_each_index(&whole, |name, place, _, is_indexed, warnings| {
        assert!(is_indexed, "{name}");
        let (offset, bytes) = (place as u64, 1);
        let mended = Warning::Mended { offset, bytes };
        assert!(warnings.iter().all(|found| *found == mended), "{name}");
    });
}
