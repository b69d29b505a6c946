//! Tests of whole files.

use proptest::prelude::*;

use super::error::{ContainerError, Damage, ErrorClass, Warning};
use super::footer;
use super::registry::{CRITICAL, SOURCE_PARTS, SectionType, TableKind};
use super::section::FRAME_BYTES;
use super::slot::FIRST_SECTION;
use super::*;
use crate::limits::Limits;

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

fn shape(games: u32, records: u32, raw_bytes: u32) -> BlockShape {
    BlockShape {
        games,
        records,
        raw_bytes,
    }
}

fn sources(first: u32, count: u32) -> PartRange {
    PartRange { first, count }
}

/// Two segments with three blocks and an ancillary section; the second source
/// goes on in the second segment.
fn write_sample(writer: &mut Writer<Vec<u8>>) {
    let first = tables(&[part("a", 0, 30, 2, 3), part("b", 0, 10, 1, 1)], b"e4");
    writer.begin_segment(&first).unwrap();
    writer.block(shape(2, 3, 30), b"first").unwrap();
    writer.block(shape(1, 1, 10), b"second").unwrap();
    writer.section(INDEX, 0, b"positions").unwrap();
    writer.end_segment(sources(0, 2)).unwrap();
    let second = tables(&[part("b", 10, 5, 1, 1)], &[7; 140]);
    writer.begin_segment(&second).unwrap();
    writer.block(shape(1, 1, 5), b"third").unwrap();
    writer.end_segment(sources(1, 1)).unwrap();
}

/// A stream: both slots are empty.
fn stream() -> (Vec<u8>, CommitSlot) {
    let mut writer = Writer::new(Vec::new()).unwrap();
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
    let mut writer = Writer::append(Vec::new(), &container).unwrap();
    let more = tables(&[part("c", 0, 8, 1, 1)], b"");
    writer.begin_segment(&more).unwrap();
    writer.block(shape(1, 1, 8), b"fourth").unwrap();
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

/// Everything that a reader can get out of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Content {
    totals: Totals,
    sources: Vec<Source>,
    parts: Vec<Vec<SourcePart>>,
    tables: Vec<Tables>,
    blocks: Vec<(BlockHeader, Vec<u8>)>,
    sections: Vec<(SectionType, Vec<u8>)>,
}

