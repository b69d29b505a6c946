//! Grouping the columns of a segment into fields, and converting their texts to
//! cells.

use super::super::block_cells::FieldCells;
use super::super::cell::FieldValue;
use super::super::field::Field;
use super::{ColumnValue, SegmentColumns, TextIds};
use crate::codec::dictionary::may_contain;
use crate::codec::log::log;
use crate::codec::string_list::StringList;
use crate::parallel;
use foldhash::HashMap;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Range;

/// A field of a segment and its distinct texts.
#[derive(Debug)]
pub(super) struct FieldTexts<'a> {
    /// Its columns, one or two, by their index in the list.
    pub(super) columns: Vec<usize>,
    /// Its distinct texts in ascending order; empty if it holds numbers.
    pub(super) texts: Vec<CountedText<'a>>,
    /// Whether it holds numbers.
    pub(super) is_numbers: bool,
}

/// A text of a field.
#[derive(Debug, Clone, Copy)]
pub(super) struct CountedText<'a> {
    pub(super) text: &'a [u8],
    /// The number of occurrences.
    pub(super) count: u32,
    /// The number of blocks with the text.
    pub(super) blocks: u32,
}

impl<'a> FieldTexts<'a> {
    /// The fields of a segment: those of numbers, then those of texts. Fields
    /// with more distinct texts come first, because a value with many
    /// alternatives predicts one with few.
    pub(super) fn of<F>(input: &SegmentColumns<'_, F>) -> Vec<FieldTexts<'a>>
    where
        F: Fn(usize, usize) -> ColumnValue<'a> + Sync,
    {
        let columns = input.columns.iter().enumerate();
        let (of_numbers, of_texts): (Vec<_>, Vec<_>) =
            columns.partition(|(_, column)| column.name.is_none());
        let numbers = of_numbers.into_iter().map(|(at, _)| FieldTexts {
            columns: vec![at],
            texts: Vec::new(),
            is_numbers: true,
        });
        let mut fields: BTreeMap<(u64, usize), Vec<usize>> = BTreeMap::new();
        for (at, column) in of_texts {
            let name = column.name.as_deref().unwrap_or_default();
            let other = partner_tag(name).and_then(|partner| {
                let mut columns = input.columns.iter().enumerate();
                columns.find(|(_, column)| column.name.as_ref() == Some(&partner))
            });
            let key = match other {
                // White's column is the first of the field.
                Some((first, _)) if name.starts_with(BLACK) => (0, first),
                _ => (0, at),
            };
            let field = fields.entry(key).or_default();
            match name.starts_with(WHITE) {
                true => field.insert(0, at),
                false => field.push(at),
            }
        }
        let fields: Vec<Vec<usize>> = fields.into_values().collect();
        let mut texts = parallel::map(fields, |columns| FieldTexts {
            texts: distinct_texts(input, &columns),
            columns,
            is_numbers: false,
        });
        texts.sort_by_key(|field| Reverse(field.texts.len()));
        numbers.chain(texts).collect()
    }
}

const WHITE: &[u8] = b"White";
const BLACK: &[u8] = b"Black";

/// The name of the tag that describes the same of the other player.
fn partner_tag(name: &[u8]) -> Option<Vec<u8>> {
    let of = |own: &[u8], other: &[u8]| Some([other, name.strip_prefix(own)?].concat());
    of(WHITE, BLACK).or_else(|| of(BLACK, WHITE))
}

fn distinct_texts<'a, F>(input: &SegmentColumns<'_, F>, columns: &[usize]) -> Vec<CountedText<'a>>
where
    F: Fn(usize, usize) -> ColumnValue<'a> + Sync,
{
    // For each text, the number of occurrences, the number of blocks with it,
    // and the last of these.
    let mut counts: HashMap<&[u8], (u32, u32, usize)> = HashMap::default();
    for (block, range) in input.blocks.iter().enumerate() {
        for record in range.clone() {
            for column in columns {
                if let ColumnValue::Text(text) = (input.value)(*column, record) {
                    let (count, blocks, last) = counts.entry(text).or_insert((0, 0, usize::MAX));
                    *count += 1;
                    *blocks += u32::from(*last != block);
                    *last = block;
                }
            }
        }
    }
    let texts = counts
        .into_iter()
        .map(|(text, (count, blocks, _))| CountedText {
            text,
            count,
            blocks,
        });
    let mut texts: Vec<CountedText> = texts.collect();
    texts.sort_unstable_by_key(|text| text.text);
    texts
}

/// The cells of some records.
pub(super) fn cells<'a, F>(
    input: &SegmentColumns<'_, F>,
    columns: &[usize],
    field: &Field,
    ids: &TextIds<'_>,
    records: Range<usize>,
) -> FieldCells
where
    F: Fn(usize, usize) -> ColumnValue<'a> + Sync,
{
    let mut literals = StringList::default();
    let mut cells = [Vec::new(), Vec::new()];
    for record in records {
        for (column, cells) in columns.iter().zip(&mut cells) {
            cells.push(match (input.value)(*column, record) {
                ColumnValue::Absent => FieldValue::Absent,
                ColumnValue::Number(number) => FieldValue::Number(number),
                ColumnValue::Text(text) => {
                    let number = field.plan.shape.parse(text).map(FieldValue::Number);
                    let cell = number.or_else(|| ids.get(text).copied().map(FieldValue::Id));
                    match cell {
                        Some(_) if cell == field.predict_from_book(input.keys(record)) => {
                            FieldValue::Opening
                        }
                        Some(cell) => cell,
                        None => {
                            literals.push(text);
                            let number = u32::try_from(literals.len() - 1);
                            FieldValue::Literal(number.unwrap_or(u32::MAX))
                        }
                    }
                }
            });
        }
    }
    FieldCells::new(cells, literals)
}

/// The texts that are stored in the dictionary: those that are not numbers and
/// not too long.
pub(super) fn entries<'t, 'a>(
    texts: &'t [CountedText<'a>],
    field: &Field,
) -> impl Iterator<Item = &'t CountedText<'a>> {
    texts
        .iter()
        .filter(|text| may_contain(text.text) && field.plan.shape.parse(text.text).is_none())
}

/// The approximate size of a dictionary of texts in ascending order, in 1/1024
/// bit: the entropy of the bytes after the prefixes shared with previous texts,
/// and [`TEXT_COST`] for each text.
pub(super) fn dictionary_cost<'t, 'a: 't>(texts: impl Iterator<Item = &'t CountedText<'a>>) -> u64 {
    let mut last: &[u8] = &[];
    let mut counts = [0u32; 256];
    let mut cost = 0;
    for text in texts {
        let before = last.iter().zip(text.text);
        let shared = before.take_while(|(a, b)| a == b).count();
        for byte in text.text.iter().skip(shared) {
            if let Some(count) = counts.get_mut(usize::from(*byte)) {
                *count = count.saturating_add(1);
            }
        }
        cost += TEXT_COST;
        last = text.text;
    }
    cost + entropy(&counts)
}

/// The approximate size of a shared prefix and of the end of a text, in 1/1024 bit.
const TEXT_COST: u64 = 5 << 10;

/// The size of symbols with these counts under an ideal code, in 1/1024 bit.
fn entropy(counts: &[u32]) -> u64 {
    let all = counts
        .iter()
        .fold(0u32, |sum, count| sum.saturating_add(*count));
    let cost = |count: &u32| u64::from(*count) * u64::from(log(all).saturating_sub(log(*count)));
    counts.iter().map(cost).sum()
}
