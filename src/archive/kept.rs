//! The cells of tag columns that have been read for queries. They are kept while the
//! archive is open, so that a block is opened for them once.

use super::error::ArchiveError;
use super::games::BlockGames;
use super::reader::{Archive, lock};
use super::tag_name::TagName;
use crate::index::DerivedTag;
use crate::tags::Cell;
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

/// What a value takes beside its bytes: its place in the list, in the map, and its
/// counters.
const VALUE_BYTES: u64 = 96;

/// What a cell takes that is known to stand for a value.
const SHARED_BYTES: u64 = 48;

/// Cells as they are held: a value has its number plus 2.
const UNREAD: u32 = 0;
const ABSENT: u32 = 1;
const VALUES: u32 = 2;

/// The columns that are kept, and what room is left for more.
#[derive(Debug)]
pub(super) struct KeptColumns {
    room: AtomicU64,
    columns: Mutex<HashMap<(usize, TagName), Arc<TagColumn>>>,
}

/// The values of one tag name in the games of a segment, as far as they have been read.
#[derive(Debug)]
pub(crate) struct TagColumn {
    segment: usize,
    name: TagName,
    /// Whether an index has told the cells.
    is_of_index: bool,
    cells: Vec<AtomicU32>,
    values: RwLock<Values>,
}

/// Distinct values, in the order in which they were found.
#[derive(Debug, Default)]
struct Values {
    list: Vec<Arc<[u8]>>,
    numbers: HashMap<Arc<[u8]>, u32>,
    /// What stands for the cells of blocks that are the same text in all of them.
    shared: HashMap<Cell, u32>,
}

/// What the columns of a block tell of a game.
enum Told<'b> {
    /// A text that other games share, in this game of the block.
    Shared(Cell, usize),
    Value(Option<Cow<'b, [u8]>>),
}

/// What is known of the value of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KeptCell {
    /// Nothing: it has to be read.
    Unread,
    /// The game has no such tag pair.
    Absent,
    /// It is one of the column's distinct values.
    Value(usize),
}

impl KeptColumns {
    /// Nothing, with room for so many bytes.
    pub(super) fn new(room: u64) -> KeptColumns {
        KeptColumns {
            room: AtomicU64::new(room),
            columns: Mutex::default(),
        }
    }

    /// Takes some of the room, if there is as much; if not, nothing more is kept.
    fn take(&self, bytes: u64) -> bool {
        let taken = |room: u64| room.checked_sub(bytes);
        let room = &self.room;
        let taken = room.fetch_update(Ordering::Relaxed, Ordering::Relaxed, taken);
        if taken.is_err() {
            room.store(0, Ordering::Relaxed);
        }
        taken.is_ok()
    }

