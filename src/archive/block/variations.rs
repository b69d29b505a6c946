//! The moves of a game's variations, coded as one mixed-radix number.
//!
//! Each ply is a digit as in `radix`, in the order of the text. With one number
//! per variation, each would need its own length.

use crate::archive::error::ContentError;
use crate::chess::{ChessPosition, IllegalPly, PlyKind};
use crate::moves::radix::{MixedRadixDecoder, MixedRadixEncoder};
use crate::pgn::{GameTree, Node, Walker};

/// Encodes the moves of all variations of a tree. `None` if a ply is illegal or
/// a variation is misplaced.
pub(crate) fn fold_variations(tree: &GameTree<'_>) -> Option<Vec<u8>> {
    let mut walker = Walker::new(tree.start.clone());
    let mut fold = MixedRadixEncoder::new();
    for node in &tree.nodes {
        match node {
            Node::Open => walker.open().ok()?,
            Node::Close => walker.close().ok()?,
            Node::Ply(ply, _) if walker.is_main() || *ply == PlyKind::Null => {
                walker.step(|position| position.make(*ply)).ok()?;
            }
            Node::Ply(ply, _) => {
                let choice = walker.step(|position| position.play_numbered(*ply)).ok()?;
                fold.push(choice.index, choice.count);
            }
            _ => {}
        }
    }
    Some(fold.finish())
}

/// A decoder for the plies of a movetext in the order of the text.
pub(crate) trait LineReader {
    /// Enters a variation.
    fn open(&mut self) -> Result<(), ContentError>;

    /// Leaves a variation.
    fn close(&mut self) -> Result<(), ContentError>;

    /// Reads the next ply. `is_main` says whether it belongs to the main line,
    /// `is_null` whether it is a null move.
    fn ply(&mut self, is_main: bool, is_null: bool) -> Result<PlyKind, ContentError>;

    /// Checks that no moves are left.
    fn finish(self) -> Result<(), ContentError>;
}

const ILLEGAL: ContentError = ContentError::Invalid("an illegal move in or beside a variation");

/// Decodes the plies of variations in a movetext whose main line is known.
pub(crate) struct VariationReader<'a> {
    walker: Walker,
    main: std::vec::IntoIter<PlyKind>,
    moves: MixedRadixDecoder<'a>,
}

impl<'a> VariationReader<'a> {
    pub(crate) fn new(
        start: ChessPosition,
        main: Vec<PlyKind>,
        moves: &'a [u8],
    ) -> Result<Self, ContentError> {
        Ok(VariationReader {
            walker: Walker::new(start),
            main: main.into_iter(),
            moves: MixedRadixDecoder::new(moves)?,
        })
    }

    /// Plays a known ply.
    fn follow(&mut self, ply: PlyKind) -> Result<PlyKind, ContentError> {
        self.walker
            .step(|position| position.make(ply).map_err(|IllegalPly| ILLEGAL))?;
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

    fn ply(&mut self, is_main: bool, is_null: bool) -> Result<PlyKind, ContentError> {
        if is_main {
            let ply = self.main.next().ok_or(ILLEGAL)?;
            return self.follow(ply);
        }
        if is_null {
            return self.follow(PlyKind::Null);
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
