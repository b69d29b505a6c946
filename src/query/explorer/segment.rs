//! The games of a segment as an explorer counts them.

use super::super::block::QueryBlock;
use super::super::ready::Sieve;
use super::super::scan::BlockScan;
use super::super::tag_reader::TagReader;
use super::ExplorerPosition;
use super::count::Sums;
use super::facts::{FactTag, GameFacts};
use super::names::NameNumbers;
use super::outside::OutsideGames;
use super::pending::{PendingGame, by_block, next_moves};
use crate::archive::{Archive, BlockPlace, Error};
use crate::index::{Found, NextPly};
use crate::parallel;
use std::ops::Range;

/// The distance of places with sums.
const SUMS_DISTANCE: usize = 64;

/// The games of a segment. A *place* is the number of a game here: first those of the opening tree in
/// its order, then the others.
pub(super) struct ExplorerSegment {
    /// The games at the places, counted from 0 in the segment.
    games: Vec<u32>,
    /// The number of games of the tree.
    in_tree: usize,
    /// The number in the archive of the first game of the segment.
    first: u64,
    facts: Vec<GameFacts>,
    /// The sums of the games before every place that is a multiple of the distance.
    sums: Vec<Sums>,
    blocks: Vec<BlockPlace>,
    /// `None` if the games outside the tree are too many.
    outside: Option<OutsideGames>,
}

/// The games of a segment that have a position and go on with a move.
#[derive(Default)]
pub(super) struct GamesWith {
    /// Places, with the index of the next move. No place is twice in it.
    pub(super) next: Vec<(Range<usize>, usize)>,
    pub(super) errors: Vec<Error>,
}

impl ExplorerSegment {
    /// Reads the facts of a segment, and the errors of blocks whose games are not counted.
    pub(super) fn read(
        archive: &Archive,
        number: usize,
        names: &NameNumbers,
    ) -> Result<(ExplorerSegment, Vec<Error>), Error> {
        let blocks = archive.block_places_of(number)?;
        let (in_order, errors) = read_facts(archive, number, &blocks, names)?;
        let count = u32::try_from(in_order.len()).unwrap_or(u32::MAX);
        let order = archive.index_order(number)?;
        let order = order.map(|order| (order.tree_games, order.unindexed_games));
        let (mut games, others) = order.unwrap_or_else(|| (Vec::new(), (0..count).collect()));
        let in_tree = games.len();
        games.extend(others);
        let at = |game: &u32| in_order.get(*game as usize).copied().unwrap_or_default();
        let facts: Vec<GameFacts> = games.iter().map(at).collect();
        let mut segment = ExplorerSegment {
            first: blocks.first().map_or(1, |block| block.games().start),
            sums: Sums::at_distances(&facts, SUMS_DISTANCE),
            games,
            in_tree,
            facts,
            blocks,
            outside: None,
        };
        segment.outside = OutsideGames::read(archive, &segment.blocks, segment.others())?;
        Ok((segment, errors))
    }

    /// The games outside the tree that count.
    fn others(&self) -> Vec<PendingGame> {
        let others = self.in_tree..self.games.len();
        self.pending(others, Found::ANYWHERE).collect()
    }

    /// The games at some places that count, to be decoded.
    fn pending(
        &self,
        places: impl Iterator<Item = usize>,
        found: Found,
    ) -> impl Iterator<Item = PendingGame> {
        let counted = places.filter(|place| self.facts.get(*place).is_some_and(GameFacts::counts));
        counted.map(move |place| PendingGame {
            place,
            number: self.number(place),
            found,
        })
    }

    /// The number in the archive of the game at a place.
    pub(super) fn number(&self, place: usize) -> u64 {
        let game = self.games.get(place).copied().unwrap_or_default();
        self.first + u64::from(game)
    }

    /// The games, by their numbers in the archive, in the order of the places.
    pub(super) fn numbers(&self) -> impl Iterator<Item = u64> {
        self.games.iter().map(|game| self.first + u64::from(*game))
    }

