//! The arguments of `pgna xiangqi`.

use crate::internals::xiangqi::{XiangqiCode, XiangqiMove};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

/// Show positions of Xiangqi, their codes and share links
///
/// Draws the board of a position or of a share link's last position, and prints its
/// FEN, its encoding in each code, and the share link. In an address, the link is
/// the part after #, or otherwise after the last /, without a query.
///
/// Neither codes nor links store the counters of a FEN or the moves before it;
/// every FEN that is printed ends in `0 1`. A link has no checksum: a misspelt one
/// can be another position.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct XiangqiArgs {
    /// A FEN (with or without quotes), a share link, or an address with one; by
    /// default the start of a game
    #[arg(value_name = "FEN|LINK", allow_hyphen_values = true)]
    pub(super) position: Option<String>,
    /// The other fields of a FEN without quotes
    // Hyphens are not allowed here: the fields would swallow the options after the
    // position.
    #[arg(hide = true)]
    pub(super) fields: Vec<String>,
    /// Play moves, and add them to the link
    ///
    /// A move is two points, as in h3e3 or h3-e3: files a to i, and ranks 1 (the
    /// back rank of Red) to 10. Moves are separated by white space or commas. They
    /// follow those that the link already has.
    #[arg(long, value_name = "MOVES", value_parser = moves)]
    pub(super) moves: Option<XiangqiMovesArgs>,
    /// Draw Chinese characters for the pieces
    #[arg(long, conflicts_with = "json")]
    pub(super) characters: bool,
    /// Print only this code of the position, in base64; with --decode, the code of
    /// TEXT
    #[arg(long, value_name = "NAME", value_parser = code_parser())]
    pub(super) code: Option<XiangqiCode>,
    /// Decode the position from its code, and print its FEN
    ///
    /// --code names the code. The text is base64, or hexadecimal with --hex.
    /// --characters draws the board, --json prints JSON.
    #[arg(
        long,
        value_name = "TEXT",
        requires = "code",
        conflicts_with = "position",
        allow_hyphen_values = true
    )]
    pub(super) decode: Option<String>,
    /// Use hexadecimal instead of base64 with --code
    #[arg(long, requires = "code")]
    pub(super) hex: bool,
    /// Print JSON: everything, including legal moves; with --code, only that code
    #[arg(long)]
    pub(super) json: bool,
}

const EXAMPLES: &str = "\
Examples:
  pgna xiangqi                                  the start of a game
  pgna xiangqi '3k5/9/9/9/9/9/9/9/4A4/4K4 w'    a position
  pgna xiangqi --moves 'h3e3 h10g8'             two plies, and a link to them
  pgna xiangqi gSQCL5P5oIDhCFJCIBJ4eQCAkX8      a link
  pgna xiangqi --code xq-ranked --hex           one code
  pgna xiangqi --code xq-list --decode igqimPNwB2Dg
  pgna xiangqi --json | jq -r .link";

/// Moves as given on the command line.
#[derive(Debug, Clone)]
pub(super) struct XiangqiMovesArgs(pub(super) Vec<XiangqiMove>);

fn moves(text: &str) -> Result<XiangqiMovesArgs, String> {
    let words = text.split(|c: char| c.is_whitespace() || c == ',');
    let words = words.filter(|word| !word.is_empty());
    let read = |word: &str| word.parse().map_err(|error| format!("{word}: {error}"));
    words
        .map(read)
        .collect::<Result<_, _>>()
        .map(XiangqiMovesArgs)
}

/// Accepts the codes of the library.
fn code_parser() -> impl TypedValueParser<Value = XiangqiCode> {
    let value = |code: XiangqiCode| PossibleValue::new(code.name()).help(code.description());
    PossibleValuesParser::new(XiangqiCode::ALL.map(value))
        .try_map(|name| XiangqiCode::named(&name).ok_or("no such code"))
}
