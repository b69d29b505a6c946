//! The reasons why a code cannot represent a position, and decoding errors.

use crate::bits::BitsError;
use crate::chess::{Color, Square};

/// The reasons why a code cannot represent a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PositionEncodeError {
    /// The position has pieces in hand, promoted pieces or remaining checks.
    #[error("pockets, marks of promoted pieces or counted checks")]
    Variant,
    /// A pawn is on rank 1 or 8.
    #[error("a pawn on {square}")]
    Pawn {
        /// The square of the pawn.
        square: Square,
    },
    /// A side has a castling right, but not exactly one king, on its first
    /// rank, with one rook for each right.
    #[error("a castling right of {} without its king and rook", name(*side))]
    Castling {
        /// The side with the right.
        side: Color,
    },
    /// The rook of a castling right is not on rank 1 or 8.
    #[error("a castling right of a rook that is not on rank 1 or 8")]
    RightOffBackRank,
    /// The rook of a castling right is not the outermost one.
    #[error("the castling right of the inner rook on {square}")]
    InnerRook {
        /// The square of the rook.
        square: Square,
    },
    /// The en-passant square is not on the rank that pawns of the side that has
    /// moved pass.
    #[error("{square} as en-passant square")]
    EnPassant {
        /// The square.
        square: Square,
    },
    /// There is no pawn in front of the en-passant square to be captured.
    #[error("{square} as en-passant square without its pawn")]
    EnPassantPawn {
        /// The square.
        square: Square,
    },
    /// The halfmove clock is above 255.
    #[error("a halfmove clock above 255")]
    Halfmoves,
    /// The move number is above 65,535.
    #[error("a move number above 65,535")]
    Fullmoves,
    /// A side has not exactly one king.
    #[error("{} without just one king", name(*side))]
    King {
        /// The side.
        side: Color,
    },
    /// A side has more than 15 officers.
    #[error("more than 15 officers of {}", name(*side))]
    Officers {
        /// The side.
        side: Color,
    },
    /// A side has more than 8 pawns.
    #[error("more than 8 pawns of {}", name(*side))]
    Pawns {
        /// The side.
        side: Color,
    },
    /// By its move number and side to move, the position is after more plies
    /// than are searched.
    #[error(
        "by its move number it comes after ply {plies}; games of up to {most} plies are searched"
    )]
    TooManyPlies {
        /// The number of plies before the position.
        plies: u64,
        /// The maximum number of plies that are searched.
        most: u8,
    },
    /// No game from the standard start position reaches this position with the
    /// number of plies given by the move number and the side to move.
    #[error(
        "by its move number it comes after ply {plies}, and no game of that length leads there"
    )]
    NoGame {
        /// The number of plies before the position.
        plies: u64,
    },
    /// The game to the position is longer than 255 plies.
    #[error("a game of more than 255 plies")]
    LongGame,
    /// A ply of the game to the position is null or not legal.
    #[error("a game whose ply {ply} is null or not legal")]
    Ply {
        /// The number of the ply, from 1.
        ply: usize,
    },
    /// The game to the position does not start from the standard start
    /// position, or is not chess.
    #[error("a game that is not of chess, from the standard start position")]
    NotStandardChess,
}

/// Decoding errors of position codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PositionError {
    /// The bits end early, or are not followed by at most seven zeros.
    #[error(transparent)]
    Bits(#[from] BitsError),
    /// A field has an undefined value.
    #[error("a value that represents no piece on {square}")]
    Value {
        /// The square.
        square: Square,
    },
    /// A number is above its maximum.
    #[error("a number larger than its parts can make")]
    Number,
    /// A pawn is on rank 1 or 8.
    #[error("a pawn on {square}")]
    Pawn {
        /// The square of the pawn.
        square: Square,
    },
    /// Two pieces are on one square.
    #[error("two pieces on {square}")]
    Occupied {
        /// The square.
        square: Square,
    },
    /// The pieces are not in square order.
    #[error("pieces out of order at {square}")]
    Order {
        /// The square of the later piece.
        square: Square,
    },
    /// A castling right lacks its king and rook.
    #[error("a castling right of {} without its king and rook", name(*side))]
    Castling {
        /// The side with the right.
        side: Color,
    },
    /// More than one pawn, or a pawn on a wrong rank, is marked as having just
    /// moved two squares.
    #[error("the pawn on {square} cannot have moved two squares just now")]
    EnPassant {
        /// The square of the pawn.
        square: Square,
    },
    /// A halfmove clock of 0 or a move number of 1 is encoded.
    #[error("a counter is written that should be left out")]
    Counter,
    /// A move number of 0.
    #[error("move number 0")]
    Fullmoves,
    /// There are more plies, but no move is legal.
    #[error("no legal move at ply {ply}")]
    NoLegalMove {
        /// The index of the ply.
        ply: u8,
    },
}

fn name(side: Color) -> &'static str {
    side.fold_wb("White", "Black")
}
