//! A group of games that are near each other in the tree of openings: what searches read together.
//!
//! The *trunk* of the tree consists of the nodes that many games pass. A *twig* is a subtree outside of it,
//! whose parent belongs to it.

use super::gaps::{add_gaps, gaps};
use super::line::PackedPly;
use super::tree::{MAX_PLIES, NodeRow, OpeningTree, children_of, depths_of};
use crate::bits::{ByteReader, put_bytes, put_varint};
use crate::codec::error::CodecError;
use crate::codec::ints;
use crate::limits::Limits;
use std::ops::Range;

/// A node of a group.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct GroupRow {
    /// Whether it is a node of the trunk. Its twigs follow, up to the next such row.
    pub(super) is_trunk: bool,
    pub(super) depth: usize,
    pub(super) ply: PackedPly,
    /// The games of the group that leave there, in ascending order.
    pub(super) games: Vec<u32>,
}

/// The nodes of a group in preorder: those of the trunk from the first to the last of which it has
/// games, each with its twigs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct GroupRows(pub(super) Vec<GroupRow>);

/// The games of a group, and the part of the tree that they pass.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Group {
    /// The nodes of the group, and those of the trunk on the path to its first.
    pub(super) tree: OpeningTree,
    /// The games, counted from 0 in the segment, by node, then by number.
    pub(super) games: Vec<u32>,
}

impl GroupRows {
    /// The number of games.
    pub(super) fn games(&self) -> usize {
        self.0.iter().map(|row| row.games.len()).sum()
    }

    /// The group. `path` leads to its first node, without that node.
    pub(super) fn group(&self, path: &[NodeRow]) -> Group {
        let rows = self.0.iter().map(|row| NodeRow {
            depth: row.depth,
            ply: row.ply,
            exits: row.games.len(),
        });
        Group {
            tree: OpeningTree::new(path.iter().copied().chain(rows)),
            games: self.0.iter().flat_map(|row| &row.games).copied().collect(),
        }
    }

    /// Encodes the record of the group.
    pub(super) fn write(&self) -> Vec<u8> {
        let twigs: Vec<&GroupRow> = self.0.iter().filter(|row| !row.is_trunk).collect();
        let column = |value: fn(&GroupRow) -> u64| {
            ints::encode(&twigs.iter().map(|row| value(row)).collect::<Vec<_>>())
        };
        let exits: Vec<u64> = self.0.iter().map(|row| row.games.len() as u64).collect();
        let games: Vec<u64> = self.0.iter().flat_map(|row| gaps(&row.games)).collect();
        let mut out = Vec::new();
        put_varint(&mut out, twigs.len() as u64);
        put_bytes(&mut out, &ints::encode(&self.children()));
        put_bytes(&mut out, &column(|row| row.ply.to_columns().0));
        put_bytes(&mut out, &column(|row| row.ply.to_columns().1));
        put_bytes(&mut out, &ints::encode(&exits));
        put_bytes(&mut out, &ints::encode(&games));
        out
    }

    /// The number of children of each node that do not belong to the trunk.
    fn children(&self) -> Vec<u64> {
        let of_trunk = self.0.chunk_by(|_, next| !next.is_trunk);
        let children = of_trunk.flat_map(|rows| children_of(rows.iter().map(|row| row.depth)));
        children.collect()
    }
}

impl Group {
    /// Decodes the record of the group whose games have these places in the order of the trunk, in a
    /// segment with `games` games.
    ///
    /// # Errors
    /// The record is damaged.
    pub(super) fn parse(
        record: &[u8],
        trunk: &OpeningTree,
        places: Range<usize>,
        games: u32,
        limits: &Limits,
    ) -> Result<Group, CodecError> {
        let first = trunk.node_of(places.start);
        let last = trunk.node_of(places.end.saturating_sub(1)).max(first);
        let mut reader = ByteReader::new(record);
        let twig_nodes = reader.length()?;
        if twig_nodes > places.len() {
            return Err(CodecError::Damaged("more nodes of a group than games"));
        }
        let count = last - first + 1 + twig_nodes;
        let children = ints::decode(reader.bytes()?, count, limits)?;
        let plies = PackedPly::read_all(&mut reader, twig_nodes, limits)?;
        let exits = ints::decode(reader.bytes()?, count, limits)?;
        let gaps = ints::decode(reader.bytes()?, places.len(), limits)?;
        reader.finish()?;

        let mut rows = path_rows(trunk, first);
        let (mut children, mut exits, mut plies) =
            (children.as_slice(), exits.iter(), plies.iter());
        let (mut gaps, mut of_games) = (gaps.into_iter(), Vec::new());
        for node in (first..=last).filter_map(|node| trunk.node(node)) {
            // The nodes below it end where the numbers of children close their tree.
            let of_node = closed_tree(children);
            let (of_node, rest) = children
                .split_at_checked(of_node)
                .unwrap_or((children, &[]));
            children = rest;
            for (number, below) in depths_of(of_node)?.into_iter().enumerate() {
                let ply = match number {
                    0 => node.ply,
                    _ => *plies.next().ok_or(OTHER_NODES)?,
                };
                let exits = usize::try_from(*exits.next().ok_or(OTHER_NODES)?);
                let exits = exits.ok().filter(|exits| *exits <= gaps.len());
                let exits = exits.ok_or(OTHER_GAMES)?;
                let of_node = gaps.by_ref().take(exits);
                add_gaps(of_node, games, &mut of_games).ok_or(OTHER_GAMES)?;
                let depth = node.depth + below;
                if depth > MAX_PLIES {
                    return Err(OTHER_NODES);
                }
                rows.push(NodeRow { depth, ply, exits });
            }
        }
        if !children.is_empty() {
            return Err(OTHER_NODES);
        }
        if of_games.len() != places.len() {
            return Err(OTHER_GAMES);
        }
        Ok(Group {
            tree: OpeningTree::new(rows),
            games: of_games,
        })
    }
}

const OTHER_NODES: CodecError = CodecError::Damaged("a group of another number of nodes");
const OTHER_GAMES: CodecError = CodecError::Damaged("a group of another number of games");

/// The nodes of the trunk on the path to this one, without it and without games.
pub(super) fn path_rows(trunk: &OpeningTree, node: usize) -> Vec<NodeRow> {
    let above = trunk
        .path_to(node)
        .into_iter()
        .filter(|other| *other != node);
    let above = above.filter_map(|node| trunk.node(node));
    let rows = above.map(|node| NodeRow {
        depth: node.depth,
        ply: node.ply,
        exits: 0,
    });
    rows.collect()
}

/// The number of nodes of the first tree that these numbers of children close; all if none is closed.
fn closed_tree(children: &[u64]) -> usize {
    let mut missing = 1u64;
    for (number, count) in children.iter().enumerate() {
        missing = (missing - 1).saturating_add(*count);
        if missing == 0 {
            return number + 1;
        }
    }
    children.len()
}