    /// The facts at some places.
    pub(super) fn facts(&self, places: Range<usize>) -> &[GameFacts] {
        self.facts.get(places).unwrap_or_default()
    }

    /// The sums of the games at some places.
    pub(super) fn sums(&self, places: Range<usize>) -> Sums {
        let before = self.sums_before(places.start);
        self.sums_before(places.end).less(&before)
    }

    fn sums_before(&self, place: usize) -> Sums {
        let known = place / SUMS_DISTANCE;
        let mut sums = self.sums.get(known).copied().unwrap_or_default();
        let rest = self.facts(known * SUMS_DISTANCE..place.min(self.facts.len()));
        rest.iter().for_each(|facts| sums.add(facts));
        sums
    }

    /// The games that have a position, with the index of their next move.
    ///
    /// # Errors
    /// The segment is damaged.
    pub(super) fn games_with(
        &self,
        archive: &Archive,
        number: usize,
        at: &ExplorerPosition,
    ) -> Result<GamesWith, Error> {
        let next = archive.next_plies(number, &at.moves.board)?;
        let (mut games, mut pending) = (Vec::new(), Vec::new());
        match &self.outside {
            Some(outside) => {
                let next = outside.next_moves(at.key(), &at.moves);
                games.extend(next.map(|(place, next)| (place..place + 1, next)));
            }
            None => pending = self.others(),
        }
        for (places, next) in next.into_iter().flatten() {
            match next {
                NextPly::End => {}
                NextPly::Ply(ply) => {
                    games.extend(at.moves.number_of(ply).map(|next| (places, next)))
                }
                NextPly::Unknown(found) => pending.extend(self.pending(places, found)),
            }
        }
        let work = by_block(&self.blocks, &mut pending);
        let (decoded, errors) = next_moves(archive, &work, &at.moves);
        games.extend(
            decoded
                .into_iter()
                .map(|(place, next)| (place..place + 1, next)),
        );
        Ok(GamesWith {
            next: games,
            errors,
        })
    }
}

/// The facts of the games of a segment, in their order. Games of variants, and those of blocks that
/// cannot be read, do not count.
fn read_facts(
    archive: &Archive,
    segment: usize,
    blocks: &[BlockPlace],
    names: &NameNumbers,
) -> Result<(Vec<GameFacts>, Vec<Error>), Error> {
    let tags = FactTag::all(names);
    let sieve = Sieve::of_chess(archive, None);
    let encoding = archive.encoding();
    let mut readers = Vec::new();
    for tag in &tags {
        let name = archive.tag_name(segment, tag.name.as_bytes())?;
        let read =
            |value: Option<&[u8]>| value.map_or(0, |value| (tag.read)(&encoding.decode(value)));
        readers.push((TagReader::new(archive, segment, name, true, read)?, tag.set));
    }
    let of_block = |place: &BlockPlace| -> Result<Vec<GameFacts>, Error> {
        let scan = BlockScan {
            archive,
            sieve: &sieve,
            place,
            known: None,
        };
        let (block, chess) = scan.selected()?;
        let all = block.all();
        let mut facts = vec![GameFacts::default(); all.len()];
        for (reader, set) in &readers {
            reader.each(&block, &all, |game, value| {
                facts
                    .iter_mut()
                    .skip(game)
                    .take(1)
                    .for_each(|facts| set(facts, value));
            })?;
        }
        let counted = chess.iter().by_vals();
        let others = facts.iter_mut().zip(counted).filter(|(_, counts)| !counts);
        others.for_each(|(facts, _)| facts.is_variant = true);
        Ok(facts)
    };
    let (mut facts, mut errors) = (Vec::new(), Vec::new());
    let read = parallel::map(blocks, |place| {
        of_block(place).map_err(|error| (QueryBlock::new(archive, place).none().len(), error))
    });
    for of_block in read {
        match of_block {
            Ok(of_block) => facts.extend(of_block),
            Err((games, error)) => {
                facts.resize(facts.len() + games, GameFacts::default());
                errors.push(error);
            }
        }
    }
    Ok((facts, errors))
}
