//! The index section of tags that depend on the moves, which is read when a filter
//! needs one of the tags. `write::indexes` writes it.

use crate::archive::block::OpenBlock;
use crate::archive::error::{ContentError, Error};
use crate::archive::read::archive::Archive;
use crate::archive::read::games::BlockGames;
use crate::archive::read::index_line::{index_moves, outside_moves};
use crate::archive::read::open_segment::OpenSegment;
use crate::archive::read::record_values::{moves_of, tag_of, unescaped};
use crate::archive::read::tag_cache::TagColumn;
use crate::archive::read::tag_name::TagName;
use crate::archive::tables::SegmentTables;
use crate::codec::error::CodecError;
use crate::index::{DERIVED_TAGS, DerivedTag, DerivedTags, IndexMoves};
use crate::pgn::Moves;
use std::borrow::Cow;

/// The values of a game for some tags.
pub(crate) type TagRow = Vec<Option<Vec<u8>>>;

/// What indexes need of a game: its moves, and its values for some tags.
pub(crate) type IndexRow = (IndexMoves, TagRow);

impl BlockGames<'_> {
    /// What indexes need of a game, with its values for the tags with these names.
    pub(crate) fn index_row(&self, game: usize, names: &[u32]) -> Result<IndexRow, Error> {
        if names.is_empty() {
            return Ok((self.index_moves(game)?, TagRow::new()));
        }
        if self.verbatim_reason(game)?.is_some() {
            let row = names.iter().map(|name| {
                let name = self.tag_name_of(*name);
                Ok(self.tag(game, &name)?.map(Cow::into_owned))
            });
            return Ok((self.index_moves(game)?, row.collect::<Result<_, Error>>()?));
        }
        let (moves, values) = self.of(game, |block, record| block.moves_and_tags(record, names))?;
        let values = values.into_iter();
        let row = values.map(|value| Some(unescaped(value?).into_owned()));
        Ok((index_moves(moves.as_ref()), row.collect()))
    }
}

/// The exact text of a game, and what [`BlockGames::index_row`] returns. The moves are decoded
/// once.
pub(crate) fn text_and_index_row(
    block: &OpenBlock,
    tables: &SegmentTables,
    record: usize,
    names: &[u32],
) -> Result<(Vec<u8>, IndexRow), ContentError> {
    if block.verbatim_reason(record)?.is_some() {
        let row = names.iter().map(|name| {
            let name = TagName::of(tables.name(*name).unwrap_or_default(), tables);
            Ok(tag_of(block, record, &name)?.map(Cow::into_owned))
        });
        let row = row.collect::<Result<_, ContentError>>()?;
        let moves = outside_moves(moves_of(block, record)?.as_ref());
        return Ok((block.text(record)?, (moves, row)));
    }
    let (text, (moves, row)) = block.text_and(record, |tree| {
        let value = |name: &u32| {
            let name = tables.name(*name)?;
            let tag = tree.tags.iter().find(|tag| tag.name == name)?;
            Some(unescaped(Cow::Borrowed(tag.value)).into_owned())
        };
        (Moves::of(tree), names.iter().map(value).collect())
    })?;
    Ok((text, (index_moves(moves.as_ref()), row)))
}

impl BlockGames<'_> {
    /// As [`BlockGames::tag`]. Values that depend on the moves are taken from the index,
    /// if there is one and the case of the name matters.
    ///
    /// # Errors
    /// The block is damaged, or the index cannot be read now.
    pub fn tag_by_index(
        &self,
        game: usize,
        name: &TagName,
    ) -> Result<Option<Cow<'_, [u8]>>, Error> {
        let derived = match name.may_need_moves() && !name.is_in_any_case() {
            true => self.archive().derived(self.open_segment())?,
            false => None,
        };
        let tag = derived.and_then(|derived| derived.tag(name.number()?));
        match tag {
            Some(tag) => {
                let value = tag.value(self.place().game_in_segment(game));
                Ok(value.map(Cow::Borrowed))
            }
            None => self.tag(game, name),
        }
    }
}

impl Archive {
    fn derived<'o>(&self, open: &'o OpenSegment) -> Result<Option<&'o DerivedTags>, Error> {
        let derived = open.derived.get_or_try_init(|| self.read_derived(open))?;
        Ok(derived.as_ref())
    }

    /// The column of a tag, if the segment's index has it.
    ///
    /// # Errors
    /// The index cannot be read now.
    pub(crate) fn derived_column(
        &self,
        segment: usize,
        open: &OpenSegment,
        name: &TagName,
    ) -> Result<Option<TagColumn>, Error> {
        let Some(derived) = self.derived(open)? else {
            return Ok(None);
        };
        let Some(tag) = name.number().and_then(|name| derived.tag(name)) else {
            return Ok(None);
        };
        // If the case of a name is ignored, a verbatim tail may have the tag in another
        // case.
        let unread = match name.is_in_any_case() {
            true => derived.outside(),
            false => &[],
        };
        let column = TagColumn::from_index(segment, name.clone(), tag, unread);
        Ok(Some(column))
    }

    /// Reads the section. `None` if it is missing or damaged; damage causes a warning.
    fn read_derived(&self, open: &OpenSegment) -> Result<Option<DerivedTags>, Error> {
        let limits = self.limits();
        if open.entry(DERIVED_TAGS).is_none() {
            return Ok(None);
        }
        let Some(order) = self.index_order_of(open)? else {
            return Ok(None);
        };
        let derived = self.read_section(open, DERIVED_TAGS, |payload| {
            let read = DerivedTags::parse(payload, &order, limits)?;
            let is_known = |tag: &DerivedTag| open.tables.name(tag.name()).is_some();
            match read.tags().iter().all(is_known) {
                true => Ok(read),
                false => Err(CodecError::Damaged("a tag name that the segment has not")),
            }
        })?;
        Ok(derived.map(|(derived, _)| derived))
    }
}
