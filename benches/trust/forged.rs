//! Archives with valid checksums and invalid contents: what it costs to read them.

use super::process;
use super::random::Random;
use super::samples;
use anyhow::{Result, ensure};
use pgna::internals::codec::pack;
use pgna::{Archive, Bytes, Limits, PositionTest, Query, Source, Unpack};
use std::io;
use std::time::{Duration, Instant};

/// The number of forgeries of each archive.
const FORGERIES: u64 = 1000;

/// The maximum memory of the process that reads one, in bytes.
pub(crate) const MAX_BYTES: u64 = 256 << 20;

/// The maximum time to read one: several times that of the undamaged archives.
const MAX_TIME: Duration = Duration::from_millis(1500);

/// The number of games that are read one by one.
const MAX_GAMES: u64 = 40;

/// Reads forgeries of an archive of each level, and prints their cost.
pub(crate) fn run() -> Result<()> {
    println!("| forged archives of level | bytes | cases | detected | same | most MiB | most s |");
    println!("|---|---|---|---|---|---|");
    let mut is_over = false;
    for (level, _) in samples::LEVELS {
        let taken = process::run(CASE, level)?;
        println!("| {level} | {} |", taken.output);
        is_over |= taken.output.contains(OVER);
    }
    ensure!(!is_over, "some take more than they may");
    Ok(())
}

/// The name of the cases of this gate.
pub(crate) const CASE: &str = "forged";

const OVER: &str = "over a limit";

/// Runs in its own process.
pub(crate) fn child(level: &str) -> Result<()> {
    let archive = samples::of_level(samples::level(level)?)?;
    let mut parts = Vec::new();
    pgna_fuzz::forge(&archive, |content| parts.push(content.clone()))?;
    let (mut rejected, mut same, mut most, mut slowest) = (0, 0, 0, Duration::ZERO);
    let mut over = "";
    let start = Instant::now();
    for seed in 0..FORGERIES {
        let mut random = Random(seed);
        let chosen = random.below(parts.len());
        let mut number = 0..;
        let forged = pgna_fuzz::forge(&archive, |content| {
            if number.next() == Some(chosen) {
                edit(&mut random, content, &parts);
            }
        });
        // Some edits make parts that do not fit into a segment.
        let Ok(forged) = forged else { continue };
        process::reset_peak();
        let start = Instant::now();
        match read(&forged)? {
            true => same += 1,
            false => rejected += 1,
        }
        let (time, bytes) = (start.elapsed(), process::peak_bytes()?);
        if time > MAX_TIME || bytes > MAX_BYTES {
            eprintln!(
                "forgery {seed} of part {chosen}: {time:?}, {} MiB",
                bytes >> 20
            );
            over = OVER;
        }
        (most, slowest) = (most.max(bytes), slowest.max(time));
    }
    let said = format!(
        "{} | {} | {rejected} | {same} | {} | {:.1} {over}",
        archive.len(),
        rejected + same,
        most >> 20,
        slowest.as_secs_f64()
    );
    ensure!(rejected > same, "edits that hardly matter");
    process::report([start.elapsed(), slowest], &said)
}

/// Edits the content of a part.
fn edit(random: &mut Random, content: &mut Vec<u8>, parts: &[Vec<u8>]) {
    for _ in 0..1 + random.below(3) {
        let at = random.below(content.len() + 1);
        match random.below(8) {
            0 | 1 => content
                .iter_mut()
                .skip(at)
                .take(1)
                .for_each(|byte| *byte = random.byte()),
            // The largest numbers of each width.
            2 => {
                let width = 1 + random.below(10);
                content.splice(at..at, [0xff].repeat(width - 1).into_iter().chain([0x7f]));
            }
            3 => {
                let end = content.len().min(at + 1 + random.below(8));
                content[at..end].fill(0xff);
            }
            4 => content.truncate(at),
            // Compressed data that expands to many bytes.
            5 => {
                let zeros = vec![random.byte() & 1; 1 << (10 + random.below(17))];
                let bomb = pack::compress(&zeros, 1);
                let end = content.len().min(at + bomb.len());
                content.splice(at..end, bomb);
            }
            6 => content.clone_from(random.pick(parts)),
            _ => content.extend_from_within(at..),
        }
    }
}

/// Reads an archive in several ways. Returns whether all of it unpacks, which proves that
/// the content is what was packed.
pub(crate) fn read(archive: &[u8]) -> Result<bool> {
    let archive = Archive::open(Bytes(archive.to_vec()), Limits::default())?;
    for number in 1..=archive.games().min(MAX_GAMES) {
        let _ = archive.head(number);
        let _ = archive.game(number);
    }
    let unpacked = archive.unpack(&mut DiscardAll);
    let query = Query {
        filter: Some("White ~ \"a\" or ECO = B90".parse()?),
        positions: vec![PositionTest::pieces(
            "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR",
        )?],
        ..Query::default()
    };
    archive.query(&query)?.for_each(|_| ());
    Ok(unpacked.is_ok())
}

/// Discards all output.
struct DiscardAll;

impl Unpack for DiscardAll {
    type Sink = io::Sink;

    fn open(&mut self, _: &Source) -> io::Result<io::Sink> {
        Ok(io::sink())
    }

    fn close(&mut self, _: &Source, _: io::Sink) -> io::Result<()> {
        Ok(())
    }
}
