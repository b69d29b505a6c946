//! A query, and the search of one block for its hits.

use super::block::ones;
use super::filter::Filter;
use super::position_test::{LineScope, PositionTest};
use super::ready::Sieve;
use super::scan::BlockScan;
use super::structure::{MainLineSearch, find_in_main_line, is_in_variations};
use crate::archive::{Archive, BlockGames, BlockPlace, Error};
use crate::index::{Found, SearchScope, SearchTarget};
use std::ops::{Range, RangeInclusive};

/// A query for games. All conditions must hold.
#[derive(Debug, Clone)]
pub struct Query {
    /// A filter on the games.
    pub filter: Option<Filter>,
    /// Conditions on a position. One position must satisfy all of them.
    pub positions: Vec<PositionTest>,
    /// Whether hits have the place of the position. Without it, the moves of games need not be
    /// decoded that an index shows to be hits.
    pub places: bool,
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
            places: true,
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
    /// The first matching position, if the query has conditions on positions. May be missing if
    /// the query does not ask for it.
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
}

impl BlockHits {
    pub(super) fn missed(missed: Missed) -> BlockHits {
        BlockHits {
            games: missed.games.end.saturating_sub(missed.games.start),
            found: vec![Err(missed)],
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
    /// Whether games of variants are left out, since positions are searched for and the filter does
    /// not ask for variants.
    #[cfg(feature = "cli")]
    pub(crate) fn leaves_out_variants(&self) -> bool {
        let filter = self.filter.as_ref();
        !self.positions.is_empty() && !filter.is_some_and(Filter::asks_for_variant)
    }

    /// Whether an index may decide a part of it.
    pub(crate) fn can_use_indexes(&self) -> bool {
        self.uses_indexes && self.positions.is_indexed()
    }

    /// The blocks of a segment that have to be looked at.
    pub(super) fn tasks(&self, archive: &Archive, segment: usize) -> Result<Vec<QueryTask>, Error> {
        let places = archive.located_blocks_of(segment)?;
        let scope = SearchScope {
            in_variations: self.scope == LineScope::AnyLine,
            without_places: !self.places,
        };
        let sought = self.positions.as_slice();
        let found = match self.can_use_indexes() {
            true => archive.search_index(segment, sought, scope)?,
            false => None,
        };
        let first = places.first().map_or(0, |place| place.games().start);
        let mut found = found.map(|found| {
            let numbered = found.into_iter();
            let numbered = numbered.map(|(game, found)| (first + u64::from(game), found));
            numbered.peekable()
        });
        // Games of variants are left out without a filter, too; indexes have none.
        let is_filtered = self.filter.is_some();
        let tasks = places.into_iter().map(|place| {
            let known: Option<Vec<_>> = found.as_mut().map(|found| {
                let end = place.games().end;
                std::iter::from_fn(|| found.next_if(|(number, _)| *number < end)).collect()
            });
            let is_sure = |known: &Vec<(u64, Found)>| {
                let mut found = known.iter();
                found.all(|(_, found)| !matches!(found, Found::Possible(_)))
            };
            QueryTask {
                place,
                is_decided: !is_filtered && known.as_ref().is_some_and(is_sure),
                known,
            }
        });
        let tasks: Vec<QueryTask> = tasks.collect();
        if tasks.iter().any(|task| !task.is_decided && !task.is_void()) {
            // Damaged tables are an error of the segment, not one of each block.
            archive.segment(segment)?;
        }
        Ok(tasks)
    }

    /// The hits in a block.
    pub(super) fn run(&self, archive: &Archive, sieve: &Sieve<'_>, task: &QueryTask) -> BlockHits {
        let place_of = |found| match found {
            Found::Ply(ply) => Some(Place::Ply(ply)),
            Found::Somewhere | Found::Possible(_) => None,
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
        let mut unread = None;
        let seen = scan.each_selected(|block, game| {
            let number = block.number(game);
            let hit = |place| Ok(Hit { number, place });
            let known = known.and_then(|known| {
                let at = known.binary_search_by_key(&number, |(number, _)| *number);
                known.get(at.ok()?).map(|(_, found)| *found)
            });
            let least_potential = match known {
                Some(Found::Possible(potential)) => potential,
                Some(known) => return found.push(hit(place_of(known))),
                None => 0,
            };
            read += 1;
            match self.place_in(block, game, least_potential) {
                Ok(place) => found.extend(place.map(|place| hit(Some(place)))),
                Err(error) if error.is_lost_movetext() => unread = Some(error),
                Err(error) => found.push(Err(Missed {
                    games: number..number.saturating_add(1),
                    error,
                })),
            }
        });
        let missed = seen.err().or(unread);
        found.extend(missed.map(|error| Err(Missed::of_block(&task.place, error))));
        BlockHits {
            found,
            games: task.games(),
            read,
        }
    }

    /// The first place of a game in which the conditions hold. No position of the main line with a
    /// lower potential is one.
    fn place_in(
        &self,
        block: &BlockGames<'_>,
        game: usize,
        least_potential: u16,
    ) -> Result<Option<Place>, Error> {
        if self.scope == LineScope::MainLine {
            let begin = |start: &_| MainLineSearch::new(start, &self.positions, least_potential);
            let search = block.follow_main_line(game, begin, MainLineSearch::step)?;
            return Ok(search.and_then(MainLineSearch::finish).map(Place::Ply));
        }
        let Some(moves) = block.moves(game)? else {
            return Ok(None);
        };
        let in_main_line = find_in_main_line(&moves, &self.positions).map(Place::Ply);
        Ok(in_main_line.or_else(|| {
            let is_it = is_in_variations(&moves, &self.positions);
            is_it.then_some(Place::Variation)
        }))
    }
}
