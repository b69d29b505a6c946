//! What unit tests of several modules share.

const REGISTRY: &str = include_str!("../spec/registry.md");

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
    rows.map(row).collect()
}
