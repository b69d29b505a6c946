//! What codes cannot represent, and what can be wrong with bits.

use crate::bits::BitsError;
use crate::chess::{Color, Square};

/// Why a code cannot represent a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CannotRepresent {
    /// Pieces in hand, marks of promoted pieces, or counted checks.
    #[error("pockets, marks of promoted pieces or counted checks")]
    Variant,
    /// A pawn stands on rank 1 or 8.
    #[error("a pawn on {square}")]
    Pawn {
        /// Where it stands.
        square: Square,
    },
    /// A side has a castling right, but not just one king, on its first rank,
    /// and one rook for the right.
    #[error("a castling right of {} without its king and rook", name(*side))]
    Castling {
        /// Whose right it is.
        side: Color,
    },
    /// A castling right is of a rook that is not on rank 1 or 8.
    #[error("a castling right of a rook that is not on rank 1 or 8")]
    StrayRight,
    /// A castling right is of a rook that has another one on its far side.
    #[error("the castling right of the inner rook on {square}")]
    InnerRook {
        /// Where the rook stands.
        square: Square,
    },
    /// The en-passant square is not on the rank that pawns of the side that has
    /// moved have passed.
    #[error("{square} as en-passant square")]
    EnPassant {
        /// The square.
        square: Square,
    },
    /// There is no pawn to be captured in front of the en-passant square.
    #[error("{square} as en-passant square without its pawn")]
    EnPassantPawn {
        /// The square.
        square: Square,
    },
    /// The halfmove clock is above 255.
    #[error("a halfmove clock above 255")]
    Halfmoves,
    /// The number of the move is above 65,535.
    #[error("a move number above 65,535")]
    Fullmoves,
    /// A side has not exactly one king.
    #[error("{} without just one king", name(*side))]
    King {
        /// Which side.
        side: Color,
    },
    /// A side has more than 15 officers.
    #[error("more than 15 officers of {}", name(*side))]
    Officers {
        /// Which side.
        side: Color,
    },
    /// A side has more than 8 pawns.
    #[error("more than 8 pawns of {}", name(*side))]
    Pawns {
        /// Which side.
        side: Color,
    },
    /// By its move number and side to move, the position comes after more
    /// plies than are searched.
    #[error(
        "by its move number it comes after ply {plies}; games of up to {most} plies are searched"
    )]
    FarGame {
        /// After how many plies it comes.
        plies: u64,
        /// How many plies are searched.
        most: u8,
    },
    /// No game of as many plies as the move number and the side to move give
    /// leads from the standard start position to this one.
    #[error(
        "by its move number it comes after ply {plies}, and no game of that length leads there"
    )]
    NoGame {
        /// After how many plies the position comes.
        plies: u64,
    },
    /// The game that leads there is longer than 255 plies.
    #[error("a game of more than 255 plies")]
    LongGame,
    /// A ply of the game that leads there is no legal move.
    #[error("a game whose ply {ply} is null or not legal")]
    Ply {
        /// The number of the ply, from 1.
        ply: usize,
    },
    /// The game that leads there does not begin with the standard start
    /// position, or is not played by the rules of chess.
    #[error("a game that is not of chess, from the standard start position")]
    OtherGame,
}

/// Why bits are not what a code writes for a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PositionError {
    /// The bits end early, or others than up to seven zeros follow.
    #[error(transparent)]
    Bits(#[from] BitsError),
    /// A field has a value without a meaning.
    #[error("a value that stands for no piece on {square}")]
    Value {
        /// The square.
        square: Square,
    },
    /// A number is larger than the squares or pieces can make.
    #[error("a number larger than its parts can make")]
    Number,
    /// A pawn stands on rank 1 or 8.
    #[error("a pawn on {square}")]
    Pawn {
        /// Where.
        square: Square,
    },
    /// Two pieces stand on one square.
    #[error("two pieces on {square}")]
    Occupied {
        /// Where.
        square: Square,
    },
    /// Pieces do not stand in square order.
    #[error("pieces out of order at {square}")]
    Order {
        /// The square of the later piece.
        square: Square,
    },
    /// A castling right has not its king and rook.
    #[error("a castling right of {} without its king and rook", name(*side))]
    Castling {
        /// Whose right it is.
        side: Color,
    },
    /// The marks of a pawn that has just moved two squares are several, or one
    /// stands where no such pawn can be.
    #[error("the pawn on {square} cannot have moved two squares just now")]
    EnPassant {
        /// Where the pawn stands.
        square: Square,
    },
    /// A halfmove clock of 0 or a move number of 1 is written out.
    #[error("a counter is written that should be left out")]
    Counter,
    /// A move number of 0.
    #[error("move number 0")]
    Fullmoves,
    /// The other form of the code, or the code of another selector, is shorter.
    #[error("not the smallest form")]
    NotSmallest,
    /// A ply is announced where no legal move is left.
    #[error("no legal move at ply {ply}")]
    NoLegalMove {
        /// The index of the ply.
        ply: u8,
    },
}

fn name(side: Color) -> &'static str {
    side.fold_wb("White", "Black")
}
