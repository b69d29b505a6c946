//! The registered numbers of the container, one list per registry.
//!
//! `spec/registry.md` contains these lists; `tests/it/registry.rs` compares the two. A
//! layer that adds table kinds has a list of its own in the same form, so that this
//! module does not depend on them.

use std::fmt;

/// The type of a section: four ASCII letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct SectionType(pub [u8; 4]);

impl fmt::Display for SectionType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.escape_ascii())
    }
}

/// The tables of a segment.
pub const TABLES: SectionType = SectionType(*b"TABL");
/// The tags of a group of blocks.
pub const TAGS: SectionType = SectionType(*b"TAGS");
/// The movetext of a block.
pub const BLOCK: SectionType = SectionType(*b"BLOK");
/// The end of a segment.
pub const SEGMENT_END: SectionType = SectionType(*b"SEND");
/// The directory.
pub const DIRECTORY: SectionType = SectionType(*b"DIRC");
/// The footer and its copy.
pub const FOOTER: SectionType = SectionType(*b"FOOT");
/// The parity of the bytes before it.
pub const PARITY: SectionType = SectionType(*b"PARI");
/// The names of players in segments.
pub const NAMES: SectionType = SectionType(*b"NAME");

/// A model.
pub const MODELS: SectionType = SectionType(*b"MODL");

/// Every section type of the container, with its flags and its name.
pub const SECTION_TYPES: &[(SectionType, u8, &str)] = &[
    (TABLES, CRITICAL, "tables"),
    (TAGS, CRITICAL, "tags"),
    (BLOCK, CRITICAL, "block"),
    (SEGMENT_END, CRITICAL, "segment end"),
    (DIRECTORY, CRITICAL, "directory"),
    (FOOTER, CRITICAL, "footer"),
    (PARITY, CRITICAL, "parity"),
    (NAMES, 0, "names of players"),
    (MODELS, CRITICAL, "model"),
];

/// Section types with a fixed place, which are never listed among the other sections of
/// a segment.
pub(super) const FIXED_PLACE_TYPES: [SectionType; 9] = [
    TABLES,
    TAGS,
    BLOCK,
    SEGMENT_END,
    DIRECTORY,
    FOOTER,
    PARITY,
    NAMES,
    MODELS,
];

/// Section flag: a reader that does not know the type must refuse the segment.
pub const CRITICAL: u8 = 1;

/// The kind of a table of a segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct TableKind(pub u8);

/// The parts of sources that a segment holds.
pub const SOURCE_PARTS: TableKind = TableKind(1);

/// The model that the segment needs.
pub const MODEL: TableKind = TableKind(2);

/// The first kind for the layers that use the container. Lower ones are reserved for
/// the container.
pub const FIRST_UNRESERVED_TABLE_KIND: TableKind = TableKind(16);

/// The first of the kinds of tables that are large and seldom needed. Those before them are read
/// alone.
pub const FIRST_LARGE_TABLE_KIND: TableKind = TableKind(31);

/// Every table kind of the container: its number and its name.
pub const TABLE_KINDS: &[(TableKind, &str)] = &[(SOURCE_PARTS, "source parts"), (MODEL, "model")];
