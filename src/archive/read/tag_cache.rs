//! A cache of the tag columns that queries have read. It lives as long as the open
//! archive, so that a block is opened only once for a column.

use crate::archive::error::Error;
use crate::archive::read::archive::{Archive, lock};
use crate::archive::read::games::BlockGames;
use crate::archive::read::tag_name::TagName;
use crate::columns::FieldValue;
use crate::index::DerivedTag;
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

/// The memory overhead of a distinct value: its entries in the list and the map, and its
/// reference counts.
const VALUE_BYTES: u64 = 96;

/// The memory of an entry of [`Values::shared`].
const SHARED_BYTES: u64 = 48;

/// The encoding of cells: distinct value `n` is `VALUES + n`.
const UNREAD: u32 = 0;
const ABSENT: u32 = 1;
const VALUES: u32 = 2;

/// The cached columns, and the remaining budget in bytes.
#[derive(Debug)]
pub(crate) struct TagCache {
    budget: AtomicU64,
    columns: Mutex<HashMap<(usize, TagName), Arc<TagColumn>>>,
}

/// The values of a tag name in the games of a segment, as far as they have been read.
#[derive(Debug)]
pub(crate) struct TagColumn {
    segment: usize,
    name: TagName,
    /// Whether the cells come from an index.
    is_of_index: bool,
    cells: Vec<AtomicU32>,
    values: RwLock<Values>,
}

/// The distinct values, in the order in which they were found.
#[derive(Debug, Default)]
struct Values {
    list: Vec<Arc<[u8]>>,
    numbers: HashMap<Arc<[u8]>, u32>,
    /// The encoded cells of those block cells that mean the same text in every block.
    shared: HashMap<FieldValue, u32>,
}

/// The value of a game as read from a block.
enum BlockValue<'b> {
    /// A cell that means the same text in every block, and a game of the block that has
    /// it.
    Shared(FieldValue, usize),
    Value(Option<Cow<'b, [u8]>>),
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
    fn reserve(&self, bytes: u64) -> bool {
        let taken = |left: u64| left.checked_sub(bytes);
        let left = &self.budget;
        let taken = left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, taken);
        if taken.is_err() {
            left.store(0, Ordering::Relaxed);
        }
        taken.is_ok()
    }

    fn is_full(&self) -> bool {
        self.budget.load(Ordering::Relaxed) == 0
    }
}

