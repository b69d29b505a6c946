//! Budgets for the decoded size of the records of a block.

use crate::archive::error::ContentError;
use crate::moves::MoveError;
use crate::pgn::MIN_PLY_BYTES;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// All records of a block together may take this many times its raw size. The records of
/// a conforming writer take the raw size in total. With this factor, a few records that
/// are invalid or too large leave enough for the others, in any reading order.
const BUDGET_FACTOR: usize = 16;

/// The budgets of a block, one for each kind of decoded data.
///
/// Forced moves, marks that the distributions predict with certainty, and dictionary
/// values take no packed bytes. So only the raw size bounds them, and each record alone
/// could claim all of it.
#[derive(Debug)]
pub(super) struct DecodeBudgets {
    /// Tag pairs whose values are known before the moves.
    pub(super) tags: DecodeBudget,
    /// Those on which the moves depend, read without the others.
    pub(super) early_tags: DecodeBudget,
    /// Tag values that depend on the moves.
    pub(super) late: DecodeBudget,
    /// Moves and marks.
    pub(super) nodes: DecodeBudget,
    /// Main lines and marks that are decoded without the rest.
    pub(super) main_lines: DecodeBudget,
    /// Moves that are decoded only to be counted.
    pub(super) plies: DecodeBudget,
    /// Marks that are only measured.
    pub(super) measured: DecodeBudget,
    /// The text itself.
    pub(super) text: DecodeBudget,
}

impl DecodeBudgets {
    pub(super) fn new(raw_bytes: usize) -> DecodeBudgets {
        let budget = || DecodeBudget::new(raw_bytes);
        DecodeBudgets {
            tags: budget(),
            early_tags: budget(),
            late: budget(),
            nodes: budget(),
            main_lines: budget(),
            plies: budget(),
            measured: budget(),
            text: budget(),
        }
    }
}

/// A budget in bytes of raw text. Each record may take up to the raw size of the block,
/// all records together [`BUDGET_FACTOR`] times that.
#[derive(Debug)]
pub(super) struct DecodeBudget {
    raw_bytes: usize,
    state: Mutex<BudgetState>,
}

#[derive(Debug)]
struct BudgetState {
    /// The bytes left for records that have not been read yet.
    left: usize,
    /// The limit of each record when it was first read. Later reads get the same limit.
    by_record: BTreeMap<usize, usize>,
}

impl DecodeBudget {
    fn new(raw_bytes: usize) -> DecodeBudget {
        DecodeBudget {
            raw_bytes,
            state: Mutex::new(BudgetState {
                left: raw_bytes.saturating_mul(BUDGET_FACTOR),
                by_record: BTreeMap::new(),
            }),
        }
    }

    /// Calls `read` with the maximum number of raw bytes that the record may take.
    /// `bytes` gives the minimum number of raw bytes that the result takes.
    pub(super) fn read<T>(
        &self,
        record: usize,
        read: impl FnOnce(usize) -> Result<T, ContentError>,
        bytes: impl FnOnce(&T) -> usize,
    ) -> Result<T, ContentError> {
        let (limit, is_known) = {
            let mut taken = self.lock();
            let left = taken.left.min(self.raw_bytes);
            match taken.by_record.entry(record) {
                Entry::Occupied(known) => (*known.get(), true),
                Entry::Vacant(new) => (*new.insert(left), false),
            }
        };
        let decoded = read(limit).and_then(|said| match bytes(&said) {
            bytes if bytes <= limit => Ok((said, bytes)),
            _ => Err(ContentError::Invalid("decoded size exceeds the raw size")),
        });
        if !is_known {
            let spent = decoded.as_ref().map(|(_, bytes)| *bytes);
            let took = spent.unwrap_or_else(|error| cost(error, limit));
            let mut taken = self.lock();
            taken.left = taken.left.saturating_sub(took);
        }
        decoded.map(|(said, _)| said)
    }

    fn lock(&self) -> MutexGuard<'_, BudgetState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The cost of a record that could not be read, as a number of raw bytes; `most` was its
/// limit.
fn cost(error: &ContentError, most: usize) -> usize {
    match error {
        // Decoding stopped at the reader's limit of plies, and the text of the record is
        // longer than that. All such records of a block together cost no more than its
        // raw size.
        ContentError::Moves(MoveError::TooManyPlies { limit, .. }) => {
            let bytes = usize::try_from(*limit).unwrap_or(usize::MAX);
            bytes.saturating_mul(MIN_PLY_BYTES).min(most)
        }
        // It may be read later.
        error if !error.is_loss() => 0,
        _ => most,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn take(budget: &DecodeBudget, record: usize, wanted: usize) -> Result<usize, ContentError> {
        let read = |most| match wanted <= most {
            true => Ok(wanted),
            false => Err(ContentError::Invalid("too much")),
        };
        budget.read(record, read, |bytes| *bytes)
    }

    #[test]
    fn records_share_the_budget() {
        let budget = DecodeBudget::new(10);
        for record in 0..BUDGET_FACTOR {
            assert_eq!(take(&budget, record, 9), Ok(9));
        }
        // Each of them left one byte.
        assert!(take(&budget, BUDGET_FACTOR, 11).is_err());
        assert_eq!(take(&budget, BUDGET_FACTOR + 1, 6), Ok(6));
        assert!(take(&budget, BUDGET_FACTOR + 2, 1).is_err());
        // Reading a record again costs nothing.
        assert_eq!(take(&budget, 0, 9), Ok(9));
    }

    #[test]
    fn a_record_over_its_limit_is_refused_each_time() {
        let budget = DecodeBudget::new(10);
        let read = |record, wanted| budget.read(record, |_| Ok(wanted), |bytes| *bytes);
        for record in 1..BUDGET_FACTOR {
            assert!(read(record, 11).is_err());
            assert!(read(record, 11).is_err());
        }
        assert_eq!(read(0, 10), Ok(10));
        assert!(read(BUDGET_FACTOR, 1).is_err());
        assert_eq!(read(0, 10), Ok(10));
    }

    #[test]
    fn records_beyond_a_limit_of_the_reader_cost_the_others_nothing() {
        let budget = DecodeBudget::new(100);
        for record in 1..90 {
            let error = MoveError::TooManyPlies { plies: 2, limit: 1 };
            let read = budget.read(record, |_| Err::<usize, _>(error.into()), |bytes| *bytes);
            assert!(read.is_err());
        }
        assert_eq!(take(&budget, 0, 100), Ok(100));
    }
}
