//! The CRC-32 of any range of a file at the cost of reading a few kibibytes.
//!
//! A scan of a damaged file finds section heads that state arbitrary lengths, and an
//! attacker can write any number of them. Reading every stated section would take
//! quadratic time. The running CRC-32 of the file is therefore computed once, from its
//! start. The CRC-32 of a range follows from the running values at its two ends.

use super::error::{ContainerError, FilePart, FilePlace};
use super::read_at::{ReadAt, SectionInput};
use crc32fast::Hasher;
use std::ops::Range;

/// The distance between stored running values, in bytes. They use a thousandth of the
/// file size in memory.
const STEP: u64 = 4 << 10;
/// The number of bytes read at a time while running values are computed.
const WINDOW: u64 = 256 * STEP;

/// The running CRC-32 of a file, computed as far as requested.
pub(super) struct RangeCrcs<'i, S> {
    input: &'i SectionInput<S>,
    /// The CRC-32 of all bytes before each multiple of [`STEP`].
    prefix_crcs: Vec<u32>,
}

impl<'i, S: ReadAt> RangeCrcs<'i, S> {
    pub(super) fn new(input: &'i SectionInput<S>) -> Self {
        RangeCrcs {
            input,
            prefix_crcs: vec![0],
        }
    }

    /// The CRC-32 of a range of the file.
    ///
    /// # Errors
    /// The range is not inside the file, or the system cannot read it.
    pub(super) fn of(&mut self, range: Range<u64>) -> Result<u32, ContainerError> {
        let before = self.prefix_crc(range.start)?;
        let end_crc = self.prefix_crc(range.end)?;
        Ok(end_crc ^ shift_crc(before, range.end.saturating_sub(range.start)))
    }

    /// The CRC-32 of all bytes before an offset.
    fn prefix_crc(&mut self, end: u64) -> Result<u32, ContainerError> {
        let step = end / STEP;
        while self.last() < step {
            self.extend()?;
        }
        let known = usize::try_from(step).ok();
        let known = known.and_then(|step| self.prefix_crcs.get(step));
        let bytes = self.read(step * STEP, end % STEP)?;
        Ok(append_crc(known.copied().unwrap_or_default(), &bytes))
    }

    /// The index of the last running value.
    fn last(&self) -> u64 {
        (self.prefix_crcs.len() as u64).saturating_sub(1)
    }

    /// Computes the running values of the next window.
    fn extend(&mut self) -> Result<(), ContainerError> {
        let start = self.last() * STEP;
        let left = self.input.size().saturating_sub(start);
        // Reads at least one step, so that a file that is too short gives an error.
        let bytes = self.read(start, left.clamp(STEP, WINDOW))?;
        let mut sum = self.prefix_crcs.last().copied().unwrap_or_default();
        for step in bytes.chunks_exact(usize::try_from(STEP).unwrap_or(usize::MAX)) {
            sum = append_crc(sum, step);
            self.prefix_crcs.push(sum);
        }
        Ok(())
    }

    fn read(&self, offset: u64, len: u64) -> Result<Vec<u8>, ContainerError> {
        self.input
            .read(FilePlace::new(FilePart::Segment, offset), len)
    }
}

/// The CRC-32 of a byte string. `sum` is the CRC-32 of its prefix, `rest` the remaining
/// bytes.
fn append_crc(sum: u32, rest: &[u8]) -> u32 {
    let mut hasher = Hasher::new_with_initial(sum);
    hasher.update(rest);
    hasher.finalize()
}

/// The contribution of a prefix with the CRC-32 `sum` to the CRC-32 of the prefix and
/// `bytes` more bytes. XORing it out leaves the CRC-32 of these bytes alone.
fn shift_crc(sum: u32, bytes: u64) -> u32 {
    let mut hasher = Hasher::new_with_initial_len(sum, 0);
    hasher.combine(&Hasher::new_with_initial_len(0, bytes));
    hasher.finalize()
}

#[cfg(test)]
mod tests {
    use super::super::read_at::Bytes;
    use super::*;
    use crate::limits::Limits;

    #[test]
    #[cfg_attr(miri, ignore = "takes minutes")]
    fn any_range_has_the_sum_of_its_bytes() {
        let bytes: Vec<u8> = (0..20_000u32)
            .flat_map(|n| (n * n / 7).to_le_bytes())
            .take(20_000)
            .collect();
        let input = SectionInput::new(Bytes(&bytes), Limits::default()).unwrap();
        let mut sums = RangeCrcs::new(&input);
        let ends = [0, 1, 4095, 4096, 4097, 8192, 12_000, 19_999, 20_000];
        for (start, end) in ends
            .iter()
            .flat_map(|start| ends.map(|end| (*start, end)))
            .filter(|(start, end)| start <= end)
        {
            let wanted = crc32fast::hash(&bytes[start..end]);
            let range = start as u64..end as u64;
            assert_eq!(sums.of(range).unwrap(), wanted, "{start}..{end}");
        }
        assert!(sums.of(0..20_001).is_err());
        assert!(sums.of(0..u64::MAX).is_err());
    }
}
