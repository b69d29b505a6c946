//! Errors of the content of tables and blocks.

use crate::annotation::AnnotationError;
use crate::annotation::lines::LineError;
use crate::archive::tables::models::ModelId;
use crate::bits::BitsError;
use crate::codec::distributions::DistributionError;
use crate::codec::error::CodecError;
use crate::codec::trace::OffTrace;
use crate::columns::PlanError;
use crate::container::{ContainerError, ErrorClass};
use crate::model::{AdaptationError, FollowerError, InvalidModel};
use crate::moves::radix::RadixError;
use crate::moves::{ModelError, MoveError};
use crate::pgn::{MisplacedVariation, RenderError};
use crate::position::PositionError;
use std::sync::Arc;

/// A part of a segment that is read when it is first needed, the movetext of a block or the large
/// tables, cannot be read.
#[derive(Debug, Clone)]
pub struct UnreadPart(pub(super) Arc<ContainerError>);

impl PartialEq for UnreadPart {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for UnreadPart {}

/// Invalid content in bytes whose checksum is correct, or the part that would have the content
/// is damaged.
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
    Tuning(#[from] AdaptationError),
    /// Invalid distributions of a field, or values that they cannot code.
    #[error(transparent)]
    Distribution(#[from] DistributionError),
    /// Invalid plans of fields.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// The text of a record could not be rendered.
    #[error(transparent)]
    Render(#[from] RenderError),
    /// A move model that is not built in, and that the archive does not contain.
    #[error("needs the move model {id}, which is not built in, and not in the archive")]
    NoModel {
        /// The digest of the model.
        id: ModelId,
    },
    /// Invalid bytes of a move model that the archive contains.
    #[error(transparent)]
    Model(#[from] InvalidModel),
    /// A move model that this release has, but this build leaves out.
    #[error("needs the move model `{level}`, which this build leaves out (feature model-{level})")]
    ModelNotIncluded {
        /// The level of the model.
        level: &'static str,
    },
    /// A game is not decoded as it was encoded. Only a writer's proof finds this.
    #[error(transparent)]
    OffTrace(#[from] OffTrace),
    /// The movetext of the block or the large tables of the segment cannot be read.
    #[error("{}", .0.0)]
    Unread(UnreadPart),
    /// Any other invalid content.
    #[error("{0}")]
    Invalid(&'static str),
}

impl From<ContainerError> for ContentError {
    fn from(error: ContainerError) -> Self {
        ContentError::Unread(UnreadPart(Arc::new(error)))
    }
}

impl ContentError {
    /// The level of the model that this build leaves out, if that is the error.
    pub(super) fn level_not_included(&self) -> Option<&&'static str> {
        match self {
            ContentError::Moves(MoveError::Model(ModelError::Follower(
                FollowerError::NotIncluded { level },
            )))
            | ContentError::ModelNotIncluded { level } => Some(level),
            _ => None,
        }
    }

    /// Whether the content is lost, and no failure that may pass has hidden it.
    pub(crate) fn is_loss(&self) -> bool {
        match self {
            ContentError::Unread(unread) => unread.0.is_loss(),
            _ => true,
        }
    }

    pub(super) fn class(&self) -> ErrorClass {
        match self {
            ContentError::Codec(CodecError::Limit(_))
            | ContentError::Marks(AnnotationError::Limit)
            | ContentError::Distribution(DistributionError::Limit)
            | ContentError::Plan(PlanError::Codec(CodecError::Limit(_)))
            | ContentError::Plan(PlanError::Distribution(DistributionError::Limit))
            | ContentError::Moves(MoveError::TooManyPlies { .. }) => ErrorClass::Limit,
            ContentError::NoModel { .. } => ErrorClass::Version,
            ContentError::Unread(unread) => unread.0.class(),
            error if error.level_not_included().is_some() => ErrorClass::Version,
            _ => ErrorClass::Damaged,
        }
    }
}
