//! Texts that are made to take much memory or time: what they cost at each level.

use super::process;
use super::random::Random;
use super::samples::{self, LEVELS};
use super::texts::TEXTS;
use anyhow::{Context, Result, ensure};
use pgna::{Archive, PackOptions, Source, Unpack, Writer};
use std::io;
use std::time::Instant;

/// The size of each text, in bytes.
const BYTES: usize = 1 << 20;

/// The maximum memory for a text, in bytes.
const MAX_BYTES: u64 = 256 << 20;

/// The maximum time to pack and to unpack a text at each level, in seconds.
const MAX_SECONDS: [f64; 3] = [2.0, 5.0, 10.0];

/// The maximum over all texts, and the text that reached it.
#[derive(Default)]
struct Maximum(f64, &'static str);

impl Maximum {
    fn update(&mut self, amount: f64, text: &'static str) {
        if amount > self.0 {
            *self = Maximum(amount, text);
        }
    }
}

/// Packs and unpacks each text at each level, and prints the maxima.
pub(crate) fn run() -> Result<()> {
    println!(
        "| hostile texts of {} KiB, level | texts | most MiB | in | packed in s | in | unpacked in s | in | over a limit |",
        BYTES >> 10
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    let mut over = 0;
    for ((level, _), most_seconds) in LEVELS.into_iter().zip(MAX_SECONDS) {
        let (mut memory, mut packing, mut unpacking) =
            (Maximum::default(), Maximum::default(), Maximum::default());
        let before = over;
        for (name, _) in TEXTS {
            let taken = process::run(name, level)?;
            let [pack, unpack] = taken.seconds;
            memory.update(taken.peak_bytes as f64, name);
            packing.update(pack, name);
            unpacking.update(unpack, name);
            if pack.max(unpack) > most_seconds || taken.peak_bytes > MAX_BYTES {
                over += 1;
                eprintln!(
                    "{level}, {name}: {pack:.1} and {unpack:.1} s, {} MiB ({})",
                    taken.peak_bytes >> 20,
                    taken.output
                );
            }
        }
        println!(
            "| {level} | {} | {:.0} | {} | {:.1} | {} | {:.1} | {} | {} |",
            TEXTS.len(),
            memory.0 / f64::from(1 << 20),
            memory.1,
            packing.0,
            packing.1,
            unpacking.0,
            unpacking.1,
            over - before
        );
    }
    ensure!(over == 0, "{over} texts take more than they may");
    Ok(())
}

/// Packs and unpacks one text at one level, with the default options of the program. Runs
/// in its own process.
pub(crate) fn child(case: &str, level: &str) -> Result<()> {
    let (_, make) = TEXTS
        .iter()
        .find(|(name, _)| *name == case)
        .context("no such text")?;
    let options = PackOptions::of_level(samples::level(level)?);
    let text = make(&mut Random(1), BYTES);
    ensure!(text.len() <= BYTES, "{} bytes", text.len());
    let start = Instant::now();
    let mut writer = Writer::new(Vec::new(), options)?;
    writer.add_source("hostile.pgn", &text[..])?;
    let (archive, report) = writer.finish()?;
    let packing = start.elapsed();
    let said = format!("{} bytes, {} games", archive.len(), report.games);
    let start = Instant::now();
    let mut compared = ComparingUnpack {
        text: &text,
        is_right: false,
    };
    Archive::new(archive)?.unpack(&mut compared)?;
    ensure!(compared.is_right, "another text");
    process::report([packing, start.elapsed()], &said)
}

/// The text that unpacking must give, and whether it did.
struct ComparingUnpack<'a> {
    text: &'a [u8],
    is_right: bool,
}

impl Unpack for ComparingUnpack<'_> {
    type Sink = Vec<u8>;

    fn open(&mut self, _: &Source) -> io::Result<Vec<u8>> {
        Ok(Vec::new())
    }

    fn close(&mut self, _: &Source, text: Vec<u8>) -> io::Result<()> {
        self.is_right = text == self.text;
        Ok(())
    }
}
