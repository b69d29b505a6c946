//! One game, whose columns are read as they are needed.

use crate::archive::block::OpenBlock;
use crate::archive::error::{ContentError, Error};
use crate::archive::read::open_segment::OpenSegment;
use crate::archive::read::record_values::{main_line_plies, moves_of, tag_of};
use crate::archive::read::tag_name::TagName;
use crate::pgn::{Game, Moves, VerbatimReason};
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

/// A game in its open block. Each method decodes only what it returns. A tag whose value
/// depends on the moves decodes them; other tags do not.
///
/// ```
/// use pgna::{Archive, PackOptions, Writer};
///
/// let mut writer = Writer::new(Vec::new(), PackOptions::default())?;
/// writer.add_source("one.pgn", &b"[White \"Morphy\"]\n\n1. e4 e5 1-0\n"[..])?;
/// let archive = Archive::new(writer.finish()?.0)?;
/// let game = archive.stored_game(1)?;
/// assert_eq!(game.tag(b"White")?.as_deref(), Some(&b"Morphy"[..]));
/// assert_eq!(game.plies()?, 2);
/// # Ok::<(), pgna::Error>(())
/// ```
pub struct StoredGame {
    pub(super) number: u64,
    pub(super) open: OpenSegment,
    pub(super) block: Arc<OpenBlock>,
    pub(super) place: GameLocation,
}

/// The data of a game that is available without its moves.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct GameHead {
    /// The number of the game, from 1.
    pub number: u64,
    /// The tag pairs in order, with the values as written: escapes are not resolved.
    pub tags: Vec<(Vec<u8>, Vec<u8>)>,
    /// The number of plies of the main line before any verbatim tail.
    pub plies: u64,
    /// The reason why the rest of the game is stored verbatim, if it is.
    pub verbatim_reason: Option<VerbatimReason>,
}

/// The location of a game.
pub(super) struct GameLocation {
    pub(super) segment: usize,
    pub(super) block: usize,
    pub(super) record: usize,
}

impl GameLocation {
    pub(super) fn error(&self, open: &OpenSegment, game: u64, error: ContentError) -> Error {
        Error::of_block(&open.segment, self.segment, self.block, error)
            .in_record(self.record, Some(game))
    }
}

impl fmt::Debug for StoredGame {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = out.debug_struct("StoredGame");
        out.field("number", &self.number).finish_non_exhaustive()
    }
}

impl StoredGame {
    fn read<'a, T>(
        &'a self,
        read: impl FnOnce(&'a OpenBlock, usize) -> Result<T, ContentError>,
    ) -> Result<T, Error> {
        read(&self.block, self.place.record)
            .map_err(|error| self.place.error(&self.open, self.number, error))
    }

    /// The number of the game, from 1.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// The value of the first tag pair with this name, with escapes resolved. `None` if the
    /// game has none.
    ///
    /// # Errors
    /// The block is damaged.
    pub fn tag(&self, name: &[u8]) -> Result<Option<Vec<u8>>, Error> {
        let value = self.tag_by_name(&TagName::of(name, &self.open.tables))?;
        Ok(value.map(Cow::into_owned))
    }

    /// Looks up a tag name, ignoring its case, in the segment of the game.
    pub(crate) fn tag_name(&self, name: &str) -> TagName {
        TagName::in_any_case(name.as_bytes(), &self.open.tables)
    }

    /// As [`StoredGame::tag`].
    pub(crate) fn tag_by_name(&self, name: &TagName) -> Result<Option<Cow<'_, [u8]>>, Error> {
        self.read(|block, record| tag_of(block, record, name))
    }

    /// As [`BlockGames::may_have_marks`](super::games::BlockGames::may_have_marks).
    pub(crate) fn may_have_marks(&self) -> Result<bool, Error> {
        self.read(OpenBlock::may_have_marks)
    }

    /// As [`BlockGames::moves`](super::games::BlockGames::moves).
    pub(crate) fn moves(&self) -> Result<Option<Moves>, Error> {
        self.read(moves_of)
    }

    /// The number of plies of the main line. If part of the game is stored verbatim, its
    /// text is parsed.
    ///
    /// # Errors
    /// The block is damaged.
    pub fn plies(&self) -> Result<u64, Error> {
        self.read(main_line_plies)
    }

    /// The reason why part of the game is stored verbatim, if it is.
    ///
    /// # Errors
    /// The block is damaged.
    pub fn verbatim_reason(&self) -> Result<Option<VerbatimReason>, Error> {
        self.read(OpenBlock::verbatim_reason)
    }

    /// Whether the movetext has words that are no moves.
    pub(crate) fn has_words(&self) -> Result<bool, Error> {
        self.read(OpenBlock::has_words)
    }

    /// The exact text of the game, including the text up to the next game.
    ///
    /// # Errors
    /// The block is damaged.
    pub fn text(&self) -> Result<Vec<u8>, Error> {
        self.read(OpenBlock::text)
    }

    pub(super) fn game(&self) -> Result<Game, Error> {
        self.read(OpenBlock::game)
    }

    pub(super) fn head(&self) -> Result<GameHead, Error> {
        self.read(|block, record| {
            let pairs = block.values(record)?.into_iter();
            Ok(GameHead {
                number: self.number,
                tags: pairs
                    .map(|(name, value)| (name.to_vec(), value.into_owned()))
                    .collect(),
                plies: block.plies(record)?,
                verbatim_reason: block.verbatim_reason(record)?,
            })
        })
    }
}
