//! The footer: the places of the directory and of the parity (spec/format.md, “Footer”).

use super::error::{ContainerError, FilePart, FilePlace};
use super::header;
use super::parity::ParitySpan;
use super::registry;
use super::section::{self, FRAME_BYTES, Section};
use super::slot::{CommitSlot, FIRST_SECTION};
use crate::bits::{BitsError, ByteReader};

/// Size of the payload in bytes. It is fixed, so that the footer of a stream can be
/// found at the end of the file.
pub(super) const PAYLOAD_BYTES: u64 = 48;
/// Size of the whole section in bytes.
pub(super) const SECTION_BYTES: u64 = PAYLOAD_BYTES + FRAME_BYTES;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Footer {
    pub(super) generation: u64,
    pub(super) directory_offset: u64,
    /// Size of the directory section in bytes.
    pub(super) directory_bytes: u64,
    /// File offset of the first byte that the parity after the directory covers.
    pub(super) parity_start: u64,
    /// Size of the parity section in bytes.
    pub(super) parity_bytes: u64,
    /// CRC-32 of the directory section.
    pub(super) directory_crc: u32,
}

impl Footer {
    /// Encodes the footer section.
    pub(super) fn encode(&self) -> Vec<u8> {
        let payload = [
            &header::version_fields()[..],
            &[0],
            &self.directory_crc.to_le_bytes(),
            &self.generation.to_le_bytes(),
            &self.directory_offset.to_le_bytes(),
            &self.directory_bytes.to_le_bytes(),
            &self.parity_start.to_le_bytes(),
            &self.parity_bytes.to_le_bytes(),
        ];
        section::encode(registry::FOOTER, &payload.concat())
    }

    pub(super) fn parse(bytes: Vec<u8>, place: FilePlace) -> Result<Self, ContainerError> {
        let section = Section::check_critical(bytes, registry::FOOTER, place)?;
        let mut reader = ByteReader::new(section.payload());
        let version = reader.array::<4>();
        let [major, minor, minimum_minor, zero] =
            version.map_err(|error| place.decode_error(error))?;
        header::check_version(major, minor, minimum_minor)?;
        place.check_equal("byte after the version", 0u8, zero)?;
        let footer = Footer::read(&mut reader).map_err(|error| place.decode_error(error))?;
        reader.finish().map_err(|error| place.decode_error(error))?;
        if footer.generation == 0 {
            return Err(place.invalid("generation 0"));
        }
        Ok(footer)
    }

    fn read(reader: &mut ByteReader<'_>) -> Result<Self, BitsError> {
        Ok(Footer {
            directory_crc: reader.u32()?,
            generation: reader.u64()?,
            directory_offset: reader.u64()?,
            directory_bytes: reader.u64()?,
            parity_start: reader.u64()?,
            parity_bytes: reader.u64()?,
        })
    }

    /// The size and the CRC-32 of the directory section, which together identify it.
    pub(super) fn directory(&self) -> (u64, u32) {
        (self.directory_bytes, self.directory_crc)
    }

    /// The parity section after the directory.
    pub(super) fn parity(&self) -> ParitySpan {
        ParitySpan {
            start: self.parity_start,
            offset: self.directory_offset.saturating_add(self.directory_bytes),
            bytes: self.parity_bytes,
        }
    }

    /// The slot that refers to this footer.
    pub(super) fn slot(&self) -> CommitSlot {
        CommitSlot {
            generation: self.generation,
            footer_offset: self.parity().end(),
            copy_offset: self.directory_offset.saturating_sub(SECTION_BYTES),
        }
    }

    /// Checks that the footer is the one that `slot` refers to: footer copy, directory,
    /// parity and footer are contiguous, and the generation is the same.
    pub(super) fn check_slot(&self, slot: &CommitSlot) -> Result<(), ContainerError> {
        let place = FilePlace::new(FilePart::Footer, slot.footer_offset);
        place.check_equal("generation", slot.generation, self.generation)?;
        let directory_offset = slot.copy_offset.saturating_add(SECTION_BYTES);
        place.check_equal("directory offset", directory_offset, self.directory_offset)?;
        let end = self.parity().end();
        place.check_equal("end of the parity", slot.footer_offset, end)?;
        if slot.copy_offset < FIRST_SECTION {
            return Err(place.invalid("the footer's copy lies before the first section"));
        }
        ParitySpan::check_all(&[self.parity()]).map_err(|damage| place.damaged(damage))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLACE: FilePlace = FilePlace {
        part: FilePart::Footer,
        offset: 0,
    };

    fn sample() -> Footer {
        Footer {
            generation: 1,
            directory_offset: 1000,
            directory_bytes: 50,
            parity_start: 80,
            parity_bytes: 99,
            directory_crc: 9,
        }
    }

    #[test]
    fn golden_bytes() {
        let (_, minor) = header::FORMAT_VERSION;
        let fields = [
            0, minor, minor, 0, // version
            9, 0, 0, 0, // CRC-32 of the directory
            1, 0, 0, 0, 0, 0, 0, 0, // generation
            0xe8, 3, 0, 0, 0, 0, 0, 0, // directory offset
            50, 0, 0, 0, 0, 0, 0, 0, // directory bytes
            80, 0, 0, 0, 0, 0, 0, 0, // first byte that the parity covers
            99, 0, 0, 0, 0, 0, 0, 0, // parity bytes
        ];
        let bytes = sample().encode();
        assert_eq!(bytes[16..64], fields);
        assert_eq!(bytes.len() as u64, SECTION_BYTES);
    }

    #[test]
    fn footers_round_trip() {
        let footer = sample();
        assert_eq!(Footer::parse(footer.encode(), PLACE).unwrap(), footer);
        let slot = footer.slot();
        assert_eq!((slot.copy_offset, slot.footer_offset), (932, 1149));
        assert!(footer.check_slot(&slot).is_ok());
    }

    #[test]
    fn footers_of_another_place_or_time_are_refused() {
        let footer = sample();
        let slot = footer.slot();
        let others = [
            CommitSlot {
                generation: 2,
                ..slot
            },
            CommitSlot {
                footer_offset: slot.footer_offset + 1,
                ..slot
            },
            CommitSlot {
                copy_offset: slot.copy_offset + 1,
                ..slot
            },
        ];
        for other in others {
            assert!(footer.check_slot(&other).is_err(), "{other:?}");
        }
        let early = Footer {
            directory_offset: FIRST_SECTION + SECTION_BYTES - 1,
            ..sample()
        };
        let covers_nothing = Footer {
            parity_start: 1051,
            ..sample()
        };
        for other in [early, covers_nothing] {
            assert!(other.check_slot(&other.slot()).is_err());
        }
    }

    #[test]
    fn other_sizes_versions_and_generation_0_are_refused() {
        let whole = sample().encode();
        let short = section::encode(registry::FOOTER, &whole[16..63]);
        assert!(Footer::parse(short, PLACE).is_err());
        let long = section::encode(registry::FOOTER, &whole[16..65]);
        assert!(Footer::parse(long, PLACE).is_err());
        let mut other = whole[16..64].to_vec();
        other[1] += 1;
        let other = section::encode(registry::FOOTER, &other);
        let error = Footer::parse(other, PLACE).unwrap_err();
        assert!(matches!(error, ContainerError::Version(_)), "{error}");
        let none = Footer {
            generation: 0,
            ..sample()
        };
        assert!(Footer::parse(none.encode(), PLACE).is_err());
    }
}
