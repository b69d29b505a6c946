//! The dictionaries of tag values: the values that occur more than once in
//! columns without a plan.

use crate::archive::schema::fen_position::FenPosition;
use crate::archive::schema::record::StoredRecord;
use crate::archive::schema::registry::{ColumnId, START_POSITIONS, tag_column};
use crate::archive::tables::rosters::NameTables;
use crate::codec::dictionary::{self, MAX_ENTRIES, StringIds};
use crate::parallel;
use crate::pgn::FEN_TAG;
use foldhash::{HashMap, HashSet};
use std::collections::BTreeMap;

/// Columns with this number or a higher one have no dictionary, which bounds
/// the number of a segment's tables on any input.
const MAX_DICTIONARIES: u64 = 4096;

/// The non-empty dictionaries by column, and the preset text for the prose
/// model.
#[derive(Debug, Default)]
pub(crate) struct Dictionaries {
    pub(crate) ids: BTreeMap<ColumnId, StringIds>,
    bytes: BTreeMap<ColumnId, Vec<u8>>,
    /// The table of preset text; empty if there is none.
    pub(crate) preset_text: Vec<u8>,
}

/// The number of occurrences of the values of each column.
#[derive(Default)]
struct ValueCounts<'a> {
    counts: BTreeMap<ColumnId, HashMap<&'a [u8], u32>>,
    /// The values of FEN tags that are not the first of their record.
    other_fens: HashSet<&'a [u8]>,
}

impl Dictionaries {
    /// Builds the dictionaries of the columns for which `is_one` holds.
    pub(crate) fn of(
        records: &[StoredRecord<'_>],
        names: NameTables<'_>,
        is_one: impl Fn(ColumnId) -> bool,
    ) -> Dictionaries {
        let fen = names.names.iter().position(|name| name == FEN_TAG);
        let fen = fen.and_then(|fen| u32::try_from(fen).ok());
        let mut counts = ValueCounts::default();
        for record in records {
            counts.add(names.roster(record), record, fen, &is_one);
        }
        let mut left = MAX_ENTRIES;
        let entries = counts.counts.into_iter().map(|(column, counts)| {
            let entries = entries(counts, left);
            left -= entries.len();
            (column, entries)
        });
        let entries: Vec<(ColumnId, Vec<Vec<u8>>)> = entries.collect();
        let fens = fen.map(tag_column);
        let build = |(column, entries)| match Some(column) == fens {
            true => {
                let (set_ups, texts) = fen_dictionaries(entries, &counts.other_fens);
                vec![(column, Some(texts)), (START_POSITIONS, set_ups)]
            }
            false => vec![(column, Some(dictionary::build(entries)))],
        };
        let built = parallel::map(entries, build);
        let mut dictionaries = Dictionaries::default();
        for (column, built) in built.into_iter().flatten() {
            let built = built.filter(|(_, ids)| !ids.is_empty());
            if let Some((bytes, ids)) = built {
                dictionaries.bytes.insert(column, bytes);
                dictionaries.ids.insert(column, ids);
            }
        }
        dictionaries
    }

    /// The bytes of each dictionary.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (ColumnId, &[u8])> {
        let bytes = self.bytes.iter();
        bytes.map(|(column, bytes)| (*column, bytes.as_slice()))
    }
}

impl<'a> ValueCounts<'a> {
    /// Counts the values of a record with these tag names; `fen` is the number
    /// of the name `FEN`.
    fn add(
        &mut self,
        roster: &[u32],
        record: &'a StoredRecord<'_>,
        fen: Option<u32>,
        is_one: impl Fn(ColumnId) -> bool,
    ) {
        let mut fens = 0;
        for (name, value) in roster.iter().zip(&record.values) {
            let column = tag_column(*name);
            if Some(*name) == fen {
                fens += 1;
                if fens > 1 {
                    self.other_fens.insert(value);
                }
            }
            if is_one(column) && dictionary::may_contain(value) && column.0 < MAX_DICTIONARIES {
                let counts = self.counts.entry(column).or_default();
                *counts.entry(value).or_default() += 1;
            }
        }
    }
}

/// The values that occur more than once. If there are more than `most`, the
/// most frequent ones.
fn entries(counts: HashMap<&[u8], u32>, most: usize) -> Vec<Vec<u8>> {
    let mut repeated: Vec<(&[u8], u32)> =
        counts.into_iter().filter(|(_, count)| *count > 1).collect();
    if repeated.len() > most {
        repeated.sort_unstable_by_key(|(value, count)| (std::cmp::Reverse(*count), *value));
        repeated.truncate(most);
    }
    repeated
        .into_iter()
        .map(|(value, _)| value.to_vec())
        .collect()
}

/// The bytes of a dictionary, and its IDs.
type Built = (Vec<u8>, StringIds);

/// Builds two dictionaries from repeated FENs: one of start positions and one
/// of text. The first is `None` if a dictionary of text alone is not larger.
/// FENs in `elsewhere`, which are also the values of FEN tags that are not the
/// first of their record, must be text.
fn fen_dictionaries(fens: Vec<Vec<u8>>, elsewhere: &HashSet<&[u8]>) -> (Option<Built>, Built) {
    let mut texts = Vec::new();
    let mut set_ups = Vec::new();
    for fen in &fens {
        let may_be_position = !elsewhere.contains(fen.as_slice());
        match may_be_position.then(|| FenPosition::of(fen)).flatten() {
            Some(set_up) => set_ups.push(set_up.bytes().to_vec()),
            None => texts.push(fen.clone()),
        }
    }
    let as_text = dictionary::build(fens);
    let (texts, set_ups) = (dictionary::build(texts), dictionary::build(set_ups));
    if texts.0.len() + set_ups.0.len() < as_text.0.len() {
        (Some(set_ups), texts)
    } else {
        (None, as_text)
    }
}
