//! Valid checksums over impossible values; limits.

use super::*;
use proptest::prelude::*;

#[test]
fn missing_numbers_are_errors() {
    let file = fresh();
    let (container, _) = open(&file).unwrap();
    let segment = container.segment(1).unwrap();
    assert!(container.segment(2).is_err());
    assert!(container.block(&segment, 1).is_err());
    let foreign = container.segment(0).unwrap().index().sections()[0];
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
    let mut writer = ContainerWriter::new(Vec::new()).unwrap();
    writer.begin_segment(&Tables::default()).unwrap();
    writer.block(shape(1, 1, 9), packed(b"x")).unwrap();
    writer.end_segment(sources(0, 1)).unwrap();
    let (file, _) = writer.finish(vec![source("a", 9, 1, 1)]).unwrap();
    assert!(read_all(&file).is_err(), "no table of parts");
}

fn class_with(limits: Limits) -> ErrorClass {
    let file = fresh();
    let read = Container::open(Bytes(&file), limits).and_then(|(container, _)| {
        let segment = container.segment(0)?;
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
    let writer = || ContainerWriter::new(Vec::new()).unwrap();
    let begun = || {
        let mut writer = writer();
        writer.begin_segment(&Tables::default()).unwrap();
        writer
    };
    assert!(writer().block(shape(1, 1, 1), packed(b"x")).is_err());
    assert!(writer().section(INDEX, 0, b"").is_err());
    assert!(writer().end_segment(sources(0, 1)).is_err());
    assert!(begun().begin_segment(&Tables::default()).is_err());
    assert!(begun().finish(vec![]).is_err());
    assert!(begun().end_segment(sources(0, 1)).is_err(), "no block");
    assert!(begun().block(shape(1, 1, 1), packed(b"")).is_err());
    assert!(begun().block(shape(2, 1, 1), packed(b"x")).is_err());
    assert!(begun().block(shape(1, 1, 65 << 20), packed(b"x")).is_err());
    assert!(begun().section(INDEX, CRITICAL, b"").is_err());
    assert!(begun().section(registry::BLOCK, CRITICAL, b"").is_err());
    assert!(writer().finish(vec![source("a", 1, 0, 1)]).is_err());
    let mut late = begun();
    late.section(INDEX, 0, b"").unwrap();
    assert!(late.block(shape(1, 1, 1), packed(b"x")).is_err());
}

#[test]
fn a_failing_sink_is_an_io_error() {
    let mut buffer = [0; 90];
    let mut writer = ContainerWriter::new(&mut buffer[..]).unwrap();
    let error = writer.begin_segment(&Tables::default()).unwrap_err();
    assert_eq!(error.class(), ErrorClass::Io);
}

/// Size of the header of the only block.
fn header_bytes(file: &[u8]) -> usize {
    let (container, _) = open(file).unwrap();
    let segment = container.segment(0).unwrap();
    at(segment.index().header_bytes(&segment.index().blocks()[0]))
}

/// Recomputes every checksum of a damaged single-segment file, so that only its values
/// are wrong.
fn reseal(file: &mut [u8], whole: &[u8]) {
    let (tables, tags, block) = single_sections(whole);
    let (container, _) = open(whole).unwrap();
    let slot = container.commit_slot();
    let entry = &container.segments()[0];
    reseal_section(file, tables.start, tables.len());
    // The checksum of the tags is in the header of the block.
    reseal_section(file, tags.start, tags.len());
    let tags_crc = crc32fast::hash(&file[tags.start + 24..tags.end - 4]).to_le_bytes();
    let header = header_bytes(whole);
    file[block.start + 16 + header - 4..][..4].copy_from_slice(&tags_crc);
    let crc = reseal_section(file, block.start, block.len());
    let end = at(entry.end_offset());
    let end_len = at(entry.end_bytes);
    file[end + end_len - 4 - 9..][..4].copy_from_slice(&tags_crc);
    file[end + end_len - 4 - 4..][..4].copy_from_slice(&crc);
    let crc = reseal_section(file, end, end_len);
    let size = at(footer::SECTION_BYTES);
    let (copy, footer) = (at(slot.copy_offset), at(slot.footer_offset));
    let directory = copy + size;
    // After four counts and the segment ID.
    file[directory + 16 + 4 + 8..][..4].copy_from_slice(&crc);
    let parity = container.commit().parity.last().unwrap();
    let crc = reseal_section(file, directory, at(parity.offset) - directory);
    for start in [copy, footer] {
        file[start + 16 + 4..][..4].copy_from_slice(&crc);
        reseal_section(file, start, size);
    }
    reseal_section(file, at(parity.offset), at(parity.bytes));
}

/// A file with a single segment of one block, which nothing restores.
fn forgeable() -> Vec<u8> {
    unprotected(single(&[part("a", 0, 9, 1, 1)], b"packed"))
}

#[test]
#[cfg_attr(miri, ignore = "takes minutes")]
fn wrong_fields_do_not_panic() {
    let whole = forgeable();
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

/// Very large numbers, zeros, and offsets before, at and after the right one.
#[test]
#[cfg_attr(miri, ignore = "takes minutes")]
fn offsets_and_counts_of_any_size_do_not_panic() {
    let whole = forgeable();
    let len = whole.len() as u64;
    for index in 80..whole.len() - 8 {
        let here = index as u64;
        let numbers = [
            0,
            1,
            here - 1,
            here,
            len - 1,
            len,
            1 << 63,
            u64::MAX - 15,
            u64::MAX,
        ];
        for number in numbers {
            for width in [4, 8] {
                let mut file = whole.clone();
                file[index..index + width].copy_from_slice(&number.to_le_bytes()[..width]);
                reseal(&mut file, &whole);
                let _ = read_all(&file);
            }
        }
    }
}

#[test]
fn resealing_alone_changes_nothing() {
    let whole = forgeable();
    let mut file = whole.clone();
    reseal(&mut file, &whole);
    assert_eq!(file, whole);
    // Nothing else depends on a name, so a changed name is content.
    let (container, _) = open(&whole).unwrap();
    let name = at(container.commit().parity[0].offset) - 5;
    file[name] = b'z';
    reseal(&mut file, &whole);
    assert_eq!(content(&file).sources[0].name, "z");
}

#[test]
fn a_bomb_takes_no_memory() {
    let whole = forgeable();
    let entry = segment_entry(&whole, 0);
    let end = at(entry.end_offset()) + at(FRAME_BYTES) - 4;
    // The sizes of the tables and of their head, then the numbers of blocks, groups and sections, and of the blocks
    // of the group.
    for field in 0..6 {
        for large in [0x7f, 0xff] {
            let mut file = whole.clone();
            // A varint that continues takes more of the bytes after it.
            file[end + 12 + field] = large;
            reseal(&mut file, &whole);
            assert!(read_all(&file).is_err());
        }
    }
}

proptest! {
    #[test]
    fn arbitrary_bytes_do_not_panic(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        prop_assert!(read_all(&bytes).is_err());
    }

    #[test]
    fn any_damage_is_reported(
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
    fn arbitrary_values_do_not_panic(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..9),
    ) {
        let whole = forgeable();
        let mut file = whole.clone();
        for (index, value) in changes {
            file[index.index(whole.len())] = value;
        }
        reseal(&mut file, &whole);
        let _ = read_all(&file);
    }

    #[test]
    #[cfg_attr(miri, ignore = "takes minutes")]
    fn any_shape_round_trips(
        segments in prop::collection::vec(
            prop::collection::vec((0u32..5, 1u32..9, prop::collection::vec(any::<u8>(), 1..50)), 1..5),
            0..4,
        ),
        book in prop::collection::vec(any::<u8>(), 0..3000),
    ) {
        let mut writer = ContainerWriter::new(Vec::new()).unwrap();
        let mut all = Vec::new();
        let (mut bytes, mut games, mut records) = (0u64, 0u64, 0u64);
        for blocks in &segments {
            let shapes: Vec<_> = blocks
                .iter()
                .map(|(games, more, _)| shape(*games, games + more, (games + more) * 3))
                .collect();
            let sum = |count: fn(&BlockCounts) -> u32| shapes.iter().map(|s| u64::from(count(s))).sum::<u64>();
            let run = part("s", bytes, sum(|s| s.raw_bytes), sum(|s| s.games), sum(|s| s.records));
            bytes += run.bytes;
            games += run.games;
            records += run.records;
            writer.begin_segment(&tables(&[run], &book)).unwrap();
            for (shape, (_, _, bytes)) in shapes.iter().zip(blocks) {
                writer.block(*shape, packed(bytes)).unwrap();
                all.push((*shape, bytes.clone()));
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
