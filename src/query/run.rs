//! Running queries: blocks are searched in parallel, hits come in the order of the games.

use super::block::ones;
use super::board::{LineScope, PositionTest};
use super::filter::Filter;
use super::ready::Sieve;
use super::scan::BlockScan;
use crate::archive::{Archive, BlockPlace, BlockTask, Error, Moves, ReadAhead};
use crate::chess::ChessPosition;
use crate::index::Found;
use crate::parallel;
use std::collections::VecDeque;
use std::ops::{Range, RangeInclusive};

/// A query for games. All conditions must hold.
#[derive(Debug, Clone)]
pub struct Query {
    /// A filter on the games.
    pub filter: Option<Filter>,
    /// Conditions on a position. One position must satisfy all of them.
    pub positions: Vec<PositionTest>,
    /// The lines in which the position may occur.
    pub scope: LineScope,
    /// Whether indexes are used if there are any. The hits are the same either way.
    pub uses_indexes: bool,
}

impl Default for Query {
    fn default() -> Self {
        Query {
            filter: None,
            positions: Vec::new(),
            scope: LineScope::default(),
            uses_indexes: true,
        }
    }
}

/// A game that matches a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Hit {
    /// The number of the game, from 1.
    pub number: u64,
    /// The first matching position, if the query has conditions on positions.
    pub place: Option<Place>,
}

/// The place of a position in a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Place {
    /// In the main line, after this many plies.
    Ply(usize),
    /// Only in a variation.
    Variation,
}

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

/// Games that could not be searched.
#[derive(Debug)]
struct Missed {
    games: Range<u64>,
    error: Error,
}

/// Two blocks per thread keep all threads busy without searching far ahead.
const AHEAD: usize = 2;
/// The maximum number of blocks per thread, reached when blocks need not be opened.
const FAR_AHEAD: usize = 64;

/// A block to search.
#[derive(Debug)]
struct QueryTask {
    place: BlockPlace,
    /// The games of the block that an index found, by their numbers in the archive; `None` without
    /// an index.
    known: Option<Vec<(u64, Found)>>,
    /// Whether `known` are the hits, so that the block is not read.
    is_decided: bool,
}

/// The result of searching a block.
#[derive(Default)]
struct BlockHits {
    /// The hits, and the games that could not be read.
    found: Vec<Result<Hit, Missed>>,
    /// The number of games of the block.
    games: u64,
    /// The number of games whose moves were searched.
    read: u64,
    /// Whether the block was opened.
    is_open: bool,
}

impl BlockHits {
    fn missed(missed: Missed) -> BlockHits {
        BlockHits {
            games: missed.games.end.saturating_sub(missed.games.start),
            found: vec![Err(missed)],
            is_open: true,
            ..BlockHits::default()
        }
    }

    /// Finds hits by tags alone.
    fn of_tags(scan: &BlockScan<'_, '_, '_>) -> BlockHits {
        let (block, games) = match scan.selected() {
            Ok(selected) => selected,
            Err(error) => return BlockHits::missed(Missed::of_block(scan.place, error)),
        };
        let hit = |game| {
            Ok(Hit {
                number: block.number(game),
                place: None,
            })
        };
        BlockHits {
            found: ones(&games).map(hit).collect(),
            games: games_of(scan.place),
            read: 0,
            is_open: block.is_open(),
        }
    }
}

impl Missed {
    fn of_block(place: &BlockPlace, error: Error) -> Missed {
        Missed {
            games: place.games(),
            error,
        }
    }

    fn of_segment(archive: &Archive, segment: usize, error: Error) -> Missed {
        Missed {
            games: archive.games_of_segment(segment),
            error,
        }
    }
}

impl BlockTask for Result<QueryTask, Missed> {
    fn raw_bytes(&self) -> u64 {
        match self {
            Ok(task) if !task.is_decided => task.place.raw_bytes(),
            _ => 0,
        }
    }
}

/// The number of games of a block.
fn games_of(place: &BlockPlace) -> u64 {
    let games = place.games();
    games.end.saturating_sub(games.start)
}

impl QueryTask {
    fn games(&self) -> u64 {
        games_of(&self.place)
    }

    fn has_games_in(&self, range: &RangeInclusive<u64>) -> bool {
        let games = self.place.games();
        games.start <= *range.end() && games.end > *range.start()
    }

