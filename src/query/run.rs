//! A query, and the search of one block for its hits.

use super::block::ones;
use super::board::BoardTest;
use super::filter::Filter;
use super::position_test::{LineScope, PositionTest};
use super::ready::Sieve;
use super::scan::BlockScan;
use super::structure::{find_in_main_line, is_in_variations};
use crate::archive::{Archive, BlockPlace, Error, Moves};
use crate::chess::ChessPosition;
use crate::index::Found;
use crate::pgn::VARIANT_TAG;
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

impl Hit {
    /// A game without a position.
    pub(crate) fn of_game(number: u64) -> Hit {
        Hit {
            number,
            place: None,
        }
    }
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

/// Games that could not be searched.
#[derive(Debug)]
pub(super) struct Missed {
    pub(super) games: Range<u64>,
    pub(super) error: Error,
}

/// A block to search.
#[derive(Debug)]
pub(super) struct QueryTask {
    pub(super) place: BlockPlace,
    /// The games of the block that an index found, by their numbers in the archive; `None` without
    /// an index.
    pub(super) known: Option<Vec<(u64, Found)>>,
    /// Whether `known` are the hits, so that the block is not read.
    pub(super) is_decided: bool,
}

/// The result of searching a block.
#[derive(Default)]
pub(super) struct BlockHits {
    /// The hits, and the games that could not be read.
    pub(super) found: Vec<Result<Hit, Missed>>,
    /// The number of games of the block.
    pub(super) games: u64,
    /// The number of games whose moves were searched.
    pub(super) read: u64,
    /// Whether the block was opened.
    pub(super) is_open: bool,
}

impl BlockHits {
    pub(super) fn missed(missed: Missed) -> BlockHits {
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

    pub(super) fn of_segment(archive: &Archive, segment: usize, error: Error) -> Missed {
        Missed {
            games: archive.games_of_segment(segment),
            error,
        }
    }
}

/// The number of games of a block.
fn games_of(place: &BlockPlace) -> u64 {
    let games = place.games();
    games.end.saturating_sub(games.start)
}

impl QueryTask {
    pub(super) fn games(&self) -> u64 {
        games_of(&self.place)
    }

    pub(super) fn has_games_in(&self, range: &RangeInclusive<u64>) -> bool {
        let games = self.place.games();
        games.start <= *range.end() && games.end > *range.start()
    }

    /// Whether the index rules out all games of the block.
    pub(super) fn is_void(&self) -> bool {
        self.known.as_ref().is_some_and(Vec::is_empty)
    }
}

impl Query {
    /// The blocks of a segment that have to be looked at.
    pub(super) fn tasks(&self, archive: &Archive, segment: usize) -> Result<Vec<QueryTask>, Error> {
        let places = archive.block_places_of(segment)?;
        let in_variations = self.scope == LineScope::AnyLine;
        let sought = self.necessary_boards();
        let found = match sought.is_empty() || !self.uses_indexes {
            true => None,
            false => archive.search_index(segment, sought.as_slice(), in_variations)?,
        };
        let is_of_boards = self.boards().is_some();
        let first = places.first().map_or(0, |place| place.games().start);
        let mut found = found.map(|found| {
            let numbered = found.into_iter();
            numbered
                .map(|(game, found)| match is_of_boards {
                    true => (first + u64::from(game), found),
                    // The line has to be followed up to the position.
                    false => (first + u64::from(game), Found::Possible),
                })
                .peekable()
        });
        // Games that indexes have are structure, so that tables have the names of their tags.
        let is_known_chess = archive.tag_name(segment, VARIANT_TAG)?.number().is_none()
            || self.filter.as_ref().is_some_and(Filter::asks_for_variant);
        let is_filtered = self.filter.is_some() || !is_known_chess;
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
                is_decided: !is_filtered && known.as_ref().is_some_and(is_sure),
                known,
            }
        });
        Ok(tasks.collect())
    }

    /// The hits in a block.
    pub(super) fn run(&self, archive: &Archive, sieve: &Sieve<'_>, task: &QueryTask) -> BlockHits {
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

    /// Conditions on the board that every hit satisfies.
    fn necessary_boards(&self) -> Vec<BoardTest> {
        let tests = self.positions.iter();
        tests.flat_map(PositionTest::necessary).cloned().collect()
    }

    /// The conditions, if they are on the board alone.
    fn boards(&self) -> Option<Vec<&BoardTest>> {
        self.positions.iter().map(PositionTest::board).collect()
    }

    fn place_in(&self, moves: &Moves) -> Option<Place> {
        let boards = self.boards();
        let is_it = |position: &ChessPosition| {
            let mut boards = boards.iter().flatten();
            boards.all(|board| board.is_in(position))
        };
        let main = match &boards {
            Some(_) => moves.find_in_main_line(|ply, position| is_it(position).then_some(ply)),
            None => find_in_main_line(moves, &self.positions),
        };
        let is_in_variation = || match &boards {
            Some(_) => moves
                .find_in_variations(|position| is_it(position).then_some(()))
                .is_some(),
            None => is_in_variations(moves, &self.positions),
        };
        match (main, self.scope) {
            (Some(ply), _) => Some(Place::Ply(ply)),
            (None, LineScope::AnyLine) if is_in_variation() => Some(Place::Variation),
            (None, _) => None,
        }
    }
}
