//! Random access to the games of an archive.

use crate::archive::block::OpenBlock;
use crate::archive::block::stored_columns::MovetextSource;
use crate::archive::error::{ContentError, Error, ErrorKind};
use crate::archive::read::loss::Loss;
use crate::archive::read::open_segment::{LocatedSegment, OTHER_GAMES, OpenSegment};
use crate::archive::read::stored_game::{GameHead, GameLocation, StoredGame};
use crate::archive::read::tag_cache::TagCache;
use crate::archive::tables::models::{ModelId, unpack_model};
use crate::archive::tables::named_model;
use crate::container::{
    AnyBytes, Bytes, Container, ContainerError, ReadAt, Source, Totals, Warning,
};
use crate::limits::Limits;
use crate::model::MoveModel;
use crate::parallel::lock;
use crate::pgn::Game;
use crate::text::{Aliases, TextEncoding};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::{Arc, Mutex};

/// The maximum number of segments whose tables are cached; each takes a few
/// megabytes.
pub(crate) const MAX_OPEN_SEGMENTS: usize = 16;

/// An archive that is open for reading. Any number of threads may share it.
///
/// ```
/// use pgna::{Archive, PackOptions, Writer};
///
/// let mut writer = Writer::new(Vec::new(), PackOptions::default())?;
/// writer.add_source("one.pgn", &b"[White \"Morphy\"]\n\n1. e4 e5 1-0\n"[..])?;
/// let (bytes, ..) = writer.finish()?;
///
/// let archive = Archive::new(bytes)?;
/// assert_eq!(archive.games(), 1);
/// assert_eq!(archive.text(1)?, b"[White \"Morphy\"]\n\n1. e4 e5 1-0\n");
/// assert_eq!(archive.game(1)?.tag(b"White"), Some(&b"Morphy"[..]));
/// # Ok::<(), pgna::Error>(())
/// ```
pub struct Archive {
    pub(super) container: Arc<Container<AnyBytes>>,
    /// The segments that were opened last; the most recent one is last.
    pub(super) segments: Mutex<Vec<Arc<LocatedSegment>>>,
    /// The block that was read last. It serves games that are read in order.
    latest: Mutex<Option<LatestBlock>>,
    /// The model of the archive's own that was read last.
    latest_model: Mutex<Option<MoveModel>>,
    /// The tag columns that queries have read.
    pub(crate) tag_cache: TagCache,
    pub(super) warnings: Warnings,
    encoding: TextEncoding,
    aliases: Option<Arc<Aliases>>,
}

/// The damage found so far that costs no data.
#[derive(Clone)]
pub(super) struct Warnings(Arc<Mutex<Vec<Warning>>>);

impl Warnings {
    /// Adds those that are new.
    pub(super) fn add(&self, found: impl IntoIterator<Item = Warning>) {
        let mut warnings = lock(&self.0);
        for warning in found {
            if !warnings.contains(&warning) {
                warnings.push(warning);
            }
        }
    }
}

/// An open block and its games.
#[derive(Clone)]
struct LatestBlock {
    /// The number of the segment, and that of the block in it, from 0.
    number: (usize, usize),
    block: Arc<OpenBlock>,
    /// The record of each game.
    records: Arc<[usize]>,
}

impl fmt::Debug for Archive {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let totals = self.totals();
        out.debug_struct("Archive")
            .field("totals", &totals)
            .finish_non_exhaustive()
    }
}

impl Archive {
    /// Opens an archive in memory.
    ///
    /// # Errors
    /// As [`Archive::open`].
    pub fn new(bytes: impl Into<Vec<u8>>) -> Result<Self, Error> {
        Archive::open(Bytes(bytes.into()), Limits::default())
    }

    /// Opens an archive from any source of bytes.
    ///
    /// # Errors
    /// The bytes are no archive, have an unsupported version, or are damaged in the
    /// header, the footers or the directory.
    pub fn open(bytes: impl ReadAt + Send + Sync + 'static, limits: Limits) -> Result<Self, Error> {
        let bytes: AnyBytes = Arc::new(bytes);
        let (container, warnings) = Container::open(bytes, limits)?;
        Ok(Archive {
            segments: Mutex::new(Vec::new()),
            latest: Mutex::new(None),
            latest_model: Mutex::new(None),
            tag_cache: TagCache::new(container.limits().tag_cache_bytes),
            container: Arc::new(container),
            warnings: Warnings(Arc::new(Mutex::new(warnings))),
            encoding: TextEncoding::default(),
            aliases: None,
        })
    }

