//! Writing games of an archive to new files: a selection, in any order, to one file or
//! several.
//!
//! ```text
//! blocks ─ GameParts ─► games, in their order ─┬────────────────────────► JoinedReader ─► text
//!                                              └─ Spool ─► in any other order ─┘
//! ```
//!
//! A game is its record, byte for byte, with the text up to the next game. Text before
//! the first game of a source belongs to no game and is left out. Between games that were
//! not adjacent, [`separator`](crate::pgn::separator) gives the separator.

mod closed;
mod joined;
mod share;
mod spool;

pub use closed::ClosedFile;
pub use joined::{JoinStats, JoinedReader};
pub use share::{ShareSize, SplitParts};
pub use spool::Spool;
