//! `export`: each format, read by the readers of its library, has the values of the scan.

mod epd;
mod partition;
mod tables;

use super::Workspace;
use crate::{packed, samples};
use arrow_array::cast::AsArray;
use arrow_array::types::{Time32MillisecondType, Time32SecondType};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::{Field, Schema};
use arrow_select::concat::concat_batches;
use parquet::arrow::arrow_reader::{ArrowReaderOptions, ParquetRecordBatchReaderBuilder};
use pgna::arrow::{ArrowColumns, ArrowScan};
use pgna::{Archive, Query};
use std::io::Write;
use std::sync::Arc;

/// A workspace with an archive of the sample collection.
fn samples() -> Workspace {
    let workspace = Workspace::new();
    workspace.write("games.pgna", packed::pack(samples::files(), 7));
    workspace
}

fn archive(workspace: &Workspace) -> Archive {
    Archive::new(workspace.read("games.pgna")).unwrap()
}

/// The rows of a scan.
fn scanned(workspace: &Workspace, columns: &ArrowColumns, query: Option<Query>) -> RecordBatch {
    let archive = archive(workspace);
    let scan = ArrowScan::new(&archive, columns);
    let scan = match query {
        Some(query) => scan.matching(query),
        None => scan,
    };
    joined(&scan.map(Result::unwrap).collect::<Vec<_>>())
}

fn joined(batches: &[RecordBatch]) -> RecordBatch {
    concat_batches(&batches[0].schema(), batches).unwrap()
}

/// Rows as Parquet has them: times in milliseconds.
fn in_parquet(rows: &RecordBatch) -> RecordBatch {
    let schema = rows.schema();
    let fields = schema.fields().iter().zip(rows.columns());
    let columns = fields.map(|(field, column)| {
        let Some(times) = column.as_primitive_opt::<Time32SecondType>() else {
            return (field.clone(), column.clone());
        };
        let times = times.unary::<_, Time32MillisecondType>(|time| 1000 * time);
        let field = Field::new(field.name(), times.data_type().clone(), true);
        (Arc::new(field), Arc::new(times) as ArrayRef)
    });
    let (fields, columns): (Vec<_>, Vec<_>) = columns.unzip();
    RecordBatch::try_new(Arc::new(Schema::new(fields)), columns).unwrap()
}

/// The rows of a Parquet file, with the types of Parquet alone.
fn parquet(bytes: Vec<u8>) -> RecordBatch {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(&bytes).unwrap();
    let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
    let builder = ParquetRecordBatchReaderBuilder::try_new_with_options(file, options).unwrap();
    let schema = builder.schema().clone();
    let batches = builder.build().unwrap();
    let batches: Vec<RecordBatch> = batches.map(Result::unwrap).collect();
    concat_batches(&schema, &batches).unwrap()
}

/// Compares rows column by column.
#[track_caller]
fn assert_same(found: &RecordBatch, expected: &RecordBatch) {
    let names = |batch: &RecordBatch| {
        let schema = batch.schema();
        let fields = schema.fields().iter();
        fields
            .map(|field| (field.name().clone(), field.data_type().clone()))
            .collect::<Vec<_>>()
    };
    assert_eq!(names(found), names(expected));
    for (at, (name, _)) in names(found).iter().enumerate() {
        assert!(found.column(at) == expected.column(at), "{name}");
    }
    assert_eq!(found.num_rows(), expected.num_rows());
}

#[test]
fn wrong_usage_is_explained() {
    let workspace = Workspace::packed();
    let refused = |args: &str, why: &str| {
        let args: Vec<&str> = args.split(' ').collect();
        let mut all = vec!["export", "games.pgna"];
        all.extend(args);
        workspace.run(&all).exits(2).says(why);
        assert_eq!(workspace.names(), ["games.pgn", "games.pgna"]);
    };
    refused("-o games.txt", "games.txt: its extension names no format");
    refused("-w plies>1", "name the format: --to parquet");
    refused("-o x.csv --columns White,elo", "\"elo\" is no column");
    refused("-o x.csv --columns White,White", "is named twice");
    refused("-o x.csv --columns default,White", "is named twice");
    refused("--to epd --columns White", "EPD has no columns");
    refused(
        "--to epd --fen startpos --variations",
        "positions of main lines",
    );
    refused("--to csv -o games.pgna -f", "is an input");
    refused("-o x.csv -w (", "--where");
    refused("--to csv --partition year", "--output");
    refused("--to csv --partition day -o x", "invalid value");
    refused("--to csv --partition year -o -", "writes a folder");
    refused("--to csv --partition year,year -o x", "named twice");
    workspace.write("x.csv", "other");
    workspace
        .run(&["export", "games.pgna", "-o", "x.csv"])
        .exits(2)
        .says("already exists; use -f");
    workspace
        .run(&["export", "games.pgna", "-o", "x.csv", "-f"])
        .exits(0)
        .says("x.csv: 2 games, ");
    assert!(workspace.read("x.csv").starts_with(b"Event,Site,White"));
}

#[test]
fn games_that_are_not_there_are_not_found() {
    let workspace = Workspace::packed();
    let args = ["export", "games.pgna", "--to", "csv", "--columns", "White"];
    let with = |more: &[&str]| workspace.run(&[&args[..], more].concat());
    with(&["3"]).exits(1).says("no game 3: the archive has 2");
    let run = with(&["-w", "Whit = A"]).exits(1);
    assert_eq!(run.text(), "White\n");
    assert!(run.says("no game has a tag Whit").err.lines().count() == 1);
    let args = [
        "export",
        "games.pgna",
        "--to",
        "CSV",
        "--columns",
        "Resul, default",
    ];
    workspace
        .run(&args)
        .exits(0)
        .says("no game has a tag Resul");
    let args = ["export", "games.pgna", "--to", "csv", "-w", "Date > 2030"];
    assert!(!workspace.run(&args).exits(1).err.contains("no game has"));
    assert_eq!(with(&["2-"]).exits(0).text(), "White\n\"\"\n");
    assert_eq!(
        with(&["--limit", "1"]).exits(0).text(),
        "White\n\"Müller\"\"s\"\n"
    );
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let workspace = samples();
    for format in ["parquet", "arrow", "csv", "ndjson", "epd"] {
        let export = |threads: &str| {
            let name = format!("games-{threads}.{format}");
            let mut args = vec!["export", "games.pgna", "-o", &name, "-T", threads];
            if format != "epd" {
                args.extend(["--columns", "all"]);
            }
            workspace.run(&args).exits(0);
            workspace.read(&name)
        };
        assert!(export("1") == export("5"), "{format}");
    }
}

#[test]
fn damaged_games_are_reported_and_left_out() {
    let workspace = samples();
    let bytes = workspace.unprotect("games.pgna");
    let place = crate::places::blocks(&bytes)[1];
    let mut damaged = bytes.clone();
    damaged[place] ^= 1;
    workspace.write("games.pgna", damaged);
    let args = [
        "export",
        "games.pgna",
        "-o",
        "x.parquet",
        "--columns",
        "number,moves",
    ];
    let run = workspace.run(&args).exits(4).says("cannot read games");
    assert!(run.err.contains("x.parquet: "));
    let lost = archive(&workspace).verify_checksums(|_| {});
    let lost = lost[0].games.clone();
    let rows = parquet(workspace.read("x.parquet"));
    let numbers = tables::integers(&rows, 0);
    let games = 1..=archive(&workspace).games();
    let whole: Vec<u64> = games.filter(|game| !lost.contains(game)).collect();
    assert!(!lost.is_empty());
    assert_eq!(numbers, whole);
}
