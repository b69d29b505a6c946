//! The options of all verbs that write an archive.

use super::codecs::{AUTO, codec_parser, codecs, level_parser};
use super::errors::Failure;
use crate::{Archive, BuiltinModel, Codec, Indexes, MoveModel, PackOptions};
use clap::{Args as ClapArgs, ValueEnum};
use std::path::{Path, PathBuf};

/// The long help of `--level`, where [`WritingArgs::options_like`] gives the default.
pub(crate) const LEVEL_LIKE_HELP: &str = "\
The model that predicts the moves: fast, default or max

The default is the archive's own model, if it has one, otherwise its highest level. If
no game of it is encoded by a model, and no codec is given, the codec is radix. Compared
with default, fast takes 5 % more space for moves, a quarter more for prose in comments,
and 0.6 times the time to pack and to read, max 3 % less space and 1.7 times the time.";

/// The same of `--index`.
pub(crate) const INDEX_LIKE_HELP: &str = "\
The indexes that are written: openings, full or none

The default is the indexes that the archive has.";

/// The options of a new archive.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct WritingArgs {
    /// The codec for the moves
    ///
    /// auto is used if not given.
    /// Games that the codec cannot represent are encoded with `radix`. `pgna compare`
    /// shows the results of each codec on your own games.
    #[arg(long, display_order = 20, value_name = "CODEC", value_parser = codec_parser())]
    pub(crate) codec: Option<String>,
    /// The model that predicts the moves: fast, default or max
    ///
    /// default is used if not given. Compared with it, fast takes 5 % more space for
    /// moves and 0.6 times the time to pack and to read, max 3 % less space and 1.7
    /// times the time. For `--codec auto` and `--codec model`. With fast, and with codecs
    /// that are not a model, prose in comments takes a quarter more space, but is read ten
    /// times as fast: a game of an annotated collection is opened in less than a millisecond
    /// instead of some 20, the first in place of 70.
    #[arg(long, display_order = 21, value_parser = level_parser(), hide_possible_values = true)]
    pub(crate) level: Option<BuiltinModel>,
    /// A model of the collection's own, which `pgna train` has made
    ///
    /// The archive contains it, so that every program can read it.
    #[arg(
        long,
        display_order = 22,
        value_name = "FILE",
        conflicts_with = "level"
    )]
    pub(crate) model: Option<PathBuf>,
    /// The amount of text in a segment, in MiB
    ///
    /// Larger segments pack a little better and take more memory: about five times this
    /// size for plain games, more for long comments.
    #[arg(long, display_order = 30, value_name = "MIB", default_value_t = DEFAULT_SEGMENT_MIB, value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub(crate) segment_size: u32,
    /// The maximum number of games in a block, 1 to 4096
    ///
    /// Reading one game opens one block: smaller blocks open faster and take more
    /// space, with 16 games a fifth of a plain archive more. A block also ends before
    /// its text exceeds 256 KiB or, at level default, its prose 64 KiB.
    #[arg(long, display_order = 31, value_name = "N", default_value_t = DEFAULT_BLOCK_GAMES, value_parser = clap::value_parser!(u32).range(1..=i64::from(PackOptions::MAX_BLOCK_RECORDS)))]
    pub(crate) block_games: u32,
    /// The indexes of the archive: openings, full or none
    ///
    /// With indexes `find` answers without reading all games: openings finds positions
    /// of lines that several games share, for about 3 bytes a game; full finds all
    /// positions, material and structure, for about 53 more (in small archives a few bytes more),
    /// and the segments that have games of a player.
    /// `pgna index` adds and removes them later. The default is openings.
    #[arg(
        long,
        display_order = 32,
        value_name = "INDEXES",
        hide_possible_values = true
    )]
    pub(crate) index: Option<IndexChoice>,
}

const DEFAULT_SEGMENT_MIB: u32 = 128;

const DEFAULT_BLOCK_GAMES: u32 = 256;

impl WritingArgs {
    fn codec_or_auto(&self) -> &str {
        self.codec.as_deref().unwrap_or(AUTO)
    }

    /// Whether the codec may be a model, which has levels.
    pub(crate) fn may_use_model(&self) -> bool {
        codecs(self.codec_or_auto(), None).is_ok_and(|codecs| codecs.contains(&Codec::Model))
    }

