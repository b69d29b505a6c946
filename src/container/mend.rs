//! Restoring damaged bytes by their parity (spec/format.md, “Parity”).
//!
//! Reading trusts no parity: what it restores is read again, and checked as if it had been
//! in the file.

mod split;

use super::error::ContainerError;
use super::parity::{self, MAX_PERIOD, ParityLayout, ParitySpan, SECTOR_BYTES};
use super::read_at::{ReadAt, SectionInput};
use super::registry;
use super::section;
use super::warning::Warning;
use crate::parallel::lock;
use split::{DamagedSector, MendedSector, is_intact, restore};
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
    /// The number of restored bytes.
    bytes: u64,
    /// The restored bytes by their file offsets.
    sectors: BTreeMap<u64, MendedSector>,
}

impl MendedState {
    /// Adds restored sectors, as long as they have at most so many bytes together.
    fn add(&mut self, restored: Vec<(u64, MendedSector)>, most: u64) {
        for (offset, sector) in restored {
            let bytes = self.bytes.saturating_add(sector.bytes.len() as u64);
            if bytes <= most {
                self.bytes = bytes;
                self.sectors.insert(offset, sector);
            }
        }
    }
}

impl Mended {
    /// Whether any bytes were restored.
    pub(super) fn has_any(&self) -> bool {
        self.has_any.load(Ordering::Acquire)
    }

    /// Replaces what was restored in bytes that were read at this offset. Returns whether
    /// that is all of them.
    pub(super) fn patch(&self, offset: u64, bytes: &mut [u8]) -> bool {
        let end = offset.saturating_add(bytes.len() as u64);
        if bytes.is_empty() {
            return true;
        }
        let state = lock(&self.state);
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
            }
            if from <= covered {
                covered = to;
            }
        }
        covered >= end
    }

    /// A warning for each range that was restored.
    pub(super) fn warnings(&self) -> Vec<Warning> {
        let ranges = self.ranges().into_iter();
        let warnings = ranges.map(|range| Warning::Mended {
            offset: range.start,
            bytes: range.end.saturating_sub(range.start),
        });
        warnings.collect()
    }

    /// The number of bytes in these ranges.
    pub(super) fn bytes(&self) -> u64 {
        let ranges = self.ranges().into_iter();
        ranges
            .map(|range| range.end.saturating_sub(range.start))
            .sum()
    }

    /// From the first to the last damaged byte of neighbouring sectors.
    fn ranges(&self) -> Vec<Range<u64>> {
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
        ranges.into_iter().map(|(range, _)| range).collect()
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
            if !state.used.contains(&span.offset) {
                let restored = self.restored(span)?;
                state.used.insert(span.offset);
                state.add(restored, self.limits().index_bytes);
            }
        }
        if !state.sectors.is_empty() {
            self.mended().has_any.store(true, Ordering::Release);
        }
        let before = state.sectors.range(..range.end).next_back();
        let end = before.map(|(start, sector)| start.saturating_add(sector.bytes.len() as u64));
        Ok(end.is_some_and(|end| end > range.start))
    }

    /// The damaged sectors of a span that its parity restores.
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
        for numbers in damaged.into_values() {
            let sectors = numbers.into_iter().map(|number| {
                let place = layout.sector(number);
                let found = self.read_lossy(place.clone())?;
                Ok(DamagedSector {
                    sums: found.clone(),
                    found,
                    start: place.start % layout.sector_bytes,
                    place: place.start,
                    check: check(number, &checks),
                })
            });
            let sectors = sectors.collect::<Result<Vec<_>, ContainerError>>()?;
            let place = sectors.first().map_or(0, |sector| sector.place);
            let difference = parity::of_sector(&sum, place, &layout);
            restored.extend(restore(sectors, difference));
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
    /// the numbers of the damaged sectors for each position in the period, at most three.
    fn damaged_sectors(
        &self,
        layout: &ParityLayout,
        checks: &[u8],
        sum: &mut [u8],
    ) -> Result<BTreeMap<usize, Vec<u64>>, ContainerError> {
        let mut damaged: BTreeMap<usize, Vec<u64>> = BTreeMap::new();
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
                if !is_intact(bytes, check(number, checks)) {
                    let position = sector.start / layout.sector_bytes * layout.sector_bytes;
                    let sharing = damaged.entry(parity::position(position, sum.len()));
                    let sharing = sharing.or_default();
                    if sharing.len() <= MOST_SHARING {
                        sharing.push(number);
                    }
                }
                number += 1;
                rest = after;
            }
            start = end;
        }
        Ok(damaged)
    }

    /// Reads bytes of which a medium may have lost some sectors. Those are zero.
    pub(super) fn read_lossy(&self, range: Range<u64>) -> Result<Vec<u8>, ContainerError> {
        let place = section::place(registry::PARITY, range.start);
        match self.read_unmended(place, range.end.saturating_sub(range.start)) {
            Err(error) if error.is_damage() => self.read_sectors(range, |_, _, _| Ok(())),
            read => read,
        }
    }

    /// Reads bytes of which a medium has lost some, all of which were restored.
    pub(super) fn read_restored(&self, range: Range<u64>) -> Result<Vec<u8>, ContainerError> {
        let start = range.start;
        let mut bytes = self.read_sectors(range, |offset, lost, error| {
            match self.mended().patch(offset, lost) {
                true => Ok(()),
                false => Err(error),
            }
        })?;
        self.mended().patch(start, &mut bytes);
        Ok(bytes)
    }

    /// Reads bytes sector by sector. `replace` is called with the offset of each sector that
    /// the medium has lost, as many zeros, and the error.
    fn read_sectors(
        &self,
        range: Range<u64>,
        replace: impl Fn(u64, &mut [u8], ContainerError) -> Result<(), ContainerError>,
    ) -> Result<Vec<u8>, ContainerError> {
        let mut bytes = Vec::new();
        let mut start = range.start;
        while start < range.end {
            let end = ((start / SECTOR_BYTES + 1) * SECTOR_BYTES).min(range.end);
            let place = section::place(registry::PARITY, start);
            match self.read_unmended(place, end - start) {
                Ok(sector) => bytes.extend(sector),
                Err(error) if error.is_damage() => {
                    let mut lost = vec![0; usize::try_from(end - start).unwrap_or(0)];
                    replace(start, &mut lost, error)?;
                    bytes.extend(lost);
                }
                Err(error) => return Err(error),
            }
            start = end;
        }
        Ok(bytes)
    }
}

/// The most damaged sectors that share their parity and are restored.
const MOST_SHARING: usize = 2;

/// The CRC-32 of a sector, numbered from 0.
fn check(number: u64, checks: &[u8]) -> Option<u32> {
    let (checks, _) = checks.as_chunks::<4>();
    let check = checks.get(usize::try_from(number).ok()?)?;
    Some(u32::from_le_bytes(*check))
}
