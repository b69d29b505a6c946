//! Damage is mended by parity.

use super::*;
use crate::container::parity::{MAX_PERIOD, ParityLayout, ParitySpan, SECTOR_BYTES};
use crate::container::read_at::SectionInput;
use proptest::prelude::*;
use std::io;

/// Bytes that do not repeat.
fn noise(len: usize, mut seed: u64) -> Vec<u8> {
    let bytes = std::iter::repeat_with(|| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        seed.to_le_bytes()[0]
    });
    bytes.take(len).collect()
}

/// A file of segments, each of two blocks of this size and a section, with a parity section
/// after each `span` bytes.
fn large(segments: u32, block_bytes: usize, span: u64, has_slot: bool) -> Vec<u8> {
    let mut writer = ContainerWriter::new(Vec::new()).unwrap();
    writer.set_parity_span(span);
    let mut all = Vec::new();
    for number in 0..segments {
        let name = format!("{number}");
        let book = noise(9_000, u64::from(number) + 7);
        writer
            .begin_segment(&tables(&[part(&name, 0, 20, 2, 2)], &book))
            .unwrap();
        for block in 0..2 {
            let bytes = noise(block_bytes, u64::from(number * 2 + block) + 1);
            let packed = PackedBlock {
                tags: &bytes[..block_bytes / 8],
                movetext: &bytes,
            };
            writer.block(shape(1, 1, 10), packed).unwrap();
        }
        writer.section(INDEX, 0, &noise(5_000, 5)).unwrap();
        writer.end_segment(sources(number, 1)).unwrap();
        all.push(source(&name, 20, 2, 2));
    }
    let (mut file, slot) = writer.finish(all).unwrap();
    if has_slot {
        slot.write_to(&mut file);
    }
    file
}

fn spans(file: &[u8]) -> Vec<ParitySpan> {
    open(file).unwrap().0.commit().parity.clone()
}

/// The layout of a parity section.
fn layout(file: &[u8], span: &ParitySpan) -> ParityLayout {
    let fields = ParityLayout::fields_range(span);
    ParityLayout::read(&file[at(fields.start)..at(fields.end)], span).unwrap()
}

fn assert_mended(file: &[u8], damaged: &[u8], what: &str) {
    let (read, warnings) = read_all(damaged).unwrap_or_else(|error| panic!("{what}: {error}"));
    assert_eq!(read, content(file), "{what}");
    assert_ne!(warnings, [], "{what}");
}

#[test]
fn golden_bytes() {
    // Sectors of 16 bytes, of which the first is at file offset 80.
    let writer = ContainerWriter::new(Vec::new()).unwrap();
    let (file, _) = writer.finish(vec![]).unwrap();
    let [span] = spans(&file)[..] else {
        panic!("one span");
    };
    let covered = &file[80..at(span.offset) + 16];
    assert_eq!(covered.len(), 68 + 24 + 16);
    let mut parity = [0; 32];
    for (offset, byte) in (80..).zip(covered) {
        parity[offset % 32] ^= byte;
    }
    let end = 80 + covered.len();
    parity.rotate_left(end % 32);
    let checks = [80..96, 96..128, 128..160, 160..end];
    let checks = checks.map(|sector| crc32fast::hash(&file[sector]).to_le_bytes());
    let fields = [80, 0, 0, 0, 0, 0, 0, 0, 5, 5];
    let payload = [&parity[..], &checks.concat(), &fields].concat();
    let section = section::encode(registry::PARITY, &payload);
    assert_eq!(file[at(span.offset)..at(span.end())], section);
}

#[test]
fn layouts_are_those_of_the_specification() {
    // The bytes of a file in one span, the sector and the period.
    for (bytes, sector, period) in [
        (100, 32, 32),
        (600, 64, 64),
        (53_000, 512, 512),
        (SMALL - 1_000, 1024, 1024),
        (SMALL, 4096, 4096),
        (4 << 20, 4096, 4096),
        (4_300_000, 4096, 8192),
    ] {
        let file = large(1, usize::try_from(bytes).unwrap() / 2, u64::MAX, true);
        let span = spans(&file)[0];
        let found = layout(&file, &span);
        let covered = span.covered();
        let sectors = found.sectors() * found.sector_bytes;
        assert!(sectors >= covered.end - covered.start, "{bytes}");
        if covered.end - covered.start < 2 * bytes {
            assert!(found.sector_bytes >= sector && found.period >= period);
        }
        assert!(found.period == MAX_PERIOD || sectors <= 1024 * found.period);
    }
}

const SMALL: u64 = crate::container::parity::SMALL_FILE_BYTES;

#[test]
#[cfg_attr(miri, ignore = "takes minutes")]
fn a_lost_sector_of_a_large_file_is_mended_wherever_it_is() {
    for (span, has_slot) in [(u64::MAX, true), (u64::MAX, false), (150_000, true)] {
        let file = large(3, 80_000, span, has_slot);
        assert_eq!(spans(&file).len(), if span == u64::MAX { 1 } else { 4 });
        for start in (0..file.len()).step_by(at(SECTOR_BYTES)) {
            for content in [0, 0xff, 0x55] {
                let mut damaged = file.clone();
                let end = file.len().min(start + at(SECTOR_BYTES));
                damaged[start..end].fill(content);
                assert_mended(&file, &damaged, &format!("sector at {start}"));
            }
        }
    }
}

