//! The moves of a game, coded with a model as one stream, in which variations
//! are in the order of the text.

use crate::archive::block::variations::LineReader;
use crate::archive::error::ContentError;
use crate::chess::{ChessPosition, PlyKind};
use crate::codec::range::{Decoder, Encoder};
use crate::codec::trace::{OffTrace, Steps, Trace, TraceReader};
use crate::model::{BuiltinFollower, GameContext, SideInfo};
use crate::moves::{ModelError, MoveError};
use crate::pgn::{GameTree, Node, Walker};

/// The maximum number of variations that are open at once; each holds a model
/// state.
pub(crate) const MAX_OPEN: usize = 255;

/// Encodes the moves of all lines of a tree. Returns the trace too, or `None` if the model cannot
/// code them: a ply is not legal in chess, or variations are nested too deeply or
/// misplaced.
pub(crate) fn write_stream(
    tree: &GameTree<'_>,
    context: GameContext,
    side_info: SideInfo<'_>,
) -> Option<(Vec<u8>, Trace)> {
    let follower = side_info.follower(&tree.start, context).ok()?;
    let mut walker = Walker::new(follower);
    let (mut encoder, mut trace) = (Encoder::new(), Trace::default());
    for node in &tree.nodes {
        match node {
            Node::Open => {
                open(&mut walker).ok()?;
                trace.push(&OPEN);
            }
            Node::Close => {
                walker.close().ok()?;
                trace.push(&CLOSE);
            }
            Node::Ply(ply, _) => {
                let coded = walker.step(|game| game.encode(*ply, &mut encoder).ok_or(()));
                coded.ok()?.trace(&mut trace);
            }
            _ => {}
        }
    }
    Some((encoder.finish(), trace))
}

// The steps of variations in a trace, which are no plies.
const OPEN: [u8; 2] = [0xff, 0xff];
const CLOSE: [u8; 2] = [0xfe, 0xff];

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
        start: &ChessPosition,
        context: GameContext,
        side_info: SideInfo<'a>,
        moves: &'a [u8],
    ) -> Result<Self, ContentError> {
        let follower = side_info.follower(start, context);
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
        finish(self.decoder)
    }
}

/// Decodes the moves of a game with the shares of their trace. Returns the steps without the
/// shares, which take most of the memory.
pub(crate) fn prove_moves(moves: &[u8], trace: &Trace) -> Result<Trace, ContentError> {
    let (mut trace, mut steps) = (trace.reader(), Trace::default());
    let mut decoder = Decoder::new(moves);
    while !trace.is_empty() {
        let step = trace.step()?;
        steps.push(&step);
        if step == OPEN || step == CLOSE {
            continue;
        }
        if let Some(share) = trace.share()? {
            let consumed = decoder.consume(share).map_err(ModelError::Range);
            consumed.map_err(MoveError::Model)?;
        }
    }
    finish(decoder)?;
    Ok(steps.shrink())
}

/// Checks that the decoder has read all moves.
fn finish(decoder: Decoder<'_>) -> Result<(), ContentError> {
    let finished = decoder.finish().map_err(ModelError::Range);
    Ok(finished.map_err(MoveError::Model)?)
}

/// Gives the plies of all lines of a movetext whose moves [`prove_moves`] has decoded.
pub(crate) struct TracedStreamReader<'a> {
    steps: TraceReader<'a>,
}

impl<'a> TracedStreamReader<'a> {
    pub(crate) fn new(steps: &'a Trace) -> Self {
        TracedStreamReader {
            steps: steps.reader(),
        }
    }
}

impl LineReader for TracedStreamReader<'_> {
    fn open(&mut self) -> Result<(), ContentError> {
        Ok(self.steps.pass(&OPEN)?)
    }

    fn close(&mut self) -> Result<(), ContentError> {
        Ok(self.steps.pass(&CLOSE)?)
    }

    fn ply(&mut self, _: bool, is_null: bool) -> Result<PlyKind, ContentError> {
        let ply = PlyKind::from_bits(u16::from_le_bytes(self.steps.step()?));
        let ply = ply.filter(|ply| (*ply == PlyKind::Null) == is_null);
        Ok(ply.ok_or(OffTrace)?)
    }

    fn finish(self) -> Result<(), ContentError> {
        Ok(self.steps.finish()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{BuiltinModel, MoveModel, SegmentModel};
    use crate::pgn::{Lexeme, Scanner, parse};

    #[test]
    fn other_bytes_and_other_traces_are_found() {
        let text = "1. a4 (1. h4 -- 2. h5) 1... h5 2. Ra3 Rh6 (2... Nf6 (2... Nc6) 3. f3) 3. Rh3";
        let lexemes: Vec<Lexeme> = Scanner::new(text.as_bytes()).collect();
        let tree = parse(text.as_bytes(), &lexemes).tree;
        let model = SegmentModel::from(MoveModel::from(BuiltinModel::Fast));
        let written = write_stream(&tree, GameContext::default(), SideInfo::from(&model));
        let (moves, trace) = written.expect("moves");
        let steps = prove_moves(&moves, &trace).expect("the moves");
        assert_eq!(steps.clone().bytes_mut().len(), 2 * (11 + 6));
        for at in 0..moves.len() {
            for bit in 0..8 {
                let mut other = moves.clone();
                other[at] ^= 1 << bit;
                assert!(prove_moves(&other, &trace).is_err(), "byte {at}, bit {bit}");
            }
        }
        assert!(prove_moves(&moves[..moves.len() - 1], &trace).is_err());
        let mut longer = trace.clone();
        longer.push(&[1]);
        assert!(prove_moves(&moves, &longer).is_err());
    }
}
