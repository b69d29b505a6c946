//! The table of layouts.

use crate::archive::error::ContentError;
use crate::bits::ByteReader;
use crate::codec::pack;
use crate::pgn::{Layout, MAX_LAYOUTS};

/// Writes the table.
pub(crate) fn write_layouts(layouts: &[Layout]) -> Vec<u8> {
    let mut out = Vec::new();
    layouts.iter().for_each(|layout| layout.write(&mut out));
    pack::compress(&out, pack::LEVEL)
}

/// Reads the unpacked table.
pub(super) fn read_layouts(bytes: &[u8]) -> Result<Vec<Layout>, ContentError> {
    let mut input = ByteReader::new(bytes);
    let mut layouts = Vec::new();
    while !input.is_empty() {
        let layout = Layout::read(&mut input)?;
        layouts.push(layout.ok_or(ContentError::Invalid("malformed layout"))?);
        if layouts.len() > MAX_LAYOUTS {
            return Err(ContentError::Invalid("too many layouts"));
        }
    }
    Ok(layouts)
}
