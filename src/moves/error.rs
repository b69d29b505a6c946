//! Encoding and decoding errors of move codecs.

use crate::bits::BitsError;
use crate::chess::NoPieceIds;
use crate::codec::range::RangeError;
use crate::model::FollowerError;

use super::huffman::error::HuffmanError;
use super::radix::error::RadixError;

/// The reasons why a codec cannot represent a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum LineEncodeError {
    /// A ply, counted from 0, is not legal.
    #[error("ply {ply} is not legal")]
    IllegalPly {
        /// The index of the ply in the line.
        ply: u64,
    },
    /// The codec's form requires the standard start position.
    #[error("not the standard start position")]
    NotStandardStart,
    /// No piece IDs can be assigned in the start position.
    #[error(transparent)]
    PieceIds(#[from] NoPieceIds),
    /// A drop, which the codec cannot encode.
    #[error("a drop at ply {ply}")]
    Drop {
        /// The index of the ply in the line.
        ply: u64,
    },
    /// A promotion to king, which the codec cannot encode.
    #[error("a promotion to king at ply {ply}")]
    KingPromotion {
        /// The index of the ply in the line.
        ply: u64,
    },
    /// The codec supports only chess and Chess960.
    #[error("not a game of chess")]
    Variant,
    /// The codec needs a model, and none is given.
    #[error("no move model")]
    NoModel,
    /// This build leaves out the model of the codec.
    #[error("the move model `{level}` is not part of this build (feature model-{level})")]
    ModelNotIncluded {
        /// The level of the model.
        level: &'static str,
    },
    /// The codec encodes the end of the game, and the game did not end by mate,
    /// stalemate, resignation of the side to move or agreed draw.
    #[error("no ending that the codec has")]
    NoEnding,
    /// The list of candidates was empty.
    #[error("no codec to try")]
    NoCandidate,
}

/// Line decoding errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum MoveError {
    /// The line exceeds the limit of plies.
    #[error("{plies} plies, more than the limit of {limit}")]
    TooManyPlies {
        /// The announced number of plies.
        plies: u64,
        /// The limit.
        limit: u64,
    },
    /// The null moves are not in ascending order or are after the last ply.
    #[error("null moves out of order or after the last ply")]
    NullPlies,
    /// A null move in check.
    #[error("null move in check at ply {ply}")]
    NullInCheck {
        /// The index of the ply in the line.
        ply: u64,
    },
    /// A move that is not legal.
    #[error("illegal move at ply {ply}")]
    IllegalMove {
        /// The index of the ply in the line.
        ply: u64,
    },
    /// The decoded start position is not the announced one.
    #[error("another start position than announced")]
    WrongStart,
    /// The codec does not encode the start position, and the caller does not
    /// know it.
    #[error("the start position is not known")]
    StartUnknown,
    /// An error of `radix` or `radix-end`.
    #[error(transparent)]
    Radix(#[from] RadixError),
    /// An error of `squares`.
    #[error(transparent)]
    Squares(#[from] SquaresError),
    /// An error of `san`.
    #[error(transparent)]
    San(#[from] SanError),
    /// An error of the Huffman codecs.
    #[error(transparent)]
    Huffman(#[from] HuffmanError),
    /// An error of `model`.
    #[error(transparent)]
    Model(#[from] ModelError),
}

/// Decoding error of `squares`: the bits end inside a move, or do not end after
/// the last one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(transparent)]
pub struct SquaresError(#[from] pub BitsError);

/// Decoding errors of `san`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SanError {
    /// A text that does not denote a move.
    #[error("not the text of a move at ply {ply}")]
    NotAMove {
        /// The index of the ply in the line.
        ply: u64,
    },
    /// A text that denotes a legal move but is not its standard SAN.
    #[error("not standard SAN at ply {ply}")]
    NotStandard {
        /// The index of the ply in the line.
        ply: u64,
    },
    /// The bytes end inside a move, or bytes follow the last move.
    #[error(transparent)]
    Bits(#[from] BitsError),
}

/// Decoding errors of `model`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    /// The model cannot follow the game.
    #[error(transparent)]
    Follower(#[from] FollowerError),
    /// The line has more plies, but no move is legal.
    #[error("no legal move is left to choose from")]
    NoLegalMove,
    /// The range decoder rejects the bytes.
    #[error(transparent)]
    Range(#[from] RangeError),
}

impl From<FollowerError> for LineEncodeError {
    fn from(error: FollowerError) -> Self {
        match error {
            FollowerError::NotIncluded { level } => LineEncodeError::ModelNotIncluded { level },
            FollowerError::NoModel => LineEncodeError::NoModel,
            FollowerError::Variant => LineEncodeError::Variant,
        }
    }
}
