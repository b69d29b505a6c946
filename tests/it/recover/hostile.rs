//! Files crafted to make recovery slow.

use super::*;
use pgna::ReadAt;
use pgna::internals::container::{
    BlockCounts, Container, ContainerWriter as Raw, PackedBlock, PartRange, RecoveryScan,
};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A reader that counts the bytes read.
struct Counting {
    bytes: Vec<u8>,
    read: AtomicU64,
}

impl Counting {
    fn of(bytes: &[u8]) -> Arc<Counting> {
        Arc::new(Counting {
            bytes: bytes.to_vec(),
            read: AtomicU64::new(0),
        })
    }
}

impl ReadAt for Counting {
    fn size(&self) -> io::Result<u64> {
        Ok(self.bytes.len() as u64)
    }

    fn read_at(&self, offset: u64, len: usize) -> io::Result<Vec<u8>> {
        self.read.fetch_add(len as u64, Ordering::Relaxed);
        Bytes(&self.bytes).read_at(offset, len)
    }
}

fn read_of(bytes: &[u8]) -> u64 {
    let counting = Counting::of(bytes);
    let _ = RecoveryScan::of(&counting, Limits::default());
    counting.read.load(Ordering::Relaxed)
}

/// The number of bytes read by a complete recovery.
fn read_to_recover(bytes: &[u8]) -> u64 {
    let counting = Counting::of(bytes);
    let damaged = Recovery::open(Arc::clone(&counting), Limits::default()).unwrap();
    damaged.write_recovered(Vec::new(), None, |_| ()).unwrap();
    counting.read.load(Ordering::Relaxed)
}

/// The tables of a segment with `many` copies of a block of one byte, each of which claims to be
/// the first block.
fn pieces(many: usize) -> Vec<u8> {
    let whole = archive();
    let tables = &whole[tables_of(&whole, 0)];
    let (container, _) = Container::open(Bytes(&whole), Limits::default()).unwrap();
    let segment = container.segment(0).unwrap();
    let mut writer = Raw::new(Vec::new()).unwrap();
    let start = FRONT_BYTES + tables.len();
    writer
        .begin_segment(&container.tables(&segment).unwrap())
        .unwrap();
    let shape = BlockCounts {
        games: 0,
        records: 1,
        raw_bytes: 1,
    };
    let packed = PackedBlock {
        tags: &[0],
        movetext: &[],
    };
    writer.block(shape, packed).unwrap();
    writer
        .end_segment(PartRange { first: 0, count: 1 })
        .unwrap();
    let source = Source {
        bytes: 1,
        games: 0,
        records: 1,
        ..container.sources()[0].clone()
    };
    let (bytes, _) = writer.finish(vec![source]).unwrap();
    let (piece, _) = Container::open(Bytes(&bytes), Limits::default()).unwrap();
    let piece = piece.segment(0).unwrap();
    let entry = piece.index().blocks()[0];
    let end = piece.entry().offset + entry.offset + entry.section_bytes();
    // With its tags.
    let block = &bytes[start..usize::try_from(end).unwrap()];
    [&whole[..FRONT_BYTES], tables, &block.repeat(many)].concat()
}

#[test]
fn pieces_of_a_segment_share_its_tables() {
    let tables = pieces(0).len() as u64;
    for many in [100, 2_000] {
        let bytes = pieces(many);
        let read = read_to_recover(&bytes) - read_of(&bytes);
        let once_each = many as u64 * tables;
        assert!(read < 16 * bytes.len() as u64 + (1 << 20), "{read}");
        assert!(many < 1_000 || read < once_each, "{read}, not {once_each}");
    }
}

/// Each piece of a segment is written with tables, so many pieces would multiply them.
#[test]
fn tables_are_written_only_so_often() {
    const MANY: usize = 2_000;
    let whole = archive();
    let tables = &whole[tables_of(&whole, 0)];
    let blocks = blocks_of(&whole).into_iter();
    let own = blocks.filter(|block| block.segment == 0);
    let block = own.min_by_key(|block| block.place.len()).unwrap();
    let block = &whole[block.place.clone()];
    let archive = Archive::new(&whole[..]).unwrap();
    let segment = archive.container().segment(0).unwrap();
    let tags = segment.index().tags()[0];
    let tags = &whole[range(segment.entry().offset + tags.offset, tags.bytes)];
    let pieces = block.repeat(MANY);
    let bytes = [&whole[..FRONT_BYTES], tables, tags, &pieces].concat();
    // What they are framed with is not counted.
    let most = 2 * bytes.len() + (256 << 10) + 100 * MANY;
    assert!(tables.len() * MANY > most, "the pieces would not multiply");
    let (report, good) = recover_archive(&bytes);
    let written = usize::try_from(report.segments_copied + report.segments_rebuilt).unwrap();
    assert!(written > 100 && written * tables.len() < most, "{written}");
    assert!(good.len() < 4 * bytes.len() + (1 << 20));
    assert!(!report.is_complete());
}

/// Section headers, each of which claims the rest of the file.
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
fn overlapping_sections_take_linear_time() {
    for kind in [*b"BLOK", *b"TABL", *b"SEND", *b"DIRC", *b"junk"] {
        let small = read_of(&overlapping(kind, 2_000)) / 2_000;
        let large = read_of(&overlapping(kind, 32_000)) / 32_000;
        assert!(large < 20_000, "{large} bytes read for each head");
        assert!(large < 3 * small.max(4_000), "{small}, then {large}");
    }
}

#[test]
fn a_whole_archive_is_read_at_most_a_few_times() {
    let whole = archive();
    let sections = blocks_of(&whole).len() as u64 + 20;
    let read = read_of(&whole);
    assert!(read < 8 * whole.len() as u64 + sections * 12_000, "{read}");
}

#[test]
fn inconsistent_blocks_are_reported() {
    let mut whole = archive();
    let blocks = blocks_of(&whole);
    blind(&mut whole);
    // Each field of the header of every eighth block in turn, with a valid checksum.
    for block in blocks.iter().step_by(8) {
        for field in 0..8 {
            for value in [0u32, 1, u32::MAX] {
                let mut bytes = whole.clone();
                let place = block.place.clone();
                let at = place.start + 16 + 4 * field;
                bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
                let crc = crc32fast::hash(&bytes[place.start..place.end - 4]);
                bytes[place.end - 4..place.end].copy_from_slice(&crc.to_le_bytes());
                let (recovery, _) = recover(&bytes);
                assert!(recovery.blocks > 0);
            }
        }
    }
}
