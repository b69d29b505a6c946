//! The hits of a query: blocks are searched in parallel, hits come in the order of the games.

use super::ready::Sieve;
use super::run::{BlockHits, Hit, Missed, Query, QueryTask};
use crate::archive::{Archive, BlockTask, Error, ReadAhead};
use crate::parallel;
use std::collections::VecDeque;
use std::ops::{Range, RangeInclusive};
use std::task::Poll;

/// The minimum number of blocks per thread that are searched at a time. The number is doubled as
/// long as that costs little, so a program that stops at some hit has searched at most twice as
/// far as it had to.
const AHEAD: usize = 2;
/// The maximum number of blocks per thread.
const FAR_AHEAD: usize = 64;
/// The number of games per thread whose moves are decoded at a time. With two blocks per thread,
/// of which few games were decoded, threads waited for each other a tenth of the time.
const DECODED: u64 = 256;

/// The hits of a query, found lazily. Some blocks at a time are searched in parallel, on the
/// thread pool of the feature `threads`. A damaged block or segment yields an error in place of
/// its hits, and the search continues after it. A block is not read if an index decides all its
/// games.
#[derive(Debug)]
pub struct Hits<'a> {
    archive: &'a Archive,
    query: &'a Query,
    sieve: Sieve<'a>,
    segments: Range<usize>,
    /// For each of `segments`, whether it may have games that pass the filter; computed before the first is
    /// planned.
    may_pass: Option<VecDeque<bool>>,
    /// The games of interest. Other blocks are not searched.
    range: RangeInclusive<u64>,
    tasks: ReadAhead<Result<QueryTask, Missed>>,
    /// The number of blocks per thread to search next.
    ahead: usize,
    found: VecDeque<Result<Hit, Missed>>,
    missed: Range<u64>,
    games: u64,
    decoded: u64,
    is_indexed: bool,
}

impl BlockTask for Result<QueryTask, Missed> {
    fn raw_bytes(&self) -> u64 {
        match self {
            Ok(task) if !task.is_decided => task.place.raw_bytes(),
            _ => 0,
        }
    }
}

impl Archive {
    /// Finds the games that match a query.
    ///
    /// ```
    /// use pgna::{Archive, PackOptions, Place, PositionTest, Query, Writer};
    ///
    /// let mut writer = Writer::new(Vec::new(), PackOptions::default())?;
    /// writer.add_source("one.pgn", &b"[White \"Morphy\"]\n\n1. e4 e5 2. Nf3 1-0\n"[..])?;
    /// let archive = Archive::new(writer.finish()?.0)?;
    ///
    /// let query = Query {
    ///     filter: Some("White ~ \"morphy\" and plies < 10".parse()?),
    ///     positions: vec![PositionTest::exact("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -")?],
    ///     ..Query::default()
    /// };
    /// let hits: Vec<_> = archive.query(&query)?.collect::<Result<_, _>>()?;
    /// assert_eq!((hits[0].number, hits[0].place), (1, Some(Place::Ply(2))));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Currently none. Damage is reported by the iterator in place of the affected hits.
    pub fn query<'a>(&'a self, query: &'a Query) -> Result<Hits<'a>, Error> {
        Ok(self.hits(query))
    }

    /// As [`Archive::query`], for blocks of a segment (from 0) that have games in a range; a segment that may have
    /// games which pass the filter, as `Filter::segments` says.
    pub(crate) fn query_segment<'a>(
        &'a self,
        query: &'a Query,
        segment: usize,
        games: &RangeInclusive<u64>,
    ) -> Hits<'a> {
        let mut hits = self.hits(query);
        hits.segments = segment..segment.saturating_add(1);
        hits.range = games.clone();
        hits.may_pass = Some(VecDeque::new());
        hits
    }

    fn hits<'a>(&'a self, query: &'a Query) -> Hits<'a> {
        Hits {
            archive: self,
            query,
            sieve: match query.positions.is_empty() {
                true => Sieve::new(self, query.filter.as_ref()),
                false => Sieve::of_chess(self, query.filter.as_ref()),
            },
            segments: 0..self.container().segments().len(),
            may_pass: None,
            range: 0..=u64::MAX,
            tasks: ReadAhead::new([]),
            ahead: AHEAD,
            found: VecDeque::new(),
            missed: 0..0,
            games: 0,
            decoded: 0,
            is_indexed: true,
        }
    }
}

