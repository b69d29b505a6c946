//! The players of statistics in an order, and their points against each other.

use super::figures::points;
use crate::query::{Player, Stats};
use std::cmp::Reverse;

/// A player with a name.
pub type NamedPlayer<'a> = (&'a String, &'a Player);

/// The players with most games first; on a tie, with most points.
pub fn by_games(stats: &Stats) -> Vec<NamedPlayer<'_>> {
    let mut players: Vec<_> = stats.players.iter().collect();
    players.sort_by_key(|(_, player)| Reverse((player.score.games, player.score.half_points())));
    players
}

/// The players with most points first.
pub fn by_points(stats: &Stats) -> Vec<NamedPlayer<'_>> {
    let mut players: Vec<_> = stats.players.iter().collect();
    players.sort_by_key(|(_, player)| Reverse(player.score.half_points()));
    players
}

/// The points of a player against another: `·` against itself, `*` without a result.
pub fn cell(player: &Player, opponent: &str, is_same: bool) -> String {
    match player.against.get(opponent) {
        _ if is_same => "·".to_owned(),
        Some(score) if score.share().is_none() => "*".to_owned(),
        Some(score) => points(score.half_points()),
        None => String::new(),
    }
}
