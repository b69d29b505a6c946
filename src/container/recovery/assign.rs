//! Assigning chains to segments: in the order of the directory if there is one,
//! otherwise in file order.

use super::super::directory::{Directory, SegmentEntry};
use super::super::segment_end::{BlockIndex, SectionEntry};
use super::super::segment_id::SegmentId;
use super::newest::{NewestState, stated_place};
use super::walk::{Chain, IntactBlock, ScanResult};
use super::{FoundSection, FoundSegment};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ops::Range;

/// The segments of a file.
pub(super) fn assign_segments(
    file_bytes: u64,
    newest: &NewestState,
    mut finds: ScanResult,
) -> Vec<FoundSegment> {
    finds.chains.sort_by_key(Chain::first_offset);
    let aligner = SegmentAssigner {
        file_bytes,
        spare: block_pool(&finds.chains),
        ends: ends(&finds.chains),
        finds: &finds,
    };
    match &newest.directory {
        Some(directory) => aligner.by_directory(directory, newest),
        None => aligner.by_file_order(),
    }
}

/// The indexes of intact segment ends, by the ID and the CRC-32 that the directory
/// stores.
type Ends<'f> = BTreeMap<(SegmentId, u32), &'f BlockIndex>;

/// The identity of a block: its segment, its offset in the segment's text, and its
/// CRC-32.
type BlockKey = (SegmentId, u64, u32);

fn key(block: &IntactBlock) -> BlockKey {
    (block.header.segment, block.header.raw_offset, block.crc)
}

/// All intact blocks by identity. Copies of a segment can supply each other's blocks if
/// an index proves that they have the same block.
type BlockPool = BTreeMap<BlockKey, IntactBlock>;

fn block_pool(chains: &[Chain]) -> BlockPool {
    let blocks = chains.iter().flat_map(|chain| &chain.blocks);
    blocks.map(|block| (key(block), *block)).collect()
}

fn ends(chains: &[Chain]) -> Ends<'_> {
    let ends = chains.iter().filter_map(|chain| chain.end.as_ref());
    ends.map(|end| ((end.index.id(), end.crc), &end.index))
        .collect()
}

struct SegmentAssigner<'f> {
    file_bytes: u64,
    finds: &'f ScanResult,
    spare: BlockPool,
    ends: Ends<'f>,
}

