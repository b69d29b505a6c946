//! The plan of one field: the shape, predictors, bases and contexts under which
//! the sample takes the fewest bits.

use super::super::cell::Cell;
use super::super::coding::{Given, code};
use super::super::field::{Field, map_key};
use super::super::openings::Openings;
use super::super::plan::{Base, Context, MOST_BASES, MOST_PREDICTORS, Plan, Predictor, Source};
use super::super::ranks::Ranks;
use super::super::shape::Shape;
use super::super::sheet::{Sheet, Sides};
use super::super::sketch::Sketch;
use super::candidates::{add_base, add_predictor, most, pairs, set_context, sources};
use super::shapes::shapes;
use super::texts::{Text, Texts, cells, dictionary_cost, entries};
use super::{Columns, Ids, Learned, Value};
use crate::codec::dictionary;
use crate::codec::forecast::Forecast;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::ops::Range;

/// All that is known when the plan of a field is sought.
pub(super) struct Search<'s, 'a, F> {
    pub(super) input: &'s Columns<'s, F>,
    pub(super) sample: &'s [Range<usize>],
    pub(super) texts: &'s Texts<'a>,
    pub(super) fields: &'s [Field],
    pub(super) learned: &'s [Learned<'a>],
    pub(super) sheets: &'s [Sheet<'s>],
}

/// A plan and what the sample takes under it.
#[derive(Clone)]
pub(super) struct Found {
    pub(super) field: Field,
    /// Bits of the sample and its share of the tables, in 1/1024.
    pub(super) cost: u64,
}

/// A candidate must save one part in this many of the cost, and some bits.
const LEAST_SHARE: u64 = 200;
const LEAST_BITS: u64 = 48 << 10;

impl<'s, 'a, F> Search<'s, 'a, F>
where
    F: Fn(usize, usize) -> Value<'a> + Sync,
{
    /// The best plan, with its dictionary.
    pub(super) fn best(&self) -> (Field, Learned<'a>) {
        let shapes = match self.texts.is_numbers {
            true => vec![Shape::Decimal(Vec::new())],
            false => {
                let texts = self.texts.texts.iter();
                let counted: Vec<_> = texts.map(|text| (text.text, text.count)).collect();
                shapes(&counted)
            }
        };
        let found = shapes.into_iter().map(|shape| self.of_shape(shape));
        let best = found.min_by_key(|(_, _, cost)| *cost);
        let (field, ids, _) = best.unwrap_or_else(|| self.of_shape(Shape::Text));
        let (bytes, _) = dictionary::build(self.entries(&field).map(|t| t.text.to_vec()).collect());
        let (_, ranks) = self.ranks(&field);
        let learned = Learned {
            dictionary: if ids.is_empty() { Vec::new() } else { bytes },
            ids,
            ranks,
            forecast: Vec::new(),
        };
        (field, learned)
    }

    fn entries(&self, field: &Field) -> impl Iterator<Item = &Text<'a>> {
        entries(&self.texts.texts, field)
    }

    fn ranks(&self, field: &Field) -> (Ranks, Vec<u8>) {
        let counts: Vec<u32> = self.entries(field).map(|text| text.blocks).collect();
        Ranks::of_counts(&counts)
    }

    /// The best plan of a shape, its IDs, and the cost with the dictionary.
    fn of_shape(&self, shape: Shape) -> (Field, Ids<'a>, u64) {
        let columns = self.texts.columns.iter();
        let columns = columns.filter_map(|at| Some(self.input.columns.get(*at)?.number));
        let mut field = Field {
            columns: columns.collect(),
            plan: Plan::of(shape),
            ranks: Ranks::default(),
            map: Vec::new(),
            openings: Openings::default(),
            forecast: Forecast::default(),
            is_key: false,
        };
        field.ranks = self.ranks(&field).0;
        let ids = self
            .entries(&field)
            .map(|text| text.text)
            .zip(0..)
            .collect::<Ids>();
        let table = self.share(dictionary_cost(self.entries(&field)));
        let found = self.found(&field, &ids);
        let found = self.following(field, &ids, found);
        (found.field, ids, found.cost + table)
    }

    /// The best plan for a field of these IDs.
    pub(super) fn found(&self, field: &Field, ids: &Ids<'a>) -> Found {
        let of_block = |range: &Range<usize>| {
            cells(self.input, &self.texts.columns, field, ids, range.clone())
        };
        let values: Vec<Sides> = self.sample.iter().map(of_block).collect();
        let trial = Trial {
            search: self,
            values: &values,
            ids,
        };
        trial.search(field.clone())
    }

    /// The share of the sample in what is there once for the segment.
    fn share(&self, cost: u64) -> u64 {
        let blocks = self.input.blocks.len().max(1) as u64;
        cost * self.sample.len() as u64 / blocks
    }
}

