//! Texts that are made to take much: what they take, level by level.

use super::process;
use super::random::Random;
use super::samples::{self, LEVELS};
use super::texts::{BYTES, TEXTS};
use anyhow::{Context, Result, ensure};
use pgna::archive::{Archive, Codec, Indexes, PackOptions, Shipped, Unpack, Writer};
use pgna::container::Source;
use std::io;

/// What a text may take: memory in bytes.
const MOST_BYTES: u64 = 256 << 20;

/// And seconds, at each level.
const MOST_SECONDS: [f64; 3] = [2.0, 5.0, 10.0];

/// Packs each text at each level and unpacks it, and prints those that take most.
pub(crate) fn run() -> Result<()> {
    println!(
        "| hostile texts of {} KiB, level | texts | most MiB | in | most s | in | over a limit |",
        BYTES >> 10
    );
    println!("|---|---|---|---|---|---|---|");
    let mut over = 0;
    for ((level, _), most_seconds) in LEVELS.into_iter().zip(MOST_SECONDS) {
        let (mut peak, mut slowest) = ((0, ""), (0.0, ""));
        let before = over;
        for (name, _) in TEXTS {
            let taken = process::run(name, level)?;
            let seconds = taken.time.as_secs_f64();
            if taken.peak_bytes > peak.0 {
                peak = (taken.peak_bytes, name);
            }
            if seconds > slowest.0 {
                slowest = (seconds, name);
            }
            if seconds > most_seconds || taken.peak_bytes > MOST_BYTES {
                over += 1;
                eprintln!(
                    "{level}, {name}: {seconds:.1} s, {} MiB ({})",
                    taken.peak_bytes >> 20,
                    taken.said
                );
            }
        }
        println!(
            "| {level} | {} | {} | {} | {:.1} | {} | {} |",
            TEXTS.len(),
            peak.0 >> 20,
            peak.1,
            slowest.0,
            slowest.1,
            over - before
        );
    }
    ensure!(over == 0, "{over} texts take more than they may");
    Ok(())
}

/// Packs one text at one level, in a process of its own.
pub(crate) fn child(case: &str, level: &str) -> Result<()> {
    let (_, make) = TEXTS
        .iter()
        .find(|(name, _)| *name == case)
        .context("no such text")?;
    let level = samples::level(level)?;
    let text = make(&mut Random(1));
    ensure!(text.len() <= BYTES, "{} bytes", text.len());
    process::report(|| {
        let options = PackOptions {
            codecs: Codec::auto(level),
            mixes_prose: level == Shipped::Max,
            indexes: Indexes::Full,
            ..PackOptions::default()
        };
        let mut writer = Writer::new(Vec::new(), options)?;
        writer.add_source("hostile.pgn", &text[..])?;
        let (archive, _, report) = writer.finish()?;
        let packed_bytes = archive.len();
        Archive::new(archive)?.unpack(&mut Compared(&text))?;
        Ok(format!("{packed_bytes} bytes, {} games", report.games))
    })
}

/// The text that unpacking has to give.
struct Compared<'a>(&'a [u8]);

impl Unpack for Compared<'_> {
    type Sink = Vec<u8>;

    fn open(&mut self, _: &Source) -> io::Result<Vec<u8>> {
        Ok(Vec::new())
    }

    fn close(&mut self, _: &Source, text: Vec<u8>) -> io::Result<()> {
        match text == self.0 {
            true => Ok(()),
            false => Err(io::Error::other("another text")),
        }
    }
}
