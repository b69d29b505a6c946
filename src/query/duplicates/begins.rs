//! Games that are the beginning of another game.

use super::DuplicateCriteria;
use super::facts::Facts;
use super::identity::{DuplicateKey, Identity, LineHash, line};
use super::retained::RetainedGames;
use crate::archive::{Archive, BlockPlace, Error, ReadAhead};
use std::cmp::Reverse;
use std::collections::HashMap;

/// A longer game that begins with all the moves of another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Longer {
    plies: u32,
    game: u64,
}

impl Longer {
    /// The longer of two games; on a tie the first in the archive.
    fn better(self, other: Longer) -> Longer {
        match (self.plies, other.game) > (other.plies, self.game) {
            true => self,
            false => other,
        }
    }
}

/// The retained games, with the longest continuation found for each.
///
/// Each of them is looked up at each of its plies, so the search takes one pass over the
/// moves of all games.
pub(super) struct Begins {
    /// The plies and the facts of the games, also of those too short to be dropped.
    games: HashMap<u64, (u32, Facts)>,
    /// The games by the hash of their moves.
    ends: HashMap<DuplicateKey, RetainedGames>,
    /// Whether any game has this many plies, by index.
    lengths: Vec<bool>,
    longer: HashMap<u64, Longer>,
}

impl Begins {
    pub(super) fn of(retained: &[Identity], criteria: DuplicateCriteria) -> Begins {
        let min_plies = criteria.min_plies.max(1);
        let lines = retained.iter();
        let lines = lines.filter(|identity| identity.plies >= min_plies);
        let games = retained.iter();
        let games = games.map(|identity| (identity.game, (identity.plies, identity.facts)));
        let mut begins = Begins {
            games: games.collect(),
            ends: HashMap::new(),
            lengths: Vec::new(),
            longer: HashMap::new(),
        };
        for identity in lines {
            let plies = usize::try_from(identity.plies).unwrap_or(usize::MAX);
            if begins.lengths.len() <= plies {
                begins.lengths.resize(plies.saturating_add(1), false);
            }
            if let Some(length) = begins.lengths.get_mut(plies) {
                *length = true;
            }
            let ends = begins.ends.entry(identity.key).or_default();
            ends.push(identity.game, identity.facts);
        }
        begins
    }

    /// Searches all games for continuations of others.
    pub(super) fn find(
        &mut self,
        archive: &Archive,
        criteria: DuplicateCriteria,
        on_progress: &mut dyn FnMut(u64),
    ) -> Result<(), Error> {
        let mut blocks = ReadAhead::new(archive.block_places()?);
        while let Some(batch) = blocks.read(|place| {
            let found = self.in_block(archive, criteria, &place)?;
            Ok::<_, Error>((place.games().end, found))
        }) {
            for found in batch {
                let (end, found) = found?;
                for (game, longer) in found {
                    self.put(game, longer);
                }
                on_progress(end.saturating_sub(1));
            }
        }
        Ok(())
    }

    /// The continuations of other games in a block.
    fn in_block(
        &self,
        archive: &Archive,
        criteria: DuplicateCriteria,
        place: &BlockPlace,
    ) -> Result<HashMap<u64, Longer>, Error> {
        let block = archive.block_games(place)?;
        let mut found: HashMap<u64, Longer> = HashMap::new();
        for game in 0..block.len() {
            let number = block.number(game);
            let Some((_, facts)) = self.games.get(&number) else {
                continue;
            };
            let Some((mut hash, moves)) = line(&block, game, criteria)? else {
                continue;
            };
            let mut beginnings = Vec::new();
            let mut plies = 0;
            for ply in moves.main_line() {
                beginnings.extend(self.game_ending_after(plies, &hash, *facts));
                hash.push(ply);
                plies += 1;
            }
            let longer = Longer {
                plies,
                game: number,
            };
            for shorter in beginnings {
                let best = found.entry(shorter).or_insert(longer);
                *best = best.better(longer);
            }
        }
        Ok(found)
    }

    /// The game with exactly these moves, `plies` plies with this hash, that these facts do not
    /// contradict.
    fn game_ending_after(&self, plies: u32, hash: &LineHash, facts: Facts) -> Option<u64> {
        let at = usize::try_from(plies).ok()?;
        match self.lengths.get(at) {
            Some(true) => self.ends.get(&hash.key())?.find(facts),
            _ => None,
        }
    }

    fn put(&mut self, game: u64, longer: Longer) {
        let best = self.longer.entry(game).or_insert(longer);
        *best = best.better(longer);
    }

    /// The games that are dropped, each with the game that begins with all its moves and stays.
    ///
    /// The longest games are decided first. A game stays if its longest continuation does not, or
    /// if it contradicts what was dropped for that before.
    pub(super) fn dropped(mut self) -> HashMap<u64, u64> {
        let plies = |game: &u64| self.games.get(game).map_or(0, |(plies, _)| *plies);
        let mut shorter: Vec<(u64, Longer)> = self.longer.into_iter().collect();
        shorter.sort_by_key(|(game, _)| (Reverse(plies(game)), *game));
        let mut dropped = HashMap::new();
        for (game, longer) in shorter {
            let facts = |game: &u64| self.games.get(game).map(|(_, facts)| *facts);
            let (Some(own), Some(others)) = (facts(&game), facts(&longer.game)) else {
                continue;
            };
            let Some(both) = others.and(own) else {
                continue;
            };
            if dropped.contains_key(&longer.game) {
                continue;
            }
            dropped.insert(game, longer.game);
            if let Some((_, facts)) = self.games.get_mut(&longer.game) {
                *facts = both;
            }
        }
        dropped
    }
}
