//! Games as one text.

use super::parts::Part;
use crate::archive::error::ArchiveError;
use crate::pgn::{gap, leaves_comment_open};
use std::io::{self, Read};

/// What has been joined.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Joins {
    /// How many games.
    pub games: u64,
    /// Their bytes, with what stands between them.
    pub bytes: u64,
    /// How many games left a comment open, which was closed behind them.
    pub comments_closed: u64,
    /// How many games were ended by `*`, because the next would have gone on with them.
    pub games_ended: u64,
    /// How many games are no games of their own in the text, or begin otherwise.
    pub loose: u64,
    /// The first of all these.
    pub first_odd: Option<u64>,
}

/// The games that parts make, as one text, to be read from. Games that stood one behind
/// the other in one source stay as they are; between others stands what keeps them apart.
pub struct Joined<I> {
    parts: I,
    gap: Vec<u8>,
    /// The part that is being read.
    current: Option<Part>,
    /// How many bytes of the gap and of the part have been read.
    done: usize,
    joins: Joins,
    error: Option<ArchiveError>,
}

impl<I: Iterator<Item = Result<Part, ArchiveError>>> Joined<I> {
    /// The text of games.
    pub fn new(parts: I) -> Self {
        Joined {
            parts,
            gap: Vec::new(),
            current: None,
            done: 0,
            joins: Joins::default(),
            error: None,
        }
    }

    /// What has been joined so far.
    pub fn joins(&self) -> &Joins {
        &self.joins
    }

    /// The error that reading has ended with, if it was one of an archive.
    pub fn take_error(&mut self) -> Option<ArchiveError> {
        self.error.take()
    }

    /// Goes on to the next part; `false` behind the last.
    fn go_on(&mut self) -> io::Result<bool> {
        let next = match self.parts.next() {
            None => return Ok(false),
            Some(Ok(next)) => next,
            Some(Err(error)) => {
                let message = error.to_string();
                self.error = Some(error);
                return Err(io::Error::other(message));
            }
        };
        self.gap.clear();
        if let Some(last) = &self.current
            && next.is_first
        {
            self.gap = part_them(last, &next, &mut self.joins);
        }
        self.joins.games += u64::from(next.is_first);
        self.joins.bytes += (self.gap.len() + next.text.len()) as u64;
        self.current = Some(next);
        self.done = 0;
        Ok(true)
    }

    /// What is left of the gap and the part.
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

/// What stands between two games.
fn part_them(last: &Part, next: &Part, joins: &mut Joins) -> Vec<u8> {
    let is_piece = !last.is_first;
    let stood_so = next.follows && last.game.checked_add(1) == Some(next.game);
    if stood_so && !leaves_comment_open(&last.text, is_piece) {
        return Vec::new();
    }
    let gap = gap(&last.text, is_piece, &next.text);
    joins.comments_closed += u64::from(gap.closes_comment);
    joins.games_ended += u64::from(gap.ends_game);
    joins.loose += u64::from(gap.is_loose);
    if gap.closes_comment || gap.ends_game || gap.is_loose {
        joins.first_odd.get_or_insert(last.game);
    }
    gap.text
}

impl<I: Iterator<Item = Result<Part, ArchiveError>>> Read for Joined<I> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.left().is_empty() {
            if !self.go_on()? {
                return Ok(0);
            }
        }
        let read = self.left().read(buffer)?;
        self.done += read;
        Ok(read)
    }
}
