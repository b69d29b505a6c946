//! The texts of selected games, in order.

use super::source_starts::SourceStarts;
use crate::archive::error::{ContentError, Error};
use crate::archive::read::archive::Archive;
use crate::archive::read::open_segment::OpenSegment;
use crate::archive::read::read_ahead::{BlockTask, ReadAhead};
use crate::container::BlockEntry;
use std::collections::VecDeque;
use std::fmt;
use std::ops::Range;

/// A game, or a piece of one that is too long for a single record.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct GamePart {
    /// The number of the game.
    pub game: u64,
    /// Whether the game begins here. If not, this part continues the part before.
    pub is_first: bool,
    /// Whether the game immediately follows the game with the previous number in the same
    /// source.
    pub follows: bool,
    /// The text.
    pub text: Vec<u8>,
}

/// An iterator over the parts of selected games. Some blocks at a time are decoded in
/// parallel, on the thread pool of the feature `threads`.
pub struct GameParts<'a, F> {
    archive: &'a Archive,
    chosen: F,
    starts: SourceStarts,
    segments: Range<usize>,
    tasks: ReadAhead<PartTask>,
    ready: VecDeque<Result<GamePart, Error>>,
    text_left_out: u64,
}

/// A block that may hold selected games.
#[derive(Debug)]
struct PartTask {
    segment: usize,
    block: usize,
    /// The offset of its text in the text of the archive.
    offset: u64,
    raw_bytes: u64,
    games: Range<u64>,
    /// Whether all its records are games.
    is_plain: bool,
}

/// A record of a block.
struct PartRecord {
    /// The number of the game; if the record is no game, that of the game before it.
    game: u64,
    is_game: bool,
    offset: u64,
    text: Vec<u8>,
}

impl Archive {
    /// The texts of the selected games, in order. Blocks without such games are not read.
    /// A damaged block yields an error in place of its games, and so does every segment
    /// that cannot be opened. `chosen` is called several times for a game, from several
    /// threads.
    ///
    /// ```
    /// use pgna::{Archive, PackOptions, Writer};
    ///
    /// let mut writer = Writer::new(Vec::new(), PackOptions::default())?;
    /// writer.add_source("two.pgn", &b"[Round \"1\"]\n\n*\n\n[Round \"2\"]\n\n*\n"[..])?;
    /// let archive = Archive::new(writer.finish()?.0)?;
    /// let parts: Vec<_> = archive.parts(|game| game == 2).collect::<Result<_, _>>()?;
    /// assert_eq!(parts[0].text, b"[Round \"2\"]\n\n*\n");
    /// # Ok::<(), pgna::Error>(())
    /// ```
    pub fn parts<F: Fn(u64) -> bool + Sync>(&self, chosen: F) -> GameParts<'_, F> {
        GameParts {
            archive: self,
            chosen,
            starts: SourceStarts::of(self.sources()),
            segments: 0..self.container().segments().len(),
            tasks: ReadAhead::new([]),
            ready: VecDeque::new(),
            text_left_out: 0,
        }
    }
}

impl<F> fmt::Debug for GameParts<'_, F> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("GameParts")
            .field("text_left_out", &self.text_left_out)
            .finish_non_exhaustive()
    }
}

