//! Parquet, Arrow, CSV and JSON.

use super::{Workspace, assert_same, in_parquet, joined, parquet, samples, scanned};
use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{Array, RecordBatch};
use arrow_ipc::reader::{FileReader, StreamReader};
use arrow_schema::{DataType, Field, Schema};
use pgna::Query;
use pgna::arrow::ArrowColumns;
use serde_json::Value;
use std::io::Cursor;
use std::process::Stdio;
use std::sync::Arc;

/// The values of a column of 64-bit integers.
pub(super) fn integers(rows: &RecordBatch, column: usize) -> Vec<u64> {
    let numbers = rows.column(column).as_primitive::<Int64Type>();
    let numbers = numbers.values().iter();
    numbers
        .map(|number| u64::try_from(*number).unwrap())
        .collect()
}

#[test]
fn parquet_files_have_the_values_of_the_scan() {
    let workspace = samples();
    let args = [
        "export",
        "games.pgna",
        "-o",
        "all.parquet",
        "--columns",
        "all",
    ];
    workspace.run(&args).exits(0);
    let all = scanned(&workspace, &ArrowColumns::all(), None);
    assert_same(&parquet(workspace.read("all.parquet")), &in_parquet(&all));

    let args = ["export", "games.pgna", "-o", "x.pq", "-w", "plies > 60"];
    workspace.run(&args).exits(0);
    let query = Query {
        filter: Some("plies > 60".parse().unwrap()),
        ..Query::default()
    };
    let some = scanned(&workspace, &ArrowColumns::default(), Some(query));
    assert!(some.num_rows() > 10 && some.num_rows() < all.num_rows());
    assert_same(&parquet(workspace.read("x.pq")), &in_parquet(&some));
}

#[test]
fn arrow_files_and_streams_have_the_values_of_the_scan() {
    let workspace = samples();
    let all = scanned(&workspace, &ArrowColumns::all(), None);
    let args = [
        "export",
        "games.pgna",
        "-o",
        "all.arrow",
        "--columns",
        "all",
    ];
    workspace.run(&args).exits(0);
    let file = Cursor::new(workspace.read("all.arrow"));
    let batches = FileReader::try_new(file, None).unwrap();
    assert_same(
        &joined(&batches.map(Result::unwrap).collect::<Vec<_>>()),
        &all,
    );

    let args = ["export", "games.pgna", "--to", "arrow", "--columns", "all"];
    let stream = workspace.run(&args).exits(0).out;
    let batches = StreamReader::try_new(&stream[..], None).unwrap();
    assert_same(
        &joined(&batches.map(Result::unwrap).collect::<Vec<_>>()),
        &all,
    );
}

/// All columns but those whose values are bytes.
fn text_columns() -> Vec<String> {
    let schema = ArrowColumns::all().schema();
    let fields = schema.fields().iter();
    let fields = fields.filter(|field| *field.data_type() != DataType::Binary);
    fields.map(|field| field.name().clone()).collect()
}

#[test]
fn json_has_the_values_of_the_scan() {
    let workspace = samples();
    let names = text_columns();
    let args = [
        "export",
        "games.pgna",
        "-o",
        "x.ndjson",
        "--columns",
        &names.join(","),
    ];
    workspace.run(&args).exits(0);
    let columns = ArrowColumns::by_name(&names).unwrap();
    let text = workspace.read("x.ndjson");
    let reader = arrow_json::ReaderBuilder::new(columns.schema());
    let rows = reader.build(&text[..]).unwrap().map(Result::unwrap);
    let expected = scanned(&workspace, &columns, None);
    assert_same(&joined(&rows.collect::<Vec<_>>()), &expected);
    for line in String::from_utf8(text).unwrap().lines() {
        let value: Value = serde_json::from_str(line).unwrap();
        assert_eq!(value.as_object().unwrap().len(), names.len());
    }
}

#[test]
fn csv_has_the_values_of_json() {
    let workspace = samples();
    let export = |name| {
        let args = ["export", "games.pgna", "-o", name, "--columns", "all"];
        workspace.run(&args).exits(0);
        workspace.read(name)
    };
    let (csv, json) = (export("x.csv"), export("x.ndjson"));
    let names = ArrowColumns::all().schema();
    let fields = names.fields().iter();
    let fields: Vec<Field> = fields
        .map(|field| Field::new(field.name(), DataType::Utf8, true))
        .collect();
    let reader = arrow_csv::ReaderBuilder::new(Arc::new(Schema::new(fields))).with_header(true);
    let cells: Vec<RecordBatch> = reader
        .build(&csv[..])
        .unwrap()
        .map(Result::unwrap)
        .collect();
    let cells = joined(&cells);
    let json = String::from_utf8(json).unwrap();
    assert_eq!(cells.num_rows(), json.lines().count());
    for (row, line) in json.lines().enumerate() {
        let values: Value = serde_json::from_str(line).unwrap();
        for (field, column) in names.fields().iter().zip(cells.columns()) {
            let cell = column.as_string::<i32>();
            let cell = match cell.is_valid(row) {
                true => cell.value(row),
                false => "",
            };
            let value = &values[field.name()];
            let is_same = match (field.data_type(), value) {
                (_, Value::Null) => cell.is_empty(),
                (DataType::List(_), _) => serde_json::from_str::<Value>(cell).unwrap() == *value,
                (_, Value::String(text)) => cell == text,
                (_, Value::Number(number)) => cell == number.to_string(),
                _ => false,
            };
            assert!(is_same, "{}: {cell:?}, not {value}", field.name());
        }
    }
}

#[test]
fn text_formats_show_bytes() {
    let workspace = Workspace::new();
    workspace.write("games.pgn", b"[White \"M\xfcller\"]\n\n1. e4 *\n");
    workspace.run(&["pack", "games.pgn"]).exits(0);
    let columns = "White,White_bytes,pgn";
    let args = [
        "export",
        "games.pgna",
        "--to",
        "ndjson",
        "--columns",
        columns,
    ];
    for (options, name) in [(&[][..], "Müller"), (&["--encoding", "koi8-r"], "MЭller")] {
        let run = workspace.run(&[&args, options].concat()).exits(0);
        let line: Value = serde_json::from_slice(&run.out).unwrap();
        assert_eq!(line["White"], name);
        assert_eq!(line["White_bytes"], "4dfc6c6c6572");
        assert_eq!(line["pgn"], format!("[White \"{name}\"]\n\n1. e4 *\n"));
    }
}

#[test]
fn a_closed_pipe_is_quiet() {
    let workspace = samples();
    // A table that is cut cannot be read.
    for (format, exit) in [
        ("ndjson", 0),
        ("csv", 0),
        ("epd", 0),
        ("arrow", 2),
        ("parquet", 2),
    ] {
        close_pipe(&workspace, format, exit);
    }
}

fn close_pipe(workspace: &Workspace, format: &str, exit: i32) {
    let args = ["export", "games.pgna", "--to", format];
    let mut command = workspace.command(&args);
    let command = command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(exit));
    assert_eq!(output.stderr, b"");
}
