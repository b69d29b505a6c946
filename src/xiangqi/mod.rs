//! Xiangqi (Chinese chess): positions, legal moves, position codes and share
//! links (`docs/xiangqi.md`).
//!
//! A [`XiangqiPosition`] is any board with the side to move; it need not be reachable
//! in a game. A code that cannot represent a position returns
//! [`XiangqiEncodeError`], which is not a fault: another code may be able to.

mod array;
mod attack;
mod code;
mod error;
mod fen;
mod field;
mod identity;
mod legal;
mod link;
mod list;
mod moves;
mod piece;
mod places;
mod point;
mod position;
mod prefix;
mod ranked;
#[cfg(test)]
mod testing;

pub use code::XiangqiCode;
pub use error::{CodeError, XiangqiEncodeError};
pub use fen::{Fen, FenError};
pub use link::{Link, LinkEncodeError, LinkError, MAX_PLIES};
pub use piece::{XiangqiPiece, XiangqiPieceKind, XiangqiSide};
pub use point::{NotAMove, Point, XiangqiMove};
pub use position::{IllegalMove, XiangqiPosition};
