//! Generic coders, independent of chess.

pub(crate) mod adaptive_counts;
mod bit_cell;
pub mod combinations;
pub mod context_mixing;
pub mod dictionary;
pub mod distributions;
pub mod error;
#[cfg(test)]
mod golden;
pub mod huffman;
pub mod ints;
pub mod log;
pub mod natural;
pub mod pack;
pub mod range;
pub mod string_list;
pub mod strings;
pub mod trace;
pub mod uniform;
pub mod zstd;
