//! Writes games to a new file: PGN, or an archive.

use super::common::Common;
use super::errors::{Failure, print_message};
use super::figures::{count, size};
use super::interrupt::Guard;
use super::output::Output;
use super::progress::Progress;
use super::target::{OutputTarget, folder_of};
use super::writing::WritingArgs;
use crate::{
    Error, FileWriter, GamePart, JoinStats, JoinedReader, NewFile, PackOptions, Writer, safe_name,
};
use clap::Args as ClapArgs;
use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

/// The size of the buffer of a text file.
const BUFFER_BYTES: usize = 1 << 20;

/// The output options.
#[derive(Debug, ClapArgs)]
pub(crate) struct SavingArgs {
    /// The file to write: an archive if its name ends with .pgna, otherwise PGN; - is
    /// stdout
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Write PGN to stdout
    #[arg(short = 'c', long, conflicts_with = "output")]
    pub(crate) stdout: bool,
    /// Replace the file if it exists
    ///
    /// The archive that is read is never overwritten.
    #[arg(short, long)]
    pub(crate) force: bool,
    #[command(flatten, next_help_heading = "Options of an archive that is written")]
    pub(crate) writing: WritingArgs,
}

impl SavingArgs {
    /// Whether no output is specified.
    pub(crate) fn is_empty(&self) -> bool {
        self.output.is_none() && !self.stdout
    }
}

/// Writes games to a new file.
pub(crate) struct Saver<'a> {
    /// The archive from which the games are read.
    input: &'a Path,
    target: OutputTarget,
    /// The options of the archive; `None` to write PGN.
    archive: Option<PackOptions>,
    is_forced: bool,
    common: &'a Common,
}

/// Parts of games.
pub(crate) trait GamePartSource: Iterator<Item = Result<GamePart, Error>> {}

impl<I: Iterator<Item = Result<GamePart, Error>>> GamePartSource for I {}

impl<'a> Saver<'a> {
    /// A saver for games of the archive `input`, with the output that the arguments
    /// specify.
    ///
    /// # Errors
    /// The arguments specify no output, or it cannot be written to.
    pub(crate) fn new(
        input: &'a Path,
        args: &SavingArgs,
        common: &'a Common,
    ) -> Result<Self, Failure> {
        match &args.output {
            Some(path) => Saver::to_path(input, path, args.force, &args.writing, common),
            None if args.stdout => {
                Saver::to_path(input, Path::new("-"), args.force, &args.writing, common)
            }
            None => Err(Failure::usage(
                "name the file to write with -o, or write PGN to stdout with -c",
            )),
        }
    }

    /// A saver for games of the archive `input`, with the output at `path`.
    ///
    /// # Errors
    /// The path cannot be written to.
    pub(crate) fn to_path(
        input: &'a Path,
        path: &Path,
        is_forced: bool,
        writing: &WritingArgs,
        common: &'a Common,
    ) -> Result<Self, Failure> {
        let options = writing.options()?;
        let target = match path == Path::new("-") {
            true => OutputTarget::Stdout,
            false => OutputTarget::at(path, is_forced, &[input.to_owned()])?,
        };
        Ok(Saver {
            input,
            target,
            archive: is_archive(path).then_some(options),
            is_forced,
            common,
        })
    }

    /// Whether the games go to stdout.
    pub(crate) fn is_to_stdout(&self) -> bool {
        matches!(self.target, OutputTarget::Stdout)
    }

    /// The folder for temporary files.
    pub(crate) fn folder(&self) -> PathBuf {
        match &self.target {
            OutputTarget::File(path) => folder_of(path),
            OutputTarget::Stream(_) | OutputTarget::Stdout => std::env::temp_dir(),
        }
    }

    /// Writes the games. `total` is their approximate number of bytes of text.
    ///
    /// # Errors
    /// The archive is damaged, or the file cannot be written; then no file is created.
    pub(crate) fn save(
        &self,
        games: impl GamePartSource,
        total: Option<u64>,
    ) -> Result<(), Failure> {
        let progress = Progress::new("writing", total, self.common);
        let mut joined = JoinedReader::new(games);
        let written = self.write(&mut joined, &progress);
        progress.finish();
        written.map_err(|failure| {
            let failure = cause_of_failure(self.input, &mut joined, failure);
            match &self.target {
                OutputTarget::File(_) => failure.with_nothing_written(),
                OutputTarget::Stream(_) | OutputTarget::Stdout => failure,
            }
        })?;
        if !self.common.quiet {
            let target = self.target.display();
            let is_archive = self.archive.is_some();
            print_message(&summary(target, joined.joins(), is_archive));
            report_changes(target, joined.joins());
        }
        Ok(())
    }

