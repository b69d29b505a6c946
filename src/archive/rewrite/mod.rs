//! Writing games of an archive again: some of them, in another order, into one file or
//! several.
//!
//! ```text
//! blocks ─ Parts ─► games, in their order ─┬──────────────────────────────► Joined ─► text
//!                                          └─ Spool ─► in any other order ─┘
//! ```
//!
//! A game is its record, byte for byte, with the text between it and the next. What
//! stands before the first game of a source belongs to no game and is left out. Where two
//! games meet that did not, [`gap`](crate::pgn::gap) tells what has to stand between
//! them.

mod closed;
mod joined;
mod parts;
mod share;
mod spool;
mod starts;
mod write;

pub use closed::ClosedFile;
pub use joined::{Joined, Joins};
pub use parts::{Part, Parts};
pub use share::{Share, Shares};
pub use spool::Spool;
pub use write::{write_archive, write_text};
