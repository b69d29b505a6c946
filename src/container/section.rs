//! The frame of a section: type, flags, length, checksum (spec/format.md,
//! “Sections”).

use super::error::{ContainerError, Damage, FilePart, FilePlace};
use super::registry::{CRITICAL, SectionType};
use crate::bits::{BitsError, ByteReader};

/// Bytes before the payload.
pub(super) const HEAD_BYTES: u64 = 16;

/// The offset of the payload of a section at this offset.
pub(super) fn payload_offset(section_offset: u64) -> u64 {
    section_offset.saturating_add(HEAD_BYTES)
}

/// Bytes of a section that are not its payload: the head and the CRC-32.
pub(super) const FRAME_BYTES: u64 = HEAD_BYTES + 4;

/// Occurs in every section head. Together with the type and the flags it forms eight
/// bytes that are very unlikely in data (FB does not occur in UTF-8). Recovery finds
/// sections by them when the directory is lost.
pub(super) const SYNC: [u8; 3] = [0xfb, 0x9e, 0xc4];
/// Offset of `SYNC` in a head, in bytes.
pub(super) const SYNC_OFFSET: usize = 5;

/// The fields before the payload of a section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SectionHead {
    pub(super) section_type: SectionType,
    pub(super) flags: u8,
    pub(super) payload_bytes: u64,
}

impl SectionHead {
    pub(super) fn critical(section_type: SectionType, payload_bytes: u64) -> Self {
        SectionHead {
            section_type,
            flags: CRITICAL,
            payload_bytes,
        }
    }

    /// Size of the whole section in bytes.
    pub(super) fn section_bytes(&self) -> Option<u64> {
        self.payload_bytes.checked_add(FRAME_BYTES)
    }

    pub(super) fn encode(&self) -> [u8; 16] {
        let [t0, t1, t2, t3] = self.section_type.0;
        let [s0, s1, s2] = SYNC;
        let [l0, l1, l2, l3, l4, l5, l6, l7] = self.payload_bytes.to_le_bytes();
        [
            t0, t1, t2, t3, self.flags, s0, s1, s2, l0, l1, l2, l3, l4, l5, l6, l7,
        ]
    }

    /// Decodes a head. It is not verified until the checksum of the section is.
    pub(super) fn parse(bytes: &[u8], place: FilePlace) -> Result<Self, ContainerError> {
        let (head, sync) = head_fields(bytes).map_err(|error| place.decode_error(error))?;
        if sync == SYNC && head.section_type.0.is_ascii() {
            Ok(head)
        } else {
            Err(place.invalid("no section begins here"))
        }
    }
}

fn head_fields(bytes: &[u8]) -> Result<(SectionHead, [u8; 3]), BitsError> {
    let mut reader = ByteReader::new(bytes);
    let section_type = SectionType(reader.array()?);
    let flags = reader.u8()?;
    let sync = reader.array()?;
    let payload_bytes = reader.u64()?;
    let head = SectionHead {
        section_type,
        flags,
        payload_bytes,
    };
    Ok((head, sync))
}

/// The CRC-32 of a section whose payload is the concatenation of `parts`.
pub(super) fn checksum(head: &SectionHead, parts: &[&[u8]]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&head.encode());
    for part in parts {
        hasher.update(part);
    }
    hasher.finalize()
}

/// Encodes a critical section in memory.
pub(super) fn encode(section_type: SectionType, payload: &[u8]) -> Vec<u8> {
    let head = SectionHead::critical(section_type, payload.len() as u64);
    let crc = checksum(&head, &[payload]);
    [&head.encode()[..], payload, &crc.to_le_bytes()].concat()
}

/// The CRC-32 at the end of a section.
pub(super) fn stored_crc(section: &[u8]) -> u32 {
    let crc = section.last_chunk().copied().unwrap_or_default();
    u32::from_le_bytes(crc)
}

/// A copy of one section from the file. Its checksum was computed over this copy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    bytes: Vec<u8>,
    head: SectionHead,
    crc: u32,
}

