//! Proposing predictors, bases and contexts for a field, measured on the sample.

use super::super::block_cells::{BlockCells, FieldCells};
use super::super::cell::FieldValue;
use super::super::field::{Field, cell_of_key, value_key};
use super::super::plan::{CodingContext, ColumnSource, NumberBase, ValuePredictor};
use super::super::shape::TextShape;
use super::ColumnValue;
use super::candidates::{TriedPredictor, cell_places, sources, with_most_hits};
use super::texts::cells;
use super::trial::PlanTrial;
use crate::parallel;
use std::collections::{BTreeMap, BTreeSet};

impl<'a, F> PlanTrial<'_, '_, 'a, F>
where
    F: Fn(usize, usize) -> ColumnValue<'a> + Sync,
{
    /// The predictors to try, each with its map if it is a map: the previous
    /// value, the commonest value, and of the others those that are right most
    /// often.
    pub(super) fn predictors(&self, field: &Field) -> Vec<TriedPredictor> {
        let mut maps = Vec::new();
        let mut keys = Vec::new();
        for (number, other) in self.search.referable() {
            if other.sides() <= field.sides() {
                keys.push(number);
            }
            if !self.search.texts.is_numbers && other.ranks.id(0).is_some() {
                maps.extend(sources(number, other.sides(), field.sides()));
            }
        }
        let mut tried = vec![(ValuePredictor::Previous, Vec::new())];
        if let Some((value, _)) = self.commonest(field) {
            tried.push((ValuePredictor::Constant(value), Vec::new()));
        }
        let by_hits = parallel::map(keys, |key| (self.count_hits(key), key));
        tried.extend(with_most_hits(by_hits).map(|key| (ValuePredictor::Last(key), Vec::new())));
        let by_hits = parallel::map(maps, |source| (self.map_hits(source), source));
        for source in with_most_hits(by_hits).take(2) {
            tried.push((ValuePredictor::Map(source), self.map(field, source)));
        }
        tried
    }

    /// The number of values of the sample that the last value with the same value of the key
    /// predicts and the previous value does not.
    fn count_hits(&self, key: usize) -> usize {
        let count = |(values, block_cells): (&FieldCells, &BlockCells<'_>)| {
            let mut hits = 0;
            for side in 0..2 {
                let mut before = FieldValue::Absent;
                for record in 0..values.len() {
                    let cell = values.cell(side, record);
                    let predicted = self.last(key, values, block_cells, side, record);
                    if cell != FieldValue::Absent {
                        hits += usize::from(cell != before && cell == predicted);
                        before = cell;
                    }
                }
            }
            hits
        };
        self.values
            .iter()
            .zip(self.search.block_cells)
            .map(count)
            .sum()
    }

    fn last(
        &self,
        field: usize,
        values: &FieldCells,
        block_cells: &BlockCells<'_>,
        side: usize,
        record: usize,
    ) -> FieldValue {
        let of_key = self.search.fields.get(field).map_or(1, Field::sides);
        let link = block_cells
            .field(field)
            .map(|key| key.link(side.min(of_key - 1), record));
        match link.and_then(|link| link.place()) {
            Some((at, of)) => values.cell(if of_key == 2 { of } else { side }, at),
            None => FieldValue::Absent,
        }
    }

    /// The number of values of the sample that a map of the source would predict,
    /// less one for each entry of the map.
    fn map_hits(&self, source: ColumnSource) -> usize {
        let mut counts: BTreeMap<u64, BTreeMap<u64, usize>> = BTreeMap::new();
        for (values, block_cells) in self.values.iter().zip(self.search.block_cells) {
            for (side, record) in cell_places(values) {
                let key = value_key(block_cells.cell(source, side, record));
                if let (Some(key), Some(value)) = (key, value_key(values.cell(side, record))) {
                    *counts.entry(key).or_default().entry(value).or_default() += 1;
                }
            }
        }
        let most = counts.values().filter_map(|values| values.values().max());
        most.map(|most| most - 1).sum()
    }

    /// The map of a source: for each of its values, the value that accompanies it
    /// in the most blocks of the segment, if these are at least two.
    fn map(&self, field: &Field, source: ColumnSource) -> Vec<(u64, FieldValue)> {
        let others = self.search.fields.iter().zip(self.search.learned);
        let Some((other, learned)) = others.into_iter().nth(source.field) else {
            return Vec::new();
        };
        let input = self.search.input;
        let places = other.columns.iter().filter_map(|number| {
            input
                .columns
                .iter()
                .position(|column| column.number == *number)
        });
        let places: Vec<usize> = places.collect();
        let mut counts: BTreeMap<u64, BTreeMap<u64, usize>> = BTreeMap::new();
        for range in input.blocks {
            let keys = cells(input, &places, other, &learned.ids, range.clone());
            let mut block_cells = BlockCells::new();
            block_cells.set(source.field, &keys);
            let own = &self.search.texts.columns;
            let values = cells(input, own, field, self.ids, range.clone());
            // A pair counts once per block: other predictors predict the later
            // ones from the first.
            let mut seen = BTreeSet::new();
            for (side, record) in cell_places(&values) {
                let key = value_key(block_cells.cell(source, side, record));
                if let (Some(key), Some(value)) = (key, value_key(values.cell(side, record)))
                    && seen.insert((key, value))
                {
                    *counts.entry(key).or_default().entry(value).or_default() += 1;
                }
            }
        }
        let entry = |(key, values): (u64, BTreeMap<u64, usize>)| {
            let (value, count) = values.into_iter().max_by_key(|(_, count)| *count)?;
            let is_known = count > 1 && value_key(cell_of_key(key)).is_some();
            is_known.then_some((key, cell_of_key(value)))
        };
        counts.into_iter().filter_map(entry).collect()
    }

    pub(super) fn bases(&self) -> Vec<NumberBase> {
        let mut bases = vec![NumberBase::Previous];
        let sides = self.search.texts.columns.len();
        for (number, other) in self.search.referable() {
            if other.plan.shape == TextShape::Text {
                if other.sides() <= sides {
                    bases.push(NumberBase::Last(number));
                }
            } else {
                let sources = sources(number, other.sides(), sides);
                bases.extend(sources.into_iter().map(NumberBase::Of));
            }
        }
        bases
    }

    pub(super) fn contexts(&self) -> Vec<CodingContext> {
        let sides = self.search.texts.columns.len();
        let mut contexts = Vec::new();
        for (number, other) in self.search.referable() {
            let sources = sources(number, other.sides(), sides);
            contexts.extend(sources.into_iter().map(CodingContext::Of));
            if other.sides() == 2 && other.plan.shape != TextShape::Text {
                contexts.push(CodingContext::Difference(number));
            }
        }
        contexts
    }
}