/// The search for the plan of a shape.
struct Trial<'t, 's, 'a, F> {
    search: &'t Search<'s, 'a, F>,
    /// The cells of the sample's blocks.
    values: &'t [Sides],
    ids: &'t Ids<'a>,
}

impl<'a, F> Trial<'_, '_, 'a, F>
where
    F: Fn(usize, usize) -> Value<'a> + Sync,
{
    fn search(&self, field: Field) -> Found {
        let usual = self.usual(&field);
        let mut best = self.found(field);
        if let Some((value, true)) = usual {
            // A field that hardly varies takes nothing where what is foreseen
            // comes first.
            let mut constant = best.field.clone();
            constant.plan.predictors.push(Predictor::Value(value));
            best = self.found(constant);
        }
        if self.has(|cell| matches!(cell, Cell::Id(_))) {
            best = self.better(best, |field| {
                let mut recent = field.clone();
                recent.plan.is_recent = true;
                vec![recent]
            });
        }
        let predictors = self.predictors(&best.field);
        for _ in 0..MOST_PREDICTORS {
            best = self.better(best, |field| add_predictor(field, &predictors));
        }
        if self.has(|cell| matches!(cell, Cell::Number(_))) {
            let bases = self.bases();
            for _ in 0..MOST_BASES {
                best = self.better(best, |field| add_base(field, &bases));
            }
            best = self.better(best, |field| {
                let mut splitting = field.clone();
                splitting.plan.splits = true;
                vec![splitting]
            });
        }
        let contexts = self.contexts();
        for place in 0..2 {
            best = self.better(best, |field| set_context(field, place, &contexts));
        }
        self.runs(best)
    }

    /// With runs, if these take hardly more: they are read faster.
    fn runs(&self, best: Found) -> Found {
        if best.field.plan.predictors.is_empty() || best.field.plan.is_recent {
            return best;
        }
        let mut field = best.field.clone();
        field.plan.has_runs = true;
        let found = self.found(field);
        let records: u64 = self.values.iter().map(|values| values.len() as u64).sum();
        // A symbol saved for most values is worth a fiftieth of a bit for each.
        match found.cost <= best.cost + best.cost / 50 + records * 20 {
            true => found,
            false => best,
        }
    }

    /// The commonest value, as a predictor has it, and whether it hardly varies.
    fn usual(&self, field: &Field) -> Option<(u64, bool)> {
        let mut counts: BTreeMap<u64, usize> = BTreeMap::new();
        let mut all = 0;
        for cell in self
            .values
            .iter()
            .flat_map(|sides| sides.cells.iter().flatten())
        {
            let value = match cell {
                Cell::Id(id) => map_key(Cell::Id(field.ranks.rank(*id)?)),
                cell => map_key(*cell),
            };
            all += usize::from(*cell != Cell::Absent);
            *counts.entry(value.unwrap_or(u64::MAX)).or_default() += usize::from(value.is_some());
        }
        let (value, count) = counts.into_iter().max_by_key(|(_, count)| *count)?;
        (count > 0).then_some((value, all - count < all / 64 + 1))
    }

    fn has(&self, is_one: impl Fn(&Cell) -> bool) -> bool {
        let cells = self
            .values
            .iter()
            .flat_map(|sides| sides.cells.iter().flatten());
        let mut cells = cells;
        cells.any(is_one)
    }

    /// The best of some candidates, if it saves enough.
    fn better(&self, best: Found, candidates: impl Fn(&Field) -> Vec<Field>) -> Found {
        let candidates = candidates(&best.field);
        let found: Vec<Found> = candidates
            .into_par_iter()
            .map(|field| self.found(field))
            .collect();
        let least = best.cost / LEAST_SHARE + LEAST_BITS;
        match found.into_iter().min_by_key(|found| found.cost) {
            Some(found) if found.cost + least < best.cost => found,
            _ => best,
        }
    }

    /// What the sample takes under a plan.
    fn found(&self, field: Field) -> Found {
        let mut sketch = [Sketch::new(field.plan.families(field.sides()))];
        for (values, sheet) in self.values.iter().zip(self.search.sheets) {
            let has = |side, record| values.has(side, record);
            let given = Given::all(values);
            if code(&field, self.search.fields, sheet, &mut sketch, has, &given).is_err() {
                return Found {
                    field,
                    cost: u64::MAX / 4,
                };
            }
        }
        let map = self.search.share(field.map.len() as u64 * MAP_ENTRY);
        let [sketch] = sketch;
        Found {
            field,
            cost: sketch.cost + map,
        }
    }

    /// The predictors that are right most often where the value before is not.
    fn predictors(&self, field: &Field) -> Vec<(Predictor, Vec<(u64, Cell)>)> {
        let mut maps = Vec::new();
        let mut others = Vec::new();
        for (number, other) in self.search.fields.iter().enumerate() {
            let sides = sources(number, other.sides(), field.sides());
            for source in &sides {
                others.push(Predictor::Of(*source));
            }
            if other.sides() <= field.sides() {
                others.push(Predictor::Last(number));
            }
            if !self.search.texts.is_numbers && other.ranks.id(0).is_some() {
                maps.extend(sides);
            }
        }
        let mut tried = vec![(Predictor::Previous, Vec::new())];
        if let Some((value, _)) = self.usual(field) {
            tried.push((Predictor::Value(value), Vec::new()));
        }
        if field.sides() == 2 {
            tried.push((Predictor::Partner, Vec::new()));
        }
        let by_hits = others
            .into_par_iter()
            .map(|predictor| (self.hits(predictor), predictor));
        tried.extend(most(by_hits.collect()).map(|predictor| (predictor, Vec::new())));
        let by_hits = maps
            .into_par_iter()
            .map(|source| (self.map_hits(source), source));
        for source in most(by_hits.collect()).take(2) {
            tried.push((Predictor::Map(source), self.map(field, source)));
        }
        tried
    }

    /// How often a predictor is right in the sample where the value before is not.
    fn hits(&self, predictor: Predictor) -> usize {
        let count = |(values, sheet): (&Sides, &Sheet<'_>)| {
            let mut hits = 0;
            for side in 0..2 {
                let mut before = Cell::Absent;
                for record in 0..values.len() {
                    let cell = values.cell(side, record);
                    let foreseen = match predictor {
                        Predictor::Of(source) => sheet.cell(source, side, record),
                        Predictor::Last(field) => self.last(field, values, sheet, side, record),
                        _ => Cell::Absent,
                    };
                    if cell != Cell::Absent {
                        hits += usize::from(cell != before && cell == foreseen);
                        before = cell;
                    }
                }
            }
            hits
        };
        self.values.iter().zip(self.search.sheets).map(count).sum()
    }

    fn last(
        &self,
        field: usize,
        values: &Sides,
        sheet: &Sheet<'_>,
        side: usize,
        record: usize,
    ) -> Cell {
        let of_key = self.search.fields.get(field).map_or(1, Field::sides);
        let link = sheet
            .field(field)
            .map(|key| key.link(side.min(of_key - 1), record));
        match link.and_then(|link| link.place()) {
            Some((at, of)) => values.cell(if of_key == 2 { of } else { side }, at),
            None => Cell::Absent,
        }
    }

    /// How often the commonest value beside each value of a source comes in the
    /// sample beyond once.
    fn map_hits(&self, source: Source) -> usize {
        let mut counts: BTreeMap<u64, BTreeMap<u64, usize>> = BTreeMap::new();
        for (values, sheet) in self.values.iter().zip(self.search.sheets) {
            for (side, record) in pairs(values) {
                let key = map_key(sheet.cell(source, side, record));
                if let (Some(key), Some(value)) = (key, map_key(values.cell(side, record))) {
                    *counts.entry(key).or_default().entry(value).or_default() += 1;
                }
            }
        }
        let most = counts.values().filter_map(|values| values.values().max());
        most.map(|most| most - 1).sum()
    }

    /// The commonest value beside each value of a source in the whole segment,
    /// where it comes more than once.
    fn map(&self, field: &Field, source: Source) -> Vec<(u64, Cell)> {
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
            let mut sheet = Sheet::new();
            sheet.set(source.field, &keys);
            let own = &self.search.texts.columns;
            let values = cells(input, own, field, self.ids, range.clone());
            // A value in a block counts once: the next is foreseen by the first.
            let mut seen = std::collections::BTreeSet::new();
            for (side, record) in pairs(&values) {
                let key = map_key(sheet.cell(source, side, record));
                if let (Some(key), Some(value)) = (key, map_key(values.cell(side, record)))
                    && seen.insert((key, value))
                {
                    *counts.entry(key).or_default().entry(value).or_default() += 1;
                }
            }
        }
        let entry = |(key, values): (u64, BTreeMap<u64, usize>)| {
            let (value, count) = values.into_iter().max_by_key(|(_, count)| *count)?;
            let is_known = count > 1 && map_key(super::super::field::mapped_cell(key)).is_some();
            is_known.then_some((key, super::super::field::mapped_cell(value)))
        };
        counts.into_iter().filter_map(entry).collect()
    }

    fn bases(&self) -> Vec<Base> {
        let mut numbers: Vec<u64> = self
            .values
            .iter()
            .flat_map(|sides| sides.cells.iter().flatten())
            .filter_map(|cell| match cell {
                Cell::Number(number) => Some(*number),
                _ => None,
            })
            .collect();
        numbers.sort_unstable();
        let middle = numbers.get(numbers.len() / 2).copied().unwrap_or(0);
        let mut bases = vec![Base::Value(i64::try_from(middle).unwrap_or(0))];
        let mut by = vec![Predictor::Previous];
        let sides = self.search.texts.columns.len();
        if sides == 2 {
            bases.push(Base::Opposite);
            by.push(Predictor::Partner);
        }
        for (number, other) in self.search.fields.iter().enumerate() {
            let is_text = other.plan.shape == Shape::Text;
            if !is_text {
                by.extend(
                    sources(number, other.sides(), sides)
                        .into_iter()
                        .map(Predictor::Of),
                );
            }
            if other.sides() <= sides && is_text {
                by.push(Predictor::Last(number));
            }
        }
        bases.extend(by.into_iter().map(Base::By));
        bases
    }

    fn contexts(&self) -> Vec<Context> {
        let sides = self.search.texts.columns.len();
        let mut contexts = Vec::new();
        for (number, other) in self.search.fields.iter().enumerate() {
            let sources = sources(number, other.sides(), sides);
            contexts.extend(sources.into_iter().map(Context::Of));
            if other.sides() == 2 && other.plan.shape != Shape::Text {
                contexts.push(Context::Difference(number));
            }
        }
        contexts
    }
}

/// What an entry of a map takes, in 1/1024 bit.
const MAP_ENTRY: u64 = 20 << 10;
