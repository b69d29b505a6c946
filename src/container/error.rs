//! Errors of the container and their places in the file.

use std::fmt;
use std::io;

use super::checksum;
use super::registry::SectionType;
use super::segment_id::SegmentId;
use crate::bits::BitsError;

/// An error while reading or writing a container.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ContainerError {
    /// The file does not begin like a PGN archive.
    #[error("{0}")]
    Signature(SignatureDamage),
    /// The file is a PGN archive with a version that this release does not read.
    #[error("{0}")]
    Version(Unsupported),
    /// The file is damaged.
    #[error("{place}: {damage}")]
    Damaged {
        /// The structure that is damaged.
        place: FilePlace,
        /// What is wrong with it.
        damage: Damage,
    },
    /// A critical section has an unknown type.
    #[error("{place}: critical section of unknown type; a newer release may read it")]
    UnknownCritical {
        /// The section.
        place: FilePlace,
    },
    /// Reading would exceed a limit.
    #[error("{place}: {what} is {needed}, the limit is {allowed}")]
    Limit {
        /// The structure that would exceed the limit.
        place: FilePlace,
        /// The quantity that is limited.
        what: &'static str,
        /// The amount that the file needs.
        needed: u64,
        /// The amount that the limit allows.
        allowed: u64,
    },
    /// The system could not read or write.
    #[error("input or output at byte {offset}")]
    Io {
        /// File offset of the first byte of the read or write.
        offset: u64,
        /// The system's error.
        source: io::Error,
    },
    /// The caller asked the writer for something that no archive can hold.
    #[error("container misused: {0}")]
    Misuse(&'static str),
}

/// The classes of errors that a program may handle differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorClass {
    /// Not a PGN archive, or one whose signature is damaged.
    Signature,
    /// A version or a critical section that this release does not know.
    Version,
    /// A PGN archive that is damaged.
    Damaged,
    /// A limit was exceeded.
    Limit,
    /// The system could not read or write.
    Io,
    /// An argument is invalid.
    Misuse,
    /// There is no such game.
    NotFound,
    /// A fault of this library.
    Internal,
}

impl ContainerError {
    /// The class of this error.
    pub fn class(&self) -> ErrorClass {
        match self {
            ContainerError::Signature(_) => ErrorClass::Signature,
            ContainerError::Version(_) | ContainerError::UnknownCritical { .. } => {
                ErrorClass::Version
            }
            ContainerError::Damaged { .. } => ErrorClass::Damaged,
            ContainerError::Limit { .. } => ErrorClass::Limit,
            ContainerError::Io { .. } => ErrorClass::Io,
            ContainerError::Misuse(_) => ErrorClass::Misuse,
        }
    }

    /// Whether the bytes are lost or of no use: damaged, beyond a limit, or on a medium that cannot
    /// read them. Only then a copy of them may be used instead. Any other failure to read, of a
    /// network for example, is an error: the bytes may be read another time.
    pub(crate) fn is_loss(&self) -> bool {
        match self {
            ContainerError::Io { source, .. } => is_of_medium(source),
            _ => true,
        }
    }

    /// Whether bytes are damaged, or on a medium that cannot read them: parity may restore them.
    pub(super) fn is_damage(&self) -> bool {
        matches!(self, ContainerError::Damaged { .. }) || self.is_of_medium()
    }

    /// Whether bytes are on a medium that cannot read them.
    pub(super) fn is_of_medium(&self) -> bool {
        matches!(self, ContainerError::Io { source, .. } if is_of_medium(source))
    }

    /// The file offset of the error, if there is one.
    pub fn offset(&self) -> Option<u64> {
        match self {
            ContainerError::Signature(_) | ContainerError::Version(_) => Some(0),
            ContainerError::Damaged { place, .. }
            | ContainerError::UnknownCritical { place }
            | ContainerError::Limit { place, .. } => Some(place.offset),
            ContainerError::Io { offset, .. } => Some(*offset),
            ContainerError::Misuse(_) => None,
        }
    }
}

/// Whether the system says that a medium cannot read the bytes.
fn is_of_medium(error: &io::Error) -> bool {
    // EIO; on Windows a wrong checksum, a missing sector, a failed read, a failed device.
    let codes: &[i32] = match cfg!(windows) {
        true => &[23, 27, 30, 1117],
        false => &[5],
    };
    error
        .raw_os_error()
        .is_some_and(|code| codes.contains(&code))
}

/// Damage of the first bytes of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SignatureDamage {
    /// The file does not have the signature.
    #[error("not a PGN archive")]
    Missing,
    /// The file ends inside the signature.
    #[error("a PGN archive that ends within its first bytes")]
    Short,
    /// Line endings were converted.
    #[error("a PGN archive whose line endings were converted; transfer it in binary mode")]
    LineEndings,
    /// The highest bit of each byte was lost.
    #[error("a PGN archive that lost the highest bit of each byte; transfer it in binary mode")]
    SevenBit,
    /// The bytes were interpreted as text and converted to UTF-8.
    #[error("a PGN archive that was converted to UTF-8 as if it were text")]
    Recoded,
}

/// The reason why the version of a file is not supported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unsupported {
    /// A draft of the format that this release does not read.
    #[error("draft version 0.{minor} of the format is not supported by this release")]
    Draft {
        /// The minor version of the file.
        minor: u8,
    },
    /// A version after the newest that this release reads.
    #[error("version {major}.{minor} of the format is newer than this release")]
    Newer {
        /// The major version of the file.
        major: u8,
        /// The minor version of the file.
        minor: u8,
    },
}

