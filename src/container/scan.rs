//! Finding sections by their sync marks when no structure refers to them
//! (spec/recovery.md, “Recovery”).

use super::error::{ContainerError, FilePart, FilePlace};
use super::range_sums::RangeCrcs;
use super::read_at::{ReadAt, SectionInput};
use super::section::{FRAME_BYTES, HEAD_BYTES, SYNC, SYNC_OFFSET, SectionHead};
use memchr::memmem;

/// The number of bytes that are searched at a time.
const WINDOW: u64 = 64 << 10;

/// A place at which a section begins or seems to begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SectionMark {
    pub(super) offset: u64,
    pub(super) head: SectionHead,
    /// The section's CRC-32, if it matches, so that the section is intact.
    pub(super) valid_crc: Option<u32>,
}

impl SectionMark {
    /// Size of the whole section in bytes, as its head states.
    pub(super) fn section_bytes(&self) -> u64 {
        self.head.section_bytes().unwrap_or(u64::MAX)
    }

    /// File offset after the section, as its head states.
    pub(super) fn end(&self) -> u64 {
        self.offset.saturating_add(self.section_bytes())
    }
}

/// Calls `see` for all marks of a file in order, except those inside intact sections:
/// the payload of a section is not searched.
///
/// # Errors
/// The system cannot read the file, or `see` fails.
pub(super) fn scan<S: ReadAt>(
    input: &SectionInput<S>,
    mut on_mark: impl FnMut(SectionMark) -> Result<(), ContainerError>,
) -> Result<(), ContainerError> {
    let mut sums = RangeCrcs::new(input);
    let mut window = ScanWindow::default();
    let mut from = 0;
    while let Some((offset, head)) = window.next_head(input, from)? {
        let mut mark = SectionMark {
            offset,
            head,
            valid_crc: None,
        };
        mark.valid_crc = valid_crc_of(input, &mut sums, &mark)?;
        from = match mark.valid_crc {
            Some(_) => mark.end(),
            // The stated length is unreliable: intact sections may be within it.
            None => offset + 1,
        };
        on_mark(mark)?;
    }
    Ok(())
}

/// The CRC-32 of the section at a mark, if the section is intact.
fn valid_crc_of<S: ReadAt>(
    input: &SectionInput<S>,
    sums: &mut RangeCrcs<'_, S>,
    mark: &SectionMark,
) -> Result<Option<u32>, ContainerError> {
    if mark.end() > input.size() {
        return Ok(None);
    }
    let crc_offset = mark.end() - (FRAME_BYTES - HEAD_BYTES);
    let place = FilePlace::new(FilePart::Section(mark.head.section_type), crc_offset);
    let stored = input.read(place, FRAME_BYTES - HEAD_BYTES)?;
    let stored = stored.first_chunk().map(|crc| u32::from_le_bytes(*crc));
    let found = sums.of(mark.offset..crc_offset)?;
    Ok(stored.filter(|stored| *stored == found))
}

/// The part of the file in memory.
#[derive(Default)]
struct ScanWindow {
    start: u64,
    bytes: Vec<u8>,
}

impl ScanWindow {
    /// Finds the first head at or after an offset.
    fn next_head<S: ReadAt>(
        &mut self,
        input: &SectionInput<S>,
        mut from: u64,
    ) -> Result<Option<(u64, SectionHead)>, ContainerError> {
        while from.saturating_add(HEAD_BYTES) <= input.size() {
            self.fill(input, from)?;
            let rest = self.rest(from);
            match first_head(rest) {
                Some((at, head)) => return Ok(Some((from + at, head))),
                // A head may begin in the last bytes of the window and end after them.
                None => from += (rest.len() as u64).saturating_sub(HEAD_BYTES) + 1,
            }
        }
        Ok(None)
    }

    /// Moves the window to `from`, unless it already holds at least `HEAD_BYTES` from
    /// there on.
    fn fill<S: ReadAt>(
        &mut self,
        input: &SectionInput<S>,
        from: u64,
    ) -> Result<(), ContainerError> {
        if (self.rest(from).len() as u64) < HEAD_BYTES {
            let len = WINDOW.min(input.size().saturating_sub(from));
            self.bytes = input.read(FilePlace::new(FilePart::Segment, from), len)?;
            self.start = from;
        }
        Ok(())
    }

    fn rest(&self, from: u64) -> &[u8] {
        let at = from.checked_sub(self.start);
        let at = at.and_then(|at| usize::try_from(at).ok());
        at.and_then(|at| self.bytes.get(at..)).unwrap_or_default()
    }
}

/// The first head in `bytes`, and its offset.
fn first_head(bytes: &[u8]) -> Option<(u64, SectionHead)> {
    let syncs = memmem::find_iter(bytes, &SYNC);
    syncs
        .filter_map(|sync| {
            let at = sync.checked_sub(SYNC_OFFSET)?;
            let head = bytes.get(at..)?.first_chunk::<16>()?;
            let place = FilePlace::new(FilePart::Segment, 0);
            let head = SectionHead::parse(head, place).ok()?;
            Some((at as u64, head))
        })
        .next()
}
