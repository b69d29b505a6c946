//! Restoring the damaged sectors that share their parity.

use super::super::checksum;
use std::ops::Range;

/// A sector that was restored.
#[derive(Debug)]
pub(super) struct MendedSector {
    pub(super) bytes: Vec<u8>,
    /// Those that were damaged.
    pub(super) damaged: Range<usize>,
}

/// The covered bytes of a damaged sector.
pub(super) struct DamagedSector {
    /// As they are in the file.
    pub(super) found: Vec<u8>,
    /// With the difference added where it is tried.
    pub(super) sums: Vec<u8>,
    /// Their position in the sector.
    pub(super) start: u64,
    /// Their file offset.
    pub(super) place: u64,
    /// Their CRC-32.
    pub(super) check: Option<u32>,
}

impl DamagedSector {
    /// Adds the difference at a position of the sector, or removes it again. Returns whether
    /// that changes a byte.
    fn toggle(&mut self, difference: &[u8], position: usize) -> bool {
        let start = usize::try_from(self.start).unwrap_or(usize::MAX);
        let byte = position.checked_sub(start);
        let byte = byte.and_then(|at| self.sums.get_mut(at));
        let (Some(byte), Some(sum)) = (byte, difference.get(position)) else {
            return false;
        };
        *byte ^= sum;
        *sum != 0
    }

    fn is_mended(&self) -> bool {
        is_intact(&self.sums, self.check)
    }

    fn mended(self) -> (u64, MendedSector) {
        let differs = |(found, byte): (&u8, &u8)| found != byte;
        let first = self.found.iter().zip(&self.sums).position(differs);
        let last = self.found.iter().zip(&self.sums).rposition(differs);
        let damaged = first.unwrap_or(0)..last.map_or(0, |last| last + 1);
        let bytes = self.sums;
        (self.place, MendedSector { bytes, damaged })
    }
}

/// Restores the damaged sectors that share this difference: one that is damaged from a
/// position on, or two of which one is damaged before a position and the other from there
/// on. That is the case if damage reaches from a sector into the next one, or into the parity.
pub(super) fn restore(
    mut sectors: Vec<DamagedSector>,
    difference: &[u8],
) -> Vec<(u64, MendedSector)> {
    let is_restored = match &mut sectors[..] {
        [one] => split(None, one, difference),
        [first, second] => {
            split(Some(&mut *first), second, difference)
                || split(Some(&mut *second), first, difference)
        }
        _ => false,
    };
    match is_restored {
        true => sectors.into_iter().map(DamagedSector::mended).collect(),
        false => Vec::new(),
    }
}

/// Searches the position before which the difference belongs to one sector, and from which on
/// to the other, so that both have their checksums. If there is none, both are as before.
fn split(
    mut before: Option<&mut DamagedSector>,
    after: &mut DamagedSector,
    difference: &[u8],
) -> bool {
    for position in 0..difference.len() {
        after.toggle(difference, position);
    }
    let mut has_changed = true;
    for position in 0..=difference.len() {
        // Where the difference is zero, the sectors are those of the previous position.
        let is_mended = has_changed && after.is_mended();
        if is_mended && before.as_ref().is_none_or(|before| before.is_mended()) {
            return true;
        }
        has_changed = after.toggle(difference, position);
        if let Some(before) = &mut before {
            has_changed |= before.toggle(difference, position);
        }
    }
    if let Some(before) = before {
        for position in 0..difference.len() {
            before.toggle(difference, position);
        }
    }
    false
}

/// Whether the bytes of a sector have this checksum.
pub(super) fn is_intact(bytes: &[u8], check: Option<u32>) -> bool {
    let found = crc32fast::hash(bytes);
    check.is_some_and(|check| checksum::matches(check, found))
}
