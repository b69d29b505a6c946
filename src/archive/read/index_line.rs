//! Main lines in the form that indexes use.

use crate::chess::{ChessPosition, Rules};
use crate::index::{IndexLine, IndexMoves};
use crate::pgn::{Moves, Step};

/// The moves of a game in the form that indexes use. `None` are those of a game whose start position is
/// not valid.
pub(crate) fn index_moves(moves: Option<&Moves>) -> IndexMoves {
    let line = moves.and_then(line_of).map(IndexMoves::Line);
    line.unwrap_or_else(|| outside_moves(moves))
}

/// The moves of a game that the tree of openings cannot hold, such as one that is partly verbatim.
pub(crate) fn outside_moves(moves: Option<&Moves>) -> IndexMoves {
    let mut structures = Vec::new();
    if let Some(moves) = moves {
        let mut position = moves.start.clone();
        structures.push(position.skeleton().pawns);
        for ply in moves.main_line() {
            if position.make(ply).is_err() {
                break;
            }
            structures.push(position.skeleton().pawns);
        }
    }
    structures.dedup();
    IndexMoves::Outside(structures)
}

/// The main line in the form that indexes use; `None` unless it is a line of chess from
/// the standard position.
fn line_of(moves: &Moves) -> Option<IndexLine> {
    let is_standard =
        moves.start.rules() == Rules::CHESS && moves.start.is_same_as(&ChessPosition::standard());
    let has_variations = moves.steps.contains(&Step::Open);
    IndexLine::new(moves.main_line(), has_variations).filter(|_| is_standard)
}