/// A structure of the file and its offset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FilePlace {
    /// The kind of structure.
    pub part: FilePart,
    /// File offset of its first byte.
    pub offset: u64,
}

/// The structures that an error can name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FilePart {
    /// The file header.
    Header,
    /// One of the two commit slots.
    Slot,
    /// The footer.
    Footer,
    /// The copy of the footer before the directory.
    FooterCopy,
    /// The directory.
    Directory,
    /// A segment as a whole.
    Segment,
    /// The tables of a segment.
    Tables,
    /// The tags of a group of blocks, or of one block.
    Tags,
    /// A block.
    Block,
    /// The end of a segment with its block index.
    SegmentEnd,
    /// The end of the archive, at which the file should end.
    End,
    /// Any other section.
    Section(SectionType),
}

/// The kind of damage of a structure.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Damage {
    /// The checksum does not match.
    #[error("checksum {found:08x}, expected {expected:08x}")]
    Checksum {
        /// The checksum that is stored.
        expected: u32,
        /// The checksum of the bytes in the file.
        found: u32,
    },
    /// A field differs from the value that another field requires.
    #[error("{name} is {found}, expected {expected}")]
    Field {
        /// The name of the field.
        name: &'static str,
        /// The required value.
        expected: u64,
        /// The value in the file.
        found: u64,
    },
    /// The file is too short.
    #[error("needs bytes up to {needed}, the file has {available}")]
    Truncated {
        /// File offset after the structure.
        needed: u64,
        /// Size of the file in bytes.
        available: u64,
    },
    /// A section has the wrong type.
    #[error("section {found}, expected {expected}")]
    Type {
        /// The required type.
        expected: SectionType,
        /// The type in the file.
        found: SectionType,
    },
    /// Tables, a block or a block index belong to another segment.
    #[error("belongs to segment {found}, expected {expected}")]
    ForeignTables {
        /// The ID of the segment that is being read.
        expected: SegmentId,
        /// The ID that was found.
        found: SegmentId,
    },
    /// A value could not be decoded.
    #[error("{0}")]
    Bits(#[from] BitsError),
    /// A rule of the format is violated.
    #[error("{0}")]
    Invalid(&'static str),
}

impl FilePlace {
    pub(super) fn new(part: FilePart, offset: u64) -> Self {
        FilePlace { part, offset }
    }

    pub(super) fn damaged(self, damage: Damage) -> ContainerError {
        ContainerError::Damaged {
            place: self,
            damage,
        }
    }

    pub(super) fn invalid(self, rule: &'static str) -> ContainerError {
        self.damaged(Damage::Invalid(rule))
    }

    pub(super) fn decode_error(self, error: BitsError) -> ContainerError {
        self.damaged(Damage::Bits(error))
    }

    /// Checks that a field equals the value that another field requires.
    pub(super) fn check_equal(
        self,
        name: &'static str,
        expected: impl Into<u64>,
        found: impl Into<u64>,
    ) -> Result<(), ContainerError> {
        let (expected, found) = (expected.into(), found.into());
        if expected == found {
            return Ok(());
        }
        Err(self.damaged(Damage::Field {
            name,
            expected,
            found,
        }))
    }

    /// Checks that a value is within a limit.
    pub(super) fn check_limit(
        self,
        what: &'static str,
        needed: u64,
        allowed: u64,
    ) -> Result<(), ContainerError> {
        if needed <= allowed {
            return Ok(());
        }
        Err(ContainerError::Limit {
            place: self,
            what,
            needed,
            allowed,
        })
    }

    /// Checks a stored CRC-32 against the CRC-32 of the bytes in the file.
    pub(super) fn checksum(self, expected: u32, found: u32) -> Result<(), ContainerError> {
        match checksum::matches(expected, found) {
            true => Ok(()),
            false => Err(self.damaged(Damage::Checksum { expected, found })),
        }
    }
}

impl fmt::Display for FilePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte {}", self.part, self.offset)
    }
}

impl fmt::Display for FilePart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            FilePart::Header => "header",
            FilePart::Slot => "commit slot",
            FilePart::Footer => "footer",
            FilePart::FooterCopy => "footer copy",
            FilePart::Directory => "directory",
            FilePart::Segment => "segment",
            FilePart::Tables => "tables",
            FilePart::Tags => "tags of a block",
            FilePart::Block => "block",
            FilePart::SegmentEnd => "segment end",
            FilePart::End => "end of the archive",
            FilePart::Section(section_type) => return write!(f, "section {section_type}"),
        };
        f.write_str(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_name_the_place_and_both_values() {
        let error = FilePlace::new(FilePart::Block, 80)
            .check_equal("games", 3u32, 4u32)
            .unwrap_err();
        assert_eq!(
            error.to_string(),
            "block at byte 80: games is 4, expected 3"
        );
        assert_eq!(error.class(), ErrorClass::Damaged);
        assert_eq!(error.offset(), Some(80));
    }

    #[test]
    fn a_limit_is_its_own_class() {
        let place = FilePlace::new(FilePart::Section(SectionType(*b"TEST")), 7);
        assert!(place.check_limit("size", 5, 5).is_ok());
        let error = place.check_limit("size", 6, 5).unwrap_err();
        assert_eq!(error.class(), ErrorClass::Limit);
        assert_eq!(
            error.to_string(),
            "section TEST at byte 7: size is 6, the limit is 5"
        );
    }
}
