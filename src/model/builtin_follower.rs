//! The state of a built-in model in a game, one type for all.

use crate::chess::{ChessPosition, PlyKind};
use crate::codec::range::{Decoder, Encoder, RangeError};

use super::adaptation::GameAdaptation;
use super::builtin::{BuiltinModel, DEFAULT, FAST, MAX};
use super::coded_ply::CodedPly;
use super::context::GameContext;
use super::follower::Follower;
use super::groups::{Default, Fast, Level, Max};
use super::move_model::{AnyWeights, MoveModel, Origin};

/// The reasons why a built-in model cannot follow a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum FollowerError {
    /// This build leaves out the weights of the model.
    #[error("needs the move model `{level}`, which this build leaves out (feature model-{level})")]
    NotIncluded {
        /// The level of the model.
        level: &'static str,
    },
    /// No model is given.
    #[error("no move model")]
    NoModel,
    /// The start position is not one of chess or Chess960.
    #[error("the model knows no rules but those of chess")]
    Variant,
}

/// The state of a built-in model in a game.
#[derive(Debug, Clone)]
#[allow(
    clippy::large_enum_variant,
    reason = "there is one a game and one a variation that is open; boxed, each would be slower to copy"
)]
pub enum BuiltinFollower<'t> {
    /// The state of the model of the level `fast`.
    Fast(Follower<'t, Fast, { Fast::UNITS }, { Fast::MOVE_UNITS }>),
    /// The state of the model of the level `default`.
    Default(Follower<'t, Default, { Default::UNITS }, { Default::MOVE_UNITS }>),
    /// The state of the model of the level `max`.
    Max(Follower<'t, Max, { Max::UNITS }, { Max::MOVE_UNITS }>),
}

/// Evaluates an expression with the follower of any model.
macro_rules! each {
    ($self:expr, $follower:ident => $done:expr) => {
        match $self {
            BuiltinFollower::Fast($follower) => $done,
            BuiltinFollower::Default($follower) => $done,
            BuiltinFollower::Max($follower) => $done,
        }
    };
}

impl<'t> BuiltinFollower<'t> {
    /// The state at the start of a game, with the adaptation of its segment.
    ///
    /// # Errors
    /// This build does not include the weights, or the start position is not one of
    /// chess or Chess960.
    pub fn new(
        model: BuiltinModel,
        start: &ChessPosition,
        context: GameContext,
        hints: GameAdaptation<'t>,
    ) -> Result<Self, FollowerError> {
        let follower = match model {
            BuiltinModel::Fast => {
                Follower::new(FAST.included()?, start, context, hints).map(Self::Fast)
            }
            BuiltinModel::Default => {
                Follower::new(DEFAULT.included()?, start, context, hints).map(Self::Default)
            }
            BuiltinModel::Max => {
                Follower::new(MAX.included()?, start, context, hints).map(Self::Max)
            }
        };
        follower.ok_or(FollowerError::Variant)
    }

    /// As [`new`](Self::new), of any model.
    ///
    /// # Errors
    /// As of `new`.
    pub fn of(
        model: &'t MoveModel,
        start: &ChessPosition,
        context: GameContext,
        hints: GameAdaptation<'t>,
    ) -> Result<Self, FollowerError> {
        let follower = match &model.0 {
            Origin::Builtin(model) => return Self::new(*model, start, context, hints),
            Origin::File(model) => match &model.weights {
                AnyWeights::Fast(weights) => {
                    Follower::new(weights, start, context, hints).map(Self::Fast)
                }
                AnyWeights::Default(weights) => {
                    Follower::new(weights, start, context, hints).map(Self::Default)
                }
                AnyWeights::Max(weights) => {
                    Follower::new(weights, start, context, hints).map(Self::Max)
                }
            },
        };
        follower.ok_or(FollowerError::Variant)
    }

    /// A copy for a variation that branches off here. The length of a variation is
    /// unknown, so none of its plies counts as the last.
    pub fn variation(&self) -> Self {
        match self {
            Self::Fast(follower) => Self::Fast(follower.variation()),
            Self::Default(follower) => Self::Default(follower.variation()),
            Self::Max(follower) => Self::Max(follower.variation()),
        }
    }

    /// Encodes a ply and plays it. Returns it as coded, or `None` if it is not legal.
    pub fn encode(&mut self, ply: PlyKind, encoder: &mut Encoder) -> Option<CodedPly> {
        each!(self, follower => follower.encode(ply, encoder))
    }

    /// Decodes a move and plays it. Returns `None` if no move is legal.
    ///
    /// # Errors
    /// The bytes decode to none of the legal moves.
    pub fn decode(&mut self, decoder: &mut Decoder<'_>) -> Result<Option<PlyKind>, RangeError> {
        each!(self, follower => follower.decode(decoder))
    }

    /// Encodes a ply and plays it. The decoder must know that the ply is none of
    /// `besides`, which get no share. Returns the ply as coded, or `None` if it is not
    /// legal or one of `besides`.
    pub fn encode_besides(
        &mut self,
        ply: PlyKind,
        besides: &[PlyKind],
        encoder: &mut Encoder,
    ) -> Option<CodedPly> {
        each!(self, follower => follower.encode_excluding(ply, besides, encoder))
    }

    /// Decodes a move that is known to be none of `besides`, and plays it. Returns
    /// `None` if no move is legal.
    ///
    /// # Errors
    /// The bytes decode to none of the other legal moves.
    pub fn decode_besides(
        &mut self,
        besides: &[PlyKind],
        decoder: &mut Decoder<'_>,
    ) -> Result<Option<PlyKind>, RangeError> {
        each!(self, follower => follower.decode_excluding(besides, decoder))
    }

    /// Plays a ply without coding it. Returns `None` if it is not legal.
    pub fn advance(&mut self, ply: PlyKind) -> Option<()> {
        each!(self, follower => follower.advance(ply))
    }

    /// Whether a ply is a legal move.
    pub fn is_legal(&self, ply: PlyKind) -> bool {
        each!(self, follower => follower.is_legal(ply))
    }

    /// Hash of the pieces and the side to move; may collide.
    pub fn key(&self) -> u64 {
        each!(self, follower => follower.key())
    }

    /// Plays a null move. Returns `None` if the side to move is in check.
    pub fn pass(&mut self) -> Option<()> {
        each!(self, follower => follower.pass())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_model_follows_games() {
        for model in BuiltinModel::ALL {
            assert_eq!(BuiltinModel::of_digest(&model.digest()), Some(model));
            let start = ChessPosition::standard();
            let follower =
                BuiltinFollower::new(model, &start, GameContext::default(), GameAdaptation::NONE);
            assert!(follower.is_ok(), "{model:?}");
        }
        assert_eq!(BuiltinModel::of_digest(&[0; 32]), None);
    }
}