impl SegmentAssigner<'_> {
    /// The segments that the directory lists, then those that it does not list.
    fn by_directory(&self, directory: &Directory, newest: &NewestState) -> Vec<FoundSegment> {
        let entries = directory.segments();
        let places: Vec<Range<u64>> = entries.iter().map(|entry| newest.place_of(entry)).collect();
        let mut unassigned: BTreeMap<SegmentId, VecDeque<&Chain>> = BTreeMap::new();
        let mut own: Vec<Vec<&Chain>> = entries.iter().map(|_| Vec::new()).collect();
        for chain in &self.finds.chains {
            let first = chain.first_offset();
            let next = places.partition_point(|place| place.start <= first);
            let number = next.checked_sub(1).filter(|number| {
                let entry = entries.get(*number);
                let place = places.get(*number);
                entry.is_some_and(|entry| entry.id == chain.id)
                    && place.is_some_and(|place| place.contains(&first))
            });
            match number.and_then(|number| own.get_mut(number)) {
                Some(own) => own.push(chain),
                // Bytes may have been lost or added before it, or no directory lists
                // it.
                None => unassigned.entry(chain.id).or_default().push_back(chain),
            }
        }
        let listed = entries.iter().zip(&mut own);
        let mut segments: Vec<FoundSegment> = listed
            .map(|(entry, own)| {
                if let Some(left) = unassigned.get_mut(&entry.id) {
                    add_moved(own, left, entry);
                }
                self.listed_segment(entry, newest, own)
            })
            .collect();
        // Chains that the directory does not list are also returned, except duplicates.
        let assigned = AssignedContent::of_segments(&segments);
        let left = unassigned.into_values().flatten();
        let left = left.filter(|chain| !assigned.contains(chain));
        let mut unlisted: Vec<FoundSegment> = left
            .map(|chain| self.segment_of_chain(chain, true))
            .collect();
        // A chain at a listed offset may contain blocks of other segments with the same
        // tables, and so with the same ID.
        let mixed_chains = own.into_iter().flatten();
        let strange = mixed_chains.filter_map(|chain| assigned.without_assigned(chain));
        unlisted.extend(strange.map(|chain| self.segment_of_chain(&chain, true)));
        unlisted.sort_by_key(|segment| segment.span.start);
        segments.extend(unlisted);
        segments
    }

    fn listed_segment(
        &self,
        entry: &SegmentEntry,
        newest: &NewestState,
        chains: &[&Chain],
    ) -> FoundSegment {
        let mut ends = chains.iter().filter_map(|chain| chain.end.as_ref());
        let own = ends.find(|end| end.crc == entry.end_crc);
        let own = own.map(|end| &end.index);
        let index = own.or_else(|| self.index_of_copy(entry, newest));
        let blocks = match index {
            Some(index) => self.indexed(index),
            None => in_order(chains, entry),
        };
        FoundSegment {
            id: entry.id,
            entry: Some(entry.clone()),
            raw_bytes: Some(entry.raw_bytes),
            games: Some(entry.games.into()),
            blocks,
            sections: index.map(|index| self.sections(index)),
            tables: self.finds.tables.get(&entry.id).copied(),
            is_unlisted: false,
            span: newest.place_of(entry),
        }
    }

    /// The index of a copy of a listed segment, which is identical. It is not used for
    /// an entry outside the file, because many such entries would multiply the output.
    fn index_of_copy(&self, entry: &SegmentEntry, newest: &NewestState) -> Option<&BlockIndex> {
        let index = *self.ends.get(&(entry.id, entry.end_crc))?;
        let is_inside = newest.place_of(entry).end <= self.file_bytes;
        (is_inside && index.end_bytes() == entry.end_bytes).then_some(index)
    }

    /// The chains in file order, without duplicates.
    fn by_file_order(&self) -> Vec<FoundSegment> {
        let chains = &self.finds.chains;
        let is_copy = copies(chains);
        let copies = chains.iter().zip(&is_copy).filter(|(_, is_copy)| **is_copy);
        let copies: Vec<FoundSegment> = copies
            .map(|(chain, _)| self.segment_of_chain(chain, false))
            .collect();
        let assigned_copies = AssignedContent::of_segments(&copies);
        let chains = chains.iter().zip(is_copy);
        let new = chains.filter(|(chain, is_copy)| *is_copy || !assigned_copies.contains(chain));
        new.map(|(chain, _)| self.segment_of_chain(chain, false))
            .collect()
    }

    fn segment_of_chain(&self, chain: &Chain, is_unlisted: bool) -> FoundSegment {
        let index = chain.end.as_ref().map(|end| &end.index);
        let tables = self.finds.tables.get(&chain.id).copied();
        FoundSegment {
            id: chain.id,
            entry: None,
            raw_bytes: index.map(BlockIndex::raw_bytes),
            games: index.map(|index| index.games().into()),
            // An end without blocks takes no blocks from other copies, because many
            // such ends would multiply the output.
            blocks: match index.filter(|_| !chain.blocks.is_empty()) {
                Some(index) => self.indexed(index),
                None => chain.blocks.clone(),
            },
            sections: index.map(|index| self.sections(index)),
            tables: tables.filter(|_| chain.start.is_some() || !chain.blocks.is_empty()),
            is_unlisted,
            span: chain.span(),
        }
    }

    /// The blocks of an index that are intact in any copy.
    fn indexed(&self, index: &BlockIndex) -> Vec<IntactBlock> {
        let entries = index.blocks().iter();
        let found = entries.filter_map(|entry| {
            let block = self.spare.get(&(index.id(), entry.raw_offset, entry.crc))?;
            block.matches(entry).then_some(*block)
        });
        found.collect()
    }

    /// The other sections of an index, each with the offset of an intact one.
    fn sections(&self, index: &BlockIndex) -> Vec<FoundSection> {
        let found = index.sections().iter().map(|entry| {
            let SectionEntry {
                section_type,
                flags,
                payload_bytes,
                crc,
                ..
            } = *entry;
            let key = (section_type, flags, payload_bytes, crc);
            FoundSection {
                entry: *entry,
                offset: self.finds.other_sections.get(&key).copied(),
            }
        });
        found.collect()
    }
}

