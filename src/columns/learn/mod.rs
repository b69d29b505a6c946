//! Finding the plans of a segment. Candidate plans are measured on a sample of blocks.
//! Then all blocks are counted and the distributions are fitted.

mod books;
mod candidates;
mod field_search;
mod proposals;
mod search;
mod shapes;
mod texts;
mod trial;

use super::block_cells::{BlockCells, FieldCells};
use super::coding::{CodingInput, code_field};
use super::field::{Field, set_key_flags};
use crate::codec::dictionary;
use crate::codec::distributions::{Distributions, SymbolCounter, Tally};
use crate::limits::Limits;
use crate::parallel;
use field_search::FieldSearch;
use foldhash::HashMap;
use std::ops::Range;
use texts::{FieldTexts, cells};

/// A value of a column, as it is to be written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ColumnValue<'a> {
    /// The record has no value.
    #[default]
    Absent,
    /// A number.
    Number(u64),
    /// A text.
    Text(&'a [u8]),
}

/// A column of a segment.
#[derive(Debug, Clone)]
pub struct SegmentColumn {
    /// The number of the column.
    pub number: u64,
    /// The tag name; `None` for a column of numbers.
    pub name: Option<Vec<u8>>,
    /// Whether its values can be read without those of columns that are not apart. Then its plan
    /// may refer only to columns that are apart too.
    pub is_apart: bool,
    /// Whether its values may be predicted from the opening. They can then be decoded only
    /// after the moves.
    pub may_use_book: bool,
}

/// The columns of a segment, split into blocks.
#[derive(Debug)]
pub struct SegmentColumns<'a, F> {
    /// The columns, those of numbers first.
    pub columns: &'a [SegmentColumn],
    /// The records of each block.
    pub blocks: &'a [Range<usize>],
    /// For each record, the keys of its first positions; empty if it has no moves.
    pub keys: &'a [&'a [u32]],
    /// Returns the value of a column in a record.
    pub value: F,
}

/// The IDs of texts.
pub type TextIds<'a> = HashMap<&'a [u8], u32>;

/// What a writer needs in addition to a field.
#[derive(Debug)]
pub struct LearnedTables<'a> {
    /// The IDs of the dictionary's texts.
    pub ids: TextIds<'a>,
    /// The encoded dictionary; empty if it has no texts.
    pub dictionary: Vec<u8>,
    /// The encoded ranks.
    pub ranks: Vec<u8>,
    /// The encoded distributions.
    pub distributions: Vec<u8>,
}

impl<F> SegmentColumns<'_, F> {
    /// The keys of a record's first positions.
    fn keys(&self, record: usize) -> &[u32] {
        self.keys.get(record).copied().unwrap_or_default()
    }
}

/// The number of blocks up to which all are sampled to choose a plan.
const MAX_WHOLE_SAMPLE: usize = 8;
/// The maximum number of sampled blocks of a segment with more, and that of a segment whose blocks
/// are so small that six have fewer records than [`USUAL_SAMPLE`].
const SAMPLE_BLOCKS: (usize, usize) = (6, 16);
/// The records of six blocks of the usual size.
const USUAL_SAMPLE: usize = 6 * 256;
/// A bound on the work of a search. Each column is tried with each other one, so a search
/// takes time proportional to the sampled records times the square of the number of
/// columns. With many columns, fewer blocks are sampled. Six whole blocks of 48 columns are
/// within the bound. 1 MiB of games with 100 tag pairs of two values takes 1 s with it,
/// 4.5 s without.
const MAX_SEARCH_WORK: usize = 4 << 20;

