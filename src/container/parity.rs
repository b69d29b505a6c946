//! Parity sections: what a writer adds so that a lost sector can be restored
//! (spec/format.md, “Parity”).
//!
//! A byte of parity is the XOR of all covered bytes whose file offset differs from its own
//! by a multiple of the period. So a damaged range no longer than the period is restored
//! wherever it is, even if it reaches from the covered bytes into the parity. This is the
//! idea of RAID 4, with the cyclic layout of burst error correcting codes. The CRC-32s of
//! the sectors show which are damaged.

use super::error::{ContainerError, Damage};
use super::read_at::{ReadAt, SectionInput};
use super::registry::{self, CRITICAL};
use super::section::{self, FRAME_BYTES, HEAD_BYTES, SectionHead};
use super::slot::FIRST_SECTION;
use crate::bits::{BitsError, ByteReader, put_varint};
use std::ops::Range;

/// The size of a sector of a disk in bytes, which is that of a sector of parity but in a
/// small file.
pub(super) const SECTOR_BYTES: u64 = 1 << 12;
/// The smallest size of a sector of parity in bytes.
pub(super) const MIN_SECTOR_BYTES: u64 = 1 << 4;
/// The longest period in bytes.
pub(super) const MAX_PERIOD: u64 = 1 << 20;
/// A file that ends before this offset is small: it is protected against flipped bits, but
/// not against the loss of a sector of its disk, which would take 4 KiB of parity.
pub(super) const SMALL_FILE_BYTES: u64 = 32 << 10;
/// The most sectors of a period, which bounds the memory for those that are restored.
pub(super) const MOST_SECTORS: u64 = 256;
/// The most sectors that share their parity, unless the period is the longest.
const SHARING_SECTORS: u64 = 1024;
/// A parity section follows the segment with which this many bytes are not covered yet.
pub(super) const SPAN_BYTES: u64 = 64 << 20;

/// Bytes of the payload after the checksums: the first covered offset, and the logarithms
/// of the sizes of the sector and the period.
const FIELDS_BYTES: u64 = 10;
const CRC_BYTES: u64 = 4;

/// A parity section, and the bytes that it covers: from `start` to its payload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ParitySpan {
    /// File offset of the first covered byte.
    pub(super) start: u64,
    /// File offset of the parity section.
    pub(super) offset: u64,
    /// Size of the parity section in bytes.
    pub(super) bytes: u64,
}

impl ParitySpan {
    /// File offset after the parity section.
    pub(super) fn end(&self) -> u64 {
        self.offset.saturating_add(self.bytes)
    }

    /// The span of the intact parity section at this offset, as it states itself.
    pub(super) fn stated<S: ReadAt>(
        input: &SectionInput<S>,
        offset: u64,
        bytes: u64,
    ) -> Result<Self, ContainerError> {
        let span = ParitySpan {
            start: 0,
            offset,
            bytes,
        };
        let fields = ParityLayout::fields_range(&span);
        let place = section::place(registry::PARITY, fields.start);
        let read = input.read(place, FIELDS_BYTES)?;
        let start = ByteReader::new(&read).u64();
        let start = start.map_err(|error| place.decode_error(error))?;
        let span = ParitySpan { start, ..span };
        ParitySpan::check_all(&[span]).map_err(|damage| place.damaged(damage))?;
        Ok(span)
    }

    /// The covered bytes.
    pub(super) fn covered(&self) -> Range<u64> {
        self.start..section::payload_offset(self.offset)
    }

    /// Whether the section is large enough for a frame and comes after what it covers.
    fn is_possible(&self) -> bool {
        self.start >= FIRST_SECTION
            && self.start <= self.offset
            && self.bytes > FRAME_BYTES + FIELDS_BYTES
            && self.offset.checked_add(self.bytes).is_some()
    }

    /// Checks that spans are possible and follow one another.
    pub(super) fn check_all(spans: &[ParitySpan]) -> Result<(), Damage> {
        let mut end = FIRST_SECTION;
        for span in spans {
            if !span.is_possible() || span.start < end {
                return Err(Damage::Invalid("parity that cannot be"));
            }
            end = span.end();
        }
        Ok(())
    }

    /// Writes the span, which follows one that ends at `end`.
    pub(super) fn put(&self, end: u64, out: &mut Vec<u8>) {
        put_varint(out, self.start.saturating_sub(end));
        put_varint(out, self.offset.saturating_sub(self.start));
        put_varint(out, self.bytes);
    }

    /// Reads a span that follows one that ends at `end`.
    pub(super) fn read(end: u64, reader: &mut ByteReader<'_>) -> Result<Self, BitsError> {
        let start = end.saturating_add(reader.varint()?);
        Ok(ParitySpan {
            start,
            offset: start.saturating_add(reader.varint()?),
            bytes: reader.varint()?,
        })
    }
}

