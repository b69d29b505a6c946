//! Tests of whole files.

mod corruption;
mod groups;
mod intact_blocks;
mod invalid_values;
mod joined_files;
mod numbers;
mod parity;
mod read_tables;
mod recovery;

use super::Warning;
use super::error::{ContainerError, Damage, ErrorClass};
use super::footer;
use super::header::HEADER_BYTES;
use super::registry::{CRITICAL, SOURCE_PARTS, SectionType, TableKind};
use super::section::FRAME_BYTES;
use super::slot::FIRST_SECTION;
use super::*;
use crate::limits::Limits;
use crate::testing::unprotected;
use std::ops::Range;

const OPENING_BOOK: TableKind = TableKind(20);
const INDEX: SectionType = SectionType(*b"indx");

fn source(name: &str, bytes: u64, games: u64, records: u64) -> Source {
    Source {
        name: name.to_owned(),
        bytes,
        games,
        records,
        digest: *blake3::hash(name.as_bytes()).as_bytes(),
    }
}

fn part(name: &str, offset: u64, bytes: u64, games: u64, records: u64) -> SourcePart {
    SourcePart {
        name: name.to_owned(),
        offset,
        bytes,
        games,
        records,
    }
}

fn tables(parts: &[SourcePart], book: &[u8]) -> Tables {
    let mut tables = Tables::default();
    let list = SourcePart::encode_all(parts);
    tables.push(SOURCE_PARTS, 0, &list).unwrap();
    tables.push(OPENING_BOOK, 7, book).unwrap();
    tables
}

fn shape(games: u32, records: u32, raw_bytes: u32) -> BlockCounts {
    BlockCounts {
        games,
        records,
        raw_bytes,
    }
}

/// A block whose tags and movetext are these bytes.
fn packed(bytes: &[u8]) -> PackedBlock<'_> {
    PackedBlock {
        tags: bytes,
        movetext: bytes,
    }
}

fn sources(first: u32, count: u32) -> PartRange {
    PartRange { first, count }
}

/// Two segments with three blocks and an ancillary section. The second source continues
/// in the second segment.
fn write_sample(writer: &mut ContainerWriter<Vec<u8>>) {
    let first = tables(&[part("a", 0, 30, 2, 3), part("b", 0, 10, 1, 1)], b"e4");
    writer.begin_segment(&first).unwrap();
    writer.block(shape(2, 3, 30), packed(b"first")).unwrap();
    writer.block(shape(1, 1, 10), packed(b"second")).unwrap();
    writer.section(INDEX, 0, b"positions").unwrap();
    writer.end_segment(sources(0, 2)).unwrap();
    let second = tables(&[part("b", 10, 5, 1, 1)], &[7; 140]);
    writer.begin_segment(&second).unwrap();
    writer.block(shape(1, 1, 5), packed(b"third")).unwrap();
    writer.end_segment(sources(1, 1)).unwrap();
}

/// A stream: both slots are empty.
fn stream() -> (Vec<u8>, CommitSlot) {
    let mut writer = ContainerWriter::new(Vec::new()).unwrap();
    write_sample(&mut writer);
    let sources = vec![source("a", 30, 2, 3), source("b", 15, 2, 2)];
    writer.finish(sources).unwrap()
}

fn fresh() -> Vec<u8> {
    let (mut file, slot) = stream();
    slot.write_to(&mut file);
    file
}

/// The file with one more segment and source, before its slot is written.
fn uncommitted() -> (Vec<u8>, CommitSlot) {
    let mut file = fresh();
    let (container, _) = open(&file).unwrap();
    let mut writer = ContainerWriter::append(Vec::new(), &container).unwrap();
    let more = tables(&[part("c", 0, 8, 1, 1)], b"");
    writer.begin_segment(&more).unwrap();
    writer.block(shape(1, 1, 8), packed(b"fourth")).unwrap();
    writer.end_segment(sources(0, 1)).unwrap();
    let (tail, slot) = writer.finish(vec![source("c", 8, 1, 1)]).unwrap();
    file.extend_from_slice(&tail);
    (file, slot)
}

fn appended() -> Vec<u8> {
    let (mut file, slot) = uncommitted();
    slot.write_to(&mut file);
    file
}

type Opened<'a> = (Container<Bytes<&'a [u8]>>, Vec<Warning>);

fn open(file: &[u8]) -> Result<Opened<'_>, ContainerError> {
    Container::open(Bytes(file), Limits::default())
}

/// Everything that a reader can read from a file.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Content {
    totals: Totals,
    sources: Vec<Source>,
    parts: Vec<Vec<SourcePart>>,
    tables: Vec<Tables>,
    blocks: Vec<(BlockHeader, Vec<u8>)>,
    tags: Vec<Vec<u8>>,
    sections: Vec<(SectionType, Vec<u8>)>,
}

fn read_all(file: &[u8]) -> Result<(Content, Vec<Warning>), ContainerError> {
    let (container, mut warnings) = open(file)?;
    let (content, found) = read_container(&container)?;
    warnings.extend(found);
    Ok((content, warnings))
}

