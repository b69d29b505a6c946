//! Errors of writing and reading archives.

mod content;

use crate::archive::tables::models::ModelId;
use crate::container::{ContainerError, ErrorClass, Segment};
use crate::model::BuiltinModel;
pub use content::ContentError;
use std::fmt;
use std::io;
use std::ops::Range;
use std::path::Path;

/// An error of writing or reading an archive.
///
/// Its message names the structure, its offset in the file and the affected games, but not
/// the cause: that is [`Error::source`](std::error::Error::source), the error of the
/// operating system, if there is one.
pub struct Error(Box<ErrorKind>);

impl Error {
    /// The class of the error.
    pub fn class(&self) -> ErrorClass {
        match self.kind() {
            ErrorKind::Container(error) => error.class(),
            ErrorKind::Tables { error, .. }
            | ErrorKind::Block { error, .. }
            | ErrorKind::Model { error, .. }
            | ErrorKind::Recovered { error, .. } => error.class(),
            ErrorKind::Digest { .. } => ErrorClass::Damaged,
            ErrorKind::Io { .. } => ErrorClass::Io,
            ErrorKind::NoSuchGame { .. } => ErrorClass::NotFound,
            ErrorKind::Name { .. }
            | ErrorKind::ModelNotIncluded { .. }
            | ErrorKind::WriterFailed => ErrorClass::Misuse,
            ErrorKind::Unproven { .. } => ErrorClass::Internal,
        }
    }

    /// The offset in the archive file, in bytes, if the error has a place in it.
    pub fn offset(&self) -> Option<u64> {
        match self.kind() {
            ErrorKind::Container(error) => error.offset(),
            ErrorKind::Tables { offset, .. }
            | ErrorKind::Block { offset, .. }
            | ErrorKind::Recovered { offset, .. } => Some(*offset),
            _ => None,
        }
    }

    /// The numbers of the games that cannot be read because of this error, if it is an
    /// error of a game or of a block.
    pub fn games(&self) -> Option<Range<u64>> {
        match self.kind() {
            ErrorKind::Block { games, .. } => Some(games.clone()),
            ErrorKind::NoSuchGame { number, .. } => Some(*number..number.saturating_add(1)),
            _ => None,
        }
    }

