//! The bit fields of the position codes.

use crate::bits::{BitReader, BitsError};

/// Reads a field of at most 8 bits.
pub(super) fn read_field(input: &mut BitReader<'_>, bits: u32) -> Result<u8, BitsError> {
    (0..bits).try_fold(0, |field, _| Ok(field << 1 | u8::from(input.read_bit()?)))
}
