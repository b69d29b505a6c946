//! The footer: the offset, size and digest of the directory, and the totals of the
//! archive (spec/format.md, “Footer”).

use super::error::{ContainerError, FilePart, FilePlace};
use super::registry;
use super::section::{self, FRAME_BYTES, Section};
use super::slot::{CommitSlot, FIRST_SECTION};
use crate::bits::{BitsError, ByteReader};

/// Size of the payload in bytes. It is fixed, so that the footer of a stream can be
/// found at the end of the file.
pub(super) const PAYLOAD_BYTES: u64 = 88;
/// Size of the whole section in bytes.
pub(super) const SECTION_BYTES: u64 = PAYLOAD_BYTES + FRAME_BYTES;

/// The totals of an archive.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Totals {
    /// The number of segments.
    pub segments: u32,
    /// The number of sources.
    pub sources: u32,
    /// The number of games.
    pub games: u64,
    /// The number of records: games and pieces of text that are not games.
    pub records: u64,
    /// Size of all sources in bytes.
    pub raw_bytes: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Footer {
    pub(super) generation: u64,
    pub(super) directory_offset: u64,
    /// Size of the directory section in bytes.
    pub(super) directory_bytes: u64,
    pub(super) totals: Totals,
    /// BLAKE3 digest of the directory section.
    pub(super) directory_digest: [u8; 32],
}

impl Footer {
    /// Encodes the footer section.
    pub(super) fn encode(&self) -> Vec<u8> {
        let payload = [
            &self.generation.to_le_bytes()[..],
            &self.directory_offset.to_le_bytes(),
            &self.directory_bytes.to_le_bytes(),
            &self.totals.games.to_le_bytes(),
            &self.totals.records.to_le_bytes(),
            &self.totals.raw_bytes.to_le_bytes(),
            &self.totals.segments.to_le_bytes(),
            &self.totals.sources.to_le_bytes(),
            &self.directory_digest,
        ];
        section::encode(registry::FOOTER, &payload.concat())
    }

    pub(super) fn parse(bytes: Vec<u8>, place: FilePlace) -> Result<Self, ContainerError> {
        let section = Section::check_critical(bytes, registry::FOOTER, place)?;
        let mut reader = ByteReader::new(section.payload());
        let footer = Footer::read(&mut reader).map_err(|error| place.decode_error(error))?;
        reader.finish().map_err(|error| place.decode_error(error))?;
        if footer.generation == 0 {
            return Err(place.invalid("generation 0"));
        }
        Ok(footer)
    }

    fn read(reader: &mut ByteReader<'_>) -> Result<Self, BitsError> {
        Ok(Footer {
            generation: reader.u64()?,
            directory_offset: reader.u64()?,
            directory_bytes: reader.u64()?,
            totals: Totals {
                games: reader.u64()?,
                records: reader.u64()?,
                raw_bytes: reader.u64()?,
                segments: reader.u32()?,
                sources: reader.u32()?,
            },
            directory_digest: reader.array()?,
        })
    }

    /// The slot that refers to this footer at this offset.
    pub(super) fn slot(&self, footer_offset: u64) -> CommitSlot {
        CommitSlot {
            generation: self.generation,
            footer_offset,
            copy_offset: self.directory_offset.saturating_sub(SECTION_BYTES),
        }
    }

    /// Checks that the footer is the one that `slot` refers to: footer copy, directory
    /// and footer are contiguous, and the generation is the same.
    pub(super) fn check_slot(&self, slot: &CommitSlot) -> Result<(), ContainerError> {
        let place = FilePlace::new(FilePart::Footer, slot.footer_offset);
        place.check_equal("generation", slot.generation, self.generation)?;
        let directory_offset = slot.copy_offset.saturating_add(SECTION_BYTES);
        place.check_equal("directory offset", directory_offset, self.directory_offset)?;
        let end = self.directory_offset.saturating_add(self.directory_bytes);
        place.check_equal("end of the directory", slot.footer_offset, end)?;
        if slot.copy_offset < FIRST_SECTION {
            return Err(place.invalid("the footer's copy lies before the first section"));
        }
        Ok(())
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
            totals: Totals {
                games: 4,
                records: 5,
                raw_bytes: 6,
                segments: 7,
                sources: 8,
            },
            directory_digest: [9; 32],
        }
    }

    #[test]
    fn golden_bytes() {
        let fields = [
            1, 0, 0, 0, 0, 0, 0, 0, // generation
            0xe8, 3, 0, 0, 0, 0, 0, 0, // directory offset
            50, 0, 0, 0, 0, 0, 0, 0, // directory bytes
            4, 0, 0, 0, 0, 0, 0, 0, // games
            5, 0, 0, 0, 0, 0, 0, 0, // records
            6, 0, 0, 0, 0, 0, 0, 0, // raw bytes
            7, 0, 0, 0, // segments
            8, 0, 0, 0, // sources
        ];
        let expected = [&fields[..], &[9; 32]].concat();
        let bytes = sample().encode();
        assert_eq!(bytes[16..104], expected);
        assert_eq!(bytes.len() as u64, SECTION_BYTES);
    }

    #[test]
    fn footers_round_trip() {
        let footer = sample();
        assert_eq!(Footer::parse(footer.encode(), PLACE).unwrap(), footer);
        assert!(footer.check_slot(&footer.slot(1050)).is_ok());
    }

    #[test]
    fn footers_of_another_place_or_time_are_refused() {
        let footer = sample();
        let slot = footer.slot(1050);
        let others = [
            CommitSlot {
                generation: 2,
                ..slot
            },
            CommitSlot {
                footer_offset: 1051,
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
        let end = early.directory_offset + early.directory_bytes;
        assert!(early.check_slot(&early.slot(end)).is_err());
    }

    #[test]
    fn other_sizes_and_generation_0_are_refused() {
        let whole = sample().encode();
        let short = section::encode(registry::FOOTER, &whole[16..103]);
        assert!(Footer::parse(short, PLACE).is_err());
        let long = section::encode(registry::FOOTER, &whole[16..105]);
        assert!(Footer::parse(long, PLACE).is_err());
        let none = Footer {
            generation: 0,
            ..sample()
        };
        assert!(Footer::parse(none.encode(), PLACE).is_err());
    }
}
