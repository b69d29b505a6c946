//! Drawings: games as trees of moves.

mod game_tree;

pub use game_tree::{Eval, GameTree, Line, MoveNode, Notes};
