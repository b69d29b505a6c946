//! The arguments: verbs, options and their help.

use super::append::AppendArgs;
use super::compare::args::CompareArgs;
use super::dedupe::DedupeArgs;
use super::docs::{CompletionsArgs, ManArgs};
use super::find::args::FindArgs;
use super::index::IndexArgs;
use super::info::args::InfoArgs;
use super::limits::LimitArgs;
use super::merge::MergeArgs;
use super::position::args::PositionArgs;
use super::recover::RecoverArgs;
use super::selection::Selection;
use super::sort::SortArgs;
use super::split::SplitArgs;
use super::stats::StatsArgs;
use super::tree::TreeArgs;
use super::writing::WritingArgs;
use super::xiangqi::XiangqiArgs;
use crate::parallel;
use clap::{Args as ClapArgs, Parser, Subcommand};
use std::path::PathBuf;

/// Pack chess games: lossless, with random access to single games
///
/// A PGN archive (.pgna) stores a chess collection in a fraction of the space,
/// restores the packed files byte for byte, and opens any single game without
/// unpacking the others.
#[derive(Debug, Parser)]
#[command(name = "pgna", version, arg_required_else_help = true, after_help = EXAMPLES, after_long_help = LONG_EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) common: Common,
    #[command(subcommand)]
    pub(crate) verb: Verb,
}

const EXAMPLES: &str = "\
Examples:
  pgna pack games.pgn            make games.pgna; games.pgn stays
  pgna unpack games.pgna         get games.pgn back, byte for byte
  pgna test games.pgna           prove that unpacking would give it
  pgna view games.pgna 17        print game 17
  pgna list games.pgna | less    one line a game
  pgna find games.pgna -w 'player ~ morphy'

`pgna help VERB` explains a verb.";

const LONG_EXAMPLES: &str = "\
Examples:
  pgna pack games.pgn            make games.pgna; games.pgn stays
  pgna unpack games.pgna         get games.pgn back, byte for byte
  pgna test games.pgna           prove that unpacking would give it
  pgna view games.pgna 17        print game 17
  pgna list games.pgna | less    one line a game
  pgna find games.pgna -w 'player ~ morphy'

Exit status:
  0  all went well
  1  nothing found
  2  wrong usage, or something could not be read or written
  3  done with loss, or not as strictly as asked
  4  an archive is damaged
  5  an archive's version is not supported
  6  a limit was reached

Results go to stdout, everything else to stderr.
`pgna help VERB` explains a verb.";

/// More threads would only cost memory.
const MAX_THREADS: i64 = 1024;

/// The options of all verbs.
#[derive(Debug, Clone, ClapArgs)]
#[command(next_help_heading = "Options of all verbs")]
pub(crate) struct Common {
    /// Print only errors on stderr
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,
    /// Print more on stderr, for example each file as it is done
    #[arg(short, long, global = true, conflicts_with = "quiet")]
    pub(crate) verbose: bool,
    /// Use N threads; 0 uses all cores. Results do not depend on it
    #[arg(short = 'T', long, global = true, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u16).range(..=MAX_THREADS))]
    pub(crate) threads: u16,
}

