//! Repair of damaged tables by their parity chunks. The few possible offsets and
//! lengths of the tables are tried. The segment ID stored in the blocks verifies the
//! result.

use super::super::error::{FilePart, FilePlace};
use super::super::read_at::{ReadAt, SectionInput};
use super::super::section::HEAD_BYTES;
use super::super::segment_id::SegmentId;
use super::super::tables;
use super::read_budget;
use super::walk::{Chain, ScanResult, TablesLocation};
use std::collections::{BTreeMap, BTreeSet};

/// The maximum number of offsets from the directory that are tried per segment.
const MAX_HINTS: usize = 4;

/// The possible offsets of segments according to the directory.
pub(super) type Hints = BTreeMap<SegmentId, Vec<u64>>;

/// Repairs the tables of all chains whose tables are missing.
pub(super) fn repair_tables<S: ReadAt>(
    input: &SectionInput<S>,
    finds: &mut ScanResult,
    hints: &Hints,
) {
    let mut mender = TableRepairer {
        input,
        budget: read_budget(input),
        tried: BTreeSet::new(),
    };
    for number in 0..finds.chains.len() {
        let Some(chain) = finds.chains.get(number) else {
            return;
        };
        let id = chain.id;
        if finds.tables.contains_key(&id) {
            continue;
        }
        let starts = hints.get(&id).map_or(&[][..], Vec::as_slice);
        let starts = starts.get(..MAX_HINTS).unwrap_or(starts);
        for at in mender.attempts(chain, finds, starts) {
            if let Some(found) = mender.identify_tables(&at) {
                finds.tables.entry(found).or_insert(at);
            }
            if finds.tables.contains_key(&id) {
                break;
            }
        }
    }
}

struct TableRepairer<'i, S> {
    input: &'i SectionInput<S>,
    /// The number of bytes that may still be read.
    budget: u64,
    /// The attempts so far: offset and length of the list.
    tried: BTreeSet<(u64, u64)>,
}

impl<S: ReadAt> TableRepairer<'_, S> {
    /// The possible locations of the tables of a chain, the most likely first.
    fn attempts(&self, chain: &Chain, finds: &ScanResult, starts: &[u64]) -> Vec<TablesLocation> {
        let mut out = Vec::new();
        let mut add = |offset: u64, list_bytes: Option<u64>| {
            out.extend(list_bytes.map(|list_bytes| TablesLocation { offset, list_bytes }));
        };
        if let (Some(start), Some(end)) = (chain.start, &chain.end) {
            add(start, Some(end.index.tables_bytes()));
        }
        // The tables end where the tags of the first blocks begin.
        let tables_limit = chain.blocks.first().map(|block| {
            let mut borders = finds.possible_starts.iter();
            let border = borders.rfind(|border| **border <= block.offset);
            let group = block.group_offset();
            // The tags may have been found in another copy of the segment.
            match border.is_some_and(|border| (*border..=block.offset).contains(&group)) {
                true => group,
                false => block.offset,
            }
        });
        let end = tables_limit.unwrap_or_else(|| chain.last_offset());
        let marks = &finds.damaged_tables;
        let mark = marks.partition_point(|mark| mark.offset < end);
        let mark = mark.checked_sub(1).and_then(|mark| marks.get(mark));
        let border = finds
            .possible_starts
            .partition_point(|border| *border < end);
        let border = border.checked_sub(1);
        let border = border
            .and_then(|border| finds.possible_starts.get(border))
            .copied();
        let first = chain.blocks.first();
        if first.is_some_and(|first| first.header.raw_offset == 0) {
            let known = mark.map(|mark| mark.offset).into_iter();
            for start in known.chain(border).chain(starts.iter().copied()) {
                add(start, end.checked_sub(start).and_then(tables::list_bytes));
            }
        }
        if let Some(mark) = mark {
            add(mark.offset, tables::list_bytes(mark.section_bytes()));
            add(mark.offset, self.stated(mark.offset));
        }
        for start in border.into_iter().chain(starts.iter().copied()) {
            add(start, self.stated(start));
        }
        out
    }

    /// The length that the tables section itself states.
    fn stated(&self, offset: u64) -> Option<u64> {
        let place = FilePlace::new(FilePart::Tables, offset);
        let head = self.input.read(place, HEAD_BYTES + 8).ok()?;
        tables::stated_list_bytes(&head, place).ok()
    }

    /// Repairs the tables at a location if necessary, and returns the ID of their
    /// segment.
    fn identify_tables(&mut self, at: &TablesLocation) -> Option<SegmentId> {
        let bytes = tables::section_bytes(at.list_bytes)?;
        let is_in_file = at.offset.checked_add(bytes)? <= self.input.size();
        let is_small = at.list_bytes <= self.input.limits().tables_bytes;
        let is_new = self.tried.insert((at.offset, at.list_bytes));
        if !is_in_file || !is_small || !is_new {
            return None;
        }
        self.budget = self.budget.checked_sub(bytes)?;
        let place = FilePlace::new(FilePart::Tables, at.offset);
        let read = self.input.read(place, bytes).ok()?;
        tables::identify(&read, at.list_bytes, place).ok()
    }
}
