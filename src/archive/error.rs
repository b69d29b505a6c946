//! Why an archive could not be written or read.

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

/// Why an archive could not be written or read.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// The container: its place in the file is part of the error.
    #[error(transparent)]
    Container(#[from] ContainerError),
    /// The tables of a segment say what cannot be.
    #[error("tables of segment {segment}: {error}")]
    Tables {
        /// The segment, from 0.
        segment: usize,
        /// What is wrong with them.
        error: ContentError,
    },
    /// A block that was found in a damaged archive holds what cannot be.
    #[error("block at byte {offset}: {error}")]
    Recovered {
        /// File offset of the block.
        offset: u64,
        /// What is wrong with it.
        error: ContentError,
    },
    /// A block holds what cannot be.
    #[error("block {block} of segment {segment}{}: {error}", at_record(*record))]
    Block {
        /// The segment, from 0.
        segment: usize,
        /// The block in its segment, from 0.
        block: usize,
        /// The record in its block, from 0, where it is one.
        record: Option<usize>,
        /// What is wrong with it.
        error: ContentError,
    },
    /// There is no game of this number.
    #[error("no game {number}: the archive has {games}")]
    NoSuchGame {
        /// The number asked for.
        number: u64,
        /// How many games there are.
        games: u64,
    },
    /// A source does not have the digest that was taken when it was packed.
    #[error("source {name:?}: its text is not what was packed (BLAKE3 differs)")]
    Digest {
        /// The source's name.
        name: String,
    },
    /// A source could not be read, or the archive not be written.
    #[error("{what}: {error}")]
    Io {
        /// What was read or written.
        what: String,
        /// What the system said.
        error: io::Error,
    },
    /// The name of a source cannot be kept.
    #[error("source name {name:?}: {reason}")]
    Name {
        /// The name.
        name: String,
        /// Why not.
        reason: &'static str,
    },
    /// A block did not give back what was packed into it.
    #[error("internal error: a block of {source_name:?} does not give back its text")]
    Unproven {
        /// The source that the block begins in.
        source_name: String,
    },
}

fn at_record(record: Option<usize>) -> String {
    record.map_or_else(String::new, |record| format!(", record {record}"))
}

impl ArchiveError {
    /// The class of the error, as the container classes its own.
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

/// What is wrong with bytes whose checksum is right.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ContentError {
    /// A column, dictionary or pressed byte string.
    #[error(transparent)]
    Codec(#[from] CodecError),
    /// Bytes that end early.
    #[error(transparent)]
    Bits(#[from] BitsError),
    /// The moves of a game.
    #[error("moves: {0}")]
    Moves(#[from] MoveError),
    /// The moves of variations.
    #[error("moves of variations: {0}")]
    Radix(#[from] RadixError),
    /// The marks of a movetext, or the tables that they are read with.
    #[error(transparent)]
    Marks(#[from] AnnotationError),
    /// The lines of moves in comments.
    #[error("lines in comments: {0}")]
    Lines(#[from] LineError),
    /// A variation stands where none can.
    #[error(transparent)]
    Variation(#[from] MisplacedVariation),
    /// The bits of a set-up.
    #[error("set-up: {0}")]
    SetUp(#[from] PositionError),
    /// What the segment adds to a model.
    #[error(transparent)]
    Tuning(#[from] TuningError),
    /// What is foreseen of a field.
    #[error(transparent)]
    Forecast(#[from] ForecastError),
    /// The plans of fields.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// The text could not be rendered.
    #[error(transparent)]
    Render(#[from] RenderError),
    /// A move model that this release does not have.
    #[error("needs move model {number}, which this release does not have")]
    NoModel {
        /// The number of the model.
        number: u64,
    },
    /// A move model of which this release has another by the same number.
    #[error("needs another move model {number} than this release has (BLAKE3 differs)")]
    OtherModel {
        /// The number of the model.
        number: u64,
    },
    /// Anything else that cannot be.
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

/// A file that could not be written.
pub(super) fn write_error(target: &Path, error: io::Error) -> ArchiveError {
    ArchiveError::Io {
        what: format!("writing {}", target.display()),
        error,
    }
}
