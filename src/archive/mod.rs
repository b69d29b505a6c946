//! Archives: the writer and its passes, and the reader.
//!
//! ```text
//! sources ─ intake ─► segment ─ survey, fit ─► encoded records ─ learn ─► tables
//!                                                  └─ encode, decode, compare ─► blocks
//! ```

mod append;
mod assemble;
mod batch;
mod block;
mod cells;
mod checksums;
mod columns;
mod derived;
mod dictionaries;
mod dismantle;
mod encodings;
mod error;
mod file;
mod frames;
mod games;
mod indexes;
mod intake;
mod kept;
mod lazily;
mod lengths;
mod lines;
mod mentions;
mod merge;
mod mmap;
mod models;
mod names;
mod notation;
mod openings;
mod options;
mod passes;
mod phrases;
mod plans;
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
mod spelling;
mod starts;
mod stored;
mod stream;
mod survey;
mod tables;
mod tag_name;
mod temporary;
#[cfg(test)]
mod testing;
mod tunings;
mod unpack;
mod variations;
mod verify;
mod writer;

pub use append::{Appender, lock_archive};
pub use block::{MAX_BLOCK_RECORDS, STRING_BYTES_BESIDE_TEXT, STRING_BYTES_PER_TEXT_BYTE};
pub use error::{ContentError, Error};
pub use file::{FileWriter, NewFile};
pub use frames::Frames;
pub use games::{BlockGames, BlockPlace};
pub use indexes::Indexes;
pub(crate) use kept::{KeptCell, TagColumn};
pub use merge::Merger;
pub use models::ModelId;
pub use names::{safe_name, unsafe_name};
pub use options::PackOptions;
pub use reader::{Archive, GameHead};
pub use recover::{LossReason, LostRange, RecoveredSource, Recovery, RecoveryNote, Rescue};
pub use report::PackReport;
pub use rewrite::{
    ClosedFile, Joined, Joins, Part, Parts, Share, Shares, Spool, write_archive, write_text,
};
pub use sizes::{ColumnSize, MarkPart, Sizes, TuningSize};
pub use tables::{MAX_NAMES, MAX_ROSTERS};
pub use tag_name::TagName;
pub use unpack::{Unpack, Unproven};
pub use verify::Loss;
pub use writer::Writer;

// Types from other modules that occur in the signatures above.
pub use crate::annotation::{MarkBits, ValueBits};
pub use crate::container::{
    ErrorClass, FORMAT_VERSION, ReadAt, SIGNATURE, Source, Totals, Warning,
};
pub use crate::model::TuningParts;
pub use crate::moves::{Codec, Shipped};
pub use crate::pgn::{Game, Moves, Rest, Step, Token};
