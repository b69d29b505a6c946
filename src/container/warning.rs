//! Warnings about harmless damage.

/// Damage without loss. The content is still what was written, or the newest state that
/// is known to be committed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Warning {
    /// A commit slot is damaged or erased; the other slot, or the footer at the
    /// end of the file, was used.
    #[error("commit slot {slot} is damaged")]
    SlotDamaged {
        /// The number of the slot, 0 or 1.
        slot: u8,
    },
    /// A slot is damaged and bytes follow the footer, so a later state may have been
    /// committed. An append is refused, because it would truncate these bytes.
    #[error("state {generation} is read, but a later one may have been committed")]
    MayBeOutdated {
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
    /// The footer is followed by bytes of an unfinished append.
    #[error("ignored: {} of an unfinished append, from byte {offset} on", bytes_text(*bytes))]
    UnfinishedAppend {
        /// File offset of the first such byte.
        offset: u64,
        /// The number of such bytes.
        bytes: u64,
    },
    /// The footer is followed by bytes that do not begin like an append.
    #[error("ignored: {} after the end of the archive, from byte {offset} on, that no append has written", bytes_text(*bytes))]
    ForeignBytes {
        /// File offset of the first such byte.
        offset: u64,
        /// The number of such bytes.
        bytes: u64,
    },
    /// The footer is followed by another archive.
    #[error("ignored: another archive from byte {offset} on, {}", bytes_text(*bytes))]
    AnotherArchive {
        /// File offset of its first byte.
        offset: u64,
        /// The number of bytes from there to the end of the file.
        bytes: u64,
    },
    /// A section of an older state is damaged. It is not needed any more.
    #[error("what an older state has left at byte {offset} is damaged, and not needed")]
    SupersededDamaged {
        /// File offset of the first damaged section.
        offset: u64,
    },
    /// The tables of a segment were repaired with their parity chunks.
    #[error("{}", tables_text(*offset, *chunks))]
    TablesRepaired {
        /// File offset of the tables.
        offset: u64,
        /// The number of rebuilt chunks; 0 if only the frame or a parity chunk was
        /// damaged.
        chunks: u64,
    },
    /// The frame of the tags of a group of blocks is damaged, but the tags of all blocks are intact.
    #[error("the frame of the tags at byte {offset} is damaged, the tags are not")]
    TagsFrameDamaged {
        /// File offset of the section.
        offset: u64,
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
        /// File offset of the damaged section.
        offset: u64,
    },
}

fn bytes_text(count: u64) -> String {
    match count {
        1 => "1 byte".to_owned(),
        _ => format!("{count} bytes"),
    }
}

fn tables_text(offset: u64, chunks: u64) -> String {
    let repair = match chunks {
        0 => "have damaged parity or checksums".to_owned(),
        1 => "are damaged, 1 chunk was mended".to_owned(),
        _ => format!("are damaged, {chunks} chunks were mended"),
    };
    format!("the tables at byte {offset} {repair}")
}