impl Section {
    /// Checks that `bytes` are exactly one intact section.
    pub(super) fn check(bytes: Vec<u8>, place: FilePlace) -> Result<Self, ContainerError> {
        let too_short = || place.invalid("shorter than the frame of a section");
        let (covered, crc) = bytes.split_last_chunk::<4>().ok_or_else(too_short)?;
        let crc = u32::from_le_bytes(*crc);
        place.checksum(crc, crc32fast::hash(covered))?;
        let head = SectionHead::parse(covered, place)?;
        let payload_bytes = (covered.len() as u64).checked_sub(HEAD_BYTES);
        let payload_bytes = payload_bytes.ok_or_else(too_short)?;
        place.check_equal("payload length", payload_bytes, head.payload_bytes)?;
        Ok(Section { bytes, head, crc })
    }

    /// Checks that `bytes` are exactly one intact critical section of this type.
    pub(super) fn check_critical(
        bytes: Vec<u8>,
        section_type: SectionType,
        place: FilePlace,
    ) -> Result<Self, ContainerError> {
        let section = Section::check(bytes, place)?;
        if section.head.section_type != section_type {
            return Err(place.damaged(Damage::Type {
                expected: section_type,
                found: section.head.section_type,
            }));
        }
        place.check_equal("flags", CRITICAL, section.head.flags)?;
        Ok(section)
    }

    /// The type of the section.
    pub fn section_type(&self) -> SectionType {
        self.head.section_type
    }

    /// The section's flags.
    pub fn flags(&self) -> u8 {
        self.head.flags
    }

    /// The section's CRC-32.
    pub fn crc(&self) -> u32 {
        self.crc
    }

    /// The payload of the section.
    pub fn payload(&self) -> &[u8] {
        let after_head = self.bytes.split_first_chunk::<16>().map(|(_, rest)| rest);
        let inside = after_head.and_then(|rest| rest.split_last_chunk::<4>());
        inside.map_or(&[], |(payload, _)| payload)
    }
}

/// The place of a section of any type.
pub(super) fn place(section_type: SectionType, offset: u64) -> FilePlace {
    FilePlace::new(FilePart::Section(section_type), offset)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TYPE: SectionType = SectionType(*b"TEST");

    fn check(bytes: Vec<u8>) -> Result<Section, ContainerError> {
        Section::check_critical(bytes, TYPE, place(TYPE, 0))
    }

    #[test]
    fn golden_bytes() {
        let covered = [
            b'T', b'E', b'S', b'T', // type
            1,    // flags: critical
            0xfb, 0x9e, 0xc4, // sync
            3, 0, 0, 0, 0, 0, 0, 0, // payload length
            b'a', b'b', b'c', // payload
        ];
        let bytes = encode(TYPE, b"abc");
        assert_eq!(bytes[..19], covered);
        assert_eq!(bytes[19..], crc32fast::hash(&covered).to_le_bytes());
        assert_eq!(bytes.len() as u64, FRAME_BYTES + 3);
    }

    #[test]
    fn the_checksum_is_that_of_zlib() {
        assert_eq!(crc32fast::hash(b"123456789"), 0xcbf4_3926);
    }

    #[test]
    fn sections_round_trip() {
        for payload in [&b""[..], b"x", &[0xfb; 300]] {
            let section = check(encode(TYPE, payload)).unwrap();
            assert_eq!(section.payload(), payload);
            assert_eq!(section.section_type(), TYPE);
            assert_eq!(section.flags(), CRITICAL);
        }
    }

    #[test]
    fn every_damaged_byte_and_every_cut_is_seen() {
        let whole = encode(TYPE, b"payload");
        for index in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[index] ^= 1;
            assert!(check(bytes).is_err(), "byte {index}");
            assert!(check(whole[..index].to_vec()).is_err(), "cut at {index}");
        }
    }

    #[test]
    fn whole_sections_that_do_not_belong_are_refused() {
        assert!(matches!(
            check(encode(SectionType(*b"ELSE"), b"")),
            Err(ContainerError::Damaged {
                damage: Damage::Type { .. },
                ..
            })
        ));
        let with_crc = |head: SectionHead| {
            let crc = checksum(&head, &[b"abc"]);
            [&head.encode()[..], b"abc", &crc.to_le_bytes()].concat()
        };
        let lying_length = SectionHead::critical(TYPE, 4);
        assert!(check(with_crc(lying_length)).is_err());
        let lying_flags = SectionHead {
            flags: 3,
            ..SectionHead::critical(TYPE, 3)
        };
        assert!(check(with_crc(lying_flags)).is_err());
        let crc = crc32fast::hash(b"short").to_le_bytes();
        assert!(check([&b"short"[..], &crc].concat()).is_err());
    }
}
