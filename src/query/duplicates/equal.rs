//! Grouping games with equal identity, and choosing the one to retain.

use super::Duplicate;
use super::fullness::{Fullness, fullnesses};
use super::identity::Identity;
use super::retained::RetainedGames;
use crate::archive::{Archive, Error};
use crate::parallel;
use std::cmp::Reverse;

/// The result of the grouping.
pub(super) struct Equal {
    pub(super) duplicates: Vec<Duplicate>,
    /// The retained games.
    pub(super) retained: Vec<Identity>,
}

/// Splits games into those retained and duplicates of these.
pub(super) fn equal_games(archive: &Archive, games: &[Identity]) -> Result<Equal, Error> {
    let mut sorted = games.to_vec();
    let key = |identity: &Identity| (identity.key, identity.game);
    parallel::sort_by(&mut sorted, |a, b| key(a).cmp(&key(b)));
    let same = |a: &Identity, b: &Identity| a.key == b.key;
    let several = sorted.chunk_by(same).filter(|group| group.len() > 1);
    let mut several: Vec<u64> = several.flatten().map(|identity| identity.game).collect();
    several.sort_unstable();
    let full = fullnesses(archive, &several)?;
    let mut equal = Equal {
        duplicates: Vec::new(),
        retained: Vec::new(),
    };
    for group in sorted.chunk_by_mut(same) {
        // The fullest first.
        group.sort_by_key(|identity| {
            let fullness = fullness_of(&full, identity.game);
            (Reverse(fullness), identity.game)
        });
        let mut retained = RetainedGames::default();
        for identity in group.iter() {
            match retained.absorb(identity.facts) {
                Some(game) => equal.duplicates.push(Duplicate {
                    dropped: identity.game,
                    retained: game,
                }),
                None => retained.push(identity.game, identity.facts),
            }
        }
        let first = group.first().copied();
        let games = retained.iter().zip(first.into_iter().cycle());
        equal
            .retained
            .extend(games.map(|((game, facts), first)| Identity {
                game,
                facts,
                ..first
            }));
    }
    Ok(equal)
}

fn fullness_of(full: &[(u64, Fullness)], game: u64) -> Fullness {
    let at = full.binary_search_by_key(&game, |(game, _)| *game);
    let found = at.ok().and_then(|at| full.get(at));
    found.map_or_else(Fullness::default, |(_, fullness)| *fullness)
}
