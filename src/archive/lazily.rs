//! Values that are made when they are first asked for.

use super::error::ContentError;
use std::sync::OnceLock;

/// Something of the records of a block, made at first as far as it is asked for
/// and then, if more is asked for, of all records.
///
/// So reading one record costs no more than those before it, and reading all
/// costs each at most twice.
#[derive(Debug)]
pub(super) struct Lazily<T> {
    first: OnceLock<(usize, Result<T, ContentError>)>,
    all: OnceLock<Result<T, ContentError>>,
}

impl<T> Default for Lazily<T> {
    fn default() -> Self {
        Lazily {
            first: OnceLock::new(),
            all: OnceLock::new(),
        }
    }
}

impl<T> Lazily<T> {
    /// What `make` gives for the first `wanted` records at least, of `records`.
    pub(super) fn get(
        &self,
        wanted: usize,
        records: usize,
        make: impl Fn(usize) -> Result<T, ContentError>,
    ) -> Result<&T, ContentError> {
        let made = match self.all.get() {
            Some(all) => all,
            None if wanted >= records => self.all.get_or_init(|| make(records)),
            None => match self.first.get_or_init(|| (wanted, make(wanted))) {
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
        let lazily = Lazily::default();
        let get = |wanted| lazily.get(wanted, 10, Ok).copied();
        assert_eq!([get(3), get(2), get(3)], [Ok(3), Ok(3), Ok(3)]);
        assert_eq!([get(4), get(1), get(10)], [Ok(10), Ok(10), Ok(10)]);
    }

    #[test]
    fn errors_stay() {
        let lazily: Lazily<()> = Lazily::default();
        let error = ContentError::Invalid("no");
        assert_eq!(lazily.get(1, 2, |_| Err(error.clone())), Err(error.clone()));
        assert_eq!(lazily.get(1, 2, |_| Ok(())), Err(error));
        assert_eq!(lazily.get(2, 2, |_| Ok(())), Ok(&()));
    }
}
