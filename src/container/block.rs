//! A block: the smallest part of a file that is read alone (spec/format.md, “Blocks”).
//! Its packed bytes are opaque here.

use super::error::{ContainerError, Damage, FilePlace};
use super::registry::{self, SectionType};
use super::section::{FRAME_BYTES, Section};
use super::segment_id::SegmentId;
use crate::bits::{BitsError, ByteReader};

/// Size of the header at the front of a block's payload, in bytes.
pub(super) const HEADER_BYTES: u64 = 32;

pub(super) const TYPE: SectionType = registry::BLOCK;

/// The size of a block's content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlockCounts {
    /// The number of games.
    pub games: u32,
    /// The number of records: games and pieces of text that are not games.
    pub records: u32,
    /// Size of the records' text in bytes.
    pub raw_bytes: u32,
}

/// The header of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlockHeader {
    /// The ID of the segment whose tables decode the block.
    pub segment: SegmentId,
    /// The number of games of the segment before this block.
    pub first_game: u32,
    /// The size of the segment's text before this block, in bytes.
    pub raw_offset: u64,
    /// The size of the block's content.
    pub shape: BlockCounts,
}

impl BlockCounts {
    /// Whether the block holds at least one record, and each record at least one byte.
    pub(super) fn is_valid(&self) -> bool {
        self.records > 0 && self.games <= self.records && self.records <= self.raw_bytes
    }
}

impl BlockHeader {
    pub(super) fn encode(&self) -> Vec<u8> {
        [
            &self.segment.0[..],
            &self.first_game.to_le_bytes(),
            &self.shape.games.to_le_bytes(),
            &self.shape.records.to_le_bytes(),
            &self.shape.raw_bytes.to_le_bytes(),
            &self.raw_offset.to_le_bytes(),
        ]
        .concat()
    }

    pub(super) fn read(reader: &mut ByteReader<'_>) -> Result<Self, BitsError> {
        Ok(BlockHeader {
            segment: SegmentId(reader.array()?),
            first_game: reader.u32()?,
            shape: BlockCounts {
                games: reader.u32()?,
                records: reader.u32()?,
                raw_bytes: reader.u32()?,
            },
            raw_offset: reader.u64()?,
        })
    }
}

/// Size of the section of a block with this many packed bytes.
pub(super) fn section_bytes(packed_bytes: u32) -> u64 {
    FRAME_BYTES + HEADER_BYTES + u64::from(packed_bytes)
}

/// A block that was read and checked. Its checksum was computed over this copy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    header: BlockHeader,
    section: Section,
}

impl Block {
    pub(super) fn check(bytes: Vec<u8>, place: FilePlace) -> Result<Self, ContainerError> {
        let section = Section::check_critical(bytes, TYPE, place)?;
        let mut reader = ByteReader::new(section.payload());
        let header = BlockHeader::read(&mut reader).map_err(|error| place.decode_error(error))?;
        Ok(Block { header, section })
    }

    /// Checks the block against its entry in the block index.
    pub(super) fn check_header(
        &self,
        expected: &BlockHeader,
        crc: u32,
        place: FilePlace,
    ) -> Result<(), ContainerError> {
        let found = &self.header;
        if found.segment != expected.segment {
            return Err(place.damaged(Damage::ForeignTables {
                expected: expected.segment,
                found: found.segment,
            }));
        }
        place.check_equal("first game", expected.first_game, found.first_game)?;
        place.check_equal("raw offset", expected.raw_offset, found.raw_offset)?;
        let (wanted, shape) = (expected.shape, found.shape);
        place.check_equal("games", wanted.games, shape.games)?;
        place.check_equal("records", wanted.records, shape.records)?;
        place.check_equal("raw bytes", wanted.raw_bytes, shape.raw_bytes)?;
        place.checksum(crc, self.section.crc())
    }

    /// The header of the block.
    pub fn header(&self) -> &BlockHeader {
        &self.header
    }

    /// The packed bytes.
    pub fn packed(&self) -> &[u8] {
        let header_and_packed = self.section.payload().split_first_chunk::<32>();
        header_and_packed.map_or(&[], |(_, packed)| packed)
    }
}

#[cfg(test)]
mod tests {
    use super::super::error::FilePart;
    use super::super::section;
    use super::*;

    const HEADER: BlockHeader = BlockHeader {
        segment: SegmentId(*b"IDENTITY"),
        first_game: 1,
        raw_offset: 5,
        shape: BlockCounts {
            games: 2,
            records: 3,
            raw_bytes: 4,
        },
    };
    const PLACE: FilePlace = FilePlace {
        part: FilePart::Block,
        offset: 0,
    };

    fn bytes() -> Vec<u8> {
        section::encode(TYPE, &[&HEADER.encode()[..], b"packed"].concat())
    }

    #[test]
    fn golden_bytes() {
        let expected = [
            b'I', b'D', b'E', b'N', b'T', b'I', b'T', b'Y', // segment ID
            1, 0, 0, 0, // first game
            2, 0, 0, 0, // games
            3, 0, 0, 0, // records
            4, 0, 0, 0, // raw bytes
            5, 0, 0, 0, 0, 0, 0, 0, // raw offset
        ];
        assert_eq!(HEADER.encode(), expected);
        assert_eq!(expected.len() as u64, HEADER_BYTES);
    }

    #[test]
    fn blocks_round_trip() {
        let block = Block::check(bytes(), PLACE).unwrap();
        assert_eq!(*block.header(), HEADER);
        assert_eq!(block.packed(), b"packed");
        assert_eq!(section_bytes(6), bytes().len() as u64);
        assert!(
            block
                .check_header(&HEADER, block.section.crc(), PLACE)
                .is_ok()
        );
    }

    #[test]
    fn any_disagreement_is_refused() {
        let block = Block::check(bytes(), PLACE).unwrap();
        let crc = block.section.crc();
        let mut others = [HEADER; 6];
        others[0].segment.0[7] ^= 1;
        others[1].first_game += 1;
        others[2].raw_offset += 1;
        others[3].shape.games += 1;
        others[4].shape.records += 1;
        others[5].shape.raw_bytes += 1;
        for other in others {
            assert!(block.check_header(&other, crc, PLACE).is_err(), "{other:?}");
        }
        assert!(block.check_header(&HEADER, crc ^ 1, PLACE).is_err());
    }

    #[test]
    fn a_payload_without_a_header_is_refused() {
        let short = section::encode(TYPE, &HEADER.encode()[..31]);
        assert!(Block::check(short, PLACE).is_err());
    }
}
