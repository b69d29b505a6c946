//! The arguments of `find`, and the filter and position arguments that `tree` and
//! `stats` share.

use super::super::common::ReaderArgs;
use super::super::errors::Failure;
use super::super::startpos::fen_of;
use super::super::texts::{TextArgs, argument};
use super::super::writing::WritingArgs;
use crate::{
    Filter, LineScope, Material, Pattern, Position, PositionTest, PositionTestError, Query,
    ScoutfishError, SyntaxError,
};
use clap::Args as ClapArgs;
use std::fmt::Display;
use std::path::{Path, PathBuf};

/// Find games by tags, position, material or pattern
///
/// Prints the games that satisfy all conditions, as they were packed; the exit status
/// is 1 if there are none. Positions are those of main lines, from the start position
/// to the last.
#[derive(Debug, ClapArgs)]
#[command(after_help = EXAMPLES, after_long_help = LONG_EXAMPLES)]
pub(crate) struct FindArgs {
    /// The archive
    #[arg(value_name = "ARCHIVE")]
    pub(crate) archive: PathBuf,
    #[command(flatten)]
    pub(crate) filter: FilterArgs,
    #[command(flatten)]
    pub(crate) board: BoardArgs,
    /// Write the games to this file instead
    ///
    /// An archive if its name ends with .pgna, otherwise PGN; - is stdout. No file is
    /// written if no game is found.
    #[arg(short, long, value_name = "FILE", conflicts_with_all = ["count", "list", "json"])]
    pub(crate) output: Option<PathBuf>,
    /// Replace that file if it exists
    #[arg(short, long, requires = "output")]
    pub(crate) force: bool,
    /// Print the number of games
    #[arg(short, long, conflicts_with_all = ["list", "json"])]
    pub(crate) count: bool,
    /// Print game numbers only: 17, or 17@34 if the position is reached after ply 34
    ///
    /// `pgna view` accepts both. For a position in a variation, only the game number is
    /// printed.
    #[arg(short, long, conflicts_with = "json")]
    pub(crate) list: bool,
    /// Print JSON, one object a line: the fields of `list --json`, and the ply
    #[arg(long)]
    pub(crate) json: bool,
    /// Stop after N games
    #[arg(short = 'n', long, value_name = "N")]
    pub(crate) limit: Option<u64>,
    /// Search all games without using indexes; the result is the same
    #[arg(long)]
    pub(crate) no_index: bool,
    #[command(flatten)]
    pub(crate) reader: ReaderArgs,
    #[command(flatten)]
    pub(crate) texts: TextArgs,
    #[command(flatten, next_help_heading = "Options of an archive that is written")]
    pub(crate) writing: WritingArgs,
}

/// The filter option.
#[derive(Debug, ClapArgs)]
pub(crate) struct FilterArgs {
    /// Games whose tags satisfy this filter
    ///
    /// NAME OPERATOR VALUE, combined with `and`, `or`, `not` and parentheses. NAME is
    /// that of a tag, in upper or lower case, or one of the fields that `pgna fields`
    /// lists: `player`, `elo.mean`, `year`, `speed`, `comments` and others.
    ///
    /// =  !=           equal, not equal, case-sensitive; Date = 2010 is any day of 2010
    /// ~  !~           contains the text, without regard to case and accents; with a
    ///                 text between slashes, matches the regular expression: /^T.l,/
    /// <  <=  >  >=    numbers as numbers, dates as dates, other text as text
    /// in A..B         from A to B; in (A, B, C..D) one of these
    /// ?               the game has the tag: WhiteElo?
    ///
    /// A game without the tag satisfies only != and !~, and what `not` negates. A field
    /// with several values, such as player and comments, satisfies what one of them does.
    ///
    /// Quote values that contain blanks or operators, and write \ before a quote inside;
    /// = with a quoted value compares the exact text. A regular expression ignores case if
    /// an i follows: /tal/i; accents count in it. A date with unknown parts matches if
    /// every day that it may denote does; if Date is unknown, UTCDate is used.
    ///
    /// Also: `variant = atomic` (and !=; `variant?` finds all variants), `mate`, `has clocks`,
    /// `has evals`, `has variations`, `has comments`: with text beyond commands such as
    /// [%clk 0:03:00]; `comments?` is any comment. `verbatim?` finds games of which a part
    /// is stored verbatim, `words` those with words that are no moves among the moves. A tag
    /// with the name of a field is written in quotes: "Year" = 2.
    #[arg(
        short = 'w',
        long = "where",
        value_name = "FILTER",
        value_parser = argument(),
        verbatim_doc_comment
    )]
    pub(crate) filter: Option<String>,
}

