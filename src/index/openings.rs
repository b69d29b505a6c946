//! Encoding of the opening tree section.

use super::line::{IndexLine, PackedPly};
use super::tree::{OpeningTree, TreeColumns};
use crate::bits::{ByteReader, put_bytes, put_varint};
use crate::codec::error::CodecError;
use crate::codec::ints;
use crate::limits::Limits;

/// An upper bound of the memory per node while the section is decoded, in bytes.
const NODE_BYTES: u64 = 128;

/// An upper bound of the memory per game during a search, in bytes: its cached skeletons.
const GAME_BYTES: u64 = 64;

impl OpeningTree {
    /// Builds the tree of the main lines of all games of a segment, and encodes its
    /// section. `lines` has one entry per game: `None` for a game that the tree cannot
    /// hold.
    pub fn build(lines: &[Option<IndexLine>]) -> Result<(OpeningTree, Vec<u8>), CodecError> {
        let columns = TreeColumns::from_lines(lines);
        Ok((OpeningTree::from_columns(&columns)?, columns.write()))
    }

    /// Decodes the section of a segment with `games` games.
    ///
    /// # Errors
    /// The section is damaged or belongs to another segment, or a limit is exceeded.
    pub fn parse(payload: &[u8], games: u32, limits: &Limits) -> Result<OpeningTree, CodecError> {
        let columns = TreeColumns::read(payload, games, limits)?;
        OpeningTree::from_columns(&columns)
    }
}

impl TreeColumns {
    fn write(&self) -> Vec<u8> {
        let mut out = Vec::new();
        put_varint(&mut out, self.nodes.len() as u64);
        put_varint(&mut out, self.plies.len() as u64);
        let fields = self.plies.iter().map(|ply| ply.to_columns());
        let (squares, promotions): (Vec<u64>, Vec<u64>) = fields.unzip();
        for column in [
            &self.children,
            &squares,
            &promotions,
            &self.nodes,
            &self.variations,
        ] {
            put_bytes(&mut out, &ints::encode(column));
        }
        out
    }

    fn read(payload: &[u8], games: u32, limits: &Limits) -> Result<TreeColumns, CodecError> {
        let mut reader = ByteReader::new(payload);
        let game_count = reader.length()?;
        if game_count as u64 != u64::from(games) {
            return Err(CodecError::Damaged("an index of another number of games"));
        }
        if u64::from(games).saturating_mul(GAME_BYTES) > limits.index_bytes {
            return Err(CodecError::Limit("games of an index"));
        }
        let node_count = reader.length()?;
        if (node_count as u64).saturating_mul(NODE_BYTES) > limits.index_bytes {
            return Err(CodecError::Limit("nodes of an index"));
        }
        let mut column = |count| ints::decode(reader.bytes()?, count, limits);
        let children = column(node_count.saturating_add(1))?;
        let squares = column(node_count)?;
        let promotions = column(node_count)?;
        let nodes = column(game_count)?;
        let variations = column(game_count)?;
        reader.finish()?;
        let fields = squares.iter().zip(&promotions);
        let plies =
            fields.map(|(squares, promotion)| PackedPly::from_columns(*squares, *promotion));
        let plies = plies.collect::<Option<_>>();
        Ok(TreeColumns {
            children,
            plies: plies.ok_or(CodecError::Damaged("a move that is none"))?,
            nodes,
            variations,
        })
    }
}
