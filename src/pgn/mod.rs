//! Lossless PGN: cutting bytes into records, records into lexemes, and telling
//! the game tree from the layout, so that rendering gives every byte back.

mod scan;
mod split;

pub use scan::{Kind, Lexeme, Scanner};
pub use split::{MAX_RECORD_BYTES, Record, Splitter};
