//! Games as data: the columns of a scan give what reading each game's text gives.

mod by_text;
mod rows;

use crate::unprotected::unprotected;
use crate::{packed, places, samples};
use by_text::expected;
use pgna::{
    Archive, Codec, ColumnData, Game, GameBatch, GameColumn, LineScope, PackOptions, PositionTest,
    Query, Token, Writer,
};
use pgna_fuzz::all_columns;
use rows::{Row, rows};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

fn archive(sources: &[(String, Vec<u8>)], records: u32) -> Archive {
    Archive::new(packed::pack(sources, records)).unwrap()
}

/// An archive whose segments have enough games for plans of their columns.
fn archive_of_long_segments(name: &str, text: &[u8]) -> Archive {
    let options = PackOptions {
        codecs: vec![Codec::Radix],
        ..PackOptions::default()
    };
    let mut writer = Writer::new(Vec::new(), options).unwrap();
    writer.add_source(name, text).unwrap();
    Archive::new(writer.finish().unwrap().0).unwrap()
}

/// Compares rows; the first difference is shown.
fn assert_same(row: &Row, expected: &Row) {
    let what = format!("game {} of {:?}", row.number, row.source);
    for (comment, expected) in row.comments.iter().zip(&expected.comments) {
        let shown = |text: &[u8]| String::from_utf8_lossy(text).into_owned();
        let [ours, theirs] = [comment, expected].map(|(line, ply, text)| (line, ply, shown(text)));
        assert_eq!(ours, theirs, "{what}");
    }
    assert_eq!(row.comments.len(), expected.comments.len(), "{what}");
    assert_eq!(row.tags, expected.tags, "{what}");
    assert_eq!(row.start, expected.start, "{what}");
    assert_eq!(row.san, expected.san, "{what}");
    assert_eq!(row.nags, expected.nags, "{what}");
    assert_eq!(row.variations, expected.variations, "{what}");
    assert_eq!(row.clocks, expected.clocks, "{what}");
    assert_eq!(row.evals, expected.evals, "{what}");
    assert_eq!(row, expected, "{what}");
}

fn scanned(archive: &Archive) -> Vec<Row> {
    let batches = archive.scan(all_columns());
    batches.flat_map(|batch| rows(&batch.unwrap())).collect()
}

#[test]
fn columns_give_what_the_texts_give() {
    let archive = archive(samples::files(), 7);
    let found = scanned(&archive);
    assert_eq!(found.len() as u64, archive.games());
    let mut with = [0usize; 6];
    for (row, number) in found.into_iter().zip(1..) {
        let expected = expected(&archive, number);
        assert_same(&row, &expected);
        let filled = [
            row.clocks.iter().any(Option::is_some),
            row.evals.iter().any(Option::is_some),
            !row.comments.is_empty(),
            !row.nags.is_empty(),
            row.variations.iter().any(|(parent, ..)| *parent > 0),
            row.start.is_some(),
        ];
        with.iter_mut()
            .zip(filled)
            .for_each(|(with, filled)| *with += usize::from(filled));
    }
    assert!(with.iter().all(|games| *games > 0), "{with:?}");
}

/// A game from its columns is that of its text, but for moves that are not in standard notation.
#[test]
fn a_game_is_that_of_its_text() {
    let archive = archive(samples::files(), 7);
    let moves_left_out = |tokens: &[Token]| -> Vec<Token> {
        let tokens = tokens.iter().map(|token| match token {
            Token::San(_) => Token::San(String::new()),
            token => token.clone(),
        });
        tokens.collect()
    };
    let mut respelled = 0;
    for number in 1..=archive.games() {
        let game = archive.game(number).unwrap();
        let parsed = Game::parse(&archive.text(number).unwrap());
        assert_eq!(game.tags, parsed.tags, "game {number}");
        let tokens = moves_left_out(&parsed.tokens);
        assert_eq!(moves_left_out(&game.tokens), tokens, "game {number}");
        assert_eq!(game.plies(), parsed.plies(), "game {number}");
        respelled += usize::from(game != parsed);
    }
    assert!(respelled > 0);
}

