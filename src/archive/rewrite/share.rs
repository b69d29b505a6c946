//! Games cut into shares, one a file.

use super::parts::Part;
use crate::archive::error::ArchiveError;

/// How much of a text goes into one file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Share {
    /// So many games.
    Games(u64),
    /// So many bytes of games at most, unless a single game has more.
    Bytes(u64),
}

/// Parts that are given out in shares. A game is never cut.
pub struct Shares<I> {
    parts: I,
    share: Share,
    /// The part that the next share begins with, if it has been read.
    ahead: Option<Result<Part, ArchiveError>>,
}

impl<I: Iterator<Item = Result<Part, ArchiveError>>> Shares<I> {
    /// Cuts parts into shares.
    pub fn new(parts: I, share: Share) -> Self {
        Shares {
            parts,
            share,
            ahead: None,
        }
    }

    /// Where the games come from.
    pub fn parts(&self) -> &I {
        &self.parts
    }

    /// Whether there is nothing more.
    pub fn is_done(&mut self) -> bool {
        self.ahead = self.take();
        self.ahead.is_none()
    }

    fn take(&mut self) -> Option<Result<Part, ArchiveError>> {
        self.ahead.take().or_else(|| self.parts.next())
    }

    /// The parts of the next share. What is not taken of it is part of the share behind.
    pub fn next_share(&mut self) -> impl Iterator<Item = Result<Part, ArchiveError>> {
        let (mut games, mut bytes) = (0u64, 0u64);
        let mut is_over = false;
        std::iter::from_fn(move || {
            if is_over {
                return None;
            }
            let next = self.take()?;
            let Ok(part) = &next else { return Some(next) };
            let new_bytes = bytes.saturating_add(part.text.len() as u64);
            let is_full = match self.share {
                Share::Games(most) => games >= most,
                Share::Bytes(most) => new_bytes > most,
            };
            if part.is_first && games > 0 && is_full {
                self.ahead = Some(next);
                is_over = true;
                return None;
            }
            games += u64::from(part.is_first);
            bytes = new_bytes;
            Some(next)
        })
    }
}
