//! The golden archive: the writer must reproduce it byte for byte on every machine.
//!
//! While the format is a draft, each change of the format replaces the golden archive:
//!
//!     cargo test --test it golden:: -- --ignored

use crate::samples;
use crate::unpacked::unpack;
use pgna::{Archive, Indexes, PackOptions, Writer};
use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn golden() -> PathBuf {
    root().join("tests/golden/0.17.pgna")
}

/// The samples in the golden archive, one for each kind of structure.
const SAMPLES: [&str; 12] = [
    "annotated.pgn",
    "chess960.pgn",
    "clk-tenths.pgn",
    "crlf-72-before-white.pgn",
    "garbage.pgn",
    "latin-1.pgn",
    "lines-in-comments.pgn",
    "null-moves.pgn",
    "old-spelling.pgn",
    "set-up-tags.pgn",
    "variants.pgn",
    "wrapped-inside-comments.pgn",
];

/// Packs the samples in small segments, so that sources span segments.
fn pack() -> Vec<u8> {
    let options = PackOptions {
        segment_bytes: 20_000,
        indexes: Indexes::Full,
        ..PackOptions::default()
    };
    let mut writer = Writer::new(Vec::new(), options).unwrap();
    for name in SAMPLES {
        writer.add_source(name, &samples::text(name)[..]).unwrap();
    }
    let (mut archive, slot, _) = writer.finish_with_slot().unwrap();
    slot.write_to(&mut archive);
    archive
}

#[test]
fn the_golden_archive_can_be_read() {
    let unpacked = unpack(&std::fs::read(golden()).unwrap()).unwrap();
    let archive = Archive::map(&golden(), pgna::Limits::default()).unwrap();
    assert!(archive.warnings().is_empty());
    assert_eq!(unpacked.len(), SAMPLES.len());
    let sizes = archive.sizes().unwrap();
    for column in ["start positions", "lines"] {
        assert!(sizes.columns[column].blocks_bytes > 0, "{column}");
    }
    for ((name, bytes), expected) in unpacked.iter().zip(SAMPLES) {
        assert_eq!(name, expected);
        assert!(*bytes == samples::text(expected), "{name}");
    }
}

#[test]
fn the_golden_archive_is_reproduced() {
    assert!(
        pack() == std::fs::read(golden()).unwrap(),
        "this release writes other bytes than the golden archive"
    );
}

#[test]
#[ignore = "replaces the golden archive"]
fn write_the_golden_archive() {
    std::fs::write(golden(), pack()).unwrap();
}
