//! Indexes of a segment, stored as sections next to its blocks (`spec/index.md`). With
//! them, a search for a position or for a tag derived from the moves need not decode the
//! moves of all games.
//!
//! ```text
//! main lines ─ shared lines ─► trunk and groups of games ─► section OPEN
//!                 ├──► Continuations: irreversible changes and first plies after these ─► TAIL
//!                 ├──► Structures: pawns, hashed, of the games of each group ─► section PAWN
//!                 ├──► Visits: pieces on squares, and castling ─► section VIST
//! tags ───────────┴──► DerivedTags: values derived from the moves ─► section DTAG
//! SearchTarget ─► Index::search ─► plan ─► records to read ─► games that contain it, games that may
//!                                                             contain it
//! ```
//!
//! Indexes are optional: a segment without them holds the same games.

mod board;
mod build;
mod candidates;
mod coded;
mod continuations;
mod derived;
mod event;
mod first_positions;
mod framed;
mod gaps;
mod group;
mod group_search;
mod line;
mod names;
mod next_plies;
mod node_positions;
mod openings;
mod plan;
mod plies;
mod replay;
mod search;
mod sections;
mod skeleton_step;
mod source;
mod structures;
mod tails;
mod target;
#[cfg(test)]
mod tests;
mod tree;
mod visits;
mod walk;

pub use board::home_pawns;
pub use derived::{DerivedTag, DerivedTags};
pub use first_positions::PositionTrace;
pub use framed::{HEAD_START, head_range, section_head, write_section};
pub use line::{IndexLine, IndexMoves, PackedPly};
pub use names::{NameHash, name_cells};
pub use next_plies::{NextPlies, NextPly};
pub use search::Index;
pub use sections::{IndexBuilder, IndexOrder};
pub use source::{IndexSections, IndexSource};
pub use structures::PawnStructure;
pub use target::{Found, KnownPosition, PlaceSet, SearchScope, SearchTarget, Ternary};
pub use visits::Visits;

use crate::container::SectionType;

/// The tree of the lines that games share.
pub const OPENINGS: SectionType = SectionType(*b"OPEN");
/// The irreversible changes in games after they leave the opening tree, and their first plies.
pub const CONTINUATIONS: SectionType = SectionType(*b"TAIL");
/// The structures of pawns in games after they leave the trunk of the tree.
pub const STRUCTURES: SectionType = SectionType(*b"PAWN");
/// The squares that the pieces of games visit.
pub const VISITS: SectionType = SectionType(*b"VIST");
/// The values of tags that are derived from the moves.
pub const DERIVED_TAGS: SectionType = SectionType(*b"DTAG");

/// Every section type of the indexes, with its flags and its name.
pub const SECTION_TYPES: &[(SectionType, u8, &str)] = &[
    (OPENINGS, 0, "openings"),
    (CONTINUATIONS, 0, "continuations"),
    (STRUCTURES, 0, "pawn structures"),
    (VISITS, 0, "visits"),
    (DERIVED_TAGS, 0, "derived tags"),
];

/// Whether sections of this type are parts of indexes.
pub(crate) fn is_index(section_type: SectionType) -> bool {
    let mut types = SECTION_TYPES.iter();
    types.any(|(index, ..)| *index == section_type)
}