impl Hits<'_> {
    /// How many games have been dealt with so far.
    pub fn games_seen(&self) -> u64 {
        self.games
    }

    /// The games that the last error is about: they could not be looked at.
    pub fn missed(&self) -> Range<u64> {
        self.missed.clone()
    }

    /// How many games have been looked at one by one so far: those of which no index
    /// has decided whether they are hits.
    pub fn games_read(&self) -> u64 {
        self.decoded
    }

    /// Whether indexes have so far given the games in which positions may occur.
    pub fn is_indexed(&self) -> bool {
        self.is_indexed
    }

    /// As [`next`](Iterator::next), but searches only some blocks if no hit is found yet, and is then
    /// pending. Between the calls a program can stop a search that finds nothing.
    pub fn poll_next(&mut self) -> Poll<Option<Result<Hit, Error>>> {
        match self.found.is_empty() && self.go_on() && self.found.is_empty() {
            true => Poll::Pending,
            false => Poll::Ready(self.take_found()),
        }
    }

    fn take_found(&mut self) -> Option<Result<Hit, Error>> {
        let found = self.found.pop_front()?;
        Some(found.map_err(|missed| {
            self.missed = missed.games;
            missed.error
        }))
    }

    /// Searches some more blocks; `false` after the last.
    fn go_on(&mut self) -> bool {
        let many = self.ahead * parallel::threads();
        while self.tasks.len() < many && !self.segments.is_empty() {
            self.plan();
        }
        let (archive, query, sieve) = (self.archive, self.query, &self.sieve);
        let passes = self.tasks.read_some(many, |task| match task {
            Ok(task) => query.run(archive, sieve, &task),
            Err(missed) => BlockHits::missed(missed),
        });
        let Some(passes) = passes else { return false };
        let mut decoded = 0;
        for pass in passes {
            self.found.extend(pass.found);
            self.games += pass.games;
            decoded += pass.read;
        }
        self.decoded += decoded;
        let next = self.tasks.iter().find_map(|task| task.as_ref().ok());
        let next = next.map_or(self.segments.start, |task| task.place.segment());
        self.sieve.forget_before(next);
        self.ahead = match decoded / parallel::threads() as u64 {
            0..DECODED => FAR_AHEAD.min(2 * self.ahead),
            _ => AHEAD.max(self.ahead / 2),
        };
        true
    }

    /// The next segments, at most so many, that may have hits. The games of the others have been dealt with.
    ///
    /// # Errors
    /// What the directory says of the games cannot be read now: no segment is searched.
    fn next_segments(&mut self, many: usize) -> Result<Vec<usize>, Missed> {
        let archive = self.archive;
        if self.may_pass.is_none() {
            let filter = self.query.filter.as_ref();
            let segments = self.segments.clone();
            let may_pass = filter.map(|filter| filter.segments(archive, segments));
            match may_pass.transpose() {
                Ok(may_pass) => self.may_pass = Some(may_pass.unwrap_or_default().into()),
                Err(error) => {
                    let all = self
                        .segments
                        .by_ref()
                        .map(|it| archive.games_of_segment(it));
                    let games = all.reduce(|first, last| first.start..last.end);
                    let games = games.unwrap_or_default();
                    return Err(Missed { games, error });
                }
            }
        }
        let may_pass = self.may_pass.get_or_insert_default();
        let mut found = Vec::new();
        while found.len() < many
            && let Some(segment) = self.segments.next()
        {
            if may_pass.pop_front().unwrap_or(true) {
                found.push(segment);
            } else {
                let games = archive.games_of_segment(segment);
                self.games += games.end.saturating_sub(games.start);
            }
        }
        Ok(found)
    }

    /// Plans the next segments: which of their blocks are to be looked at.
    fn plan(&mut self) {
        let many = parallel::threads();
        let segments = match self.next_segments(many) {
            Ok(segments) => segments,
            Err(missed) => return self.tasks.extend([Err(missed)]),
        };
        let plans = parallel::map(segments, |segment| {
            let tasks = self.query.tasks(self.archive, segment);
            tasks.map_err(|error| Missed::of_segment(self.archive, segment, error))
        });
        for plan in plans {
            match plan {
                Ok(mut tasks) => {
                    tasks.retain(|task| task.has_games_in(&self.range));
                    self.is_indexed &= tasks.iter().all(|task| task.known.is_some());
                    let (void, tasks): (Vec<QueryTask>, Vec<QueryTask>) =
                        tasks.into_iter().partition(QueryTask::is_void);
                    self.games += void.iter().map(QueryTask::games).sum::<u64>();
                    self.tasks.extend(tasks.into_iter().map(Ok));
                }
                Err(missed) => self.tasks.extend([Err(missed)]),
            }
        }
    }
}

impl Iterator for Hits<'_> {
    type Item = Result<Hit, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.found.is_empty() && self.go_on() {}
        self.take_found()
    }
}
