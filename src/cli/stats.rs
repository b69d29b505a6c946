//! `pgna stats`.

use super::common::{Common, ReaderArgs};
use super::document::DocumentArgs;
use super::empty_results::{is_unknown, no_game_has, report_doubts, report_unknown_tags};
use super::errors::{Exit, Failure, print_message};
use super::fields::{field, json_value};
use super::figures::{grouped, ratio};
use super::find::args::FilterArgs;
use super::malformed_dates::report_malformed_dates;
use super::missed::MissedGames;
use super::open::warn;
use super::target::OutputTarget;
use super::terminal::fit;
use super::texts::{TextArgs, argument};
use crate::draw::{NamedPlayer, cell, crosstable_page, points, scores_page, stats_page};
use crate::{Archive, Field, FieldValue, Filter, Score, Stats};
use clap::{Args as ClapArgs, ValueEnum};
use serde_json::{Map, Value, json};
use std::cmp::Reverse;
use std::path::PathBuf;

/// Show statistics of a collection
///
/// Games and results, years, openings by the letter of their ECO code, the players with
/// most games; or, with --event, the crosstable of an event. A page (--as html) has them with
/// charts; it is one file that loads nothing and opens without a server.
#[derive(Debug, ClapArgs)]
#[command(after_help = EXAMPLES)]
pub(crate) struct StatsArgs {
    /// The archive
    #[arg(value_name = "ARCHIVE")]
    pub(crate) archive: PathBuf,
    #[command(flatten)]
    pub(crate) filter: FilterArgs,
    /// The crosstable of the event with exactly this name
    #[arg(long, value_name = "NAME", value_parser = argument())]
    pub(crate) event: Option<String>,
    /// Results by the values of a tag or a field of `pgna fields`: year, ECO, speed, elo.class
    ///
    /// Scores are White's. A game with several values, such as the two of elo, counts once for each.
    #[arg(long, value_name = "FIELD", value_parser = field, conflicts_with_all = ["event", "players"])]
    pub(crate) by: Option<Field>,
    /// The number of players to list
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(crate) players: usize,
    /// Print JSON, one object; with --by one object a line
    #[arg(long, conflicts_with_all = ["form", "output"])]
    pub(crate) json: bool,
    /// The form; the default is that of FILE's name, or text
    #[arg(long = "as", value_name = "FORM", value_enum)]
    pub(crate) form: Option<Form>,
    #[command(flatten)]
    pub(crate) document: DocumentArgs,
    #[command(flatten)]
    pub(crate) reader: ReaderArgs,
    #[command(flatten)]
    pub(crate) texts: TextArgs,
}

const EXAMPLES: &str = "\
Examples:
  pgna stats games.pgna
  pgna stats games.pgna -w 'player ~ morphy' --players 20
  pgna stats games.pgna --by speed
  pgna stats games.pgna --event 'Candidates Tournament' -w 'Date = 2024'
  pgna stats games.pgna -o games.html           a page with charts";

/// The form of statistics.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    /// Tables of text
    Text,
    /// A page with charts
    Html,
}

impl StatsArgs {
    fn is_page(&self) -> bool {
        let is_named_page = || {
            let extension = self.document.extension();
            matches!(extension.as_deref(), Some("html" | "htm" | "xhtml"))
        };
        self.form
            .map_or_else(is_named_page, |form| form == Form::Html)
    }

    /// The name of the archive without its extension.
    fn collection(&self) -> String {
        let name = self.archive.file_stem().unwrap_or_default();
        name.to_string_lossy().into_owned()
    }
}

/// The maximum number of opponent columns of a crosstable.
const MAX_OPPONENT_COLUMNS: usize = 24;