    /// The options, by default with the indexes and the highest level that the archive has, or
    /// with `radix` if no game of it is encoded by a model.
    ///
    /// # Errors
    /// Wrong usage, or a segment of the archive is damaged.
    pub(crate) fn options_like(
        &self,
        archive: &Archive,
        path: &Path,
    ) -> Result<PackOptions, Failure> {
        let failed = |error| Failure::archive(path, &error);
        let mut writing = self.clone();
        let own = self.own_model(archive, path)?;
        if own.is_none() && self.is_model_open() {
            let models = archive.models().map_err(failed)?;
            let has = |level| models.iter().any(|model| model.level() == Some(level));
            let mut highest_first = BuiltinModel::ALL.into_iter().rev();
            writing.level = highest_first.find(|model| has(model.level()));
            let is_open = models.is_empty() && archive.games() > 0 && writing.codec.is_none();
            // Games of variants have no models, but a level may have compressed their prose. A block
            // that cannot be read prevents no append.
            if is_open && !archive.mixes_prose().unwrap_or(false) {
                writing.codec = Some(Codec::Radix.name().to_owned());
            }
        }
        let mut options = match own {
            Some(own) => writing.options_of(own)?,
            None => writing.options()?,
        };
        if writing.index.is_none() {
            let indexes = archive.indexes().map_err(failed)?;
            options.indexes = indexes.unwrap_or(options.indexes);
        }
        Ok(options)
    }

    /// The options, or a usage error.
    pub(crate) fn options(&self) -> Result<PackOptions, Failure> {
        self.options_of(self.move_model()?)
    }

    /// The options with this model, or a usage error.
    pub(crate) fn options_of(&self, model: MoveModel) -> Result<PackOptions, Failure> {
        let mebibytes = usize::try_from(self.segment_size).unwrap_or(usize::MAX);
        let codecs = codecs(self.codec_or_auto(), self.level).map_err(Failure::usage)?;
        let mut levels = BuiltinModel::ALL.into_iter();
        let level = levels.find(|level| level.level() == model.level());
        let of_level = PackOptions::of_level(level.unwrap_or(BuiltinModel::Default));
        Ok(PackOptions {
            model,
            segment_bytes: mebibytes.saturating_mul(1 << 20),
            block_records: self.block_games,
            indexes: self.index.map(Indexes::from).unwrap_or_default(),
            ..of_level.with_codecs(codecs)
        })
    }
}

impl WritingArgs {
    /// Whether the arguments leave the choice of the model to the verb.
    fn is_model_open(&self) -> bool {
        self.level.is_none() && self.model.is_none() && self.may_use_model()
    }

    /// The last model that an archive contains, if the arguments leave the choice to the verb.
    ///
    /// # Errors
    /// The model is damaged.
    pub(crate) fn own_model(
        &self,
        archive: &Archive,
        path: &Path,
    ) -> Result<Option<MoveModel>, Failure> {
        let own = archive.own_models().pop();
        let read = |id| {
            archive
                .model(id)
                .map_err(|error| Failure::archive(path, &error))
        };
        own.filter(|_| self.is_model_open()).map(read).transpose()
    }

    fn move_model(&self) -> Result<MoveModel, Failure> {
        let Some(path) = &self.model else {
            return Ok(self.level.unwrap_or(BuiltinModel::Default).into());
        };
        if !self.may_use_model() {
            let codec = self.codec_or_auto();
            return Err(Failure::usage(format!(
                "the codec {codec} has no model: --model is for --codec auto or model"
            )));
        }
        let bytes = std::fs::read(path).map_err(|error| Failure::io(path, &error))?;
        MoveModel::from_bytes(&bytes)
            .map_err(|error| Failure::usage(format!("{}: {error}", path.display())))
    }
}

/// A choice of indexes.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum IndexChoice {
    /// None.
    None,
    /// The openings.
    Openings,
    /// All positions.
    Full,
}

impl From<IndexChoice> for Indexes {
    fn from(choice: IndexChoice) -> Indexes {
        match choice {
            IndexChoice::None => Indexes::None,
            IndexChoice::Openings => Indexes::Openings,
            IndexChoice::Full => Indexes::Full,
        }
    }
}