/// Columns of one game are those of a scan of it.
#[test]
fn a_game_has_the_columns_of_a_scan() {
    let archive = archive(samples::files(), 7);
    let columns = [
        GameColumn::Moves,
        GameColumn::San,
        GameColumn::Uci,
        GameColumn::Clocks,
        GameColumn::Evals,
        GameColumn::Comments,
        GameColumn::Nags,
        GameColumn::Variations,
    ];
    for number in 1..=archive.games() {
        let scan = archive.scan(columns.clone()).games(number..=number);
        let batch = scan.map(Result::unwrap).next().unwrap();
        let game = archive.game(number).unwrap();
        for (column, expected) in columns.iter().zip(batch.columns) {
            let found = game.column(column);
            assert_eq!(found, Some(expected), "game {number}, {column:?}");
        }
    }
    assert_eq!(Game::default().column(&GameColumn::Text), None);
}

#[test]
fn a_scan_is_stopped_between_blocks() {
    let archive = archive(samples::files(), 2);
    let seldom = Query {
        filter: Some("plies = 123456".parse().unwrap()),
        ..Query::default()
    };
    for query in [Query::default(), seldom] {
        let asked = Arc::new(AtomicUsize::new(0));
        let scan = |last| {
            let asked = Arc::clone(&asked);
            let stop = move || asked.fetch_add(1, Relaxed) == last;
            let scan = archive.scan([GameColumn::Number]).matching(query.clone());
            scan.stop_when(stop).count()
        };
        let whole = scan(usize::MAX);
        let asked_for_whole = asked.swap(0, Relaxed);
        assert!(asked_for_whole > 2);
        assert_eq!(scan(0), 0);
        assert_eq!(asked.load(Relaxed), 1);
        asked.store(0, Relaxed);
        assert!(scan(asked_for_whole - 1) <= whole);
    }
}

#[test]
fn a_range_and_a_query_select_games() {
    let archive = archive(samples::files(), 7);
    let all = scanned(&archive);
    let numbers = |rows: &[Row]| rows.iter().map(|row| row.number).collect::<Vec<_>>();
    let read = |scan: pgna::Scan<&Archive>| -> Vec<Row> {
        scan.flat_map(|batch| rows(&batch.unwrap())).collect()
    };
    for (first, last) in [(1, 1), (3, 40), (40, u64::MAX), (5, 4), (0, 8)] {
        let some = read(archive.scan(all_columns()).games(first..=last));
        let wanted = |row: &&Row| (first..=last).contains(&u64::try_from(row.number).unwrap());
        let expected: Vec<Row> = all.iter().filter(wanted).cloned().collect();
        assert_eq!(some, expected, "{first} to {last}");
    }
    for filter in [
        "plies > 30",
        "White?",
        "Result = 1-0 and plies < 60",
        "White = nobody",
    ] {
        let query = Query {
            filter: Some(filter.parse().unwrap()),
            ..Query::default()
        };
        let hits = archive.query(&query).unwrap();
        let hits: Vec<u64> = hits.map(|hit| hit.unwrap().number).collect();
        let some = read(
            archive
                .scan(all_columns())
                .matching(query.clone())
                .games(10..=200),
        );
        let expected: Vec<i64> = hits
            .into_iter()
            .filter(|number| (10..=200).contains(number))
            .map(|number| i64::try_from(number).unwrap())
            .collect();
        assert_eq!(numbers(&some), expected, "{filter}");
        assert!(some.iter().all(|row| all.contains(row)));
    }
}

#[test]
fn the_places_that_a_query_finds_are_a_column() {
    let text = "1. e4 (1. Nh3) *\n\n1. e4 e5 2. Nh3 *\n\n1. d4 *\n\n1. Nh3 *\n";
    let archive = archive(&[("a.pgn".to_owned(), text.into())], 2);
    let query = Query {
        positions: vec![PositionTest::pattern(vec!["Nh3".parse().unwrap()])],
        scope: LineScope::AnyLine,
        ..Query::default()
    };
    let found = archive.scan([GameColumn::FoundAt]).matching(query);
    let found = found.flat_map(|batch| {
        let batch = batch.unwrap();
        let [ColumnData::Integers(plies)] = &batch.columns[..] else {
            panic!("integers");
        };
        batch.games.into_iter().zip(plies.clone())
    });
    let places = [(1, None), (2, Some(3)), (4, Some(1))];
    assert_eq!(found.collect::<Vec<_>>(), places);
}