    /// Reads text that is not UTF-8 in another encoding than Windows-1252: where filters compare
    /// it, in statistics, and as text of tables. The bytes of games are not affected.
    #[must_use]
    pub fn with_encoding(mut self, encoding: TextEncoding) -> Self {
        self.encoding = encoding;
        self
    }

    /// The encoding in which text is read that is not UTF-8.
    pub fn encoding(&self) -> TextEncoding {
        self.encoding
    }

    /// Takes spellings of a player's name for the name itself: in filters, statistics and values of
    /// fields, and where duplicates are searched for. The bytes of games are not affected.
    #[must_use]
    pub fn with_aliases(mut self, aliases: Aliases) -> Self {
        self.aliases = Some(Arc::new(aliases));
        self
    }

    /// The spellings of players' names.
    pub(crate) fn aliases(&self) -> Option<&Arc<Aliases>> {
        self.aliases.as_ref()
    }

    /// A player's name as text: the name for which its spelling stands, if that is known.
    pub(crate) fn player_name<'n>(&'n self, name: &'n [u8]) -> Cow<'n, str> {
        let name = self.encoding.decode(name);
        let known = self
            .aliases
            .as_ref()
            .and_then(|aliases| aliases.name_of(&name));
        known.map_or(name, Cow::Borrowed)
    }

    /// The number of games. They are numbered from 1.
    pub fn games(&self) -> u64 {
        self.totals().games
    }

    /// The size of the archive in bytes. Its file is larger if an append to it was not
    /// finished.
    pub fn committed_bytes(&self) -> u64 {
        self.container.committed_bytes()
    }

    /// The totals of the archive.
    pub fn totals(&self) -> Totals {
        self.container.totals()
    }

    /// The sources, in the order of their text.
    pub fn sources(&self) -> &[Source] {
        self.container.sources()
    }

    /// The damage found so far that costs no data.
    pub fn warnings(&self) -> Vec<Warning> {
        let mut warnings = lock(&self.warnings.0).clone();
        warnings.extend(self.container.mended());
        warnings
    }

    /// The container: the structure of the file below the level of games.
    #[doc(hidden)]
    pub fn container(&self) -> &Container<AnyBytes> {
        &self.container
    }

    /// The number of blocks of all segments. Reads their block indexes.
    ///
    /// # Errors
    /// A segment is damaged.
    pub fn blocks(&self) -> Result<u64, Error> {
        (0..self.container.segments().len()).try_fold(0u64, |blocks, number| {
            let segment = self.container.segment(number)?;
            Ok(blocks.saturating_add(segment.index().blocks().len() as u64))
        })
    }

    /// The move models that the archive needs, by ascending digest, including those
    /// that this release does not have. Reads the tables of all segments.
    ///
    /// # Errors
    /// A segment is damaged.
    pub fn models(&self) -> Result<Vec<ModelId>, Error> {
        let mut models = BTreeSet::new();
        for number in 0..self.container.segments().len() {
            let segment = self.container.segment(number)?;
            let head = self.container.tables_head(&segment)?;
            let error = |error| Error::of_tables(&segment, number, error);
            models.extend(named_model(&head.tables).map_err(error)?);
        }
        Ok(models.into_iter().collect())
    }

    /// The move models that the archive contains, because they are not built in.
    pub fn own_models(&self) -> Vec<ModelId> {
        self.container.models().map(ModelId).collect()
    }

    /// A move model that the archive needs.
    ///
    /// # Errors
    /// It is neither built in nor in the archive, or it is damaged.
    pub fn model(&self, id: ModelId) -> Result<MoveModel, Error> {
        let found = id.find(&|id| self.own_model(id));
        found.map_err(|error| ErrorKind::Model { id, error }.into())
    }

    /// A model that the archive contains.
    pub(super) fn own_model(&self, id: ModelId) -> Result<Option<MoveModel>, ContentError> {
        let mut latest = lock(&self.latest_model);
        if let Some(model) = latest.as_ref().filter(|model| model.digest() == id.0) {
            return Ok(Some(model.clone()));
        }
        let Some(packed) = self.container.model(&id.0)? else {
            return Ok(None);
        };
        let model = unpack_model(&packed, id, self.limits())?;
        Ok(Some(latest.insert(model).clone()))
    }

    /// Checks the models that the archive contains.
    pub(super) fn verify_models(&self) -> Vec<Loss> {
        let models = self.own_models().into_iter();
        let errors = models.filter_map(|id| self.model(id).err());
        errors.map(Loss::without_games).collect()
    }

