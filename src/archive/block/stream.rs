//! The moves of a game, coded with a model as one stream, in which variations
//! are in the order of the text.

use crate::archive::block::variations::LineReader;
use crate::archive::error::ContentError;
use crate::chess::{ChessPosition, PlyKind};
use crate::codec::range::{Decoder, Encoder};
use crate::model::{BuiltinFollower, BuiltinModel, GameContext, SideInfo};
use crate::moves::{ModelError, MoveError};
use crate::pgn::{GameTree, Node, Walker};

/// The maximum number of variations that are open at once; each holds a model
/// state.
pub(crate) const MAX_OPEN: usize = 255;

/// Encodes the moves of all lines of a tree. `None` if the model cannot code
/// them: a ply is not legal in chess, or variations are nested too deeply or
/// misplaced.
pub(crate) fn write_stream(
    model: BuiltinModel,
    tree: &GameTree<'_>,
    context: GameContext,
    side_info: SideInfo<'_>,
) -> Option<Vec<u8>> {
    let hints = side_info.hints(model);
    let follower = BuiltinFollower::new(model, &tree.start, context, hints).ok()?;
    let mut walker = Walker::new(follower);
    let mut encoder = Encoder::new();
    for node in &tree.nodes {
        match node {
            Node::Open => open(&mut walker).ok()?,
            Node::Close => walker.close().ok()?,
            Node::Ply(ply, _) => {
                let written = walker.step(|game| game.encode(*ply, &mut encoder).ok_or(()));
                written.ok()?;
            }
            _ => {}
        }
    }
    Some(encoder.finish())
}

fn open(walker: &mut Walker<BuiltinFollower<'_>>) -> Result<(), ContentError> {
    if walker.depth() == MAX_OPEN {
        return Err(ContentError::Invalid("variations too deep for a model"));
    }
    Ok(walker.open_with(BuiltinFollower::variation)?)
}

/// Decodes the plies of all lines of a movetext.
pub(crate) struct StreamReader<'a> {
    walker: Walker<BuiltinFollower<'a>>,
    decoder: Decoder<'a>,
    ply: u64,
}

impl<'a> StreamReader<'a> {
    pub(crate) fn new(
        model: BuiltinModel,
        start: &ChessPosition,
        context: GameContext,
        side_info: SideInfo<'a>,
        moves: &'a [u8],
    ) -> Result<Self, ContentError> {
        let follower = BuiltinFollower::new(model, start, context, side_info.hints(model));
        let follower = follower.map_err(|error| MoveError::Model(error.into()))?;
        Ok(StreamReader {
            walker: Walker::new(follower),
            decoder: Decoder::new(moves),
            ply: 0,
        })
    }
}

impl LineReader for StreamReader<'_> {
    fn open(&mut self) -> Result<(), ContentError> {
        open(&mut self.walker)
    }

    fn close(&mut self) -> Result<(), ContentError> {
        Ok(self.walker.close()?)
    }

    fn ply(&mut self, _: bool, is_null: bool) -> Result<PlyKind, ContentError> {
        let (decoder, ply) = (&mut self.decoder, self.ply);
        self.ply += 1;
        let read = self.walker.step(|game| {
            if is_null {
                let passed = game.pass().map(|()| PlyKind::Null);
                return passed.ok_or(MoveError::NullInCheck { ply });
            }
            let read = game.decode(decoder).map_err(ModelError::Range)?;
            Ok(read.ok_or(ModelError::NoLegalMove)?)
        });
        Ok(read?)
    }

    fn finish(self) -> Result<(), ContentError> {
        let finished = self.decoder.finish().map_err(ModelError::Range);
        Ok(finished.map_err(MoveError::Model)?)
    }
}
