//! A section of an index: a head, then records that are read one by one, each after its checksum.
//!
//! ```text
//! length of the head (4 bytes) │ CRC-32 │ head │ CRC-32 │ record │ CRC-32 │ record │ …
//! ```
//!
//! A checksum after what it checks would make that of the section the same for any content of the same
//! size, because the CRC-32 of bytes and their CRC-32 is a constant.

use crate::codec::error::CodecError;
use std::ops::Range;

/// The number of bytes before the head.
pub const HEAD_START: u64 = 4;
/// The size of a checksum in bytes.
const CRC_BYTES: u64 = 4;

/// Where the records of a section are in its payload.
#[derive(Debug, Clone)]
pub(super) struct Records {
    /// The offset of each record, and the end of the last one.
    starts: Vec<u64>,
}

/// The section with this head and these records.
pub fn write_section(head: &[u8], records: impl IntoIterator<Item = impl AsRef<[u8]>>) -> Vec<u8> {
    let mut out = Vec::new();
    let length = u32::try_from(head.len()).unwrap_or(u32::MAX);
    out.extend(length.to_le_bytes());
    put_checked(&mut out, head);
    for record in records {
        put_checked(&mut out, record.as_ref());
    }
    out
}

fn put_checked(out: &mut Vec<u8>, bytes: &[u8]) {
    out.extend(crc32fast::hash(bytes).to_le_bytes());
    out.extend_from_slice(bytes);
}

/// The range of the head and its checksum, from the first [`HEAD_START`] bytes of the payload; `None`
/// if these are fewer.
pub fn head_range(start: &[u8]) -> Option<Range<u64>> {
    let length = u32::from_le_bytes(*start.first_chunk()?);
    Some(HEAD_START..HEAD_START + u64::from(length) + CRC_BYTES)
}

/// The head of a whole section, with its checksum; empty if the section ends before.
pub fn section_head(section: &[u8]) -> &[u8] {
    let range = head_range(section).unwrap_or_default();
    let [start, end] = [range.start, range.end].map(|at| usize::try_from(at).unwrap_or(usize::MAX));
    section.get(start..end).unwrap_or_default()
}

/// A head or a record without its checksum.
///
/// # Errors
/// The checksum is another one.
pub(super) fn checked(bytes: &[u8]) -> Result<&[u8], CodecError> {
    const DAMAGED: CodecError = CodecError::Damaged("a checksum of an index");
    let (crc, content) = bytes.split_first_chunk().ok_or(DAMAGED)?;
    match crc32fast::hash(content) == u32::from_le_bytes(*crc) {
        true => Ok(content),
        false => Err(DAMAGED),
    }
}

impl Records {
    /// Records of these sizes after a head of this size.
    pub(super) fn new(head: &[u8], sizes: impl IntoIterator<Item = u64>) -> Records {
        let mut end = HEAD_START + head.len() as u64 + CRC_BYTES;
        let mut starts = vec![end];
        starts.extend(sizes.into_iter().map(|size| {
            end = end.saturating_add(size).saturating_add(CRC_BYTES);
            end
        }));
        Records { starts }
    }

    /// The range of a record and its checksum.
    pub(super) fn range(&self, number: usize) -> Range<u64> {
        let at = |number: usize| self.starts.get(number).copied().unwrap_or(u64::MAX);
        at(number)..at(number + 1)
    }
}