/// Counts games and prints the statistics.
pub(crate) fn run(args: &StatsArgs, common: &Common) -> Result<Exit, Failure> {
    let filter = filter(args)?;
    let target = args.document.target(&args.archive)?;
    let archive = args.texts.open(&args.archive, &args.reader, common)?;
    let of_filter = filter.iter().flat_map(Filter::fields);
    report_unknown_tags(&archive, of_filter, common);
    if !common.quiet {
        // Games are counted by the year of Date, unless by another field.
        let year = "year".parse();
        let by = args.by.as_ref().or(year.as_ref().ok());
        report_malformed_dates(&archive, filter.iter().flat_map(Filter::fields).chain(by));
    }
    if let Some(field) = &args.by {
        if is_unknown(&archive, field) {
            return Err(Failure::usage(no_game_has(&archive, field)));
        }
        return run_by(field, filter.as_ref(), args, &archive, &target, common);
    }
    let (stats, errors) = archive.stats(filter.as_ref(), args.event.is_some());
    let mut missed = MissedGames::new(&args.archive);
    missed.report_all(&errors, &archive);
    if stats.score.games == 0 {
        if missed.is_empty() {
            let path = args.archive.display();
            print_message(&format!("{path}: {}", why_none(args, &archive)));
            report_doubts(filter.as_ref(), common);
        }
        return Ok(missed.exit(Exit::NothingFound));
    }
    let shown = match (args.json, &args.event) {
        (true, _) => format!("{}\n", json_of(&stats, args)),
        (false, Some(event)) if args.is_page() => {
            let players = by_points(&stats);
            crosstable_page(event, &players, players.len() <= MAX_OPPONENT_COLUMNS)
        }
        (false, Some(_)) => crosstable(&stats),
        (false, None) if args.is_page() => {
            let players = ranked(&stats).into_iter().take(args.players);
            stats_page(&args.collection(), &stats, &players.collect::<Vec<_>>())
        }
        (false, None) => text(&stats, args.players),
    };
    args.document.write(&target, &shown)?;
    warn(&args.archive, &archive.warnings(), common);
    Ok(missed.exit(Exit::Done))
}

/// Counts results by the values of a field, and prints them.
fn run_by(
    field: &Field,
    filter: Option<&Filter>,
    args: &StatsArgs,
    archive: &Archive,
    target: &OutputTarget,
    common: &Common,
) -> Result<Exit, Failure> {
    let (scores, errors) = archive.scores_by(field, filter);
    let mut missed = MissedGames::new(&args.archive);
    missed.report_all(&errors, archive);
    if scores.is_empty() {
        if missed.is_empty() {
            let path = args.archive.display();
            print_message(&format!("{path}: {}", why_none(args, archive)));
            report_doubts(filter, common);
        }
        return Ok(missed.exit(Exit::NothingFound));
    }
    let shown = match args.json {
        true => lines_of_json(&scores),
        false if args.is_page() => {
            let named = scores.iter();
            let named = named.map(|(value, score)| (name_of(value.as_ref()), *score));
            let named: Vec<(String, Score)> = named.collect();
            scores_page(&args.collection(), &field.to_string(), &named)
        }
        false => table_by(field, &scores),
    };
    args.document.write(target, &shown)?;
    warn(&args.archive, &archive.warnings(), common);
    Ok(missed.exit(Exit::Done))
}

fn name_of(value: Option<&FieldValue>) -> String {
    value.map_or("?".to_owned(), ToString::to_string)
}

fn lines_of_json(scores: &[(Option<FieldValue>, Score)]) -> String {
    let mut out = String::new();
    for (value, score) in scores {
        let mut line = Map::new();
        line.insert("value".to_owned(), value.as_ref().map(json_value).into());
        let score = json_of_score(score);
        line.extend(score.as_object().cloned().unwrap_or_default());
        out += &format!("{}\n", Value::Object(line));
    }
    out
}

fn table_by(field: &Field, scores: &[(Option<FieldValue>, Score)]) -> String {
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

/// Why no game was counted.
fn why_none(args: &StatsArgs, archive: &Archive) -> String {
    if archive.games() == 0 {
        return "the archive has no games".to_owned();
    }
    let Some(event) = &args.event else {
        return "no such game".to_owned();
    };
    event_in_any_case(event, archive)
        .unwrap_or_else(|| "no such game; `pgna stats --by Event` lists the events".to_owned())
}

/// The event whose name differs from `event` only in upper and lower case, as a message.
fn event_in_any_case(event: &str, archive: &Archive) -> Option<String> {
    let events = archive.field_values(&Field::tag("Event")).ok()?;
    let wanted = event.to_lowercase();
    let names = events.values().iter().map(ToString::to_string);
    let mut similar = names.filter(|name| name != event && name.to_lowercase() == wanted);
    let similar = similar.next()?;
    Some(format!("no such game; there is an event {similar:?}"))
}

/// The filter for the games that are counted, including the event.
fn filter(args: &StatsArgs) -> Result<Option<Filter>, Failure> {
    let of_event = args.event.as_ref();
    let of_event = of_event.map(|event| Filter::tag_equals("Event", event));
    let parts: Vec<Filter> = of_event.into_iter().chain(args.filter.read()?).collect();
    Ok((!parts.is_empty()).then_some(Filter::all(parts)))
}

/// The players with most games first; on a tie, with most points.
fn ranked(stats: &Stats) -> Vec<NamedPlayer<'_>> {
    let mut players: Vec<_> = stats.players.iter().collect();
    players.sort_by_key(|(_, player)| Reverse((player.score.games, player.score.half_points())));
    players
}