    fn is_full(&self) -> bool {
        self.room.load(Ordering::Relaxed) == 0
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

    /// What an index tells of a tag, but for some games that stay unread.
    pub(super) fn of_index(
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

    /// Whether an index has told it, but perhaps for a few games.
    pub(crate) fn is_of_index(&self) -> bool {
        self.is_of_index
    }

    /// What it takes, in bytes.
    fn bytes(&self) -> u64 {
        let values = self.values.read().unwrap_or_else(PoisonError::into_inner);
        let values = values.list.iter().map(|value| bytes_of(value));
        size_of_cells(self.cells.len()) + values.sum::<u64>()
    }

    /// What is known of a game, counted from 0 in the segment.
    #[inline]
    pub(crate) fn get(&self, game: usize) -> KeptCell {
        // Whoever sees a number sees the value that has it.
        let cell = self.cells.get(game);
        let cell = cell.map_or(UNREAD, |cell| cell.load(Ordering::Acquire));
        match cell.checked_sub(VALUES) {
            Some(number) => usize::try_from(number).map_or(KeptCell::Unread, KeptCell::Value),
            None if cell == ABSENT => KeptCell::Absent,
            None => KeptCell::Unread,
        }
    }

    /// Gives the distinct values from a number on to `see`, in their order.
    pub(crate) fn values_from(&self, first: usize, see: impl FnMut(&[u8])) {
        let values = self.values.read().unwrap_or_else(PoisonError::into_inner);
        let new = values.list.get(first..).unwrap_or_default();
        new.iter().map(|value| &**value).for_each(see);
    }

    /// Keeps what games have: of each, `cell_of` gives the cell, if there is room for it.
    fn keep<T>(
        &self,
        read: impl IntoIterator<Item = (usize, T)>,
        mut cell_of: impl FnMut(&mut Values, T) -> Option<u32>,
    ) {
        let mut values = self.values.write().unwrap_or_else(PoisonError::into_inner);
        for (game, told) in read {
            let cell = cell_of(&mut values, told);
            if let (Some(cell), Some(at)) = (cell, self.cells.get(game)) {
                at.store(cell, Ordering::Release);
            }
        }
    }
}

/// What the cells of games take, in bytes.
fn size_of_cells(games: usize) -> u64 {
    (games as u64).saturating_mul(size_of::<AtomicU32>() as u64)
}

/// What a value takes, in bytes.
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

    /// The cell that stands for a value; `None` if there is no room for it.
    fn cell_of(&mut self, value: Option<&[u8]>, kept: &KeptColumns) -> Option<u32> {
        let Some(value) = value else {
            return Some(ABSENT);
        };
        if let Some(number) = self.numbers.get(value) {
            return Some(number + VALUES);
        }
        let number = u32::try_from(self.list.len()).ok()?;
        let cell = number.checked_add(VALUES)?;
        if !kept.take(bytes_of(value)) {
            return None;
        }
        let value: Arc<[u8]> = value.into();
        self.list.push(Arc::clone(&value));
        self.numbers.insert(value, number);
        Some(cell)
    }
}

impl Archive {
    /// What is kept of the values of a tag name in a segment, or told by an index. If
    /// that is nothing, and `makes` is set, a column in which [`BlockGames::read_cells`]
    /// keeps them, if there is room.
    ///
    /// # Errors
    /// The segment is damaged.
    pub(crate) fn tag_column(
        &self,
        segment: usize,
        name: &TagName,
        makes: bool,
    ) -> Result<Option<Arc<TagColumn>>, ArchiveError> {
        let key = (segment, name.clone());
        if let Some(column) = lock(&self.kept.columns).get(&key) {
            return Ok(Some(Arc::clone(column)));
        }
        let open = self.segment(segment)?;
        let games = usize::try_from(open.segment.index().games()).unwrap_or(usize::MAX);
        let of_index = match name.may_need_moves() {
            true => self.derived_column(segment, &open, name),
            false => None,
        };
        let mut columns = lock(&self.kept.columns);
        // Another thread may have been quicker.
        if let Some(column) = columns.get(&key) {
            return Ok(Some(Arc::clone(column)));
        }
        let (column, is_kept) = match of_index {
            Some(column) => {
                let bytes = column.bytes();
                (column, self.kept.take(bytes))
            }
            None if makes && self.kept.take(size_of_cells(games)) => {
                (TagColumn::new(segment, name.clone(), games), true)
            }
            None => return Ok(None),
        };
        let column = Arc::new(column);
        if is_kept {
            columns.insert(key, Arc::clone(&column));
        }
        Ok(Some(column))
    }
}

impl BlockGames<'_> {
    /// Reads the values of a tag name that the block's columns tell at once, and keeps
    /// them in a column of its segment. What takes more, as decoding moves, stays unread,
    /// and so does what cannot be read.
    pub(crate) fn read_cells(&self, column: &TagColumn) {
        if column.segment != self.place().segment() || self.archive().kept.is_full() {
            return;
        }
        let shared = self.shared_cells(&column.name);
        let mut read = Vec::with_capacity(self.len());
        // The last first: what it needs of a column is all of it, read once.
        for game in (0..self.len()).rev() {
            let place = self.place().game_in_segment(game);
            if column.get(place) != KeptCell::Unread {
                continue;
            }
            let cell = shared.as_ref().and_then(|shared| shared(game));
            if let Some(cell) = cell {
                read.push((place, Told::Shared(cell, game)));
            } else if let Ok(Some(value)) = self.tag_at_once(game, &column.name) {
                read.push((place, Told::Value(value)));
            }
        }
        column.keep(read, |values, told| match told {
            Told::Shared(cell, game) => self.keep_shared(values, cell, game, &column.name),
            Told::Value(value) => values.cell_of(value.as_deref(), &self.archive().kept),
        });
    }

    /// What stands for a cell of a game, which is looked up once for all games.
    fn keep_shared(
        &self,
        values: &mut Values,
        cell: Cell,
        game: usize,
        name: &TagName,
    ) -> Option<u32> {
        if let Some(known) = values.shared.get(&cell) {
            return Some(*known);
        }
        let kept = &self.archive().kept;
        let Ok(Some(text)) = self.shared_text(game, name) else {
            let value = self.tag_at_once(game, name).ok()??;
            return values.cell_of(value.as_deref(), kept);
        };
        let stands = values.cell_of(Some(&text), kept)?;
        if kept.take(SHARED_BYTES) {
            values.shared.insert(cell, stands);
        }
        Some(stands)
    }

    /// The value of a column's tag name, as [`BlockGames::tag`] gives it; it is kept in
    /// the column, if there is room.
    ///
    /// # Errors
    /// The block is damaged.
    pub(crate) fn read_cell(
        &self,
        game: usize,
        column: &TagColumn,
    ) -> Result<Option<Cow<'_, [u8]>>, ArchiveError> {
        let value = self.tag(game, &column.name)?;
        if column.segment == self.place().segment() && !self.archive().kept.is_full() {
            let place = self.place().game_in_segment(game);
            column.keep([(place, value.as_deref())], |values, value| {
                values.cell_of(value, &self.archive().kept)
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
    fn cells_are_kept_while_there_is_room() {
        let column = TagColumn::new(0, TagName::default(), 4);
        let kept = KeptColumns::new(2 * VALUE_BYTES + 3);
        let keep = |game, value: Option<&'static [u8]>| {
            column.keep([(game, value)], |values, value| {
                values.cell_of(value, &kept)
            });
            column.get(game)
        };
        assert_eq!(column.get(0), KeptCell::Unread);
        assert_eq!(keep(0, Some(b"ab")), KeptCell::Value(0));
        assert_eq!(keep(1, None), KeptCell::Absent);
        assert_eq!(keep(2, Some(b"c")), KeptCell::Value(1));
        assert_eq!(keep(3, Some(b"")), KeptCell::Unread);
        assert!(kept.is_full());
        assert_eq!(keep(3, Some(b"ab")), KeptCell::Value(0));
        assert_eq!(
            (keep(4, None), column.get(4)),
            (KeptCell::Unread, KeptCell::Unread)
        );
        assert_eq!(values(&column), [&b"ab"[..], b"c"]);
    }
}