    /// The name of the index whose section is damaged, if that is the error.
    #[cfg(feature = "cli")]
    pub(crate) fn damaged_index(&self) -> Option<&'static str> {
        let ErrorKind::Container(ContainerError::Damaged { place, .. }) = self.kind() else {
            return None;
        };
        let crate::container::FilePart::Section(section_type) = place.part else {
            return None;
        };
        let mut indexes = crate::index::SECTION_TYPES.iter();
        let found = indexes.find(|(index, ..)| *index == section_type);
        found.map(|(_, _, name)| *name)
    }

    /// The move model that is needed and not [available](BuiltinModel::is_available), if that is
    /// the cause.
    pub fn missing_model(&self) -> Option<BuiltinModel> {
        let level = match self.kind() {
            ErrorKind::ModelNotIncluded { level } => level,
            ErrorKind::Tables { error, .. }
            | ErrorKind::Block { error, .. }
            | ErrorKind::Model { error, .. }
            | ErrorKind::Recovered { error, .. } => error.level_not_included()?,
            _ => return None,
        };
        let mut all = BuiltinModel::ALL.into_iter();
        all.find(|model| model.level() == *level)
    }

    /// Whether the movetext of a block is lost, with all its games, or the large tables. A failure to read it that may
    /// pass is an error of each game for which it was tried.
    pub(crate) fn is_lost_movetext(&self) -> bool {
        let ErrorKind::Block { error, .. } = self.kind() else {
            return false;
        };
        matches!(error, ContentError::Unread(_)) && error.is_loss()
    }

    /// Whether the same work may succeed later: a read failed, though not because of the medium, or a
    /// move model is not loaded yet.
    #[cfg(feature = "answers")]
    pub(crate) fn may_pass(&self) -> bool {
        let is_loss = match self.kind() {
            ErrorKind::Container(error) => error.is_loss(),
            ErrorKind::Tables { error, .. }
            | ErrorKind::Block { error, .. }
            | ErrorKind::Model { error, .. }
            | ErrorKind::Recovered { error, .. } => error.is_loss(),
            _ => true,
        };
        !is_loss || (BuiltinModel::may_be_loaded() && self.missing_model().is_some())
    }

    /// The message, followed by that of the cause, for programs that print one line.
    pub fn with_cause(&self) -> String {
        match std::error::Error::source(self) {
            Some(cause) => format!("{self}: {cause}"),
            None => self.to_string(),
        }
    }

    pub(crate) fn no_such_game(number: u64, games: u64) -> Self {
        ErrorKind::NoSuchGame { number, games }.into()
    }

    pub(crate) fn kind(&self) -> &ErrorKind {
        &self.0
    }

    /// An error in the tables of a segment.
    pub(super) fn of_tables(segment: &Segment, number: usize, error: ContentError) -> Self {
        let offset = segment.entry().offset;
        ErrorKind::Tables {
            segment: number,
            offset,
            error,
        }
        .into()
    }

    /// An error in a block of a segment, both by number.
    pub(super) fn of_block(
        segment: &Segment,
        number: usize,
        block: usize,
        error: ContentError,
    ) -> Self {
        let (mut offset, mut games) = (segment.entry().offset, 0..0);
        if let Some(entry) = segment.index().blocks().get(block) {
            offset = offset.saturating_add(entry.offset);
            games = segment.games_of_block(entry);
        }
        ErrorKind::Block {
            segment: number,
            block,
            offset,
            games,
            record: None,
            error,
        }
        .into()
    }

    /// Restricts an error in a block to a record and, if it is known, its game. A lost movetext
    /// is an error of the whole block.
    pub(super) fn in_record(mut self, number: usize, game: Option<u64>) -> Self {
        if self.is_lost_movetext() {
            return self;
        }
        if let ErrorKind::Block { games, record, .. } = &mut *self.0 {
            *record = Some(number);
            if let Some(game) = game {
                *games = game..game.saturating_add(1);
            }
        }
        self
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(out)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.0)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self.kind() {
            ErrorKind::Io { error, .. } => Some(error),
            ErrorKind::Container(error) => io_source(error),
            ErrorKind::Tables {
                error: ContentError::Unread(unread),
                ..
            }
            | ErrorKind::Block {
                error: ContentError::Unread(unread),
                ..
            } => io_source(&unread.0),
            _ => None,
        }
    }
}

fn io_source(error: &ContainerError) -> Option<&(dyn std::error::Error + 'static)> {
    match error {
        ContainerError::Io { source, .. } => Some(source),
        _ => None,
    }
}

impl From<ErrorKind> for Error {
    fn from(kind: ErrorKind) -> Self {
        Error(Box::new(kind))
    }
}

impl From<ContainerError> for Error {
    fn from(error: ContainerError) -> Self {
        ErrorKind::Container(error).into()
    }
}