fn read_container<S: ReadAt>(
    container: &Container<S>,
) -> Result<(Content, Vec<Warning>), ContainerError> {
    let mut warnings = Vec::new();
    let mut content = Content {
        totals: container.totals(),
        sources: container.sources().to_vec(),
        parts: Vec::new(),
        tables: Vec::new(),
        blocks: Vec::new(),
        tags: Vec::new(),
        sections: Vec::new(),
    };
    for number in 0..container.segments().len() {
        let segment = container.segment(number)?;
        let tables = container.tables(&segment)?;
        let head = container.tables_head(&segment)?;
        assert_eq!(head.tables.head(), tables.head());
        content.parts.push(segment.source_parts(&tables)?);
        content.tables.push(tables);
        for number in 0..segment.index().blocks().len() {
            let block = container.block(&segment, number)?;
            let packed = block.packed();
            content.tags.push(packed.tags.to_vec());
            content
                .blocks
                .push((*block.header(), packed.movetext.to_vec()));
        }
        for tags in segment.index().tags() {
            warnings.extend(container.tags_warning(&segment, tags)?);
        }
        for entry in segment.index().sections() {
            let section = container.section(&segment, entry)?;
            let payload = section.payload().to_vec();
            content.sections.push((section.section_type(), payload));
        }
    }
    warnings.extend(container.superseded_damage()?);
    warnings.extend(container.mended());
    Ok((content, warnings))
}

fn content(file: &[u8]) -> Content {
    let (content, warnings) = read_all(file).unwrap();
    assert_eq!(warnings, []);
    content
}

fn segment_entry(file: &[u8], number: usize) -> SegmentEntry {
    open(file).unwrap().0.segments()[number].clone()
}

fn at(offset: u64) -> usize {
    usize::try_from(offset).unwrap()
}

fn reseal_section(file: &mut [u8], start: usize, len: usize) -> [u8; 4] {
    let crc = crc32fast::hash(&file[start..start + len - 4]).to_le_bytes();
    file[start + len - 4..start + len].copy_from_slice(&crc);
    crc
}

/// A file with one segment of one block.
fn single(parts: &[SourcePart], bytes: &[u8]) -> Vec<u8> {
    let mut writer = ContainerWriter::new(Vec::new()).unwrap();
    writer.begin_segment(&tables(parts, b"book")).unwrap();
    writer.block(shape(1, 1, 9), packed(bytes)).unwrap();
    writer.end_segment(sources(0, 1)).unwrap();
    writer.finish(vec![source("a", 9, 1, 1)]).unwrap().0
}

/// The ranges of the sections of the only segment: tables, tags, block.
fn single_sections(file: &[u8]) -> (Range<usize>, Range<usize>, Range<usize>) {
    let (container, _) = open(file).unwrap();
    let segment = container.segment(0).unwrap();
    let start = at(FIRST_SECTION);
    let tags = start + at(segment.index().tags()[0].offset);
    let block = start + at(segment.index().blocks()[0].offset);
    let end = start + at(segment.index().end_offset());
    (start..tags, tags..block, block..end)
}

#[test]
fn content_round_trips() {
    let read = content(&fresh());
    let expected: [&[u8]; 3] = [b"first", b"second", b"third"];
    let packed: Vec<_> = read.blocks.iter().map(|(_, packed)| &packed[..]).collect();
    assert_eq!(packed, expected);
    assert_eq!(read.tags, expected);
    assert_eq!(read.sections, [(INDEX, b"positions".to_vec())]);
    assert_eq!(read.sources[1], source("b", 15, 2, 2));
    assert_eq!(read.parts[1], [part("b", 10, 5, 1, 1)]);
    assert_eq!(read.tables[1].get(OPENING_BOOK, 7), Some(&[7; 140][..]));
    assert_eq!(read.totals.games, 4);
    assert_eq!(read.totals.raw_bytes, 45);
}

#[test]
fn a_stream_and_a_file_read_alike() {
    assert_eq!(content(&stream().0), content(&fresh()));
}

#[test]
fn memory_and_file_read_alike() {
    use std::io::Write;
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(&fresh()).unwrap();
    let (from_file, warnings) = Container::open(&file, Limits::default()).unwrap();
    assert_eq!(warnings, []);
    let bytes = fresh();
    let (from_memory, _) = open(&bytes).unwrap();
    assert_eq!(from_file.segments(), from_memory.segments());
    let segment = from_file.segment(0).unwrap();
    assert_eq!(segment, from_memory.segment(0).unwrap());
    assert_eq!(
        from_file.block(&segment, 1).unwrap(),
        from_memory.block(&segment, 1).unwrap()
    );
}

#[test]
fn an_append_adds_and_keeps() {
    let (before, after) = (content(&fresh()), content(&appended()));
    assert_eq!(after.blocks[..3], before.blocks);
    assert_eq!(after.blocks[3].1, b"fourth");
    assert_eq!(after.sources[2].name, "c");
    let file = appended();
    let (container, _) = open(&file).unwrap();
    assert_eq!(container.commit_slot().generation, 2);
    assert_eq!(container.segments()[2].parts.first, 2);
    assert_eq!(container.segments()[2].first_game, 4);
    assert_eq!(container.committed_bytes(), file.len() as u64);
}