impl TagColumn {
    fn new(segment: usize, name: TagName, games: usize) -> TagColumn {
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
            values: RwLock::new(Values::of(tag.values().iter())),
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
    fn bytes(&self) -> u64 {
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

    /// Calls `see` with the distinct values from number `first` on, in their order.
    pub(crate) fn values_from(&self, first: usize, see: impl FnMut(&[u8])) {
        let values = self.values.read().unwrap_or_else(PoisonError::into_inner);
        let new = values.list.get(first..).unwrap_or_default();
        new.iter().map(|value| &**value).for_each(see);
    }

    /// Caches the values of games. `cell_of` gives the encoded cell, or `None` if the
    /// budget does not suffice.
    fn store<T>(
        &self,
        read: impl IntoIterator<Item = (usize, T)>,
        mut cell_of: impl FnMut(&mut Values, T) -> Option<u32>,
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
fn size_of_cells(games: usize) -> u64 {
    (games as u64).saturating_mul(size_of::<AtomicU32>() as u64)
}

/// The memory of a distinct value, in bytes.
fn bytes_of(value: &[u8]) -> u64 {
    value.len() as u64 + VALUE_BYTES
}

impl Values {
    fn of<'v>(values: impl Iterator<Item = &'v [u8]>) -> Values {
        let list: Vec<Arc<[u8]>> = values.map(Arc::from).collect();
        let numbered = list.iter().map(Arc::clone).zip(0..);
        Values {
            numbers: numbered.collect(),
            list,
            shared: HashMap::new(),
        }
    }

    /// The encoded cell of a value; `None` if the budget does not suffice.
    fn cell_of(&mut self, value: Option<&[u8]>, cache: &TagCache) -> Option<u32> {
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

impl Archive {
    /// The column of a tag name in a segment, cached or from an index. If there is
    /// neither and `makes` is set, a new column that [`BlockGames::read_cells`] fills,
    /// provided that the cache has the budget for it.
    ///
    /// # Errors
    /// The segment is damaged.
    pub(crate) fn tag_column(
        &self,
        segment: usize,
        name: &TagName,
        create: bool,
    ) -> Result<Option<Arc<TagColumn>>, Error> {
        let key = (segment, name.clone());
        if let Some(column) = lock(&self.tag_cache.columns).get(&key) {
            return Ok(Some(Arc::clone(column)));
        }
        let open = self.segment(segment)?;
        let games = usize::try_from(open.segment.index().games()).unwrap_or(usize::MAX);
        let of_index = match name.may_need_moves() {
            true => self.derived_column(segment, &open, name),
            false => None,
        };
        let mut columns = lock(&self.tag_cache.columns);
        // Another thread may have inserted it in the meantime.
        if let Some(column) = columns.get(&key) {
            return Ok(Some(Arc::clone(column)));
        }
        let (column, is_cached) = match of_index {
            Some(column) => {
                let bytes = column.bytes();
                (column, self.tag_cache.reserve(bytes))
            }
            None if create && self.tag_cache.reserve(size_of_cells(games)) => {
                (TagColumn::new(segment, name.clone(), games), true)
            }
            None => return Ok(None),
        };
        let column = Arc::new(column);
        if is_cached {
            columns.insert(key, Arc::clone(&column));
        }
        Ok(Some(column))
    }
}

impl BlockGames<'_> {
    /// Reads the values of a tag name into a column of the segment, as far as the block's
    /// columns give them without decoding moves. Values that need the moves stay unread,
    /// and so do values that cannot be read.
    pub(crate) fn read_cells(&self, column: &TagColumn) {
        if column.segment != self.place().segment() || self.archive().tag_cache.is_full() {
            return;
        }
        let shared = self.shared_cells(&column.name);
        let mut read = Vec::with_capacity(self.len());
        // The last game first: it needs whole columns, so that each is decoded once.
        for game in (0..self.len()).rev() {
            let place = self.place().game_in_segment(game);
            if column.get(place) != CachedCell::Unread {
                continue;
            }
            let cell = shared.as_ref().and_then(|shared| shared(game));
            if let Some(cell) = cell {
                read.push((place, BlockValue::Shared(cell, game)));
            } else if let Ok(Some(value)) = self.tag_without_moves(game, &column.name) {
                read.push((place, BlockValue::Value(value)));
            }
        }
        column.store(read, |values, value| match value {
            BlockValue::Shared(cell, game) => self.cache_shared(values, cell, game, &column.name),
            BlockValue::Value(value) => values.cell_of(value.as_deref(), &self.archive().tag_cache),
        });
    }

    /// The encoded cell of a shared block cell. Its text is looked up once per segment.
    fn cache_shared(
        &self,
        values: &mut Values,
        cell: FieldValue,
        game: usize,
        name: &TagName,
    ) -> Option<u32> {
        if let Some(known) = values.shared.get(&cell) {
            return Some(*known);
        }
        let cache = &self.archive().tag_cache;
        let Ok(Some(text)) = self.shared_text(game, name) else {
            let value = self.tag_without_moves(game, name).ok()??;
            return values.cell_of(value.as_deref(), cache);
        };
        let encoded = values.cell_of(Some(&text), cache)?;
        if cache.reserve(SHARED_BYTES) {
            values.shared.insert(cell, encoded);
        }
        Some(encoded)
    }

    /// The value of the column's tag name, as from [`BlockGames::tag`]. It is cached in
    /// the column if the budget suffices.
    ///
    /// # Errors
    /// The block is damaged.
    pub(crate) fn read_cell(
        &self,
        game: usize,
        column: &TagColumn,
    ) -> Result<Option<Cow<'_, [u8]>>, Error> {
        let value = self.tag(game, &column.name)?;
        if column.segment == self.place().segment() && !self.archive().tag_cache.is_full() {
            let place = self.place().game_in_segment(game);
            column.store([(place, value.as_deref())], |values, value| {
                values.cell_of(value, &self.archive().tag_cache)
            });
        }
        Ok(value)
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
