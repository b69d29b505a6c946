//! The move model: every legal move of a position gets a probability
//! (`spec/models.md`).
//!
//! | module | holds |
//! |---|---|
//! | `board` | the position as the side to move sees it |
//! | `maps` | which squares each side attacks, and how often |
//! | `legal` | the legal moves in the order in which the model numbers them |

mod board;
mod hash;
mod legal;
mod maps;
mod table;

pub use board::{Board, Changes, Move, Placed, Side};
pub use legal::{Legal, PROMOTIONS, Piece};
pub use maps::Map;
