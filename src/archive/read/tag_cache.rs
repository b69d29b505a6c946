//! A cache of the tag columns that queries have read. It lives as long as the open
//! archive, so that a block is opened only once for a column. `tag_columns` fills it.

use crate::archive::read::tag_name::TagName;
use crate::columns::FieldValue;
use crate::index::DerivedTag;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

/// The memory overhead of a distinct value: its entries in the list and the map, and its
/// reference counts.
const VALUE_BYTES: u64 = 96;

/// The memory of an entry of [`DistinctValues::shared`].
pub(super) const SHARED_BYTES: u64 = 48;

/// The encoding of cells: distinct value `n` is `VALUES + n`.
const UNREAD: u32 = 0;
const ABSENT: u32 = 1;
const VALUES: u32 = 2;

/// The cached columns, and the remaining budget in bytes.
#[derive(Debug)]
pub(crate) struct TagCache {
    budget: AtomicU64,
    pub(super) columns: Mutex<HashMap<(usize, TagName), Arc<TagColumn>>>,
}

/// The values of a tag name in the games of a segment, as far as they have been read.
#[derive(Debug)]
pub(crate) struct TagColumn {
    pub(super) segment: usize,
    pub(super) name: TagName,
    /// Whether the cells come from an index.
    is_of_index: bool,
    cells: Vec<AtomicU32>,
    values: RwLock<DistinctValues>,
}

/// The distinct values, in the order in which they were found.
#[derive(Debug, Default)]
pub(super) struct DistinctValues {
    list: Vec<Arc<[u8]>>,
    numbers: HashMap<Arc<[u8]>, u32>,
    /// The encoded cells of those block cells that mean the same text in every block.
    pub(super) shared: HashMap<FieldValue, u32>,
}

/// The cached value of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CachedCell {
    /// Not cached; it must be read from the block.
    Unread,
    /// The game has no tag pair with this name.
    Absent,
    /// The number of one of the column's distinct values.
    Value(usize),
}

impl TagCache {
    /// An empty cache with a budget of this many bytes.
    pub(crate) fn new(budget: u64) -> TagCache {
        TagCache {
            budget: AtomicU64::new(budget),
            columns: Mutex::default(),
        }
    }

    /// Reserves cache budget. If it does not suffice, the budget drops to 0 and nothing
    /// more is cached.
    pub(super) fn reserve(&self, bytes: u64) -> bool {
        let taken = |left: u64| left.checked_sub(bytes);
        let left = &self.budget;
        let taken = left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, taken);
        if taken.is_err() {
            left.store(0, Ordering::Relaxed);
        }
        taken.is_ok()
    }

    pub(super) fn is_full(&self) -> bool {
        self.budget.load(Ordering::Relaxed) == 0
    }
}

impl TagColumn {
    pub(super) fn new(segment: usize, name: TagName, games: usize) -> TagColumn {
        TagColumn {
            segment,
            name,
            is_of_index: false,
            cells: (0..games).map(|_| AtomicU32::new(UNREAD)).collect(),
            values: RwLock::default(),
        }
    }

    /// The values of a tag from an index; the games in `unread` stay unread.
    pub(crate) fn from_index(
        segment: usize,
        name: TagName,
        tag: &DerivedTag,
        unread: &[u32],
    ) -> TagColumn {
        let cell = |value: Option<u32>| value.map_or(ABSENT, |value| value.saturating_add(VALUES));
        let cells = tag.games().map(|value| AtomicU32::new(cell(value)));
        let column = TagColumn {
            segment,
            name,
            is_of_index: true,
            cells: cells.collect(),
            values: RwLock::new(DistinctValues::of(tag.values().iter())),
        };
        for game in unread {
            let game = usize::try_from(*game).ok();
            if let Some(cell) = game.and_then(|game| column.cells.get(game)) {
                cell.store(UNREAD, Ordering::Release);
            }
        }
        column
    }

    /// Whether the cells come from an index. A few games may still be unread.
    pub(crate) fn is_from_index(&self) -> bool {
        self.is_of_index
    }

    /// The memory of the column, in bytes.
    pub(super) fn bytes(&self) -> u64 {
        let values = self.values.read().unwrap_or_else(PoisonError::into_inner);
        let values = values.list.iter().map(|value| bytes_of(value));
        size_of_cells(self.cells.len()) + values.sum::<u64>()
    }

