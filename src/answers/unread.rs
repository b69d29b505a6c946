//! Why games are missing in an answer, and whether it is remembered.

use super::error::ApiError;
use crate::Error;
use quick_cache::Weighter;
use quick_cache::sync::Cache;
use std::collections::HashSet;
use std::sync::Arc;

/// Why games are missing in an answer.
#[derive(Debug, Clone, Default)]
pub(super) struct Unread {
    reasons: Vec<String>,
    /// Whether they may be there if the question is asked again.
    may_pass: bool,
}

impl Unread {
    pub(super) fn add(&mut self, error: &Error) {
        self.reasons.push(error.to_string());
        self.may_pass |= error.may_pass();
    }

    /// Leaves each reason once: several parts of the work may meet the same damage.
    pub(super) fn dedup(&mut self) {
        let mut known = HashSet::new();
        self.reasons.retain(|why| known.insert(why.clone()));
    }

    pub(super) fn reasons(&self) -> &[String] {
        &self.reasons
    }

    pub(super) fn may_pass(&self) -> bool {
        self.may_pass
    }
}

/// Refuses an answer that would lack games which may be there another time, where what is damaged is
/// reported by the explorer.
///
/// # Errors
/// The first of these errors.
pub(super) fn refuse_passing(errors: Vec<Error>) -> Result<(), ApiError> {
    match errors.into_iter().find(Error::may_pass) {
        Some(error) => Err(error.into()),
        None => Ok(()),
    }
}

impl<'e> FromIterator<&'e Error> for Unread {
    fn from_iter<I: IntoIterator<Item = &'e Error>>(errors: I) -> Unread {
        let mut unread = Unread::default();
        errors.into_iter().for_each(|error| unread.add(error));
        unread
    }
}

/// The value of a key, which is made if it is not remembered. `make` also returns whether games are
/// missing in it that may be there another time; then it is not remembered.
pub(super) fn remembered<T, W: Weighter<String, Arc<T>> + Clone>(
    cache: &Cache<String, Arc<T>, W>,
    key: &str,
    make: impl FnOnce() -> Result<(T, bool), ApiError>,
) -> Result<Arc<T>, ApiError> {
    let made = cache.get_or_insert_with(key, || match make() {
        Ok((value, false)) => Ok(Arc::new(value)),
        Ok((value, true)) => Err(Ok(Arc::new(value))),
        Err(error) => Err(Err(error)),
    });
    made.or_else(|not_remembered| not_remembered)
}
