//! The arguments of `pgna show`.

use crate::cli::common::ReaderArgs;
use crate::cli::document::DocumentArgs;
use crate::cli::errors::Failure;
use crate::cli::selection::Selection;
use crate::cli::texts::EncodingArgs;
use clap::{Args as ClapArgs, ValueEnum};
use std::path::PathBuf;

/// Show a game: its board, moves and comments, as text, SVG or a web page
///
/// Shows the board at the end of the main line, or after --ply N. On a terminal the board is in
/// colours, unless NO_COLOR is set; elsewhere it is in letters. A page (--as html) has all moves,
/// variations and comments, clocks, and a curve of the evaluations; buttons and arrow keys step
/// through it. It is one file that loads nothing and opens without a server. A game or a
/// position that does not exist is reported on stderr, and the exit status is 1.
#[derive(Debug, ClapArgs)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ShowArgs {
    /// The archive
    #[arg(value_name = "ARCHIVE")]
    pub(crate) archive: PathBuf,
    /// The game (17), or a position of it (17@34)
    ///
    /// 17@34 is the position after ply 34 of the main line of game 17, as 17 --ply 34.
    #[arg(value_name = "GAME", value_parser = one_game)]
    pub(crate) game: ShownGame,
    /// Show the position after this many plies of the main line; 0 is the start
    #[arg(long, value_name = "N")]
    pub(crate) ply: Option<usize>,
    /// Put Black's side at the bottom
    #[arg(long)]
    pub(crate) flip: bool,
    /// The form; the default is that of FILE's name, or text
    #[arg(long = "as", value_name = "FORM", value_enum)]
    pub(crate) form: Option<Form>,
    #[command(flatten)]
    pub(crate) document: DocumentArgs,
    #[command(flatten)]
    pub(crate) encoding: EncodingArgs,
    #[command(flatten)]
    pub(crate) reader: ReaderArgs,
}

const EXAMPLES: &str = "\
Examples:
  pgna show games.pgna 17                     the last position of game 17
  pgna show games.pgna 17 --ply 30            the position after 15 moves of each side
  pgna show games.pgna 17 -o game.html        a page with all moves, to open in a browser
  pgna show games.pgna 17@30 -o board.svg     the board as a picture
  pgna show games.pgna 17 --as ansi | less -R";

/// The form in which a game is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    /// Text with the board in letters
    Text,
    /// Text with the board in colours, by escape sequences for terminals
    Ansi,
    /// The board as a picture
    Svg,
    /// A page with board and moves
    Html,
}

impl ShowArgs {
    /// The form, which is `default` where neither an option nor the name of the file gives one.
    ///
    /// # Errors
    /// The extension of the file's name is that of no form.
    pub(crate) fn form(&self, default: Form) -> Result<Form, Failure> {
        self.document.form_or(self.form, default)
    }
}

/// One game, and the position of it that is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ShownGame {
    pub(crate) number: u64,
    pub(crate) ply: Option<usize>,
}

fn one_game(text: &str) -> Result<ShownGame, String> {
    match text.parse()? {
        Selection::Position { game, ply } => Ok(ShownGame {
            number: game,
            ply: Some(ply),
        }),
        Selection::Games(range) if range.start() == range.end() => Ok(ShownGame {
            number: *range.start(),
            ply: None,
        }),
        Selection::Games(_) => Err("one game is shown at a time: write 17 or 17@34".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_game_is_selected() {
        let shown = |number, ply| Ok(ShownGame { number, ply });
        assert_eq!(one_game("17"), shown(17, None));
        assert_eq!(one_game("17@0"), shown(17, Some(0)));
        for text in ["1-2", "1-", "0", "x", "17@"] {
            assert!(one_game(text).is_err(), "{text}");
        }
    }
}
