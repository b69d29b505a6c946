//! Chains as segments: in the order of the directory if there is one, else in that
//! of the file.

use super::super::directory::{Directory, SegmentEntry};
use super::super::read_at::{Input, ReadAt};
use super::super::rebuild::rebuild;
use super::super::segment_end::BlockIndex;
use super::super::tables::SegmentId;
use super::FoundSegment;
use super::newest::Newest;
use super::walk::{Chain, Finds, WholeBlock};
use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;

/// The segments of a file.
pub(super) fn align<S: ReadAt>(
    input: &Input<S>,
    newest: &Newest,
    mut finds: Finds,
) -> Vec<FoundSegment> {
    finds.chains.sort_by_key(Chain::first_offset);
    let aligner = Aligner {
        input,
        spare: spare(&finds.chains),
        finds: &finds,
    };
    match &newest.directory {
        Some(directory) => aligner.by_directory(directory, newest),
        None => aligner.by_place(),
    }
}

/// Every whole block by what it is. Copies of a segment may stand in for each other,
/// where an index proves that they have the same block.
type Spare = BTreeMap<(SegmentId, u64, u32), WholeBlock>;

fn spare(chains: &[Chain]) -> Spare {
    let blocks = chains.iter().flat_map(|chain| &chain.blocks);
    blocks
        .map(|block| (block.header, block))
        .map(|(header, block)| ((header.segment, header.raw_offset, block.crc), *block))
        .collect()
}

struct Aligner<'f, S> {
    input: &'f Input<S>,
    finds: &'f Finds,
    spare: Spare,
}

impl<S: ReadAt> Aligner<'_, S> {
    /// The segments that the directory lists, then those that it does not.
    fn by_directory(&self, directory: &Directory, newest: &Newest) -> Vec<FoundSegment> {
        let entries = directory.segments();
        let places: Vec<Range<u64>> = entries
            .iter()
            .map(|entry| place_of(entry, newest.moved_by.unwrap_or(0)))
            .collect();
        let mut left: BTreeMap<SegmentId, VecDeque<&Chain>> = BTreeMap::new();
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
                // Perhaps bytes were lost or added before it, or no directory lists it.
                None => left.entry(chain.id).or_default().push_back(chain),
            }
        }
        let mut taken = Taken::default();
        let listed = entries.iter().zip(&places).zip(own);
        let mut segments: Vec<FoundSegment> = listed
            .map(|((entry, place), mut own)| {
                if own.iter().all(|chain| chain.blocks.is_empty()) {
                    let moved = left.get_mut(&entry.id).and_then(VecDeque::pop_front);
                    own.extend(moved);
                }
                let stated = newest.moved_by.map(|_| place);
                taken.add(span_of(entry, &own).or(stated.cloned()));
                self.listed(entry, place, &own)
            })
            .collect();
        // What no directory lists is kept, unless it is what a segment holds.
        let taken = taken.settled();
        let mut unlisted: Vec<&Chain> = left.into_values().flatten().collect();
        unlisted.retain(|chain| {
            let first = chain.first_offset();
            first >= newest.end || !taken.has(first)
        });
        unlisted.sort_by_key(|chain| chain.first_offset());
        let found = unlisted.into_iter().map(|chain| self.found(chain, true));
        segments.extend(found);
        segments
    }

    fn listed(&self, entry: &SegmentEntry, place: &Range<u64>, chains: &[&Chain]) -> FoundSegment {
        let is_its = |index: &&BlockIndex| {
            index.raw_bytes() == entry.raw_bytes
                && index.games() == entry.games
                && index.records() == entry.records
        };
        let mut ends = chains.iter().filter_map(|chain| chain.end.as_ref());
        let index = ends.find_map(|(index, _)| Some(index).filter(is_its));
        let rebuilt = match index {
            Some(_) => None,
            None => rebuild(self.input, entry).ok(),
        };
        let blocks = match index.or(rebuilt.as_ref()) {
            Some(index) => self.indexed(index),
            None => in_order(chains, entry),
        };
        FoundSegment {
            id: entry.id,
            entry: Some(entry.clone()),
            raw_bytes: Some(entry.raw_bytes),
            games: Some(entry.games.into()),
            blocks,
            tables: self.finds.tables.get(&entry.id).copied(),
            is_unlisted: false,
            span: place.clone(),
        }
    }

    /// The chains, but for those inside of a segment that is known from its start to
    /// its end: they are part of what a damaged block of it holds.
    fn by_place(&self) -> Vec<FoundSegment> {
        let mut segments = Vec::new();
        let mut known_up_to = 0;
        for chain in &self.finds.chains {
            if chain.last_offset() < known_up_to {
                continue;
            }
            if is_in_place(chain) {
                known_up_to = known_up_to.max(chain.last_offset());
            }
            segments.push(self.found(chain, false));
        }
        segments
    }

    fn found(&self, chain: &Chain, is_unlisted: bool) -> FoundSegment {
        let index = chain.end.as_ref().map(|(index, _)| index);
        let tables = self.finds.tables.get(&chain.id).copied();
        FoundSegment {
            id: chain.id,
            entry: None,
            raw_bytes: index.map(BlockIndex::raw_bytes),
            games: index.map(|index| index.games().into()),
            // An end alone takes nothing from other copies: many of them would multiply
            // what there is.
            blocks: match index.filter(|_| !chain.blocks.is_empty()) {
                Some(index) => self.indexed(index),
                None => chain.blocks.clone(),
            },
            tables: tables.filter(|_| chain.start.is_some() || !chain.blocks.is_empty()),
            is_unlisted,
            span: chain.first_offset()..chain.last_offset(),
        }
    }

    /// The blocks of an index that are whole somewhere.
    fn indexed(&self, index: &BlockIndex) -> Vec<WholeBlock> {
        let entries = index.blocks().iter();
        let found = entries.filter_map(|entry| {
            let block = self.spare.get(&(index.id(), entry.raw_offset, entry.crc))?;
            block.is(entry).then_some(*block)
        });
        found.collect()
    }
}

