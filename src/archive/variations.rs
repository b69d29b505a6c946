//! The moves of a game's variations: one mixed-radix number over all of them.
//!
//! Each ply is a digit as in `radix`; the digits stand in the order of the
//! text. Were each variation a number of its own, each would need its length.

use super::error::ContentError;
use crate::chess::{IllegalPly, Ply, Position};
use crate::moves::radix::{Fold, Unfold};
use crate::pgn::{Node, Tree, Walker};

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

/// Reads the plies of a movetext in the order of its text.
pub(super) trait LineReader {
    /// A variation opens.
    fn open(&mut self) -> Result<(), ContentError>;

    /// A variation closes.
    fn close(&mut self) -> Result<(), ContentError>;

    /// The next ply, of the main line or a variation, a null move or none.
    fn ply(&mut self, is_main: bool, is_null: bool) -> Result<Ply, ContentError>;

    /// Checks that no moves are left over.
    fn finish(self) -> Result<(), ContentError>;
}

const ILLEGAL: ContentError = ContentError::Invalid("an illegal move in or beside a variation");

/// Walks through a movetext whose main line is known and finds the plies of its
/// variations.
pub(super) struct VariationReader<'a> {
    walker: Walker,
    main: std::vec::IntoIter<Ply>,
    moves: Unfold<'a>,
}

impl<'a> VariationReader<'a> {
    pub(super) fn new(
        start: Position,
        main: Vec<Ply>,
        moves: &'a [u8],
    ) -> Result<Self, ContentError> {
        Ok(VariationReader {
            walker: Walker::new(start),
            main: main.into_iter(),
            moves: Unfold::new(moves)?,
        })
    }

    /// Steps over a ply that is known.
    fn follow(&mut self, ply: Ply) -> Result<Ply, ContentError> {
        self.walker
            .step(|position| position.play(ply).map_err(|IllegalPly| ILLEGAL))?;
        Ok(ply)
    }
}

impl LineReader for VariationReader<'_> {
    fn open(&mut self) -> Result<(), ContentError> {
        Ok(self.walker.open()?)
    }

    fn close(&mut self) -> Result<(), ContentError> {
        Ok(self.walker.close()?)
    }

    fn ply(&mut self, is_main: bool, is_null: bool) -> Result<Ply, ContentError> {
        if is_main {
            let ply = self.main.next().ok_or(ILLEGAL)?;
            return self.follow(ply);
        }
        if is_null {
            return self.follow(Ply::Null);
        }
        let moves = &mut self.moves;
        self.walker.step(|position| {
            let ply = position.play_nth(|count| moves.digit(count))?;
            ply.ok_or(ILLEGAL)
        })
    }

    fn finish(self) -> Result<(), ContentError> {
        Ok(self.moves.finish()?)
    }
}
