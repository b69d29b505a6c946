//! `pgna view`.

use super::args::{Common, ViewArgs};
use super::errors::{Exit, Failure, say};
use super::open::{OpenArchive, open, warn};
use super::output::Output;
use super::selection::{OPEN_END, Selection, no_game, no_position};
use pgna::archive::{Game, Token};
use serde_json::{Map, Value, json};
use std::path::Path;

/// Prints games and positions.
pub(crate) fn run(args: &ViewArgs, common: &Common) -> Result<Exit, Failure> {
    let archive = open(&args.archive, &args.reader)?;
    let mut view = View {
        archive: &archive,
        path: &args.archive,
        output: Output::new(),
        as_json: args.json,
        is_complete: true,
    };
    for selection in &args.selections {
        view.show(selection)?;
    }
    view.output.finish()?;
    let is_complete = view.is_complete;
    warn(&args.archive, &archive.warnings(), common);
    Ok(match is_complete {
        true => Exit::Done,
        false => Exit::NothingFound,
    })
}

struct View<'a> {
    archive: &'a OpenArchive,
    path: &'a Path,
    output: Output,
    as_json: bool,
    /// Whether everything was found so far.
    is_complete: bool,
}

impl View<'_> {
    fn show(&mut self, selection: &Selection) -> Result<(), Failure> {
        let games = self.archive.games();
        match selection {
            Selection::Games(range) if *range.start() > games => {
                self.missing(&no_game(*range.start(), games));
                Ok(())
            }
            Selection::Games(range) => {
                (*range.start()..=games.min(*range.end())).try_for_each(|game| self.game(game))?;
                if *range.end() > games && *range.end() != OPEN_END {
                    self.missing(&no_game(*range.end(), games));
                }
                Ok(())
            }
            Selection::Position { game, .. } if *game > games => {
                self.missing(&no_game(*game, games));
                Ok(())
            }
            Selection::Position { game, ply } => self.position(*game, *ply),
        }
    }

    fn missing(&mut self, what: &str) {
        self.is_complete = false;
        say(&format!("{}: {what}", self.path.display()));
    }

    fn game(&mut self, number: u64) -> Result<(), Failure> {
        if self.as_json {
            let game = self.parsed(number)?;
            return self.output.json(&game_json(number, &game));
        }
        let text = self.archive.text(number);
        let text = text.map_err(|error| Failure::game(self.path, number, &error))?;
        self.output.bytes(&text)
    }

    fn parsed(&self, number: u64) -> Result<Game, Failure> {
        let game = self.archive.game(number);
        game.map_err(|error| Failure::game(self.path, number, &error))
    }

    fn position(&mut self, number: u64, ply: usize) -> Result<(), Failure> {
        let game = self.parsed(number)?;
        let Some(position) = game.position(ply) else {
            let why = no_position(&game, ply);
            self.missing(&format!("no position {number}@{ply}: {why}"));
            return Ok(());
        };
        let fen = position.fen();
        match self.as_json {
            true => {
                let value = json!({ "number": number, "ply": ply, "fen": fen });
                self.output.json(&value)
            }
            false => self.output.line(&fen),
        }
    }
}

/// A game as JSON. The movetext is a flat list, because variations can be
/// nested deeper than readers of JSON follow.
fn game_json(number: u64, game: &Game) -> Value {
    let mut tags = Map::new();
    for (name, value) in &game.tags {
        tags.entry(text(name)).or_insert_with(|| text(value).into());
    }
    let outcome = game.tokens.iter().rev().find_map(|token| match token {
        Token::Outcome(outcome) => Some(*outcome),
        _ => None,
    });
    json!({
        "number": number,
        "tags": tags,
        "moves": game.main_line().collect::<Vec<&str>>(),
        "result": outcome,
        "movetext": game.tokens.iter().map(token_json).collect::<Vec<Value>>(),
    })
}

fn token_json(token: &Token) -> Value {
    match token {
        Token::San(san) => json!({ "move": san }),
        Token::Nag(nag) => json!({ "nag": nag }),
        Token::Comment(comment) => json!({ "comment": text(comment) }),
        Token::BeginVariation => json!({ "variation": "begin" }),
        Token::EndVariation => json!({ "variation": "end" }),
        Token::Outcome(outcome) => json!({ "result": outcome }),
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