/// The first bytes of a small append to a large file may share a sector with the end of the
/// state before.
#[test]
#[cfg_attr(miri, ignore = "takes minutes")]
fn a_lost_sector_of_an_append_is_mended() {
    // A file that an append makes larger, and a large one.
    for blocks in [100, 10_000] {
        let mut file = large(2, blocks, u64::MAX, true);
        append_sectors(&mut file);
        let small = if blocks < 10_000 { 1 } else { 0 };
        assert_eq!(spans(&file).len(), 4 - small);
        assert_sectors_are_mended(&file);
    }
}

/// Appends three times, the first time enough for a file that is not small.
fn append_sectors(file: &mut Vec<u8>) {
    for number in 0..3 {
        let (container, _) = open(file).unwrap();
        let mut writer = ContainerWriter::append(Vec::new(), &container).unwrap();
        let more = tables(&[part("c", 0, 8, 1, 1)], &[number]);
        let bytes = noise(if number == 0 { 50_000 } else { 10 }, 99);
        writer.begin_segment(&more).unwrap();
        writer.block(shape(1, 1, 8), packed(&bytes)).unwrap();
        writer.end_segment(sources(0, 1)).unwrap();
        let (tail, slot) = writer.finish(vec![source("c", 8, 1, 1)]).unwrap();
        file.extend_from_slice(&tail);
        slot.write_to(file);
    }
}

fn assert_sectors_are_mended(file: &[u8]) {
    for start in (0..file.len()).step_by(at(SECTOR_BYTES)) {
        let mut damaged = file.to_vec();
        let end = file.len().min(start + at(SECTOR_BYTES));
        damaged[start..end].fill(0);
        assert_mended(file, &damaged, &format!("sector at {start}"));
    }
}

/// A medium that cannot read one sector.
struct LosesSector<'f>(&'f [u8], Range<u64>);

impl ReadAt for LosesSector<'_> {
    fn size(&self) -> io::Result<u64> {
        Ok(self.0.len() as u64)
    }

    fn read_at(&self, offset: u64, len: usize) -> io::Result<Vec<u8>> {
        let end = offset + len as u64;
        let code = if cfg!(windows) { 23 } else { 5 };
        match offset < self.1.end && end > self.1.start {
            true => Err(io::Error::from_raw_os_error(code)),
            false => Bytes(self.0).read_at(offset, len),
        }
    }
}

#[test]
#[cfg_attr(miri, ignore = "takes minutes")]
fn a_sector_that_cannot_be_read_is_mended() {
    for has_slot in [false, true] {
        assert_unreadable_sectors_are_mended(&large(2, 40_000, u64::MAX, has_slot));
    }
}

fn assert_unreadable_sectors_are_mended(file: &[u8]) {
    let expected = content(file);
    for start in (0..file.len() as u64).step_by(at(SECTOR_BYTES)) {
        let source = LosesSector(file, start..start + SECTOR_BYTES);
        let (container, _) = Container::open(source, Limits::default()).unwrap();
        let (read, warnings) = read_container(&container).unwrap();
        assert_eq!(read, expected, "sector at {start}");
        let opened = start == 0 || !warnings.is_empty();
        assert!(opened, "sector at {start}");
    }
}

#[test]
fn two_damaged_sectors_are_mended_if_they_do_not_share_parity() {
    let file = large(1, 2_500_000, u64::MAX, true);
    let period = layout(&file, &spans(&file)[0]).period;
    assert_eq!(period, 2 * SECTOR_BYTES);
    let damage = |places: &[u64]| {
        let mut damaged = file.clone();
        for start in places {
            damaged[at(*start)..at(start + SECTOR_BYTES)].fill(0);
        }
        read_all(&damaged).map(|(read, _)| read)
    };
    let expected = content(&file);
    assert_eq!(
        damage(&[1 << 20, (1 << 20) + SECTOR_BYTES]).unwrap(),
        expected
    );
    assert_eq!(
        damage(&[1 << 20, (2 << 20) + SECTOR_BYTES]).unwrap(),
        expected
    );
    let lost = damage(&[1 << 20, 2 << 20]).unwrap_err();
    assert_eq!(lost.class(), ErrorClass::Damaged);
}

#[test]
fn what_is_mended_is_named() {
    let file = large(2, 40_000, u64::MAX, true);
    let mut damaged = file.clone();
    let (start, end) = (at(3 * SECTOR_BYTES) + 10, at(4 * SECTOR_BYTES) - 10);
    damaged[start..end].iter_mut().for_each(|byte| *byte ^= 1);
    let (_, warnings) = read_all(&damaged).unwrap();
    let (offset, bytes) = (start as u64, (end - start) as u64);
    assert_eq!(warnings, [Warning::Mended { offset, bytes }]);
    assert_eq!(
        warnings[0].to_string(),
        "4076 bytes from byte 12298 on are damaged and mended by parity"
    );
}

