//! Position codes: encoding of a single position as bits (`spec/positions.md`).
//!
//! Most codes encode the pieces and are followed by a common trailer with the
//! other data of the position. A code that cannot represent a position returns
//! [`PositionEncodeError`], which is not a fault.

mod board;
mod castling;
mod code;
mod coding;
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

pub use code::PositionCode;
pub use combined::CHOICES as COMBINED;
pub use error::{PositionEncodeError, PositionError};
pub use game::{SEARCHED_PLIES, encode_line};
