//! Lines of moves in comments, such as principal variations: each as the moves
//! that it says, from a position that the game has just had.
//!
//! A line is compared with what is known of the game (`known`): its own moves,
//! its variations, and the lines before. Where it departs from these, its moves
//! are written by the model of the game's own.
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
pub use field::{FAMILIES, KINDS, Lines, Stand};
pub use kinds::Kinds;
pub use known::{Known, Source};
pub use recent::{KEPT, Recent};
pub use record::{Fields, code_lines};
pub use text::{Line, MAX_PLIES, Numbers, Style};
