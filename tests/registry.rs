//! The tables of `spec/registry.md` are the constants of the code.

use pgna::container::registry;

const REGISTRY: &str = include_str!("../spec/registry.md");

/// The rows of the table under a heading, without the table's head.
fn rows(heading: &str) -> Vec<Vec<String>> {
    let marker = format!("\n## {heading}\n");
    let section = REGISTRY.split_once(&marker).map_or("", |(_, rest)| rest);
    section
        .lines()
        .take_while(|line| !line.starts_with("## "))
        .filter(|line| line.starts_with('|'))
        .skip(2)
        .map(cells)
        .collect()
}

fn cells(line: &str) -> Vec<String> {
    line.trim_matches('|')
        .split('|')
        .map(|cell| cell.trim().trim_matches('`').to_owned())
        .collect()
}

/// The first `count` columns of the table under a heading.
fn columns(heading: &str, count: usize) -> Vec<Vec<String>> {
    let mut rows = rows(heading);
    rows.iter_mut().for_each(|row| row.truncate(count));
    rows
}

fn strings<const N: usize>(rows: impl IntoIterator<Item = [String; N]>) -> Vec<Vec<String>> {
    rows.into_iter().map(Vec::from).collect()
}

fn is_listed_once(rows: &[Vec<String>]) -> bool {
    let mut keys: Vec<_> = rows.iter().filter_map(|row| row.first()).collect();
    let rows = keys.len();
    keys.sort();
    keys.dedup();
    keys.len() == rows
}

#[test]
fn section_types() {
    let code = registry::SECTION_TYPES
        .iter()
        .map(|(section_type, flags, name)| {
            let flags = flags.to_string();
            [section_type.to_string(), flags, (*name).to_owned()]
        });
    let text = columns("Section types", 3);
    assert_eq!(text, strings(code));
    assert!(is_listed_once(&text));
}

#[test]
fn section_flags() {
    let code = registry::SECTION_FLAGS
        .iter()
        .map(|(flag, name)| [flag.to_string(), (*name).to_owned()]);
    assert_eq!(columns("Section flags", 2), strings(code));
}

#[test]
fn table_kinds() {
    let code = registry::TABLE_KINDS
        .iter()
        .map(|(kind, name)| [kind.0.to_string(), (*name).to_owned()]);
    let text = columns("Table kinds", 2);
    assert_eq!(text, strings(code));
    assert!(is_listed_once(&text));
}

#[test]
fn the_container_keeps_to_its_table_kinds() {
    for (kind, name) in registry::TABLE_KINDS {
        assert!(*kind < registry::FIRST_FREE_TABLE_KIND, "{name}");
    }
}

#[test]
fn numbers() {
    let code = registry::NUMBERS
        .iter()
        .map(|(name, number)| [(*name).to_owned(), number.to_string()]);
    let text = columns("Numbers", 2);
    assert_eq!(text, strings(code));
    assert!(is_listed_once(&text));
}
