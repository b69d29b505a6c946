//! What a block's size costs: the archive with 16 to 4,096 games a block, and the
//! time that a look-up of one game takes in each.
//!
//!     cargo bench --bench lookups [-- NAME…]
//!
//! Each look-up is of a random game in an archive that is open, the tables of its
//! segments too, but not its block. `head` is all that columns tell: tag pairs,
//! plies, result. `text` is the whole game; `moves` is that of it which decoding
//! the main line takes, and `rest` what is left. `again` is the text once more, with
//! the block and its columns read: moves, marks and rendering. Each is done some
//! times, of which the least counts. Medians in microseconds. Corpora are found as
//! `cargo bench --bench corpora` finds them.

#[path = "corpora/each.rs"]
mod each;
#[path = "corpora/inputs.rs"]
mod inputs;

use anyhow::Result;
use pgna::internals::moves::{Line, MoveCodec, Shape, Start};
use pgna::{Archive, Codec, FileWriter, Game, Indexes, Limits, PackOptions};
use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

const BLOCK_RECORDS: [u32; 6] = [16, 64, 128, 256, 1024, 4096];

/// Games that are looked up.
const LOOKUPS: u64 = 1000;

/// How often each is, so that what else the machine does is left out.
const ROUNDS: usize = 5;

const HEADINGS: &str = "games a block      bytes   B/game    head    text   again   moves    rest";

/// What is timed: head, text, text again, moves and rest.
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

/// Of each game, the least time of each kind.
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
    // The block that was read last stays open: the one of another game takes its
    // place.
    let other = (number + archive.games() / 2) % archive.games() + 1;
    archive.head(other)?;
    let head = time(|| Ok(archive.head(number)?))?;
    archive.head(other)?;
    let text = time(|| Ok(archive.text(number)?))?;
    let again = time(|| Ok(archive.text(number)?))?;
    let moves = time_of_moves(&archive.game(number)?)?;
    Ok([head, text, again, moves, text.saturating_sub(moves)])
}

/// The time that decoding the main line takes.
fn time_of_moves(game: &Game) -> Result<Duration> {
    let (Some(start), plies) = (game.main_line_position(0), game.main_line_plies()) else {
        return Ok(Duration::ZERO);
    };
    let codec = Codec::ModelDefault;
    let Ok(moves) = codec.encode(Line::new(&start, &plies)) else {
        return Ok(Duration::ZERO);
    };
    let shape = Shape::new(Start::Position(&start), plies.len() as u64, &[]);
    time(|| Ok(codec.decode(&moves, &shape, &Limits::default()).ok()))
}

/// The same games in every run.
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

#[expect(clippy::cast_precision_loss, reason = "figures for people")]
fn ratio(a: u64, b: u64) -> f64 {
    a as f64 / b.max(1) as f64
}
