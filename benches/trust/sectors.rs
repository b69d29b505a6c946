//! Sectors that are lost, swapped, or written twice.

use super::judge::{Original, Tally};
use super::samples::archives;
use anyhow::Result;
use pgna::Bytes;
use rayon::prelude::*;

pub(crate) fn small() -> Result<Tally> {
    run(512)
}

pub(crate) fn large() -> Result<Tally> {
    run(4096)
}

fn run(sector: usize) -> Result<Tally> {
    let mut tally = Tally::default();
    for (_, archive) in archives()? {
        let original = Original::new(&archive)?;
        let sectors = archive.len().div_ceil(sector);
        let of_sector = |number: usize| {
            let others = (0..sectors).filter(|other| *other != number);
            // Each pair is swapped once, but each of the two may be written
            // over the other.
            let cases = others.flat_map(|other| {
                let swapped = (other > number).then(|| swapped(&archive, sector, number, other));
                [Some(overwritten(&archive, sector, number, other)), swapped]
            });
            std::iter::once(zeroed(&archive, sector, number))
                .chain(cases.flatten())
                .filter(|damaged| *damaged != archive)
                .map(|damaged| Tally::of(original.judge(Bytes(&damaged))))
                .fold(Tally::default(), Tally::with)
        };
        let tallies = (0..sectors).into_par_iter().map(of_sector);
        tally += tallies.reduce(Tally::default, Tally::with);
    }
    Ok(tally)
}

fn range(archive: &[u8], sector: usize, number: usize) -> std::ops::Range<usize> {
    number * sector..archive.len().min((number + 1) * sector)
}

fn zeroed(archive: &[u8], sector: usize, number: usize) -> Vec<u8> {
    let mut damaged = archive.to_vec();
    damaged[range(archive, sector, number)].fill(0);
    damaged
}

/// A copy of the sector `from` at the place of `to`.
fn overwritten(archive: &[u8], sector: usize, to: usize, from: usize) -> Vec<u8> {
    let mut damaged = archive.to_vec();
    let (to, from) = (range(archive, sector, to), range(archive, sector, from));
    let len = to.len().min(from.len());
    damaged.copy_within(from.start..from.start + len, to.start);
    damaged
}

fn swapped(archive: &[u8], sector: usize, a: usize, b: usize) -> Vec<u8> {
    let mut damaged = overwritten(archive, sector, a, b);
    let (a, b) = (range(archive, sector, a), range(archive, sector, b));
    let len = a.len().min(b.len());
    damaged[b.start..b.start + len].copy_from_slice(&archive[a.start..a.start + len]);
    damaged
}
