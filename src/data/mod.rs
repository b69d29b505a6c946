//! Games as data: columns of many games, read from the columns of an archive without rendering
//! and parsing text.
//!
//! | module | contents |
//! |---|---|
//! | `column` | what can be asked for |
//! | `batch`, `lists` | the answer: columns of the games of one block |
//! | `scan` | the walk over the blocks of an archive, with a range or a query |
//! | `block` | the columns of one block |
//! | `tags`, `tag_value` | the columns of tags, and their values as numbers, dates and times |
//! | `movetext` | the columns of moves, variations, comments and glyphs |
//! | `game` | the same columns of one game that was parsed |

mod batch;
mod block;
mod column;
mod game;
mod lists;
mod movetext;
mod scan;
mod tag_value;
mod tags;

pub use batch::{Annotations, ColumnData, GameBatch, TextColumn, Variations};
pub use column::{GameColumn, TagKind};
pub use lists::{Lists, TextLists};
pub use scan::Scan;
