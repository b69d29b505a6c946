//! Replaces an archive by a new version of it, or writes that to another file.

use super::common::{Common, ReaderArgs};
use super::errors::{Exit, Failure};
use super::open::refuse_url;
use super::target::{EXISTS, is_same_file, refuse_missing_folder, refuse_pgn_name};
use super::test::test_new_archive;
use crate::{Archive, ArchiveLock, NewFile, Warning};
use clap::Args as ClapArgs;
use std::path::{Path, PathBuf};

/// The archive, and where its new version goes.
#[derive(Debug, ClapArgs)]
pub(crate) struct ReplacementArgs {
    /// The archive
    #[arg(value_name = "ARCHIVE")]
    pub(crate) archive: PathBuf,
    /// Write the archive to this file instead
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Replace that file if it exists
    #[arg(short, long)]
    pub(crate) force: bool,
}

/// A new version of an archive. The archive is locked if it is replaced.
#[derive(Debug)]
pub(crate) struct Replacement<'a> {
    args: &'a ReplacementArgs,
    lock: Option<ArchiveLock>,
}

impl<'a> Replacement<'a> {
    /// Locks the archive if it is replaced. Call this before the archive is opened: without
    /// the lock, a concurrent append would be lost.
    ///
    /// # Errors
    /// The archive is a URL, it is locked, or the output cannot be written to.
    pub(crate) fn new(args: &'a ReplacementArgs) -> Result<Self, Failure> {
        refuse_url(&args.archive)?;
        let output = args.output.as_ref();
        let is_replaced = output.is_none_or(|output| is_same_file(output, &args.archive));
        let locked = |error| Failure::archive(&args.archive, &error);
        let lock = is_replaced.then(|| ArchiveLock::new(&args.archive).map_err(locked));
        let lock = lock.transpose()?;
        Ok(Replacement { args, lock })
    }

    /// The path of the new version.
    pub(crate) fn target(&self) -> &'a Path {
        self.args.output.as_ref().unwrap_or(&self.args.archive)
    }

    /// Whether an existing file is replaced.
    pub(crate) fn replaces(&self) -> bool {
        self.args.output.is_none() || self.args.force
    }

    /// Begins the file, with the permissions of the archive. Also returns the size of the
    /// archive, in bytes.
    ///
    /// # Errors
    /// The file cannot be written to, or would replace bytes that are not of this archive.
    pub(crate) fn new_file(&self, archive: &Archive) -> Result<(NewFile, u64), Failure> {
        self.check_target()?;
        if self.lock.is_some() {
            self.refuse_other_content(archive)?;
        }
        let archive = &self.args.archive;
        let before = std::fs::metadata(archive).map_err(|error| Failure::io(archive, &error))?;
        let target = self.target();
        // If the target is a link, the file that it points to is replaced.
        let place = target.canonicalize();
        let place = place.unwrap_or_else(|_| target.to_owned());
        let begin = || {
            let file = NewFile::create(&place)?;
            file.file().set_permissions(before.permissions())?;
            Ok(file)
        };
        let file = begin().map_err(|error| Failure::io(target, &error))?;
        Ok((file, before.len()))
    }

    /// Gives the new version its name, after it was read back and verified if `test` is set. Returns
    /// its size, in bytes, and what the last message says of the proof.
    ///
    /// # Errors
    /// It does not read back, or the file cannot be renamed.
    pub(crate) fn commit(
        &self,
        file: NewFile,
        test: bool,
        reader: &ReaderArgs,
        common: &Common,
    ) -> Result<(u64, &'static str), Failure> {
        if test {
            test_new_archive(&file, reader, common)?;
        }
        let failed = |error| Failure::io(self.target(), &error);
        let bytes = file.file().metadata().map_err(failed)?.len();
        file.commit(self.replaces()).map_err(failed)?;
        Ok((bytes, if test { "; read back and verified" } else { "" }))
    }

    /// The exit status when the new version is complete: it lacks what follows the archive in its
    /// file.
    pub(crate) fn exit(archive: &Archive) -> Exit {
        match archive.warnings().iter().any(is_other_content) {
            true => Exit::Loss,
            false => Exit::Done,
        }
    }

    /// Refuses to replace a file in which another archive, or something unknown, follows.
    fn refuse_other_content(&self, archive: &Archive) -> Result<(), Failure> {
        let Some(warning) = archive.warnings().into_iter().find(is_other_content) else {
            return Ok(());
        };
        let message = format!(
            "{}: {warning}; it would be lost: run `pgna recover` first, or write another file with \
             -o; nothing was written",
            self.args.archive.display()
        );
        Err(Failure::Message(Exit::Damaged, message))
    }

    /// Refuses an output that cannot be written to.
    fn check_target(&self) -> Result<(), Failure> {
        let Some(output) = &self.args.output else {
            return Ok(());
        };
        if output == Path::new("-") {
            return Err(Failure::usage(
                "-: an archive goes to a file; name one with -o",
            ));
        }
        refuse_pgn_name(output)?;
        refuse_missing_folder(output)?;
        match !self.args.force && output.exists() {
            true => Err(Failure::usage(format!("{}: {EXISTS}", output.display()))),
            false => Ok(()),
        }
    }
}

/// Whether another archive, or something unknown, follows the archive in its file.
fn is_other_content(warning: &Warning) -> bool {
    matches!(
        warning,
        Warning::AnotherArchive { .. } | Warning::ForeignBytes { .. }
    )
}
