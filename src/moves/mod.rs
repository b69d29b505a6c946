//! Move codecs: a line of plies as bits and back (`spec/moves.md`).
//!
//! A codec codes the moves of a line from a start position. How many plies
//! there are, and which of them are null moves, is structure that its caller
//! keeps. That a codec cannot represent a line is an ordinary answer: the
//! caller takes another.

mod codec;
pub mod huffman;
mod line;
mod model;
mod names;
pub mod radix;
pub mod san;
pub mod squares;
#[cfg(test)]
mod testing;

pub use codec::{Codec, MoveCodec, Parts, encode_smallest, settles};
pub use line::{CannotRepresent, DecodedLine, Line, MoveError, Shape, Start, null_plies};
pub use model::ModelError;

// Types in the signatures above.
pub use crate::model::{Adaptations, Advice, BuiltinModel, Ratings};