/// The position options.
#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Positions")]
pub(crate) struct BoardArgs {
    /// Games that reach this position, a FEN or `startpos`
    ///
    /// Compares pieces, side to move, castling rights, and the en-passant square if a
    /// pawn can capture there; move counters are ignored. Fields after the side to move
    /// default to `- -`. For a board alone, with either side to move, add --pieces-only.
    #[arg(long, value_name = "FEN")]
    pub(crate) fen: Option<String>,
    /// Games that reach the position after these moves, in any move order
    #[arg(long, value_name = "MOVES", conflicts_with = "fen")]
    pub(crate) after: Option<String>,
    /// Compare only the pieces of that position
    #[arg(long)]
    pub(crate) pieces_only: bool,
    /// Games that reach this material: KRPkrp
    ///
    /// White's pieces are K, Q, R, B, N and P, Black's k, q, r, b, n and p. Pieces that
    /// are not named must be absent, so name both kings. After a letter, * is any
    /// number, + one or more, ? none or one, {2} two, {0-2} up to two.
    #[arg(long, value_name = "PIECES")]
    pub(crate) material: Option<String>,
    /// Games that reach a board with these pieces on these squares: "Nd5 pd6 .e4"
    ///
    /// .e4 is an empty square. Or a board as in a FEN, in which digits are arbitrary
    /// squares and dots are empty squares: 8/8/3p4/3N4/8/8/8/8.
    #[arg(long, value_name = "SQUARES")]
    pub(crate) pattern: Option<String>,
    /// Games with a position that satisfies this expression: 'opposite bishops and not check'
    ///
    /// Tests are combined with `and`, `or`, `not` and parentheses. PIECES are letters as in
    /// --material, A and a for all of a side, or several in brackets, with squares if they
    /// are limited to some: P, Nd5, [RQ]7, pa-c, n[d4,e5-6]. A set holds if it is not empty,
    /// or compares: P >= 5, passed P > passed p.
    ///
    /// PIECES               such pieces are on the board
    /// isolated P           a pawn without a pawn of its side on an adjacent file
    /// doubled P            a pawn with another one of its side on its file
    /// passed P             a pawn without enemy pawns ahead on its and the adjacent files
    /// backward P           all pawns beside it are further on, and a pawn stops its advance
    /// open d               a file without pawns; half-open white d: without White's alone
    /// attacked Q by n      attacked; without `by`, by the other side
    /// pinned N             pinned to its king
    /// opposite bishops     one bishop each, on different colours
    /// check  mate  stalemate  turn white  repeated 3
    /// castled white long   has castled before; also `castled white`, `castled opposite`
    /// plays Nf3            the next move; also moves P to e4, takes [Qq]
    /// fen "F"  pieces "F"  material KRPkr  imbalance PPvN  pattern "Nd5 pd6"  any  end
    ///
    /// A then B             B holds, and A held before it; A then within 10 B: 10 plies.
    ///                      Most tests go on holding: castled, isolated; moves do not: takes q
    /// (A) for 6            A holds in this and the 5 positions before it
    /// ever A               A holds or has held
    ///
    /// `or` binds weaker than `and`, and `then` weakest. The hit is the position that
    /// completes it. With --variations a line runs from the start of the game to the end
    /// of the variation. docs/positions.md defines each test.
    #[allow(
        rustdoc::broken_intra_doc_links,
        reason = "the brackets of the help are no links"
    )]
    #[arg(long = "position", value_name = "EXPRESSION", verbatim_doc_comment)]
    pub(crate) position_expression: Option<String>,
    /// Games that match this query in the JSON of Scoutfish, or @FILE with one
    ///
    /// Rules: sub-fen, material, imbalance, white-move, black-move, moved, captured, stm,
    /// result (the tag), result-type, pass; sequence and streak. Unknown rules are errors.
    #[arg(long, value_name = "JSON")]
    pub(crate) scoutfish: Option<String>,
    /// Also the mirrored pattern, with the a and h files exchanged
    #[arg(long, requires = "pattern")]
    pub(crate) mirror: bool,
    /// Also the material, pattern or expression with colours exchanged
    #[arg(long)]
    pub(crate) flip: bool,
    /// Also positions in variations
    #[arg(long)]
    pub(crate) variations: bool,
}

