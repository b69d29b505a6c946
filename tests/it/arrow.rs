//! Games as Arrow record batches: every array has the values of the column of the scan.

use crate::unprotected::unprotected;
use crate::{packed, places, samples};
use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Date32Type, Int16Type, Int32Type, Int64Type, Time32SecondType, UInt8Type,
    UInt16Type, UInt32Type,
};
use arrow_array::{Array, RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, DataType, TimeUnit};
use pgna::arrow::{ArrowColumns, ArrowScan};
use pgna::{Archive, ColumnData, GameColumn, Lists, Loss, Query, TagKind, TextEncoding, TextLists};
use std::sync::{Arc, mpsc};

/// Each column with its name, those of the table first, in their order.
fn named() -> Vec<(&'static str, GameColumn)> {
    let tag = |name| (name, GameColumn::tag(name));
    let typed = |name, kind| (name, GameColumn::tag_as(name, kind));
    vec![
        tag("Event"),
        tag("Site"),
        tag("White"),
        tag("Black"),
        tag("Result"),
        tag("WhiteTitle"),
        tag("BlackTitle"),
        typed("WhiteElo", TagKind::Integer),
        typed("BlackElo", TagKind::Integer),
        typed("WhiteRatingDiff", TagKind::Integer),
        typed("BlackRatingDiff", TagKind::Integer),
        typed("UTCDate", TagKind::Date),
        typed("UTCTime", TagKind::Time),
        tag("ECO"),
        tag("Opening"),
        tag("Termination"),
        tag("TimeControl"),
        ("movetext", GameColumn::Movetext),
        typed("Date", TagKind::Date),
        ("number", GameColumn::Number),
        ("source", GameColumn::Source),
        ("ply_count", GameColumn::PlyCount),
        ("start", GameColumn::Start),
        ("moves", GameColumn::Moves),
        ("moves_san", GameColumn::San),
        ("moves_uci", GameColumn::Uci),
        ("fens", GameColumn::Fens),
        ("clocks", GameColumn::Clocks),
        ("evals", GameColumn::Evals),
        ("comments", GameColumn::Comments),
        ("nags", GameColumn::Nags),
        ("variations", GameColumn::Variations),
        ("found_at", GameColumn::FoundAt),
        ("pgn", GameColumn::Text),
        tag("Round"),
        ("Date_text", GameColumn::tag("Date")),
        ("UTCTime_text", GameColumn::tag("UTCTime")),
        ("White_bytes", GameColumn::tag("White")),
    ]
}

fn columns() -> ArrowColumns {
    ArrowColumns::by_name(named().iter().map(|(name, _)| name)).unwrap()
}

fn pack(sources: &[(String, Vec<u8>)]) -> Vec<u8> {
    packed::pack(sources, 7)
}

fn archive_of(text: &[u8]) -> Archive {
    Archive::new(pack(&[("a.pgn".to_owned(), text.to_vec())])).unwrap()
}

/// A value of a column, in the form in which values are compared.
#[derive(Debug, Clone, PartialEq)]
enum Cell {
    Null,
    Number(i64),
    Text(String),
    Bytes(Vec<u8>),
    /// A list or the fields of a structure.
    Many(Vec<Cell>),
}

fn number(value: Option<impl Into<i64>>) -> Cell {
    value.map_or(Cell::Null, |value| Cell::Number(value.into()))
}

fn numbers<T: Copy + Into<i64>>(values: &[T]) -> Cell {
    Cell::Many(values.iter().map(|value| number(Some(*value))).collect())
}

fn text(value: &[u8]) -> Cell {
    Cell::Text(TextEncoding::default().decode(value).into_owned())
}

fn primitive<T: ArrowPrimitiveType>(array: &dyn Array, index: usize) -> Cell
where
    T::Native: Into<i64>,
{
    number(Some(array.as_primitive::<T>().value(index)))
}

