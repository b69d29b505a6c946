//! Intact segments are copied as they are, and damaged ones retain the kind of their indexes.

use super::*;
use pgna::LossReason;

const KINDS: [Indexes; 3] = [Indexes::None, Indexes::Openings, Indexes::Full];

/// The archive of [`archive`] with these indexes.
fn indexed(kind: Indexes) -> Vec<u8> {
    reindexed(&archive(), kind)
}

fn reindexed(bytes: &[u8], kind: Indexes) -> Vec<u8> {
    let archive = Archive::new(bytes).unwrap();
    let (mut bytes, slot) = archive.write_indexed(Vec::new(), kind, |_| ()).unwrap();
    slot.write_to(&mut bytes);
    bytes
}

/// A segment of an archive.
#[derive(Debug, PartialEq, Eq)]
struct SegmentAt {
    place: Range<usize>,
    /// The types and places of the sections after its blocks.
    sections: Vec<(String, Range<usize>)>,
}

fn segments_of(bytes: &[u8]) -> Vec<SegmentAt> {
    let archive = Archive::new(bytes).unwrap();
    let container = archive.container();
    let segments = 0..container.segments().len();
    let segments = segments.map(|segment| {
        let open = container.segment(segment).unwrap();
        let start = open.entry().offset;
        let sections = open.index().sections().iter().map(|section| {
            let place = range(start + section.offset, section.section_bytes().unwrap());
            (section.section_type.to_string(), place)
        });
        SegmentAt {
            place: range(start, open.entry().bytes),
            sections: sections.collect(),
        }
    });
    segments.collect()
}

fn section_types(bytes: &[u8]) -> Vec<Vec<String>> {
    let segments = segments_of(bytes).into_iter();
    let types = segments.map(|segment| segment.sections.into_iter().map(|(name, _)| name));
    types.map(Iterator::collect).collect()
}

/// The offset of the last section of a segment, which is its end.
fn end_of(bytes: &[u8], segment: &SegmentAt) -> usize {
    let own = &bytes[segment.place.clone()];
    let mark = own.windows(4).rposition(|four| four == b"SEND").unwrap();
    segment.place.start + mark
}

fn copied(report: &RecoveryReport) -> [u64; 3] {
    [
        report.segments_copied,
        report.segments_rebuilt,
        report.indexes_built,
    ]
}

#[test]
fn an_undamaged_archive_is_copied() {
    for kind in KINDS {
        let whole = indexed(kind);
        let (report, good) = recover_archive(&whole);
        assert!(report.is_complete());
        assert_eq!(copied(&report), [segments_of(&whole).len() as u64, 0, 0]);
        assert!(report.sources.iter().all(|source| source.is_proven));
        assert!(good == whole, "{kind:?}");
    }
}

#[test]
fn damage_outside_of_segments_changes_no_segment() {
    let whole = unprotected(indexed(Indexes::Full));
    let segments = segments_of(&whole);
    let end = segments.last().unwrap().place.end;
    let [header, slots, copy, directory, footer] = pointing_parts(&whole);
    for damaged in [
        header,
        slots,
        end..copy.start,
        copy,
        directory.clone(),
        directory.end..footer.start,
        footer,
        end..whole.len(),
    ] {
        let mut bytes = whole.clone();
        bytes[damaged.clone()].fill(0x55);
        let (report, good) = recover_archive(&bytes);
        assert_eq!(copied(&report), [segments.len() as u64, 0, 0]);
        assert_eq!(segments_of(&good).len(), segments.len());
        for (before, after) in segments.iter().zip(&segments_of(&good)) {
            let (before, after) = (&before.place, &after.place);
            assert!(whole[before.clone()] == good[after.clone()], "{damaged:?}");
        }
    }
}

#[test]
fn a_damaged_block_changes_no_other_segment_and_no_kind_of_index() {
    for kind in KINDS {
        let whole = unprotected(indexed(kind));
        let segments = segments_of(&whole);
        for block in &blocks_of(&whole) {
            let mut bytes = whole.clone();
            bytes[block.place.start + 30] ^= 4;
            let (report, good) = recover_archive(&bytes);
            let built = u64::from(kind != Indexes::None);
            let (recovered, blocks) = (segments_of(&good), blocks_of(&whole));
            let own = blocks.iter().filter(|other| other.segment == block.segment);
            if own.count() == 1 {
                // No block of the segment is left.
                assert_eq!(copied(&report), [segments.len() as u64 - 1, 0, 0]);
                continue;
            }
            assert_eq!(copied(&report), [segments.len() as u64 - 1, 1, built]);
            assert_eq!(section_types(&good), section_types(&whole));
            for (number, (before, after)) in segments.iter().zip(&recovered).enumerate() {
                let is_same = whole[before.place.clone()] == good[after.place.clone()];
                assert_eq!(is_same, number != block.segment);
            }
            let archive = Archive::new(&good[..]).unwrap();
            assert!(archive.verify(|_| ()).is_empty());
            assert!(archive.warnings().is_empty());
            // The index of the rebuilt segment is that of its games.
            assert!(reindexed(&good, kind) == good);
            // And it can be recovered again.
            let (again, same) = recover_archive(&good);
            assert!(again.is_complete());
            assert!(same == good);
        }
    }
}

#[test]
fn the_games_after_a_lost_block_are_the_same() {
    let whole = unprotected(indexed(Indexes::Full));
    let before = Archive::new(&whole[..]).unwrap();
    for block in blocks_of(&whole).iter().step_by(3) {
        let mut bytes = whole.clone();
        bytes[block.place.start + 60] ^= 4;
        let (report, good) = recover_archive(&bytes);
        assert!(report.lost_games() > 0);
        let after = Archive::new(&good[..]).unwrap();
        let retained = (1..=before.games()).filter(|game| !block.games.contains(game));
        let texts: Vec<_> = retained.map(|game| before.text(game).unwrap()).collect();
        let found: Vec<_> = after.texts().map(Result::unwrap).collect();
        assert!(found == texts);
    }
}