fn read_all(file: &[u8]) -> Result<(Content, Vec<Warning>), ContainerError> {
    let (container, mut warnings) = open(file)?;
    let mut content = Content {
        totals: container.totals(),
        sources: container.sources().to_vec(),
        parts: Vec::new(),
        tables: Vec::new(),
        blocks: Vec::new(),
        sections: Vec::new(),
    };
    for number in 0..container.segments().len() {
        let (segment, warning) = container.segment(number)?;
        warnings.extend(warning);
        let (tables, warning) = container.tables(&segment)?;
        warnings.extend(warning);
        content.parts.push(segment.source_parts(&tables)?);
        content.tables.push(tables);
        for number in 0..segment.index().blocks().len() {
            let block = container.block(&segment, number)?;
            let packed = block.packed().to_vec();
            content.blocks.push((*block.header(), packed));
        }
        for entry in segment.index().sections() {
            let section = container.section(&segment, entry)?;
            let payload = section.payload().to_vec();
            content.sections.push((section.section_type(), payload));
        }
    }
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

#[test]
fn what_was_written_comes_back() {
    let read = content(&fresh());
    let expected: [&[u8]; 3] = [b"first", b"second", b"third"];
    let packed: Vec<_> = read.blocks.iter().map(|(_, packed)| &packed[..]).collect();
    assert_eq!(packed, expected);
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
    let (segment, _) = from_file.segment(0).unwrap();
    assert_eq!(segment, from_memory.segment(0).unwrap().0);
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
fn games_are_found_by_number() {
    let file = appended();
    let (container, _) = open(&file).unwrap();
    let found: Vec<_> = (0..7)
        .map(|number| {
            let place = container.find_game(number)?;
            let (segment, _) = container.segment(place.segment).unwrap();
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
    let writer = Writer::new(Vec::new()).unwrap();
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
    let mut writer = Writer::new(Vec::new()).unwrap();
    let more = tables(&[part("b", 10, 5, 1, 1)], &[7; 140]);
    writer.begin_segment(&more).unwrap();
    writer.block(shape(1, 1, 5), b"third").unwrap();
    writer.end_segment(sources(0, 1)).unwrap();
    let (file, _) = writer.finish(vec![source("b", 5, 1, 1)]).unwrap();
    assert_eq!(file[80..80 + segment.len()], segment);
}

/// The bytes that no reader of the newest state looks at: footers and directory
/// of the generation before.
fn dead_bytes() -> std::ops::Range<usize> {
    let before = fresh();
    let (container, _) = open(&before).unwrap();
    at(container.commit_slot().copy_offset)..before.len()
}

/// Every byte takes all its other values: the content is the same and a
/// warning says so, or an error does. Gives the offsets that warned.
fn corrupt(file: &[u8], dead: &std::ops::Range<usize>) -> Vec<usize> {
    let expected = content(file);
    let mut bytes = file.to_vec();
    let mut warned = Vec::new();
    for index in 0..file.len() {
        for change in 1..=255 {
            bytes[index] ^= change;
            if let Ok((read, warnings)) = read_all(&bytes) {
                assert_eq!(read, expected, "byte {index} ^ {change}");
                let told = !warnings.is_empty();
                assert_ne!(told, dead.contains(&index), "byte {index} ^ {change}");
                if told && warned.last() != Some(&index) {
                    warned.push(index);
                }
            }
            bytes[index] ^= change;
        }
    }
    warned
}

#[test]
fn every_corruption_of_a_byte_is_told() {
    let file = fresh();
    let warned = corrupt(&file, &(0..0));
    let (container, _) = open(&file).unwrap();
    let slots = 16..80;
    let copy = at(container.commit_slot().copy_offset);
    let footer = at(container.commit_slot().footer_offset);
    let size = at(footer::SECTION_BYTES);
    let first = &container.segments()[0];
    let end = at(first.end_offset())..at(first.offset + first.bytes);
    let (segment, _) = container.segment(0).unwrap();
    let tables = 80..80 + at(segment.index().blocks()[0].offset);
    for mended in [slots, copy..copy + size, footer..footer + size, end, tables] {
        let missing = mended.clone().find(|index| !warned.contains(index));
        assert_eq!(missing, None, "of {mended:?}");
    }
}

#[test]
fn every_corruption_of_a_stream_is_told() {
    assert!(!corrupt(&stream().0, &(0..0)).is_empty());
}

#[test]
fn every_corruption_of_an_append_is_told() {
    let warned = corrupt(&appended(), &dead_bytes());
    assert!((16..80).all(|index| warned.contains(&index)));
}

#[test]
fn every_erased_byte_is_told() {
    let file = fresh();
    let expected = content(&file);
    for index in 0..file.len() {
        let mut bytes = file.clone();
        bytes.remove(index);
        if let Ok((read, warnings)) = read_all(&bytes) {
            assert_eq!(read, expected, "byte {index}");
            assert_ne!(warnings, [], "byte {index}");
        }
    }
}

#[test]
fn every_truncation_is_told() {
    for file in [stream().0, fresh(), appended()] {
        let expected = content(&file);
        let mut read_in_spite = 0;
        for len in 0..file.len() {
            if let Ok((read, warnings)) = read_all(&file[..len]) {
                assert_eq!(read, expected, "cut at {len}");
                assert_ne!(warnings, [], "cut at {len}");
                read_in_spite += 1;
            }
        }
        // The copy of the footer stands in for it where a slot points to it.
        let has_slots = file[16..80].iter().any(|&byte| byte != 0);
        let footer = at(footer::SECTION_BYTES);
        assert_eq!(read_in_spite, if has_slots { footer } else { 0 });
    }
}

#[test]
fn erased_slots_are_told() {
    let mut file = appended();
    file[16..48].fill(0);
    let (read, warnings) = read_all(&file).unwrap();
    assert_eq!(warnings, [Warning::SlotDamaged { slot: 0 }]);
    assert_eq!(read, content(&appended()));
    file[48..80].fill(0);
    let (read, warnings) = read_all(&file).unwrap();
    assert_eq!(warnings.len(), 2);
    assert_eq!(read, content(&appended()));
}

#[test]
fn a_torn_slot_does_not_undo_its_append() {
    let mut file = appended();
    file[60..80].fill(0);
    let (read, warnings) = read_all(&file).unwrap();
    assert_eq!(warnings, [Warning::SlotDamaged { slot: 1 }]);
    assert_eq!(read, content(&appended()));
}

#[test]
fn a_damaged_slot_before_an_unfinished_append_gives_the_older_state() {
    let mut file = appended();
    file[60..80].fill(0);
    file.extend_from_slice(b"half a segment");
    let (read, warnings) = read_all(&file).unwrap();
    assert_eq!(read, content(&fresh()));
    assert!(matches!(
        warnings[..],
        [
            Warning::SlotDamaged { slot: 1 },
            Warning::InDoubt { generation: 1 },
            Warning::UnfinishedAppend { .. }
        ]
    ));
    let (container, _) = open(&file).unwrap();
    assert!(Writer::append(Vec::new(), &container).is_err());
}

#[test]
fn no_whole_slot_and_no_footer_at_the_end_is_an_error() {
    let mut file = fresh();
    file[20] ^= 1;
    assert!(read_all(&file).is_ok());
    file.push(0);
    let error = read_all(&file).unwrap_err();
    assert_eq!(error.class(), ErrorClass::Damaged);
}

/// Overwrites the slot of `slot`, whatever it says.
fn with_slot(mut file: Vec<u8>, slot: CommitSlot) -> Vec<u8> {
    slot.write_to(&mut file);
    file
}

#[test]
fn replayed_footers_are_refused() {
    let (file, new) = uncommitted();
    let (old_file, old) = stream();
    // The new slot points to the old footer.
    let replayed = CommitSlot {
        generation: 2,
        ..old
    };
    assert!(read_all(&with_slot(file.clone(), replayed)).is_err());
    // The old slot points to the new footer.
    let early = CommitSlot {
        generation: 1,
        ..new
    };
    assert!(read_all(&with_slot(file.clone(), early)).is_err());
    // The old footer stands where the new one belongs.
    let mut file = with_slot(file, new);
    let footer = at(new.footer_offset);
    file[footer..].copy_from_slice(&old_file[at(old.footer_offset)..]);
    assert!(read_all(&file).is_err());
}

#[test]
fn slots_of_one_generation_are_refused() {
    let mut file = appended();
    let slot: [u8; 32] = *file[16..].first_chunk().unwrap();
    file[48..80].copy_from_slice(&slot);
    assert!(read_all(&file).is_err());
}

#[test]
fn a_footer_whose_copy_differs_is_refused() {
    let (file, slot) = stream();
    let mut file = with_slot(file, slot);
    let copy = at(slot.copy_offset);
    let size = at(footer::SECTION_BYTES);
    file[copy + 17] ^= 1;
    reseal_section(&mut file, copy, size);
    assert!(read_all(&file).is_err());
}

/// A file with one segment of one block.
fn single(parts: &[SourcePart], packed: &[u8]) -> Vec<u8> {
    let mut writer = Writer::new(Vec::new()).unwrap();
    writer.begin_segment(&tables(parts, b"book")).unwrap();
    writer.block(shape(1, 1, 9), packed).unwrap();
    writer.end_segment(sources(0, 1)).unwrap();
    writer.finish(vec![source("a", 9, 1, 1)]).unwrap().0
}

/// Where the sections of the only segment are: tables, block, end.
fn single_sections(file: &[u8]) -> (std::ops::Range<usize>, std::ops::Range<usize>) {
    let (container, _) = open(file).unwrap();
    let (segment, _) = container.segment(0).unwrap();
    let start = at(FIRST_SECTION);
    let block = start + at(segment.index().blocks()[0].offset);
    let end = start + at(segment.index().end_offset());
    (start..block, block..end)
}

#[test]
fn blocks_of_foreign_tables_are_refused() {
    let file = single(&[part("a", 0, 9, 1, 1)], b"packed");
    let other = single(&[part("x", 0, 9, 1, 1)], b"packed");
    let (tables, block) = single_sections(&file);
    for (range, what) in [(tables, "tables"), (block, "block")] {
        let mut mixed = file.clone();
        mixed[range.clone()].copy_from_slice(&other[range]);
        let error = read_all(&mixed).unwrap_err();
        let foreign = matches!(
            error,
            ContainerError::Damaged {
                damage: Damage::ForeignTables { .. },
                ..
            }
        );
        assert!(foreign, "{what}: {error}");
    }
}

#[test]
fn a_block_of_the_same_tables_and_shape_is_not_mistaken() {
    let parts = [part("a", 0, 9, 1, 1)];
    let (file, other) = (single(&parts, b"packed"), single(&parts, b"PACKED"));
    let (_, block) = single_sections(&file);
    let mut mixed = file.clone();
    mixed[block.clone()].copy_from_slice(&other[block]);
    assert!(read_all(&mixed).is_err());
}

#[test]
fn a_damaged_block_costs_only_itself() {
    let mut file = fresh();
    let entry = segment_entry(&file, 0);
    let (container, _) = open(&file).unwrap();
    let (segment, _) = container.segment(0).unwrap();
    let offset = entry.offset + segment.index().blocks()[1].offset;
    file[at(offset + 30)] ^= 1;
    let (container, _) = open(&file).unwrap();
    let (segment, warning) = container.segment(0).unwrap();
    assert_eq!(warning, None);
    assert_eq!(container.block(&segment, 0).unwrap().packed(), b"first");
    let error = container.block(&segment, 1).unwrap_err();
    assert_eq!(error.class(), ErrorClass::Damaged);
    assert_eq!(error.offset(), Some(offset));
    assert!(container.tables(&segment).is_ok());
    assert!(container.segment(1).is_ok());
}

#[test]
fn a_lost_block_index_is_rebuilt() {
    let mut file = fresh();
    let entry = segment_entry(&file, 0);
    let (start, end) = (entry.end_offset(), entry.offset + entry.bytes);
    file[at(start)..at(end)].fill(0xee);
    let (read, warnings) = read_all(&file).unwrap();
    assert_eq!(warnings, [Warning::IndexRebuilt { offset: start }]);
    assert_eq!(read, content(&fresh()));
    // Without a whole block header nothing proves what stood there.
    file[at(entry.offset + entry.bytes) - at(entry.end_bytes) - 1] ^= 1;
    let error = read_all(&file).unwrap_err();
    assert_eq!(error.class(), ErrorClass::Damaged);
}

#[test]
fn missing_numbers_are_errors() {
    let file = fresh();
    let (container, _) = open(&file).unwrap();
    let (segment, _) = container.segment(1).unwrap();
    assert!(container.segment(2).is_err());
    assert!(container.block(&segment, 1).is_err());
    let foreign = container.segment(0).unwrap().0.index().sections()[0];
    assert!(container.section(&segment, &foreign).is_err());
}

#[test]
fn source_parts_must_add_up() {
    for wrong in [
        vec![part("a", 0, 8, 1, 1)],
        vec![part("a", 0, 9, 0, 1)],
        vec![part("a", 0, 9, 1, 2)],
        vec![part("a", 0, 4, 1, 1), part("b", 0, 5, 0, 0)],
        vec![],
    ] {
        let file = single(&wrong, b"packed");
        assert!(read_all(&file).is_err(), "{wrong:?}");
    }
    let mut writer = Writer::new(Vec::new()).unwrap();
    writer.begin_segment(&Tables::default()).unwrap();
    writer.block(shape(1, 1, 9), b"").unwrap();
    writer.end_segment(sources(0, 1)).unwrap();
    let (file, _) = writer.finish(vec![source("a", 9, 1, 1)]).unwrap();
    assert!(read_all(&file).is_err(), "no table of parts");
}

fn class_with(limits: Limits) -> ErrorClass {
    let file = fresh();
    let read = Container::open(Bytes(&file), limits).and_then(|(container, _)| {
        let (segment, _) = container.segment(0)?;
        container.tables(&segment)?;
        let entry = segment.index().sections()[0];
        container.section(&segment, &entry)
    });
    read.map_or_else(|error| error.class(), |_| panic!("read"))
}

#[test]
fn limits_are_their_own_errors() {
    let limits = Limits::default();
    let small = [
        Limits {
            index_bytes: 10,
            ..limits.clone()
        },
        Limits {
            tables_bytes: 10,
            ..limits.clone()
        },
        Limits {
            block_raw_bytes: 29,
            ..limits
        },
    ];
    for limits in small {
        assert_eq!(class_with(limits.clone()), ErrorClass::Limit, "{limits:?}");
    }
}

#[test]
fn the_writer_refuses_what_no_reader_takes() {
    let writer = || Writer::new(Vec::new()).unwrap();
    let begun = || {
        let mut writer = writer();
        writer.begin_segment(&Tables::default()).unwrap();
        writer
    };
    assert!(writer().block(shape(1, 1, 1), b"").is_err());
    assert!(writer().section(INDEX, 0, b"").is_err());
    assert!(writer().end_segment(sources(0, 1)).is_err());
    assert!(begun().begin_segment(&Tables::default()).is_err());
    assert!(begun().finish(vec![]).is_err());
    assert!(begun().end_segment(sources(0, 1)).is_err(), "no block");
    assert!(begun().block(shape(2, 1, 1), b"").is_err());
    assert!(begun().block(shape(1, 1, 65 << 20), b"").is_err());
    assert!(begun().section(INDEX, CRITICAL, b"").is_err());
    assert!(begun().section(registry::BLOCK, CRITICAL, b"").is_err());
    assert!(writer().finish(vec![source("a", 1, 0, 1)]).is_err());
    let mut late = begun();
    late.section(INDEX, 0, b"").unwrap();
    assert!(late.block(shape(1, 1, 1), b"").is_err());
}

#[test]
fn a_failing_sink_is_an_io_error() {
    let mut room = [0; 100];
    let mut writer = Writer::new(&mut room[..]).unwrap();
    let error = writer.begin_segment(&Tables::default()).unwrap_err();
    assert_eq!(error.class(), ErrorClass::Io);
}

fn reseal_section(file: &mut [u8], start: usize, len: usize) -> [u8; 4] {
    let crc = crc32fast::hash(&file[start..start + len - 4]).to_le_bytes();
    file[start + len - 4..start + len].copy_from_slice(&crc);
    crc
}

/// Makes every checksum of a damaged single-segment file right again, so that
/// only the values in it are wrong.
fn reseal(file: &mut [u8], whole: &[u8]) {
    let (tables, block) = single_sections(whole);
    let (container, _) = open(whole).unwrap();
    let slot = container.commit_slot();
    let entry = &container.segments()[0];
    reseal_section(file, tables.start, tables.len());
    let crc = reseal_section(file, block.start, block.len());
    let end = at(entry.end_offset());
    let end_len = at(entry.end_bytes);
    file[end + 16 + 24 + 16..][..4].copy_from_slice(&crc);
    let crc = reseal_section(file, end, end_len);
    let size = at(footer::SECTION_BYTES);
    let (copy, footer) = (at(slot.copy_offset), at(slot.footer_offset));
    let directory = copy + size;
    file[directory + 16 + 8 + 56..][..4].copy_from_slice(&crc);
    reseal_section(file, directory, footer - directory);
    let digest = *blake3::hash(&file[directory..footer]).as_bytes();
    for start in [copy, footer] {
        file[start + 16 + 56..][..32].copy_from_slice(&digest);
        reseal_section(file, start, size);
    }
}

#[test]
fn lying_fields_are_survived() {
    let whole = single(&[part("a", 0, 9, 1, 1)], b"packed");
    assert_eq!(content(&whole).totals.games, 1);
    for index in 80..whole.len() {
        for change in 1..=255 {
            let mut file = whole.clone();
            file[index] ^= change;
            reseal(&mut file, &whole);
            if file == whole {
                break;
            }
            let _ = read_all(&file);
        }
    }
}

#[test]
fn resealing_alone_changes_nothing() {
    let whole = single(&[part("a", 0, 9, 1, 1)], b"packed");
    let mut file = whole.clone();
    reseal(&mut file, &whole);
    assert_eq!(file, whole);
    // A name is not bound by anything else, so a lie about it is content.
    let name = whole.len() - at(footer::SECTION_BYTES) - 5;
    file[name] = b'z';
    reseal(&mut file, &whole);
    assert_eq!(content(&file).sources[0].name, "z");
}

#[test]
fn a_bomb_takes_no_memory() {
    let whole = single(&[part("a", 0, 9, 1, 1)], b"packed");
    let entry = segment_entry(&whole, 0);
    let end = at(entry.end_offset()) + at(FRAME_BYTES) - 4;
    // The size of the tables, then the numbers of blocks and sections.
    for range in [end + 8..end + 16, end + 16..end + 20, end + 20..end + 24] {
        let mut file = whole.clone();
        file[range].fill(0x7f);
        reseal(&mut file, &whole);
        assert!(read_all(&file).is_err());
    }
}

proptest! {
    #[test]
    fn any_bytes_are_survived(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        prop_assert!(read_all(&bytes).is_err());
    }

    #[test]
    fn any_damage_is_told(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..9),
    ) {
        let whole = fresh();
        let mut file = whole.clone();
        for (index, value) in changes {
            file[index.index(whole.len())] = value;
        }
        if let Ok((read, warnings)) = read_all(&file) {
            prop_assert_eq!(read, content(&whole));
            prop_assert_eq!(warnings.is_empty(), file == whole);
        }
    }

    #[test]
    fn any_lies_are_survived(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..9),
    ) {
        let whole = single(&[part("a", 0, 9, 1, 1)], b"packed");
        let mut file = whole.clone();
        for (index, value) in changes {
            file[index.index(whole.len())] = value;
        }
        reseal(&mut file, &whole);
        let _ = read_all(&file);
    }

    #[test]
    fn any_shape_comes_back(
        segments in prop::collection::vec(
            prop::collection::vec((0u32..5, 1u32..9, prop::collection::vec(any::<u8>(), 0..50)), 1..5),
            0..4,
        ),
        book in prop::collection::vec(any::<u8>(), 0..3000),
    ) {
        let mut writer = Writer::new(Vec::new()).unwrap();
        let mut all = Vec::new();
        let (mut bytes, mut games, mut records) = (0u64, 0u64, 0u64);
        for blocks in &segments {
            let shapes: Vec<_> = blocks
                .iter()
                .map(|(games, more, _)| shape(*games, games + more, (games + more) * 3))
                .collect();
            let sum = |count: fn(&BlockShape) -> u32| shapes.iter().map(|s| u64::from(count(s))).sum::<u64>();
            let run = part("s", bytes, sum(|s| s.raw_bytes), sum(|s| s.games), sum(|s| s.records));
            bytes += run.bytes;
            games += run.games;
            records += run.records;
            writer.begin_segment(&tables(&[run], &book)).unwrap();
            for (shape, (_, _, packed)) in shapes.iter().zip(blocks) {
                writer.block(*shape, packed).unwrap();
                all.push((*shape, packed.clone()));
            }
            writer.end_segment(sources(0, 1)).unwrap();
        }
        let (file, _) = writer.finish(vec![source("s", bytes, games, records)]).unwrap();
        let read = content(&file);
        let blocks: Vec<_> = read.blocks.into_iter().map(|(header, packed)| (header.shape, packed)).collect();
        prop_assert_eq!(blocks, all);
        let (container, _) = open(&file).unwrap();
        let mut found = 0;
        while container.find_game(found + 1).is_some() {
            found += 1;
        }
        prop_assert_eq!(found, games);
    }
}
