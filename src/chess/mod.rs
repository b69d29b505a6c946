//! Positions, moves and SAN. The only module that names shakmaty.

mod piece_id;
mod position;
mod san;
mod setup;

pub use piece_id::{Identified, NoPieceIds, PieceId, PieceTracker};
pub use position::{IllegalPly, Ply, Position};
pub use san::{SanText, Spelling};
pub use setup::{InvalidSetup, SetupRest};
pub use shakmaty::{Color, File, Rank, Role, Square};
