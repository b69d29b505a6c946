//! Positions, moves and SAN. The only module that names shakmaty.

mod position;
mod san;

pub use position::{IllegalPly, Ply, Position};
pub use san::{SanText, Spelling};
pub use shakmaty::{Color, File, Rank, Role, Square};
