//! What a later minor version may add (`spec/format.md`, section "Versions"): this release reads
//! the archive as if it were not there, and copies it with the segment.

use crate::forged;
use crate::samples;
use crate::unpacked::{unpack, unpack_all};
use pgna::internals::bits::{ByteReader, put_varint};
use pgna::internals::container::{SectionType, TableKind};
use pgna::{Archive, Indexes, Merger, NewFile, PackOptions, Writer};

const UNKNOWN_TABLES: [(TableKind, u64); 3] =
    [(TableKind(3), 0), (TableKind(28), 5), (TableKind(200), 7)];
const UNKNOWN_COLUMN: u64 = 27;
const UNKNOWN_TAG: u64 = 32 + 70_000;
const UNKNOWN_SECTION: SectionType = SectionType(*b"ZYXW");

fn sources() -> Vec<(String, Vec<u8>)> {
    let names = ["annotated.pgn", "variants.pgn", "set-up-tags.pgn"];
    let source = |name: &str| (name.to_owned(), samples::text(name));
    names.map(source).to_vec()
}

fn pack() -> Vec<u8> {
    let options = PackOptions {
        segment_bytes: 5_000,
        indexes: Indexes::Full,
        ..PackOptions::default()
    };
    let mut writer = Writer::new(Vec::new(), options).unwrap();
    for (name, text) in sources() {
        writer.add_source(&name, &text[..]).unwrap();
    }
    writer.finish().unwrap().0
}

/// Packed columns with one more, which must have a higher number than all others.
fn with_column(packed: &[u8], number: u64) -> Vec<u8> {
    let mut reader = ByteReader::new(packed);
    let count = reader.varint().unwrap();
    let (mut list, mut next) = (Vec::new(), 0);
    for _ in 0..count {
        let (skip, length) = (reader.varint().unwrap(), reader.varint().unwrap());
        put_varint(&mut list, skip);
        put_varint(&mut list, length);
        next += skip + 1;
    }
    let content = b"of a later version";
    put_varint(&mut list, number - next);
    put_varint(&mut list, content.len() as u64);
    let mut out = Vec::new();
    put_varint(&mut out, count + 1);
    [&out[..], &list, reader.rest(), content].concat()
}

/// An archive as a later minor version might write it.
fn later(flags: u8) -> Vec<u8> {
    let additions = forged::Additions {
        tables: UNKNOWN_TABLES
            .map(|(kind, key)| (kind, key, &b"later"[..]))
            .to_vec(),
        section: (UNKNOWN_SECTION, flags, b"later"),
        tags: |packed| with_column(packed, UNKNOWN_TAG),
        movetext: |packed| with_column(packed, UNKNOWN_COLUMN),
    };
    forged::with_additions(&pack(), &additions)
}

#[test]
fn what_a_later_version_adds_is_ignored() {
    for flags in [0, 2, 0x80] {
        let bytes = later(flags);
        assert_eq!(unpack(&bytes).unwrap(), sources());
        let archive = Archive::new(&bytes[..]).unwrap();
        let whole = Archive::new(pack()).unwrap();
        assert_eq!(archive.games(), whole.games());
        for number in 1..=archive.games() {
            assert_eq!(archive.text(number).unwrap(), whole.text(number).unwrap());
        }
        assert!(archive.warnings().is_empty());
    }
}

#[test]
fn a_merge_copies_what_a_later_version_has_added() {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("merged.pgna");
    let mut merger = Merger::new(NewFile::create(&target).unwrap()).unwrap();
    let bytes = later(0);
    merger.add(&Archive::new(bytes).unwrap(), |_| ()).unwrap();
    merger.finish(false).unwrap();
    let merged = std::fs::read(&target).unwrap();
    for added in [&b"later"[..], b"of a later version", &UNKNOWN_SECTION.0] {
        assert!(merged.windows(added.len()).any(|window| window == added));
    }
    assert_eq!(
        unpack_all(&Archive::new(merged).unwrap()).unwrap(),
        sources()
    );
}
