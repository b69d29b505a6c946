//! Contents that a later minor version may add (`spec/format.md`, section "Versions"): this release
//! gives the same text with and without them, and a merge copies them with their segments.

use crate::forged;
use crate::samples;
use crate::unpacked::{unpack, unpack_all};
use pgna::internals::bits::{ByteReader, put_varint};
use pgna::internals::container::{SectionType, TableKind};
use pgna::{Archive, Indexes, Merger, NewFile, PackOptions, Writer};

const UNKNOWN_TABLES: [(TableKind, u64, &[u8]); 3] = [
    (TableKind(3), 0, b"table of the container"),
    (TableKind(28), 5, b"table with a key"),
    (TableKind(200), 7, b"large table"),
];
const UNKNOWN_COLUMN: u64 = 27;
const UNKNOWN_TAG: u64 = 32 + 70_000;
const SECTION: &[u8] = b"payload of a section";
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
    let content = format!("column {number}");
    put_varint(&mut list, number - next);
    put_varint(&mut list, content.len() as u64);
    let mut out = Vec::new();
    put_varint(&mut out, count + 1);
    [&out[..], &list, reader.rest(), content.as_bytes()].concat()
}

/// An archive with contents of a later minor version.
fn later(flags: u8) -> Vec<u8> {
    let additions = forged::Additions {
        tables: UNKNOWN_TABLES.to_vec(),
        section: (UNKNOWN_SECTION, flags, SECTION),
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
    let columns = [UNKNOWN_COLUMN, UNKNOWN_TAG].map(|number| format!("column {number}"));
    let columns = columns.iter().map(String::as_bytes);
    let tables = UNKNOWN_TABLES.into_iter().map(|(_, _, content)| content);
    for added in columns.chain(tables).chain([SECTION]) {
        assert!(merged.windows(added.len()).any(|window| window == added));
    }
    assert_eq!(
        unpack_all(&Archive::new(merged).unwrap()).unwrap(),
        sources()
    );
}
