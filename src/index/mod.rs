//! Indexes of a segment: sections beside its blocks, by which positions, and
//! tags that follow from moves, are found without decoding the moves of all games (`spec/index.md`).
//!
//! ```text
//! main lines ─ sort ─► OpeningTree: lines that games share ─► section OPEN
//!                 ├──► Tails: what is never undone, behind those ─► section TAIL
//! tags ───────────┴──► DerivedTags: values that follow from moves ─► section DTAG
//! Sought ─► Index::search ─► games that have it, games that may have it
//! ```
//!
//! Nothing else depends on them: a segment without them holds the same games.

mod board;
mod build;
mod derived;
mod event;
mod line;
mod openings;
mod search;
mod tails;
mod tree;

pub use board::home_pawns;
pub use derived::{DerivedTag, DerivedTags};
pub use line::{Line, PackedPly};
pub use search::{Found, Index, Sought};
pub use tails::Tails;
pub use tree::OpeningTree;

use crate::container::SectionType;

/// The tree of the lines that games share.
pub const OPENINGS: SectionType = SectionType(*b"OPEN");
/// What happens in games behind the lines that they share.
pub const TAILS: SectionType = SectionType(*b"TAIL");
/// The values of tags that follow from the moves.
pub const DERIVED_TAGS: SectionType = SectionType(*b"DTAG");

/// Every section type of the indexes, with the flags it bears.
pub const SECTION_TYPES: &[(SectionType, u8, &str)] = &[
    (OPENINGS, 0, "openings"),
    (TAILS, 0, "tails"),
    (DERIVED_TAGS, 0, "derived tags"),
];
