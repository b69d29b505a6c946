//! Replacing text in tag values by back-references.

use super::{ESCAPE, FORMS, POSITION, PREFIX, TAG, ValueForm, has_back_references, last_position};
use crate::archive::schema::record::StoredRecord;
use crate::archive::tables::openings::is_early;
use crate::archive::tables::plans::planned_names;
use crate::archive::tables::rosters::NameTables;
use crate::bits::put_varint;
use crate::codec::dictionary::MAX_ENTRY_BYTES;
use crate::parallel;
use crate::pgn::GameTree;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// The stored values of a record's tag pairs, with references to the last position.
pub(crate) fn stored_values<'a>(tree: &GameTree<'a>) -> Vec<Cow<'a, [u8]>> {
    let mut last = None;
    let tags = tree.tags.iter();
    tags.map(|tag| {
        if has_back_references(tag.value) {
            return Cow::Owned(escape(tag.value));
        }
        if !is_early(tag.name) && looks_like_fen(tag.value) {
            let last = last.get_or_insert_with(|| last_position(tree));
            let mut forms = (POSITION..).zip(FORMS);
            let is_match = |form: ValueForm| {
                form.write(last)
                    .is_some_and(|fen| fen.as_bytes() == tag.value)
            };
            let form = forms.find(|(_, form)| is_match(*form));
            if let Some((number, _)) = form {
                return Cow::Owned(reference(number));
            }
        }
        Cow::Borrowed(tag.value)
    })
    .collect()
}

fn looks_like_fen(value: &[u8]) -> bool {
    memchr::memchr_iter(b'/', value).count() == 7
}

fn escape(value: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(value.len() + 1);
    for byte in value {
        match *byte {
            PREFIX => out.extend(reference(ESCAPE)),
            byte => out.push(byte),
        }
    }
    out
}

fn reference(number: u64) -> Vec<u8> {
    let mut out = vec![PREFIX];
    put_varint(&mut out, number);
    out
}

/// The number of records to sample when learning which tags refer to which.
const SAMPLE: usize = 4096;
/// The minimum length in bytes of a value to refer to.
const MIN_REFERENCED_BYTES: usize = 3;
/// The maximum length in bytes of a value with references. It bounds the time of the
/// search.
const MAX_REFERRER_BYTES: usize = MAX_ENTRY_BYTES;
/// A tag may refer to another only if at least one in this many of its values
/// contains the value of the other.
const MIN_FREQUENCY_DIVISOR: usize = 8;
/// A column gets back-references only if they reduce its number of distinct values
/// to at most this fraction.
const MAX_DISTINCT_FRACTION: (usize, usize) = (3, 4);

/// For each tag name whose values get back-references, the tag names that they may
/// refer to.
#[derive(Debug, Default)]
pub(crate) struct BackReferences(BTreeMap<u32, Vec<u32>>);

