//! What a number names in a file.

use super::error::CodecError;
use crate::bits::ByteReader;

/// Reads the byte that names one of these.
pub(super) fn read_numbered<T: Copy>(
    reader: &mut ByteReader<'_>,
    all: &[T],
    number: impl Fn(T) -> u8,
    unknown: &'static str,
) -> Result<T, CodecError> {
    let named = reader.u8()?;
    let mut all = all.iter().copied();
    all.find(|one| number(*one) == named)
        .ok_or(CodecError::Damaged(unknown))
}
