//! Files that were made to cost time.

use super::*;
use pgna::container::{ReadAt, Salvage};
use std::sync::atomic::{AtomicU64, Ordering};

/// Counts what is read.
struct Counting<'b> {
    bytes: &'b [u8],
    read: AtomicU64,
}

impl ReadAt for Counting<'_> {
    fn size(&self) -> io::Result<u64> {
        Ok(self.bytes.len() as u64)
    }

    fn read_at(&self, offset: u64, len: usize) -> io::Result<Vec<u8>> {
        self.read.fetch_add(len as u64, Ordering::Relaxed);
        Bytes(self.bytes).read_at(offset, len)
    }
}

fn read_of(bytes: &[u8]) -> u64 {
    let counting = Counting {
        bytes,
        read: AtomicU64::new(0),
    };
    let _ = Salvage::of(&counting, Limits::default());
    counting.read.into_inner()
}

/// Heads of sections, each of which claims the whole rest of the file.
fn overlapping(kind: [u8; 4], many: u64) -> Vec<u8> {
    let bytes = 32 * many;
    let mut out = Vec::new();
    for number in 0..many {
        let left = bytes - 32 * number;
        out.extend_from_slice(&kind);
        out.extend_from_slice(&[1, 0xfb, 0x9e, 0xc4]);
        out.extend_from_slice(&(left - 20).to_le_bytes());
        out.extend_from_slice(&(left / 2).to_le_bytes());
        out.extend_from_slice(&number.to_le_bytes());
    }
    out
}

#[test]
fn overlapping_claims_cost_time_that_grows_with_the_file() {
    for kind in [*b"BLOK", *b"TABL", *b"SEND", *b"DIRC", *b"junk"] {
        let small = read_of(&overlapping(kind, 2_000)) / 2_000;
        let large = read_of(&overlapping(kind, 32_000)) / 32_000;
        assert!(large < 20_000, "{large} bytes read for each head");
        assert!(large < 3 * small.max(4_000), "{small}, then {large}");
    }
}

#[test]
fn a_whole_archive_is_read_a_few_times_at_most() {
    let whole = archive();
    let sections = blocks_of(&whole).len() as u64 + 20;
    let read = read_of(&whole);
    assert!(read < 8 * whole.len() as u64 + sections * 12_000, "{read}");
}

#[test]
fn blocks_that_lie_are_told() {
    let whole = archive();
    // Each field of each header in turn, with the right checksum.
    for block in blocks_of(&whole).iter().step_by(8) {
        for field in 0..8 {
            for value in [0u32, 1, u32::MAX] {
                let mut bytes = whole.clone();
                let place = block.place.clone();
                let at = place.start + 16 + 4 * field;
                bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
                let crc = crc32fast::hash(&bytes[place.start..place.end - 4]);
                bytes[place.end - 4..place.end].copy_from_slice(&crc.to_le_bytes());
                let end = bytes.len();
                bytes[end - 400..].fill(0);
                let (recovery, _) = recover(&bytes);
                assert!(recovery.blocks > 0);
            }
        }
    }
}
