//! Values that are computed when they are first needed.

use crate::archive::error::ContentError;
use std::sync::OnceLock;

/// A value computed from the records of a block: on first use, from as many
/// records as are needed; if more are needed later, from all records.
///
/// So reading one record costs no more than the records up to it, and reading
/// all records computes each at most twice.
#[derive(Debug)]
pub(crate) struct LazyPrefix<T> {
    prefix: OnceLock<(usize, Result<T, ContentError>)>,
    all: OnceLock<Result<T, ContentError>>,
}

impl<T> Default for LazyPrefix<T> {
    fn default() -> Self {
        LazyPrefix {
            prefix: OnceLock::new(),
            all: OnceLock::new(),
        }
    }
}

impl<T> LazyPrefix<T> {
    /// The number of records for which [`Lazily::get`] would compute the value
    /// now; `None` if it would compute nothing.
    pub(crate) fn to_make(&self, wanted: usize, records: usize) -> Option<usize> {
        match (self.all.get(), self.prefix.get()) {
            (Some(_), _) => None,
            (None, Some((enough, _))) if *enough >= wanted => None,
            (None, None) => Some(wanted),
            _ => Some(records),
        }
    }

    /// The result of `make` for at least the first `wanted` of all `records`
    /// records.
    pub(crate) fn get(
        &self,
        wanted: usize,
        records: usize,
        make: impl Fn(usize) -> Result<T, ContentError>,
    ) -> Result<&T, ContentError> {
        // A value that was computed stays valid if a later computation fails.
        if let Some((enough, Ok(first))) = self.prefix.get()
            && *enough >= wanted
        {
            return Ok(first);
        }
        let made = match self.all.get() {
            Some(all) => all,
            None if wanted >= records => self.all.get_or_init(|| make(records)),
            None => match self.prefix.get_or_init(|| (wanted, make(wanted))) {
                (enough, first) if *enough >= wanted => first,
                _ => self.all.get_or_init(|| make(records)),
            },
        };
        made.as_ref().map_err(Clone::clone)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_than_at_first_is_all() {
        let lazily = LazyPrefix::default();
        let get = |wanted| lazily.get(wanted, 10, Ok).copied();
        assert_eq!([get(3), get(2), get(3)], [Ok(3), Ok(3), Ok(3)]);
        assert_eq!([get(4), get(1), get(10)], [Ok(10), Ok(3), Ok(10)]);
    }

    #[test]
    fn what_was_read_stays_where_more_cannot_be() {
        let lazily = LazyPrefix::default();
        let make = |records| match records {
            10 => Err(ContentError::Invalid("no")),
            records => Ok(records),
        };
        assert_eq!(lazily.get(3, 10, make), Ok(&3));
        assert!(lazily.get(4, 10, make).is_err());
        assert_eq!(lazily.get(2, 10, make), Ok(&3));
        assert_eq!(lazily.to_make(3, 10), None);
    }

    #[test]
    fn errors_stay() {
        let lazily: LazyPrefix<()> = LazyPrefix::default();
        let error = ContentError::Invalid("no");
        assert_eq!(lazily.get(1, 2, |_| Err(error.clone())), Err(error.clone()));
        assert_eq!(lazily.get(1, 2, |_| Ok(())), Err(error));
        assert_eq!(lazily.get(2, 2, |_| Ok(())), Ok(&()));
    }
}
