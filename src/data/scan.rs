//! The walk over the games of an archive.

use super::batch::GameBatch;
use super::block::PreparedColumns;
use super::column::GameColumn;
use crate::archive::{Archive, BlockPlace, BlockTask, Error, Loss, ReadAhead};
use crate::query::{Hit, Query};
use std::collections::VecDeque;
use std::fmt;
use std::ops::{Deref, Range, RangeInclusive};
use std::sync::Arc;
use std::task::Poll;

/// Columns of the games of an archive, one batch for each block with games that are asked for.
/// Blocks are decoded some at a time, on the thread pool of the feature `threads`, and only the
/// columns that are asked for. A block or segment that is damaged yields a [`Loss`] in place of
/// its games, and the walk continues after it.
///
/// ```
/// use pgna::{Archive, ColumnData, GameColumn, PackOptions, Writer};
///
/// let mut writer = Writer::new(Vec::new(), PackOptions::default())?;
/// writer.add_source("1858.pgn", &b"[White \"Morphy\"]\n\n1. e4 e5 2. Nf3 d6 1-0\n"[..])?;
/// let archive = Archive::new(writer.finish()?.0)?;
///
/// for batch in archive.scan([GameColumn::tag("White"), GameColumn::San]) {
///     let batch = batch.map_err(|loss| loss.error)?;
///     let [ColumnData::Dictionary(white), ColumnData::TextLists(moves)] = &batch.columns[..] else {
///         unreachable!("the columns that were asked for");
///     };
///     assert_eq!(batch.games, [1]);
///     assert_eq!(white.get(0), Some(&b"Morphy"[..]));
///     assert_eq!(moves.get(0).collect::<Vec<_>>(), [&b"e4"[..], b"e5", b"Nf3", b"d6"]);
/// }
/// # Ok::<(), pgna::Error>(())
/// ```
#[derive(Debug)]
pub struct Scan<A> {
    archive: A,
    columns: Vec<GameColumn>,
    games: RangeInclusive<u64>,
    query: Option<Query>,
    segments: Range<usize>,
    /// For each segment, whether it may have games that pass the filter, if there is one.
    may_pass: Option<Vec<bool>>,
    tasks: ReadAhead<Result<ScanTask, Loss>>,
    ready: VecDeque<Result<GameBatch, Loss>>,
    stop: Stop,
}

/// Whether a scan is to end.
#[derive(Default)]
struct Stop {
    check: Option<Box<dyn FnMut() -> bool + Send>>,
    is_stopped: bool,
}

impl Stop {
    fn is_due(&mut self) -> bool {
        if let Some(check) = &mut self.check
            && !self.is_stopped
        {
            self.is_stopped = check();
        }
        self.is_stopped
    }
}

impl fmt::Debug for Stop {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = out.debug_struct("Stop");
        out.field("is_stopped", &self.is_stopped)
            .finish_non_exhaustive()
    }
}

/// A block whose columns are to be read.
#[derive(Debug)]
struct ScanTask {
    place: BlockPlace,
    /// The games that are asked for; `None` for all.
    games: Option<Vec<Hit>>,
    columns: Arc<PreparedColumns>,
}

impl BlockTask for Result<ScanTask, Loss> {
    fn raw_bytes(&self) -> u64 {
        self.as_ref().map_or(0, |task| task.place.raw_bytes())
    }
}

/// Segments are opened until this many blocks can be read in parallel.
const PLANNED_BLOCKS: usize = 64;

impl Archive {
    /// Reads columns of all games. [`Scan`] has an example.
    pub fn scan(&self, columns: impl IntoIterator<Item = GameColumn>) -> Scan<&Archive> {
        Scan::new(self, columns)
    }
}

impl<A: Deref<Target = Archive>> Scan<A> {
    /// Reads columns of all games of an archive.
    pub fn new(archive: A, columns: impl IntoIterator<Item = GameColumn>) -> Self {
        Scan {
            columns: columns.into_iter().collect(),
            games: 1..=archive.games(),
            query: None,
            segments: 0..archive.container().segments().len(),
            may_pass: None,
            tasks: ReadAhead::new([]),
            ready: VecDeque::new(),
            stop: Stop::default(),
            archive,
        }
    }

    /// Reads only the games with these numbers. Numbers without a game are ignored.
    #[must_use]
    pub fn games(mut self, games: RangeInclusive<u64>) -> Self {
        self.games = games;
        self
    }

    /// Reads only the games that match a query. Blocks without such games are not read, as far as
    /// indexes and cached tags allow.
    #[must_use]
    pub fn matching(mut self, query: Query) -> Self {
        self.query = Some(Query {
            places: self.columns.contains(&GameColumn::FoundAt),
            ..query
        });
        self
    }

    /// Ends the scan as soon as `stop` returns `true`. It is asked each time after some blocks were
    /// read or searched, so that a program can be interrupted.
    #[must_use]
    pub fn stop_when(mut self, stop: impl FnMut() -> bool + Send + 'static) -> Self {
        self.stop.check = Some(Box::new(stop));
        self
    }

