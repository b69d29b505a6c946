//! The tags of an archive and their values, for completion.

use super::App;
use super::error::ApiError;
use super::library::OpenArchive;
use super::params::{Params, Path};
use crate::text::fold;
use crate::{Archive, Error, Field, FieldValue};
use axum::Json;
use axum::extract::State;
use serde::Serialize;
use std::cmp::Reverse;
use std::sync::Arc;

/// The most values of an answer, and how many it has unless a request says otherwise.
pub(super) const MAX_VALUES: usize = 1000;
pub(super) const VALUES: usize = 20;

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
    pub(super) unread: Vec<String>,
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
            unread: errors.iter().map(ToString::to_string).collect(),
        })
    }

    /// The values with a word, or words, that begin with `prefix`, and in how many games they are.
    pub(super) fn with_prefix(&self, prefix: &str, limit: usize) -> Vec<(String, u64)> {
        let prefix = fold(prefix.trim());
        let is_match = |value: &&Value| begins_word(&value.folded, &prefix);
        let values = self.values.iter().filter(is_match).take(limit);
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
        self.values.get_or_insert_with(&field.to_string(), || {
            Ok(Arc::new(Values::read(&self.archive, field)?))
        })
    }
}

/// The parameters of a completion.
pub(super) fn completion(params: &Params) -> Result<(String, usize), ApiError> {
    params.only(&["prefix", "limit"])?;
    let prefix = params.text("prefix").unwrap_or_default().to_owned();
    Ok((prefix, params.number("limit", 1..=MAX_VALUES, VALUES)?))
}

/// `/api/archives/{archive}/tags`.
pub(super) async fn names(
    State(app): State<Arc<App>>,
    Path(archive): Path<String>,
    params: Params,
) -> Result<Json<TagNames>, ApiError> {
    params.only(&[])?;
    let shared = Arc::clone(&app);
    let names = app.workers.run(move || {
        let open = shared.library.archive(&archive)?.open()?;
        let tags = open.archive.tag_names()?.into_iter().collect();
        Ok(TagNames { tags })
    });
    names.await.map(Json)
}

/// `/api/archives/{archive}/tags/{tag}`.
pub(super) async fn values(
    State(app): State<Arc<App>>,
    Path((archive, tag)): Path<(String, String)>,
    params: Params,
) -> Result<Json<TagValues>, ApiError> {
    let (prefix, limit) = completion(&params)?;
    let shared = Arc::clone(&app);
    let values = app.workers.run(move || {
        let open = shared.library.archive(&archive)?.open()?;
        if !open.archive.has_tag(&tag)? {
            let tag: String = tag.chars().take(80).collect();
            return Err(ApiError::not_found(format!("no game has a tag {tag:?}")));
        }
        let found = open.values(&Field::tag(&tag))?;
        let values = found.with_prefix(&prefix, limit).into_iter();
        Ok(TagValues {
            values: values
                .map(|(value, games)| ValueCount { value, games })
                .collect(),
            unread: found.unread.clone(),
        })
    });
    values.await.map(Json)
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
