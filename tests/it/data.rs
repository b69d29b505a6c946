//! Games as data: the columns of a scan give what reading each game's text gives.

use crate::{places, samples, sizes};
use pgna::{
    Annotations, Archive, ColumnData, Game, GameBatch, GameColumn, Lists, PackOptions, Position,
    Query, TagKind, TextColumn, TextLists, Token, Variations, Writer,
};

fn columns() -> Vec<GameColumn> {
    vec![
        GameColumn::Number,
        GameColumn::Source,
        GameColumn::tag("White"),
        GameColumn::tag("Result"),
        GameColumn::tag("Opening"),
        GameColumn::tag_as("WhiteElo", TagKind::Integer),
        GameColumn::tag_as("Date", TagKind::Date),
        GameColumn::tag_as("UTCTime", TagKind::Time),
        GameColumn::PlyCount,
        GameColumn::Start,
        GameColumn::Moves,
        GameColumn::San,
        GameColumn::Uci,
        GameColumn::Clocks,
        GameColumn::Evals,
        GameColumn::Comments,
        GameColumn::Nags,
        GameColumn::Variations,
        GameColumn::Movetext,
        GameColumn::Text,
    ]
}

fn pack(sources: &[(String, Vec<u8>)], records: u32) -> Archive {
    let options = PackOptions {
        block_records: records,
        segment_bytes: 20_000,
        codecs: sizes::codecs(),
        ..PackOptions::default()
    };
    let mut writer = Writer::new(Vec::new(), options).unwrap();
    for (name, text) in sources {
        writer.add_source(name, &text[..]).unwrap();
    }
    Archive::new(writer.finish().unwrap().0).unwrap()
}

/// The values of one game, in the form in which they are compared.
#[derive(Debug, Clone, Default, PartialEq)]
struct Row {
    number: i64,
    source: Option<String>,
    tags: Vec<Option<Vec<u8>>>,
    typed: Vec<Option<i64>>,
    start: Option<Vec<u8>>,
    moves: Vec<u16>,
    san: Vec<String>,
    uci: Vec<String>,
    clocks: Vec<Option<i32>>,
    evals: Vec<Option<i32>>,
    comments: Vec<(u32, u32, Vec<u8>)>,
    nags: Vec<(u32, u32, u8)>,
    variations: Vec<(u32, u32, Vec<u16>)>,
    text: Vec<u8>,
}

/// A line of a game that is read from its tokens.
struct OpenLine {
    number: u32,
    plies: u32,
    before: Option<Position>,
    now: Position,
}

/// The movetext of a game that was parsed from its text, played move by move.
fn play(row: &mut Row, game: &Game) {
    let Some(start) = game.position(0) else {
        return;
    };
    let mut lines = vec![OpenLine {
        number: 0,
        plies: 0,
        before: None,
        now: start,
    }];
    // The depth of variations inside a line that has ended at an illegal move.
    let mut skipped: Option<usize> = None;
    for token in &game.tokens {
        let line = lines.last_mut().unwrap();
        match (token, &mut skipped) {
            (Token::BeginVariation, Some(depth)) => *depth += 1,
            (Token::EndVariation, Some(depth)) if *depth > 0 => *depth -= 1,
            (Token::EndVariation, _) => {
                if lines.len() == 1 {
                    return;
                }
                lines.pop();
                skipped = None;
            }
            (Token::BeginVariation, None) => {
                let Some(branch) = line.before.clone() else {
                    return;
                };
                let plies = line.plies - 1;
                row.variations.push((line.number, plies, Vec::new()));
                lines.push(OpenLine {
                    number: u32::try_from(row.variations.len()).unwrap(),
                    plies,
                    before: None,
                    now: branch,
                });
            }
            (Token::San(san), None) => match line.now.ply(san) {
                None => skipped = Some(0),
                Some(ply) => {
                    line.before = Some(line.now.clone());
                    let san = line.now.san(ply).unwrap();
                    line.now.play(ply).unwrap();
                    line.plies += 1;
                    match line.number {
                        0 => {
                            row.moves.push(ply.to_bits());
                            row.san.push(san);
                            row.uci.push(ply.to_string());
                            row.clocks.push(None);
                            row.evals.push(None);
                        }
                        number => {
                            let number = usize::try_from(number).unwrap();
                            row.variations[number - 1].2.push(ply.to_bits());
                        }
                    }
                }
            },
            (Token::Comment(text), None) => {
                row.comments.push((line.number, line.plies, text.clone()));
                if line.number == 0 && line.plies > 0 {
                    let last = row.moves.len() - 1;
                    row.clocks[last] = row.clocks[last].or_else(|| clock(text));
                    row.evals[last] = row.evals[last].or_else(|| eval(text));
                }
            }
            (Token::Nag(nag), None) => row.nags.push((line.number, line.plies, *nag)),
            _ => {}
        }
    }
}

