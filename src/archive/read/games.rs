//! Access to the games of one block at a time, for work on many games: each column is
//! read once, and only if it is needed.

use crate::archive::block::OpenBlock;
use crate::archive::block::main_line::{MainLine, MainLineParts};
use crate::archive::block::mark_kinds::MarkKinds;
use crate::archive::error::{ContentError, Error};
use crate::archive::read::archive::Archive;
use crate::archive::read::block_places::BlockPlace;
use crate::archive::read::index_line::{index_moves, outside_moves};
use crate::archive::read::open_segment::OpenSegment;
use crate::archive::read::record_values::{
    main_line_plies, moves_of, parsed, summary_row, tag_of, unescaped,
};
use crate::archive::read::tag_name::TagName;
use crate::archive::schema::summary_row::SummaryRow;
use crate::chess::{ChessPosition, PlyKind};
use crate::columns::FieldValue;
use crate::index::IndexMoves;
use crate::pgn::{Moves, MovetextEvent, VerbatimReason};
use std::borrow::Cow;
use std::ops::ControlFlow;

/// An open block. Its games are numbered from 0 here, up to [`len`](BlockGames::len).
#[derive(Debug)]
pub struct BlockGames<'a> {
    archive: &'a Archive,
    place: BlockPlace,
    open: OpenSegment,
    block: OpenBlock,
    /// The record of each game.
    records: Vec<usize>,
}

impl Archive {
    /// Looks up a tag name in a segment (from 0).
    ///
    /// # Errors
    /// The segment is damaged.
    pub(crate) fn tag_name(&self, segment: usize, name: &[u8]) -> Result<TagName, Error> {
        Ok(TagName::of(name, &self.segment(segment)?.tables))
    }

    /// Looks up a tag name in a segment. If the segment has no name with this exact
    /// case, the case is ignored.
    ///
    /// # Errors
    /// The segment is damaged.
    pub(crate) fn tag_name_in_any_case(
        &self,
        segment: usize,
        name: &str,
    ) -> Result<TagName, Error> {
        let tables = &self.segment(segment)?.tables;
        Ok(TagName::in_any_case(name.as_bytes(), tables))
    }

    /// Whether a segment has a tag with this name, ignoring case.
    ///
    /// # Errors
    /// A segment is damaged.
    pub fn has_tag(&self, name: &str) -> Result<bool, Error> {
        for segment in 0..self.container().segments().len() {
            let tables = &self.segment(segment)?.tables;
            if tables.number_in_any_case(name.as_bytes()).is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The names of the tags of all games.
    ///
    /// # Errors
    /// A segment is damaged.
    #[cfg(any(feature = "answers", feature = "cli"))]
    pub(crate) fn tag_names(&self) -> Result<std::collections::BTreeSet<String>, Error> {
        let mut names = std::collections::BTreeSet::new();
        for segment in 0..self.container().segments().len() {
            let tables = &self.segment(segment)?.tables;
            let texts = tables.names().map(|name| self.encoding().decode(name));
            names.extend(texts.map(Cow::into_owned));
        }
        Ok(names)
    }

    /// Opens a block.
    ///
    /// # Errors
    /// The block is damaged.
    #[doc(hidden)]
    pub fn block_games(&self, place: &BlockPlace) -> Result<BlockGames<'_>, Error> {
        let open = self.segment(place.segment)?;
        let block = self.read_block(place.segment, place.block)?;
        let records = open.game_records(place.segment, place.block, &block)?;
        Ok(BlockGames {
            archive: self,
            place: place.clone(),
            open,
            block,
            records,
        })
    }
}

impl Archive {
    /// Announces that the tags of a block and of those after it will be read.
    ///
    /// # Errors
    /// The segment is damaged.
    pub(crate) fn will_read_tags(&self, place: &BlockPlace) -> Result<(), Error> {
        let open = self.segment(place.segment)?;
        self.container().will_read_tags(&open.segment, place.block);
        Ok(())
    }
}

impl BlockGames<'_> {
    /// The number of games.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether the block has no games.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// The game with this number in the archive, if it is in the block.
    pub fn game_of(&self, number: u64) -> Option<usize> {
        let game = number.checked_sub(self.place.games.start)?;
        usize::try_from(game).ok().filter(|game| *game < self.len())
    }

    /// The number of a game in the archive.
    pub fn number(&self, game: usize) -> u64 {
        self.place.games.start + game as u64
    }

