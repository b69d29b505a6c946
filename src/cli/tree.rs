//! `pgna tree`.

use super::common::{Common, ReaderArgs};
use super::document::DocumentArgs;
use super::empty_results::{report_doubts, report_pocket, report_unknown_tags, report_variants};
use super::errors::{Exit, Failure, print_message};
use super::figures::grouped;
use super::find::SLOW_SECONDS;
use super::find::args::{FilterArgs, after, option_error};
use super::missed::MissedGames;
use super::open::warn;
use super::startpos::{STARTPOS, fen_of};
use super::texts::TextArgs;
use crate::draw::{Diagram, tree_svg};
use crate::{Branch, Filter, Position, Tree, TreeCount};
use clap::{Args as ClapArgs, ValueEnum};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::time::Instant;

/// Show which moves were played in a position
///
/// One line a move: the games in which it was played there, its score for the side that
/// plays it, how many games White won, drew and lost, the mean rating of that side, the
/// last year, and how many games reach the position after it, by any moves. A game
/// counts once; only main lines are searched. `(end)` counts the games that end there, and
/// `(other)` those that go on with what is no move of chess there: a null move or, where the
/// filter asks for a variant, a drop or another move of its own. Indexes give the next moves of most games
/// (see `pgna index`); the moves of the others are read. A picture (--as svg) has the board and a bar
/// of results for each move.
#[derive(Debug, ClapArgs)]
#[command(after_help = EXAMPLES)]
pub(crate) struct TreeArgs {
    /// The archive
    #[arg(value_name = "ARCHIVE")]
    pub(crate) archive: PathBuf,
    /// The position, a FEN or `startpos`
    #[arg(long, value_name = "FEN", default_value = STARTPOS)]
    pub(crate) fen: String,
    /// The position after these moves
    #[arg(long, value_name = "MOVES", conflicts_with = "fen")]
    pub(crate) after: Option<String>,
    #[command(flatten)]
    pub(crate) filter: FilterArgs,
    /// Print JSON, one object
    #[arg(long, conflicts_with = "form")]
    pub(crate) json: bool,
    /// The form; the default is that of FILE's name, or text
    #[arg(long = "as", value_name = "FORM", value_enum)]
    pub(crate) form: Option<Form>,
    /// Put Black's side of the board at the bottom of a picture
    #[arg(long)]
    pub(crate) flip: bool,
    #[command(flatten)]
    pub(crate) document: DocumentArgs,
    #[command(flatten)]
    pub(crate) reader: ReaderArgs,
    #[command(flatten)]
    pub(crate) texts: TextArgs,
}

const EXAMPLES: &str = "\
Examples:
  pgna tree games.pgna
  pgna tree games.pgna --after '1. e4 c5' -w 'WhiteElo > 2600'
  pgna tree games.pgna --fen 'r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq -'
  pgna tree games.pgna --after '1. d4 Nf6 2. c4' -o moves.svg     a picture of the board and the moves";

/// The form in which moves are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    /// A table of text
    Text,
    /// A picture of the board and the moves
    Svg,
}

impl TreeArgs {
    /// # Errors
    /// The extension of the file's name is that of no form.
    fn form(&self) -> Result<Form, Failure> {
        self.document.form_or(self.form, Form::Text)
    }
}

