//! Move codecs: encoding of the plies of a line as bits (`spec/moves.md`).
//!
//! A codec encodes the moves of a line from a start position. The caller stores
//! the number of plies and the indexes of the null moves. A codec that cannot
//! represent a line returns [`CannotRepresent`], which is not a fault: the
//! caller uses another codec.

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

pub use codec::{Codec, LineParts, MoveCodec, encode_smallest, is_small_enough};
pub use line::{DecodedLine, Line, LineEncodeError, LineInfo, LineStart, MoveError, null_plies};
pub use model::ModelError;

// Types of the signatures above.
pub use crate::model::{Adaptations, BuiltinModel, Ratings, SideInfo};
