//! The result of a recovery.

use std::fmt;
use std::ops::Range;

/// The result of a recovery: what was recovered, and what is lost.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct RecoveryReport {
    /// The recovered sources, in order: those of which any intact block was found, and
    /// empty ones.
    pub sources: Vec<RecoveredSource>,
    /// The known losses, in the order of the text.
    pub losses: Vec<LostRange>,
    /// The number of recovered blocks.
    pub blocks: u64,
    /// The number of segments whose tables and blocks were all intact. They are copied.
    pub segments_copied: u64,
    /// The number of segments that consist of the intact blocks of a damaged one.
    pub segments_rebuilt: u64,
    /// The number of segments whose indexes were built again, because they were damaged,
    /// or blocks are lost, or other indexes were asked for.
    pub indexes_built: u64,
    /// The number of recovered games.
    pub games: u64,
    /// The size of the recovered text, in bytes.
    pub bytes: u64,
    /// Further remarks.
    pub notes: Vec<RecoveryNote>,
}

impl RecoveryReport {
    /// Whether all contents of the archive are known to have been recovered.
    pub fn is_complete(&self) -> bool {
        self.losses.is_empty() && !self.notes.iter().any(RecoveryNote::is_doubt)
    }

    /// Whether nothing was recovered, although the archive was not, or may not have been,
    /// empty.
    pub fn is_nothing(&self) -> bool {
        self.blocks == 0 && !self.is_complete()
    }

    /// The size of the text that is known to be lost, in bytes.
    pub fn lost_bytes(&self) -> u64 {
        let bytes = self.losses.iter().map(LostRange::len);
        bytes.fold(0, u64::saturating_add)
    }

    /// The number of games that are known to be lost.
    pub fn lost_games(&self) -> u64 {
        let games = self.losses.iter().filter_map(|loss| loss.game_count);
        games.fold(0, u64::saturating_add)
    }
}

/// A recovered source.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct RecoveredSource {
    /// The name of the source.
    pub name: String,
    /// The size of its recovered text, in bytes.
    pub bytes: u64,
    /// The number of its recovered games.
    pub games: u64,
    /// Whether its digest matches, so that it is what was packed.
    pub is_proven: bool,
}

/// A run of lost text.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct LostRange {
    /// The name of the source; `None` if it is lost, too.
    pub source: Option<String>,
    /// The range in the source, in bytes. Without a source, the range in the segment's
    /// text.
    pub bytes: Range<u64>,
    /// The numbers of its games in the damaged archive, if they are known.
    pub games: Option<Range<u64>>,
    /// The number of its games, if it is known.
    pub game_count: Option<u64>,
    /// The reason for the loss.
    pub reason: LossReason,
}

impl LostRange {
    /// The size of the range in bytes.
    pub fn len(&self) -> u64 {
        self.bytes.end.saturating_sub(self.bytes.start)
    }

    /// Whether the range is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The reason for a loss.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum LossReason {
    /// The blocks with the text are damaged or missing.
    Blocks,
    /// The tables of the segment are damaged or lost.
    Tables,
    /// Nothing is left of the segments with the text.
    Segments,
    /// The block is intact but cannot be decoded. The string has the reason.
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

/// A remark on a recovery.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum RecoveryNote {
    /// No directory is intact. Sources have the names under which they were packed, and
    /// no digests verify them.
    NoDirectory,
    /// The size of the archive is unknown, so more text may be lost.
    UnknownExtent,
    /// The directory of a newer state or of another archive is lost, or a segment that it
    /// lists. More text may be lost with it.
    Outdated,
    /// The newest intact directory does not list all segments. The others belong to an
    /// append that was not finished or whose directory is lost, or to another archive.
    /// They were recovered, too.
    Unlisted {
        /// The number of such segments.
        segments: u64,
    },
    /// Damaged bytes of the file were mended by its parity.
    Mended {
        /// The number of bytes.
        bytes: u64,
    },
    /// No text of a source is known to be missing, but its digest differs.
    Unproven {
        /// The name of the source.
        name: String,
    },
}

impl RecoveryNote {
    /// Whether the remark means that something may be lost.
    pub fn is_doubt(&self) -> bool {
        matches!(
            self,
            RecoveryNote::UnknownExtent | RecoveryNote::Outdated | RecoveryNote::Unproven { .. }
        )
    }
}

impl fmt::Display for RecoveryNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RecoveryNote::NoDirectory => f.write_str(
                "the directory is lost: the files have the names they had when packed, and no digest \
                 verifies them",
            ),
            RecoveryNote::UnknownExtent => {
                f.write_str("no record of the size of the archive is left: it may have held more")
            }
            RecoveryNote::Mended { bytes: 1 } => f.write_str("a damaged byte was mended by parity"),
            RecoveryNote::Mended { bytes } => {
                write!(f, "{bytes} damaged bytes were mended by parity")
            }
            RecoveryNote::Outdated => f.write_str(
                "a later state of the archive, or another archive in the same file, may be lost, \
                 with games that are not listed here",
            ),
            RecoveryNote::Unlisted { segments } => write!(
                f,
                "segments that the newest directory does not list were recovered ({segments}): of \
                 an append that was not finished, or of another archive"
            ),
            RecoveryNote::Unproven { name } => write!(
                f,
                "{name}: not what was packed (BLAKE3 differs), though nothing seems to be missing"
            ),
        }
    }
}
