//! Parse errors of conditions on positions.

/// Parse errors of conditions on positions.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PositionTestError {
    /// A letter that does not name a piece.
    #[error("{0:?} is not a piece: K, Q, R, B, N and P are White's, k, q, r, b, n and p Black's")]
    Letter(char),
    /// A malformed range.
    #[error("a range is written {{2}} or {{0-2}}")]
    Range,
    /// An empty condition.
    #[error("nothing is asked for")]
    Empty,
    /// A board that does not have eight ranks.
    #[error("a board has eight ranks with / between them")]
    Ranks,
    /// A rank that does not have eight files.
    #[error("a rank has eight squares")]
    Files,
    /// Not a piece with its square.
    #[error("{0:?} is not a piece with its square: write Nd5, pe4, or .e4 for an empty square")]
    Square(String),
    /// A square is given twice.
    #[error("a square is named twice")]
    Twice,
    /// A material without the king of a side.
    #[error(
        "every position of chess has both kings: write {0}, or {0} with * after a king that may be missing"
    )]
    MissingKing(String),
    /// Pieces that no position has.
    #[error("no position has {0}")]
    Impossible(&'static str),
    /// A FEN of a board alone.
    #[error("the FEN does not say which side is to move: add w or b")]
    NoSideToMove,
    /// A malformed FEN, or one that is not a legal position.
    #[error("no position by the rules: {0}")]
    Fen(String),
}
