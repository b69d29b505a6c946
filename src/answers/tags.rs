//! The tags of an archive and their values, for completion.

use super::error::ApiError;
use super::open_archive::OpenArchive;
use super::params::Params;
use super::unread::{Unread, remembered};
use crate::text::fold;
use crate::{Archive, Error, Field, FieldValue};
use serde::Serialize;
use std::cmp::Reverse;
use std::sync::Arc;

/// The most values of an answer, and how many it has unless a request says otherwise.
const MAX_VALUES: usize = 1000;
const VALUES: usize = 20;

/// A request for the values with a word, or words, that begin with a prefix.
pub(crate) struct Completion {
    prefix: String,
    limit: usize,
}

#[derive(Serialize)]
pub(super) struct TagNames {
    tags: Vec<String>,
}

#[derive(Serialize)]
pub(super) struct TagValues {
    values: Vec<ValueCount>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unread: Vec<String>,
}

#[derive(Serialize)]
struct ValueCount {
    value: String,
    games: u64,
}

/// The values of a field, the most frequent first.
pub(super) struct Values {
    values: Vec<Value>,
    /// Why games could not be read.
    pub(super) unread: Unread,
}

/// A value, and in how many games it is.
struct Value {
    text: String,
    /// Without case and accents.
    folded: String,
    games: u64,
}

impl Values {
    fn read(archive: &Archive, field: &Field) -> Result<Values, Error> {
        let (column, errors) = archive.readable_values(field)?;
        let mut counts = vec![0u64; column.values().len()];
        for game in column.games() {
            for value in game {
                counts
                    .iter_mut()
                    .skip(*value)
                    .take(1)
                    .for_each(|count| *count += 1);
            }
        }
        let texts = column.values().iter().map(FieldValue::to_string);
        let mut values: Vec<Value> = texts
            .zip(counts)
            .map(|(text, games)| Value {
                folded: fold(&text).into_owned(),
                text,
                games,
            })
            .collect();
        values.sort_by(|a, b| (Reverse(a.games), &a.text).cmp(&(Reverse(b.games), &b.text)));
        Ok(Values {
            values,
            unread: errors.iter().collect(),
        })
    }

    /// The values that complete a prefix, and in how many games they are.
    pub(super) fn completed(&self, completion: &Completion) -> Vec<(String, u64)> {
        let prefix = fold(completion.prefix.trim());
        let is_match = |value: &&Value| begins_word(&value.folded, &prefix);
        let values = self.values.iter().filter(is_match).take(completion.limit);
        values
            .map(|value| (value.text.clone(), value.games))
            .collect()
    }
}

/// Whether a word of a text begins with `prefix`.
fn begins_word(text: &str, prefix: &str) -> bool {
    let mut places = text.match_indices(prefix);
    places.any(|(at, _)| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        before.is_none_or(|before| !before.is_alphanumeric())
    })
}

impl OpenArchive {
    /// The values of a field, remembered after the first time.
    ///
    /// # Errors
    /// The directory of the archive is damaged.
    pub(super) fn values(&self, field: &Field) -> Result<Arc<Values>, ApiError> {
        remembered(&self.values, &field.to_string(), || {
            let values = Values::read(&self.archive, field)?;
            let may_pass = values.unread.may_pass();
            Ok((values, may_pass))
        })
    }
}

impl Completion {
    pub(super) fn read(params: &Params) -> Result<Completion, ApiError> {
        params.only(&["prefix", "limit"])?;
        Ok(Completion {
            prefix: params.text("prefix").unwrap_or_default().to_owned(),
            limit: params.number("limit", 1..=MAX_VALUES, VALUES)?,
        })
    }
}

/// The names of all tags.
pub(super) fn names(open: &OpenArchive) -> Result<TagNames, ApiError> {
    let tags = open.archive.tag_names()?.into_iter().collect();
    Ok(TagNames { tags })
}

/// The values of a tag that have words that begin so.
pub(super) fn values(
    open: &OpenArchive,
    tag: &str,
    completion: &Completion,
) -> Result<TagValues, ApiError> {
    if !open.archive.has_tag(tag)? {
        let tag: String = tag.chars().take(80).collect();
        return Err(ApiError::not_found(format!("no game has a tag {tag:?}")));
    }
    let found = open.values(&Field::tag(tag))?;
    let values = found.completed(completion).into_iter();
    Ok(TagValues {
        values: values
            .map(|(value, games)| ValueCount { value, games })
            .collect(),
        unread: found.unread.reasons().to_vec(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_are_those_of_words() {
        for (text, prefix, begins) in [
            ("carlsen, magnus", "magn", true),
            ("carlsen, magnus", "carlsen, m", true),
            ("carlsen, magnus", "arl", false),
            ("o'kelly de galway", "kelly", true),
            ("", "", true),
            ("a", "ab", false),
        ] {
            assert_eq!(begins_word(text, prefix), begins, "{text} {prefix}");
        }
    }
}
