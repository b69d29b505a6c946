//! The container layer of the file format. It is independent of chess.
//!
//! ```text
//! file    := header, slot 0, slot 1, (segment, names or parity)*, footer copy, directory, parity, footer
//! segment := tables, (tags, block+)+, other section*, segment end
//! ```
//!
//! [`ContainerWriter`] writes a file from front to back without seeking and returns the
//! [`CommitSlot`] that its caller must write. [`Container`] reads a file from anything
//! that implements [`ReadAt`]. [`Append`] adds to a file in place. The contents of
//! blocks and tables are opaque to this layer. `spec/format.md` is the normative text.
//! The numbers are listed in [`registry`].
//!
//! ```
//! use pgna::internals::container::{
//!     BlockCounts, Container, ContainerWriter, PackedBlock, PartRange, Tables,
//! };
//! use pgna::{Bytes, Limits, Source};
//!
//! let mut writer = ContainerWriter::new(Vec::new())?;
//! writer.begin_segment(&Tables::default())?;
//! let packed = PackedBlock { tags: b"opaque", movetext: b"as well" };
//! writer.block(BlockCounts { games: 1, records: 1, raw_bytes: 9 }, packed)?;
//! writer.end_segment(PartRange { first: 0, count: 1 })?;
//! let (mut file, slot) = writer.finish(vec![Source {
//!     name: "a.pgn".to_owned(),
//!     bytes: 9,
//!     games: 1,
//!     records: 1,
//!     digest: *blake3::hash(b"1. e4 *\r\n").as_bytes(),
//! }])?;
//! slot.write_to(&mut file);
//!
//! let (container, warnings) = Container::open(Bytes(&file), Limits::default())?;
//! assert!(warnings.is_empty());
//! let place = container.find_game(1).expect("the archive holds one game");
//! let segment = container.segment(place.segment)?;
//! let block = container.block(&segment, segment.block_of_game(place.game).expect("in range"))?;
//! assert_eq!(block.packed(), packed);
//! # Ok::<(), pgna::internals::container::ContainerError>(())
//! ```

mod append;
mod block;
mod checksum;
mod copy;
mod directory;
mod error;
mod footer;
mod header;
mod mend;
mod models;
mod names;
mod open;
mod paged_source;
mod parity;
mod range_sums;
mod read_at;
mod read_tables;
mod reader;
mod recovery;
pub mod registry;
mod scan;
mod section;
mod segment_end;
mod segment_id;
mod slot;
mod source_part;
mod storage;
mod summary;
mod superseded;
mod tables;
mod tags;
#[cfg(test)]
mod tests;
mod unwritten_names;
mod warning;
mod write_blocks;
mod writer;

pub use append::{Append, AppendWriter};
pub use block::{Block, BlockCounts, BlockHeader, BlockMovetext, PackedBlock, TagsPlace};
#[cfg(fuzzing)]
pub use checksum::CHECKSUMS_COUNT;
pub use directory::{PartRange, SegmentEntry, Source, Totals};
pub use error::{
    ContainerError, Damage, ErrorClass, FilePart, FilePlace, SignatureDamage, Unsupported,
};
pub use header::{FORMAT_VERSION, HEADER_BYTES, SIGNATURE};
pub use models::ModelDigest;
pub use names::{NAME_ROWS, NameCell};
pub use paged_source::PagedSource;
#[cfg(any(feature = "http", feature = "object-store"))]
pub(crate) use paged_source::START_BYTES;
pub use read_at::{AnyBytes, Bytes, ReadAt};
pub use read_tables::{TablesHead, TablesPlace};
pub use reader::{Container, GamePlace, Segment};
pub use recovery::{FoundSection, FoundSegment, RecoveryScan};
pub use registry::{SectionType, TableKind};
pub use section::Section;
pub use segment_end::{BlockEntry, BlockIndex, SectionEntry, TagsSection};
pub use segment_id::SegmentId;
pub use slot::{CommitSlot, SLOT_BYTES};
pub use source_part::SourcePart;
pub use storage::{OffsetWriter, Storage};
pub use summary::{SegmentSummary, SummaryEntry};
pub use tables::{Table, Tables};
pub use warning::Warning;
pub use writer::ContainerWriter;
