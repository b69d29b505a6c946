//! The time to find positions in an open archive, material, patterns and structure, and games by their
//! tags.
//!
//!     cargo bench --bench queries -- ARCHIVE [LIST]
//!
//! Positions are taken from games spread over the whole archive, at several plies; `hot`
//! are those of the lines that most games share. For each kind it prints the number of
//! games with such a position, the number of games whose moves were read, and the time,
//! as median and maximum. If LIST is given, the queries are written there, one per line,
//! with the hits: `benches/scid/queries.tcl` runs the same queries in Scid.
//!
//! Expressions on positions and filters are run on an archive that has just been opened, and again
//! while it stays open; of the later runs the minimum counts. The games with an expression are
//! counted, as by `find --count`; those of `benches/patterns` are asked, of which Scid's searches are
//! timed in an open base too.

use anyhow::{Context, Result};
use pgna::{Archive, Filter, Limits, PositionTest, Query};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::time::Instant;

/// The number of positions of each kind.
const POSITIONS: u64 = 25;

/// The number of plies before the positions of each kind.
const PLIES: [usize; 5] = [16, 24, 30, 50, 70];

/// The range of White's ratings, and the range of ECO codes.
const RATINGS_AND_ECO: [&str; 4] = ["2600", "2700", "B90", "B99"];

/// Conditions on positions, as in `benches/patterns/questions.py`.
const EXPRESSIONS: [&str; 16] = [
    "pattern \"Bh7 Kg1 kg8\"",
    "pattern \"Nd5 pd6 .e4\"",
    "pattern \"Ra7 Rb7\"",
    "pattern \"Nd5 pd6 pe5\" or pattern \"nd4 Pd3 Pe4\"",
    "isolated [Pp]d",
    "opposite bishops and [Pp] >= 1",
    "passed P7 or passed p2",
    "castled opposite",
    "doubled Pc",
    "material KRPkrp",
    "material KQPkq",
    "material KRP*krp*",
    "material KBBP*knnp*",
    "material KBP*kbp* and opposite bishops",
    "material KRP+krp* and Pa and not p[a,b] or material KRP*krp+ and pa and not P[a,b]",
    "Pc4 and Pe4 and pd and not Pd and not pc and not pd5",
];

/// The number of repetitions of each query, of which the minimum counts.
const ROUNDS: usize = 3;

fn main() -> Result<()> {
    let mut args = std::env::args().skip(1).filter(|arg| arg != "--bench");
    let path = args.next().context("name an archive")?;
    let archive = Archive::map(Path::new(&path), Limits::default())?;
    let mut list = match args.next() {
        Some(path) => Some(std::fs::File::create(path)?),
        None => None,
    };
    println!("{path}: {} games", archive.games());
    println!("kind        hits            games read      ms");
    println!("          median    most  median    most  median    most");
    row(
        &archive,
        "absent",
        &["7k/8/8/8/8/8/8/KNNN4 w - -".to_owned()],
        &mut list,
    )?;
    row(&archive, "hot", &frequent_positions(&archive)?, &mut list)?;
    for ply in PLIES {
        let positions = positions(&archive, ply)?;
        row(&archive, &format!("ply {ply}"), &positions, &mut list)?;
    }
    row(
        &archive,
        "last",
        &positions(&archive, usize::MAX)?,
        &mut list,
    )?;
    println!();
    println!(
        "expression                                                        hits   first ms   later ms"
    );
    for expression in EXPRESSIONS {
        let query = Query {
            positions: vec![expression.parse()?],
            places: false,
            ..Query::default()
        };
        timed_row(&path, expression, &query)?;
    }
    println!();
    println!(
        "filter                                                            hits   first ms   later ms"
    );
    let player = common_player(&archive)?;
    let [low, high, first, last] = RATINGS_AND_ECO;
    let elo_and_eco = format!("WhiteElo in {low}..{high} and ECO in \"{first}\"..\"{last}\"");
    let asked = [
        ("player", player.clone(), by("player", &player)?),
        ("white", player.clone(), by("White", &player)?),
        ("ratings", RATINGS_AND_ECO.join(" "), elo_and_eco.parse()?),
    ];
    for (kind, what, filter) in asked {
        let (hits, ms) = filter_row(&path, &format!("{kind} {what}"), filter)?;
        if let Some(list) = &mut list {
            writeln!(list, "{kind}\t{what}\t{hits}\t{ms:.3}")?;
        }
    }
    Ok(())
}

