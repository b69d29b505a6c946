//! Lines of moves in comments, such as principal variations, coded as moves
//! from a recent position of the game.
//!
//! The moves of a line are predicted from the moves known for each position
//! (`known`): those of the game, its variations and earlier lines. A move that
//! is not among these is coded with the model that codes the game.
//!
//! The layout is that of `spec/annotations.md`, section "Lines".

mod coder;
mod field;
mod kinds;
mod known;
mod recent;
mod record;
mod text;

pub use coder::{LineCoder, LineError};
pub use field::{FAMILIES, KINDS, LineState, MoveLines};
pub use kinds::Kinds;
pub use known::{MoveSource, NamedMoves};
pub use recent::{Recent, STATES};
pub use record::{Fields, code_lines, pass_structure};
pub use text::{MAX_PLIES, Numbers, Style, TextLine};
