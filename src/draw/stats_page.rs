//! Statistics as pages.

use super::bars;
use super::figures::{grouped, percent, points, ratio};
use super::page::page;
use super::standings::{NamedPlayer, cell};
use super::text::Text;
use crate::query::{Score, Stats};
use maud::{Markup, html};

/// Longer spans of years have only the years with games.
const MAX_YEARS: u32 = 300;

/// The statistics of a collection, with its players with most games.
pub fn stats_page(collection: &str, stats: &Stats, players: &[NamedPlayer<'_>]) -> String {
    let body = html! {
        (heading(collection, "Statistics"))
        (figures(stats))
        div class="results" { (bars::results(&stats.score)) }
        (results_table(&stats.score))
        (years(stats))
        (openings(stats))
        @if !players.is_empty() {
            h2 { "Players with most games" }
            (players_table(players))
        }
    };
    page(
        &format!("Statistics of {collection}"),
        false,
        &html! { main { (body) } },
    )
}

/// Results by the values of a field.
pub fn scores_page(collection: &str, field: &str, scores: &[(String, Score)]) -> String {
    let all: u64 = scores.iter().map(|(_, score)| score.games).sum();
    let greatest = scores.iter().map(|(_, score)| score.games).max();
    let head = ["games", "share", "", "White won, drawn, lost", "score"];
    let body = html! {
        (heading(collection, &format!("Results by {field}")))
        div class="scroll" {
            table {
                (header_row(field, &head))
                @for (value, score) in scores {
                    tr {
                        td { bdi { (name(value)) } }
                        td { (grouped(score.games)) }
                        td { (percent(ratio(score.games, all))) }
                        td class="bar" { (bars::share(score.games, greatest.unwrap_or(0))) }
                        td class="bar" { (bars::results(score)) }
                        td { (share_text(score)) }
                    }
                }
            }
        }
    };
    let title = format!("Results by {field}, {collection}");
    page(&title, false, &html! { main { (body) } })
}

/// The crosstable of an event. The players are in the order of the table; without `has_opponents`
/// it has no column for each opponent.
pub fn crosstable_page(event: &str, players: &[NamedPlayer<'_>], has_opponents: bool) -> String {
    let columns = if has_opponents { players } else { &[] };
    let body = html! {
        (heading(event, "Crosstable"))
        div class="scroll" {
            table {
                tr {
                    th { "" } th class="name" { "player" } th { "Elo" }
                    @for at in 1..=columns.len() { th { (at) } }
                    th { "games" } th { "points" }
                }
                @for (at, (player_name, player)) in (1..).zip(players) {
                    tr {
                        td { (at) }
                        td class="name" { bdi { (name(player_name)) } }
                        td { (player.best_elo.map(|elo| elo.to_string()).unwrap_or_default()) }
                        @for (column, (opponent, _)) in (1..).zip(columns) {
                            td { (cell(player, opponent, column == at)) }
                        }
                        td { (player.score.games) }
                        td { (points(player.score.half_points())) }
                    }
                }
            }
        }
    };
    let title = format!("Crosstable of {event}");
    page(&title, false, &html! { main { (body) } })
}

fn heading(subject: &str, what: &str) -> Markup {
    html! {
        header {
            h1 { bdi { (Text(subject)) } }
            p class="about" { (Text(what)) }
        }
    }
}

fn figures(stats: &Stats) -> Markup {
    let per_game = ratio(stats.plies, stats.score.games);
    let figures = [
        ("games", grouped(stats.score.games)),
        ("players", grouped(stats.players.len() as u64)),
        ("events", grouped(stats.events.len() as u64)),
        ("plies", grouped(stats.plies)),
        ("plies a game", format!("{per_game:.1}")),
    ];
    html! {
        dl class="figures" {
            @for (name, figure) in figures { div { dt { (name) } dd { (figure) } } }
        }
    }
}

fn results_table(score: &Score) -> Markup {
    let others = score.games - score.won - score.drawn - score.lost;
    let rows = [
        ("1–0", score.won),
        ("½–½", score.drawn),
        ("0–1", score.lost),
        ("others", others),
    ];
    html! {
        table class="narrow" {
            @for (name, games) in rows {
                tr {
                    td { (name) }
                    td { (grouped(games)) }
                    td { (percent(ratio(games, score.games))) }
                }
            }
        }
    }
}

fn years(stats: &Stats) -> Markup {
    let known: Vec<u32> = stats.years.keys().copied().flatten().collect();
    let unknown = stats.years.get(&None).copied().unwrap_or(0);
    let games = |year: u32| stats.years.get(&Some(year)).copied().unwrap_or(0);
    let numbers: Vec<(String, u64)> = match (known.first(), known.last()) {
        (Some(first), Some(last)) if last - first <= MAX_YEARS => (*first..=*last)
            .map(|year| (year.to_string(), games(year)))
            .collect(),
        _ => {
            let years = known.iter();
            years.map(|year| (year.to_string(), games(*year))).collect()
        }
    };
    html! {
        @if !numbers.is_empty() {
            h2 { "Games by year" }
            div class="scroll" { (bars::columns("Games by year", &numbers)) }
        }
        @if unknown > 0 {
            p class="note" { "Games without a year: " (grouped(unknown)) "." }
        }
    }
}

fn openings(stats: &Stats) -> Markup {
    let greatest = stats.eco.values().max().copied().unwrap_or(0);
    let (unknown, known): (Vec<_>, Vec<_>) =
        stats.eco.iter().partition(|(letter, _)| letter.is_none());
    html! {
        h2 { "Openings by the letter of their ECO code" }
        div class="scroll" {
            table {
                @for (letter, games) in known.into_iter().chain(unknown) {
                    tr {
                        td { (opening_name(*letter)) }
                        td { (grouped(*games)) }
                        td { (percent(ratio(*games, stats.score.games))) }
                        td class="bar" { (bars::share(*games, greatest)) }
                    }
                }
            }
        }
    }
}

fn opening_name(letter: Option<char>) -> Markup {
    let group = match letter {
        Some('A') => "flank openings",
        Some('B') => "semi-open games",
        Some('C') => "open games, French",
        Some('D') => "closed and semi-closed games",
        Some('E') => "Indian defences",
        _ => "",
    };
    let letter = letter.unwrap_or('?').to_string();
    html! { (Text(&letter)) " " small { (group) } }
}

fn players_table(players: &[NamedPlayer<'_>]) -> Markup {
    let games = players.iter().map(|(_, player)| player.score.games);
    let greatest = games.max().unwrap_or(0);
    let head = ["games", "", "won, drawn, lost", "score", "best Elo"];
    html! {
        div class="scroll" {
            table {
                (header_row("player", &head))
                @for (player_name, player) in players {
                    tr {
                        td { bdi { (name(player_name)) } }
                        td { (grouped(player.score.games)) }
                        td class="bar" { (bars::share(player.score.games, greatest)) }
                        td class="bar" { (bars::results(&player.score)) }
                        td { (share_text(&player.score)) }
                        td { (player.best_elo.map_or("–".to_owned(), |elo| elo.to_string())) }
                    }
                }
            }
        }
    }
}

fn header_row(first: &str, others: &[&str]) -> Markup {
    html! {
        tr {
            th { (Text(first)) }
            @for name in others { th { (name) } }
        }
    }
}

fn name(name: &str) -> Markup {
    let name = if name.trim().is_empty() { "?" } else { name };
    html! { (Text(name)) }
}

fn share_text(score: &Score) -> String {
    score.share().map_or("–".to_owned(), percent)
}