/// The text between a command and its bracket.
fn argument(comment: &[u8], command: &str) -> Option<String> {
    let text: String = comment.iter().map(|byte| char::from(*byte)).collect();
    let (_, rest) = text.split_once(&format!("[%{command} "))?;
    Some(rest.split_once(']')?.0.to_owned())
}

fn clock(comment: &[u8]) -> Option<i32> {
    let text = argument(comment, "clk")?;
    let parts: Vec<&str> = text.split(':').collect();
    let [hours, minutes, seconds] = parts[..] else {
        return None;
    };
    let [hours, minutes] = [hours, minutes].map(|part| part.parse::<f64>().ok());
    let seconds = 3600.0 * hours? + 60.0 * minutes? + seconds.parse::<f64>().ok()?;
    Some((1000.0 * seconds).round() as i32)
}

fn eval(comment: &[u8]) -> Option<i32> {
    let text = argument(comment, "eval")?;
    let value = text.split(',').next().unwrap();
    Some(match value.strip_prefix('#') {
        Some(mate) => {
            let moves: i32 = mate.parse().ok()?;
            let sign = if mate.starts_with('-') { -1 } else { 1 };
            sign * GameColumn::MATE - moves
        }
        None => (100.0 * value.parse::<f64>().ok()?).round() as i32,
    })
}

/// The row of a game by its text alone.
fn expected(archive: &Archive, number: u64) -> Row {
    let text = archive.text(number).unwrap();
    let game = Game::parse(&text);
    let tag = |name: &str| game.tag(name.as_bytes()).map(<[u8]>::to_vec);
    let parsed = |name: &str| {
        let value = tag(name)?;
        std::str::from_utf8(&value).ok()?.trim().parse().ok()
    };
    let mut games_before = 0;
    let source = archive.sources().iter().find(|source| {
        games_before += source.games;
        number <= games_before
    });
    let mut row = Row {
        number: i64::try_from(number).unwrap(),
        source: source.map(|source| source.name.clone()),
        tags: ["White", "Result", "Opening"].map(tag).to_vec(),
        typed: vec![parsed("WhiteElo")],
        start: match game.position(0) {
            None => tag("FEN"),
            Some(start) => {
                let is_other = start != Position::default() || has_set_up(&game);
                is_other.then(|| start.fen().into_bytes())
            }
        },
        text,
        ..Row::default()
    };
    play(&mut row, &game);
    row
}

