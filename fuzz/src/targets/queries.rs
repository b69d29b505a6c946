//! Queries of an archive, as text.

use pgna::{
    Aliases, Archive, Filter, Indexes, Material, PackOptions, Pattern, PositionTest, Query,
    TextEncoding, Writer,
};
use std::sync::LazyLock;

const GAMES: &str = "\
[White \"Anderssen\"]\n[Black \"Kieseritzky\"]\n[Date \"1851.06.21\"]\n[WhiteElo \"2600\"]\n\n1. e4 e5 2. f4 exf4 {[%clk 0:01:00]} 1-0\n\n\
[White \"a\"]\n[Date \"????.??.??\"]\n[Variant \"Atomic\"]\n\n1. Nf3 (1. e4 e5) 1... f6 *\n\n\
[Event \"x\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 Kd7 2. Ke7 *\n";

static ARCHIVE: LazyLock<Archive> = LazyLock::new(|| {
    // The names of players in the directory rule out segments.
    let options = PackOptions {
        indexes: Indexes::Full,
        ..PackOptions::default()
    };
    let mut writer = Writer::new(Vec::new(), options).unwrap();
    writer.add_source("games.pgn", GAMES.as_bytes()).unwrap();
    Archive::new(writer.finish().unwrap().0).unwrap()
});

fn find(query: &Query) -> Vec<u64> {
    let hits = ARCHIVE.query(query).unwrap();
    hits.map(|hit| hit.unwrap().number).collect()
}

/// A valid filter matches exactly the games that its negation does not match. A valid test of
/// positions can be queried. The name of a spelling is its own name.
pub(super) fn check(input: &[u8]) {
    let text = TextEncoding::default().decode(input);
    let aliases = Aliases::from_spelling_file(&text);
    for name in text.lines().filter_map(|line| aliases.name_of(line)) {
        assert_eq!(aliases.name_of(name), Some(name));
    }
    if let Ok(filter) = text.parse::<Filter>() {
        let of = |filter| Query {
            filter: Some(filter),
            ..Query::default()
        };
        let passed = find(&of(filter.clone()));
        let mut all = find(&of(filter.negated()));
        assert!(passed.iter().all(|number| !all.contains(number)));
        all.extend(passed);
        all.sort();
        assert_eq!(all, [1, 2, 3]);
    }
    let boards = [
        PositionTest::exact(&text).ok(),
        PositionTest::pieces(&text).ok(),
        text.parse::<Material>().ok().map(|material| {
            assert_eq!(material.flipped().flipped(), material);
            PositionTest::material(vec![material])
        }),
        text.parse::<Pattern>().ok().map(|pattern| {
            assert_eq!(pattern.to_string().parse(), Ok(pattern.clone()));
            assert_eq!(pattern.flipped().mirrored(), pattern.mirrored().flipped());
            PositionTest::pattern(vec![pattern])
        }),
    ];
    for board in boards.into_iter().flatten() {
        find(&Query {
            positions: vec![board],
            ..Query::default()
        });
    }
}