    /// Whether the index rules out all games of the block.
    fn is_void(&self) -> bool {
        self.known.as_ref().is_some_and(Vec::is_empty)
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

    fn hits<'a>(&'a self, query: &'a Query) -> Hits<'a> {
        Hits {
            archive: self,
            query,
            sieve: Sieve::new(self, query.filter.as_ref()),
            segments: 0..self.container().segments().len(),
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

impl Archive {
    /// As [`Archive::query`], for blocks of a segment (from 0) that have games in a range.
    pub(crate) fn query_segment<'a>(
        &'a self,
        query: &'a Query,
        segment: usize,
        games: &RangeInclusive<u64>,
    ) -> Hits<'a> {
        let mut hits = self.hits(query);
        hits.segments = segment..segment.saturating_add(1);
        hits.range = games.clone();
        hits
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
        let mut is_open = false;
        for pass in passes {
            self.found.extend(pass.found);
            self.games += pass.games;
            self.decoded += pass.read;
            is_open |= pass.is_open;
        }
        let next = self.tasks.iter().find_map(|task| task.as_ref().ok());
        let next = next.map_or(self.segments.start, |task| task.place.segment());
        self.sieve.forget_before(next);
        self.ahead = match is_open {
            true => AHEAD,
            false => FAR_AHEAD.min(2 * self.ahead),
        };
        true
    }

    /// Plans the next segments: which of their blocks are to be looked at.
    fn plan(&mut self) {
        let many = parallel::threads();
        let segments: Vec<usize> = self.segments.by_ref().take(many).collect();
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
        self.found.pop_front().map(|found| {
            found.map_err(|missed| {
                self.missed = missed.games;
                missed.error
            })
        })
    }
}

impl Query {
    /// The blocks of a segment that have to be looked at.
    fn tasks(&self, archive: &Archive, segment: usize) -> Result<Vec<QueryTask>, Error> {
        let places = archive.block_places_of(segment)?;
        let in_variations = self.scope == LineScope::AnyLine;
        let found = match self.positions.is_empty() || !self.uses_indexes {
            true => None,
            false => archive.search_index(segment, self.positions.as_slice(), in_variations)?,
        };
        let first = places.first().map_or(0, |place| place.games().start);
        let mut found = found.map(|found| {
            let numbered = found.into_iter();
            numbered
                .map(|(game, found)| (first + u64::from(game), found))
                .peekable()
        });
        let tasks = places.into_iter().map(|place| {
            let known: Option<Vec<_>> = found.as_mut().map(|found| {
                let end = place.games().end;
                std::iter::from_fn(|| found.next_if(|(number, _)| *number < end)).collect()
            });
            let is_sure = |known: &Vec<(u64, Found)>| {
                let mut found = known.iter();
                found.all(|(_, found)| *found != Found::Possible)
            };
            QueryTask {
                place,
                is_decided: self.filter.is_none() && known.as_ref().is_some_and(is_sure),
                known,
            }
        });
        Ok(tasks.collect())
    }

    /// The hits in a block.
    fn run(&self, archive: &Archive, sieve: &Sieve<'_>, task: &QueryTask) -> BlockHits {
        let place_of = |found| match found {
            Found::Ply(ply) => Some(Place::Ply(ply)),
            Found::Possible => None,
        };
        if let Some(known) = &task.known
            && task.is_decided
        {
            let hits = known.iter().map(|(number, found)| {
                Ok(Hit {
                    number: *number,
                    place: place_of(*found),
                })
            });
            return BlockHits {
                found: hits.collect(),
                games: task.games(),
                ..BlockHits::default()
            };
        }
        let known = task.known.as_deref();
        let scan = BlockScan {
            archive,
            sieve,
            place: &task.place,
            known,
        };
        if self.positions.is_empty() {
            return BlockHits::of_tags(&scan);
        }
        let mut found = Vec::new();
        let mut read = 0;
        let seen = scan.each_selected(|block, game| {
            let number = block.number(game);
            let hit = |place| Ok(Hit { number, place });
            let place = known.and_then(|known| {
                let at = known.binary_search_by_key(&number, |(number, _)| *number);
                known.get(at.ok()?).and_then(|(_, found)| place_of(*found))
            });
            if place.is_some() {
                found.push(hit(place));
                return;
            }
            read += 1;
            match block.moves(game) {
                Ok(moves) => {
                    let place = moves.and_then(|moves| self.place_in(&moves));
                    found.extend(place.map(|place| hit(Some(place))));
                }
                Err(error) => found.push(Err(Missed {
                    games: number..number.saturating_add(1),
                    error,
                })),
            }
        });
        let missed = seen.err();
        found.extend(missed.map(|error| Err(Missed::of_block(&task.place, error))));
        BlockHits {
            found,
            games: task.games(),
            read,
            is_open: true,
        }
    }

    fn place_in(&self, moves: &Moves) -> Option<Place> {
        let is_it =
            |position: &ChessPosition| self.positions.iter().all(|board| board.is_in(position));
        let main = moves.find_in_main_line(|ply, position| is_it(position).then_some(ply));
        match (main, self.scope) {
            (Some(ply), _) => Some(Place::Ply(ply)),
            (None, LineScope::MainLine) => None,
            (None, LineScope::AnyLine) => {
                moves.find_in_variations(|position| is_it(position).then_some(Place::Variation))
            }
        }
    }
}
