//! Archives: the writer and its passes, and the reader.
//!
//! ```text
//! sources ─ intake ─► segment ─ survey, fit ─► encoded records ─ learn ─► tables
//!                                                  └─ encode, decode, compare ─► blocks
//! ```

mod adaptations;
mod append;
mod back_references;
mod batch;
mod block;
mod cells;
mod checksums;
mod columns;
mod decode_movetext;
mod derived;
mod dictionaries;
mod encode_movetext;
mod encodings;
mod error;
mod file;
mod games;
mod indexes;
mod lazy_prefix;
mod lengths;
mod lines;
mod merge;
#[cfg(feature = "mmap")]
mod mmap;
mod models;
mod names;
mod notation;
mod open_file;
mod openings;
mod options;
mod overhead;
mod passes;
mod plans;
mod preset_text;
mod reader;
mod record;
mod recover;
pub mod registry;
mod reindex;
mod report;
mod rewrite;
mod segment;
mod set_up;
mod sizes;
mod source_reader;
mod spelling;
mod starts;
mod stored;
mod stream;
mod survey;
mod tables;
mod tag_cache;
mod tag_name;
mod temporary;
#[cfg(test)]
mod testing;
mod unpack;
mod variations;
mod verify;
mod writer;

pub use append::{Appender, lock_archive};
pub use block::{MAX_BLOCK_RECORDS, MAX_STRING_BYTES_OVER_TEXT, MAX_STRING_BYTES_PER_TEXT_BYTE};
pub use error::{ContentError, Error};
pub use file::{FileWriter, NewFile};
pub use games::{BlockGames, BlockPlace};
pub use indexes::Indexes;
pub use merge::Merger;
pub use models::ModelId;
pub use names::{safe_name, unsafe_name};
pub use options::PackOptions;
pub use overhead::Overhead;
pub use reader::{Archive, GameHead};
pub use recover::{LossReason, LostRange, RecoveredSource, Recovery, RecoveryNote, RecoveryReport};
pub use report::PackReport;
pub use rewrite::{
    ClosedFile, JoinStats, JoinedReader, Part, Parts, SplitPart, SplitParts, Spool, write_archive,
    write_text,
};
pub use sizes::{AdaptationSize, ColumnSize, MarkPart, Sizes};
pub use tables::{MAX_NAMES, MAX_ROSTERS};
pub(crate) use tag_cache::{CachedCell, TagColumn};
pub use tag_name::TagName;
pub use unpack::{FailedSource, Unpack};
pub use verify::Loss;
pub use writer::Writer;

// Types from other modules that occur in the signatures above.
pub use crate::annotation::{MarkBits, ValueBits};
pub use crate::container::{
    ErrorClass, FORMAT_VERSION, ReadAt, SIGNATURE, Source, Totals, Warning,
};
pub use crate::model::TuningParts;
pub use crate::moves::{BuiltinModel, Codec};
pub use crate::pgn::{Game, Moves, Step, Token, VerbatimReason};