/// A value of an array.
fn cell(array: &dyn Array, index: usize) -> Cell {
    if array.is_null(index) {
        return Cell::Null;
    }
    match array.data_type() {
        DataType::UInt8 => primitive::<UInt8Type>(array, index),
        DataType::UInt16 => primitive::<UInt16Type>(array, index),
        DataType::UInt32 => primitive::<UInt32Type>(array, index),
        DataType::Int16 => primitive::<Int16Type>(array, index),
        DataType::Int32 => primitive::<Int32Type>(array, index),
        DataType::Int64 => primitive::<Int64Type>(array, index),
        DataType::Date32 => primitive::<Date32Type>(array, index),
        DataType::Time32(TimeUnit::Second) => primitive::<Time32SecondType>(array, index),
        DataType::Utf8 => Cell::Text(array.as_string::<i32>().value(index).to_owned()),
        DataType::Binary => Cell::Bytes(array.as_binary::<i32>().value(index).to_vec()),
        DataType::List(_) => {
            let list = array.as_list::<i32>().value(index);
            Cell::Many((0..list.len()).map(|item| cell(&list, item)).collect())
        }
        DataType::Struct(_) => {
            let fields = array.as_struct().columns().iter();
            Cell::Many(fields.map(|field| cell(field, index)).collect())
        }
        other => panic!("no column has the type {other}"),
    }
}

fn placed(lines: &Lists<u32>, plies: &Lists<u32>, values: Vec<Cell>, game: usize) -> Cell {
    let (lines, plies) = (lines.get(game).unwrap(), plies.get(game).unwrap());
    assert_eq!([lines.len(), plies.len()], [values.len(); 2]);
    let places = lines.iter().zip(plies).zip(values);
    let item = |((line, ply), value): ((&u32, &u32), Cell)| {
        Cell::Many(vec![number(Some(*line)), number(Some(*ply)), value])
    };
    Cell::Many(places.map(item).collect())
}

fn texts(lists: &TextLists, game: usize) -> Vec<Cell> {
    lists.get(game).map(text).collect()
}

/// The value of a game that a column of this type has to have.
fn expected(data: &ColumnData, data_type: &DataType, game: usize) -> Cell {
    let is_binary = *data_type == DataType::Binary;
    let text_or_bytes = |value: &[u8]| match is_binary {
        true => Cell::Bytes(value.to_vec()),
        false => text(value),
    };
    match data {
        ColumnData::Integers(values) => {
            let is_small = *data_type == DataType::Int16;
            let fits = |value: &i64| !is_small || i16::try_from(*value).is_ok();
            number(values[game].filter(fits))
        }
        ColumnData::Dictionary(values) => values.get(game).map_or(Cell::Null, text_or_bytes),
        ColumnData::Texts(values) => text_or_bytes(values.get(game).unwrap()),
        ColumnData::Plies(lists) => numbers(lists.get(game).unwrap()),
        ColumnData::Numbers(lists) => Cell::Many(
            lists
                .get(game)
                .unwrap()
                .iter()
                .copied()
                .map(number)
                .collect(),
        ),
        ColumnData::TextLists(lists) => Cell::Many(texts(lists, game)),
        ColumnData::Comments(it) => placed(&it.lines, &it.plies, texts(&it.values, game), game),
        ColumnData::Nags(it) => {
            let nags = it.values.get(game).unwrap().iter();
            let nags = nags.map(|nag| number(Some(*nag))).collect();
            placed(&it.lines, &it.plies, nags, game)
        }
        ColumnData::Variations(it) => {
            let moves = it.moves.get(game).unwrap();
            let mut start = 0;
            let ends = it.ends.get(game).unwrap().iter();
            let moves = ends.map(|end| {
                let end = usize::try_from(*end).unwrap();
                let own = numbers(&moves[start..end]);
                start = end;
                own
            });
            placed(&it.parents, &it.plies, moves.collect(), game)
        }
        other => panic!("no column is {other:?}"),
    }
}

#[test]
fn every_array_has_the_values_of_its_column() {
    let archive = Archive::new(pack(samples::files())).unwrap();
    let scan = ArrowScan::new(&archive, &columns());
    let schema = scan.schema();
    let names = schema.fields().iter().map(|field| &field.name()[..]);
    assert!(names.eq(named().iter().map(|(name, _)| *name)));
    let all = ArrowColumns::all().schema();
    assert!(
        all.fields()
            .iter()
            .eq(schema.fields().iter().take(all.fields().len()))
    );

    let mut games = 0;
    let mut filled = vec![false; named().len()];
    let expected_batches = archive.scan(named().into_iter().map(|(_, column)| column));
    for (batch, data) in scan.zip(expected_batches) {
        let (batch, data) = (batch.unwrap(), data.unwrap());
        assert_eq!(batch.schema(), schema);
        assert_eq!(batch.num_rows(), data.games.len());
        games += batch.num_rows();
        for (at, field) in schema.fields().iter().enumerate() {
            for game in 0..batch.num_rows() {
                let value = expected(&data.columns[at], field.data_type(), game);
                let found = cell(batch.column(at), game);
                let what = format!("{} of game {}", field.name(), data.games[game]);
                assert_eq!(found, value, "{what}");
                filled[at] |= found != Cell::Null && found != Cell::Many(Vec::new());
            }
        }
    }
    assert_eq!(games as u64, archive.games());
    let names = schema.fields().iter().map(|field| field.name());
    let empty = names.zip(filled).filter(|(_, filled)| !filled);
    let empty: Vec<&str> = empty.map(|(name, _)| &name[..]).collect();
    // No position was sought.
    assert_eq!(empty, ["found_at"]);
}

