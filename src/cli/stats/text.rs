//! Statistics as tables of text.

use super::MAX_OPPONENT_COLUMNS;
use crate::cli::figures::{grouped, ratio};
use crate::cli::terminal::fit;
use crate::draw::{by_games, by_points, cell, points};
use crate::{Field, FieldValue, Player, Score, Stats};

/// The name of a value in a table.
pub(super) fn name_of(value: Option<&FieldValue>) -> String {
    value.map_or("?".to_owned(), ToString::to_string)
}

/// Results by the values of a field.
pub(super) fn table_by(field: &Field, scores: &[(Option<FieldValue>, Score)]) -> String {
    let all: u64 = scores.iter().map(|(_, score)| score.games).sum();
    let mut out = format!(
        "{:<30}{:>12}{:>9}{:>9}{:>9}{:>9}{:>9}\n",
        field.to_string(),
        "games",
        "share",
        "1-0",
        "1/2-1/2",
        "0-1",
        "score"
    );
    for (value, score) in scores {
        let name = name_of(value.as_ref());
        out += &format!(
            "{:<30}{:>12}{:>7.1} %{:>9}{:>9}{:>9}{:>9}\n",
            shown_name(&name, 29),
            grouped(score.games),
            100.0 * ratio(score.games, all),
            grouped(score.won),
            grouped(score.drawn),
            grouped(score.lost),
            percent(score),
        );
    }
    out
}

/// The statistics of a collection, with this many players.
pub(super) fn tables(stats: &Stats, max_players: usize) -> String {
    let score = &stats.score;
    let undecided = score.games - score.won - score.drawn - score.lost;
    let share = |part: u64| 100.0 * ratio(part, score.games);
    let mut out = format!(
        "games     {:>12}\nplies     {:>12}   {:.1} a game\n",
        grouped(score.games),
        grouped(stats.plies),
        ratio(stats.plies, score.games),
    );
    for (name, part) in [
        ("1-0", score.won),
        ("1/2-1/2", score.drawn),
        ("0-1", score.lost),
        ("others", undecided),
    ] {
        out += &format!("{name:<10}{:>12}   {:.1} %\n", grouped(part), share(part));
    }
    out += &format!(
        "events    {:>12}\nplayers   {:>12}\n",
        grouped(stats.events.len() as u64),
        grouped(stats.players.len() as u64),
    );
    out += "\nyear\n";
    for (year, games) in &stats.years {
        let year = year.map_or("?".to_owned(), |year| year.to_string());
        out += &format!(
            "{year:<10}{:>12}   {:.1} %\n",
            grouped(*games),
            share(*games)
        );
    }
    out += "\nECO\n";
    for (letter, games) in &stats.eco {
        let letter = letter.unwrap_or('?');
        out += &format!(
            "{letter:<10}{:>12}   {:.1} %\n",
            grouped(*games),
            share(*games)
        );
    }
    if max_players > 0 {
        out += &format!(
            "\n{:<30}{:>9}{:>9}{:>9}{:>9}{:>9}{:>10}\n",
            "player", "games", "won", "drawn", "lost", "score", "best Elo"
        );
    }
    for (name, player) in by_games(stats).into_iter().take(max_players) {
        let score = &player.score;
        out += &format!(
            "{:<30}{:>9}{:>9}{:>9}{:>9}{:>9}{:>10}\n",
            shown_name(name, 29),
            grouped(score.games),
            grouped(score.won),
            grouped(score.drawn),
            grouped(score.lost),
            percent(score),
            elo(player),
        );
    }
    out
}

/// The name of a player in a table.
fn shown_name(name: &str, width: usize) -> String {
    match name.trim() {
        "" => "?".to_owned(),
        _ => fit(name, width),
    }
}

fn percent(score: &Score) -> String {
    let share = score.share();
    share.map_or("-".to_owned(), |share| format!("{:.1} %", 100.0 * share))
}

/// The players of an event, those with most points first, and their points against each
/// other.
pub(super) fn crosstable(stats: &Stats) -> String {
    let players = by_points(stats);
    let has_columns = players.len() <= MAX_OPPONENT_COLUMNS;
    let columns = if has_columns { &*players } else { &[] };
    let numbers: String = (1..=columns.len()).map(|at| format!("{at:>5}")).collect();
    let mut out = format!(
        "{:>4} {:<26}{:>5}{numbers}{:>7}{:>8}\n",
        "", "player", "Elo", "games", "points"
    );
    for (at, (name, player)) in (1..).zip(&players) {
        let cells = (1..).zip(columns).map(|(column, (opponent, _))| {
            let cell = cell(player, opponent, column == at);
            format!("{cell:>5}")
        });
        out += &format!(
            "{at:>4} {:<26}{:>5}{}{:>7}{:>8}\n",
            shown_name(name, 25),
            elo(player),
            cells.collect::<String>(),
            grouped(player.score.games),
            points(player.score.half_points()),
        );
    }
    if !has_columns {
        out +=
            &format!("more than {MAX_OPPONENT_COLUMNS} players: see --json for who played whom\n");
    }
    out
}

/// The best known rating of a player.
fn elo(player: &Player) -> String {
    player
        .best_elo
        .map_or("-".to_owned(), |elo| elo.to_string())
}
