//! A folder of files by year and month.

use super::{assert_same, parquet, samples, scanned};
use arrow_array::cast::AsArray;
use arrow_array::{Array, BooleanArray, StringArray};
use arrow_select::filter::filter_record_batch;
use pgna::arrow::ArrowColumns;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// All files in a folder, with their paths in it.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        if entry.file_type().unwrap().is_dir() {
            let inner = files(&entry.path()).into_iter();
            found.extend(inner.map(|(path, bytes)| (format!("{name}/{path}"), bytes)));
        } else {
            found.insert(name, fs::read(entry.path()).unwrap());
        }
    }
    found
}

const COLUMNS: &str = "number,White,Date_text,UTCDate_text,moves_san";

/// The folder of a game with these values of UTCDate and Date.
fn folder(dates: [Option<&str>; 2]) -> String {
    let number = |text: Option<&str>| text.and_then(|text| text.parse::<u32>().ok());
    let parts = dates.into_iter().flatten();
    let mut parts = parts.map(|date| date.split('.').collect::<Vec<_>>());
    let date = parts.find(|date| number(date.first().copied()).is_some());
    let date = date.unwrap_or_default();
    let value = |at: usize| match number(date.get(at).copied()) {
        Some(value) => value.to_string(),
        None => "__HIVE_DEFAULT_PARTITION__".to_owned(),
    };
    format!("year={}/month={}", value(0), value(1))
}

#[test]
fn each_game_is_in_the_folder_of_its_date() {
    let workspace = samples();
    let args = "export games.pgna --to parquet --partition year,month -o out --columns";
    let mut args: Vec<&str> = args.split(' ').collect();
    args.push(COLUMNS);
    let run = workspace.run(&args).exits(0);
    let columns = ArrowColumns::by_name(COLUMNS.split(',')).unwrap();
    let all = scanned(&workspace, &columns, None);
    let (dates, utc_dates) = (
        all.column(2).as_string::<i32>(),
        all.column(3).as_string::<i32>(),
    );
    let mut expected: BTreeMap<String, Vec<bool>> = BTreeMap::new();
    for row in 0..all.num_rows() {
        let text = |array: &StringArray| array.is_valid(row).then(|| array.value(row).to_owned());
        let (utc, date) = (text(utc_dates), text(dates));
        let rows = expected.entry(folder([utc.as_deref(), date.as_deref()]));
        let rows = rows.or_insert_with(|| vec![false; all.num_rows()]);
        rows[row] = true;
    }
    let found = files(&workspace.path("out"));
    run.says(&format!(" in {} files", found.len()));
    let paths = expected
        .keys()
        .map(|folder| format!("{folder}/part-0.parquet"));
    assert!(found.keys().cloned().eq(paths));
    assert!(found.len() > 10);
    for (bytes, rows) in found.into_values().zip(expected.into_values()) {
        let rows = filter_record_batch(&all, &BooleanArray::from(rows)).unwrap();
        assert_same(&parquet(bytes), &rows);
    }
}

#[test]
fn a_folder_with_files_is_refused() {
    let workspace = samples();
    let args = "export games.pgna --to csv --partition year -o out --columns number";
    let args: Vec<&str> = args.split(' ').collect();
    fs::create_dir_all(workspace.path("out")).unwrap();
    workspace.run(&args).exits(0);
    let first = files(&workspace.path("out"));
    workspace.run(&args).exits(2).says("has files in it");
    assert!(files(&workspace.path("out")) == first);
    let lines = first
        .values()
        .map(|csv| csv.iter().filter(|byte| **byte == b'\n').count() - 1);
    assert_eq!(
        lines.sum::<usize>() as u64,
        super::archive(&workspace).games()
    );
}
