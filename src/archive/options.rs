//! How an archive is written.

use super::indexes::Indexes;
use crate::moves::{Codec, Shipped};

/// How an archive is written.
#[derive(Debug, Clone)]
pub struct PackOptions {
    /// The move codecs to choose from, game by game: a model that needs no more
    /// than 4 bits a ply, else the smallest. A list of [`Codec::auto`] has them all.
    pub codecs: Vec<Codec>,
    /// How much text a segment holds, in bytes. It bounds the memory that
    /// packing takes: about four times as much for master games, 5.5 times for a
    /// comment of 1 GB.
    pub segment_bytes: usize,
    /// How many records a block holds at most, 1 to
    /// [`MAX_BLOCK_RECORDS`](super::MAX_BLOCK_RECORDS); other numbers count as the
    /// nearest of these.
    pub block_records: u32,
    /// Whether prose may be told by a mixture of contexts. It takes a fifth less
    /// then, but two microseconds a byte to read, and reading a game takes the prose
    /// of its block: up to half a second.
    pub mixes_prose: bool,
    /// Which indexes segments have.
    pub indexes: Indexes,
}

impl Default for PackOptions {
    fn default() -> Self {
        PackOptions {
            codecs: Codec::auto(Shipped::Default),
            segment_bytes: 128 << 20,
            block_records: 256,
            mixes_prose: false,
            indexes: Indexes::default(),
        }
    }
}
