//! A block: the smallest part of a file that is read alone (spec/format.md, “Blocks”).
//! Its packed bytes are opaque here.
//!
//! A block is stored in two places, so that the tags of many games can be read without
//! their moves: its movetext in a section of its own, its tags beside those of the other
//! blocks of its group.

use super::error::{ContainerError, Damage, FilePart, FilePlace};
use super::read_at::{ReadAt, SectionInput};
use super::registry::{self, SectionType};
use super::section::{HEAD_BYTES, Section};
use super::segment_id::SegmentId;
use crate::bits::{BitsError, ByteReader, put_varint};

/// The largest size of the header at the front of the payload of a block's section, in bytes.
pub(super) const MAX_HEADER_BYTES: u64 = 52;

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

/// The place of the tags of a block among those of its group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TagsPlace {
    /// The size of the tags of the group's earlier blocks, in bytes.
    pub offset: u32,
    /// Size of the packed tags in bytes.
    pub bytes: u32,
    /// The CRC-32 of the packed tags.
    pub crc: u32,
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
    /// Where the tags are.
    pub tags: TagsPlace,
}

/// The packed bytes of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PackedBlock<'a> {
    /// The tags: what is read without the movetext.
    pub tags: &'a [u8],
    /// The movetext and all else.
    pub movetext: &'a [u8],
}

impl PackedBlock<'_> {
    /// Size of both parts in bytes.
    pub fn bytes(&self) -> u64 {
        self.tags.len() as u64 + self.movetext.len() as u64
    }
}

impl BlockCounts {
    /// Whether the block holds at least one record, and each record at least one byte.
    pub(super) fn is_valid(&self) -> bool {
        self.records > 0 && self.games <= self.records && self.records <= self.raw_bytes
    }
}

impl BlockHeader {
    pub(super) fn encode(&self) -> Vec<u8> {
        let mut out = self.segment.0.to_vec();
        put_varint(&mut out, self.first_game.into());
        put_varint(&mut out, self.raw_offset);
        put_varint(&mut out, self.tags.offset.into());
        let summary = BlockSummary {
            shape: self.shape,
            tags_bytes: self.tags.bytes,
            tags_crc: self.tags.crc,
        };
        summary.put(&mut out);
        out
    }

    pub(super) fn read(reader: &mut ByteReader<'_>) -> Result<Self, BitsError> {
        let segment = SegmentId(reader.array()?);
        let first_game = read_u32(reader)?;
        let raw_offset = reader.varint()?;
        let offset = read_u32(reader)?;
        let summary = BlockSummary::read(reader)?;
        Ok(BlockHeader {
            segment,
            first_game,
            raw_offset,
            shape: summary.shape,
            tags: TagsPlace {
                offset,
                bytes: summary.tags_bytes,
                crc: summary.tags_crc,
            },
        })
    }
}

/// Reads the header of the block whose section begins at a file offset and has a payload of this
/// size.
pub(super) fn read_header<S: ReadAt>(
    input: &SectionInput<S>,
    offset: u64,
    payload_bytes: u64,
) -> Result<BlockHeader, ContainerError> {
    let place = FilePlace::new(FilePart::Block, offset.saturating_add(HEAD_BYTES));
    let bytes = input.read(place, payload_bytes.min(MAX_HEADER_BYTES))?;
    BlockHeader::read(&mut ByteReader::new(&bytes)).map_err(|error| place.decode_error(error))
}

/// What the header of a block and its entry in the block index have in common.
pub(super) struct BlockSummary {
    pub(super) shape: BlockCounts,
    pub(super) tags_bytes: u32,
    pub(super) tags_crc: u32,
}

impl BlockSummary {
    pub(super) fn put(&self, out: &mut Vec<u8>) {
        let shape = &self.shape;
        put_varint(out, shape.games.into());
        put_varint(out, shape.records.saturating_sub(shape.games).into());
        put_varint(out, shape.raw_bytes.into());
        put_varint(out, self.tags_bytes.into());
        out.extend_from_slice(&self.tags_crc.to_le_bytes());
    }

    pub(super) fn read(reader: &mut ByteReader<'_>) -> Result<Self, BitsError> {
        let games = read_u32(reader)?;
        let others = read_u32(reader)?;
        let shape = BlockCounts {
            games,
            records: games.checked_add(others).ok_or(BitsError::Varint)?,
            raw_bytes: read_u32(reader)?,
        };
        Ok(BlockSummary {
            shape,
            tags_bytes: read_u32(reader)?,
            tags_crc: reader.u32()?,
        })
    }
}

