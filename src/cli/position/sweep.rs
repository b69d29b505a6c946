//! All positions of all main lines of files.

use super::super::common::Common;
use super::super::errors::{Exit, Failure, print_message};
use super::super::figures::{count, grouped, ratio};
use super::super::games::{GameText, SelectedGames};
use super::super::inputs;
use super::super::line::{MainLine, line_of};
use super::super::output::Output;
use super::args::PositionArgs;
use super::tally::{CodeSums, PositionTally};
use super::{GameHistory, KnownPosition, encode};
use crate::internals::position::{COMBINED, PositionCode};
use serde_json::{Value, json};
use std::path::PathBuf;

/// Measures the codes on the positions of files.
pub(super) fn run(
    paths: &[PathBuf],
    args: &PositionArgs,
    common: &Common,
) -> Result<Exit, Failure> {
    if args.code.is_some() {
        let message = "--code is for one position; files are measured in all codes";
        return Err(Failure::usage(message));
    }
    let inputs = inputs::collect(paths, common.quiet)?;
    let games = SelectedGames::new("measuring", &inputs, args.games, &args.reader, common)?;
    let mut tally = PositionTally::default();
    games.walk_all(&inputs, args.games, &mut |input, number, game| {
        let left_out = measure_game(&mut tally, &game)?;
        if let (Some(why), true) = (left_out, common.verbose) {
            let path = input.display();
            print_message(&format!(
                "{}: game {number} left out: {why}",
                path.display()
            ));
        }
        Ok(())
    })?;
    let mut output = Output::new();
    match args.json {
        true => output.json(&json(&tally))?,
        false => output.bytes(table(&tally).as_bytes())?,
    }
    output.finish()?;
    if tally.positions == 0 {
        print_message("no games to take positions from");
        return Ok(Exit::NothingFound);
    }
    Ok(Exit::Done)
}

/// Measures the positions of a game, or returns why it is left out.
fn measure_game(
    tally: &mut PositionTally,
    game: &GameText<'_>,
) -> Result<Option<&'static str>, Failure> {
    let MainLine { start, plies, .. } = match line_of(game) {
        Ok(line) => line,
        Err(why) => {
            *tally.skipped.entry(why).or_default() += 1;
            return Ok(Some(why));
        }
    };
    tally.games += 1;
    let mut position = start.clone();
    for ply in 0..=plies.len() {
        let so_far = plies.get(..ply).unwrap_or_default();
        let place = KnownPosition {
            setup: position.setup(),
            game: GameHistory::new(&start, so_far.into()),
        };
        measure(tally, &place)?;
        if let Some(next) = plies.get(ply) {
            position
                .make(*next)
                .map_err(|error| internal(&place, &error.to_string()))?;
        }
    }
    Ok(None)
}

/// Encodes a position in every code, and verifies that it decodes to the same.
fn measure(tally: &mut PositionTally, place: &KnownPosition<'_>) -> Result<(), Failure> {
    tally.positions += 1;
    for (code, sums) in PositionCode::ALL.into_iter().zip(&mut tally.codes) {
        let encoded = encode(code, place).ok();
        if let Some(encoded) = &encoded
            && code.decode(encoded.bytes()).as_ref() != Ok(&place.setup)
        {
            return Err(internal(
                place,
                &format!("{} gives another position", code.name()),
            ));
        }
        sums.add(encoded.as_ref());
    }
    let choice = PositionCode::combined_choice(&place.setup).ok();
    for (code, times) in COMBINED.into_iter().zip(&mut tally.choices) {
        *times += u64::from(Some(code) == choice);
    }
    Ok(())
}

fn internal(place: &KnownPosition<'_>, wrong: &str) -> Failure {
    let fen = place.setup.fen();
    let message = format!("{fen}: internal error: {wrong}; please report it, with the position");
    Failure::Message(Exit::Damaged, message)
}

fn table(tally: &PositionTally) -> String {
    let games = count(tally.games, "game");
    let mut out = format!("{games}, {}\n", count(tally.positions, "position"));
    for (why, games) in &tally.skipped {
        out.push_str(&format!("{} left out: {why}\n", count(*games, "game")));
    }
    if tally.positions == 0 {
        return out;
    }
    out.push_str(&format!(
        "\n{:<18}{:>11}{:>10}{:>10}\n",
        "code", "mean bits", "largest", "cannot"
    ));
    for (code, sums) in PositionCode::ALL.into_iter().zip(&tally.codes) {
        out.push_str(&row(code, sums));
    }
    out.push_str("\nMeans are over the positions that a code can represent.\n");
    out.push_str("\ncombined takes\n");
    let choices: u64 = tally.choices.iter().sum();
    for (code, times) in COMBINED.into_iter().zip(tally.choices) {
        let share = 100.0 * ratio(times, choices);
        let times = grouped(times);
        out.push_str(&format!("  {:<16}{times:>11}{share:>8.2} %\n", code.name()));
    }
    out
}

fn row(code: PositionCode, sums: &CodeSums) -> String {
    let mean = sums
        .mean()
        .map_or("-".to_owned(), |mean| format!("{mean:.2}"));
    let most = sums
        .mean()
        .map_or("-".to_owned(), |_| grouped(sums.max_bits));
    let refused = grouped(sums.unsupported);
    format!("{:<18}{mean:>11}{most:>10}{refused:>10}\n", code.name())
}

fn json(tally: &PositionTally) -> Value {
    let rows = PositionCode::ALL.into_iter().zip(&tally.codes);
    let rows = rows.map(|(code, sums)| {
        json!({
            "code": code.name(),
            "positions": sums.positions,
            "bits": sums.bits,
            "mean_bits": sums.mean(),
            "largest_bits": sums.max_bits,
            "not_represented_positions": sums.unsupported,
        })
    });
    let choices = COMBINED.into_iter().zip(tally.choices);
    let choices = choices.map(|(code, times)| (code.name().to_owned(), times.into()));
    json!({
        "games": tally.games,
        "games_left_out": tally.skipped,
        "positions": tally.positions,
        "codes": rows.collect::<Vec<Value>>(),
        "combined_takes": choices.collect::<serde_json::Map<String, Value>>(),
    })
}