    /// A game whose data is decoded as it is asked for.
    ///
    /// # Errors
    /// There is no such game, or its segment or block is damaged.
    pub fn stored_game(&self, number: u64) -> Result<StoredGame, Error> {
        self.find_stored_game(number, |_, _| ())
    }

    /// A game that will be decoded as a whole.
    fn whole_game(&self, number: u64) -> Result<StoredGame, Error> {
        self.find_stored_game(number, |open, block| {
            let with_tables = !open.tables.has_loaded_large();
            self.container
                .will_read_block(&open.segment, block, with_tables);
        })
    }

    /// A game. `before_read` gets its segment and the number of its block before the block is read.
    fn find_stored_game(
        &self,
        number: u64,
        before_read: impl FnOnce(&OpenSegment, usize),
    ) -> Result<StoredGame, Error> {
        let missing = || Error::no_such_game(number, self.games());
        let game = self.container.find_game(number).ok_or_else(missing)?;
        let open = self.segment(game.segment)?;
        let block_number = open.segment.block_of_game(game.game);
        let block_number = block_number.ok_or_else(missing)?;
        before_read(&open, block_number);
        let LatestBlock { block, records, .. } = self.block(&open, game.segment, block_number)?;
        let entry = open.segment.index().blocks().get(block_number);
        let first_game = entry.map_or(0, |entry| entry.first_game);
        let index = usize::try_from(game.game - first_game).unwrap_or(usize::MAX);
        let damaged = || Error::of_block(&open.segment, game.segment, block_number, OTHER_GAMES);
        let record = records.get(index).copied().ok_or_else(damaged)?;
        Ok(StoredGame {
            number,
            open,
            block,
            place: GameLocation {
                segment: game.segment,
                block: block_number,
                record,
            },
        })
    }

    /// The exact text of a game, including the text up to the next game.
    ///
    /// # Errors
    /// There is no such game, or its block or segment is damaged.
    pub fn text(&self, number: u64) -> Result<Vec<u8>, Error> {
        self.whole_game(number)?.text()
    }

    /// A game with its tags, moves, comments and variations, moves in standard notation. Of a game
    /// that is stored in part verbatim the text is parsed.
    ///
    /// # Errors
    /// As [`Archive::text`].
    pub fn game(&self, number: u64) -> Result<Game, Error> {
        self.whole_game(number)?.game()
    }

    /// The data of a game that is available without its moves. The moves are decoded
    /// only if a tag depends on them, or if only they give the number of plies.
    ///
    /// # Errors
    /// As [`Archive::text`].
    pub fn head(&self, number: u64) -> Result<GameHead, Error> {
        self.stored_game(number)?.head()
    }

    /// The texts of all games, in order.
    pub fn texts(&self) -> impl Iterator<Item = Result<Vec<u8>, Error>> {
        (1..=self.games()).map(|number| self.text(number))
    }

    pub(crate) fn limits(&self) -> &Limits {
        self.container.limits()
    }

    pub(crate) fn warn(&self, found: impl IntoIterator<Item = Warning>) {
        self.warnings.add(found);
    }

    fn block(
        &self,
        open: &OpenSegment,
        segment: usize,
        number: usize,
    ) -> Result<LatestBlock, Error> {
        if let Some(latest) = &*lock(&self.latest)
            && latest.number == (segment, number)
        {
            return Ok(latest.clone());
        }
        let block = self.read_block(segment, number)?;
        let latest = LatestBlock {
            number: (segment, number),
            records: open.game_records(segment, number, &block)?.into(),
            block: Arc::new(block),
        };
        *lock(&self.latest) = Some(latest.clone());
        Ok(latest)
    }

    pub(crate) fn read_block(&self, segment: usize, number: usize) -> Result<OpenBlock, Error> {
        let open = self.segment(segment)?;
        let tags = self.container.block_tags(&open.segment, number)?;
        let entry = open.segment.index().blocks().get(number);
        let shape = entry.ok_or(ContainerError::Misuse("no such block"))?.shape;
        let (container, owner) = (Arc::clone(&self.container), Arc::clone(&open.located));
        let movetext = MovetextSource::new(move || {
            let movetext = container.block_movetext(&owner.segment, number)?;
            Ok(movetext.packed().to_vec())
        });
        OpenBlock::of_tags(tags, movetext, shape, &open.tables)
            .map_err(|error| Error::of_block(&open.segment, segment, number, error))
    }
}