/// The sizes that determine how parity is computed and stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ParityLayout {
    pub(super) covered_start: u64,
    pub(super) covered_end: u64,
    /// A power of two.
    pub(super) sector_bytes: u64,
    /// A power of two, at least the size of a sector.
    pub(super) period: u64,
}

impl ParityLayout {
    /// The layout that a writer chooses for these bytes.
    fn choose(covered: Range<u64>) -> Self {
        let sector_bytes = match covered.end < SMALL_FILE_BYTES {
            // The sum of a sector and the checksums is least for √(4·n).
            true => {
                let wanted = 4 * (covered.end - covered.start);
                let mut bytes = MIN_SECTOR_BYTES;
                while bytes * bytes < wanted {
                    bytes *= 2;
                }
                bytes
            }
            false => SECTOR_BYTES,
        };
        let mut layout = ParityLayout {
            covered_start: covered.start,
            covered_end: covered.end,
            sector_bytes,
            period: sector_bytes,
        };
        let sectors = layout.sectors();
        while layout.period < MAX_PERIOD && sectors * sector_bytes > SHARING_SECTORS * layout.period
        {
            layout.period *= 2;
        }
        layout
    }

    /// The layout that the last fields of a payload state.
    pub(super) fn read(fields: &[u8], span: &ParitySpan) -> Option<Self> {
        let mut reader = ByteReader::new(fields);
        let covered = span.covered();
        let start = reader.u64().ok()?;
        let (sector, period) = (reader.u8().ok()?, reader.u8().ok()?);
        let layout = ParityLayout {
            covered_start: covered.start,
            covered_end: covered.end,
            sector_bytes: 1u64.checked_shl(sector.into())?,
            period: 1u64.checked_shl(period.into())?,
        };
        let is_possible = start == covered.start
            && (MIN_SECTOR_BYTES..=layout.period).contains(&layout.sector_bytes)
            && layout.period <= MAX_PERIOD.min(layout.sector_bytes.saturating_mul(MOST_SECTORS))
            && layout.section_bytes() == span.bytes;
        is_possible.then_some(layout)
    }

    /// Number in the file of the first sector with a covered byte.
    fn first_sector(&self) -> u64 {
        self.covered_start / self.sector_bytes
    }

    /// The number of sectors with covered bytes.
    pub(super) fn sectors(&self) -> u64 {
        self.covered_end
            .div_ceil(self.sector_bytes)
            .saturating_sub(self.first_sector())
    }

    /// The covered bytes of a sector, numbered from 0.
    pub(super) fn sector(&self, number: u64) -> Range<u64> {
        let start = self
            .first_sector()
            .saturating_add(number)
            .saturating_mul(self.sector_bytes);
        let end = start.saturating_add(self.sector_bytes);
        start.max(self.covered_start)..end.min(self.covered_end)
    }

    /// Size of the checksums in bytes.
    pub(super) fn checks_bytes(&self) -> u64 {
        self.sectors().saturating_mul(CRC_BYTES)
    }

    /// Size of the section in bytes.
    pub(super) fn section_bytes(&self) -> u64 {
        (FRAME_BYTES + FIELDS_BYTES + self.period).saturating_add(self.checks_bytes())
    }

    /// File offset of the last fields of the payload.
    pub(super) fn fields_range(span: &ParitySpan) -> Range<u64> {
        let end = span.end().saturating_sub(FRAME_BYTES - HEAD_BYTES);
        end.saturating_sub(FIELDS_BYTES)..end
    }

    fn fields(&self) -> Vec<u8> {
        let log = |bytes: u64| bytes.trailing_zeros().to_le_bytes()[0];
        let mut fields = self.covered_start.to_le_bytes().to_vec();
        fields.extend([log(self.sector_bytes), log(self.period)]);
        fields
    }
}

/// XORs bytes at this file offset into a sum of one period.
pub(super) fn add(sum: &mut [u8], offset: u64, mut bytes: &[u8]) {
    let mut at = position(offset, sum.len());
    while !bytes.is_empty() && !sum.is_empty() {
        let rest = sum.get_mut(at..).unwrap_or_default();
        let (part, after) = bytes.split_at(rest.len().min(bytes.len()));
        for (sum, byte) in rest.iter_mut().zip(part) {
            *sum ^= byte;
        }
        (bytes, at) = (after, 0);
    }
}

/// The part of a sum of one period that belongs to the sector of this file offset.
pub(super) fn of_sector<'s>(sum: &'s [u8], offset: u64, layout: &ParityLayout) -> &'s [u8] {
    let start = position(
        offset / layout.sector_bytes * layout.sector_bytes,
        sum.len(),
    );
    let bytes = usize::try_from(layout.sector_bytes).unwrap_or(usize::MAX);
    sum.get(start..start.saturating_add(bytes))
        .unwrap_or_default()
}

