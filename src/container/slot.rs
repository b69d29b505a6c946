//! A commit slot: it refers to the footer of a committed state (spec/format.md, “Commit
//! slots”).

use super::checksum;
use super::error::{ContainerError, FilePart, FilePlace};
use super::footer;
use super::header::HEADER_BYTES;
use crate::bits::ByteReader;

/// Size of a commit slot in bytes.
pub const SLOT_BYTES: u64 = 32;

/// File offset of the first section, after the header and both slots.
pub(super) const FIRST_SECTION: u64 = HEADER_BYTES + 2 * SLOT_BYTES;

const MAGIC: [u8; 4] = *b"CMIT";

/// One committed state of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CommitSlot {
    /// The number of commits of the file up to this one, from 1.
    pub generation: u64,
    /// File offset of the footer.
    pub footer_offset: u64,
    /// File offset of the footer's copy.
    pub copy_offset: u64,
}

/// The content of one of the two slots of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SlotState {
    Empty,
    Damaged,
    Valid(CommitSlot),
}

impl CommitSlot {
    /// The number of the slot that this generation is written to. Odd generations use
    /// slot 0, even ones slot 1, so that the newest never overwrites its predecessor.
    pub fn number(&self) -> u8 {
        u8::from(self.generation.is_multiple_of(2))
    }

    /// File offset after the footer.
    pub fn end(&self) -> u64 {
        self.footer_offset.saturating_add(footer::SECTION_BYTES)
    }

    /// File offset at which [`CommitSlot::encode`] must be written.
    pub fn offset(&self) -> u64 {
        offset_of(self.number())
    }

    /// Encodes the slot.
    pub fn encode(&self) -> [u8; 32] {
        let fields = [
            &MAGIC[..],
            &self.generation.to_le_bytes(),
            &self.footer_offset.to_le_bytes(),
            &self.copy_offset.to_le_bytes(),
        ]
        .concat();
        let mut bytes = [0; 32];
        let (head, tail) = bytes.split_at_mut(28);
        head.copy_from_slice(&fields);
        tail.copy_from_slice(&crc32fast::hash(&fields).to_le_bytes());
        bytes
    }

    /// Writes the slot to its place in a file in memory. A file that is too short is
    /// left unchanged.
    pub fn write_to(&self, file: &mut [u8]) {
        let place = usize::try_from(self.offset())
            .ok()
            .and_then(|start| file.get_mut(start..)?.first_chunk_mut::<32>());
        if let Some(place) = place {
            *place = self.encode();
        }
    }
}

/// File offset of slot `number`.
pub(super) fn offset_of(number: u8) -> u64 {
    HEADER_BYTES + SLOT_BYTES * u64::from(number)
}

/// Decodes slot `number`.
///
/// # Errors
/// The slot is intact but holds a generation that belongs to the other slot. This is
/// not accidental damage, so the file is refused.
pub(super) fn parse(bytes: &[u8; 32], number: u8) -> Result<SlotState, ContainerError> {
    if bytes.iter().all(|&byte| byte == 0) {
        return Ok(SlotState::Empty);
    }
    let Some(slot) = fields(bytes) else {
        return Ok(SlotState::Damaged);
    };
    if slot.generation == 0 || slot.number() != number {
        return Err(FilePlace::new(FilePart::Slot, offset_of(number))
            .invalid("the generation of the other slot"));
    }
    Ok(SlotState::Valid(slot))
}

fn fields(bytes: &[u8; 32]) -> Option<CommitSlot> {
    let (covered, crc) = bytes.split_last_chunk::<4>()?;
    let mut reader = ByteReader::new(covered);
    let magic = reader.array::<4>().ok()?;
    let slot = CommitSlot {
        generation: reader.u64().ok()?,
        footer_offset: reader.u64().ok()?,
        copy_offset: reader.u64().ok()?,
    };
    let crc = u32::from_le_bytes(*crc);
    let whole = magic == MAGIC && checksum::matches(crc, crc32fast::hash(covered));
    whole.then_some(slot)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SLOT: CommitSlot = CommitSlot {
        generation: 3,
        footer_offset: 0x0102,
        copy_offset: 0x0203,
    };

    #[test]
    fn golden_bytes() {
        let fields = [
            b'C', b'M', b'I', b'T', // magic
            3, 0, 0, 0, 0, 0, 0, 0, // generation
            2, 1, 0, 0, 0, 0, 0, 0, // footer offset
            3, 2, 0, 0, 0, 0, 0, 0, // offset of the footer's copy
        ];
        let bytes = SLOT.encode();
        assert_eq!(bytes[..28], fields);
        assert_eq!(bytes[28..], crc32fast::hash(&fields).to_le_bytes());
    }

    #[test]
    fn slots_round_trip() {
        assert_eq!(
            parse(&SLOT.encode(), 0).unwrap(),
            SlotState::Valid(SLOT),
            "generation 3 belongs to slot 0"
        );
        assert_eq!(parse(&[0; 32], 1).unwrap(), SlotState::Empty);
    }

    #[test]
    fn every_damaged_byte_is_seen() {
        for index in 0..32 {
            let mut bytes = SLOT.encode();
            bytes[index] ^= 0x40;
            assert_eq!(parse(&bytes, 0).unwrap(), SlotState::Damaged);
        }
    }

    #[test]
    fn a_slot_in_the_wrong_place_is_refused() {
        assert!(parse(&SLOT.encode(), 1).is_err());
        let none = CommitSlot {
            generation: 0,
            ..SLOT
        };
        assert!(parse(&none.encode(), 1).is_err());
    }

    #[test]
    fn a_slot_lands_at_its_offset() {
        let mut file = [0; 80];
        SLOT.write_to(&mut file);
        assert_eq!(file[16..48], SLOT.encode());
        let mut short = [0; 40];
        SLOT.write_to(&mut short);
        assert_eq!(short, [0; 40]);
    }
}