/// Adds to the chains of a listed segment those that are not where it is expected,
/// because bytes were lost or added in it or before it.
fn add_moved<'c>(own: &mut Vec<&'c Chain>, left: &mut VecDeque<&'c Chain>, entry: &SegmentEntry) {
    if own.iter().all(|chain| chain.end.is_none()) {
        let place = stated_place(entry);
        let is_own = |chain: &&Chain| place.contains(&chain.first_offset());
        let (more, others) = std::mem::take(left)
            .into_iter()
            .partition::<VecDeque<_>, _>(is_own);
        own.extend(more);
        *left = others;
    }
    if own.iter().all(|chain| chain.blocks.is_empty()) {
        own.extend(left.pop_front());
    }
}

/// For each chain, whether it is a segment or a copy of one, as merging an archive with
/// itself creates them. Such a chain has blocks and an end. Either the end is the first
/// with its ID and CRC-32, or a block of the chain occurred earlier in the file.
fn copies(chains: &[Chain]) -> Vec<bool> {
    let mut ends = BTreeSet::new();
    let mut blocks = BTreeSet::new();
    let copies = chains.iter().map(|chain| {
        let count_before = blocks.len();
        blocks.extend(chain.blocks.iter().map(key));
        let has_repeated_block = blocks.len() < count_before + chain.blocks.len();
        let end = chain.end.as_ref().filter(|_| !chain.blocks.is_empty());
        end.is_some_and(|end| ends.insert((chain.id, end.crc)) || has_repeated_block)
    });
    copies.collect()
}

/// The IDs and the blocks of segments that were already assigned.
struct AssignedContent {
    segments: BTreeSet<SegmentId>,
    blocks: BTreeSet<BlockKey>,
}

impl AssignedContent {
    fn of_segments(segments: &[FoundSegment]) -> Self {
        let blocks = segments.iter().flat_map(|segment| &segment.blocks);
        AssignedContent {
            segments: segments.iter().map(|segment| segment.id).collect(),
            blocks: blocks.map(key).collect(),
        }
    }

    /// Whether a chain contains nothing new because it was written twice, for example
    /// with a disk sector.
    fn contains(&self, chain: &Chain) -> bool {
        let mut blocks = chain.blocks.iter();
        self.segments.contains(&chain.id) && blocks.all(|block| self.blocks.contains(&key(block)))
    }

    /// A chain of the blocks that no segment holds, if there are any.
    fn without_assigned(&self, chain: &Chain) -> Option<Chain> {
        let blocks = chain.blocks.iter().copied();
        let blocks = blocks.filter(|block| !self.blocks.contains(&key(block)));
        let blocks: Vec<IntactBlock> = blocks.collect();
        (!blocks.is_empty()).then(|| Chain {
            blocks,
            ..Chain::new(chain.id, None)
        })
    }
}

/// The blocks of chains in the order of their text, without those that cannot belong to
/// the same segment.
fn in_order(chains: &[&Chain], entry: &SegmentEntry) -> Vec<IntactBlock> {
    let blocks = chains.iter().flat_map(|chain| &chain.blocks);
    let mut blocks: Vec<IntactBlock> = blocks.copied().collect();
    blocks.sort_by_key(|block| block.header.raw_offset);
    let (mut raw_end, mut games_end) = (0, 0);
    blocks.retain(|block| {
        let follows = block.header.raw_offset >= raw_end
            && u64::from(block.header.first_game) >= games_end
            && block.raw_end() <= entry.raw_bytes
            && block.games_end() <= entry.games.into();
        if follows {
            (raw_end, games_end) = (block.raw_end(), block.games_end());
        }
        follows
    });
    blocks
}
