//! `pgna show`.

mod args;

pub(crate) use args::ShowArgs;

use super::common::Common;
use super::errors::{Exit, Failure, print_message};
use super::missed::MissedGames;
use super::open::{open, warn};
use super::selection::{no_game, no_position};
use crate::draw::{GameDrawing, GameTree, TextForm};
use crate::{Archive, Game};
use args::Form;
use std::io::{self, IsTerminal};

/// Shows a game.
pub(crate) fn run(args: &ShowArgs, common: &Common) -> Result<Exit, Failure> {
    let ply = match (args.game.ply, args.ply) {
        (Some(ply), Some(_)) => {
            let number = args.game.number;
            let message = format!("{number}@{ply} names a ply already; leave out --ply");
            return Err(Failure::usage(message));
        }
        (of_game, of_option) => of_game.or(of_option),
    };
    let form = args.form(default_form())?;
    let target = args.document.target(&args.archive)?;
    let archive = open(&args.archive, &args.reader)?.with_encoding(args.encoding.encoding);
    let number = args.game.number;
    let missing = |what: &str| {
        print_message(&format!("{}: {what}", args.archive.display()));
        Ok(Exit::NothingFound)
    };
    if number > archive.games() {
        return missing(&no_game(number, archive.games()));
    }
    let game = match archive.game(number) {
        Ok(game) => game,
        Err(error) => {
            let mut missed = MissedGames::new(&args.archive);
            missed.report(number, number, &error);
            return Ok(missed.exit(Exit::Done));
        }
    };
    let tags = decoded_tags(&game, &archive);
    let tree = GameTree::new(&game, archive.encoding());
    let plies = ply.or_else(|| tree.as_ref().map(|tree| tree.main.moves.len()));
    let plies = plies.unwrap_or_default();
    let drawing = tree.as_ref();
    let drawing = drawing.and_then(|tree| GameDrawing::new(tree, &tags, plies, args.flip));
    let Some(drawing) = drawing else {
        let why = no_position(&game, plies);
        return missing(&format!("no position {number}@{plies}: {why}"));
    };
    let text = match form {
        Form::Text => drawing.text(TextForm::Plain),
        Form::Ansi => drawing.text(TextForm::Ansi),
        Form::Svg => drawing.svg(),
        Form::Html => drawing.html(),
    };
    args.document.write(&target, &text)?;
    warn(&args.archive, &archive.warnings(), common);
    Ok(Exit::Done)
}

/// The form of text for stdout. The standard of NO_COLOR is that any value but an empty one counts.
fn default_form() -> Form {
    let is_plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    match io::stdout().is_terminal() && !is_plain {
        true => Form::Ansi,
        false => Form::Text,
    }
}

fn decoded_tags(game: &Game, archive: &Archive) -> Vec<(String, String)> {
    let encoding = archive.encoding();
    let text = |bytes: &[u8]| encoding.decode(bytes).into_owned();
    let tags = game.tags.iter();
    tags.map(|(name, value)| (text(name), text(value)))
        .collect()
}
