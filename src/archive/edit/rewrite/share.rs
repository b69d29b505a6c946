//! Dividing games among files.

use crate::archive::error::Error;
use crate::archive::read::parts::GamePart;

/// The amount of games per file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SplitPart {
    /// A number of games.
    Games(u64),
    /// A maximum size in bytes. A single larger game gets its own file.
    Bytes(u64),
}

/// Parts, divided into shares of one file each. A game is never divided.
pub struct SplitParts<I> {
    parts: I,
    share: SplitPart,
    /// The first part of the next share, if it has been read already.
    ahead: Option<Result<GamePart, Error>>,
}

impl<I: Iterator<Item = Result<GamePart, Error>>> SplitParts<I> {
    /// Divides parts into shares.
    pub fn new(parts: I, share: SplitPart) -> Self {
        SplitParts {
            parts,
            share,
            ahead: None,
        }
    }

    /// The iterator over parts.
    pub fn parts(&self) -> &I {
        &self.parts
    }

    /// Whether no parts are left.
    pub fn is_done(&mut self) -> bool {
        self.ahead = self.take();
        self.ahead.is_none()
    }

    fn take(&mut self) -> Option<Result<GamePart, Error>> {
        self.ahead.take().or_else(|| self.parts.next())
    }

    /// The parts of the next share. Parts that are not consumed move to the share after
    /// it.
    pub fn next_share(&mut self) -> impl Iterator<Item = Result<GamePart, Error>> {
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
                SplitPart::Games(most) => games >= most,
                SplitPart::Bytes(most) => new_bytes > most,
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