impl BackReferences {
    /// Learns which tags of a segment refer to which.
    pub(crate) fn learn(records: &[StoredRecord<'_>], names: NameTables<'_>) -> BackReferences {
        let step = records.len().div_ceil(SAMPLE).max(1);
        let sample: Vec<_> = records.iter().step_by(step).collect();
        // The same names as get plans, which bounds the time for learning too.
        let numbered = planned_names(names);
        let may_be_referenced: BTreeSet<u32> = numbered.clone().map(|(number, _)| number).collect();
        let referrers = numbered.filter(|(_, name)| !is_early(name));
        let referrers: Vec<u32> = referrers.map(|(number, _)| number).collect();
        let referenced = |referrer: u32| {
            (
                referrer,
                names_referenced_by(referrer, &sample, names, &may_be_referenced),
            )
        };
        let referenced = parallel::map(referrers, referenced).into_iter();
        let mut back_references = BackReferences(
            referenced
                .filter(|(_, referenced)| !referenced.is_empty())
                .collect(),
        );
        back_references.retain_profitable(&sample, names);
        // A value that is referred to has no references itself.
        let referrers: BTreeSet<u32> = back_references.0.keys().copied().collect();
        for referenced in back_references.0.values_mut() {
            referenced.retain(|name| !referrers.contains(name));
        }
        back_references.retain_profitable(&sample, names);
        back_references
    }

    /// The tag names that values refer to.
    pub(crate) fn referenced(&self) -> BTreeSet<u32> {
        self.0.values().flatten().copied().collect()
    }

    fn retain_profitable(&mut self, sample: &[&StoredRecord<'_>], names: NameTables<'_>) {
        let pays = |referrer: &u32| self.is_profitable(*referrer, sample, names);
        let retained: BTreeSet<u32> = self.0.keys().copied().filter(pays).collect();
        self.0.retain(|referrer, _| retained.contains(referrer));
    }

    /// Whether back-references reduce the distinct values of a column enough.
    fn is_profitable(
        &self,
        referrer: u32,
        sample: &[&StoredRecord<'_>],
        names: NameTables<'_>,
    ) -> bool {
        let mut texts = HashSet::new();
        let mut left = HashSet::new();
        for record in sample {
            let roster = names.roster(record);
            if let Some(text) = plain_value(record, roster, referrer) {
                texts.insert(text);
                let with = self.with_references(referrer, text, record, roster);
                left.insert(with.map_or(Cow::Borrowed(text), Cow::Owned));
            }
        }
        left.len() * MAX_DISTINCT_FRACTION.1 <= texts.len() * MAX_DISTINCT_FRACTION.0
            && left.len() < texts.len()
    }

    /// Replaces text in the values of a record by back-references.
    pub(crate) fn insert(&self, record: &mut StoredRecord<'_>, names: NameTables<'_>) {
        let roster = names.roster(record);
        let referrers = roster.iter().enumerate();
        for (at, name) in referrers.filter(|(_, name)| self.0.contains_key(name)) {
            let text = plain_value(record, roster, *name);
            let with = text.and_then(|text| self.with_references(*name, text, record, roster));
            if let (Some(with), Some(value)) = (with, record.values.get_mut(at)) {
                *value = Cow::Owned(with);
            }
        }
    }

    /// The value with back-references; `None` if it gets none.
    fn with_references(
        &self,
        referrer: u32,
        text: &[u8],
        record: &StoredRecord<'_>,
        roster: &[u32],
    ) -> Option<Vec<u8>> {
        if text.len() > MAX_REFERRER_BYTES {
            return None;
        }
        let referenced = self.0.get(&referrer)?.iter();
        let referenced =
            referenced.filter_map(|name| Some((*name, plain_value(record, roster, *name)?)));
        let mut referenced: Vec<(u32, &[u8])> = referenced
            .filter(|(_, value)| (MIN_REFERENCED_BYTES..text.len()).contains(&value.len()))
            .collect();
        referenced.sort_by_key(|(_, value)| std::cmp::Reverse(value.len()));
        let mut out = Vec::new();
        let mut rest = text;
        while let Some((first, tail)) = rest.split_first() {
            let mut found = referenced.iter();
            match found.find_map(|(name, value)| Some((name, rest.strip_prefix(*value)?))) {
                Some((name, after)) => {
                    out.extend(reference(TAG + u64::from(*name)));
                    rest = after;
                }
                None => {
                    out.push(*first);
                    rest = tail;
                }
            }
        }
        has_back_references(&out).then_some(out)
    }
}

/// The tag names whose values occur in those of `referrer` often enough.
fn names_referenced_by(
    referrer: u32,
    sample: &[&StoredRecord<'_>],
    names: NameTables<'_>,
    may_be_referenced: &BTreeSet<u32>,
) -> Vec<u32> {
    let mut values = 0;
    let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
    for record in sample {
        let roster = names.roster(record);
        let text = plain_value(record, roster, referrer);
        let Some(text) = text.filter(|text| text.len() <= MAX_REFERRER_BYTES) else {
            continue;
        };
        values += 1;
        for (name, value) in roster.iter().zip(&record.values) {
            let is_inside = (MIN_REFERENCED_BYTES..text.len()).contains(&value.len())
                && may_be_referenced.contains(name)
                && memchr::memmem::find(text, value).is_some();
            if is_inside {
                *counts.entry(*name).or_default() += 1;
            }
        }
    }
    let often = counts
        .into_iter()
        .filter(|(_, count)| MIN_FREQUENCY_DIVISOR * count >= values);
    often.map(|(name, _)| name).collect()
}

/// The value of a record's tag pair, unless it has back-references.
fn plain_value<'r>(record: &'r StoredRecord<'_>, roster: &[u32], name: u32) -> Option<&'r [u8]> {
    let at = roster.iter().position(|other| *other == name)?;
    let value: &[u8] = record.values.get(at)?;
    (!has_back_references(value)).then_some(value)
}
