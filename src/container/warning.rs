//! Warnings about harmless damage.

/// Damage without loss. The content is still what was written, or the newest state that
/// is known to be committed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Warning {
    /// The first bytes of the file are damaged; the footer states what they would.
    #[error("the header is damaged")]
    HeaderDamaged,
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
    /// The footer is damaged; its copy is used.
    #[error("the footer at byte {offset} is damaged, its copy is not")]
    FooterDamaged {
        /// File offset of the footer.
        offset: u64,
    },
    /// The copy of the footer is damaged; the footer was used.
    #[error("the copy of the footer at byte {offset} is damaged, the footer was used")]
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
    /// Damaged bytes were restored by parity.
    #[error("{} from byte {offset} on {} damaged and mended by parity", bytes_text(*bytes), if *bytes == 1 { "is" } else { "are" })]
    Mended {
        /// File offset of the first damaged byte.
        offset: u64,
        /// The number of bytes up to the last damaged one.
        bytes: u64,
    },
    /// Parity is damaged. The content is not, but damage of it can no longer be mended.
    #[error("the parity at byte {offset} is damaged; repack the archive to protect it again")]
    ParityDamaged {
        /// File offset of the parity section.
        offset: u64,
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
}

fn bytes_text(count: u64) -> String {
    match count {
        1 => "1 byte".to_owned(),
        _ => format!("{count} bytes"),
    }
}
