//! `model`: a trained model gives every legal move a probability
//! (`spec/models.md`).

use crate::chess::PlyKind;
use crate::codec::range::{Decoder, Encoder};
use crate::codec::trace::Trace;
use crate::limits::Limits;

use super::error::{LineEncodeError, ModelError, MoveError};
use super::line::{DecodedLine, Line, LineInfo};
use super::move_codec::{MoveCodec, PlyVisitor};
use std::ops::ControlFlow;

/// The codec `model`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Model;

impl Model {
    /// Encodes a line. Returns the trace too.
    pub(super) fn encode_traced(
        &self,
        line: Line<'_>,
    ) -> Result<(Vec<u8>, Trace), LineEncodeError> {
        let mut follower = line.side_info.follower(line.start, line.context())?;
        let mut encoder = Encoder::new();
        let mut trace = Trace::default();
        for (ply, played) in (0..).zip(line.plies) {
            let coded = follower.encode(*played, &mut encoder);
            let coded = coded.ok_or(LineEncodeError::IllegalPly { ply })?;
            coded.trace(&mut trace);
        }
        Ok((encoder.finish(), trace))
    }
}

impl MoveCodec for Model {
    fn encode(&self, line: Line<'_>) -> Result<Vec<u8>, LineEncodeError> {
        self.encode_traced(line).map(|(bytes, _)| bytes)
    }

    fn decode(
        &self,
        bytes: &[u8],
        shape: &LineInfo<'_>,
        limits: &Limits,
    ) -> Result<DecodedLine, MoveError> {
        let mut plies = Vec::new();
        self.follow(bytes, shape, limits, &mut |ply| {
            plies.push(ply);
            ControlFlow::Continue(())
        })?;
        Ok(DecodedLine {
            start: shape.start.known()?.clone(),
            plies,
            result: None,
        })
    }

    fn follow(
        &self,
        bytes: &[u8],
        shape: &LineInfo<'_>,
        limits: &Limits,
        see: &mut PlyVisitor<'_>,
    ) -> Result<(), MoveError> {
        shape.check(limits)?;
        let start = shape.start.known()?;
        let follower = shape.side_info.follower(start, shape.context());
        let mut follower = follower.map_err(ModelError::Follower)?;
        let mut decoder = Decoder::new(bytes);
        let mut nulls = shape.nulls.iter().peekable();
        for ply in 0..shape.plies {
            let played = match nulls.next_if_eq(&&ply) {
                Some(_) => {
                    follower.pass().ok_or(MoveError::NullInCheck { ply })?;
                    PlyKind::Null
                }
                None => {
                    let read = follower.decode(&mut decoder).map_err(ModelError::Range)?;
                    read.ok_or(ModelError::NoLegalMove)?
                }
            };
            if see(played).is_break() {
                return Ok(());
            }
        }
        Ok(decoder.finish().map_err(ModelError::Range)?)
    }

    /// 0, because moves that the model is sure of cost almost nothing.
    fn least_bytes(&self, _: Line<'_>) -> usize {
        0
    }
}