const EXAMPLES: &str = "\
Examples:
  pgna find games.pgna -w 'player ~ carlsen and Date >= 2010' > carlsen.pgn
  pgna find games.pgna -w 'winner ~ tal and ECO = B80' -o tal.pgna
  pgna find games.pgna -w 'elo > 2700 and ECO in B90..B99' --count
  pgna find games.pgna --after '1. e4 c5 2. c3' --list
  pgna find games.pgna --material KRPkr --flip --limit 10";

const LONG_EXAMPLES: &str = "\
Examples:
  pgna find games.pgna -w 'player ~ carlsen and Date >= 2010' > carlsen.pgn
  pgna find games.pgna -w 'winner ~ tal and ECO = B80' -o tal.pgna
  pgna find games.pgna -w 'elo > 2700 and ECO in B90..B99' --count
  pgna find games.pgna -w 'Result = \"1/2-1/2\" and plies < 40 and not has comments'
  pgna find games.pgna --after '1. e4 c5 2. c3' --list
  pgna find games.pgna --fen '8/8/4k3/8/4KP2/8/8/8 w - -' --json
  pgna find games.pgna --material KRPkr --flip --limit 10
  pgna find games.pgna --pattern 'Bh7 Kg1 kg8' -w 'White ~ tal'
  pgna find games.pgna --position '(opposite bishops and Q = 0 and q = 0) for 10' --list
  pgna find games.pgna --position 'takes q then within 1 takes Q then within 20 mate' --count
  pgna find games.pgna --position 'isolated Pd and open c' --flip --limit 10
  pgna find games.pgna --scoutfish '{\"sequence\": [{\"white-move\": \"O-O-O\"}, {\"white-move\": \"g4\"}]}'
  for place in $(pgna find games.pgna --pattern 'Nd5 pd6' -l); do pgna view games.pgna $place; done";

impl FilterArgs {
    /// Parses the filter, if there is one.
    pub(crate) fn read(&self) -> Result<Option<Filter>, Failure> {
        let Some(text) = &self.filter else {
            return Ok(None);
        };
        let filter = text.parse();
        filter
            .map(Some)
            .map_err(|error| syntax_error("--where", text, &error))
    }
}

/// A usage error that shows where the text of an option is wrong.
fn syntax_error(option: &str, text: &str, error: &SyntaxError) -> Failure {
    let before: String = text.chars().take(error.at).collect();
    let after_error: String = text.chars().skip(error.at).collect();
    Failure::usage(format!("{option}: {error}: {before}<HERE>{after_error}"))
}

impl BoardArgs {
    /// Whether a condition is on the line that leads to a position.
    pub(crate) fn follows_lines(&self) -> bool {
        self.position_expression.is_some() || self.scoutfish.is_some()
    }

    /// The conditions on positions.
    fn boards(&self) -> Result<Vec<PositionTest>, Failure> {
        let mut boards = Vec::new();
        if let Some(fen) = self.position()? {
            let board = match self.pieces_only {
                true => PositionTest::pieces(&fen),
                false => PositionTest::exact(&fen),
            };
            boards.push(board.map_err(|error| fen_error(&error))?);
        } else if self.pieces_only {
            return Err(Failure::usage("--pieces-only needs --fen or --after"));
        }
        if let Some(text) = &self.material {
            let material: Material = text
                .parse()
                .map_err(|error| option_error("--material", &error))?;
            let flipped = self.flip.then(|| material.flipped());
            boards.push(PositionTest::material(
                [material].into_iter().chain(flipped).collect(),
            ));
        }
        if let Some(text) = &self.pattern {
            let pattern: Pattern = text
                .parse()
                .map_err(|error| option_error("--pattern", &error))?;
            boards.push(PositionTest::pattern(self.turned(pattern)));
        }
        if let Some(text) = &self.position_expression {
            let test: PositionTest = text
                .parse()
                .map_err(|error| syntax_error("--position", text, &error))?;
            let flipped = self.flip.then(|| test.flipped());
            boards.push(match flipped {
                Some(flipped) => PositionTest::any([test, flipped]),
                None => test,
            });
        }
        let is_flippable = [&self.material, &self.pattern, &self.position_expression];
        if self.flip && is_flippable.iter().all(|option| option.is_none()) {
            return Err(Failure::usage(
                "--flip needs --material, --pattern or --position",
            ));
        }
        if self.variations && boards.is_empty() && !self.follows_lines() {
            return Err(Failure::usage("--variations needs a position to look for"));
        }
        Ok(boards)
    }