#[test]
fn damaged_parity_is_reported_and_restores_nothing_wrong() {
    let file = large(1, 40_000, u64::MAX, true);
    let span = spans(&file)[0];
    for index in [span.offset + 20, span.end() - 15, span.end() - 5] {
        let mut damaged = file.clone();
        damaged[at(index)] ^= 1;
        let (read, warnings) = read_all(&damaged).unwrap();
        assert_eq!(read, content(&file));
        let offset = span.offset;
        assert_eq!(warnings, [Warning::ParityDamaged { offset }]);
    }
    // A wrong checksum of an intact sector, and damage elsewhere.
    let mut damaged = file.clone();
    let checks = at(span.end()) - 4 - 10 - 40;
    damaged[checks] ^= 1;
    damaged[200] ^= 1;
    let read = read_all(&damaged).map(|(read, _)| read);
    assert!(read.is_err() || read.unwrap() == content(&file));
}

/// Recovery reads nothing at the borders of sectors.
#[test]
#[cfg_attr(miri, ignore = "takes minutes")]
fn mended_files_are_recovered() {
    for more in 0..40 {
        let file = large(2, 40_000 + 4096 * 3 - 20 + more, u64::MAX, true);
        let mut damaged = file.clone();
        damaged[30_000] ^= 1;
        damaged[..80].fill(0);
        let scan = RecoveryScan::of(Bytes(&damaged[..]), Limits::default()).unwrap();
        assert_eq!(scan.mended_bytes(), 1);
        let blocks = scan.segments().iter().map(|segment| segment.blocks().len());
        assert_eq!(blocks.sum::<usize>(), 4);
    }
}

/// Two damaged bytes are mended if they are at different positions of their sectors.
#[test]
fn two_damaged_bytes_are_mended() {
    let file = large(1, 40_000, u64::MAX, true);
    for other in [20_001, 8_192, 50_000, 90_000] {
        let mut damaged = file.clone();
        damaged[8_191] ^= 1;
        damaged[other] ^= 8;
        assert_mended(&file, &damaged, &format!("bytes 8191 and {other}"));
    }
}

#[test]
fn a_cut_file_is_reported_and_not_appended_to() {
    let file = large(1, 80_000, u64::MAX, true);
    let parity = spans(&file)[0];
    for cut in [1, 68, file.len() - at(parity.offset) - 1] {
        let (container, warnings) = open(&file[..file.len() - cut]).unwrap();
        let offset = parity.end();
        assert_eq!(warnings, [Warning::FooterDamaged { offset }], "{cut}");
        assert!(ContainerWriter::append(Vec::new(), &container).is_err());
    }
    let mut damaged = file;
    damaged[at(parity.offset) + 30] ^= 1;
    let (container, _) = open(&damaged).unwrap();
    assert!(ContainerWriter::append(Vec::new(), &container).is_err());
}

/// Whatever a parity section states, it is refused or has its size.
#[test]
fn impossible_layouts_are_refused() {
    let file = large(1, 200, u64::MAX, true);
    let span = spans(&file)[0];
    let fields = ParityLayout::fields_range(&span);
    let whole = file[at(fields.start)..at(fields.end)].to_vec();
    assert!(ParityLayout::read(&whole, &span).is_some());
    for index in 0..whole.len() {
        for value in 0..=255 {
            let mut fields = whole.clone();
            fields[index] = value;
            if fields != whole {
                assert_eq!(ParityLayout::read(&fields, &span), None);
            }
        }
    }
    assert_eq!(ParityLayout::read(&whole[1..], &span), None);
    let larger = ParitySpan {
        bytes: span.bytes + 1,
        ..span
    };
    assert_eq!(ParityLayout::read(&whole, &larger), None);
}

#[test]
fn the_span_of_a_parity_section_is_that_of_the_directory() {
    let file = large(3, 40_000, 100_000, true);
    let input = SectionInput::new(Bytes(&file[..]), Limits::default()).unwrap();
    for span in spans(&file) {
        let stated = ParitySpan::stated(&input, span.offset, span.bytes).unwrap();
        assert_eq!(stated, span);
    }
}

proptest! {
    #[test]
    #[cfg_attr(miri, ignore = "takes minutes")]
    fn any_burst_up_to_a_period_is_mended(
        block_bytes in 1usize..3_000,
        place in any::<prop::sample::Index>(),
        burst in any::<prop::sample::Index>(),
    ) {
        let block_bytes = block_bytes.max(8);
        let file = large(1, block_bytes, u64::MAX, true);
        let span = spans(&file)[0];
        let layout = layout(&file, &span);
        // Anywhere in the covered bytes and the parity, across the borders of sectors too.
        let start = 80 + place.index(at(span.end()) - 80);
        let end = start + 1 + burst.index(at(layout.period));
        let mut damaged = file.clone();
        damaged[start..end.min(file.len())].iter_mut().for_each(|byte| *byte ^= 0x5a);
        let (read, warnings) = read_all(&damaged).unwrap();
        prop_assert_eq!(read, content(&file));
        prop_assert!(!warnings.is_empty());
    }
}
