//! The ID of a segment.

use std::fmt;

/// The first eight bytes of the BLAKE3 digest of a segment's tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct SegmentId(pub [u8; 8]);

impl SegmentId {
    /// Its size in bytes.
    pub(super) const BYTES: u64 = 8;

    pub(super) fn of(tables: &[u8]) -> Self {
        let digest = blake3::hash(tables);
        let [a, b, c, d, e, f, g, h, ..] = *digest.as_bytes();
        SegmentId([a, b, c, d, e, f, g, h])
    }
}

impl fmt::Display for SegmentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}
