//! `pgna stats`.

mod args;
mod text;

pub(crate) use args::StatsArgs;

use super::common::Common;
use super::empty_results::{is_unknown, no_game_has, report_doubts, report_unknown_tags};
use super::errors::{Exit, Failure, print_message};
use super::fields::json_value;
use super::malformed_dates::report_malformed_dates;
use super::missed::MissedGames;
use super::open::warn;
use super::target::OutputTarget;
use crate::draw::{
    by_games, by_points, crosstable_page, score_json, scores_page, stats_json, stats_page,
};
use crate::{Archive, Field, FieldValue, Filter, Score};
use args::Form;
use serde_json::{Map, Value};
use text::{crosstable, name_of, table_by, tables};

/// The maximum number of opponent columns of a crosstable.
const MAX_OPPONENT_COLUMNS: usize = 24;

/// Counts games and prints the statistics.
pub(crate) fn run(args: &StatsArgs, common: &Common) -> Result<Exit, Failure> {
    let filter = filter(args)?;
    let is_page = !args.json && args.form()? == Form::Html;
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
        (true, Some(_)) => format!("{}\n", stats_json(&stats, usize::MAX, true)),
        (true, None) => format!("{}\n", stats_json(&stats, args.players, false)),
        (false, Some(event)) if is_page => {
            let players = by_points(&stats);
            crosstable_page(event, &players, players.len() <= MAX_OPPONENT_COLUMNS)
        }
        (false, Some(_)) => crosstable(&stats),
        (false, None) if is_page => {
            let players = by_games(&stats).into_iter().take(args.players);
            stats_page(&args.collection(), &stats, &players.collect::<Vec<_>>())
        }
        (false, None) => tables(&stats, args.players),
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
        false if args.form()? == Form::Html => {
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

fn lines_of_json(scores: &[(Option<FieldValue>, Score)]) -> String {
    let mut out = String::new();
    for (value, score) in scores {
        let mut line = Map::new();
        line.insert("value".to_owned(), value.as_ref().map(json_value).into());
        line.extend(score_json(score));
        out += &format!("{}\n", Value::Object(line));
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
    event_in_any_case(event, archive).unwrap_or_else(|| {
        format!("no event is named {event:?}; `pgna stats --by Event` lists the events")
    })
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
