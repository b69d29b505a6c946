//! Archives: the writer and the reader.
//!
//! | module | contents |
//! |---|---|
//! | `schema` | the columns and tables: numbers, names, encodings |
//! | `tables` | the tables of a segment, each parsed and written |
//! | `block` | the columns of a block, record by record |
//! | `write` | the writer: sources, survey, fit, encoding, verification |
//! | `read` | the reader: games, tags, indexes, whole sources, verification |
//! | `edit` | append, merge, compact, repack, reindex, rewrite |
//! | `recover` | recovery of damaged archives |
//! | `fs` | new, temporary and memory-mapped files; safe names |
//! | `report` | statistics |

mod block;
#[cfg(feature = "write")]
mod edit;
mod error;
mod fs;
#[cfg(test)]
mod numbers;
mod options;
mod read;
#[cfg(feature = "write")]
mod recover;
mod report;
mod schema;
mod tables;
#[cfg(test)]
mod testing;
#[cfg(feature = "write")]
mod write;

pub(crate) use block::main_line::MainLineParts;
pub use block::{MAX_BLOCK_RECORDS, MAX_STRING_BYTES_OVER_TEXT, MAX_STRING_BYTES_PER_TEXT_BYTE};
#[cfg(feature = "write")]
pub use edit::append::Appender;
#[cfg(feature = "write")]
pub use edit::compact::Compaction;
#[cfg(feature = "write")]
pub use edit::lock::ArchiveLock;
#[cfg(feature = "write")]
pub use edit::merge::Merger;
#[cfg(feature = "write")]
pub use edit::rewrite::{ClosedFile, JoinStats, JoinedReader, ShareSize, SplitParts, Spool};
pub use error::{ContentError, Error};
#[cfg(feature = "write")]
pub use fs::file::{FileWriter, NewFile};
pub use fs::names::{safe_name, unsafe_name};
#[cfg(feature = "write")]
pub use fs::source_folder::{SourceConflict, SourceFolder};
pub use options::PackOptions;
pub use read::archive::Archive;
#[cfg(feature = "answers")]
pub(crate) use read::archive::MAX_OPEN_SEGMENTS;
pub use read::block_places::BlockPlace;
pub use read::games::BlockGames;
pub use read::indexes::Indexes;
pub use read::loss::Loss;
pub use read::parts::{GamePart, GameParts};
pub(crate) use read::read_ahead::{BlockTask, ReadAhead};
pub use read::stored_game::{GameHead, StoredGame};
pub(crate) use read::tag_cache::{CachedCell, TagColumn};
pub use read::tag_name::TagName;
pub use read::unpack::{FailedSource, Unpack};
#[cfg(feature = "write")]
pub use recover::{LossReason, LostRange, RecoveredSource, Recovery, RecoveryNote, RecoveryReport};
pub use report::overhead::Overhead;
pub use report::pack::PackReport;
pub use report::sizes::{AdaptationSize, ColumnSize, MarkPart, Sizes};
pub use schema::registry;
pub use tables::models::ModelId;
pub use tables::names::MAX_NAMES;
pub use tables::rosters::MAX_ROSTERS;
#[cfg(feature = "write")]
pub use write::writer::Writer;

// Types from other modules that occur in the signatures above.
pub use crate::annotation::{MarkBits, ValueBits};
pub use crate::container::{
    ErrorClass, FORMAT_VERSION, ReadAt, SIGNATURE, Source, Totals, Warning,
};
pub use crate::model::AdaptationParts;
pub use crate::model::InvalidModel;
pub use crate::moves::{BuiltinModel, Codec, MoveModel};
pub use crate::pgn::{Game, Moves, Step, Token, VerbatimReason};
