//! Indexes of a segment: sections beside its blocks, by which positions, and
//! tags that follow from moves, are found without decoding the moves of all games (`spec/index.md`).
//!
//! ```text
//! main lines ─ sort ─► OpeningTree: lines that games share ─► section OPEN
//!                 ├──► Tails: what is never undone, behind those ─► section TAIL
//!                 ├──► FirstPlies: how games go on with that ─► section PLYS
//! tags ───────────┴──► DerivedTags: values that follow from moves ─► section DTAG
//! Sought ─► Index::search ─► games that have it, games that may have it
//! ```
//!
//! Nothing else depends on them: a segment without them holds the same games.

mod behind;
mod board;
mod build;
mod coded;
mod derived;
mod event;
mod line;
mod openings;
mod plies;
mod replay;
mod search;
mod sought;
mod starts;
mod tails;
mod tree;
mod walk;

pub use board::home_pawns;
pub use derived::{DerivedTag, DerivedTags};
pub use line::{Line, PackedPly};
pub use plies::FirstPlies;
pub use search::Index;
pub use sought::{Found, Sought};
pub use tails::Tails;
pub use tree::OpeningTree;

use crate::container::SectionType;

/// The tree of the lines that games share.
pub const OPENINGS: SectionType = SectionType(*b"OPEN");
/// What happens in games behind the lines that they share.
pub const TAILS: SectionType = SectionType(*b"TAIL");
/// The first plies behind the lines that they share.
pub const PLIES: SectionType = SectionType(*b"PLYS");
/// The values of tags that follow from the moves.
pub const DERIVED_TAGS: SectionType = SectionType(*b"DTAG");

/// Every section type of the indexes, with the flags it bears.
pub const SECTION_TYPES: &[(SectionType, u8, &str)] = &[
    (OPENINGS, 0, "openings"),
    (TAILS, 0, "tails"),
    (PLIES, 0, "first plies"),
    (DERIVED_TAGS, 0, "derived tags"),
];
