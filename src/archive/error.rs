//! Errors of writing and reading archives.

use crate::annotation::AnnotationError;
use crate::annotation::lines::LineError;
use crate::bits::BitsError;
use crate::codec::error::CodecError;
use crate::codec::forecast::ForecastError;
use crate::container::{ContainerError, ErrorClass};
use crate::model::TuningError;
use crate::moves::MoveError;
use crate::moves::radix::RadixError;
use crate::pgn::{MisplacedVariation, RenderError};
use crate::position::PositionError;
use crate::tags::PlanError;
use std::io;
use std::path::Path;

/// An error of writing or reading an archive.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// An error in the container. It includes the offset in the file.
    #[error(transparent)]
    Container(#[from] ContainerError),
    /// The tables of a segment are invalid.
    #[error("tables of segment {segment}: {error}")]
    Tables {
        /// The number of the segment, from 0.
        segment: usize,
        /// The error in the tables.
        error: ContentError,
    },
    /// A block that was found in a damaged archive is invalid.
    #[error("block at byte {offset}: {error}")]
    Recovered {
        /// The file offset of the block.
        offset: u64,
        /// The error in the block.
        error: ContentError,
    },
    /// A block is invalid.
    #[error("block {block} of segment {segment}{}: {error}", at_record(*record))]
    Block {
        /// The number of the segment, from 0.
        segment: usize,
        /// The number of the block in the segment, from 0.
        block: usize,
        /// The number of the record in the block, from 0, if the error is in a
        /// record.
        record: Option<usize>,
        /// The error in the block.
        error: ContentError,
    },
    /// There is no game with this number.
    #[error("no game {number}: the archive has {games}")]
    NoSuchGame {
        /// The requested number.
        number: u64,
        /// The number of games of the archive.
        games: u64,
    },
    /// The digest of a source differs from that taken when it was packed.
    #[error("source {name:?}: its text is not what was packed (BLAKE3 differs)")]
    Digest {
        /// The name of the source.
        name: String,
    },
    /// A source could not be read, or the archive could not be written.
    #[error("{what}: {error}")]
    Io {
        /// The operation.
        what: String,
        /// The error of the operating system.
        error: io::Error,
    },
    /// The name of a source is not safe to use as a path.
    #[error("source name {name:?}: {reason}")]
    Name {
        /// The name.
        name: String,
        /// The reason.
        reason: &'static str,
    },
    /// A block does not decode to the text that was packed into it.
    #[error("internal error: a block of {source_name:?} does not give back its text")]
    Unproven {
        /// The last source of the segment.
        source_name: String,
    },
}

fn at_record(record: Option<usize>) -> String {
    record.map_or_else(String::new, |record| format!(", record {record}"))
}

impl ArchiveError {
    /// The class of the error; `None` for errors that are not about the file.
    pub fn class(&self) -> Option<ErrorClass> {
        match self {
            ArchiveError::Container(error) => Some(error.class()),
            ArchiveError::Tables { error, .. }
            | ArchiveError::Block { error, .. }
            | ArchiveError::Recovered { error, .. } => Some(error.class()),
            ArchiveError::Digest { .. } => Some(ErrorClass::Damaged),
            ArchiveError::Io { .. } => Some(ErrorClass::Io),
            ArchiveError::NoSuchGame { .. }
            | ArchiveError::Name { .. }
            | ArchiveError::Unproven { .. } => None,
        }
    }
}

/// Invalid content in bytes whose checksum is correct.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ContentError {
    /// An invalid column, dictionary or compressed byte string.
    #[error(transparent)]
    Codec(#[from] CodecError),
    /// Malformed bits or bytes, for example an early end.
    #[error(transparent)]
    Bits(#[from] BitsError),
    /// Invalid moves of a game.
    #[error("moves: {0}")]
    Moves(#[from] MoveError),
    /// Invalid moves of variations.
    #[error("moves of variations: {0}")]
    Radix(#[from] RadixError),
    /// Invalid marks of a movetext, or invalid tables for decoding them.
    #[error(transparent)]
    Marks(#[from] AnnotationError),
    /// Invalid lines of moves in comments.
    #[error("lines in comments: {0}")]
    Lines(#[from] LineError),
    /// A variation is misplaced.
    #[error(transparent)]
    Variation(#[from] MisplacedVariation),
    /// Invalid bits of a start position.
    #[error("set-up: {0}")]
    SetUp(#[from] PositionError),
    /// An invalid adaptation of a model.
    #[error(transparent)]
    Tuning(#[from] TuningError),
    /// Invalid distributions of a field, or values that they cannot code.
    #[error(transparent)]
    Forecast(#[from] ForecastError),
    /// Invalid plans of fields.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// The text of a record could not be rendered.
    #[error(transparent)]
    Render(#[from] RenderError),
    /// A move model that this release does not have.
    #[error("needs move model {number}, which this release does not have")]
    NoModel {
        /// The number of the model.
        number: u64,
    },
    /// A move model whose weights differ from those of the model with the same
    /// number in this release.
    #[error("needs another move model {number} than this release has (BLAKE3 differs)")]
    OtherModel {
        /// The number of the model.
        number: u64,
    },
    /// Any other invalid content.
    #[error("{0}")]
    Invalid(&'static str),
}

impl ContentError {
    fn class(&self) -> ErrorClass {
        match self {
            ContentError::Codec(CodecError::Limit(_))
            | ContentError::Marks(AnnotationError::Limit)
            | ContentError::Forecast(ForecastError::Limit)
            | ContentError::Plan(PlanError::Codec(CodecError::Limit(_)))
            | ContentError::Plan(PlanError::Forecast(ForecastError::Limit))
            | ContentError::Moves(MoveError::TooManyPlies { .. }) => ErrorClass::Limit,
            ContentError::NoModel { .. } | ContentError::OtherModel { .. } => ErrorClass::Version,
            _ => ErrorClass::Damaged,
        }
    }
}

/// Wraps an error of writing a file.
pub(super) fn write_error(target: &Path, error: io::Error) -> ArchiveError {
    ArchiveError::Io {
        what: format!("writing {}", target.display()),
        error,
    }
}
