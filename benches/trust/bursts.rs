//! Overwrites runs of bytes, at random places and of random length.

use super::judge::{Original, Tally};
use super::random::Random;
use super::samples::archives;
use anyhow::Result;
use pgna::Bytes;
use rayon::prelude::*;

/// The number of bursts in all.
const BURSTS: u64 = 1_000_000;

/// The maximum length of a burst in bytes.
const MAX_BURST_BYTES: u64 = 4096;

pub(crate) fn run() -> Result<Tally> {
    let mut tally = Tally::default();
    let archives = archives()?;
    for (number, (_, archive)) in (0..).zip(&archives) {
        let original = Original::new(archive)?;
        let count = BURSTS.div_ceil(archives.len() as u64);
        let tallies = (0..count).into_par_iter().map_init(
            || archive.clone(),
            |damaged, burst| {
                // One seed per burst, so that the result does not depend on
                // threads.
                let mut random = Random(number * count + burst);
                let start = random.below(archive.len());
                // The lengths are distributed evenly over powers of two.
                let longest_bits = MAX_BURST_BYTES.ilog2() as usize + 1;
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