impl Common {
    /// Sets the number of threads that the verbs use.
    pub(crate) fn start_threads(&self) {
        parallel::set_threads(self.threads.into());
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    Pack(PackArgs),
    Append(AppendArgs),
    Merge(MergeArgs),
    Unpack(UnpackArgs),
    View(ViewArgs),
    List(ListArgs),
    Find(FindArgs),
    Tree(TreeArgs),
    Stats(StatsArgs),
    Sort(SortArgs),
    Dedupe(DedupeArgs),
    Split(SplitArgs),
    Index(IndexArgs),
    Info(InfoArgs),
    Test(TestArgs),
    Recover(RecoverArgs),
    Compare(CompareArgs),
    Position(PositionArgs),
    Xiangqi(XiangqiArgs),
    Completions(CompletionsArgs),
    Man(ManArgs),
}

impl Verb {
    /// Whether the verb is incomplete if its output is cut.
    pub(crate) fn writes_files(&self) -> bool {
        matches!(
            self,
            Verb::Pack(_)
                | Verb::Append(_)
                | Verb::Merge(_)
                | Verb::Unpack(_)
                | Verb::Recover(_)
                | Verb::Sort(_)
                | Verb::Dedupe(_)
                | Verb::Split(_)
                | Verb::Index(_)
        )
    }
}

/// Pack PGN files into an archive
///
/// Files are packed whatever their names. Folders are packed with all their files,
/// in the byte order of their names; links are not followed. Files that end in
/// .zst, .gz, .bz2 or .xz are decompressed and stored under their name without that
/// suffix. `-` is stdin, which is never decompressed.
///
/// Any bytes can be packed: text that is not a game, or not a legal one, is stored
/// verbatim.
#[derive(Debug, ClapArgs)]
#[command(after_help = PACK_EXAMPLES)]
pub(crate) struct PackArgs {
    /// Files, folders, or - for stdin
    #[arg(required = true, value_name = "IN")]
    pub(crate) inputs: Vec<PathBuf>,
    /// The archive to write
    ///
    /// By default named after the only input: games.pgn, games.pgn.zst and a folder
    /// games/ all give games.pgna. Stdin goes to stdout.
    #[arg(short, long, value_name = "FILE", conflicts_with = "stdout")]
    pub(crate) output: Option<PathBuf>,
    /// Write the archive to stdout
    #[arg(short = 'c', long)]
    pub(crate) stdout: bool,
    /// Replace the archive if it exists; write to stdout even if it is a terminal
    ///
    /// An input is never overwritten.
    #[arg(short, long)]
    pub(crate) force: bool,
    /// Keep the inputs. Has no effect: inputs are never removed
    #[arg(short, long)]
    pub(crate) keep: bool,
    /// Read everything back afterwards and verify it
    #[arg(long, display_order = 25, conflicts_with = "stdout")]
    pub(crate) test: bool,
    /// Exit with 3 if some games had to be stored verbatim, in whole or in part
    ///
    /// Nothing is lost in such games: they only take more space.
    #[arg(long, display_order = 26)]
    pub(crate) strict: bool,
    #[command(flatten)]
    pub(crate) writing: WritingArgs,
}

const PACK_EXAMPLES: &str = "\
Examples:
  pgna pack games.pgn                       make games.pgna
  pgna pack twic*.pgn -o twic.pgna          many files in one archive
  pgna pack collection/ --test              a folder, proven afterwards
  zstd -dc big.pgn.zst | pgna pack - -o big.pgna";

/// Extract the files of an archive
///
/// Each file is written under a temporary name in its folder, and takes its own
/// name only after its digest has been verified. Nothing is ever written outside
/// the output folder, whatever the archive contains.
#[derive(Debug, ClapArgs)]
#[command(after_help = UNPACK_EXAMPLES)]
pub(crate) struct UnpackArgs {
    /// The archive
    #[arg(value_name = "ARCHIVE")]
    pub(crate) archive: PathBuf,
    /// The folder to write to; created if it does not exist. - is stdout
    #[arg(
        short,
        long,
        value_name = "DIR",
        default_value = ".",
        conflicts_with = "stdout"
    )]
    pub(crate) output: PathBuf,
    /// Write all files to stdout, one after the other
    #[arg(short = 'c', long)]
    pub(crate) stdout: bool,
    /// Replace files that exist
    #[arg(short, long)]
    pub(crate) force: bool,
    /// Keep the archive. Has no effect: it is never removed
    #[arg(short, long)]
    pub(crate) keep: bool,
    #[command(flatten)]
    pub(crate) reader: ReaderArgs,
}

const UNPACK_EXAMPLES: &str = "\
Examples:
  pgna unpack games.pgna                get games.pgn back, in this folder
  pgna unpack twic.pgna -o twic         many files, in the folder twic
  pgna unpack games.pgna -c | wc -l     without a file";

