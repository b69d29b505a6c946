//! Move codecs: encoding of the plies of a line as bits (`spec/moves.md`).
//!
//! A codec encodes the moves of a line from a start position. The caller stores
//! the number of plies and the indexes of the null moves. A codec that cannot
//! represent a line returns [`LineEncodeError`], which is not a fault: the
//! caller uses another codec.

mod codec;
mod error;
pub mod huffman;
mod line;
mod model;
mod move_codec;
mod names;
pub mod radix;
pub mod san;
pub mod squares;
#[cfg(test)]
mod testing;

pub use codec::{Codec, EncodedLine, encode_smallest, is_small_enough};
pub use error::{LineEncodeError, ModelError, MoveError, SanError, SquaresError};
pub use line::{DecodedLine, Line, LineInfo, LineStart, null_plies};
pub use move_codec::{LineParts, MoveCodec, PlyVisitor};

// Types of the signatures above.
pub use crate::model::{
    BuiltinModel, InvalidModel, InvalidWeights, MoveModel, Ratings, SegmentModel, SideInfo,
};
