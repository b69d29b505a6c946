//! One line of a gigabyte: a tag value that does not end.

use super::process;
use super::samples::{self, LEVELS};
use anyhow::{Result, ensure};
use pgna::{Archive, PackOptions, Source, Unpack, Writer};
use std::io::{self, Read, Write};
use std::time::Instant;

/// The name of the cases of this gate.
pub(crate) const CASE: &str = "line";

/// The length of the line in bytes.
const BYTES: u64 = 1 << 30;

/// The start of the line, and the byte that fills the rest.
const START: &[u8] = b"[Event \"";
const REST: u8 = b'a';

/// The maximum memory, in bytes.
const MAX_BYTES: u64 = 1 << 30;

/// The maximum time to pack and to unpack, in seconds.
const MAX_SECONDS: f64 = 30.0;

/// Packs and unpacks the line at each level.
pub(crate) fn run() -> Result<()> {
    println!("| a line of 1 GiB, level | most MiB | packed in s | unpacked in s |");
    println!("|---|---|---|---|");
    for (level, _) in LEVELS {
        let taken = process::run(CASE, level)?;
        let [pack, unpack] = taken.seconds;
        println!(
            "| {level} | {} | {pack:.1} | {unpack:.1} |",
            taken.peak_bytes >> 20
        );
        ensure!(taken.peak_bytes <= MAX_BYTES, "more than the text itself");
        ensure!(pack.max(unpack) <= MAX_SECONDS, "too much time");
    }
    Ok(())
}

/// Runs in its own process.
pub(crate) fn child(level: &str) -> Result<()> {
    let options = PackOptions::of_level(samples::level(level)?);
    let rest = io::repeat(REST).take(BYTES - START.len() as u64);
    let start = Instant::now();
    let mut writer = Writer::new(Vec::new(), options)?;
    writer.add_source("line.pgn", START.chain(rest))?;
    let (archive, _) = writer.finish()?;
    let packing = start.elapsed();
    let start = Instant::now();
    let mut line = Line::default();
    Archive::new(archive)?.unpack(&mut line)?;
    ensure!(line.is_right, "another line");
    process::report([packing, start.elapsed()], "")
}

/// Whether the unpacked line is right.
#[derive(Default)]
struct Line {
    is_right: bool,
}

/// The number of bytes received, and whether they are right.
struct Sink {
    bytes: u64,
    is_right: bool,
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let known = START.iter().skip(self.bytes as usize).copied();
        let expected = known.chain(std::iter::repeat(REST));
        self.is_right &= bytes
            .iter()
            .zip(expected)
            .all(|(byte, right)| *byte == right);
        self.bytes += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Unpack for Line {
    type Sink = Sink;

    fn open(&mut self, _: &Source) -> io::Result<Sink> {
        Ok(Sink {
            bytes: 0,
            is_right: true,
        })
    }

    fn close(&mut self, _: &Source, sink: Sink) -> io::Result<()> {
        self.is_right = sink.is_right && sink.bytes == BYTES;
        Ok(())
    }
}