    /// The cell of a game, numbered from 0 in the segment.
    #[inline]
    pub(crate) fn get(&self, game: usize) -> CachedCell {
        // The acquiring load makes the value with this number visible.
        let cell = self.cells.get(game);
        let cell = cell.map_or(UNREAD, |cell| cell.load(Ordering::Acquire));
        match cell.checked_sub(VALUES) {
            Some(number) => usize::try_from(number).map_or(CachedCell::Unread, CachedCell::Value),
            None if cell == ABSENT => CachedCell::Absent,
            None => CachedCell::Unread,
        }
    }

    /// The distinct value with this number.
    pub(crate) fn value(&self, number: usize) -> Option<Arc<[u8]>> {
        let values = self.values.read().unwrap_or_else(PoisonError::into_inner);
        values.list.get(number).map(Arc::clone)
    }

    /// Calls `see` with the distinct values from number `first` on, in their order.
    pub(crate) fn values_from(&self, first: usize, see: impl FnMut(&[u8])) {
        let values = self.values.read().unwrap_or_else(PoisonError::into_inner);
        let new = values.list.get(first..).unwrap_or_default();
        new.iter().map(|value| &**value).for_each(see);
    }

    /// Caches the values of games. `cell_of` gives the encoded cell, or `None` if the
    /// budget does not suffice.
    pub(super) fn store<T>(
        &self,
        read: impl IntoIterator<Item = (usize, T)>,
        mut cell_of: impl FnMut(&mut DistinctValues, T) -> Option<u32>,
    ) {
        let mut values = self.values.write().unwrap_or_else(PoisonError::into_inner);
        for (game, value) in read {
            let cell = cell_of(&mut values, value);
            if let (Some(cell), Some(at)) = (cell, self.cells.get(game)) {
                at.store(cell, Ordering::Release);
            }
        }
    }
}

/// The memory of the cells of this many games, in bytes.
pub(super) fn size_of_cells(games: usize) -> u64 {
    (games as u64).saturating_mul(size_of::<AtomicU32>() as u64)
}

/// The memory of a distinct value, in bytes.
fn bytes_of(value: &[u8]) -> u64 {
    value.len() as u64 + VALUE_BYTES
}

impl DistinctValues {
    fn of<'v>(values: impl Iterator<Item = &'v [u8]>) -> DistinctValues {
        let list: Vec<Arc<[u8]>> = values.map(Arc::from).collect();
        let numbered = list.iter().map(Arc::clone).zip(0..);
        DistinctValues {
            numbers: numbered.collect(),
            list,
            shared: HashMap::new(),
        }
    }

    /// The encoded cell of a value; `None` if the budget does not suffice.
    pub(super) fn cell_of(&mut self, value: Option<&[u8]>, cache: &TagCache) -> Option<u32> {
        let Some(value) = value else {
            return Some(ABSENT);
        };
        if let Some(number) = self.numbers.get(value) {
            return Some(number + VALUES);
        }
        let number = u32::try_from(self.list.len()).ok()?;
        let cell = number.checked_add(VALUES)?;
        if !cache.reserve(bytes_of(value)) {
            return None;
        }
        let value: Arc<[u8]> = value.into();
        self.list.push(Arc::clone(&value));
        self.numbers.insert(value, number);
        Some(cell)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(column: &TagColumn) -> Vec<Vec<u8>> {
        let mut values = Vec::new();
        column.values_from(0, |value| values.push(value.to_vec()));
        values
    }

    #[test]
    fn cells_are_cached_within_the_budget() {
        let column = TagColumn::new(0, TagName::default(), 4);
        let cache = TagCache::new(2 * VALUE_BYTES + 3);
        let keep = |game, value: Option<&'static [u8]>| {
            column.store([(game, value)], |values, value| {
                values.cell_of(value, &cache)
            });
            column.get(game)
        };
        assert_eq!(column.get(0), CachedCell::Unread);
        assert_eq!(keep(0, Some(b"ab")), CachedCell::Value(0));
        assert_eq!(keep(1, None), CachedCell::Absent);
        assert_eq!(keep(2, Some(b"c")), CachedCell::Value(1));
        assert_eq!(keep(3, Some(b"")), CachedCell::Unread);
        assert!(cache.is_full());
        assert_eq!(keep(3, Some(b"ab")), CachedCell::Value(0));
        assert_eq!(
            (keep(4, None), column.get(4)),
            (CachedCell::Unread, CachedCell::Unread)
        );
        assert_eq!(values(&column), [&b"ab"[..], b"c"]);
    }
}
