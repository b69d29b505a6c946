//! The input of the search for the plan of a field, and its candidates.

use super::super::block_cells::BlockCells;
use super::super::field::Field;
use super::texts::FieldTexts;
use super::{LearnedTables, SegmentColumn, SegmentColumns};
use std::ops::Range;

/// The state of the search for the plan of a field.
pub(super) struct FieldSearch<'s, 'a, F> {
    pub(super) input: &'s SegmentColumns<'s, F>,
    pub(super) sample: &'s [Range<usize>],
    pub(super) texts: &'s FieldTexts<'a>,
    pub(super) fields: &'s [Field],
    pub(super) learned: &'s [LearnedTables<'a>],
    pub(super) block_cells: &'s [BlockCells<'s>],
}

/// A plan and its cost.
#[derive(Clone)]
pub(super) struct PlanCandidate {
    pub(super) field: Field,
    /// The size of the sample and its share of the tables, in 1/1024 bit.
    pub(super) cost: u64,
}

impl<F> FieldSearch<'_, '_, F> {
    /// The earlier fields to which the plan may refer, with their numbers.
    pub(super) fn referable(&self) -> impl Iterator<Item = (usize, &Field)> {
        let columns = &self.input.columns;
        let own = self.texts.columns.iter().filter_map(|at| columns.get(*at));
        let is_apart = own.into_iter().any(|column| column.is_apart);
        let fields = self.fields.iter().enumerate();
        fields.filter(move |(_, field)| {
            let is_of = |column: &&SegmentColumn| field.columns.contains(&column.number);
            !is_apart || columns.iter().filter(is_of).all(|column| column.is_apart)
        })
    }

    /// The sample's share of a cost that a segment has once.
    pub(super) fn sample_share(&self, cost: u64) -> u64 {
        let blocks = self.input.blocks.len().max(1) as u64;
        cost * self.sample.len() as u64 / blocks
    }
}