/// The options of all verbs that read archives.
#[derive(Debug, Clone, Default, ClapArgs)]
pub(crate) struct ReaderArgs {
    /// Read the archive without mapping it into memory
    ///
    /// If another program truncates a mapped file, this one ends with a bus error.
    /// Use this where that can happen.
    #[arg(long)]
    pub(crate) no_mmap: bool,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

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
    /// repeated tag, the first is given. Text that is not UTF-8 is shown with
    /// replacement characters.
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) reader: ReaderArgs,
}

const VIEW_EXAMPLES: &str = "\
Examples:
  pgna view games.pgna 17                  print game 17
  pgna view games.pgna 1 100-200 5000-     print these games
  pgna view games.pgna 17@34               print the position after 17... of game 17
  pgna view games.pgna 17 --json | jq -r '.moves | length'";

/// List the games of an archive, one line a game
///
/// Prints number, White, Black, result, date, event and plies of each game:
/// separated by tabs, or in columns on a terminal. Control characters are shown as
/// blanks.
#[derive(Debug, ClapArgs)]
#[command(after_help = LIST_EXAMPLES)]
pub(crate) struct ListArgs {
    /// The archive
    #[arg(value_name = "ARCHIVE")]
    pub(crate) archive: PathBuf,
    /// Games to list (17, 100-200, 100-); by default all
    #[arg(value_name = "GAME")]
    pub(crate) games: Vec<Selection>,
    /// Print JSON, one object a line
    ///
    /// `verbatim` is the reason why part of a game is stored verbatim; null for
    /// most games.
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) reader: ReaderArgs,
}

const LIST_EXAMPLES: &str = "\
Examples:
  pgna list games.pgna
  pgna list games.pgna 1-20
  pgna list games.pgna | grep Carlsen
  pgna list games.pgna --json | jq -r 'select(.plies > 200) | .number'";

/// Verify the integrity of archives
///
/// Decodes every block and compares the digest of every file with the one that was
/// stored when it was packed. Prints one line an archive; damage is listed on
/// stderr, with the games that it affects. Damage that was repaired without loss
/// also counts as damage.
#[derive(Debug, ClapArgs)]
#[command(after_help = TEST_EXAMPLES)]
pub(crate) struct TestArgs {
    /// The archives
    #[arg(required = true, value_name = "ARCHIVE")]
    pub(crate) archives: Vec<PathBuf>,
    /// Check all checksums, but decode no game: as fast as the file is read
    ///
    /// Detects what disks and transfers do to files. Without it every block is
    /// decoded and every source is verified by its digest.
    #[arg(long)]
    pub(crate) quick: bool,
    #[command(flatten)]
    pub(crate) reader: ReaderArgs,
}

const TEST_EXAMPLES: &str = "\
Examples:
  pgna test games.pgna
  pgna test --quick games.pgna
  pgna test -q backup/*.pgna && echo all whole";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::PackOptions;
    use clap::CommandFactory;

    #[test]
    fn the_arguments_are_consistent() {
        Args::command().debug_assert();
    }

    #[test]
    fn every_verb_and_option_has_a_help_text() {
        for verb in Args::command().get_subcommands() {
            assert!(verb.get_about().is_some(), "{}", verb.get_name());
            for arg in verb.get_arguments() {
                assert!(
                    arg.get_help().is_some(),
                    "{} {}",
                    verb.get_name(),
                    arg.get_id()
                );
            }
        }
    }

    #[test]
    fn the_defaults_are_those_of_the_library() {
        let args = Args::try_parse_from(["pgna", "pack", "x"]).unwrap();
        let Verb::Pack(args) = args.verb else {
            panic!("another verb");
        };
        let default = PackOptions::default();
        let options = args.writing.options().unwrap();
        assert_eq!(options.segment_bytes, default.segment_bytes);
        assert_eq!(options.block_records, default.block_records);
        assert_eq!(options.codecs, default.codecs);
        assert_eq!(options.context_mixing, default.context_mixing);
    }
}
