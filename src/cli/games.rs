//! The games of an input, in order.

use super::common::{Common, ReaderArgs};
use super::errors::Failure;
use super::inputs::Input;
use super::open::{open, warn};
use super::progress::Progress;
use crate::SIGNATURE;
use crate::internals::pgn::{MAX_RECORD_BYTES, Splitter};
use std::io::{Read, Take};
use std::ops::ControlFlow;
use std::path::Path;

/// The number of bytes read at a time. A longer record makes the buffer grow.
const CHUNK_BYTES: usize = 1 << 20;

/// A game with its exact text.
pub(crate) struct GameText<'a> {
    pub(crate) text: &'a [u8],
    /// Whether it is only the first piece of a record that is too long.
    pub(crate) is_piece: bool,
}

/// A callback for a game; can end the walk.
type VisitGame<'a> = dyn FnMut(GameText<'_>) -> Result<ControlFlow<()>, Failure> + 'a;

/// A callback for a game with its input and its number there, from 1.
pub(crate) type VisitGameOf<'a> = dyn FnMut(&Input, u64, GameText<'_>) -> Result<(), Failure> + 'a;

/// A reader of the games of inputs.
pub(crate) struct SelectedGames<'a> {
    reader: &'a ReaderArgs,
    pub(crate) common: &'a Common,
    progress: Progress,
}

impl<'a> SelectedGames<'a> {
    /// A reader that shows its progress as `what`. The total is unknown if only
    /// the first `most` games are read.
    ///
    /// # Errors
    /// An archive cannot be opened.
    pub(crate) fn new(
        what: &'static str,
        inputs: &[Input],
        limit: Option<u64>,
        reader: &'a ReaderArgs,
        common: &'a Common,
    ) -> Result<Self, Failure> {
        let bytes = text_bytes(inputs, reader)?;
        let progress = Progress::new(what, bytes.filter(|_| limit.is_none()), common);
        Ok(SelectedGames {
            reader,
            common,
            progress,
        })
    }

    /// Calls `see` with the games of all inputs in order, at most `most` of
    /// them.
    ///
    /// # Errors
    /// An input cannot be read or is a damaged archive, or `see` fails.
    pub(crate) fn walk_all(
        &self,
        inputs: &[Input],
        most: Option<u64>,
        visit: &mut VisitGameOf<'_>,
    ) -> Result<(), Failure> {
        let walked = self.walk_first(inputs, most.unwrap_or(u64::MAX), visit);
        self.progress.finish();
        walked
    }

    fn walk_first(
        &self,
        inputs: &[Input],
        most: u64,
        see: &mut VisitGameOf<'_>,
    ) -> Result<(), Failure> {
        let mut left = most;
        for input in inputs {
            let mut number = 0;
            let flow = self.walk(input, &mut |game| {
                number += 1;
                left -= 1;
                see(input, number, game)?;
                Ok(match left {
                    0 => ControlFlow::Break(()),
                    _ => ControlFlow::Continue(()),
                })
            })?;
            if flow.is_break() {
                break;
            }
        }
        Ok(())
    }

    /// Calls `see` with the games of an input in order.
    ///
    /// # Errors
    /// The input cannot be read or is a damaged archive, or `see` fails.
    fn walk(&self, input: &Input, see: &mut VisitGame<'_>) -> Result<ControlFlow<()>, Failure> {
        self.progress.verbose(&input.name);
        match input.archive()? {
            Some(path) => self.walk_archive(path, see),
            None => self.walk_text(input, see),
        }
    }

    fn walk_archive(
        &self,
        path: &Path,
        see: &mut VisitGame<'_>,
    ) -> Result<ControlFlow<()>, Failure> {
        let archive = open(path, self.reader)?;
        let mut flow = ControlFlow::Continue(());
        for (number, text) in (1..).zip(archive.texts()) {
            let text = text.map_err(|error| Failure::reading_game(path, number, &error))?;
            flow = see(GameText {
                text: &text,
                is_piece: text.len() >= MAX_RECORD_BYTES,
            })?;
            self.progress.add(text.len() as u64);
            if flow.is_break() {
                break;
            }
        }
        warn(path, &archive.warnings(), self.common);
        Ok(flow)
    }

    fn walk_text(
        &self,
        input: &Input,
        see: &mut VisitGame<'_>,
    ) -> Result<ControlFlow<()>, Failure> {
        let unreadable = |error| Failure::io(&input.display(), &error);
        let mut source = input.open().map_err(unreadable)?;
        let mut text = Vec::new();
        let mut in_piece = false;
        loop {
            let chunk_bytes = CHUNK_BYTES.max(text.len());
            let mut chunk: Take<_> = source.by_ref().take(chunk_bytes as u64);
            let read = chunk.read_to_end(&mut text).map_err(unreadable)?;
            let is_last = read < chunk_bytes;
            if text.starts_with(&SIGNATURE) {
                let message = "an archive is read by its name, not from a stream";
                return Err(Failure::usage(format!("{}: {message}", input.name)));
            }
            let mut splitter = Splitter::new(&text, is_last, in_piece);
            for record in splitter.by_ref().filter(|record| record.is_game) {
                let game = GameText {
                    text: text.get(record.start..record.end).unwrap_or_default(),
                    is_piece: record.is_piece,
                };
                if see(game)?.is_break() {
                    return Ok(ControlFlow::Break(()));
                }
            }
            in_piece = splitter.in_piece();
            let done = splitter.position();
            text.drain(..done);
            self.progress.add(done as u64);
            if is_last {
                return Ok(ControlFlow::Continue(()));
            }
        }
    }
}

/// The number of bytes of text of the inputs, if known before they are read.
///
/// # Errors
/// An archive cannot be opened.
fn text_bytes(inputs: &[Input], reader: &ReaderArgs) -> Result<Option<u64>, Failure> {
    let mut sum = Some(0u64);
    for input in inputs {
        let bytes = match input.archive()? {
            Some(path) => Some(open(path, reader)?.totals().raw_bytes),
            None => input.bytes(),
        };
        sum = sum.zip(bytes).map(|(sum, bytes)| sum.saturating_add(bytes));
    }
    Ok(sum)
}
