//! The head of the openings section.

use super::framed::{Records, checked};
use super::gaps::{add_gaps, gaps};
use super::line::PackedPly;
use super::tree::{NodeRow, OpeningTree, children_of, depths_of};
use crate::bits::{ByteReader, put_bytes, put_varint};
use crate::codec::error::CodecError;
use crate::codec::ints;
use crate::limits::Limits;
use std::ops::Range;

/// An upper bound of the memory per node while an index is read, in bytes.
const NODE_BYTES: u64 = 128;

/// An upper bound of the memory per game during a search, in bytes: its cached skeletons.
const GAME_BYTES: u64 = 64;

/// An upper bound of the memory per group besides its games and nodes, in bytes.
const GROUP_BYTES: u64 = 1024;

/// The head of an openings section.
#[derive(Debug, Clone)]
pub(super) struct OpeningsHead {
    pub(super) trunk: OpeningTree,
    /// The games outside the tree, in ascending order.
    pub(super) unindexed_games: Vec<u32>,
    /// The games with variations, in ascending order.
    pub(super) games_with_variations: Vec<u32>,
    /// The places of the games of each group in the order of the trunk.
    pub(super) groups: Vec<Range<usize>>,
    pub(super) records: Records,
}

/// Encodes the head for a segment with `games` games. `record_sizes` has the size of the record of
/// each group in bytes.
pub(super) fn write_head(
    games: u32,
    trunk: &OpeningTree,
    [unindexed_games, games_with_variations]: [&[u32]; 2],
    group_sizes: &[u64],
    record_sizes: &[u64],
) -> Vec<u8> {
    let nodes: Vec<_> = (0..trunk.len())
        .filter_map(|node| trunk.node(node))
        .collect();
    let children = children_of(nodes.iter().map(|node| node.depth));
    let moves = nodes.iter().skip(1).map(|node| node.ply.to_columns());
    let (squares, promotions): (Vec<u64>, Vec<u64>) = moves.unzip();
    let ends = (1..=nodes.len()).map(|node| trunk.games_before(node));
    let exits = nodes.iter().zip(ends);
    let exits = exits.map(|(node, end)| (end - node.first_place) as u64);
    let mut out = Vec::new();
    put_varint(&mut out, games.into());
    put_varint(&mut out, squares.len() as u64);
    for column in [&children, &squares, &promotions, &exits.collect()] {
        put_bytes(&mut out, &ints::encode_smallest(column));
    }
    for set in [unindexed_games, games_with_variations] {
        put_varint(&mut out, set.len() as u64);
        put_bytes(
            &mut out,
            &ints::encode_smallest(&gaps(set).collect::<Vec<_>>()),
        );
    }
    put_varint(&mut out, group_sizes.len() as u64);
    for column in [group_sizes, record_sizes] {
        put_bytes(&mut out, &ints::encode_smallest(column));
    }
    out
}

impl OpeningsHead {
    /// Decodes the head, with its checksum, of a segment with `games` games.
    ///
    /// # Errors
    /// It is damaged or belongs to another segment, or a limit is exceeded.
    pub(super) fn parse(
        head: &[u8],
        games: u32,
        limits: &Limits,
    ) -> Result<OpeningsHead, CodecError> {
        const OTHER_GAMES: CodecError = CodecError::Damaged("an index of another number of games");
        let head = checked(head)?;
        let mut reader = ByteReader::new(head);
        if reader.varint()? != u64::from(games) {
            return Err(OTHER_GAMES);
        }
        if u64::from(games).saturating_mul(GAME_BYTES) > limits.index_bytes {
            return Err(CodecError::Limit("games of an index"));
        }
        let trunk = read_trunk(&mut reader, limits)?;
        let mut set = || -> Result<Vec<u32>, CodecError> {
            let size = reader.length()?;
            if size as u64 > u64::from(games) {
                return Err(OTHER_GAMES);
            }
            let gaps = ints::decode(reader.bytes()?, size, limits)?;
            let mut set = Vec::with_capacity(size);
            add_gaps(gaps, games, &mut set).ok_or(OTHER_GAMES)?;
            Ok(set)
        };
        let [unindexed_games, games_with_variations] = [set()?, set()?];
        let in_tree = u64::from(games) - unindexed_games.len() as u64;
        if in_tree != trunk.places() as u64 {
            return Err(OTHER_GAMES);
        }
        let count = reader.length()?;
        if count as u64 > in_tree {
            return Err(CodecError::Damaged("more groups than games"));
        }
        if (count as u64).saturating_mul(GROUP_BYTES) > limits.index_bytes {
            return Err(CodecError::Limit("groups of an index"));
        }
        let group_sizes = ints::decode(reader.bytes()?, count, limits)?;
        let record_sizes = ints::decode(reader.bytes()?, count, limits)?;
        reader.finish()?;
        Ok(OpeningsHead {
            groups: places_of_groups(&trunk, &group_sizes, limits)?,
            trunk,
            unindexed_games,
            games_with_variations,
            records: Records::new(head, record_sizes),
        })
    }
}

fn read_trunk(reader: &mut ByteReader<'_>, limits: &Limits) -> Result<OpeningTree, CodecError> {
    let count = reader.length()?;
    if (count as u64).saturating_mul(NODE_BYTES) > limits.index_bytes {
        return Err(CodecError::Limit("nodes of an index"));
    }
    let children = ints::decode(reader.bytes()?, count.saturating_add(1), limits)?;
    let plies = PackedPly::read_all(reader, count, limits)?;
    let exits = ints::decode(reader.bytes()?, count.saturating_add(1), limits)?;
    let plies = std::iter::once(PackedPly::default()).chain(plies);
    let rows = depths_of(&children)?.into_iter().zip(plies).zip(exits);
    Ok(OpeningTree::new(rows.map(|((depth, ply), exits)| {
        NodeRow {
            depth,
            ply,
            exits: usize::try_from(exits).unwrap_or(usize::MAX),
        }
    })))
}

/// The places of each group from their sizes. The nodes of all groups must be within the limit.
fn places_of_groups(
    trunk: &OpeningTree,
    sizes: &[u64],
    limits: &Limits,
) -> Result<Vec<Range<usize>>, CodecError> {
    const OTHER_GAMES: CodecError = CodecError::Damaged("groups of another number of games");
    let (mut end, mut nodes) = (0usize, 0u64);
    let mut groups = Vec::with_capacity(sizes.len());
    for size in sizes {
        let size = usize::try_from(*size).ok().filter(|size| *size > 0);
        let start = end;
        end = size
            .and_then(|size| start.checked_add(size))
            .ok_or(OTHER_GAMES)?;
        if end > trunk.places() {
            return Err(OTHER_GAMES);
        }
        let (first, last) = (trunk.node_of(start), trunk.node_of(end - 1));
        let path = trunk.node(first).map_or(0, |node| node.depth);
        nodes = nodes.saturating_add((path + last - first + 1) as u64);
        groups.push(start..end);
    }
    if nodes.saturating_mul(NODE_BYTES) > limits.index_bytes {
        return Err(CodecError::Limit("nodes of an index"));
    }
    match end == trunk.places() {
        true => Ok(groups),
        false => Err(OTHER_GAMES),
    }
}
