//! Runs of other bytes, anywhere and of any length.

use super::judge::{Original, Tally};
use super::random::Random;
use super::samples::archives;
use anyhow::Result;
use pgna::Bytes;
use rayon::prelude::*;

/// How many bursts there are in all.
const BURSTS: u64 = 1_000_000;

/// How many bytes a burst has at most.
const LONGEST: u64 = 4096;

pub(crate) fn run() -> Result<Tally> {
    let mut tally = Tally::default();
    let archives = archives()?;
    for (number, (_, archive)) in (0..).zip(&archives) {
        let original = Original::new(archive)?;
        let count = BURSTS.div_ceil(archives.len() as u64);
        let tallies = (0..count).into_par_iter().map_init(
            || archive.clone(),
            |damaged, burst| {
                // A seed of its own for each, so that threads do not matter.
                let mut random = Random(number * count + burst);
                let start = random.below(archive.len());
                // As many short ones as long ones.
                let longest_bits = LONGEST.ilog2() as usize + 1;
                let bits = random.below(longest_bits);
                let len = 1 + random.below(1 << bits);
                let end = archive.len().min(start + len);
                for byte in &mut damaged[start..end] {
                    *byte = random.byte();
                }
                let outcome = match damaged[start..end] == archive[start..end] {
                    true => Tally::default(),
                    false => Tally::of(original.judge(Bytes(&damaged[..]))),
                };
                damaged[start..end].copy_from_slice(&archive[start..end]);
                outcome
            },
        );
        tally += tallies.reduce(Tally::default, Tally::with);
    }
    Ok(tally)
}