/// Finds the fields of a segment and their plans.
pub fn learn_fields<'a, F>(
    input: &SegmentColumns<'_, F>,
    limits: &Limits,
) -> (Vec<Field>, Vec<LearnedTables<'a>>)
where
    F: Fn(usize, usize) -> ColumnValue<'a> + Sync,
{
    let mut learned: Vec<LearnedTables<'a>> = Vec::new();
    let mut fields: Vec<Field> = Vec::new();
    let sample = sample(input.columns.len(), input.blocks);
    let mut known: Vec<Vec<FieldCells>> = sample.iter().map(|_| Vec::new()).collect();
    for texts in FieldTexts::of(input) {
        let block_cells: Vec<BlockCells<'_>> =
            known.iter().map(|sides| BlockCells::of(sides)).collect();
        let search = FieldSearch {
            input,
            sample: &sample,
            texts: &texts,
            fields: &fields,
            learned: &learned,
            block_cells: &block_cells,
        };
        let (field, found) = search.find_best();
        for (known, range) in known.iter_mut().zip(&sample) {
            let mut sides = cells(input, &texts.columns, &field, &found.ids, range.clone());
            sides.link_previous();
            known.push(sides);
        }
        fields.push(field);
        learned.push(found);
    }
    fit(input, &mut fields, &mut learned, limits);
    parallel::for_each(&mut learned, build_dictionary);
    (fields, learned)
}

/// The sampled blocks, evenly spaced.
fn sample(columns: usize, blocks: &[Range<usize>]) -> Vec<Range<usize>> {
    let records: usize = blocks.iter().map(Range::len).sum();
    let of_block = (records / blocks.len().max(1)).max(1);
    let most = match blocks.len() {
        ..=MAX_WHOLE_SAMPLE => MAX_WHOLE_SAMPLE,
        _ => (USUAL_SAMPLE / of_block).clamp(SAMPLE_BLOCKS.0, SAMPLE_BLOCKS.1),
    };
    let work = of_block.saturating_mul(columns * columns).max(1);
    let most = (MAX_SEARCH_WORK / work).clamp(1, most);
    let step = blocks.len().div_ceil(most).max(1);
    blocks.iter().step_by(step).cloned().collect()
}

fn build_dictionary(learned: &mut LearnedTables<'_>) {
    if !learned.ids.is_empty() {
        let texts = learned.ids.keys().map(|text| text.to_vec());
        (learned.dictionary, _) = dictionary::build(texts.collect());
    }
}

/// Counts all blocks and fits the distributions.
fn fit<'a, F>(
    input: &SegmentColumns<'_, F>,
    fields: &mut [Field],
    learned: &mut [LearnedTables<'a>],
    limits: &Limits,
) where
    F: Fn(usize, usize) -> ColumnValue<'a> + Sync,
{
    set_key_flags(fields);
    let families: Vec<_> = fields
        .iter()
        .map(|field| field.plan.families(field.sides()))
        .collect();
    let none = || -> Vec<Tally> {
        families
            .iter()
            .map(|families| Tally::new(families))
            .collect()
    };
    let count = |tallies: &mut Vec<Tally>, range: &Range<usize>| {
        let sides = block_cells(input, fields, learned, range.clone());
        let block_cells = BlockCells::of(&sides);
        for ((number, field), tally) in fields.iter().enumerate().zip(tallies) {
            let before = fields.get(..number).unwrap_or_default();
            count(field, before, number, &block_cells, tally);
        }
    };
    let merge = |all: &mut Vec<Tally>, others: Vec<Tally>| {
        let pairs = all.iter_mut().zip(&others);
        pairs.for_each(|(tally, other)| tally.merge(other));
    };
    let (tallies, _) = parallel::fold(input.blocks, none, count, merge);
    let fitted = learned.iter_mut().zip(tallies).zip(&families);
    let fitted = fields.iter_mut().zip(fitted);
    parallel::for_each(fitted, |(field, ((learned, tally), families))| {
        learned.distributions = tally.fit();
        // The fitted distributions are read from their encoded form, as a reader does.
        field.distributions =
            Distributions::read(&learned.distributions, families, limits).unwrap_or_default();
    });
}

fn count(
    field: &Field,
    fields: &[Field],
    number: usize,
    block_cells: &BlockCells<'_>,
    tally: &mut Tally,
) {
    let Some(values) = block_cells.field(number) else {
        return;
    };
    let given = CodingInput::for_writer(values);
    // The families are those of the plan, so every place exists.
    let _ = code_field(
        field,
        fields,
        block_cells,
        &mut [SymbolCounter(tally)],
        |side, record| values.has(side, record),
        &given,
    );
}

/// The cells of all fields of a block.
pub fn block_cells<'a, F>(
    input: &SegmentColumns<'_, F>,
    fields: &[Field],
    learned: &[LearnedTables<'a>],
    range: Range<usize>,
) -> Vec<FieldCells>
where
    F: Fn(usize, usize) -> ColumnValue<'a> + Sync,
{
    let mut block = Vec::new();
    for (field, learned) in fields.iter().zip(learned) {
        let places = field.columns.iter().filter_map(|number| {
            input
                .columns
                .iter()
                .position(|column| column.number == *number)
        });
        let places: Vec<usize> = places.collect();
        let mut sides = cells(input, &places, field, &learned.ids, range.clone());
        if field.is_link_key {
            sides.link_previous();
        }
        block.push(sides);
    }
    block
}
