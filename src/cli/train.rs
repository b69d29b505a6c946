//! `pgna train`.

use super::codecs::level_parser;
use super::common::{Common, ReaderArgs};
use super::errors::{Exit, Failure, print_message};
use super::figures::{count, size};
use super::games::{GameText, SelectedGames};
use super::inputs;
use super::line::line_of;
use super::progress::Progress;
use super::sizes::positive;
use super::target::is_same_file;
use crate::internals::chess::PlyKind;
use crate::internals::model::{Board, GameContext};
use crate::internals::train::{OwnModel, TrainingLine, train};
use crate::{BuiltinModel, MoveModel, NewFile};
use clap::Args as ClapArgs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Train a move model of a collection's own
///
/// For collections of hundreds of thousands of games that are not like those of people,
/// such as engine matches. `pgna pack --model` stores the model in the archive, so that
/// every program can read it. The model is a built-in one that is trained further on the
/// main lines of the games; of ten games one is not trained on and shows the gain.
///
/// Inputs are the same as for `pgna compare`: files, archives, folders, or - for stdin.
#[derive(Debug, ClapArgs)]
#[command(after_help = EXAMPLES)]
pub(crate) struct TrainArgs {
    /// Files, archives, folders, or - for stdin
    #[arg(required = true, value_name = "IN")]
    pub(crate) inputs: Vec<PathBuf>,
    /// The model to write
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// Replace the model if it exists
    #[arg(short, long)]
    pub(crate) force: bool,
    /// The built-in model from which training starts: fast, default or max
    ///
    /// The new model has the same level. In an archive it takes about 0.7 MB at the level
    /// fast, 1.1 MB at default and 3 MB at max. fast is used if not given.
    #[arg(long, value_parser = level_parser(), hide_possible_values = true, default_value = "fast")]
    pub(crate) level: BuiltinModel,
    /// How many times each game is trained on
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub(crate) passes: u32,
    /// Use only the first N games of all inputs together
    #[arg(long, value_name = "N", value_parser = positive)]
    pub(crate) games: Option<u64>,
    #[command(flatten)]
    pub(crate) reader: ReaderArgs,
}

const EXAMPLES: &str = "\
Examples:
  pgna train engines.pgn -o engines.model
  pgna pack engines.pgn --model engines.model";

/// Trains a model.
pub(crate) fn run(args: &TrainArgs, common: &Common) -> Result<Exit, Failure> {
    let file = new_file(args)?;
    let base = MoveModel::from(args.level);
    let level = base.level();
    if !base.is_available() {
        let why = "not part of this build";
        return Err(Failure::usage(format!("--level {level}: {why}")));
    }
    let (games, bytes) = read_games(args, common)?;
    if games.is_empty() {
        print_message("no games to train on");
        return Ok(Exit::NothingFound);
    }
    let total = bytes.saturating_mul(args.passes.into());
    let progress = Progress::new("training", Some(total), common);
    let bytes_a_game = bytes / games.len() as u64;
    let trained = train(&base, &games, args.passes, &mut || {
        progress.add(bytes_a_game)
    });
    progress.finish();
    let trained = trained.ok_or_else(|| Failure::usage("training gave no valid model"))?;
    write(file, &trained, args)?;
    if !common.quiet {
        print_message(&summary(&args.output, level, games.len(), &trained));
    }
    Ok(Exit::Done)
}

fn new_file(args: &TrainArgs) -> Result<NewFile, Failure> {
    let mut inputs = args.inputs.iter();
    if inputs.any(|input| is_same_file(input, &args.output)) {
        let why = "contains the games to train on";
        return Err(Failure::usage(format!("{}: {why}", args.output.display())));
    }
    if args.output.exists() && !args.force {
        let why = "exists; -f replaces it";
        return Err(Failure::usage(format!("{}: {why}", args.output.display())));
    }
    NewFile::create(&args.output).map_err(|error| Failure::io(&args.output, &error))
}

fn write(file: NewFile, trained: &OwnModel, args: &TrainArgs) -> Result<(), Failure> {
    let mut sink = file.file();
    let written = sink.write_all(&trained.file);
    written.map_err(|error| Failure::io(&args.output, &error))?;
    let committed = file.commit(args.force);
    committed.map_err(|error| Failure::io(&args.output, &error))
}

/// The main lines that a model can be trained on, and the size of their games in bytes.
fn read_games(args: &TrainArgs, common: &Common) -> Result<(Vec<TrainingLine>, u64), Failure> {
    let inputs = inputs::collect(&args.inputs, common.quiet)?;
    let games = SelectedGames::new("reading", &inputs, args.games, &args.reader, common)?;
    let (mut lines, mut bytes) = (Vec::new(), 0);
    games.walk_all(&inputs, args.games, &mut |_, _, game| {
        if let Some(line) = training_line(&game) {
            lines.push(line);
            bytes += game.text.len() as u64;
        }
        Ok(())
    })?;
    Ok((lines, bytes))
}

/// The main line of a game; `None` if a model cannot code it, or it has null moves.
fn training_line(game: &GameText<'_>) -> Option<TrainingLine> {
    let line = line_of(game).ok()?;
    if line.plies.is_empty() || line.plies.contains(&PlyKind::Null) {
        return None;
    }
    Board::new(&line.start)?;
    Some(TrainingLine {
        context: GameContext {
            ratings: line.ratings,
            outcome: line.result,
            plies: u32::try_from(line.plies.len()).ok()?,
        },
        start: line.start,
        plies: line.plies,
        names: [const { Vec::new() }; 2],
    })
}

/// What the model gains, and from how many games on it pays for the space that it takes.
fn summary(path: &Path, level: &str, games: usize, trained: &OwnModel) -> String {
    let held_out = &trained.held_out;
    let gain = held_out.before - held_out.after;
    let pays = match gain > 0.0 {
        true => format!(
            "pays from about {:.0} such games on",
            trained.packed_bytes as f64 / gain
        ),
        false => "does not pay".to_owned(),
    };
    format!(
        "{}: {} trained on; moves of {} that were not: {:.2} bytes a game, {:.2} with the model {level}; \
         takes {} in an archive, {pays}",
        path.display(),
        count(games as u64 - held_out.games, "game"),
        count(held_out.games, "game"),
        held_out.after,
        held_out.before,
        size(trained.packed_bytes),
    )
}
