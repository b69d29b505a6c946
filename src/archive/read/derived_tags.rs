//! The index section of tags that depend on the moves, which is read when a filter
//! needs one of the tags. `write::indexes` writes it.

use crate::archive::error::Error;
use crate::archive::read::archive::Archive;
use crate::archive::read::games::BlockGames;
use crate::archive::read::index_line::line_of;
use crate::archive::read::open_segment::OpenSegment;
use crate::archive::read::record_values::unescaped;
use crate::archive::read::tag_cache::TagColumn;
use crate::archive::read::tag_name::TagName;
use crate::codec::error::CodecError;
use crate::index::{DERIVED_TAGS, DerivedTag, DerivedTags, IndexLine, OPENINGS, OpeningTree};
use std::borrow::Cow;

/// The values of a game for some tags.
pub(crate) type TagRow = Vec<Option<Vec<u8>>>;

impl BlockGames<'_> {
    /// The main line of a game in the form that indexes use (`None` if they leave it
    /// out), and its values for some tags.
    pub(crate) fn line_and_row(
        &self,
        game: usize,
        names: &[u32],
    ) -> Result<(Option<IndexLine>, TagRow), Error> {
        if names.is_empty() {
            return Ok((self.line(game)?, TagRow::new()));
        }
        if self.verbatim_reason(game)?.is_some() {
            let row = names.iter().map(|name| {
                let name = self.tag_name_of(*name);
                Ok(self.tag(game, &name)?.map(Cow::into_owned))
            });
            return Ok((None, row.collect::<Result<_, Error>>()?));
        }
        let (moves, values) = self.of(game, |block, record| block.moves_and_tags(record, names))?;
        let values = values.into_iter();
        let row = values.map(|value| Some(unescaped(value?).into_owned()));
        Ok((moves.as_ref().and_then(line_of), row.collect()))
    }
}

impl BlockGames<'_> {
    /// As [`BlockGames::tag`]. Values that depend on the moves are taken from the index,
    /// if there is one and the case of the name matters.
    ///
    /// # Errors
    /// The block is damaged.
    pub fn tag_by_index(
        &self,
        game: usize,
        name: &TagName,
    ) -> Result<Option<Cow<'_, [u8]>>, Error> {
        let derived = match name.may_need_moves() && !name.is_in_any_case() {
            true => self.archive().derived(self.open_segment()),
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
    fn derived<'o>(&self, open: &'o OpenSegment) -> Option<&'o DerivedTags> {
        let derived = open.derived.get_or_init(|| self.read_derived(open));
        derived.as_ref()
    }

    /// The column of a tag, if the segment's index has it.
    pub(crate) fn derived_column(
        &self,
        segment: usize,
        open: &OpenSegment,
        name: &TagName,
    ) -> Option<TagColumn> {
        let derived = self.derived(open)?;
        let tag = derived.tag(name.number()?)?;
        // If the case of a name is ignored, a verbatim tail may have the tag in another
        // case.
        let unread = match name.is_in_any_case() {
            true => derived.outside(),
            false => &[],
        };
        Some(TagColumn::from_index(segment, name.clone(), tag, unread))
    }

    /// Reads the section. `None` if it is missing or damaged; damage causes a warning.
    fn read_derived(&self, open: &OpenSegment) -> Option<DerivedTags> {
        let games = open.segment.index().games();
        let limits = self.limits();
        open.entry(DERIVED_TAGS)?;
        let tree = |payload: &[u8]| OpeningTree::parse(payload, games, limits);
        let (tree, _) = self.read_section(open, OPENINGS, tree)?;
        let (derived, _) = self.read_section(open, DERIVED_TAGS, |payload| {
            let read = DerivedTags::parse(payload, &tree, limits)?;
            let is_known = |tag: &DerivedTag| open.tables.name(tag.name()).is_some();
            match read.tags().iter().all(is_known) {
                true => Ok(read),
                false => Err(CodecError::Damaged("a tag name that the segment has not")),
            }
        })?;
        Some(derived)
    }
}
