//! Position codes: a single position as bits and back (`spec/positions.md`).
//!
//! Most codes write the pieces alone; what else belongs to a position follows
//! in a trailer that they share. That a code cannot represent a position is an
//! ordinary answer.

mod board;
mod castling;
mod code;
mod combined;
mod difference;
mod digits;
mod error;
mod game;
mod huffman_static;
mod names;
mod nibble;
mod piece_code;
mod piece_list;
#[cfg(test)]
mod tests;
mod trailer;

pub use code::Code;
pub use combined::CHOICES as COMBINED;
pub use error::{CannotRepresent, PositionError};
pub use game::{SEARCHED_PLIES, encode_line};
