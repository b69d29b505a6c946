//! The arguments: verbs, options and their help.

use super::append::AppendArgs;
use super::common::Common;
use super::compact::CompactArgs;
use super::compare::args::CompareArgs;
use super::dedupe::DedupeArgs;
use super::docs::args::{CompletionsArgs, ManArgs};
#[cfg(feature = "export")]
use super::export::ExportArgs;
use super::fields::FieldsArgs;
use super::find::args::FindArgs;
use super::index::IndexArgs;
use super::info::args::InfoArgs;
use super::list::ListArgs;
use super::merge::MergeArgs;
use super::pack::args::PackArgs;
use super::position::args::PositionArgs;
use super::recover::RecoverArgs;
use super::repack::RepackArgs;
#[cfg(feature = "serve")]
use super::serve::ServeArgs;
use super::show::ShowArgs;
use super::sort::SortArgs;
use super::split::SplitArgs;
use super::stats::StatsArgs;
use super::test::TestArgs;
use super::train::TrainArgs;
use super::tree::TreeArgs;
use super::unpack::UnpackArgs;
use super::view::ViewArgs;
use super::xiangqi::XiangqiArgs;
use crate::FORMAT_VERSION;
use clap::{Parser, Subcommand};
use std::sync::LazyLock;

/// The release, and the format of the archives that it writes.
static VERSION: LazyLock<String> = LazyLock::new(|| {
    let (major, minor) = FORMAT_VERSION;
    let release = env!("CARGO_PKG_VERSION");
    format!("{release} (archives of format {major}.{minor})")
});

/// Pack chess games: lossless, with random access to single games
///
/// A PGN archive (.pgna) stores a chess collection in a fraction of the space,
/// restores the packed files byte for byte, and opens any single game without
/// unpacking the others.
#[derive(Debug, Parser)]
#[command(name = "pgna", version = VERSION.as_str(), arg_required_else_help = true, after_help = EXAMPLES, after_long_help = LONG_EXAMPLES)]
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
  0  done
  1  something that was asked for was not found
  2  wrong usage, a file that cannot be read or written, or a position that a code
     cannot represent
  3  done with loss, or not as strictly as asked
  4  an archive is damaged, or a file is not an archive
  5  an archive's version is not supported
  6  a limit was reached

URLs:
  Verbs that only read an archive take its URL too, in a program with the features
  `http` and `object-store`: https://example.org/games.pgna, s3://BUCKET/KEY,
  gs://BUCKET/KEY, az://CONTAINER/KEY. Credentials, region and endpoint are those of
  the environment: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION,
  AWS_ENDPOINT_URL; GOOGLE_SERVICE_ACCOUNT; AZURE_STORAGE_ACCOUNT_NAME,
  AZURE_STORAGE_ACCOUNT_KEY; for public buckets AWS_SKIP_SIGNATURE=true, and the same
  with GOOGLE and AZURE.

Results go to stdout, everything else to stderr.
`pgna help VERB` explains a verb.";

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    Pack(PackArgs),
    Append(AppendArgs),
    Merge(MergeArgs),
    Compact(CompactArgs),
    Repack(RepackArgs),
    Unpack(UnpackArgs),
    View(ViewArgs),
    Show(ShowArgs),
    List(ListArgs),
    Find(FindArgs),
    Tree(TreeArgs),
    Stats(StatsArgs),
    Fields(FieldsArgs),
    #[cfg(feature = "export")]
    Export(ExportArgs),
    /// Write games as a table: not part of this build
    #[cfg(not(feature = "export"))]
    #[command(hide = true)]
    Export {
        /// What the verb would be given
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
        args: Vec<std::ffi::OsString>,
    },
    #[cfg(feature = "serve")]
    Serve(ServeArgs),
    /// Browse games in a web browser: not part of this build
    #[cfg(not(feature = "serve"))]
    #[command(hide = true)]
    Serve {
        /// What the verb would be given
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
        args: Vec<std::ffi::OsString>,
    },
    Sort(SortArgs),
    Dedupe(DedupeArgs),
    Split(SplitArgs),
    Index(IndexArgs),
    Info(InfoArgs),
    Test(TestArgs),
    Recover(RecoverArgs),
    Compare(CompareArgs),
    Train(TrainArgs),
    Position(PositionArgs),
    Xiangqi(XiangqiArgs),
    Completions(CompletionsArgs),
    Man(ManArgs),
}

impl Verb {
    /// Whether the verb ends by itself after an interrupt.
    pub(crate) fn stops_gracefully(&self) -> bool {
        #[cfg(feature = "serve")]
        if let Verb::Serve(_) = self {
            return true;
        }
        false
    }

    /// Whether the verb is incomplete if its output is cut.
    pub(crate) fn writes_files(&self) -> bool {
        #[cfg(feature = "export")]
        if let Verb::Export(args) = self {
            return args.is_binary();
        }
        matches!(
            self,
            Verb::Pack(_)
                | Verb::Append(_)
                | Verb::Merge(_)
                | Verb::Compact(_)
                | Verb::Repack(_)
                | Verb::Unpack(_)
                | Verb::Recover(_)
                | Verb::Sort(_)
                | Verb::Dedupe(_)
                | Verb::Split(_)
                | Verb::Index(_)
                | Verb::Train(_)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PackOptions;
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
        assert_eq!(options.mixed_prose_bytes, default.mixed_prose_bytes);
    }
}
