//! Restoring damaged bytes by their parity (spec/format.md, “Parity”).
//!
//! Reading trusts no parity: what it restores is read again, and checked as if it had been
//! in the file.

use super::checksum;
use super::error::ContainerError;
use super::parity::{self, MAX_PERIOD, ParityLayout, ParitySpan, SECTOR_BYTES};
use super::read_at::{ReadAt, SectionInput};
use super::registry;
use super::section;
use super::warning::Warning;
use crate::parallel::lock;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// The restored bytes of a file.
#[derive(Debug, Default)]
pub(super) struct Mended {
    has_any: AtomicBool,
    state: Mutex<MendedState>,
}

#[derive(Debug, Default)]
struct MendedState {
    /// File offsets of the parity sections that were used.
    used: BTreeSet<u64>,
    /// The restored bytes by their file offsets.
    sectors: BTreeMap<u64, MendedSector>,
}

#[derive(Debug)]
struct MendedSector {
    bytes: Vec<u8>,
    /// Those that were damaged.
    damaged: Range<usize>,
}

impl Mended {
    /// Whether any bytes were restored.
    pub(super) fn has_any(&self) -> bool {
        self.has_any.load(Ordering::Acquire)
    }

    /// Replaces what was restored in bytes that were read at this offset. Returns whether
    /// they have restored bytes, and whether they have no others.
    pub(super) fn patch(&self, offset: u64, bytes: &mut [u8]) -> (bool, bool) {
        let end = offset.saturating_add(bytes.len() as u64);
        let state = lock(&self.state);
        let mut found = false;
        let mut covered = offset;
        let before = state.sectors.range(..=offset).next_back();
        let after = state.sectors.range(offset.saturating_add(1)..end);
        for (start, sector) in before.into_iter().chain(after) {
            let from = offset.max(*start);
            let to = end.min(start.saturating_add(sector.bytes.len() as u64));
            if from >= to {
                continue;
            }
            let at = |offset: u64, base: u64| usize::try_from(offset - base).unwrap_or(usize::MAX);
            let new = sector.bytes.get(at(from, *start)..at(to, *start));
            let old = bytes.get_mut(at(from, offset)..at(to, offset));
            if let (Some(old), Some(new)) = (old, new) {
                old.copy_from_slice(new);
                found = true;
            }
            if from <= covered {
                covered = to;
            }
        }
        (found, covered >= end)
    }

    /// A warning for each range that was restored.
    pub(super) fn warnings(&self) -> Vec<Warning> {
        let state = lock(&self.state);
        let mut ranges: Vec<(Range<u64>, u64)> = Vec::new();
        for (start, sector) in &state.sectors {
            let from = start.saturating_add(sector.damaged.start as u64);
            let to = start.saturating_add(sector.damaged.end as u64);
            let end = start.saturating_add(sector.bytes.len() as u64);
            match ranges.last_mut() {
                Some((range, last)) if *last == *start => (range.end, *last) = (to, end),
                _ => ranges.push((from..to, end)),
            }
        }
        let warnings = ranges.into_iter().map(|(range, _)| Warning::Mended {
            offset: range.start,
            bytes: range.end.saturating_sub(range.start),
        });
        warnings.collect()
    }
}

impl<S: ReadAt> SectionInput<S> {
    /// Reads a structure, which is in this range of the file. If it is damaged, its bytes
    /// are restored by the parity of one of these spans if possible, and it is read again.
    pub(super) fn read_mended<T>(
        &self,
        spans: &[ParitySpan],
        range: Range<u64>,
        read: impl Fn() -> Result<T, ContainerError>,
    ) -> Result<T, ContainerError> {
        match read() {
            Err(error) if error.is_damage() => match self.mend(spans, range)? {
                true => read(),
                false => Err(error),
            },
            result => result,
        }
    }

    /// Restores damaged bytes of a range. Returns whether any are restored.
    ///
    /// # Errors
    /// The file cannot be read now.
    pub(super) fn mend(
        &self,
        spans: &[ParitySpan],
        range: Range<u64>,
    ) -> Result<bool, ContainerError> {
        let mut state = lock(&self.mended().state);
        let first = spans.partition_point(|span| span.covered().end <= range.start);
        let spans = spans.get(first..).unwrap_or_default().iter();
        for span in spans.take_while(|span| span.start < range.end) {
            if state.used.insert(span.offset) {
                state.sectors.extend(self.restored(span)?);
            }
        }
        if !state.sectors.is_empty() {
            self.mended().has_any.store(true, Ordering::Release);
        }
        let before = state.sectors.range(..range.end).next_back();
        let end = before.map(|(start, sector)| start.saturating_add(sector.bytes.len() as u64));
        Ok(end.is_some_and(|end| end > range.start))
    }

