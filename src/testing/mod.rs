//! What unit tests of several modules share.

pub(crate) mod examples;
mod unprotected;

use std::collections::BTreeSet;
pub(crate) use unprotected::unprotected;

const REGISTRY: &str = include_str!("../../spec/registry.md");

/// The first in `cargo test`, the second where `PGNA_LONG` is set, as `.ci/long` does.
pub(crate) fn sized<T>(quick: T, long: T) -> T {
    match std::env::var_os("PGNA_LONG") {
        None => quick,
        Some(_) => long,
    }
}

/// The names and numbers in the table under a heading of the registry.
pub(crate) fn registry_numbers(heading: &str) -> Vec<(&'static str, u64)> {
    let marker = format!("\n## {heading}\n");
    let (_, section) = REGISTRY.split_once(&marker).unwrap();
    let lines = section.lines().take_while(|line| !line.starts_with("## "));
    let rows = lines.filter(|line| line.starts_with('|')).skip(2);
    let row = |line: &'static str| {
        let mut cells = line.trim_matches('|').split('|').map(str::trim);
        (
            cells.next().unwrap(),
            cells.next().unwrap().parse().unwrap(),
        )
    };
    let rows: Vec<(&str, u64)> = rows.map(row).collect();
    let names: BTreeSet<&str> = rows.iter().map(|(name, _)| *name).collect();
    assert_eq!(
        names.len(),
        rows.len(),
        "a name of {heading} is there twice"
    );
    rows
}