    fn write(
        &self,
        joined: &mut JoinedReader<impl GamePartSource>,
        progress: &Progress,
    ) -> Result<(), Failure> {
        match &self.target {
            OutputTarget::File(path) => {
                let failed = |error| Failure::io(path, &error);
                let file = NewFile::create(path).map_err(failed)?;
                let _guard = Guard::new(file.temporary_path());
                let written = write_games(file, path, self.archive.as_ref(), joined, progress)?;
                written.commit(self.is_forced).map_err(failed)
            }
            OutputTarget::Stream(path) => {
                let sink = File::options().write(true).open(path);
                let sink = sink.map_err(|error| Failure::io(path, &error))?;
                self.stream(path, BufWriter::new(sink), joined)
            }
            OutputTarget::Stdout => self.stream(self.target.display(), Output::new(), joined),
        }
    }

    fn stream(
        &self,
        path: &Path,
        mut sink: impl Write,
        joined: &mut JoinedReader<impl GamePartSource>,
    ) -> Result<(), Failure> {
        let failed = |error| Failure::archive(path, &error);
        if let Some(options) = &self.archive {
            let mut writer = Writer::new(&mut sink, options.clone()).map_err(failed)?;
            let added = writer.add_source(&source_name(path), joined);
            added.and_then(|()| writer.finish()).map_err(failed)?;
        } else {
            io::copy(joined, &mut sink).map_err(|error| Failure::io(path, &error))?;
        }
        sink.flush().map_err(|error| Failure::io(path, &error))
    }
}

/// Writes games to a new file, as PGN or, with options, as an archive. The file still has to
/// be renamed.
pub(crate) fn write_games(
    file: NewFile,
    path: &Path,
    archive: Option<&PackOptions>,
    games: &mut JoinedReader<impl GamePartSource>,
    progress: &Progress,
) -> Result<NewFile, Failure> {
    match archive {
        Some(options) => write_archive(file, &source_name(path), options, games, progress)
            .map_err(|error| Failure::archive(path, &error)),
        None => write_text(file, CountingReader(games, progress))
            .map_err(|error| Failure::io(path, &error)),
    }
}

fn write_archive(
    file: NewFile,
    source: &str,
    options: &PackOptions,
    games: impl Read,
    progress: &Progress,
) -> Result<NewFile, Error> {
    let mut writer = FileWriter::new(file, options.clone())?;
    let progress = progress.clone();
    writer.on_progress(move |bytes| progress.set(bytes));
    writer.add_source(source, games)?;
    let (file, _) = writer.finish_file()?;
    Ok(file)
}

fn write_text(file: NewFile, mut text: impl Read) -> io::Result<NewFile> {
    let mut sink = BufWriter::with_capacity(BUFFER_BYTES, file.file());
    io::copy(&mut text, &mut sink)?;
    sink.flush()?;
    drop(sink);
    Ok(file)
}

/// The cause of a failed write, which may be an error in reading the archive.
pub(crate) fn cause_of_failure(
    input: &Path,
    games: &mut JoinedReader<impl GamePartSource>,
    failure: Failure,
) -> Failure {
    match games.take_error() {
        Some(error) => Failure::archive(input, &error),
        None => failure,
    }
}

/// A reader that reports progress.
struct CountingReader<'a, R>(R, &'a Progress);

impl<R: Read> Read for CountingReader<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.0.read(buffer)?;
        self.1.add(read as u64);
        Ok(read)
    }
}

/// A summary of what was written.
fn summary(path: &Path, joins: &JoinStats, is_archive: bool) -> String {
    let mut what = format!(
        "{}: {}, {}",
        path.display(),
        count(joins.games, "game"),
        size(joins.bytes)
    );
    if let (true, Ok(metadata)) = (is_archive, fs::metadata(path)) {
        what.push_str(&format!(" -> {}", size(metadata.len())));
    }
    what
}

/// Reports the games that could not be written unchanged.
pub(crate) fn report_changes(path: &Path, joins: &JoinStats) {
    let first = joins.first_modified.unwrap_or_default();
    for (games, what) in [
        (
            joins.comments_closed,
            "with a comment that does not end, after which a } was set",
        ),
        (
            joins.games_ended,
            "without a result, after which a * was set to separate it from the next game",
        ),
        (
            joins.unseparated,
            "that a reader will not separate from the next game; no byte is missing",
        ),
    ] {
        if games > 0 {
            let games = count(games, "game");
            let path = path.display();
            print_message(&format!("{path}: {games} {what} (first game {first})"));
        }
    }
}

/// Reports that text was left out.
pub(crate) fn report_omitted_text(path: &Path, bytes: u64, common: &Common) {
    if bytes > 0 && !common.quiet {
        let bytes = size(bytes);
        let path = path.display();
        print_message(&format!(
            "{path}: {bytes} of text before the first game of a file left out"
        ));
    }
}

/// Whether a file with this name is to be an archive.
pub(crate) fn is_archive(path: &Path) -> bool {
    let extension = path.extension();
    extension.is_some_and(|extension| extension.eq_ignore_ascii_case("pgna"))
}

/// The name of the source of an archive, derived from the archive's path.
fn source_name(path: &Path) -> String {
    let name = path.with_extension("pgn");
    let name = name.file_name().unwrap_or_default().to_string_lossy();
    safe_name(&name)
}
