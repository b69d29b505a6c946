//! Collections packed with all indexes: positions are found where they occur, with the indexes and
//! without.

use crate::archives::NAME;
use crate::collection::Collection;
use pgna::{Archive, Indexes, PackOptions, Place, PositionTest, Query, Writer};
use std::collections::BTreeSet;

/// The maximum number of positions to search for.
const MAX_SOUGHT: usize = 24;

pub(super) fn check(input: &[u8]) {
    let Some(collection) = crate::arbitrary::<Collection>(input) else {
        return;
    };
    let options = PackOptions {
        indexes: Indexes::Full,
        block_records: 8,
        ..PackOptions::default()
    };
    let mut writer = Writer::new(Vec::new(), options).expect("a writer");
    let text = collection.text();
    writer.add_source(NAME, &text[..]).expect("any text");
    let (archive, _) = writer.finish().expect("an archive");
    let archive = Archive::new(&archive[..]).expect("what was packed opens");
    let positions = collection.games.iter().flat_map(|game| &game.positions);
    let positions: BTreeSet<&str> = positions.map(|fen| placement(fen)).collect();
    let step = positions.len().div_ceil(MAX_SOUGHT).max(1);
    for sought in positions.into_iter().step_by(step) {
        let mut query = Query {
            filter: Some("variant?".parse().expect("a filter")),
            positions: vec![PositionTest::pieces(sought).expect("pieces")],
            ..Query::default()
        };
        let find = |query: &Query| -> Vec<(u64, Option<Place>)> {
            let hits = archive.query(query).expect("a query");
            let hits = hits.map(|hit| hit.expect("a whole archive"));
            hits.map(|hit| (hit.number, hit.place)).collect()
        };
        let found = find(&query);
        query.uses_indexes = false;
        assert_eq!(found, find(&query), "{sought}");
        assert_eq!(found, replayed(&collection, sought), "{sought}");
    }
}

/// The games with these pieces in their main line, with the first place.
fn replayed(collection: &Collection, sought: &str) -> Vec<(u64, Option<Place>)> {
    let games = (1..).zip(&collection.games);
    let hits = games.filter_map(|(number, game)| {
        let mut positions = game.positions.iter();
        let ply = positions.position(|fen| placement(fen) == sought)?;
        Some((number, Some(Place::Ply(ply))))
    });
    hits.collect()
}

/// The piece placement of a FEN.
fn placement(fen: &str) -> &str {
    fen.split(' ').next().unwrap_or(fen)
}
