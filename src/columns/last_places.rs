//! The most recent place of each value.

use super::cell::FieldValue;
use super::field::value_key;
use std::hash::{BuildHasher, RandomState};
use std::sync::LazyLock;

/// A random multiplier for each process, so that nobody can craft a file whose values all
/// collide. No result depends on it.
static MULTIPLIER: LazyLock<u64> = LazyLock::new(|| RandomState::new().hash_one(0u8) | 1);

/// A map from each value to its most recent place: an open-addressing hash table
/// with linear probing and a load factor of at most 1/2.
///
/// A block has a few thousand cells, so the table has a fixed capacity. This takes
/// a third of the time of a growing one.
#[derive(Debug, Default)]
pub(super) struct LastPlaces {
    /// 0 marks an empty slot.
    places: Vec<u32>,
    multiplier: u64,
}

impl LastPlaces {
    /// Creates a table for at most `cells` cells.
    pub(super) fn with_capacity(cells: usize) -> LastPlaces {
        LastPlaces {
            places: vec![0; (2 * cells).next_power_of_two()],
            multiplier: *MULTIPLIER,
        }
    }

    /// Sets the place of a value, which is not 0, and returns its previous place,
    /// or 0 if there is none. `is_at` says whether the value is at a place found in
    /// the table. Absent cells and literals are not stored.
    #[inline]
    pub(super) fn replace(
        &mut self,
        cell: FieldValue,
        place: u32,
        is_at: impl Fn(u32) -> bool,
    ) -> u32 {
        let slot = self.slot(cell, is_at);
        let entry = slot.and_then(|slot| self.places.get_mut(slot));
        entry.map_or(0, |entry| std::mem::replace(entry, place))
    }

    /// The place of a value, or 0 if there is none. `is_at` is that of [`Self::replace`].
    #[inline]
    pub(super) fn find(&self, cell: FieldValue, is_at: impl Fn(u32) -> bool) -> u32 {
        let slot = self.slot(cell, is_at);
        let entry = slot.and_then(|slot| self.places.get(slot));
        entry.copied().unwrap_or(0)
    }

    /// The slot of a value, or the empty one where it would be stored.
    #[inline]
    fn slot(&self, cell: FieldValue, is_at: impl Fn(u32) -> bool) -> Option<usize> {
        let key = value_key(cell)?;
        let mask = self.places.len().wrapping_sub(1);
        // The highest bits of the product depend on all bits of the key.
        let bits = self.places.len().max(1).ilog2();
        let hash = key.wrapping_mul(self.multiplier);
        let hash = hash.checked_shr(u64::BITS - bits).unwrap_or(0);
        let mut slot = usize::try_from(hash).unwrap_or(0);
        while let Some(entry) = self.places.get(slot) {
            if *entry == 0 || is_at(*entry) {
                return Some(slot);
            }
            slot = (slot + 1) & mask;
        }
        None
    }
}
