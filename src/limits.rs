//! What a reader is willing to spend on input that it does not trust.

/// Bounds that are checked before memory is taken or work is begun.
///
/// The defaults admit everything that this library's writer produces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Largest raw (PGN) size of one block, in bytes.
    pub block_raw_bytes: u64,
    /// Largest size of all tables of one segment, in bytes.
    pub tables_bytes: u64,
    /// Largest directory, block index, index section or parity section, in bytes.
    pub index_bytes: u64,
    /// Most plies in one line of moves.
    pub plies: u64,
    /// A column or table may grow to at most this many times its packed size
    /// when it is decompressed.
    pub expansion: u64,
    /// What an open archive keeps of the tag columns that queries have read, in bytes;
    /// beyond that they are read anew each time.
    pub tag_cache_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            block_raw_bytes: 32 << 20,
            tables_bytes: 96 << 20,
            index_bytes: 128 << 20,
            plies: 1 << 20,
            expansion: 4096,
            tag_cache_bytes: 128 << 20,
        }
    }
}
