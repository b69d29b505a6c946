//! Coders that know no chess.

pub mod huffman;
