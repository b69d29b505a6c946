//! Statistics as JSON.

use super::standings::{NamedPlayer, by_games};
use crate::query::{Player, Score, Stats};
use serde_json::{Map, Value, json};

/// The statistics of a collection, with this many of its players, those with most games first.
/// With `has_opponents`, each has its results against each opponent.
pub fn stats_json(stats: &Stats, most_players: usize, has_opponents: bool) -> Value {
    let unknown = || "?".to_owned();
    let years = stats.years.iter().map(|(year, games)| {
        let year = year.map_or_else(unknown, |year| year.to_string());
        (year, Value::from(*games))
    });
    let eco = stats.eco.iter().map(|(letter, games)| {
        let letter = letter.map_or_else(unknown, String::from);
        (letter, Value::from(*games))
    });
    let players = by_games(stats).into_iter().take(most_players);
    json!({
        "white": score_json(&stats.score),
        "plies": stats.plies,
        "events": stats.events.len(),
        "players": stats.players.len(),
        "years": years.collect::<Map<_, _>>(),
        "eco": eco.collect::<Map<_, _>>(),
        "most_games": players.map(|player| player_json(player, has_opponents)).collect::<Value>(),
    })
}

/// The results of games: `{"games": 3, "won": 1, "drawn": 1, "lost": 1}`.
pub fn score_json(score: &Score) -> Map<String, Value> {
    let fields = [
        ("games", score.games),
        ("won", score.won),
        ("drawn", score.drawn),
        ("lost", score.lost),
    ];
    let fields = fields.into_iter();
    fields
        .map(|(name, number)| (name.to_owned(), number.into()))
        .collect()
}

fn player_json((name, player): NamedPlayer<'_>, has_opponents: bool) -> Value {
    let mut fields = score_json(&player.score);
    fields.insert("name".to_owned(), name.as_str().into());
    fields.insert("best_elo".to_owned(), player.best_elo.into());
    if has_opponents {
        fields.insert("against".to_owned(), against(player));
    }
    Value::Object(fields)
}

fn against(player: &Player) -> Value {
    let opponents = player.against.iter();
    opponents
        .map(|(name, score)| (name.clone(), Value::Object(score_json(score))))
        .collect()
}
