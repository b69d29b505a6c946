//! The games of an archive as text in a temporary file, for reading in any order.

use crate::archive::error::{Error, ErrorKind, write_error};
use crate::archive::read::archive::Archive;
use crate::archive::read::parts::GamePart;
use crate::archive::read::source_starts::SourceStarts;
use crate::container::ReadAt;
use crate::pgn::MAX_RECORD_BYTES;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// The games of an archive as text in an unnamed temporary file, which is deleted on
/// drop. Every block is decoded once, in whatever order the games are read. Any number of
/// threads may read at once.
///
/// ```
/// use pgna::{Archive, JoinedReader, PackOptions, Spool, Writer};
/// use std::io::Read;
///
/// let mut writer = Writer::new(Vec::new(), PackOptions::default())?;
/// writer.add_source("two.pgn", &b"[Round \"1\"]\n\n*\n\n[Round \"2\"]\n\n*\n\n"[..])?;
/// let archive = Archive::new(writer.finish()?.0)?;
/// let spool = Spool::of(&archive, &std::env::temp_dir(), |_| ())?;
/// let mut text = String::new();
/// JoinedReader::new(spool.parts([2, 1])).read_to_string(&mut text)?;
/// assert_eq!(text, "[Round \"2\"]\n\n*\n\n[Round \"1\"]\n\n*\n\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Spool {
    file: File,
    /// The offset of the end of each game.
    ends: Vec<u64>,
    starts: SourceStarts,
    text_left_out: u64,
}

impl Spool {
    /// Writes the games of an archive to a temporary file in `folder`. `on_progress` is
    /// called with the number of bytes written so far.
    ///
    /// # Errors
    /// The archive is damaged, or the folder cannot be written to.
    pub fn of(
        archive: &Archive,
        folder: &Path,
        mut on_progress: impl FnMut(u64),
    ) -> Result<Spool, Error> {
        let unwritten = |error| write_error(&folder.join("a temporary file"), error);
        let file = tempfile::tempfile_in(folder).map_err(unwritten)?;
        let mut sink = BufWriter::with_capacity(1 << 20, file);
        let mut ends = Vec::new();
        let mut written = 0u64;
        let mut parts = archive.parts(|_| true);
        for part in parts.by_ref() {
            let part = part?;
            sink.write_all(&part.text).map_err(unwritten)?;
            written = written.saturating_add(part.text.len() as u64);
            match ends.last_mut() {
                Some(end) if !part.is_first => *end = written,
                _ => ends.push(written),
            }
            on_progress(written);
        }
        let file = sink
            .into_inner()
            .map_err(|error| unwritten(error.into_error()))?;
        Ok(Spool {
            file,
            ends,
            starts: SourceStarts::of(archive.sources()),
            text_left_out: parts.text_left_out(),
        })
    }

    /// The size of all games, in bytes.
    pub fn bytes(&self) -> u64 {
        self.ends.last().copied().unwrap_or_default()
    }

    /// The number of bytes of text that belong to no game and were left out. White
    /// space and byte order marks do not count.
    pub fn text_left_out(&self) -> u64 {
        self.text_left_out
    }

    /// The parts of games, in the given order. Numbers without a game are skipped.
    pub fn parts<'s>(
        &'s self,
        games: impl IntoIterator<Item = u64> + 's,
    ) -> impl Iterator<Item = Result<GamePart, Error>> + 's {
        let games = games.into_iter();
        games.flat_map(move |game| self.pieces(game).map(move |piece| self.read(game, piece)))
    }

    /// The pieces of a game, divided at the bounds of its records: offsets and lengths
    /// in bytes.
    fn pieces(&self, game: u64) -> impl Iterator<Item = (u64, u64)> + use<> {
        let end_of = |game: Option<u64>| {
            let at = game.and_then(|game| usize::try_from(game).ok());
            at.and_then(|at| self.ends.get(at)).copied()
        };
        let end = end_of(game.checked_sub(1)).unwrap_or_default();
        let start = match end {
            0 => 0,
            _ => end_of(game.checked_sub(2)).unwrap_or_default(),
        };
        let starts = (start..end).step_by(MAX_RECORD_BYTES);
        starts.map(move |piece| (piece, (end - piece).min(MAX_RECORD_BYTES as u64)))
    }

    fn read(&self, game: u64, (start, bytes): (u64, u64)) -> Result<GamePart, Error> {
        // Several threads may read, so none may depend on the position in the file.
        let bytes = usize::try_from(bytes).map_err(io::Error::other);
        let text = bytes.and_then(|bytes| self.file.read_at(start, bytes));
        let text = text.map_err(|error| {
            let what = "reading a temporary file".to_owned();
            ErrorKind::Io { what, error }
        })?;
        let first = self.pieces(game).next();
        Ok(GamePart {
            game,
            is_first: first.is_some_and(|(first, _)| first == start),
            follows: self.starts.follows(game),
            text,
        })
    }
}