/// The only batch with some columns of an archive.
fn only_batch(archive: &Archive, names: &[&str]) -> RecordBatch {
    let columns = ArrowColumns::by_name(names).unwrap();
    let mut batches = ArrowScan::new(archive, &columns);
    let batch = batches.next().unwrap().unwrap();
    assert!(batches.next().is_none());
    batch
}

fn column(batch: &RecordBatch, at: usize) -> Vec<Cell> {
    let array = batch.column(at);
    (0..array.len()).map(|game| cell(array, game)).collect()
}

#[test]
fn text_that_is_not_utf_8_is_read_in_the_encoding() {
    let archive = archive_of(
        b"[White \"M\xfcller\"]\n\n1. e4 { gr\xf6\xdfer } 1-0\n\n\
          [White \"M\xc3\xbcller\"]\n\n1. d4 { gut } *\n\n[Black \"b\"]\n\n*\n",
    );
    let batch = only_batch(
        &archive,
        &["White", "White_bytes", "movetext", "pgn", "comments"],
    );
    let names = [
        text("Müller".as_bytes()),
        text(b"M\xc3\xbcller"),
        Cell::Null,
    ];
    assert_eq!(column(&batch, 0), names);
    let bytes = |bytes: &[u8]| Cell::Bytes(bytes.to_vec());
    let names = [bytes(b"M\xfcller"), bytes(b"M\xc3\xbcller"), Cell::Null];
    assert_eq!(column(&batch, 1), names);
    let replaced = text("1. e4 { größer } 1-0".as_bytes());
    assert_eq!(column(&batch, 2)[..2], [replaced, text(b"1. d4 { gut } *")]);
    let texts = (1..=3).map(|number| bytes(&archive.text(number).unwrap()));
    assert_eq!(column(&batch, 3), texts.collect::<Vec<_>>());
    let Cell::Many(comments) = &column(&batch, 4)[0] else {
        panic!("a list");
    };
    let comment = text(" größer ".as_bytes());
    let place = [1, 0].map(Cell::Number);
    let [line, ply] = [place[1].clone(), place[0].clone()];
    assert_eq!(comments, &[Cell::Many(vec![line, ply, comment])]);
    let archive = archive.with_encoding("windows-1251".parse().unwrap());
    let batch = only_batch(&archive, &["White"]);
    assert_eq!(column(&batch, 0)[0], text("Mьller".as_bytes()));
}

#[test]
fn values_of_another_kind_are_null() {
    let archive = archive_of(
        b"[Date \"1992.??.??\"]\n[WhiteElo \"32768\"]\n[UTCTime \"25:00:00\"]\n\n*\n\n\
          [Date \"1992.11.04\"]\n[WhiteElo \"32767\"]\n[UTCTime \"23:00:01\"]\n\n*\n\n\
          [Date \"?\"]\n[WhiteElo \"-32769\"]\n[BlackElo \"?\"]\n\n*\n",
    );
    let names = [
        "Date",
        "Date_text",
        "WhiteElo",
        "WhiteElo_text",
        "UTCTime",
        "BlackElo",
    ];
    let batch = only_batch(&archive, &names);
    let [null, number] = [|_| Cell::Null, Cell::Number];
    assert_eq!(column(&batch, 0), [null(0), number(8343), null(0)]);
    let dates = ["1992.??.??", "1992.11.04", "?"];
    assert_eq!(column(&batch, 1), dates.map(|date| text(date.as_bytes())));
    assert_eq!(column(&batch, 2), [null(0), number(32_767), null(0)]);
    let elos = ["32768", "32767", "-32769"];
    assert_eq!(column(&batch, 3), elos.map(|elo| text(elo.as_bytes())));
    assert_eq!(column(&batch, 4), [null(0), number(82_801), null(0)]);
    assert_eq!(column(&batch, 5), [null(0), null(0), null(0)]);
}

