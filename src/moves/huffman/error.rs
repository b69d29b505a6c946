//! What can be wrong with the bits of a game.

use crate::bits::BitsError;
use crate::chess::{PieceId, Square};
use crate::codec::huffman::TreeError;

/// One of the two trees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WhichTree {
    /// Over piece IDs.
    Pieces,
    /// Over squares, of `huffman`.
    Squares,
    /// Over numbers of targets, of `huffman-index`.
    Numbers,
}

impl std::fmt::Display for WhichTree {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            WhichTree::Pieces => "piece tree",
            WhichTree::Squares => "square tree",
            WhichTree::Numbers => "number tree",
        })
    }
}

/// Why the bits are not the encoding of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum HuffmanError {
    /// A tree is not one.
    #[error("{0}: {1}")]
    Tree(WhichTree, TreeError),
    /// A tree has an ID that the game does not mention.
    #[error("{0}: ID {1} does not occur in the game")]
    ForeignId(WhichTree, u8),
    /// An entry of the promotion table is not a pawn's ID.
    #[error("promotion table: piece {} is not a pawn", .0.number())]
    TableNotPawn(PieceId),
    /// A pawn is in the promotion table twice.
    #[error("promotion table: piece {} stands twice", .0.number())]
    TableRepeated(PieceId),
    /// The promotion table is not in ascending order.
    #[error("promotion table: piece {} is out of order", .0.number())]
    TableOrder(PieceId),
    /// The initial position does not list the pieces in ascending order.
    #[error("initial position: piece {} is out of order", .0.number())]
    InitialOrder(PieceId),
    /// Two pieces of the initial position stand on one square.
    #[error("initial position: two pieces on {0}")]
    TwoOnSquare(Square),
    /// The initial position is not a position of chess.
    #[error("initial position: not a position of chess")]
    Setup,
    /// A piece moves that has been captured.
    #[error("ply {ply}: piece {} has been captured", piece.number())]
    CapturedMoves {
        /// The index of the ply in the line.
        ply: u64,
        /// The piece.
        piece: PieceId,
    },
    /// The number of a target that the piece does not have.
    #[error("ply {ply}: the piece has no target of number {number}")]
    NoTarget {
        /// The index of the ply in the line.
        ply: u64,
        /// The number.
        number: u8,
    },
    /// The bits end inside the game, or do not end with it.
    #[error(transparent)]
    Bits(#[from] BitsError),
    /// The game is encoded with other bits: other trees, or other IDs.
    #[error("not the encoding of the game that it decodes to")]
    NotCanonical,
}
