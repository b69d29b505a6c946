//! Joining games into one text.

use crate::archive::error::Error;
use crate::archive::read::parts::GamePart;
use crate::pgn::{leaves_comment_open, separator};
use std::fmt;
use std::io::{self, Read};

/// Statistics on joined games.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct JoinStats {
    /// The number of games.
    pub games: u64,
    /// The size of the games, including the text between them, in bytes.
    pub bytes: u64,
    /// The number of games with an unterminated comment, which was closed after them.
    pub comments_closed: u64,
    /// The number of games to which a `*` was added, because they would have continued
    /// into the next game.
    pub games_ended: u64,
    /// The number of games that will not parse as separate games, or that will begin
    /// elsewhere.
    pub unseparated: u64,
    /// The number of the first game that any of the previous three counts includes.
    pub first_modified: Option<u64>,
}

/// A reader of the joined text of parts. Games that were adjacent in one source stay as
/// they are; between others, separators are inserted.
///
/// ```
/// use pgna::{Archive, JoinedReader, PackOptions, Writer};
/// use std::io::Read;
///
/// let mut writer = Writer::new(Vec::new(), PackOptions::default())?;
/// writer.add_source("three.pgn", &b"1. e4 *\n\n1. d4 *\n\n1. c4 *\n"[..])?;
/// let archive = Archive::new(writer.finish()?.0)?;
/// let mut text = String::new();
/// JoinedReader::new(archive.parts(|game| game != 2)).read_to_string(&mut text)?;
/// assert_eq!(text, "1. e4 *\n\n1. c4 *\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct JoinedReader<I> {
    parts: I,
    gap: Vec<u8>,
    /// The part that is being read.
    current: Option<GamePart>,
    /// The number of bytes of the gap and the part that have been read.
    done: usize,
    joins: JoinStats,
    error: Option<Error>,
}

impl<I> fmt::Debug for JoinedReader<I> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("JoinedReader")
            .field("joins", &self.joins)
            .finish_non_exhaustive()
    }
}

impl<I: Iterator<Item = Result<GamePart, Error>>> JoinedReader<I> {
    /// Joins parts.
    pub fn new(parts: I) -> Self {
        JoinedReader {
            parts,
            gap: Vec::new(),
            current: None,
            done: 0,
            joins: JoinStats::default(),
            error: None,
        }
    }

    /// The statistics so far.
    pub fn joins(&self) -> &JoinStats {
        &self.joins
    }

    /// The archive error that ended reading, if there was one.
    pub fn take_error(&mut self) -> Option<Error> {
        self.error.take()
    }

    /// Advances to the next part; `false` after the last.
    fn advance(&mut self) -> io::Result<bool> {
        let next = match self.parts.next() {
            None => return Ok(false),
            Some(Ok(next)) => next,
            Some(Err(error)) => {
                let message = error.with_cause();
                self.error = Some(error);
                return Err(io::Error::other(message));
            }
        };
        self.gap.clear();
        if let Some(last) = &self.current
            && next.is_first
        {
            self.gap = separate(last, &next, &mut self.joins);
        }
        self.joins.games += u64::from(next.is_first);
        self.joins.bytes += (self.gap.len() + next.text.len()) as u64;
        self.current = Some(next);
        self.done = 0;
        Ok(true)
    }

    /// The unread bytes of the gap and the part.
    fn left(&self) -> &[u8] {
        match self.done.checked_sub(self.gap.len()) {
            None => self.gap.get(self.done..).unwrap_or_default(),
            Some(done) => {
                let text = self.current.as_ref().and_then(|part| part.text.get(done..));
                text.unwrap_or_default()
            }
        }
    }
}

/// The text that separates two games.
fn separate(last: &GamePart, next: &GamePart, joins: &mut JoinStats) -> Vec<u8> {
    let is_piece = !last.is_first;
    let were_adjacent = next.follows && last.game.checked_add(1) == Some(next.game);
    if were_adjacent && !leaves_comment_open(&last.text, is_piece) {
        return Vec::new();
    }
    let separator = separator(&last.text, is_piece, &next.text);
    joins.comments_closed += u64::from(separator.closes_comment);
    joins.games_ended += u64::from(separator.ends_game);
    joins.unseparated += u64::from(separator.is_ambiguous);
    if separator.closes_comment || separator.ends_game || separator.is_ambiguous {
        joins.first_modified.get_or_insert(last.game);
    }
    separator.text
}

impl<I: Iterator<Item = Result<GamePart, Error>>> Read for JoinedReader<I> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.left().is_empty() {
            if !self.advance()? {
                return Ok(0);
            }
        }
        let read = self.left().read(buffer)?;
        self.done += read;
        Ok(read)
    }
}
