//! Packing in small blocks, for tests about reading.

use crate::sizes;
use pgna::{PackOptions, Writer};

/// Packs sources, given by name and text, in short segments with blocks of so many records.
pub(crate) fn pack(sources: &[(String, Vec<u8>)], records: u32) -> Vec<u8> {
    let options = PackOptions {
        block_records: records,
        segment_bytes: 20_000,
        codecs: sizes::codecs(),
        ..PackOptions::default()
    };
    let mut writer = Writer::new(Vec::new(), options).unwrap();
    for (name, text) in sources {
        writer.add_source(name, &text[..]).unwrap();
    }
    writer.finish().unwrap().0
}
