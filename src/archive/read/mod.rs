//! Reading archives: open segments and blocks, games, tags, whole sources, verification.

pub(crate) mod archive;
pub(crate) mod block_places;
pub(crate) mod derived_tags;
pub(crate) mod games;
pub(crate) mod index_line;
pub(crate) mod indexes;
pub(crate) mod loss;
pub(crate) mod open_segment;
pub(crate) mod parts;
mod prose;
pub(crate) mod read_ahead;
pub(crate) mod record_values;
pub(crate) mod source_starts;
pub(crate) mod stored_game;
mod summaries;
pub(crate) mod tag_cache;
pub(crate) mod tag_columns;
pub(crate) mod tag_name;
#[cfg(feature = "write")]
pub(crate) mod text_reader;
pub(crate) mod unpack;
#[cfg(any(feature = "http", feature = "object-store"))]
mod url;
pub(crate) mod verify;
pub(crate) mod verify_checksums;