/// The player who has White most often in a sample of the games.
fn common_player(archive: &Archive) -> Result<String> {
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    for number in (1..=archive.games()).step_by(usize::try_from(archive.games() / 500 + 1)?) {
        if let Some(name) = archive.game(number)?.tag(b"White") {
            let name = String::from_utf8_lossy(name).into_owned();
            *counts.entry(name).or_default() += 1;
        }
    }
    let most = counts.into_iter().max_by_key(|(_, count)| *count);
    Ok(most.context("no game names White")?.0)
}

fn by(field: &str, name: &str) -> Result<Filter> {
    let name = name.replace('\\', r"\\").replace('"', "\\\"");
    Ok(format!("{field} ~ \"{name}\"").parse()?)
}

/// The number of games that match, and the minimum time of the later runs in
/// milliseconds.
fn filter_row(path: &str, name: &str, filter: Filter) -> Result<(usize, f64)> {
    let query = Query {
        filter: Some(filter),
        ..Query::default()
    };
    timed_row(path, name, &query)
}

/// The number of hits, and the minimum time of the later runs in milliseconds.
fn timed_row(path: &str, name: &str, query: &Query) -> Result<(usize, f64)> {
    let archive = Archive::map(Path::new(path), Limits::default())?;
    let mut times = Vec::new();
    let mut hits = 0;
    for _ in 0..=ROUNDS {
        let clock = Instant::now();
        hits = archive.query(query)?.count();
        times.push(clock.elapsed().as_secs_f64() * 1e3);
    }
    let first = times.remove(0);
    let later = times.into_iter().fold(f64::INFINITY, f64::min);
    println!("{name:60} {hits:9} {first:10.1} {later:10.2}");
    Ok((hits, later))
}

/// Positions after `ply` plies, or at the end of shorter games.
fn positions(archive: &Archive, ply: usize) -> Result<Vec<String>> {
    let step = (archive.games() / POSITIONS).max(1);
    let mut fens = Vec::new();
    for number in (1..=archive.games()).step_by(usize::try_from(step)?) {
        let game = archive.game(number)?;
        let ply = ply.min(game.main_line_plies().len());
        fens.extend(game.main_line_position(ply).map(|position| position.fen()));
    }
    Ok(fens)
}

/// The most frequent positions in a sample of the games after 6, 8, 10 and 12 plies.
fn frequent_positions(archive: &Archive) -> Result<Vec<String>> {
    let mut hot = Vec::new();
    for ply in [6, 8, 10, 12] {
        let mut counts: BTreeMap<String, u64> = BTreeMap::new();
        for number in (1..=archive.games()).step_by(usize::try_from(archive.games() / 500 + 1)?) {
            if let Some(position) = archive.game(number)?.main_line_position(ply) {
                *counts.entry(position.fen()).or_default() += 1;
            }
        }
        let mut counts: Vec<(String, u64)> = counts.into_iter().collect();
        counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        hot.extend(counts.into_iter().take(3).map(|(fen, _)| fen));
    }
    Ok(hot)
}

fn row(
    archive: &Archive,
    kind: &str,
    positions: &[String],
    list: &mut Option<std::fs::File>,
) -> Result<()> {
    let (mut found, mut read, mut times) = (Vec::new(), Vec::new(), Vec::new());
    for fen in positions {
        let Ok(board) = PositionTest::exact(fen) else {
            continue;
        };
        let query = Query {
            positions: vec![board],
            ..Query::default()
        };
        let mut best = f64::INFINITY;
        let mut seen = (0, 0);
        for _ in 0..ROUNDS {
            let clock = Instant::now();
            let mut hits = archive.query(&query)?;
            let count = hits.by_ref().count() as u64;
            seen = (count, hits.games_read());
            best = best.min(clock.elapsed().as_secs_f64());
        }
        if let Some(list) = list {
            writeln!(list, "{kind}\t{fen}\t{}\t{:.3}", seen.0, best * 1e3)?;
        }
        found.push(seen.0 as f64);
        read.push(seen.1 as f64);
        times.push(best * 1e3);
    }
    let (found, read, times) = (
        median_and_max(found),
        median_and_max(read),
        median_and_max(times),
    );
    println!(
        "{kind:8} {:7.0} {:7.0} {:7.0} {:7.0} {:7.2} {:7.2}",
        found.0, found.1, read.0, read.1, times.0, times.1
    );
    Ok(())
}

/// Median and maximum.
fn median_and_max(mut values: Vec<f64>) -> (f64, f64) {
    values.sort_by(f64::total_cmp);
    let at = |place: usize| values.get(place).copied().unwrap_or(f64::NAN);
    (at(values.len() / 2), at(values.len().wrapping_sub(1)))
}
