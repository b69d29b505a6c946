//! Reading the values of tags into the cached columns.

use crate::archive::error::Error;
use crate::archive::read::archive::Archive;
use crate::archive::read::games::BlockGames;
use crate::archive::read::tag_cache::{
    CachedCell, DistinctValues, SHARED_BYTES, TagColumn, size_of_cells,
};
use crate::archive::read::tag_name::TagName;
use crate::columns::FieldValue;
use crate::parallel::lock;
use std::borrow::Cow;
use std::sync::Arc;

/// The value of a game as read from a block.
enum BlockValue<'b> {
    /// A cell that means the same text in every block, and a game of the block that has
    /// it.
    Shared(FieldValue, usize),
    Value(Option<Cow<'b, [u8]>>),
}

impl Archive {
    /// The column of a tag name in a segment, cached or from an index. If there is
    /// neither and `makes` is set, a new column that [`BlockGames::read_cells`] fills,
    /// provided that the cache has the budget for it.
    ///
    /// # Errors
    /// The segment is damaged, or its index cannot be read now.
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
            true => self.derived_column(segment, &open, name)?,
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
    /// columns give them without decoding moves. DistinctValues that need the moves stay unread,
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
        values: &mut DistinctValues,
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