fn text(stats: &Stats, max_players: usize) -> String {
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
    for (name, player) in ranked(stats).into_iter().take(max_players) {
        let score = &player.score;
        out += &format!(
            "{:<30}{:>9}{:>9}{:>9}{:>9}{:>9}{:>10}\n",
            shown_name(name, 29),
            grouped(score.games),
            grouped(score.won),
            grouped(score.drawn),
            grouped(score.lost),
            percent(score),
            player
                .best_elo
                .map_or("-".to_owned(), |elo| elo.to_string()),
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

/// The players with most points first.
fn by_points(stats: &Stats) -> Vec<NamedPlayer<'_>> {
    let mut players: Vec<_> = stats.players.iter().collect();
    players.sort_by_key(|(_, player)| Reverse(player.score.half_points()));
    players
}

/// The players of an event, those with most points first, and their points against each
/// other.
fn crosstable(stats: &Stats) -> String {
    let players = by_points(stats);
    let has_columns = players.len() <= MAX_OPPONENT_COLUMNS;
    let mut out = format!("{:>4} {:<26}{:>7}{:>8}", "", "player", "games", "points");
    for column in 1..=players.len() {
        if has_columns {
            out += &format!("{column:>5}");
        }
    }
    out.push('\n');
    for (at, (name, player)) in players.iter().enumerate() {
        let score = &player.score;
        let points_of_all = points(score.half_points());
        let name = shown_name(name, 25);
        out += &format!(
            "{:>4} {name:<26}{:>7}{points_of_all:>8}",
            at + 1,
            score.games
        );
        for (other, (opponent, _)) in players.iter().enumerate() {
            let cell = cell(player, opponent, other == at);
            if has_columns {
                out += &format!("{cell:>5}");
            }
        }
        out.push('\n');
    }
    if !has_columns {
        out +=
            &format!("more than {MAX_OPPONENT_COLUMNS} players: see --json for who played whom\n");
    }
    out
}

fn json_of(stats: &Stats, args: &StatsArgs) -> Value {
    let key = |year: &Option<u32>| year.map_or("?".to_owned(), |year| year.to_string());
    let years = stats.years.iter();
    let years: Map<_, _> = years
        .map(|(year, games)| (key(year), (*games).into()))
        .collect();
    let eco = stats.eco.iter();
    let eco: Map<_, _> = eco
        .map(|(letter, games)| (letter.unwrap_or('?').to_string(), (*games).into()))
        .collect();
    let of_player = |(name, player): NamedPlayer<'_>| {
        let against = player.against.iter();
        let against: Map<_, _> = against
            .map(|(name, score)| (name.clone(), json_of_score(score)))
            .collect();
        let mut value = json_of_score(&player.score);
        if let Some(object) = value.as_object_mut() {
            object.insert("name".to_owned(), name.clone().into());
            object.insert("best_elo".to_owned(), player.best_elo.into());
            if args.event.is_some() {
                object.insert("against".to_owned(), against.into());
            }
        }
        value
    };
    let limit = args.event.as_ref().map_or(args.players, |_| usize::MAX);
    let players = ranked(stats).into_iter().take(limit);
    json!({
        "white": json_of_score(&stats.score),
        "plies": stats.plies,
        "events": stats.events.len(),
        "players": stats.players.len(),
        "years": years,
        "eco": eco,
        "most_games": players.map(of_player).collect::<Vec<Value>>(),
    })
}

fn json_of_score(score: &Score) -> Value {
    json!({
        "games": score.games,
        "won": score.won,
        "drawn": score.drawn,
        "lost": score.lost,
    })
}
