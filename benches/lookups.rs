//! The effect of the block size: the size of an archive with 16 to 4,096 games per
//! block, and the time to look up one game.
//!
//!     cargo bench --bench lookups [-- NAME…]
//!
//! Each lookup is of a random game in an open archive whose segment tables are
//! cached, but not the game's block. `head` is the tag pairs, plies and result,
//! which are read from columns. `text` is the whole game; `moves` is the part of it
//! that decodes the main line, and `rest` is the remainder. `again` is the text a
//! second time, with the block and its columns cached: moves, marks and rendering.
//! Each lookup is repeated and its minimum counts. The figures are medians in
//! microseconds. Corpora are found as by `cargo bench --bench corpora`.

#[path = "corpora/each.rs"]
mod each;
#[path = "corpora/inputs.rs"]
mod inputs;

use anyhow::Result;
use pgna::internals::moves::{Line, LineInfo, LineStart, MoveCodec, SideInfo};
use pgna::{
    Archive, BuiltinModel, Codec, FileWriter, Game, Indexes, Limits, MoveModel, PackOptions,
};
use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

const BLOCK_RECORDS: [u32; 6] = [16, 64, 128, 256, 1024, 4096];

/// The number of games looked up.
const LOOKUPS: u64 = 1000;

/// The number of repetitions of each lookup, to exclude interference by other
/// processes.
const ROUNDS: usize = 5;

const HEADINGS: &str = "games a block      bytes   B/game    head    text   again   moves    rest";

/// The number of timings: head, text, text again, moves and rest.
const KINDS: usize = 5;

type Times = [Duration; KINDS];

fn main() -> Result<()> {
    each::each(|corpus, archive| {
        println!("  {HEADINGS}");
        for block_records in BLOCK_RECORDS {
            pack(&corpus.path, archive, block_records)?;
            row(archive, block_records)?;
        }
        Ok(())
    })
}

fn pack(from: &Path, to: &Path, block_records: u32) -> Result<()> {
    let options = PackOptions {
        block_records,
        indexes: Indexes::None,
        ..PackOptions::default()
    };
    let mut file = FileWriter::create(to, options)?;
    file.add_source("corpus.pgn", std::fs::File::open(from)?)?;
    file.finish(true)?;
    Ok(())
}

fn row(path: &Path, block_records: u32) -> Result<()> {
    let archive = Archive::map(path, Limits::default())?;
    let bytes = std::fs::metadata(path)?.len();
    print!(
        "  {block_records:>13} {bytes:>10} {:>8.2}",
        ratio(bytes, archive.games())
    );
    let times = lookups(&archive)?;
    for kind in 0..KINDS {
        let mut times: Vec<Duration> = times
            .iter()
            .filter_map(|times| times.get(kind).copied())
            .collect();
        times.sort();
        let median = times.get(times.len() / 2).copied().unwrap_or_default();
        print!(" {:>7.1}", median.as_secs_f64() * 1e6);
    }
    println!();
    Ok(())
}

/// The minimum time of each kind for each game.
fn lookups(archive: &Archive) -> Result<Vec<Times>> {
    let mut all: Vec<Times> = Vec::new();
    for round in 0..ROUNDS {
        for (at, number) in random_games(archive.games()).enumerate() {
            let times = look_up(archive, number)?;
            match all.get_mut(at) {
                Some(least) if round > 0 => {
                    for (least, time) in least.iter_mut().zip(times) {
                        *least = time.min(*least);
                    }
                }
                _ => all.push(times),
            }
        }
    }
    Ok(all)
}

fn look_up(archive: &Archive, number: u64) -> Result<Times> {
    // The archive caches one block, so reading another game evicts it.
    let other = (number + archive.games() / 2) % archive.games() + 1;
    archive.head(other)?;
    let head = time(|| Ok(archive.head(number)?))?;
    archive.head(other)?;
    let text = time(|| Ok(archive.text(number)?))?;
    let again = time(|| Ok(archive.text(number)?))?;
    let moves = time_of_moves(&archive.game(number)?)?;
    Ok([head, text, again, moves, text.saturating_sub(moves)])
}

/// The time to decode the main line.
fn time_of_moves(game: &Game) -> Result<Duration> {
    let (Some(start), plies) = (game.main_line_position(0), game.main_line_plies()) else {
        return Ok(Duration::ZERO);
    };
    let (codec, model) = (Codec::Model, MoveModel::from(BuiltinModel::Default).into());
    let side_info = SideInfo::from(&model);
    let line = Line {
        side_info,
        ..Line::new(&start, &plies)
    };
    let Ok(moves) = codec.encode(line) else {
        return Ok(Duration::ZERO);
    };
    let shape = LineInfo {
        side_info,
        ..LineInfo::new(LineStart::Position(&start), plies.len() as u64, &[])
    };
    time(|| Ok(codec.decode(&moves, &shape, &Limits::default()).ok()))
}

/// Random games, the same in every run.
fn random_games(games: u64) -> impl Iterator<Item = u64> {
    // Knuth's MMIX generator.
    let step = |seed: &u64| {
        let next = seed.wrapping_mul(6_364_136_223_846_793_005);
        Some(next.wrapping_add(1_442_695_040_888_963_407))
    };
    let seeds = std::iter::successors(Some(1u64), step).skip(1);
    seeds
        .map(move |seed| 1 + (seed >> 32) % games.max(1))
        .take(usize::try_from(LOOKUPS.min(games * LOOKUPS)).unwrap_or(0))
}

fn time<T>(what: impl FnOnce() -> Result<T>) -> Result<Duration> {
    let clock = Instant::now();
    black_box(what()?);
    Ok(clock.elapsed())
}

#[expect(clippy::cast_precision_loss, reason = "figures for display")]
fn ratio(a: u64, b: u64) -> f64 {
    a as f64 / b.max(1) as f64
}