/// Reads a varint below 2^32.
pub(super) fn read_u32(reader: &mut ByteReader<'_>) -> Result<u32, BitsError> {
    u32::try_from(reader.varint()?).map_err(|_| BitsError::Varint)
}

/// The movetext of a block, read and checked. Its checksum was computed over this copy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlockMovetext {
    header: BlockHeader,
    /// Size of the header in bytes.
    header_bytes: usize,
    section: Section,
}

impl BlockMovetext {
    pub(super) fn check(bytes: Vec<u8>, place: FilePlace) -> Result<Self, ContainerError> {
        let section = Section::check_critical(bytes, TYPE, place)?;
        let mut reader = ByteReader::new(section.payload());
        let header = BlockHeader::read(&mut reader).map_err(|error| place.decode_error(error))?;
        Ok(BlockMovetext {
            header,
            header_bytes: section.payload().len() - reader.rest().len(),
            section,
        })
    }

    /// Checks the movetext against the block's entry in the block index.
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
        let (wanted, tags) = (expected.tags, found.tags);
        place.check_equal("offset of the tags", wanted.offset, tags.offset)?;
        place.check_equal("size of the tags", wanted.bytes, tags.bytes)?;
        place.check_equal("checksum of the tags", wanted.crc, tags.crc)?;
        place.checksum(crc, self.section.crc())
    }

    /// The header of the block.
    pub fn header(&self) -> &BlockHeader {
        &self.header
    }

    /// The packed movetext.
    pub fn packed(&self) -> &[u8] {
        let packed = self.section.payload().get(self.header_bytes..);
        packed.unwrap_or_default()
    }
}

/// A block that was read and checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    pub(super) tags: Vec<u8>,
    pub(super) movetext: BlockMovetext,
}

impl Block {
    /// The header of the block.
    pub fn header(&self) -> &BlockHeader {
        &self.movetext.header
    }

    /// The packed bytes.
    pub fn packed(&self) -> PackedBlock<'_> {
        PackedBlock {
            tags: &self.tags,
            movetext: self.movetext.packed(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::section;
    use super::*;

    const HEADER: BlockHeader = BlockHeader {
        segment: SegmentId(*b"IDENTITY"),
        first_game: 1,
        raw_offset: 0x105,
        shape: BlockCounts {
            games: 2,
            records: 3,
            raw_bytes: 4,
        },
        tags: TagsPlace {
            offset: 6,
            bytes: 7,
            crc: 8,
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
            1,    // first game
            0x85, 0x02, // raw offset
            6,    // offset of the tags
            2,    // games
            1,    // other records
            4,    // raw bytes
            7,    // size of the tags
            8, 0, 0, 0, // CRC-32 of the tags
        ];
        assert_eq!(HEADER.encode(), expected);
        let largest = BlockHeader {
            first_game: u32::MAX,
            raw_offset: u64::MAX,
            shape: BlockCounts {
                games: u32::MAX / 2,
                records: u32::MAX,
                raw_bytes: u32::MAX,
            },
            tags: TagsPlace {
                offset: u32::MAX,
                bytes: u32::MAX,
                crc: u32::MAX,
            },
            ..HEADER
        };
        assert_eq!(largest.encode().len() as u64, MAX_HEADER_BYTES);
    }

    #[test]
    fn blocks_round_trip() {
        let block = BlockMovetext::check(bytes(), PLACE).unwrap();
        assert_eq!(block.header, HEADER);
        assert_eq!(block.packed(), b"packed");
        assert!(
            block
                .check_header(&HEADER, block.section.crc(), PLACE)
                .is_ok()
        );
    }

    #[test]
    fn any_disagreement_is_refused() {
        let block = BlockMovetext::check(bytes(), PLACE).unwrap();
        let crc = block.section.crc();
        let mut others = [HEADER; 9];
        others[0].segment.0[7] ^= 1;
        others[1].first_game += 1;
        others[2].raw_offset += 1;
        others[3].shape.games += 1;
        others[4].shape.records += 1;
        others[5].shape.raw_bytes += 1;
        others[6].tags.offset += 1;
        others[7].tags.bytes += 1;
        others[8].tags.crc += 1;
        for other in others {
            assert!(block.check_header(&other, crc, PLACE).is_err(), "{other:?}");
        }
        assert!(block.check_header(&HEADER, crc ^ 1, PLACE).is_err());
    }

    #[test]
    fn a_payload_without_a_header_is_refused() {
        let header = HEADER.encode();
        for len in 0..header.len() {
            let short = section::encode(TYPE, &header[..len]);
            assert!(BlockMovetext::check(short, PLACE).is_err());
        }
    }
}
