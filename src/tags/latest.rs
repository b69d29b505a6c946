//! Where each value stood last so far.

use super::cell::Cell;
use super::field::map_key;
use std::hash::{BuildHasher, RandomState};
use std::sync::LazyLock;

/// Another in each run, so that no one can write a block whose values fall on one
/// place. What is found does not depend on it.
static MULTIPLIER: LazyLock<u64> = LazyLock::new(|| RandomState::new().hash_one(0u8) | 1);

/// Where each value stood last so far: a table of places, in which that of a value
/// follows from it, or is the next free one behind. Half of it stays free.
///
/// A block has a few thousand cells and needs no table that grows; this one takes a
/// third of the time.
#[derive(Debug, Default)]
pub(super) struct Latest {
    /// 0 where there is none.
    places: Vec<u32>,
    multiplier: u64,
}

impl Latest {
    /// A table for at most so many cells.
    pub(super) fn with_room(cells: usize) -> Latest {
        Latest {
            places: vec![0; (2 * cells).next_power_of_two()],
            multiplier: *MULTIPLIER,
        }
    }

    /// Notes that a value stands at a place, which is not 0; gives where it stood
    /// before, or 0. `is_at` tells whether it does at a place of the table. What is
    /// absent and literals stand nowhere.
    #[inline]
    pub(super) fn replace(&mut self, cell: Cell, place: u32, is_at: impl Fn(u32) -> bool) -> u32 {
        let Some(key) = map_key(cell) else {
            return 0;
        };
        let mask = self.places.len().wrapping_sub(1);
        // The highest bits, which all of the key has a part in.
        let bits = self.places.len().max(1).ilog2();
        let hash = key.wrapping_mul(self.multiplier);
        let hash = hash.checked_shr(u64::BITS - bits).unwrap_or(0);
        let mut at = usize::try_from(hash).unwrap_or(0);
        while let Some(known) = self.places.get_mut(at) {
            if *known == 0 || is_at(*known) {
                return std::mem::replace(known, place);
            }
            at = (at + 1) & mask;
        }
        0
    }
}