    fn error(&self, record: usize, error: ContentError) -> Error {
        let game = self.records.iter().position(|game| *game == record);
        let game = game.map(|game| self.number(game));
        Error::of_block(
            &self.open.segment,
            self.place.segment,
            self.place.block,
            error,
        )
        .in_record(record, game)
    }

    pub(crate) fn of<'t, T>(
        &'t self,
        game: usize,
        read: impl FnOnce(&'t OpenBlock, usize) -> Result<T, ContentError>,
    ) -> Result<T, Error> {
        let record = self.records.get(game).copied().unwrap_or(usize::MAX);
        read(&self.block, record).map_err(|error| self.error(record, error))
    }

    /// Looks up a tag name in the segment of the block.
    pub fn tag_name(&self, name: &[u8]) -> TagName {
        TagName::of(name, &self.open.tables)
    }

    pub(crate) fn tag_name_of(&self, number: u32) -> TagName {
        let tables = &self.open.tables;
        TagName::of(tables.name(number).unwrap_or_default(), tables)
    }

    pub(crate) fn open_segment(&self) -> &OpenSegment {
        &self.open
    }

    pub(crate) fn place(&self) -> &BlockPlace {
        &self.place
    }

    pub(crate) fn archive(&self) -> &Archive {
        self.archive
    }

