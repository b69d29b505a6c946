//! Rows by year and month, in folders with the names of Hive: `year=2020/month=11`.

use super::columns::ExportRows;
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, BooleanArray, RecordBatch};
use arrow_schema::ArrowError;
use arrow_select::filter::filter_record_batch;
use clap::ValueEnum;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::path::PathBuf;

/// What rows are divided by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub(super) enum PartitionKey {
    /// The year of the game.
    Year,
    /// The month of the game, from 1.
    Month,
}

/// The columns that a partition depends on. The first that has a year counts.
pub(super) const COLUMNS: [&str; 2] = ["UTCDate_text", "Date_text"];

/// The name of Hive for null, which DuckDB, Polars and Spark read.
const NULL: &str = "__HIVE_DEFAULT_PARTITION__";

/// The values of the keys, null where they are unknown.
type Values = Vec<Option<u16>>;

/// Divides rows: the folder and the rows of each part, ordered by the values of the keys.
pub(super) fn divide(
    rows: &ExportRows,
    keys: &[PartitionKey],
) -> Result<Vec<(PathBuf, RecordBatch)>, ArrowError> {
    let len = rows.batch.num_rows();
    let mut parts: BTreeMap<Values, Vec<bool>> = BTreeMap::new();
    for row in 0..len {
        let date = date_of(&rows.dates, row);
        let values = keys.iter().map(|key| match key {
            PartitionKey::Year => date.map(|(year, _)| year),
            PartitionKey::Month => date.and_then(|(_, month)| month),
        });
        let is_in = parts.entry(values.collect()).or_default();
        is_in.resize(row, false);
        is_in.push(true);
    }
    let parts = parts.into_iter().map(|(values, mut is_in)| {
        is_in.resize(len, false);
        let part = filter_record_batch(&rows.batch, &BooleanArray::from(is_in))?;
        Ok((folder(keys, &values), part))
    });
    parts.collect()
}

/// The year and month of a row.
fn date_of(dates: &[ArrayRef], row: usize) -> Option<(u16, Option<u16>)> {
    let texts = dates.iter().map(|dates| dates.as_string::<i32>());
    let mut dates = texts.filter_map(|texts| match texts.is_valid(row) {
        true => date(texts.value(row)),
        false => None,
    });
    dates.next()
}

/// The year of a date such as 1992.11.??, and the month if it is known; in the forms that the
/// columns of dates read too.
fn date(text: &str) -> Option<(u16, Option<u16>)> {
    let mut parts = text.trim().split(['.', '-', '/']);
    let mut number = |digits: RangeInclusive<usize>| -> Option<u16> {
        let part = parts.next()?;
        let is_number =
            digits.contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
        part.parse().ok().filter(|_| is_number)
    };
    let year = number(4..=4).filter(|year| *year > 0)?;
    let month = number(1..=2).filter(|month| (1..=12).contains(month));
    Some((year, month))
}

fn folder(keys: &[PartitionKey], values: &Values) -> PathBuf {
    let folders = keys.iter().zip(values).map(|(key, value)| {
        let name = match key {
            PartitionKey::Year => "year",
            PartitionKey::Month => "month",
        };
        match value {
            Some(value) => format!("{name}={value}"),
            None => format!("{name}={NULL}"),
        }
    });
    folders.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_have_years_and_months() {
        for (text, expected) in [
            ("1992.11.04", Some((1992, Some(11)))),
            ("1992.11.??", Some((1992, Some(11)))),
            (" 1992.??.??", Some((1992, None))),
            ("1992", Some((1992, None))),
            ("1992.13.01", Some((1992, None))),
            ("1992.00.01", Some((1992, None))),
            ("0001.1.1", Some((1, Some(1)))),
            ("2020-01-05", Some((2020, Some(1)))),
            ("2020/3/5", Some((2020, Some(3)))),
            ("0000.00.00", None),
            ("????.11.04", None),
            ("92.11.04", None),
            ("+199.11.04", None),
            ("", None),
        ] {
            assert_eq!(date(text), expected, "{text:?}");
        }
    }

    #[test]
    fn folders_have_the_names_of_hive() {
        let keys = [PartitionKey::Year, PartitionKey::Month];
        let named = folder(&keys, &vec![Some(1992), None]);
        assert_eq!(named, PathBuf::from(format!("year=1992/month={NULL}")));
        assert_eq!(folder(&keys[1..], &vec![Some(7)]), PathBuf::from("month=7"));
    }
}
