//! Generic coders, independent of chess.

pub mod combinations;
pub mod dictionary;
pub mod error;
pub mod flat;
pub mod forecast;
#[cfg(test)]
mod golden;
pub mod huffman;
pub mod ints;
pub mod log;
pub mod mix;
pub mod natural;
mod numbered;
pub mod pack;
pub mod range;
pub mod strings;
pub mod uniform;
