//! The moves of a game's variations: one mixed-radix number over all of them.
//!
//! Each ply is a digit as in `radix`; the digits stand in the order of the
//! text. Were each variation a number of its own, each would need its length.

use super::error::ContentError;
use crate::chess::{IllegalPly, Ply, Position};
use crate::moves::radix::{Fold, Unfold};
use crate::pgn::{MisplacedVariation, Node, Tree, Walker};

/// The moves of all variations of a tree. `None` if a ply is not legal or a
/// variation stands where none can.
pub(super) fn fold_variations(tree: &Tree<'_>) -> Option<Vec<u8>> {
    let mut walker = Walker::new(tree.start.clone());
    let mut fold = Fold::new();
    for node in &tree.nodes {
        match node {
            Node::Open => walker.open().ok()?,
            Node::Close => walker.close().ok()?,
            Node::Ply(ply, _) if walker.is_main() || *ply == Ply::Null => {
                walker.step(|position| position.play(*ply)).ok()?;
            }
            Node::Ply(ply, _) => {
                let choice = walker.step(|position| position.play_counted(*ply)).ok()?;
                fold.push(choice.index, choice.count);
            }
            _ => {}
        }
    }
    Some(fold.finish())
}

const ILLEGAL: ContentError = ContentError::Invalid("an illegal move in or beside a variation");

/// Walks through a movetext and finds the plies of its variations.
pub(super) struct VariationReader<'a> {
    walker: Walker,
    moves: Unfold<'a>,
}

impl<'a> VariationReader<'a> {
    pub(super) fn new(start: Position, moves: &'a [u8]) -> Result<Self, ContentError> {
        Ok(VariationReader {
            walker: Walker::new(start),
            moves: Unfold::new(moves)?,
        })
    }

    pub(super) fn open(&mut self) -> Result<(), MisplacedVariation> {
        self.walker.open()
    }

    pub(super) fn close(&mut self) -> Result<(), MisplacedVariation> {
        self.walker.close()
    }

    /// Steps over a ply that is known: of the main line, or a null move.
    pub(super) fn follow(&mut self, ply: Ply) -> Result<Ply, ContentError> {
        self.walker
            .step(|position| position.play(ply).map_err(|IllegalPly| ILLEGAL))?;
        Ok(ply)
    }

    /// The next ply, which is of a variation and no null move.
    pub(super) fn next(&mut self) -> Result<Ply, ContentError> {
        let moves = &mut self.moves;
        self.walker.step(|position| {
            let ply = position.play_nth(|count| moves.digit(count))?;
            ply.ok_or(ILLEGAL)
        })
    }

    /// Checks that no moves are left over.
    pub(super) fn finish(self) -> Result<(), ContentError> {
        Ok(self.moves.finish()?)
    }
}