    /// The damaged sectors of a span that its parity restores: those that share their parity
    /// with no other damaged sector.
    fn restored(&self, span: &ParitySpan) -> Result<Vec<(u64, MendedSector)>, ContainerError> {
        if span.end() > self.size() || span.bytes > self.limits().index_bytes {
            return Ok(Vec::new());
        }
        let fields = self.read_lossy(ParityLayout::fields_range(span))?;
        let Some(layout) = ParityLayout::read(&fields, span) else {
            return Ok(Vec::new());
        };
        let (mut sum, checks) = self.parity(span, &layout)?;
        let damaged = self.damaged_sectors(&layout, &checks, &mut sum)?;
        let mut restored = Vec::new();
        for number in damaged.into_values().flatten() {
            let sector = layout.sector(number);
            let offset = sector.start;
            let found = self.read_lossy(sector)?;
            let mut bytes = found.clone();
            let position = parity::position(offset, sum.len());
            for (byte, sum) in bytes.iter_mut().zip(sum.iter().skip(position)) {
                *byte ^= sum;
            }
            if is_intact(&bytes, number, &checks) {
                let differs = |(found, byte): (&u8, &u8)| found != byte;
                let first = found.iter().zip(&bytes).position(differs);
                let last = found.iter().zip(&bytes).rposition(differs);
                let damaged = first.unwrap_or(0)..last.map_or(0, |last| last + 1);
                restored.push((offset, MendedSector { bytes, damaged }));
            }
        }
        Ok(restored)
    }

    /// The parity of a span, by position in the period, and the checksums of its sectors.
    fn parity(
        &self,
        span: &ParitySpan,
        layout: &ParityLayout,
    ) -> Result<(Vec<u8>, Vec<u8>), ContainerError> {
        let start = section::payload_offset(span.offset);
        let middle = start.saturating_add(layout.period);
        let mut sum = self.read_lossy(start..middle)?;
        let position = parity::position(start, sum.len());
        sum.rotate_right(position);
        let checks = self.read_lossy(middle..middle.saturating_add(layout.checks_bytes()))?;
        Ok((sum, checks))
    }

    /// Adds all covered bytes to the parity, of which the difference then remains. Returns
    /// the number of the damaged sector for each position in the period; `None` where it
    /// is not the only one.
    fn damaged_sectors(
        &self,
        layout: &ParityLayout,
        checks: &[u8],
        sum: &mut [u8],
    ) -> Result<BTreeMap<usize, Option<u64>>, ContainerError> {
        let mut damaged = BTreeMap::new();
        let mut number = 0;
        let mut start = layout.covered_start;
        while start < layout.covered_end {
            // Windows begin and end with sectors.
            let end = (start / MAX_PERIOD + 1) * MAX_PERIOD;
            let end = end.min(layout.covered_end);
            let window = self.read_lossy(start..end)?;
            parity::add(sum, start, &window);
            let mut rest = &window[..];
            while !rest.is_empty() {
                let sector = layout.sector(number);
                let bytes = usize::try_from(sector.end - sector.start).unwrap_or(usize::MAX);
                let (bytes, after) = rest.split_at(bytes.clamp(1, rest.len()));
                if !is_intact(bytes, number, checks) {
                    let position = sector.start / layout.sector_bytes * layout.sector_bytes;
                    damaged
                        .entry(parity::position(position, sum.len()))
                        .and_modify(|known| *known = None)
                        .or_insert(Some(number));
                }
                number += 1;
                rest = after;
            }
            start = end;
        }
        Ok(damaged)
    }

    /// Reads bytes of which a medium may have lost some sectors. Those are zero.
    fn read_lossy(&self, range: Range<u64>) -> Result<Vec<u8>, ContainerError> {
        let read = |range: Range<u64>| {
            let place = section::place(registry::PARITY, range.start);
            self.read_unmended(place, range.end.saturating_sub(range.start))
        };
        match read(range.clone()) {
            Err(error) if error.is_damage() => {}
            result => return result,
        }
        let mut bytes = Vec::new();
        let mut start = range.start;
        while start < range.end {
            let end = ((start / SECTOR_BYTES + 1) * SECTOR_BYTES).min(range.end);
            match read(start..end) {
                Ok(sector) => bytes.extend(sector),
                Err(error) if error.is_damage() => {
                    let lost = usize::try_from(end - start).unwrap_or(0);
                    bytes.resize(bytes.len().saturating_add(lost), 0);
                }
                Err(error) => return Err(error),
            }
            start = end;
        }
        Ok(bytes)
    }

    /// Reads bytes of which a medium has lost some, all of which were restored.
    pub(super) fn read_restored(&self, range: Range<u64>) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        let mut start = range.start;
        while start < range.end {
            let end = ((start / SECTOR_BYTES + 1) * SECTOR_BYTES).min(range.end);
            let place = section::place(registry::PARITY, start);
            let (mut sector, is_lost) = match self.read_unmended(place, end - start) {
                Ok(sector) => (sector, false),
                Err(_) => (vec![0; usize::try_from(end - start).ok()?], true),
            };
            let (_, is_all) = self.mended().patch(start, &mut sector);
            if is_lost && !is_all {
                return None;
            }
            bytes.extend(sector);
            start = end;
        }
        Some(bytes)
    }
}

/// Whether the bytes of a sector, numbered from 0, have their checksum.
fn is_intact(bytes: &[u8], number: u64, checks: &[u8]) -> bool {
    let (checks, _) = checks.as_chunks::<4>();
    let check = usize::try_from(number)
        .ok()
        .and_then(|number| checks.get(number));
    let found = crc32fast::hash(bytes);
    check.is_some_and(|check| checksum::matches(u32::from_le_bytes(*check), found))
}
