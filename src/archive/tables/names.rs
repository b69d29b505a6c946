//! The table of tag names.

use crate::archive::error::ContentError;
use crate::bits::{ByteReader, put_bytes};
use crate::codec::pack;
use crate::pgn::MAX_TAG_NAME_BYTES;

/// The maximum number of tag names of a segment.
pub const MAX_NAMES: usize = 1 << 16;

/// Writes the table.
pub(crate) fn write_names(names: &[impl AsRef<[u8]>]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut write = |name: &[u8]| put_bytes(&mut out, name);
    names.iter().for_each(|name| write(name.as_ref()));
    pack::compress(&out, pack::LEVEL)
}

/// Reads the unpacked table.
pub(super) fn read_names(bytes: &[u8]) -> Result<Vec<Vec<u8>>, ContentError> {
    let mut input = ByteReader::new(bytes);
    let mut names = Vec::new();
    while !input.is_empty() {
        let name = input.bytes()?.to_vec();
        let is_name = (1..=MAX_TAG_NAME_BYTES).contains(&name.len());
        if !is_name || names.len() >= MAX_NAMES {
            return Err(ContentError::Invalid("an impossible tag name, or too many"));
        }
        names.push(name);
    }
    Ok(names)
}
