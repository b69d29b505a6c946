//! The move model: every legal move of a position gets a probability
//! (`spec/models.md`).
//!
//! | module | holds |
//! |---|---|
//! | `board` | the position as the side to move sees it |
//! | `maps` | which squares each side attacks, and how often |
//! | `legal` | the legal moves in the order in which the model numbers them |

mod board;
mod context;
mod exchange;
mod features;
mod groups;
mod hash;
mod history;
mod legal;
pub mod line;
mod maps;
pub mod net;
mod probabilities;
mod scene;
mod squares;
mod table;
mod threats;
mod weights;

pub use board::{Board, Changes, Move, Placed, Side};
pub use context::Context;
pub use features::{Sink, tell};
pub use groups::{Default, Fast, Group, Groups, Level, Max, Starts};
pub use history::{History, Played};
pub use legal::{Legal, PROMOTIONS, Piece};
pub use maps::{Map, Times};
pub use scene::Scene;
pub use squares::{Code, Codes};
pub use weights::Weights;
