//! Decoding errors of the Huffman codecs.

use crate::bits::BitsError;
use crate::chess::{PieceId, Square};
use crate::codec::huffman::TreeError;

/// One of the two trees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TreeKind {
    /// The tree of piece IDs.
    Pieces,
    /// The tree of squares, of `huffman`.
    Squares,
    /// The tree of target numbers, of `huffman-index`.
    Numbers,
}

impl std::fmt::Display for TreeKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            TreeKind::Pieces => "piece tree",
            TreeKind::Squares => "square tree",
            TreeKind::Numbers => "number tree",
        })
    }
}

/// Decoding errors of the Huffman codecs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum HuffmanError {
    /// The encoding of a tree is invalid.
    #[error("{0}: {1}")]
    Tree(TreeKind, TreeError),
    /// A tree has a symbol that does not occur in the game.
    #[error("{0}: ID {1} does not occur in the game")]
    UnusedSymbol(TreeKind, u8),
    /// An entry of the promotion table is not the ID of a pawn.
    #[error("promotion table: piece {} is not a pawn", .0.number())]
    TableNotPawn(PieceId),
    /// A pawn occurs twice in the promotion table.
    #[error("promotion table: piece {} occurs twice", .0.number())]
    TableRepeated(PieceId),
    /// The promotion table is not in ascending order.
    #[error("promotion table: piece {} is out of order", .0.number())]
    TableOrder(PieceId),
    /// The initial position does not list the pieces in ascending order.
    #[error("initial position: piece {} is out of order", .0.number())]
    InitialOrder(PieceId),
    /// Two pieces of the initial position are on one square.
    #[error("initial position: two pieces on {0}")]
    TwoOnSquare(Square),
    /// The pieces of the initial position have other IDs than those of this position.
    #[error("initial position: other IDs than those of its pieces")]
    InitialIds,
    /// The initial position is not a position of chess.
    #[error("initial position: not a position of chess")]
    Setup,
    /// A captured piece moves.
    #[error("ply {ply}: piece {} has been captured", piece.number())]
    CapturedMoves {
        /// The index of the ply in the line.
        ply: u64,
        /// The piece.
        piece: PieceId,
    },
    /// The piece has no target with this number.
    #[error("ply {ply}: the piece has no target of number {number}")]
    NoTarget {
        /// The index of the ply in the line.
        ply: u64,
        /// The number of the target.
        number: u8,
    },
    /// The bits end inside the game, or bits follow it.
    #[error(transparent)]
    Bits(#[from] BitsError),
}