/// Counts the moves of a position and prints them.
pub(crate) fn run(args: &TreeArgs, common: &Common) -> Result<Exit, Failure> {
    let (option, fen) = match &args.after {
        Some(moves) => ("--after", after(moves)?),
        None => ("--fen", fen_of(&args.fen).to_owned()),
    };
    let position = Position::from_fen(&fen);
    let position = position.map_err(|error| Failure::usage(format!("{option}: {error}")))?;
    let score = score_in(&position);
    let filter = args.filter.read()?;
    let is_picture = !args.json && args.form()? == Form::Svg;
    let target = args.document.target(&args.archive)?;
    let archive = args.texts.open(&args.archive, &args.reader, common)?;
    report_unknown_tags(&archive, filter.iter().flat_map(Filter::fields), common);
    report_pocket(Some(&args.fen), common);
    let clock = Instant::now();
    let counted = archive.tree(&fen, filter.as_ref());
    let (tree, errors) = counted.map_err(|error| option_error(option, &error))?;
    let seconds = clock.elapsed().as_secs_f64();
    if common.verbose || (seconds > SLOW_SECONDS && !common.quiet) {
        print_message(&format!(
            "the moves of {} of {} games read in {seconds:.3} s: see pgna index",
            grouped(tree.games_read),
            grouped(archive.games()),
        ));
    }
    let mut missed = MissedGames::new(&args.archive);
    missed.report_all(&errors, &archive);
    if tree.all.games == 0 {
        print_message(&format!(
            "{}: no game reaches the position",
            args.archive.display()
        ));
        report_doubts(filter.as_ref(), common);
        if !filter.as_ref().is_some_and(Filter::asks_for_variant) {
            report_variants(&archive, common);
        }
        return Ok(missed.exit(Exit::NothingFound));
    }
    let shown = match args.json {
        true => format!("{}\n", json_of(&fen, &tree, score)),
        false if is_picture => {
            let mut diagram = Diagram::new(&position);
            diagram.is_flipped = args.flip;
            tree_svg(&diagram, &tree)
        }
        false => table(&tree, score),
    };
    args.document.write(&target, &shown)?;
    warn(&args.archive, &archive.warnings(), common);
    Ok(missed.exit(Exit::Done))
}

/// The score of one side.
type ScoreOf = fn(&TreeCount) -> Option<f64>;

/// The score of the side to move.
fn score_in(position: &Position) -> ScoreOf {
    match position.is_white_to_move() {
        true => TreeCount::white_score,
        false => TreeCount::black_score,
    }
}

fn table(tree: &Tree, score: ScoreOf) -> String {
    let mut out = format!(
        "{:<9}{:>10}{:>7}{:>8}{:>8}{:>8}{:>8}{:>7}{:>6}{:>10}\n",
        "move", "games", "%", "score", "1-0", "draw", "0-1", "Elo", "last", "reached"
    );
    for branch in &tree.branches {
        let share = 100.0 * branch.count.games as f64 / tree.all.games.max(1) as f64;
        out += &row(&branch.san, &branch.count, share, score);
        out += &format!("{:>10}\n", grouped(branch.reached));
    }
    for (name, games) in [("(other)", tree.others), ("(end)", tree.ended)] {
        if games > 0 {
            out += &format!("{name:<9}{:>10}\n", grouped(games));
        }
    }
    out + &row("all", &tree.all, 100.0, score) + "\n"
}

fn row(name: &str, count: &TreeCount, share: f64, score: ScoreOf) -> String {
    let score = score(count);
    format!(
        "{name:<9}{:>10}{share:>7.1}{:>8}{:>8}{:>8}{:>8}{:>7}{:>6}",
        grouped(count.games),
        score.map_or("-".to_owned(), |score| format!("{:.1} %", 100.0 * score)),
        grouped(count.white),
        grouped(count.draws),
        grouped(count.black),
        count.elo().map_or("-".to_owned(), |elo| elo.to_string()),
        count
            .last_year
            .map_or("-".to_owned(), |year| year.to_string()),
    )
}

fn json_of(fen: &str, tree: &Tree, score: ScoreOf) -> Value {
    let of_branch = |branch: &Branch| {
        let mut value = json_of_count(&branch.count, score);
        if let Some(object) = value.as_object_mut() {
            object.insert("move".to_owned(), branch.san.clone().into());
            object.insert("reached".to_owned(), branch.reached.into());
        }
        value
    };
    json!({
        "fen": fen,
        "all": json_of_count(&tree.all, score),
        "ended": tree.ended,
        "others": tree.others,
        "moves": tree.branches.iter().map(of_branch).collect::<Vec<Value>>(),
    })
}

fn json_of_count(count: &TreeCount, score: ScoreOf) -> Value {
    json!({
        "games": count.games,
        "white": count.white,
        "draws": count.draws,
        "black": count.black,
        "score": score(count),
        "elo": count.elo(),
        "last_year": count.last_year,
    })
}
