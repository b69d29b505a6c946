//! The output files of a split: all of them, or none.

use super::super::common::Common;
use super::super::errors::Failure;
use super::super::figures::{count, size};
use super::super::interrupt::Guard;
use super::super::progress::Progress;
use super::super::saving::{GamePartSource, cause_of_failure, report_changes, write_games};
use super::super::target::{EXISTS, is_same_file, refuse_file};
use super::SplitArgs;
use super::args::FileForm;
use crate::{ClosedFile, JoinedReader, NewFile, PackOptions};
use std::fs;
use std::path::PathBuf;

/// The files written so far, under temporary names.
pub(super) struct OutputFiles<'a> {
    args: &'a SplitArgs,
    archive: Option<PackOptions>,
    common: &'a Common,
    progress: Progress,
    files: Vec<SplitFile>,
    games: u64,
    bytes: u64,
}

/// A complete file that waits for the others.
struct SplitFile {
    file: ClosedFile,
    /// Whether it replaces an existing file.
    replaces: bool,
    _guard: Guard,
}

impl<'a> OutputFiles<'a> {
    /// No files yet; `total` is the number of bytes of text.
    ///
    /// # Errors
    /// The options of archives contradict each other, or the folder is a file.
    pub(super) fn new(
        args: &'a SplitArgs,
        total: u64,
        common: &'a Common,
    ) -> Result<Self, Failure> {
        let options = args.writing.options()?;
        refuse_file(&args.output)?;
        Ok(OutputFiles {
            args,
            archive: (args.form == FileForm::Pgna).then_some(options),
            common,
            progress: Progress::new("splitting", Some(total), common),
            files: Vec::new(),
            games: 0,
            bytes: 0,
        })
    }

    /// The progress of reading all games before the first file is written.
    pub(super) fn reading(&self) -> Progress {
        Progress::new("reading", self.progress.total(), self.common)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.args.output.join(name)
    }

    /// Checks the number of files.
    ///
    /// # Errors
    /// There are more than `--max-files` allows.
    pub(super) fn check_count(&self, files: u64) -> Result<(), Failure> {
        match files > self.args.max_files {
            true => Err(Failure::usage(format!(
                "{} would be written, and --max-files allows {}; nothing was written",
                count(files, "file"),
                self.args.max_files
            ))),
            false => Ok(()),
        }
    }

    /// Checks that a name can be written to.
    ///
    /// # Errors
    /// It is the archive itself, a folder, or a file that must not be replaced.
    pub(super) fn check_name(&self, name: &str) -> Result<(), Failure> {
        let path = self.path(name);
        let refuse = |why: &str| {
            let path = path.display();
            Err(Failure::usage(format!(
                "{path}: {why}; nothing was written"
            )))
        };
        let Ok(metadata) = fs::symlink_metadata(&path) else {
            return Ok(());
        };
        if is_same_file(&self.args.archive, &path) {
            return refuse("is the archive itself");
        }
        if metadata.is_dir() {
            return refuse("a folder of this name exists");
        }
        if !self.args.force {
            return refuse(EXISTS);
        }
        Ok(())
    }

    /// Writes games to a file that will get this name.
    ///
    /// # Errors
    /// The archive is damaged, or the file cannot be written.
    pub(super) fn write(&mut self, name: &str, games: impl GamePartSource) -> Result<(), Failure> {
        self.check_count(self.files.len() as u64 + 1)?;
        self.check_name(name)?;
        let path = self.path(name);
        let failed = |error| Failure::io(&path, &error);
        fs::create_dir_all(&self.args.output).map_err(failed)?;
        let replaces = fs::symlink_metadata(&path).is_ok();
        let file = NewFile::create_with_random_temporary(&path).map_err(failed)?;
        let guard = Guard::new(file.temporary_path());
        self.progress.verbose(name);
        let mut joined = JoinedReader::new(games);
        // An archive reports only the text that is already packed, so its progress is not shown.
        let hidden = Progress::hidden();
        let progress = match self.archive {
            Some(_) => &hidden,
            None => &self.progress,
        };
        let written = write_games(file, &path, self.archive.as_ref(), &mut joined, progress);
        let written = written.map_err(|failure| {
            cause_of_failure(&self.args.archive, &mut joined, failure).with_nothing_written()
        })?;
        let joins = joined.joins();
        if self.archive.is_some() {
            self.progress.add(joins.bytes);
        }
        self.games += joins.games;
        self.bytes += joins.bytes;
        if !self.common.quiet {
            report_changes(&path, joins);
        }
        self.files.push(SplitFile {
            file: written.close().map_err(failed)?,
            replaces,
            _guard: guard,
        });
        Ok(())
    }

    /// Gives all files their names.
    ///
    /// # Errors
    /// The system reports an error.
    pub(super) fn finish(self) -> Result<String, Failure> {
        self.progress.finish();
        let what = format!(
            "{}: {} in {}, {}",
            self.args.output.display(),
            count(self.games, "game"),
            count(self.files.len() as u64, "file"),
            size(self.bytes)
        );
        for written in self.files {
            let path = written.file.target().to_owned();
            // If a system treats two of the names as equal, neither replaces the other.
            let committed = written.file.commit(written.replaces);
            committed.map_err(|error| Failure::io(&path, &error))?;
        }
        Ok(what)
    }
}
