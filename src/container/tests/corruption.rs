//! Damage is reported, and repaired where possible.

use super::*;

/// Sets every byte to each of its other values: the content is unchanged, and there is a
/// warning.
fn corrupt(file: &[u8]) {
    let expected = content(file);
    let mut bytes = file.to_vec();
    for index in 0..file.len() {
        for change in 1..=255 {
            bytes[index] ^= change;
            let (read, warnings) =
                read_all(&bytes).unwrap_or_else(|error| panic!("byte {index} ^ {change}: {error}"));
            assert_eq!(read, expected, "byte {index} ^ {change}");
            assert_ne!(warnings, [], "byte {index} ^ {change}");
            bytes[index] ^= change;
        }
    }
}

#[test]
#[cfg_attr(miri, ignore = "takes minutes")]
fn every_corruption_of_a_byte_is_mended() {
    corrupt(&fresh());
}

#[test]
#[cfg_attr(miri, ignore = "takes minutes")]
fn every_corruption_of_a_stream_is_mended() {
    corrupt(&stream().0);
}

#[test]
#[cfg_attr(miri, ignore = "takes minutes")]
fn every_corruption_of_an_append_is_mended() {
    corrupt(&appended());
}

/// Without parity the content is unchanged and there is a warning, or there is an error.
#[test]
#[cfg_attr(miri, ignore = "takes minutes")]
fn every_corruption_without_parity_is_reported() {
    let file = unprotected(appended());
    let expected = content(&file);
    for index in 0..file.len() {
        let mut bytes = file.clone();
        bytes[index] ^= 0x55;
        if let Ok((read, warnings)) = read_all(&bytes) {
            assert_eq!(read, expected, "byte {index}");
            assert_ne!(warnings, [], "byte {index}");
        }
    }
}

#[test]
#[cfg_attr(miri, ignore = "takes minutes")]
fn every_erased_byte_is_reported() {
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
#[cfg_attr(miri, ignore = "takes minutes")]
fn every_truncation_is_reported() {
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
        // If a slot refers to the copy of the footer, the parity and the footer are not needed.
        let has_slots = file[16..80].iter().any(|&byte| byte != 0);
        let (container, _) = open(&file).unwrap();
        let parity = container.commit().parity.last().unwrap().bytes;
        let unneeded = at(parity + footer::SECTION_BYTES);
        assert_eq!(read_in_spite, if has_slots { unneeded } else { 0 });
    }
}

#[test]
fn erased_slots_are_reported() {
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
            Warning::MayBeOutdated { generation: 1 },
            Warning::UnfinishedAppend { .. }
        ]
    ));
    let (container, _) = open(&file).unwrap();
    assert!(ContainerWriter::append(Vec::new(), &container).is_err());
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

/// Overwrites the slot that `slot` belongs to, with any content.
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
    // The old footer is where the copy of the new one belongs.
    let mut file = unprotected(with_slot(file, new));
    let size = at(footer::SECTION_BYTES);
    let copy = at(new.copy_offset)..at(new.copy_offset) + size;
    file[copy].copy_from_slice(&old_file[at(old.footer_offset)..]);
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
fn blocks_of_foreign_tables_are_refused() {
    let file = unprotected(single(&[part("a", 0, 9, 1, 1)], b"packed"));
    let other = single(&[part("x", 0, 9, 1, 1)], b"packed");
    let (tables, _, block) = single_sections(&file);
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
    let file = unprotected(file);
    let (_, tags, block) = single_sections(&file);
    for part in [tags, block] {
        let mut mixed = file.clone();
        mixed[part.clone()].copy_from_slice(&other[part]);
        assert!(read_all(&mixed).is_err());
    }
}

#[test]
fn a_damaged_block_without_parity_costs_only_itself() {
    let file = unprotected(fresh());
    let entry = segment_entry(&file, 0);
    let (container, _) = open(&file).unwrap();
    let segment = container.segment(0).unwrap();
    let block = segment.index().blocks()[1];
    for offset in [block.offset, block.tags_offset] {
        assert_only_the_second_block_is_lost(&file, entry.offset + offset);
    }
}

fn assert_only_the_second_block_is_lost(file: &[u8], offset: u64) {
    let mut file = file.to_vec();
    file[at(offset + 3)] ^= 1;
    let (container, _) = open(&file).unwrap();
    let segment = container.segment(0).unwrap();
    assert_eq!(
        container.block(&segment, 0).unwrap().packed(),
        packed(b"first")
    );
    let error = container.block(&segment, 1).unwrap_err();
    assert_eq!(error.class(), ErrorClass::Damaged);
    assert_eq!(error.offset(), Some(offset));
    assert!(container.tables(&segment).is_ok());
    assert!(container.segment(1).is_ok());
}
