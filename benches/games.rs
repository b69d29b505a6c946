//! What single games cost on real collections: fidelity of the layouts, size
//! and speed of the move codecs, time of a single read.
//!
//!     cargo bench --bench games [-- NAME…]
//!
//! Corpora are found as `cargo bench --bench corpora` finds them.

#[path = "corpora/inputs.rs"]
mod inputs;

use anyhow::Result;
use pgna::archive::registry::{DEPARTURES, HABIT, LAYOUT, LAYOUTS, PATCH};
use pgna::archive::{Archive, FileWriter, PackOptions, PackReport};
use pgna::chess::{Outcome, Ply, Position};
use pgna::limits::Limits;
use pgna::moves::{Codec, Line, MoveCodec, Shape, Start, null_plies};
use pgna::pgn::{Lexeme, Rest, Scanner, Splitter, parse};
use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

/// Single reads that are timed.
const READS: u64 = 1000;

fn main() -> Result<()> {
    let names: Vec<String> = std::env::args()
        .skip(1)
        .filter(|arg| arg != "--bench")
        .collect();
    let folder = tempfile::tempdir()?;
    for source in inputs::sources(&names)? {
        let corpus = source.prepare(folder.path())?;
        println!("{} ({} bytes)", corpus.name, corpus.raw_bytes);
        let text = std::fs::read(&corpus.path)?;
        let archive = folder.path().join("corpus.pgna");
        let report = pack(&text, &archive)?;
        fidelity(&report, &archive)?;
        moves(&text)?;
        single_reads(&archive)?;
    }
    Ok(())
}

fn pack(text: &[u8], to: &Path) -> Result<PackReport> {
    let mut file = FileWriter::create(to, PackOptions::default())?;
    file.writer().add_source("corpus.pgn", text)?;
    Ok(file.finish(true)?)
}

/// The share of games whose text the layout alone gives, and what the text
/// beside tags, moves and comments takes.
fn fidelity(report: &PackReport, archive: &Path) -> Result<()> {
    let archive = Archive::map(archive, Limits::default())?;
    let mut layouts = 0;
    for number in 0..archive.container().segments().len() {
        let (segment, _) = archive.container().segment(number)?;
        let (tables, _) = archive.container().tables(&segment)?;
        layouts += tables.get(LAYOUTS, 0).map_or(0, <[u8]>::len) as u64;
    }
    let column = |id| report.columns.get(&id).copied().unwrap_or(0);
    let [ids, habits, departures, patches] = [LAYOUT, HABIT, DEPARTURES, PATCH].map(column);
    let bytes = layouts + ids + habits + departures + patches;
    let rest = |rest| report.rests.get(&rest).copied().unwrap_or(0);
    let apart = rest(Rest::Variation) + rest(Rest::SetUp) + rest(Rest::Variant);
    let verbatim: u64 = report.rests.values().sum::<u64>() - apart;
    let judged = report.games - apart;
    let exact = judged.saturating_sub(verbatim + report.patched);
    println!(
        "  text: {} games, {apart} with variations, set-ups or variants apart; of the other {judged}, \
         {exact} ({:.3} %) need no patch, {} are patched, {verbatim} end verbatim {:?}",
        report.games,
        percent(exact, judged),
        report.patched,
        report.rests,
    );
    println!(
        "  layouts {layouts} B, layout IDs {ids} B, habits {habits} B, SAN departures {departures} B, \
         patches {patches} B: {:.3} B a game",
        ratio(bytes, report.games)
    );
    Ok(())
}

/// The main lines of all games, as far as they are structure.
fn main_lines(text: &[u8]) -> Vec<Vec<Ply>> {
    let line = |record: &[u8]| {
        let lexemes: Vec<Lexeme> = Scanner::new(record).collect();
        parse(record, &lexemes).tree.plies().collect()
    };
    let games =
        Splitter::new(text, true, false).filter(|record| record.is_game && !record.is_piece);
    games
        .map(|record| line(text.get(record.start..record.end).unwrap_or_default()))
        .filter(|line: &Vec<Ply>| !line.is_empty())
        .collect()
}

/// Each codec over all main lines.
fn moves(text: &[u8]) -> Result<()> {
    let lines = main_lines(text);
    let plies: u64 = lines.iter().map(|line| line.len() as u64).sum();
    println!(
        "  moves: {} games, {:.1} plies a game",
        lines.len(),
        ratio(plies, lines.len() as u64)
    );
    let start = Position::standard();
    let endings: Vec<Outcome> = lines.iter().map(|plies| ending(plies)).collect();
    for codec in Codec::ALL {
        let clock = Instant::now();
        let encode = |(plies, ending): (&Vec<Ply>, &Outcome)| {
            codec.encode(Line {
                result: Some(*ending),
                ..Line::new(&start, plies)
            })
        };
        let encoded = lines.iter().zip(&endings).map(encode);
        let encoded: Vec<Vec<u8>> = encoded.collect::<Result<_, _>>()?;
        let encode_time = clock.elapsed();
        let clock = Instant::now();
        for (bytes, line) in encoded.iter().zip(&lines) {
            let nulls = null_plies(line);
            let shape = Shape {
                start: Start::Position(&start),
                plies: line.len() as u64,
                nulls: &nulls,
            };
            black_box(codec.decode(bytes, &shape, &Limits::default())?);
        }
        let decode_time = clock.elapsed();
        let bytes: u64 = encoded.iter().map(|bytes| bytes.len() as u64).sum();
        println!(
            "    {} ({codec:?}): {:.2} bits a ply, {:.1} bytes a game in whole bytes; \
             encode {:.2} M plies/s, decode {:.2} M plies/s",
            codec.name(),
            8.0 * ratio(bytes, plies),
            ratio(bytes, lines.len() as u64),
            millions_a_second(plies, encode_time),
            millions_a_second(plies, decode_time),
        );
    }
    Ok(())
}

/// An ending that every codec can write: by the rules, else an agreed draw.
fn ending(plies: &[Ply]) -> Outcome {
    let mut position = Position::standard();
    let is_legal = plies.iter().all(|ply| position.play(*ply).is_ok());
    let ended = position.outcome().filter(|_| is_legal);
    ended.unwrap_or(Outcome::Draw)
}

/// Games read at random from one open archive.
fn single_reads(archive: &Path) -> Result<()> {
    let archive = Archive::map(archive, Limits::default())?;
    let games = archive.games();
    let mut seed = 1u64;
    let mut times = Vec::new();
    for _ in 0..READS.min(games.saturating_mul(READS)) {
        // Knuth's MMIX generator: the same games in every run.
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let clock = Instant::now();
        black_box(archive.text(1 + (seed >> 32) % games)?);
        times.push(clock.elapsed());
    }
    times.sort();
    let at = |share: usize| {
        times
            .get(times.len() * share / 100)
            .copied()
            .unwrap_or_default()
    };
    println!(
        "  single reads: {} random games, median {:?}, 99th percentile {:?}",
        times.len(),
        at(50),
        at(99)
    );
    Ok(())
}

#[expect(clippy::cast_precision_loss, reason = "figures for people")]
fn ratio(a: u64, b: u64) -> f64 {
    a as f64 / b.max(1) as f64
}

fn percent(part: u64, whole: u64) -> f64 {
    100.0 * ratio(part, whole)
}

fn millions_a_second(count: u64, time: Duration) -> f64 {
    ratio(count, 1_000_000) / time.as_secs_f64()
}