/// The place of a file offset in a sum of one period.
pub(super) fn position(offset: u64, period: usize) -> usize {
    let place = offset.checked_rem(period as u64).unwrap_or(0);
    usize::try_from(place).unwrap_or(0)
}

/// Computes the parity of what is written.
#[derive(Debug)]
pub(super) struct ParityWriter {
    start: u64,
    end: u64,
    /// The XOR of the bytes, by their offset modulo the longest period.
    sum: Vec<u8>,
    /// The CRC-32s of the sectors of a disk that are complete.
    checks: Vec<u32>,
    /// That of the last one.
    check: crc32fast::Hasher,
    /// All bytes, while the file is small.
    small: Vec<u8>,
}

impl ParityWriter {
    /// Covers the bytes from this file offset on.
    pub(super) fn new(start: u64) -> Self {
        ParityWriter {
            start,
            end: start,
            sum: Vec::new(),
            checks: Vec::new(),
            check: crc32fast::Hasher::new(),
            small: Vec::new(),
        }
    }

    /// The number of bytes since the last parity section.
    pub(super) fn bytes(&self) -> u64 {
        self.end - self.start
    }

    /// Adds the bytes that are written next.
    pub(super) fn add(&mut self, bytes: &[u8]) {
        if self.end + (bytes.len() as u64) < SMALL_FILE_BYTES {
            self.small.extend_from_slice(bytes);
        } else {
            let small = std::mem::take(&mut self.small);
            self.add_to_sectors(self.end - small.len() as u64, &small);
            self.add_to_sectors(self.end, bytes);
        }
        self.end += bytes.len() as u64;
    }

    fn add_to_sectors(&mut self, mut offset: u64, mut bytes: &[u8]) {
        self.sum.resize(usize::try_from(MAX_PERIOD).unwrap_or(0), 0);
        add(&mut self.sum, offset, bytes);
        while !bytes.is_empty() {
            let left = SECTOR_BYTES - offset % SECTOR_BYTES;
            let left = usize::try_from(left).unwrap_or(usize::MAX);
            let (part, after) = bytes.split_at(left.min(bytes.len()));
            self.check.update(part);
            offset += part.len() as u64;
            if offset.is_multiple_of(SECTOR_BYTES) {
                let check = std::mem::take(&mut self.check);
                self.checks.push(check.finalize());
            }
            bytes = after;
        }
    }

    /// The layout of the parity section that would follow if so many bytes more were covered.
    fn layout(&self, more: u64) -> ParityLayout {
        ParityLayout::choose(self.start..self.end + more + HEAD_BYTES)
    }

    /// Size of the parity section if it followed after so many bytes more.
    pub(super) fn section_bytes(&self, more: u64) -> u64 {
        self.layout(more).section_bytes()
    }

    /// The span of the parity section if it followed now.
    pub(super) fn span(&self) -> ParitySpan {
        ParitySpan {
            start: self.start,
            offset: self.end,
            bytes: self.section_bytes(0),
        }
    }

    /// The parity section of all bytes.
    pub(super) fn finish(mut self) -> Vec<u8> {
        let layout = self.layout(0);
        let head = SectionHead {
            section_type: registry::PARITY,
            flags: CRITICAL,
            payload_bytes: layout.section_bytes() - FRAME_BYTES,
        };
        self.add(&head.encode());
        let period = usize::try_from(layout.period).unwrap_or(usize::MAX);
        let mut parity = vec![0; period];
        if self.sum.is_empty() {
            add(&mut parity, self.start, &self.small);
        }
        add(&mut parity, 0, &self.sum);
        // The first byte of the payload is at the position of its file offset.
        parity.rotate_left(position(self.end, period));
        for check in self.checks(&layout) {
            parity.extend(check.to_le_bytes());
        }
        parity.extend(layout.fields());
        let crc = section::checksum(&head, &[&parity]);
        [&head.encode()[..], &parity, &crc.to_le_bytes()].concat()
    }

    fn checks(self, layout: &ParityLayout) -> Vec<u32> {
        if self.sum.is_empty() {
            let sectors = (0..layout.sectors()).map(|number| {
                let Range { start, end } = layout.sector(number);
                let at = |offset: u64| usize::try_from(offset - self.start).unwrap_or(usize::MAX);
                crc32fast::hash(self.small.get(at(start)..at(end)).unwrap_or_default())
            });
            return sectors.collect();
        }
        let mut checks = self.checks;
        if !self.end.is_multiple_of(SECTOR_BYTES) {
            checks.push(self.check.finalize());
        }
        checks
    }
}