#[test]
fn a_damaged_index_is_built_again() {
    for kind in [Indexes::Openings, Indexes::Full] {
        let whole = indexed(kind);
        let without_parity = unprotected(whole.clone());
        for segment in segments_of(&whole) {
            for (name, place) in segment.sections {
                let mut bytes = without_parity.clone();
                bytes[place.start + place.len() / 2] ^= 1;
                let (report, good) = recover_archive(&bytes);
                assert!(report.is_complete());
                // Another segment may have the same section, which is then copied.
                let section = &whole[place.clone()];
                let found = whole
                    .windows(section.len())
                    .filter(|other| *other == section);
                let is_only = found.count() == 1;
                assert_eq!(copied(&report)[1..], [0, u64::from(is_only)], "{name}");
                assert!(good == whole);
            }
        }
    }
}

/// Tables, indexes and ends of segments are mended, and not made anew.
#[test]
fn mended_segments_are_copied() {
    for kind in [Indexes::Openings, Indexes::Full] {
        let whole = indexed(kind);
        for (number, segment) in segments_of(&whole).iter().enumerate() {
            let sections = segment.sections.iter().map(|(_, place)| place.clone());
            let end = end_of(&whole, segment)..segment.place.end;
            for place in sections.chain([tables_of(&whole, number), end]) {
                let middle = place.start + place.len() / 2;
                let sector = places::sector(&whole, middle);
                let mut bytes = whole.clone();
                bytes[place.start.max(sector.start)..place.end.min(sector.end)].fill(0x55);
                let (report, good) = recover_archive(&bytes);
                assert!(report.is_complete());
                assert_eq!(copied(&report)[1..], [0, 0]);
                assert!(good == whole);
            }
        }
    }
}

#[test]
fn a_lost_end_of_a_segment_changes_no_kind_of_index() {
    for kind in [Indexes::Openings, Indexes::Full] {
        let whole = indexed(kind);
        for segment in segments_of(&whole) {
            let end = end_of(&whole, &segment);
            let mut bytes = unprotected(whole.clone());
            bytes[end..segment.place.end].fill(0);
            let (report, good) = recover_archive(&bytes);
            assert_eq!(copied(&report)[1..], [0, 1]);
            assert!(good == whole);
            // Without a directory nothing proves which sections the segment had.
            bytes[..FRONT_BYTES].fill(0);
            let last = segments_of(&whole).last().unwrap().place.end;
            bytes[last..].fill(0);
            let (report, good) = recover_archive(&bytes);
            assert_eq!(copied(&report)[1..], [0, 1]);
            assert_eq!(section_types(&good), section_types(&whole));
        }
    }
}

#[test]
fn other_indexes_are_built_if_they_are_asked_for() {
    for (had, wanted) in [
        (Indexes::Full, Indexes::Openings),
        (Indexes::None, Indexes::Full),
        (Indexes::Openings, Indexes::None),
    ] {
        let damaged = Bytes(indexed(had));
        let damaged = Recovery::open(damaged, Limits::default()).unwrap();
        let (mut good, slot, report) = damaged
            .write_recovered(Vec::new(), Some(wanted), |_| ())
            .unwrap();
        slot.write_to(&mut good);
        assert_eq!(report.segments_rebuilt, 0);
        assert!(good == indexed(wanted), "{had:?} to {wanted:?}");
    }
}

/// A block with valid checksums everywhere, which cannot be decoded.
#[test]
fn a_block_that_cannot_be_decoded_costs_only_its_games() {
    let mut bytes = indexed(Indexes::Full);
    let whole = bytes.clone();
    let segments = segments_of(&whole);
    let blocks = blocks_of(&whole);
    let block = blocks.iter().find(|block| block.segment == 1).unwrap();
    let place = block.place.clone();
    let archive = Archive::new(&whole[..]).unwrap();
    let second = archive.container().segment(1).unwrap();
    let header = second.index().header_bytes(&second.index().blocks()[0]);
    let packed = place.start + 16 + usize::try_from(header).unwrap();
    bytes[packed..place.end - 4].fill(0xff);
    let block_crc = crc32fast::hash(&bytes[place.start..place.end - 4]).to_le_bytes();
    bytes[place.end - 4..place.end].copy_from_slice(&block_crc);
    // The CRC-32 of the first block in the end of its segment.
    let end = end_of(&whole, &segments[1]);
    let segment_end = segments[1].place.end;
    let stored = bytes[end..segment_end].windows(4);
    let mut stored = stored.enumerate().map(|(at, crc)| (end + at, crc));
    let (at, _) = stored
        .find(|(_, crc)| *crc == &whole[place.end - 4..place.end])
        .unwrap();
    bytes[at..at + 4].copy_from_slice(&block_crc);
    let crc = crc32fast::hash(&bytes[end..segment_end - 4]).to_le_bytes();
    bytes[segment_end - 4..segment_end].copy_from_slice(&crc);
    bytes[segments.last().unwrap().place.end..].fill(0);

    let (report, good) = recover_archive(&bytes);
    assert_eq!(copied(&report), [segments.len() as u64 - 1, 1, 1]);
    assert_eq!(report.lost_games(), block.games.end - block.games.start);
    assert!(matches!(report.losses[0].reason, LossReason::Content(_)));
    assert_eq!(section_types(&good), section_types(&whole));
    assert!(reindexed(&good, Indexes::Full) == good);
}
