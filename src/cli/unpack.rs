//! `pgna unpack`.

use super::common::Common;
use super::common::ReaderArgs;
use super::errors::{Exit, Failure, print_message};
use super::figures::{count, size};
use super::interrupt::Guard;
use super::open::{open, warn};
use super::progress::Progress;
use super::target::{EXISTS, refuse_file};
use crate::{NewFile, Source, SourceConflict, SourceFolder, Unpack};
use clap::Args as ClapArgs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

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

/// Unpacks an archive.
pub(crate) fn run(args: &UnpackArgs, common: &Common) -> Result<Exit, Failure> {
    let archive = open(&args.archive, &args.reader)?;
    let bytes = archive.totals().raw_bytes;
    let progress = Progress::new("unpacking", Some(bytes), common);
    let is_piped = args.stdout || args.output == Path::new("-");
    let unpacked = if is_piped {
        archive.unpack_intact(&mut ToStdout(progress.clone()))
    } else {
        refuse_file(&args.output)?;
        let folder = SourceFolder::new(args.output.clone(), args.force);
        let checked = folder.check(archive.sources());
        checked.map_err(|conflict| refusal(&conflict))?;
        archive.unpack_intact(&mut ToFolder {
            folder,
            progress: progress.clone(),
        })
    };
    progress.finish();
    warn(&args.archive, &archive.warnings(), common);
    let unproven = unpacked.map_err(|error| Failure::archive(&args.archive, &error))?;
    let mut exit = Exit::Done;
    for source in &unproven {
        match Failure::of_source(&args.archive, &source.name, &source.error) {
            Failure::Message(of_source, why) => {
                print_message(&format!("{}: not unpacked: {why}", args.archive.display()));
                if exit == Exit::Done {
                    exit = of_source;
                }
            }
            closed @ Failure::ClosedPipe => return Err(closed),
        }
    }
    if !common.quiet && !is_piped {
        let whole = archive.sources().len().saturating_sub(unproven.len());
        let lost: u64 = unproven.iter().map(|source| source.bytes).sum();
        print_message(&format!(
            "{}: {} unpacked, {}{}",
            args.archive.display(),
            count(whole as u64, "file"),
            size(bytes.saturating_sub(lost)),
            if whole > 0 { ", verified" } else { "" }
        ));
    }
    Ok(exit)
}

/// Writes all sources to stdout, one after the other.
struct ToStdout(Progress);

/// A source that is being written to stdout.
struct StdoutSink(Progress);

impl Unpack for ToStdout {
    type Sink = StdoutSink;

    fn open(&mut self, _: &Source) -> io::Result<StdoutSink> {
        Ok(StdoutSink(self.0.clone()))
    }

    fn close(&mut self, _: &Source, mut sink: StdoutSink) -> io::Result<()> {
        sink.flush()
    }
}

impl Write for StdoutSink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = io::stdout().write(bytes)?;
        self.0.add(written as u64);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stdout().flush()
    }
}

/// Writes each source to a file with its name in a folder.
struct ToFolder {
    folder: SourceFolder,
    progress: Progress,
}

/// A source that is being written to a file.
struct SourceFile {
    file: NewFile,
    _guard: Guard,
    progress: Progress,
}

/// The failure for a source that cannot be unpacked to a folder.
fn refusal(conflict: &SourceConflict) -> Failure {
    Failure::usage(match conflict {
        SourceConflict::Exists { path } => {
            format!("{}: {EXISTS}; nothing was written", path.display())
        }
        conflict => format!("{conflict}; nothing was written; -c writes to stdout instead"),
    })
}

impl Unpack for ToFolder {
    type Sink = SourceFile;

    fn open(&mut self, source: &Source) -> io::Result<SourceFile> {
        let file = self.folder.create(source)?;
        Ok(SourceFile {
            _guard: Guard::new(file.temporary_path()),
            file,
            progress: self.progress.clone(),
        })
    }

    fn close(&mut self, source: &Source, sink: SourceFile) -> io::Result<()> {
        self.folder.commit(sink.file)?;
        self.progress.verbose(&source.name);
        Ok(())
    }
}

impl Write for SourceFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.progress.add(written as u64);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