/// The kinds of [`Error`].
#[derive(Debug, thiserror::Error)]
pub enum ErrorKind {
    /// An error in the container. It includes the offset in the file.
    #[error(transparent)]
    Container(ContainerError),
    /// The tables of a segment are invalid.
    #[error("tables of segment {segment} at byte {offset}: {error}")]
    Tables {
        /// The number of the segment, from 0.
        segment: usize,
        /// The file offset of the segment.
        offset: u64,
        /// The error in the tables.
        error: ContentError,
    },
    /// A move model cannot be read.
    #[error("move model {id}: {error}")]
    Model {
        /// The digest of the model.
        id: ModelId,
        /// The error in the model.
        error: ContentError,
    },
    /// A block that was found in a damaged archive is invalid.
    #[error("block at byte {offset}: {error}")]
    Recovered {
        /// The file offset of the block.
        offset: u64,
        /// The error in the block.
        error: ContentError,
    },
    /// A block is invalid.
    #[error("{}", block_text(*segment, *block, *offset, games, *record, error))]
    Block {
        /// The number of the segment, from 0.
        segment: usize,
        /// The number of the block in the segment, from 0.
        block: usize,
        /// The file offset of the block.
        offset: u64,
        /// The numbers of the affected games: those of the block, or that of the record.
        games: Range<u64>,
        /// The number of the record in the block, from 0, if the error is in a
        /// record.
        record: Option<usize>,
        /// The error in the block.
        error: ContentError,
    },
    /// There is no game with this number.
    #[error("no game {number}: the archive has {games}")]
    NoSuchGame {
        /// The requested number.
        number: u64,
        /// The number of games of the archive.
        games: u64,
    },
    /// The digest of a source differs from that taken when it was packed.
    #[error("source {name:?}: its text is not what was packed (BLAKE3 differs)")]
    Digest {
        /// The name of the source.
        name: String,
    },
    /// A source could not be read, or the archive could not be written.
    #[error("{what}")]
    Io {
        /// The operation.
        what: String,
        /// The error of the operating system.
        error: io::Error,
    },
    /// The name of a source is not safe to use as a path.
    #[error("source name {name:?}: {reason}")]
    Name {
        /// The name.
        name: String,
        /// The reason.
        reason: &'static str,
    },
    /// A model of the options that this build leaves out.
    #[error("the move model `{level}` is not part of this build (feature model-{level})")]
    ModelNotIncluded {
        /// The level of the model.
        level: &'static str,
    },
    /// A call to a writer, one of whose earlier calls has failed.
    #[error("nothing more can be written: an earlier call to this writer failed")]
    WriterFailed,
    /// A block does not decode to the text that was packed into it.
    #[error("internal error: a block of {source_name:?} does not give back its text")]
    Unproven {
        /// The last source of the segment.
        source_name: String,
    },
}

/// The message of an error in a block. That of a part that cannot be read has its own place.
fn block_text(
    segment: usize,
    block: usize,
    offset: u64,
    games: &Range<u64>,
    record: Option<usize>,
    error: &ContentError,
) -> String {
    if let ContentError::Unread(unread) = error {
        return unread.0.to_string();
    }
    let (games, record) = (named(games), at_record(record));
    format!("{games} (block {block} of segment {segment} at byte {offset}{record}): {error}")
}

fn at_record(record: Option<usize>) -> String {
    record.map_or_else(String::new, |record| format!(", record {record}"))
}

fn named(games: &Range<u64>) -> String {
    match games.end.saturating_sub(games.start) {
        0 => "no game".to_owned(),
        1 => format!("game {}", games.start),
        _ => format!("games {} to {}", games.start, games.end - 1),
    }
}

/// Wraps an error of writing a file.
pub(super) fn write_error(target: &Path, error: io::Error) -> Error {
    ErrorKind::Io {
        what: format!("writing {}", target.display()),
        error,
    }
    .into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::FollowerError;
    use crate::moves::{ModelError, MoveError};

    #[test]
    fn a_missing_model_is_named() {
        let level = "max";
        let error = ContentError::ModelNotIncluded { level };
        let follower = FollowerError::NotIncluded { level };
        let of_moves = ContentError::Moves(MoveError::Model(ModelError::Follower(follower)));
        for error in [error, of_moves] {
            assert_eq!(error.class(), ErrorClass::Version);
            let error = Error::from(ErrorKind::Recovered { offset: 9, error });
            assert_eq!(error.missing_model(), Some(BuiltinModel::Max));
        }
        let error = Error::from(ErrorKind::ModelNotIncluded { level: "fast" });
        assert_eq!(error.missing_model(), Some(BuiltinModel::Fast));
        assert_eq!(Error::no_such_game(1, 0).missing_model(), None);
    }
}