    /// The value of the first tag pair with this name, with escapes resolved. `None` if
    /// the game has none.
    ///
    /// # Errors
    /// The block is damaged.
    pub fn tag(&self, game: usize, name: &TagName) -> Result<Option<Cow<'_, [u8]>>, Error> {
        self.of(game, |block, record| tag_of(block, record, name))
    }

    /// All tag pairs, each as its name, a blank and its value as written, in ascending order.
    pub(crate) fn sorted_tags(&self, game: usize) -> Result<Vec<Vec<u8>>, Error> {
        self.of(game, |block, record| {
            let pairs = block.values(record)?.into_iter();
            let mut tags: Vec<Vec<u8>> = pairs
                .map(|(name, value)| [name, b" ", &value].concat())
                .collect();
            tags.sort_unstable();
            Ok(tags)
        })
    }

    /// What the summary of the segment needs of a game.
    pub(crate) fn summary_row(&self, game: usize) -> Result<SummaryRow, Error> {
        self.of(game, summary_row)
    }

    /// As [`BlockGames::tag`] if the value can be read without decoding moves; `None`
    /// otherwise.
    pub(crate) fn tag_without_moves(
        &self,
        game: usize,
        name: &TagName,
    ) -> Result<Option<Option<Cow<'_, [u8]>>>, Error> {
        self.of(game, |block, record| {
            let value = match name.number() {
                Some(number) => block.tag_without_moves(record, number)?,
                None => Some(None),
            };
            Ok(match value {
                Some(Some(value)) => Some(Some(unescaped(value))),
                Some(None) if block.verbatim_reason(record)?.is_none() => Some(None),
                _ => None,
            })
        })
    }

    /// A function that gives the cell of a game if it means the same text in every
    /// block. `None` if the column has no such cells.
    pub(crate) fn shared_cells(
        &self,
        name: &TagName,
    ) -> Option<impl Fn(usize) -> Option<FieldValue>> {
        let cells = self.block.shared_cells(name.number()?);
        let (sides, side) = cells.ok()??;
        Some(move |game| {
            let cell = sides.cell(side, *self.records.get(game)?);
            matches!(cell, FieldValue::Id(_) | FieldValue::Number(_)).then_some(cell)
        })
    }

    /// The text of the cell of a game, unless it has back-references.
    pub(crate) fn shared_text(
        &self,
        game: usize,
        name: &TagName,
    ) -> Result<Option<Cow<'_, [u8]>>, Error> {
        self.of(game, |block, record| {
            let text = match name.number() {
                Some(number) => block.shared_text(record, number)?,
                None => None,
            };
            Ok(text.map(unescaped))
        })
    }

    /// The number of plies of the main line. If part of the game is stored verbatim,
    /// its text is parsed.
    ///
    /// # Errors
    /// The block is damaged.
    pub fn plies(&self, game: usize) -> Result<u64, Error> {
        self.of(game, main_line_plies)
    }

    /// Whether the movetext may contain anything but moves: comments, glyphs,
    /// variations. This is nearly free.
    ///
    /// # Errors
    /// The block is damaged.
    pub fn may_have_marks(&self, game: usize) -> Result<bool, Error> {
        self.of(game, OpenBlock::may_have_marks)
    }

    /// Which kinds of marks the movetext has. Moves are not decoded, unless they alone give their
    /// number.
    pub(crate) fn mark_kinds(&self, game: usize) -> Result<MarkKinds, Error> {
        self.of(game, |block, record| {
            match block.verbatim_reason(record)? {
                Some(_) => Ok(MarkKinds::of_text(&block.text(record)?)),
                None if block.may_have_marks(record)? => block.mark_kinds(record),
                None => Ok(MarkKinds::default()),
            }
        })
    }

    /// The moves, including variations; nothing else is decoded unless the moves depend
    /// on it. `None` if the start position is not valid.
    ///
    /// # Errors
    /// The block is damaged.
    pub fn moves(&self, game: usize) -> Result<Option<Moves>, Error> {
        self.of(game, moves_of)
    }

    /// Begins with the start position, and calls `step` with one ply of the main line after the
    /// other until it breaks. Plies after that are not decoded where the encoding allows. `None` if
    /// the start position is not valid.
    pub(crate) fn follow_main_line<T>(
        &self,
        game: usize,
        begin: impl Fn(&ChessPosition) -> T,
        step: impl Fn(&mut T, PlyKind) -> ControlFlow<()>,
    ) -> Result<Option<T>, Error> {
        self.of(game, |block, record| {
            if block.verbatim_reason(record)?.is_none() {
                return block.follow_main_line(record, &begin, &step);
            }
            let moves = parsed(block, record)?.moves();
            Ok(moves.map(|moves| {
                let mut line = begin(&moves.start);
                let _ = moves.main_line().try_for_each(|ply| step(&mut line, ply));
                line
            }))
        })
    }

    /// Calls `see` with the start position, `None` if it is not valid, and parts of the main line.
    /// No part of the game may be stored verbatim.
    pub(crate) fn with_main_line<T>(
        &self,
        game: usize,
        wanted: MainLineParts,
        see: impl FnOnce(Option<&ChessPosition>, &MainLine<'_>) -> Result<T, ContentError>,
    ) -> Result<T, Error> {
        self.of(game, |block, record| {
            block.with_main_line(record, wanted, see)?
        })
    }

    /// Calls `see` with the start position and the events of the movetext; with `None` if the
    /// start position is not valid.
    pub(crate) fn with_events<T>(
        &self,
        game: usize,
        see: impl FnOnce(Option<(&ChessPosition, &[MovetextEvent<'_>])>) -> Result<T, ContentError>,
    ) -> Result<T, Error> {
        self.of(game, |block, record| {
            if block.verbatim_reason(record)?.is_none() {
                return block.with_events(record, see)?;
            }
            let game = parsed(block, record)?;
            let events = game.events();
            see(events.as_ref().map(|(start, events)| (start, &events[..])))
        })
    }

    /// The raw size of the block, in bytes.
    pub(crate) fn raw_bytes(&self) -> u64 {
        let blocks = self.open.segment.index().blocks();
        let block = blocks.get(self.place.block);
        block.map_or(0, |block| block.shape.raw_bytes.into())
    }

    /// The moves in the form that indexes use.
    pub(crate) fn index_moves(&self, game: usize) -> Result<IndexMoves, Error> {
        let moves = self.moves(game)?;
        Ok(match self.verbatim_reason(game)? {
            None => index_moves(moves.as_ref()),
            Some(_) => outside_moves(moves.as_ref()),
        })
    }

    /// The exact text of the game, including the text up to the next game.
    ///
    /// # Errors
    /// The block is damaged.
    pub fn text(&self, game: usize) -> Result<Vec<u8>, Error> {
        self.of(game, OpenBlock::text)
    }

    /// Whether the movetext has words that are no moves.
    pub(crate) fn has_words(&self, game: usize) -> Result<bool, Error> {
        self.of(game, OpenBlock::has_words)
    }

    /// The reason why part of the game is stored verbatim, if it is.
    ///
    /// # Errors
    /// The block is damaged.
    pub fn verbatim_reason(&self, game: usize) -> Result<Option<VerbatimReason>, Error> {
        self.of(game, OpenBlock::verbatim_reason)
    }
}
