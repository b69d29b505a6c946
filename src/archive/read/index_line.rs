//! Main lines in the form that indexes use.

use crate::chess::{ChessPosition, Rules};
use crate::index::IndexLine;
use crate::pgn::{Moves, Step};

/// The main line in the form that indexes use; `None` unless it is a line of chess from
/// the standard position.
pub(crate) fn line_of(moves: &Moves) -> Option<IndexLine> {
    let is_standard =
        moves.start.rules() == Rules::CHESS && moves.start.is_same_as(&ChessPosition::standard());
    let has_variations = moves.steps.contains(&Step::Open);
    IndexLine::new(moves.main_line(), has_variations).filter(|_| is_standard)
}
