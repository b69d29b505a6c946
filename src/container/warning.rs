//! What was found damaged without harm.

/// Damage that cost nothing: the content is still what was written, or the
/// newest state that was committed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Warning {
    /// A commit slot is damaged or erased; the other slot, or the footer at the
    /// end of the file, was used.
    #[error("commit slot {slot} is damaged")]
    SlotDamaged {
        /// Which slot, 0 or 1.
        slot: u8,
    },
    /// A slot is damaged and bytes stand behind the footer: a later state may
    /// have been committed. An append is refused, because it would cut them.
    #[error("state {generation} is read, but a later one may have been committed")]
    InDoubt {
        /// The generation that is read.
        generation: u64,
    },
    /// The footer is damaged; its copy was used.
    #[error("the footer at byte {offset} is damaged, its copy was used")]
    FooterDamaged {
        /// File offset of the footer.
        offset: u64,
    },
    /// The copy of the footer is damaged.
    #[error("the copy of the footer at byte {offset} is damaged")]
    FooterCopyDamaged {
        /// File offset of the copy.
        offset: u64,
    },
    /// Bytes behind the footer, as an append leaves them that was never finished.
    #[error(
        "{bytes} bytes from byte {offset} on, as an unfinished append leaves them, are not read"
    )]
    UnfinishedAppend {
        /// File offset of the first such byte.
        offset: u64,
        /// How many bytes there are.
        bytes: u64,
    },
    /// Bytes behind the footer that do not begin as those of an append do.
    #[error("{bytes} bytes from byte {offset} on, which no append has left, are not read")]
    ForeignBytes {
        /// File offset of the first such byte.
        offset: u64,
        /// How many bytes there are.
        bytes: u64,
    },
    /// Another archive behind the footer.
    #[error("another archive from byte {offset} on, {bytes} bytes, is not read")]
    AnotherArchive {
        /// File offset of its first byte.
        offset: u64,
        /// How many bytes there are.
        bytes: u64,
    },
    /// What an older state of the archive has left is damaged, and not used any more.
    #[error("what an older state has left at byte {offset} is damaged, and not needed")]
    SupersededDamaged {
        /// File offset of the first section that is not whole.
        offset: u64,
    },
    /// The tables of a segment were mended with their parity chunks.
    #[error("the tables at byte {offset} are damaged, {chunks} chunks were mended")]
    TablesMended {
        /// File offset of the tables.
        offset: u64,
        /// Chunks that were rebuilt; 0 when only the frame or a parity chunk was hit.
        chunks: u64,
    },
    /// An index section is damaged; games are found without it.
    #[error("the index at byte {offset} is damaged, games are found without it")]
    IndexIgnored {
        /// File offset of the section.
        offset: u64,
    },
    /// The block index of a segment is damaged and was rebuilt from its blocks.
    #[error("the block index at byte {offset} is damaged, it was rebuilt from the blocks")]
    IndexRebuilt {
        /// File offset of the section that is damaged.
        offset: u64,
    },
}
