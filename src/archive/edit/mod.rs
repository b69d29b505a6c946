//! Changing archives: appending, merging, joining segments, other indexes, packing again, games written again.

pub(crate) mod append;
pub(crate) mod compact;
pub(crate) mod lock;
pub(crate) mod merge;
pub(crate) mod reindex;
pub(crate) mod repack;
pub(crate) mod rewrite;