/// The numbers of the games of batches whose first column is the number.
fn games(batches: &[RecordBatch]) -> Vec<i64> {
    let numbers = batches.iter().map(|batch| batch.column(0));
    numbers
        .flat_map(|column| column.as_primitive::<Int64Type>().values().to_vec())
        .collect()
}

#[test]
fn a_range_and_a_query_select_games() {
    let archive = Archive::new(pack(samples::files())).unwrap();
    let columns = ArrowColumns::by_name(["number"]).unwrap();
    let query = Query {
        filter: Some("plies > 30".parse().unwrap()),
        ..Query::default()
    };
    let hits = archive.query(&query).unwrap();
    let hits = hits.map(|hit| i64::try_from(hit.unwrap().number).unwrap());
    let hits: Vec<i64> = hits.filter(|number| (10..=200).contains(number)).collect();
    let scan = ArrowScan::new(&archive, &columns);
    let scan = scan.games(10..=200).matching(query);
    let found: Vec<RecordBatch> = scan.map(Result::unwrap).collect();
    assert_eq!(games(&found), hits);
    assert!(hits.len() > 10);
}

#[test]
fn batches_without_columns_have_their_rows() {
    let archive = Archive::new(pack(&samples::starts())).unwrap();
    let columns = ArrowColumns::by_name([""; 0]).unwrap();
    let rows = ArrowScan::new(&archive, &columns).map(|batch| batch.unwrap().num_rows());
    assert_eq!(rows.sum::<usize>() as u64, archive.games());
}

/// A reader that owns its archive goes to another thread, as one boxed type.
#[test]
fn a_reader_can_be_sent() {
    let archive = Arc::new(archive_of(b"1. e4 *\n"));
    let scan = ArrowScan::new(archive, &ArrowColumns::default());
    let reader: Box<dyn RecordBatchReader + Send> = Box::new(scan);
    let rows = std::thread::spawn(|| reader.map(|batch| batch.unwrap().num_rows()).sum());
    assert_eq!(rows.join().ok(), Some(1));
}

#[test]
fn a_damaged_block_is_an_error_or_is_skipped() {
    let sources = ["clk-tenths.pgn", "engine-match.pgn"];
    let bytes = pack(&sources.map(|name| (name.to_owned(), samples::text(name))));
    let bytes = unprotected(bytes);
    let columns = ArrowColumns::by_name(["number", "movetext"]).unwrap();
    let whole = Archive::new(&bytes[..]).unwrap();
    let all: Vec<RecordBatch> = ArrowScan::new(&whole, &columns)
        .map(Result::unwrap)
        .collect();
    for place in places::blocks(&bytes) {
        let mut damaged = bytes.clone();
        damaged[place] ^= 1;
        let archive = Archive::new(damaged).unwrap();

        let results: Vec<_> = ArrowScan::new(&archive, &columns).collect();
        let (found, errors): (Vec<_>, Vec<_>) = results.into_iter().partition(Result::is_ok);
        let found: Vec<RecordBatch> = found.into_iter().map(Result::unwrap).collect();
        let [Err(ArrowError::ExternalError(error))] = &errors[..] else {
            panic!("{errors:?}");
        };
        let lost = error.downcast_ref::<Loss>().unwrap();

        let (sender, losses) = mpsc::channel();
        let scan = ArrowScan::new(&archive, &columns);
        let scan = scan.skip_losses(move |loss| sender.send(loss).unwrap());
        let skipped: Vec<RecordBatch> = scan.map(Result::unwrap).collect();
        assert_eq!(skipped, found);
        let losses: Vec<_> = losses.into_iter().collect();
        assert_eq!(losses.len(), 1);
        assert_eq!(losses[0].games, lost.games);
        assert_eq!(losses[0].error.to_string(), lost.error.to_string());
        let is_lost = |number: &i64| losses[0].games.contains(&u64::try_from(*number).unwrap());
        let mut left = games(&all);
        left.retain(|number| !is_lost(number));
        assert_eq!(games(&found), left);
        assert!(left.len() < games(&all).len());
    }
}