/// The columns that are read without moves are the same as with them.
#[test]
fn each_column_alone_is_what_it_is_among_all() {
    let archive = archive(samples::files(), 16);
    let together: Vec<GameBatch> = archive.scan(all_columns()).map(Result::unwrap).collect();
    for (index, column) in all_columns().into_iter().enumerate() {
        let alone = archive.scan([column.clone()]).map(Result::unwrap);
        let alone: Vec<GameBatch> = alone.collect();
        assert_eq!(alone.len(), together.len());
        for (alone, together) in alone.iter().zip(&together) {
            assert_eq!(alone.games, together.games);
            assert_eq!(
                alone.columns,
                [together.columns[index].clone()],
                "{column:?}"
            );
        }
    }
    let games: usize = archive
        .scan([])
        .map(|batch| batch.unwrap().games.len())
        .sum();
    assert_eq!(games as u64, archive.games());
}

/// Values that name another value of their game, as those of Termination on chess.com do, are
/// planned in segments with many games.
#[test]
fn values_that_name_others_are_those_of_their_games() {
    let mut state = 1u64;
    let mut below = |most: u64| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 33) % most
    };
    let mut game = || {
        let (white, black) = (below(100), below(100));
        let (winner, result) = match below(2) {
            0 => (format!("P{white}"), "1-0"),
            _ => (format!("Q{black}"), "0-1"),
        };
        let how = ["by resignation", "on time", "by checkmate"][below(3) as usize];
        format!(
            "[White \"P{white}\"]\n[Black \"Q{black}\"]\n[Result \"{result}\"]\n\
             [Termination \"{winner} won {how}\"]\n\n1. e4 {result}\n\n"
        )
    };
    let text: String = (0..1000).map(|_| game()).collect();
    let archive = archive_of_long_segments("a.pgn", text.as_bytes());
    let names = ["White", "Black", "Result", "Termination"];
    for batch in archive.scan(names.map(GameColumn::tag)) {
        let batch = batch.unwrap();
        for (at, number) in batch.games.iter().enumerate() {
            let game = Game::parse(&archive.text(*number).unwrap());
            for (name, column) in names.iter().zip(&batch.columns) {
                let ColumnData::Dictionary(values) = column else {
                    panic!("a dictionary");
                };
                assert_eq!(
                    values.get(at),
                    game.tag(name.as_bytes()),
                    "{name} of {number}"
                );
            }
        }
    }
}

#[test]
fn a_damaged_block_costs_its_games() {
    let sources = ["clk-tenths.pgn", "engine-match.pgn"];
    let sources = sources.map(|name| (name.to_owned(), samples::text(name)));
    let bytes = unprotected(packed::pack(&sources, 5));
    let whole = scanned(&Archive::new(&bytes[..]).unwrap());
    for place in places::blocks(&bytes) {
        let mut damaged = bytes.clone();
        damaged[place] ^= 1;
        let archive = Archive::new(damaged).unwrap();
        for query in [None, Some("plies > 0")] {
            let mut scan = archive.scan(all_columns());
            if let Some(filter) = query {
                scan = scan.matching(Query {
                    filter: Some(filter.parse().unwrap()),
                    ..Query::default()
                });
            }
            let (mut found, mut lost) = (Vec::new(), Vec::new());
            for batch in scan {
                match batch {
                    Ok(batch) => found.extend(rows(&batch)),
                    Err(loss) => lost.extend(loss.games),
                }
            }
            assert!(lost.len() <= 5, "{place}");
            assert!(!lost.is_empty() && lost.windows(2).all(|pair| pair[1] == pair[0] + 1));
            let is_lost = |row: &Row| lost.contains(&u64::try_from(row.number).unwrap());
            let left = whole.iter().filter(|row| !is_lost(row));
            let has_plies = |row: &&Row| query.is_none() || !row.moves.is_empty();
            assert!(left.filter(has_plies).eq(&found), "{place}");
        }
    }
}

/// The columns of the first megabytes of each corpus give what its texts give. `PGNA_MEGABYTES`
/// sets their number.
#[test]
#[ignore = "reads the corpora"]
fn columns_of_corpora_give_what_the_texts_give() {
    let megabytes = std::env::var("PGNA_MEGABYTES").map_or(2, |text| text.parse().unwrap());
    for (name, mut text) in crate::corpora::files() {
        text.truncate(megabytes * 1_000_000);
        let archive = archive_of_long_segments(&name, &text);
        for batch in archive.scan(all_columns()) {
            for row in rows(&batch.unwrap()) {
                let number = u64::try_from(row.number).unwrap();
                assert_same(&row, &expected(&archive, number));
            }
        }
        println!("{name}: {} games", archive.games());
    }
}