    fn turned(&self, pattern: Pattern) -> Vec<Pattern> {
        let mut patterns = vec![pattern];
        if self.mirror {
            patterns.extend(patterns.clone().iter().map(Pattern::mirrored));
        }
        if self.flip {
            patterns.extend(patterns.clone().iter().map(Pattern::flipped));
        }
        patterns
    }

    fn position(&self) -> Result<Option<String>, Failure> {
        match (&self.fen, &self.after) {
            (Some(fen), _) => Ok(Some(fen_of(fen).to_owned())),
            (None, Some(moves)) => after(moves).map(Some),
            (None, None) => Ok(None),
        }
    }
}

/// The FEN of the position after these moves.
pub(crate) fn after(moves: &str) -> Result<String, Failure> {
    match Position::after(moves) {
        Ok(position) => Ok(position.fen()),
        Err(error) => {
            let is_drop = moves.contains('@') && !moves.contains("[Variant");
            let hint = match is_drop {
                true => "; for drops write the tag [Variant \"Crazyhouse\"] before the moves",
                false => "",
            };
            Err(Failure::usage(format!("--after: {error}{hint}")))
        }
    }
}

/// A usage error for the value of an option.
pub(crate) fn option_error(option: &str, error: &PositionTestError) -> Failure {
    Failure::usage(format!("{option}: {error}"))
}

/// A usage error for the value of --fen.
fn fen_error(error: &PositionTestError) -> Failure {
    let hint = match error {
        PositionTestError::NoSideToMove => "; or compare only the pieces with --pieces-only",
        _ => "",
    };
    Failure::usage(format!("--fen: {error}{hint}"))
}

/// The query that these arguments specify, which may have no condition.
pub(crate) fn query(
    filter: &FilterArgs,
    board: &BoardArgs,
    uses_indexes: bool,
) -> Result<Query, Failure> {
    let mut filters = Vec::from_iter(filter.read()?);
    let mut positions = board.boards()?;
    if let Some(text) = &board.scoutfish {
        let query = scoutfish(text)?;
        filters.extend(query.filter);
        positions.extend(query.positions);
    }
    Ok(Query {
        filter: match filters.len() {
            0 | 1 => filters.pop(),
            _ => Some(Filter::all(filters)),
        },
        positions,
        scope: match board.variations {
            true => LineScope::AnyLine,
            false => LineScope::MainLine,
        },
        uses_indexes,
        ..Query::default()
    })
}

/// Parses a query of Scoutfish, or the file that `@` names.
fn scoutfish(text: &str) -> Result<Query, Failure> {
    let Some(path) = text.strip_prefix('@') else {
        let hint = match Path::new(text).is_file() {
            true => format!("; to read the file, write @{text}"),
            false => String::new(),
        };
        let usage = |error: ScoutfishError| Failure::usage(format!("--scoutfish: {error}{hint}"));
        return Query::from_scoutfish(text).map_err(usage);
    };
    let error = |error: &dyn Display| Failure::usage(format!("--scoutfish: {path}: {error}"));
    let json = std::fs::read_to_string(path).map_err(|why| error(&why))?;
    Query::from_scoutfish(&json).map_err(|why| error(&why))
}

impl FindArgs {
    /// The query that the arguments specify.
    pub(crate) fn query(&self) -> Result<Query, Failure> {
        let query = Query {
            places: self.list || self.json,
            ..query(&self.filter, &self.board, !self.no_index)?
        };
        if query.filter.is_none() && query.positions.is_empty() {
            let why = "nothing to look for: give -w, --fen, --after, --material, --pattern, \
                       --position or --scoutfish";
            return Err(Failure::usage(why));
        }
        Ok(query)
    }
}