impl<F: Fn(u64) -> bool + Sync> GameParts<'_, F> {
    /// The number of bytes of text read so far that belong to no game. White space and
    /// byte order marks do not count.
    pub fn text_left_out(&self) -> u64 {
        self.text_left_out
    }

    /// Decodes more blocks; `false` after the last.
    fn decode_batch(&mut self) -> bool {
        while self.tasks.is_empty() {
            let Some(segment) = self.segments.next() else {
                return false;
            };
            match self.tasks_of(segment) {
                Ok(tasks) => self.tasks.extend(tasks),
                Err(error) => {
                    self.ready.push_back(Err(error));
                    return true;
                }
            }
        }
        let (archive, chosen) = (self.archive, &self.chosen);
        let blocks = self.tasks.read(|task| task.decode(archive, chosen));
        for records in blocks.into_iter().flatten() {
            match records {
                Ok(records) => records.into_iter().for_each(|record| self.enqueue(record)),
                Err(error) => self.ready.push_back(Err(error)),
            }
        }
        true
    }

    /// The blocks of a segment that must be read.
    fn tasks_of(&self, segment: usize) -> Result<Vec<PartTask>, Error> {
        let open = self.archive.segment(segment)?;
        let before = self.archive.container().segments().iter().take(segment);
        let before = before.fold(0u64, |sum, entry| sum.saturating_add(entry.raw_bytes));
        let first = open.segment.entry().first_game;
        let blocks = open.segment.index().blocks().iter().enumerate();
        let tasks =
            blocks.map(|(block, entry)| PartTask::new(segment, block, entry, first, before));
        Ok(tasks.filter(|task| self.wants(task)).collect())
    }

    fn wants(&self, task: &PartTask) -> bool {
        let before = task.games.start.saturating_sub(1);
        let may_continue = !task.is_plain && (before == 0 || (self.chosen)(before));
        may_continue || task.games.clone().any(&self.chosen)
    }

    /// Queues a record if it is selected.
    fn enqueue(&mut self, record: PartRecord) {
        let is_part_of_game =
            record.is_game || self.starts.continues_game(record.offset, record.game);
        if !is_part_of_game {
            self.text_left_out += visible(&record.text);
        } else if (self.chosen)(record.game) {
            self.ready.push_back(Ok(GamePart {
                game: record.game,
                is_first: record.is_game,
                follows: self.starts.follows(record.game),
                text: record.text,
            }));
        }
    }
}

impl<F: Fn(u64) -> bool + Sync> Iterator for GameParts<'_, F> {
    type Item = Result<GamePart, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.ready.is_empty() && self.decode_batch() {}
        self.ready.pop_front()
    }
}

impl PartTask {
    /// A block of a segment. `first` games and `before` bytes of text come before the
    /// segment.
    fn new(segment: usize, block: usize, entry: &BlockEntry, first: u64, before: u64) -> PartTask {
        let shape = entry.shape;
        let first = first.saturating_add(u64::from(entry.first_game) + 1);
        PartTask {
            segment,
            block,
            offset: before.saturating_add(entry.raw_offset),
            raw_bytes: shape.raw_bytes.into(),
            games: first..first.saturating_add(shape.games.into()),
            is_plain: shape.games == shape.records,
        }
    }

    /// The records of the block that may be selected.
    fn decode(
        &self,
        archive: &Archive,
        chosen: &impl Fn(u64) -> bool,
    ) -> Result<Vec<PartRecord>, Error> {
        let open = archive.segment(self.segment)?;
        let block = archive.read_block(self.segment, self.block)?;
        let games = open.game_records(self.segment, self.block, &block)?;
        let mut games = games.into_iter().peekable();
        let mut records = Vec::new();
        let mut next = self.games.start;
        let mut offset = self.offset;
        for record in 0..block.records() {
            let is_game = games.next_if_eq(&record).is_some();
            let game = next.saturating_sub(u64::from(!is_game));
            next += u64::from(is_game);
            // If not all records are games, all texts are needed, to find their offsets.
            if self.is_plain && !chosen(game) {
                continue;
            }
            let text = block.text(record);
            let text = text.map_err(|error| self.error(&open, record, error))?;
            let bytes = text.len() as u64;
            records.push(PartRecord {
                game,
                is_game,
                offset,
                text,
            });
            offset = offset.saturating_add(bytes);
        }
        Ok(records)
    }

    fn error(&self, open: &OpenSegment, record: usize, error: ContentError) -> Error {
        Error::of_block(&open.segment, self.segment, self.block, error).in_record(record, None)
    }
}

impl BlockTask for PartTask {
    fn raw_bytes(&self) -> u64 {
        self.raw_bytes
    }
}

/// The number of bytes that are neither white space nor a byte order mark.
fn visible(text: &[u8]) -> u64 {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    text.iter()
        .filter(|byte| !byte.is_ascii_whitespace())
        .count() as u64
}
