//! Tests of tag values. Each distinct value of a segment is compared once.

use super::block::{GameSet, QueryBlock, ones};
use super::date::Days;
use super::filter::Comparison;
use super::value::{is_date, passes, text_of};
use crate::archive::{Archive, BlockPlace, CachedCell, Error, TagColumn, TagName};
use std::sync::{Arc, PoisonError, RwLock};

/// The result for a value. The default is that of a missing value.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Verdict {
    pub(super) is_there: bool,
    pub(super) passes: bool,
    /// Whether the tag is a date tag and the value a date with a known year.
    pub(super) is_date: bool,
}

/// A comparison of a tag, prepared for a segment.
#[derive(Debug)]
pub(super) struct TagTest<'q> {
    /// The name of the tag as which the values are interpreted.
    text: &'q str,
    name: TagName,
    comparison: &'q Comparison,
    column: Option<Arc<TagColumn>>,
    /// Whether all games of a block are tested.
    is_whole: bool,
    /// The results of the distinct values of the column, as far as they have been
    /// compared.
    verdicts: RwLock<Vec<Verdict>>,
}

impl<'q> TagTest<'q> {
    pub(super) fn new(
        archive: &Archive,
        segment: usize,
        (text, name): (&'q str, TagName),
        comparison: &'q Comparison,
        is_whole: bool,
    ) -> Result<TagTest<'q>, Error> {
        Ok(TagTest {
            text,
            column: archive.tag_column(segment, &name, is_whole)?,
            name,
            comparison,
            is_whole,
            verdicts: RwLock::default(),
        })
    }

    /// Whether moves may have to be decoded.
    pub(super) fn may_need_moves(&self) -> bool {
        let is_of_index = |column: &Arc<TagColumn>| column.is_from_index();
        self.name.may_need_moves() && !self.column.as_ref().is_some_and(is_of_index)
    }

    /// Calls `see` with the result of each of these games.
    pub(super) fn judge(
        &self,
        block: &QueryBlock<'_>,
        among: &GameSet,
        mut see: impl FnMut(usize, Verdict),
    ) -> Result<(), Error> {
        let Some(column) = &self.column else {
            // From the last game down, so that the column is decoded once to its end.
            for game in among.iter_ones().rev() {
                let value = block.open()?.tag(game, &self.name)?;
                see(game, self.verdict(value.as_deref()));
            }
            return Ok(());
        };
        let place = block.place();
        let new = self.judge_cached((column, place), ones(among), &mut see);
        if new.is_empty() {
            return Ok(());
        }
        let is_unread =
            |game: &usize| column.get(place.game_in_segment(*game)) == CachedCell::Unread;
        if self.is_whole && new.iter().any(is_unread) {
            block.open()?.read_cells(column);
        }
        self.compare(column);
        let unread = self.judge_cached((column, place), new.into_iter(), &mut see);
        for game in unread.into_iter().rev() {
            let value = block.open()?.read_cell(game, column)?;
            see(game, self.verdict(value.as_deref()));
        }
        Ok(())
    }

    /// Reports the results of games whose values are cached and compared. Returns the
    /// other games.
    fn judge_cached(
        &self,
        (column, place): (&TagColumn, &BlockPlace),
        games: impl Iterator<Item = usize>,
        see: &mut impl FnMut(usize, Verdict),
    ) -> Vec<usize> {
        let verdicts = self.verdicts.read().unwrap_or_else(PoisonError::into_inner);
        let mut others = Vec::new();
        for game in games {
            let verdict = match column.get(place.game_in_segment(game)) {
                CachedCell::Unread => None,
                CachedCell::Absent => Some(Verdict::default()),
                CachedCell::Value(number) => verdicts.get(number).copied(),
            };
            match verdict {
                Some(verdict) => see(game, verdict),
                None => others.push(game),
            }
        }
        others
    }

    /// Compares the values of the column that were added since the last call.
    fn compare(&self, column: &TagColumn) {
        let verdicts = self.verdicts.write();
        let mut verdicts = verdicts.unwrap_or_else(PoisonError::into_inner);
        column.values_from(verdicts.len(), |value| {
            verdicts.push(self.verdict(Some(value)));
        });
    }

    fn verdict(&self, value: Option<&[u8]>) -> Verdict {
        let Some(value) = value else {
            return Verdict::default();
        };
        let value = text_of(value);
        Verdict {
            is_there: true,
            passes: passes(self.comparison, self.text, &value),
            is_date: is_date(self.text) && Days::read(&value).is_some(),
        }
    }
}