/// Where the directory says that a segment is, if all of the file was moved.
fn place_of(entry: &SegmentEntry, moved_by: i64) -> Range<u64> {
    let start = entry.offset.saturating_add_signed(moved_by);
    start..start.saturating_add(entry.bytes)
}

/// Where a segment is whose chains are these, if they tell.
fn span_of(entry: &SegmentEntry, chains: &[&Chain]) -> Option<Range<u64>> {
    let first = chains.first()?.first_offset();
    let last = chains.iter().map(|chain| chain.last_offset()).max()?;
    let start = chains.iter().find_map(|chain| chain.start);
    let end = start.map(|start| start.saturating_add(entry.bytes));
    Some(first..last.max(end.unwrap_or(last)))
}

/// Parts of the file that listed segments take.
#[derive(Default)]
struct Taken(Vec<Range<u64>>);

impl Taken {
    fn add(&mut self, range: Option<Range<u64>>) {
        self.0.extend(range);
    }

    /// In rising order, and none begins before the end of the one before it.
    fn settled(mut self) -> Taken {
        self.0.sort_by_key(|range| range.start);
        let mut apart: Vec<Range<u64>> = Vec::new();
        for range in self.0 {
            match apart.last_mut() {
                Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
                _ => apart.push(range),
            }
        }
        Taken(apart)
    }

    fn has(&self, offset: u64) -> bool {
        let next = self.0.partition_point(|range| range.start <= offset);
        let last = next.checked_sub(1).and_then(|last| self.0.get(last));
        last.is_some_and(|range| offset < range.end)
    }
}

/// Whether a chain's blocks stand where its end says.
fn is_in_place(chain: &Chain) -> bool {
    let (Some(start), Some((index, _))) = (chain.start, &chain.end) else {
        return false;
    };
    chain.blocks.iter().all(|block| {
        let entry = super::walk::entry_of(index, block);
        entry.is_some_and(|entry| start.checked_add(entry.offset) == Some(block.offset))
    })
}

/// The blocks of chains, as far as they can be those of one segment.
fn in_order(chains: &[&Chain], entry: &SegmentEntry) -> Vec<WholeBlock> {
    let blocks = chains.iter().flat_map(|chain| &chain.blocks);
    let mut blocks: Vec<WholeBlock> = blocks.copied().collect();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_may_overlap_and_hold_each_other() {
        let mut taken = Taken::default();
        for range in [30..40, 10..20, 15..18, 20..25] {
            taken.add(Some(range));
        }
        taken.add(None);
        let taken = taken.settled();
        let ends = [9, 10, 19, 24, 25, 29, 30, 39, 40].map(|offset| taken.has(offset));
        let expected = [false, true, true, true, false, false, true, true, false];
        assert_eq!(ends, expected);
    }
}
