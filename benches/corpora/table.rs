//! The rows as text and as JSON.

use serde_json::{Value, json};

use crate::measure::{Measured, PEERS, Row, Run};

/// A table of sizes and a table of times.
pub(crate) fn text(rows: &[Row]) -> String {
    let sizes = table(&sizes_head(), rows, sizes);
    let times = table(&times_head(), rows, times);
    format!(
        "Bytes a game, everything counted\n\n{sizes}\n\
         Seconds; peers as a multiple of ours (2.0 = takes twice as long)\n\n{times}"
    )
}

fn sizes_head() -> Vec<String> {
    let own = [
        "corpus",
        "games",
        "raw bytes",
        "archive bytes",
        "raw B/game",
        "B/game",
    ];
    heads(&own, PEERS.iter().map(|peer| peer.name.to_owned()))
}

fn times_head() -> Vec<String> {
    let names = PEERS
        .iter()
        .flat_map(|p| ["pack", "unpack"].map(|verb| format!("{verb} {}", p.name)));
    heads(
        &[
            "corpus",
            "pack s",
            "unpack s",
            "pack MB/s",
            "unpack MB/s",
            "peak MiB of pack",
        ],
        names,
    )
}

fn heads(own: &[&str], peers: impl Iterator<Item = String>) -> Vec<String> {
    own.iter()
        .map(|head| (*head).to_owned())
        .chain(peers)
        .collect()
}

fn sizes(row: &Row) -> Vec<String> {
    let per_game = |bytes: u64| format!("{:.1}", bytes as f64 / row.games.max(1) as f64);
    let peers = row
        .peers
        .iter()
        .map(|p| p.as_ref().map_or_else(missing, |p| per_game(p.bytes)));
    let numbers = [row.games, row.raw_bytes, row.ours.bytes].map(|n| n.to_string());
    let averages = [per_game(row.raw_bytes), per_game(row.ours.bytes)];
    [row.corpus.clone()]
        .into_iter()
        .chain(numbers)
        .chain(averages)
        .chain(peers)
        .collect()
}

fn times(row: &Row) -> Vec<String> {
    let speed = |run: Run| format!("{:.2}", row.raw_bytes as f64 / 1e6 / run.seconds);
    let (pack, unpack) = (row.ours.pack, row.ours.unpack);
    let mut cells = vec![row.corpus.clone()];
    cells.extend([pack, unpack].map(|run| format!("{:.2}", run.seconds)));
    cells.extend([pack, unpack].map(speed));
    cells.push(
        pack.peak_bytes
            .map_or_else(missing, |n| (n >> 20).to_string()),
    );
    for peer in &row.peers {
        let ratio = |theirs: fn(&Measured) -> Run, ours: Run| match peer {
            Some(peer) => format!("{:.2}", theirs(peer).seconds / ours.seconds),
            None => missing(),
        };
        cells.extend([ratio(|m| m.pack, pack), ratio(|m| m.unpack, unpack)]);
    }
    cells
}

fn missing() -> String {
    "n/a".to_owned()
}

/// A Markdown table with aligned columns.
fn table(head: &[String], rows: &[Row], cells: fn(&Row) -> Vec<String>) -> String {
    let mut lines = vec![head.to_vec()];
    lines.extend(rows.iter().map(cells));
    let width = |column: usize| {
        let lengths = lines
            .iter()
            .filter_map(|line| line.get(column))
            .map(|c| c.chars().count());
        lengths.max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..head.len()).map(width).collect();
    let rule = widths.iter().map(|w| "-".repeat(*w)).collect();
    lines.insert(1, rule);
    lines.iter().map(|line| text_line(line, &widths)).collect()
}

fn text_line(line: &[String], widths: &[usize]) -> String {
    let mut cells = line.iter().zip(widths);
    let first = cells
        .next()
        .map(|(cell, w)| format!("| {cell:w$} |"))
        .unwrap_or_default();
    let rest: String = cells.map(|(cell, w)| format!(" {cell:>w$} |")).collect();
    format!("{first}{rest}\n")
}

pub(crate) fn json(rows: &[Row]) -> Value {
    rows.iter().map(json_row).collect()
}

fn json_row(row: &Row) -> Value {
    let peers = PEERS.iter().zip(&row.peers);
    let peers: serde_json::Map<String, Value> = peers
        .map(|(peer, m)| {
            (
                peer.name.to_owned(),
                m.as_ref().map_or(Value::Null, measured),
            )
        })
        .collect();
    json!({
        "corpus": row.corpus,
        "games": row.games,
        "raw_bytes": row.raw_bytes,
        "pgna": measured(&row.ours),
        "peers": peers,
    })
}

fn measured(m: &Measured) -> Value {
    json!({
        "bytes": m.bytes,
        "pack_seconds": m.pack.seconds,
        "unpack_seconds": m.unpack.seconds,
        "pack_peak_bytes": m.pack.peak_bytes,
        "unpack_peak_bytes": m.unpack.peak_bytes,
    })
}
