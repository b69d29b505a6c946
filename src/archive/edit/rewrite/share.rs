//! Dividing games among files.

use crate::archive::error::Error;
use crate::archive::read::parts::GamePart;
use std::fmt;

/// The amount of games per file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ShareSize {
    /// A number of games; 0 acts as 1.
    Games(u64),
    /// A maximum size in bytes. A single larger game gets its own file, so 0 acts as 1.
    Bytes(u64),
}

/// Parts, divided into shares of one file each. A game is never divided.
///
/// ```
/// use pgna::{Archive, PackOptions, ShareSize, SplitParts, Writer};
///
/// let mut writer = Writer::new(Vec::new(), PackOptions::default())?;
/// writer.add_source("three.pgn", &b"1. e4 *\n\n1. d4 *\n\n1. c4 *\n"[..])?;
/// let archive = Archive::new(writer.finish()?.0)?;
/// let mut files = SplitParts::new(archive.parts(|_| true), ShareSize::Games(2));
/// let mut games = Vec::new();
/// while !files.is_done() {
///     games.push(files.next_share().count());
/// }
/// assert_eq!(games, [2, 1]);
/// # Ok::<(), pgna::Error>(())
/// ```
pub struct SplitParts<I> {
    parts: I,
    share: ShareSize,
    /// The first part of the next share, if it has been read already.
    ahead: Option<Result<GamePart, Error>>,
}

impl<I> fmt::Debug for SplitParts<I> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("SplitParts")
            .field("share", &self.share)
            .finish_non_exhaustive()
    }
}

impl<I: Iterator<Item = Result<GamePart, Error>>> SplitParts<I> {
    /// Divides parts into shares.
    pub fn new(parts: I, share: ShareSize) -> Self {
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
                ShareSize::Games(most) => games >= most,
                ShareSize::Bytes(most) => new_bytes > most,
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
