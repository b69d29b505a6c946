//! `pgna view`.

use super::common::Common;
use super::common::ReaderArgs;
use super::errors::{Exit, Failure, print_message};
use super::missed::MissedGames;
use super::open::{open, warn};
use super::output::Output;
use super::selection::{Selection, no_game, no_games, no_position};
use super::texts::EncodingArgs;
use crate::{Archive, Error, Game, TextEncoding, Token};
use clap::Args as ClapArgs;
use serde_json::{Map, Value, json};
use std::ops::RangeInclusive;
use std::path::Path;
use std::path::PathBuf;

/// Print games and positions
///
/// Prints the exact bytes of each game, including the text between it and the next.
/// Games are numbered from 1, in the order of the archive's files. Games and
/// positions that do not exist are reported on stderr, and the exit status is 1.
#[derive(Debug, ClapArgs)]
#[command(after_help = VIEW_EXAMPLES)]
pub(crate) struct ViewArgs {
    /// The archive
    #[arg(value_name = "ARCHIVE")]
    pub(crate) archive: PathBuf,
    /// A game (17), games (100-200, 100-), or a position (17@34)
    ///
    /// 100- is game 100 and all after it. 17@34 is the position after ply 34 of the
    /// main line of game 17, printed as a FEN; 17@0 is its start position. The
    /// en-passant square is given only if a pawn can capture there.
    #[arg(required = true, value_name = "GAME")]
    pub(crate) selections: Vec<Selection>,
    /// Print JSON, one object a line
    ///
    /// `moves` is the main line. `movetext` is the whole movetext as a flat list:
    /// moves, NAGs, comments, the beginning and end of variations, the result. Of a
    /// repeated tag, the first is given.
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) encoding: EncodingArgs,
    #[command(flatten)]
    pub(crate) reader: ReaderArgs,
}

const VIEW_EXAMPLES: &str = "\
Examples:
  pgna view games.pgna 17                  print game 17
  pgna view games.pgna 1 100-200 5000-     print these games
  pgna view https://example.org/games.pgna 17   of an archive on a web server
  pgna view s3://bucket/games.pgna 17      of one in an object store; also gs:// and az://
  pgna view games.pgna 17@34               print the position after 17... of game 17
  pgna view games.pgna 17 --json | jq -r '.moves | length'";

/// Prints games and positions.
pub(crate) fn run(args: &ViewArgs, common: &Common) -> Result<Exit, Failure> {
    let archive = open(&args.archive, &args.reader)?.with_encoding(args.encoding.encoding);
    let mut view = GameView {
        archive: &archive,
        path: &args.archive,
        output: Output::new(),
        as_json: args.json,
        is_complete: true,
        missed: MissedGames::new(&args.archive),
    };
    for selection in &args.selections {
        view.show(selection)?;
    }
    view.output.finish()?;
    let exit = view.missed.exit(match view.is_complete {
        true => Exit::Done,
        false => Exit::NothingFound,
    });
    warn(&args.archive, &archive.warnings(), common);
    Ok(exit)
}

struct GameView<'a> {
    archive: &'a Archive,
    path: &'a Path,
    output: Output,
    as_json: bool,
    /// Whether everything has been found so far.
    is_complete: bool,
    missed: MissedGames<'a>,
}

impl GameView<'_> {
    fn show(&mut self, selection: &Selection) -> Result<(), Failure> {
        let games = self.archive.games();
        match selection {
            Selection::Games(range) => {
                self.games(*range.start()..=games.min(*range.end()))?;
                if let Some(missing) = no_games(range, games) {
                    self.missing(&missing);
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
        print_message(&format!("{}: {what}", self.path.display()));
    }

    /// Shows games except those that are damaged.
    fn games(&mut self, range: RangeInclusive<u64>) -> Result<(), Failure> {
        let (mut number, last) = range.into_inner();
        while number <= last {
            number = match self.shown(number) {
                Ok(shown) => {
                    self.output.bytes(&shown)?;
                    number + 1
                }
                Err(error) => self
                    .missed
                    .report_unreadable(number..=last, self.archive, &error),
            };
        }
        Ok(())
    }

    /// The output for a game.
    fn shown(&self, number: u64) -> Result<Vec<u8>, Error> {
        match self.as_json {
            true => {
                let game = self.archive.game(number)?;
                Ok(format!("{}\n", game_json(number, &game, self.archive.encoding())).into_bytes())
            }
            false => self.archive.text(number),
        }
    }

    fn position(&mut self, number: u64, ply: usize) -> Result<(), Failure> {
        let game = match self.archive.game(number) {
            Ok(game) => game,
            Err(error) => {
                self.missed.report(number, number, &error);
                return Ok(());
            }
        };
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
/// nested deeper than JSON parsers support.
fn game_json(number: u64, game: &Game, encoding: TextEncoding) -> Value {
    let text = |bytes: &[u8]| encoding.decode(bytes).into_owned();
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
        "movetext": game.tokens.iter().map(|token| token_json(token, encoding)).collect::<Vec<Value>>(),
    })
}

fn token_json(token: &Token, encoding: TextEncoding) -> Value {
    match token {
        Token::San(san) => json!({ "move": san }),
        Token::Nag(nag) => json!({ "nag": nag }),
        Token::Comment(comment) => json!({ "comment": encoding.decode(comment) }),
        Token::BeginVariation => json!({ "variation": "begin" }),
        Token::EndVariation => json!({ "variation": "end" }),
        Token::Outcome(outcome) => json!({ "result": outcome }),
    }
}