/// Whether the tags give a start position or a variant.
fn has_set_up(game: &Game) -> bool {
    let given = |name: &[u8]| game.tag(name).filter(|value| !matches!(value, [] | [b'?']));
    given(b"FEN").is_some()
        || given(b"Variant").is_some_and(|variant| {
            ![&b"standard"[..], b"chess", b"normal", b"from position"]
                .contains(&&variant.to_ascii_lowercase()[..])
        })
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn texts(lists: &TextLists, game: usize) -> Vec<String> {
    lists.get(game).map(text).collect()
}

fn value(column: &TextColumn, game: usize) -> Option<Vec<u8>> {
    column.get(game).map(<[u8]>::to_vec)
}

fn comments(column: &Annotations<TextLists>, game: usize) -> Vec<(u32, u32, Vec<u8>)> {
    let places = column.lines.get(game).unwrap().iter();
    let places = places.zip(column.plies.get(game).unwrap());
    let texts = column.values.get(game).map(<[u8]>::to_vec);
    let all: Vec<_> = texts.collect();
    assert_eq!(all.len(), places.len());
    places
        .zip(all)
        .map(|((line, ply), text)| (*line, *ply, text))
        .collect()
}

fn nags(column: &Annotations<Lists<u8>>, game: usize) -> Vec<(u32, u32, u8)> {
    let places = column.lines.get(game).unwrap().iter();
    let places = places.zip(column.plies.get(game).unwrap());
    let nags = column.values.get(game).unwrap().iter();
    places
        .zip(nags)
        .map(|((line, ply), nag)| (*line, *ply, *nag))
        .collect()
}

fn variations(column: &Variations, game: usize) -> Vec<(u32, u32, Vec<u16>)> {
    let moves = column.moves.get(game).unwrap();
    let mut start = 0;
    let ends = column.ends.get(game).unwrap().iter();
    let places = column.parents.get(game).unwrap().iter();
    let places = places.zip(column.plies.get(game).unwrap());
    let of_variation = |((parent, plies), end): ((&u32, &u32), &u32)| {
        let end = usize::try_from(*end).unwrap();
        let own = moves[start..end].to_vec();
        start = end;
        (*parent, *plies, own)
    };
    places.zip(ends).map(of_variation).collect()
}

/// The rows of a batch of [`columns`].
fn rows(batch: &GameBatch) -> Vec<Row> {
    let [
        ColumnData::Integers(number),
        ColumnData::Dictionary(source),
        ColumnData::Dictionary(white),
        ColumnData::Dictionary(result),
        ColumnData::Dictionary(opening),
        ColumnData::Integers(elo),
        ColumnData::Integers(date),
        ColumnData::Integers(time),
        ColumnData::Integers(ply_count),
        ColumnData::Dictionary(start),
        ColumnData::Plies(moves),
        ColumnData::TextLists(san),
        ColumnData::TextLists(uci),
        ColumnData::Numbers(clocks),
        ColumnData::Numbers(evals),
        ColumnData::Comments(comment),
        ColumnData::Nags(nag),
        ColumnData::Variations(variation),
        ColumnData::Texts(movetext),
        ColumnData::Texts(full_text),
    ] = &batch.columns[..]
    else {
        panic!("other columns than asked for");
    };
    let row = |game: usize| {
        assert!(date[game].is_none_or(|days| (-719_162..2_932_897).contains(&days)));
        assert!(time[game].is_none_or(|time| (0..86_400).contains(&time)));
        let full_text = full_text.get(game).unwrap();
        let movetext = movetext.get(game).unwrap();
        assert!(full_text.trim_ascii_end().ends_with(movetext));
        let plies = |text: &[u8]| Game::parse(text).main_line().count();
        assert_eq!(plies(movetext), plies(full_text));
        let in_text = Game::parse(full_text);
        let plies = in_text.main_line().count();
        let what = String::from_utf8_lossy(full_text);
        assert_eq!(ply_count[game], i64::try_from(plies).ok(), "{what}");
        Row {
            number: number[game].unwrap(),
            source: source.get(game).map(text),
            tags: [white, result, opening]
                .map(|tag| value(tag, game))
                .to_vec(),
            typed: vec![elo[game]],
            start: start.get(game).map(<[u8]>::to_vec),
            moves: moves.get(game).unwrap().to_vec(),
            san: texts(san, game),
            uci: texts(uci, game),
            clocks: clocks.get(game).unwrap().to_vec(),
            evals: evals.get(game).unwrap().to_vec(),
            comments: comments(comment, game),
            nags: nags(nag, game),
            variations: variations(variation, game),
            text: full_text.to_vec(),
        }
    };
    (0..batch.games.len()).map(row).collect()
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
    let batches = archive.scan(columns());
    batches.flat_map(|batch| rows(&batch.unwrap())).collect()
}

#[test]
fn columns_give_what_the_texts_give() {
    let archive = pack(samples::files(), 7);
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
    let archive = pack(samples::files(), 7);
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

#[test]
fn a_range_and_a_query_select_games() {
    let archive = pack(samples::files(), 7);
    let all = scanned(&archive);
    let numbers = |rows: &[Row]| rows.iter().map(|row| row.number).collect::<Vec<_>>();
    let read = |scan: pgna::Scan<&Archive>| -> Vec<Row> {
        scan.flat_map(|batch| rows(&batch.unwrap())).collect()
    };
    for (first, last) in [(1, 1), (3, 40), (40, u64::MAX), (5, 4), (0, 8)] {
        let some = read(archive.scan(columns()).games(first..=last));
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
                .scan(columns())
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

/// The columns that are read without moves are the same as with them.
#[test]
fn each_column_alone_is_what_it_is_among_all() {
    let archive = pack(&samples::starts(), 16);
    let together: Vec<GameBatch> = archive.scan(columns()).map(Result::unwrap).collect();
    for (index, column) in columns().into_iter().enumerate() {
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

#[test]
fn a_damaged_block_costs_its_games() {
    let options = PackOptions {
        block_records: 5,
        segment_bytes: 20_000,
        codecs: sizes::codecs(),
        ..PackOptions::default()
    };
    let mut writer = Writer::new(Vec::new(), options).unwrap();
    writer
        .add_source("a.pgn", &samples::text("clk-tenths.pgn")[..])
        .unwrap();
    writer
        .add_source("b.pgn", &samples::text("engine-match.pgn")[..])
        .unwrap();
    let (bytes, _) = writer.finish().unwrap();
    let whole = scanned(&Archive::new(&bytes[..]).unwrap());
    for place in places::blocks(&bytes) {
        let mut damaged = bytes.clone();
        damaged[place] ^= 1;
        let archive = Archive::new(damaged).unwrap();
        for query in [None, Some("plies > 0")] {
            let mut scan = archive.scan(columns());
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
        let archive = pack(&[(name.clone(), text)], 256);
        for batch in archive.scan(columns()) {
            for row in rows(&batch.unwrap()) {
                let number = u64::try_from(row.number).unwrap();
                assert_same(&row, &expected(&archive, number));
            }
        }
        println!("{name}: {} games", archive.games());
    }
}
