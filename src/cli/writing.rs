//! How new archives are written: the options of all verbs that write one.

use super::codecs::{AUTO, codec_parser, codecs, level_parser};
use super::errors::Failure;
use crate::archive::{Indexes, MAX_BLOCK_RECORDS, PackOptions, Shipped};
use clap::{Args as ClapArgs, ValueEnum};

/// How an archive is to be written.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct WritingArgs {
    /// Which codec writes the moves
    ///
    /// A game that the codec cannot represent is written with `radix`.
    /// `pgna compare` tells what each codec makes of your own games.
    #[arg(long, display_order = 20, value_name = "CODEC", default_value = AUTO, value_parser = codec_parser())]
    pub(crate) codec: String,
    /// Which model gives the moves their probabilities: fast, default or max
    ///
    /// Without it, default. Against that, fast takes 5 % more for moves and 0.6 of their time, to pack
    /// as to read, max 3 % less and 1.7 times the time. For `--codec auto` and `--codec model`.
    /// With max, prose in comments takes a fifth less, and a game with prose opens in a third
    /// of a second: the prose of its block is read first.
    #[arg(long, display_order = 21, value_parser = level_parser(), hide_possible_values = true)]
    pub(crate) level: Option<Shipped>,
    /// How much text a segment holds, in MiB
    ///
    /// Larger segments pack a little better and take more memory: about four
    /// times as much as this for plain games, more for long comments.
    #[arg(long, display_order = 30, value_name = "MIB", default_value_t = DEFAULT_SEGMENT_MIB, value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub(crate) segment_size: u32,
    /// How many games a block holds at most, 1 to 4096
    ///
    /// Reading one game opens one block: smaller blocks open sooner and take more
    /// space, 16 games a fifth of a plain archive. A block also ends before it holds
    /// more than 256 KiB of text.
    #[arg(long, display_order = 31, value_name = "N", default_value_t = DEFAULT_BLOCK_GAMES, value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_BLOCK_RECORDS)))]
    pub(crate) block_games: u32,
    /// Which indexes the archive is to have: openings, full or none
    ///
    /// By them `find` answers without reading all games: openings finds positions of
    /// lines that several games share, for about 3 bytes a game, full all positions and
    /// material, for about 26 more (in small archives some bytes more). `pgna index`
    /// adds and drops them later. Without this, openings; `pgna append` adds those that
    /// the archive has.
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
    /// What is to be done, or what is wrong with that.
    pub(crate) fn options(&self) -> Result<PackOptions, Failure> {
        let mebibytes = usize::try_from(self.segment_size).unwrap_or(usize::MAX);
        Ok(PackOptions {
            codecs: codecs(&self.codec, self.level).map_err(Failure::usage)?,
            segment_bytes: mebibytes.saturating_mul(1 << 20),
            block_records: self.block_games,
            mixes_prose: self.level == Some(Shipped::Max),
            indexes: self.index.map(Indexes::from).unwrap_or_default(),
        })
    }
}

/// Which indexes are asked for.
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
