//! Flips each bit of an archive, and all bits of each byte.

use super::judge::{Original, Tally};
use super::samples::archives;
use anyhow::{Result, ensure};
use pgna::{Bytes, ReadAt};
use rayon::prelude::*;
use std::io;

/// A file with one changed byte.
struct Patched<'a> {
    bytes: &'a [u8],
    at: u64,
    value: u8,
}

impl ReadAt for Patched<'_> {
    fn size(&self) -> io::Result<u64> {
        Bytes(self.bytes).size()
    }

    fn read_at(&self, offset: u64, len: usize) -> io::Result<Vec<u8>> {
        let mut read = Bytes(self.bytes).read_at(offset, len)?;
        let at = self
            .at
            .checked_sub(offset)
            .and_then(|at| usize::try_from(at).ok());
        if let Some(byte) = at.and_then(|at| read.get_mut(at)) {
            *byte = self.value;
        }
        Ok(read)
    }
}

pub(crate) fn run() -> Result<Tally> {
    let mut tally = Tally::default();
    for (level, archive) in archives()? {
        eprintln!("level {level}: {} bytes", archive.len());
        let original = Original::new(&archive)?;
        let tallies = archive.par_iter().enumerate().map(|(at, byte)| {
            let at = at as u64;
            let part = original.part_of(at);
            let changes = (0..8).map(|bit| 1 << bit).chain([u8::MAX]);
            let others = changes.map(|change| Patched {
                bytes: &archive,
                at,
                value: byte ^ change,
            });
            others
                .map(|patched| Tally::of(original.judge_part(patched, part)))
                .fold(Tally::default(), Tally::with)
        });
        tally += tallies.reduce(Tally::default, Tally::with);
    }
    // Every byte is covered by a checksum, and by parity or a copy.
    let others = tally.same + tally.detected + tally.refused;
    ensure!(others == 0, "{others} changes are not mended");
    Ok(tally)
}