#[test]
fn an_append_is_unseen_until_it_is_committed() {
    let (file, _) = uncommitted();
    let (read, warnings) = read_all(&file).unwrap();
    assert_eq!(read, content(&fresh()));
    let offset = fresh().len() as u64;
    let bytes = file.len() as u64 - offset;
    assert_eq!(warnings, [Warning::UnfinishedAppend { offset, bytes }]);
}

#[test]
fn a_following_archive_is_reported_and_not_truncated() {
    let file = [fresh(), fresh()].concat();
    let (read, warnings) = read_all(&file).unwrap();
    assert_eq!(read, content(&fresh()));
    let offset = fresh().len() as u64;
    let bytes = offset;
    assert_eq!(warnings, [Warning::AnotherArchive { offset, bytes }]);
    let (container, _) = open(&file).unwrap();
    assert!(ContainerWriter::append(Vec::new(), &container).is_err());
}

#[test]
fn foreign_bytes_are_reported_and_not_truncated() {
    let whole = fresh();
    for trailer in [
        &b"\n"[..],
        b"TABLE of contents",
        b"TABL\x02\xfb\x9e\xc4",
        b"SEGE",
    ] {
        let file = [&whole[..], trailer].concat();
        let (offset, bytes) = (whole.len() as u64, trailer.len() as u64);
        let (read, warnings) = read_all(&file).unwrap();
        assert_eq!(read, content(&whole));
        assert_eq!(warnings, [Warning::ForeignBytes { offset, bytes }]);
        let (container, _) = open(&file).unwrap();
        assert!(ContainerWriter::append(Vec::new(), &container).is_err());
    }
    // A file that grew before it was written, and an append without a segment.
    for after in [&[0][..], &[0; 30], b"F", b"FOOT\x01\xfb\x9e\xc4\x30"] {
        let file = [&whole[..], after].concat();
        let (container, warnings) = open(&file).unwrap();
        assert!(matches!(warnings[..], [Warning::UnfinishedAppend { .. }]));
        assert!(ContainerWriter::append(Vec::new(), &container).is_ok());
    }
    // Zeros before an archive, as in copies that are padded.
    for zeros in [512, 70_000] {
        let file = [&whole[..], &vec![0; zeros], &whole].concat();
        let (container, warnings) = open(&file).unwrap();
        assert!(matches!(warnings[..], [Warning::AnotherArchive { .. }]));
        assert!(ContainerWriter::append(Vec::new(), &container).is_err());
    }
    // An append that is truncated at each possible offset.
    let (file, _) = uncommitted();
    for end in whole.len() + 1..file.len() {
        let (container, warnings) = open(&file[..end]).unwrap();
        assert!(matches!(warnings[..], [Warning::UnfinishedAppend { .. }]));
        assert!(ContainerWriter::append(Vec::new(), &container).is_ok());
    }
}

#[test]
fn games_are_found_by_number() {
    let file = appended();
    let (container, _) = open(&file).unwrap();
    let found: Vec<_> = (0..7)
        .map(|number| {
            let place = container.find_game(number)?;
            let segment = container.segment(place.segment).unwrap();
            Some((
                place.segment,
                place.game,
                segment.block_of_game(place.game)?,
            ))
        })
        .collect();
    let expected = [
        None,
        Some((0, 0, 0)),
        Some((0, 1, 0)),
        Some((0, 2, 1)),
        Some((1, 0, 0)),
        Some((2, 0, 0)),
        None,
    ];
    assert_eq!(found, expected);
    assert_eq!(container.find_game(u64::MAX), None);
}

#[test]
fn an_archive_of_nothing_is_possible() {
    let writer = ContainerWriter::new(Vec::new()).unwrap();
    let (file, _) = writer.finish(vec![source("empty", 0, 0, 0)]).unwrap();
    let read = content(&file);
    assert_eq!(read.sources.len(), 1);
    assert_eq!(read.totals.segments, 0);
    assert_eq!(open(&file).unwrap().0.find_game(1), None);
}

#[test]
fn a_copied_segment_reads_the_same_elsewhere() {
    let entry = segment_entry(&fresh(), 1);
    let segment = fresh()[at(entry.offset)..at(entry.offset + entry.bytes)].to_vec();
    let mut writer = ContainerWriter::new(Vec::new()).unwrap();
    let more = tables(&[part("b", 10, 5, 1, 1)], &[7; 140]);
    writer.begin_segment(&more).unwrap();
    writer.block(shape(1, 1, 5), packed(b"third")).unwrap();
    writer.end_segment(sources(0, 1)).unwrap();
    let (file, _) = writer.finish(vec![source("b", 5, 1, 1)]).unwrap();
    assert_eq!(file[80..80 + segment.len()], segment);
}
