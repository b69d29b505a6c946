//! Drawings: games, positions and statistics as text for terminals, as SVG and as HTML. The
//! functions make text from data; names and comments in it are not trusted.

mod ansi;
mod bars;
mod board;
mod curve;
mod figures;
mod game_drawing;
mod game_page;
mod game_text;
mod game_tree;
mod glyphs;
mod moves;
mod page;
mod pieces;
mod standings;
mod stats_json;
mod stats_page;
mod svg;
mod text;
mod tree_svg;

pub use board::Diagram;
pub use figures::{grouped, points, ratio};
pub use game_drawing::GameDrawing;
pub use game_text::TextForm;
pub use game_tree::{Eval, GameTree, Line, MoveNode, Notes};
pub use standings::{NamedPlayer, by_games, by_points, cell};
pub use stats_json::{score_json, stats_json};
pub use stats_page::{crosstable_page, scores_page, stats_page};
pub use tree_svg::tree_svg;
