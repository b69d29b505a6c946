//! Reading the values of a tag in the games of a block. Each distinct value of a segment is read
//! once.

use super::block::{GameSet, QueryBlock, ones};
use crate::archive::{Archive, BlockPlace, CachedCell, Error, TagColumn, TagName};
use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};

/// Reads the bytes of a value; `None` is a missing tag.
type ReadValue<'q, T> = dyn Fn(Option<&[u8]>) -> T + Send + Sync + 'q;

/// A tag, prepared for a segment. `T` is what its values are read as; a missing value too.
pub(super) struct TagReader<'q, T> {
    name: TagName,
    read: Box<ReadValue<'q, T>>,
    column: Option<Arc<TagColumn>>,
    /// Whether all games of a block are tested.
    is_whole: bool,
    /// What the distinct values of the column are read as, as far as they have been.
    known: RwLock<Vec<T>>,
}

impl<T: fmt::Debug> fmt::Debug for TagReader<'_, T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = out.debug_struct("TagReader");
        out.field("name", &self.name).finish_non_exhaustive()
    }
}

impl<'q, T: Copy> TagReader<'q, T> {
    pub(super) fn new(
        archive: &Archive,
        segment: usize,
        name: TagName,
        is_whole: bool,
        read: impl Fn(Option<&[u8]>) -> T + Send + Sync + 'q,
    ) -> Result<TagReader<'q, T>, Error> {
        Ok(TagReader {
            column: archive.tag_column(segment, &name, is_whole)?,
            name,
            read: Box::new(read),
            is_whole,
            known: RwLock::default(),
        })
    }

    /// Whether moves may have to be decoded.
    pub(super) fn may_need_moves(&self) -> bool {
        let is_of_index = |column: &Arc<TagColumn>| column.is_from_index();
        self.name.may_need_moves() && !self.column.as_ref().is_some_and(is_of_index)
    }

    /// Calls `see` with the value of each of these games, in any order.
    pub(super) fn each(
        &self,
        block: &QueryBlock<'_>,
        among: &GameSet,
        mut see: impl FnMut(usize, T),
    ) -> Result<(), Error> {
        let Some(column) = &self.column else {
            // From the last game down, so that the column is decoded once to its end.
            for game in among.iter_ones().rev() {
                let value = block.open()?.tag(game, &self.name)?;
                see(game, (self.read)(value.as_deref()));
            }
            return Ok(());
        };
        let place = block.place();
        let new = self.each_known((column, place), ones(among), &mut see);
        if new.is_empty() {
            return Ok(());
        }
        let is_unread =
            |game: &usize| column.get(place.game_in_segment(*game)) == CachedCell::Unread;
        if self.is_whole && new.iter().any(is_unread) {
            block.open()?.read_cells(column);
        }
        self.read_new(column);
        let unread = self.each_known((column, place), new.into_iter(), &mut see);
        for game in unread.into_iter().rev() {
            let value = block.open()?.read_cell(game, column)?;
            see(game, (self.read)(value.as_deref()));
        }
        Ok(())
    }

    /// Calls `see` with the values of games that are cached and read. Returns the other games.
    fn each_known(
        &self,
        (column, place): (&TagColumn, &BlockPlace),
        games: impl Iterator<Item = usize>,
        see: &mut impl FnMut(usize, T),
    ) -> Vec<usize> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        let mut others = Vec::new();
        for game in games {
            let value = match column.get(place.game_in_segment(game)) {
                CachedCell::Unread => None,
                CachedCell::Absent => Some((self.read)(None)),
                CachedCell::Value(number) => known.get(number).copied(),
            };
            match value {
                Some(value) => see(game, value),
                None => others.push(game),
            }
        }
        others
    }

    /// Reads the values of the column that were added since the last call.
    fn read_new(&self, column: &TagColumn) {
        let known = self.known.write();
        let mut known = known.unwrap_or_else(PoisonError::into_inner);
        column.values_from(known.len(), |value| known.push((self.read)(Some(value))));
    }
}
