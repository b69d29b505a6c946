//! What recovering gave, and what it did not.

use std::fmt;
use std::ops::Range;

/// What was recovered from a damaged archive, and what is lost.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Recovery {
    /// The sources of which something was kept, in their order.
    pub sources: Vec<RecoveredSource>,
    /// What is known to be lost, in the order of the text.
    pub losses: Vec<LostRange>,
    /// Blocks that were kept.
    pub blocks: u64,
    /// Games that were kept.
    pub games: u64,
    /// Text that was kept, in bytes.
    pub bytes: u64,
    /// What else is to be known.
    pub notes: Vec<RecoveryNote>,
}

impl Recovery {
    /// Whether all that the archive held is known to have been kept.
    pub fn is_complete(&self) -> bool {
        self.losses.is_empty() && !self.notes.iter().any(RecoveryNote::is_doubt)
    }

    /// Whether there was something to keep and nothing was kept.
    pub fn is_nothing(&self) -> bool {
        self.blocks == 0 && !self.is_complete()
    }

    /// How much text is known to be lost, in bytes.
    pub fn lost_bytes(&self) -> u64 {
        let bytes = self.losses.iter().map(LostRange::len);
        bytes.fold(0, u64::saturating_add)
    }

    /// How many games are known to be lost.
    pub fn lost_games(&self) -> u64 {
        let games = self.losses.iter().filter_map(|loss| loss.game_count);
        games.fold(0, u64::saturating_add)
    }
}

/// A source of which something was kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecoveredSource {
    /// Its name.
    pub name: String,
    /// How much of its text was kept, in bytes.
    pub bytes: u64,
    /// How many of its games were kept.
    pub games: u64,
    /// Whether its digest proves that it is what was packed.
    pub is_proven: bool,
}

/// A run of text that is lost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LostRange {
    /// The source, unless its name is lost, too.
    pub source: Option<String>,
    /// Which bytes of the source; without a source, of its segment's text.
    pub bytes: Range<u64>,
    /// The numbers that its games had in the damaged archive, if they are known.
    pub games: Option<Range<u64>>,
    /// How many games it held, if that is known.
    pub game_count: Option<u64>,
    /// Why.
    pub reason: LossReason,
}

impl LostRange {
    /// Its size in bytes.
    pub fn len(&self) -> u64 {
        self.bytes.end.saturating_sub(self.bytes.start)
    }

    /// Whether it holds no byte.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Why text is lost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LossReason {
    /// The blocks that held it are damaged or missing.
    Blocks,
    /// The tables of its segment are damaged beyond mending.
    Tables,
    /// Nothing is left of the segments that held it.
    Segments,
    /// Its block is whole but cannot be decoded.
    Content(String),
}

impl fmt::Display for LossReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            LossReason::Blocks => "its blocks are damaged or missing",
            LossReason::Tables => "the tables of its segment are damaged beyond mending",
            LossReason::Segments => "nothing is left of its segment",
            LossReason::Content(why) => why,
        })
    }
}

/// What else is to be known of a recovery.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum RecoveryNote {
    /// No directory is whole: names are those that the sources had when they were
    /// packed, and no digest proves them.
    NoDirectory,
    /// Nothing tells how much the archive held, so more may have been there.
    PerhapsMore,
    /// The directory of a later state, or of another archive, is lost, or a segment that
    /// it lists, and with it perhaps more.
    Outdated,
    /// The newest directory that is whole does not list all segments: there was an append
    /// that was not finished, or whose directory is lost, or another archive. They were kept.
    Unlisted {
        /// How many segments.
        segments: u64,
    },
    /// Nothing seems to be missing of a source, but its digest is another one.
    Unproven {
        /// Its name.
        name: String,
    },
}

impl RecoveryNote {
    /// Whether it means that something may be lost.
    pub fn is_doubt(&self) -> bool {
        matches!(
            self,
            RecoveryNote::PerhapsMore | RecoveryNote::Outdated | RecoveryNote::Unproven { .. }
        )
    }
}

impl fmt::Display for RecoveryNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RecoveryNote::NoDirectory => f.write_str(
                "the directory is lost: names are those of packing, and no digest proves the files",
            ),
            RecoveryNote::PerhapsMore => {
                f.write_str("nothing is left that tells how much the archive held: perhaps more")
            }
            RecoveryNote::Outdated => f.write_str(
                "a later state of the archive, or another archive in the same file, is lost as \
                 far as nothing is told of it here: perhaps with more games",
            ),
            RecoveryNote::Unlisted { segments } => write!(
                f,
                "segments that the newest directory does not list were kept ({segments}): of \
                 an append that was not finished, or of another archive"
            ),
            RecoveryNote::Unproven { name } => write!(
                f,
                "{name}: not what was packed (BLAKE3 differs), though nothing seems to be missing"
            ),
        }
    }
}
