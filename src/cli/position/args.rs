//! The arguments of `pgna position`.

use super::super::common::ReaderArgs;
use super::super::sizes::positive;
use crate::internals::position::PositionCode;
use clap::Args as ClapArgs;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use std::ffi::OsString;

/// Encode a position as bits, in every code
///
/// Shows a position of chess as bits: the number of bits in each code, and the bits
/// themselves as hexadecimal digits and as URL-safe base64. The position is a FEN
/// (with or without quotes), `startpos`, or a place in an archive: 17@34 is the
/// position after ply 34 of game 17.
///
/// For PGN files and archives, all positions of all main lines are measured: mean
/// and largest number of bits of each code, and which codes `combined` chooses.
/// Every position is decoded again and compared.
#[derive(Debug, ClapArgs)]
#[command(after_help = EXAMPLES, after_long_help = LONG_HELP)]
pub(crate) struct PositionArgs {
    /// A FEN; or ARCHIVE GAME@PLY; or PGN files, archives, folders, - for stdin
    #[arg(value_name = "WHAT", required_unless_present = "decode")]
    pub(crate) what: Vec<OsString>,
    /// Print the position in this code only
    #[arg(long, value_parser = code_parser())]
    pub(crate) code: Option<PositionCode>,
    /// Print the FEN of the position that TEXT is in the code of --code
    ///
    /// TEXT is base64, or hexadecimal with --hex, and must directly follow
    /// --decode.
    #[arg(
        long,
        value_name = "TEXT",
        requires = "code",
        conflicts_with = "what",
        allow_hyphen_values = true
    )]
    pub(crate) decode: Option<String>,
    /// Read and print bits as hexadecimal digits instead of base64
    #[arg(long, requires = "code")]
    pub(crate) hex: bool,
    /// Use only the first N games of all files together
    #[arg(long, value_name = "N", value_parser = positive, conflicts_with_all = ["code", "decode"])]
    pub(crate) games: Option<u64>,
    /// Print JSON: bits as base64 and as hexadecimal digits
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) reader: ReaderArgs,
}

fn code_parser() -> impl TypedValueParser<Value = PositionCode> {
    let values =
        PositionCode::ALL.map(|code| PossibleValue::new(code.name()).help(code.description()));
    PossibleValuesParser::new(values)
        .try_map(|name| PositionCode::named(&name).ok_or("no such code"))
}

macro_rules! examples {
    () => {
        "\
Examples:
  pgna position startpos
  pgna position 'r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1'
  pgna position games.pgna 17@34
  pgna position startpos --code combined
  pgna position --code combined --decode YEF4
  pgna position games.pgn --games 1000
  while read -r fen; do pgna position --code combined \"$fen\"; done < fens.txt

"
    };
}

const EXAMPLES: &str = concat!(
    examples!(),
    "`pgna position --help` says what the codes cannot represent."
);

const LONG_HELP: &str = concat!(
    examples!(),
    "\
  bits     of the whole position: pieces, side to move, castling rights,
           en-passant square, both counters
  pieces   of these, the bits that say where the pieces stand

A FEN need not be legal: it may have nine queens, no king, or an en-passant
square where nothing can be captured. Fields that are missing are w, -, -, 0, 1. It
comes back in six fields, with castling rights as KQkq where these identify the rook,
else as the rook's file (X-FEN): the same position, not always the same text.

No code takes pawns on ranks 1 and 8; castling rights without king and rook, or
two on one side of the king; en-passant squares that are not on rank 6 with White
to move, or rank 3 with Black; clocks above 255; move numbers above 65,535; pieces
in hand, marks of promoted pieces, counted checks. The piece lists need one king a
side, at most 8 pawns and 15 officers. Castling rights of a rook beyond which
another one stands are for nibble alone; nibble takes an en-passant square only
where its pawn stands before it.

`game` is a game of at most 4 plies that leads from the start to the position,
counters included; for a place in an archive, and for the positions of files, it
is the game itself, up to 255 plies.

A text does not name its code: a wrong --code can give another position, `game`
nearly always.

What a code cannot represent is said in its row. With --code, it ends the
program with exit status 2, and so does text that is no position.

A file whose name reads as a FEN is named with ./ before it."
);