    /// Reads more blocks; `false` after the last, and if the scan is stopped.
    fn read_some(&mut self) -> bool {
        while self.tasks.len() < PLANNED_BLOCKS
            && let Some(segment) = self.segments.next()
        {
            let mut stop = std::mem::take(&mut self.stop);
            let tasks = match self.may_pass(segment) {
                Ok(true) => self.plan(segment, &mut stop),
                Ok(false) => Ok(Vec::new()),
                Err(error) => Err(error),
            };
            self.stop = stop;
            let tasks = tasks.unwrap_or_else(|error| {
                let entry = self.archive.container().segments().get(segment);
                let loss = entry.map(|entry| Loss::of_segment(entry, error));
                loss.into_iter().map(Err).collect()
            });
            self.tasks.extend(tasks);
            if self.stop.is_due() {
                return false;
            }
        }
        let (archive, games) = (&*self.archive, &self.games);
        let batches = self.tasks.read(|task| {
            let read = task.and_then(|task| {
                let batch = task
                    .columns
                    .read(archive, &task.place, task.games.as_deref());
                batch.map_err(|error| Loss::of_place(&task.place, error))
            });
            read.map_err(|mut loss| {
                loss.games = intersection(&loss.games, games);
                loss
            })
        });
        let is_over = batches.is_none() || self.stop.is_due();
        self.ready.extend(batches.into_iter().flatten());
        !is_over
    }

    /// Whether a segment may have games that pass the filter.
    fn may_pass(&mut self, segment: usize) -> Result<bool, Error> {
        let filter = self.query.as_ref().and_then(|query| query.filter.as_ref());
        let Some(filter) = filter else {
            return Ok(true);
        };
        if self.may_pass.is_none() {
            let all = 0..self.archive.container().segments().len();
            self.may_pass = Some(filter.segments(&self.archive, all)?);
        }
        let may_pass = self.may_pass.as_ref().and_then(|all| all.get(segment));
        Ok(may_pass.copied().unwrap_or(true))
    }

    /// The blocks of a segment that have to be read, and what a query could not search, in the
    /// order of the games.
    fn plan(&self, segment: usize, stop: &mut Stop) -> Result<Vec<Result<ScanTask, Loss>>, Error> {
        let of_segment = self.archive.games_of_segment(segment);
        if intersection(&of_segment, &self.games).is_empty() {
            return Ok(Vec::new());
        }
        let places = self.archive.block_places_of(segment)?;
        let columns = PreparedColumns::new(&self.archive, segment, &self.columns)?;
        let columns = Arc::new(columns);
        let mut tasks = Vec::new();
        let hits = self.query.as_ref();
        let hits = hits.map(|query| self.hits(query, segment, &mut tasks, stop));
        let mut hits = hits.map(|hits| hits.into_iter().peekable());
        for place in places {
            let wanted = intersection(&place.games(), &self.games);
            let games = match &mut hits {
                Some(hits) => {
                    let end = place.games().end;
                    let of_block = std::iter::from_fn(|| hits.next_if(|hit| hit.number < end));
                    Some(
                        of_block
                            .filter(|hit| wanted.contains(&hit.number))
                            .collect(),
                    )
                }
                None if wanted == place.games() => None,
                None => Some(wanted.map(Hit::of_game).collect::<Vec<Hit>>()),
            };
            if games.as_ref().is_some_and(Vec::is_empty) || place.games().is_empty() {
                continue;
            }
            tasks.push(Ok(ScanTask {
                place,
                games,
                columns: Arc::clone(&columns),
            }));
        }
        tasks.sort_by_key(|task| match task {
            Ok(task) => task.place.games().start,
            Err(loss) => loss.games.start,
        });
        Ok(tasks)
    }

    /// The games of a segment that match a query. Those that cannot be searched are added to
    /// `tasks`.
    fn hits(
        &self,
        query: &Query,
        segment: usize,
        tasks: &mut Vec<Result<ScanTask, Loss>>,
        stop: &mut Stop,
    ) -> Vec<Hit> {
        let archive = &*self.archive;
        let mut hits = archive.query_segment(query, segment, &self.games);
        let mut found = Vec::new();
        loop {
            match hits.poll_next() {
                Poll::Ready(None) => break,
                Poll::Ready(Some(Ok(hit))) => found.push(hit),
                Poll::Ready(Some(Err(error))) => {
                    let loss = Loss::of_games(archive, segment, hits.missed(), error);
                    tasks.push(Err(loss));
                }
                Poll::Pending if stop.is_due() => break,
                Poll::Pending => {}
            }
        }
        found
    }
}

/// The games of a block or segment that are in a range.
fn intersection(games: &Range<u64>, wanted: &RangeInclusive<u64>) -> Range<u64> {
    let end = wanted.end().saturating_add(1).min(games.end);
    games.start.max(*wanted.start())..end
}

impl<A: Deref<Target = Archive>> Iterator for Scan<A> {
    type Item = Result<GameBatch, Loss>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.ready.is_empty() && self.read_some() {}
        match self.stop.is_stopped {
            true => None,
            false => self.ready.pop_front(),
        }
    }
}
