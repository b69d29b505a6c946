//! `pgna compare`: every move codec on the user's own games.

pub(crate) mod args;
mod help;
mod json;
mod measure;
mod method;
mod table;
mod tally;

use super::common::Common;
use super::errors::{Exit, Failure, print_message};
use super::games::{GameText, SelectedGames};
use super::inputs::{self, Input};
use super::line::{MainLine, line_of};
use super::output::Output;
use crate::internals::moves::Line;
use args::CompareArgs;
use measure::measure;
use method::Method;
use std::path::Path;
use tally::CompareTally;

/// What is stored outside the bits, whatever the codec. Printed with every
/// table.
const NOT_COUNTED_NOTE: &str = "Not in the bits: plies and result (in radix-end they are), length in bytes, null moves, \
     and a start that is not the standard one (where the start is written, its pieces are).";

/// Compares the codecs.
pub(crate) fn run(args: &CompareArgs, common: &Common) -> Result<Exit, Failure> {
    let inputs = inputs::collect(&args.inputs, common.quiet)?;
    let games = SelectedGames::new("comparing", &inputs, args.games, &args.reader, common)?;
    let tally = tally(&inputs, &games, args.games)?;
    let mut output = Output::new();
    match args.json {
        true => output.json(&json::json(&tally))?,
        false => output.bytes(table::text(&tally).as_bytes())?,
    }
    output.finish()?;
    if tally.games == 0 {
        print_message("no games with plies to compare");
        return Ok(Exit::NothingFound);
    }
    Ok(Exit::Done)
}

/// Measures the first games of the inputs.
fn tally(
    inputs: &[Input],
    games: &SelectedGames<'_>,
    most: Option<u64>,
) -> Result<CompareTally, Failure> {
    let mut tally = CompareTally::new(Method::all().len());
    games.walk_all(inputs, most, &mut |input, number, game| {
        let path = input.display();
        let seen = measure_game(&mut tally, &game);
        let seen = seen.map_err(|wrong| internal(&path, number, &wrong))?;
        if let (GameResult::LeftOut(why), true) = (seen, games.common.verbose) {
            print_message(&format!(
                "{}: game {number} left out: {why}",
                path.display()
            ));
        }
        Ok(())
    })?;
    Ok(tally)
}

/// The result for a game.
enum GameResult {
    Counted,
    LeftOut(&'static str),
}

fn measure_game(
    tally: &mut CompareTally,
    game: &GameText<'_>,
) -> Result<GameResult, measure::InternalError> {
    let MainLine {
        start,
        plies,
        result,
        ratings,
    } = match line_of(game) {
        Ok(line) => line,
        Err(why) => {
            tally.skip(why);
            return Ok(GameResult::LeftOut(why));
        }
    };
    if plies.is_empty() {
        tally.without_plies += 1;
        return Ok(GameResult::Counted);
    }
    let line = Line {
        start: &start,
        plies: &plies,
        result,
        ratings,
        ..Line::new(&start, &plies)
    };
    tally.add(plies.len() as u64, &measure(line)?);
    Ok(GameResult::Counted)
}

fn internal(path: &Path, number: u64, wrong: &str) -> Failure {
    let message = format!(
        "{}: game {number}: internal error: {wrong}; please report it, with the game",
        path.display()
    );
    Failure::Message(Exit::Damaged, message)
}
