//! A new archive as a file: there as a whole, or not at all.

use super::error::{ArchiveError, write_error};
use super::options::PackOptions;
use super::report::PackReport;
use super::temporary::{Temporary, folder_of, path_for};
use super::writer::Writer;
use crate::container::CommitSlot;
use std::fs::File;
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// A file that takes its name only when it is complete and on the disk.
///
/// Until then it is a temporary file in the same folder, which goes when this is
/// dropped.
#[derive(Debug)]
pub struct NewFile {
    temporary: Temporary,
    target: PathBuf,
}

impl NewFile {
    /// Begins a file that will be called `target`. What a program that was killed left
    /// of the same target is removed.
    ///
    /// # Errors
    /// The folder cannot be written to, or another program writes the same target.
    pub fn create(target: &Path) -> io::Result<Self> {
        Ok(NewFile {
            temporary: Temporary::of(target)?,
            target: target.to_owned(),
        })
    }

    /// As [`NewFile::create`], where `target` is a name that others chose: the temporary
    /// file has a name of its own each time, so that none of their files can be in its
    /// place.
    ///
    /// # Errors
    /// The folder cannot be written to.
    pub fn create_beside(target: &Path) -> io::Result<Self> {
        Ok(NewFile {
            temporary: Temporary::beside(target)?,
            target: target.to_owned(),
        })
    }

    /// The temporary file that [`NewFile::create`] makes for `target`, and removes if it is
    /// there already.
    pub fn path_for(target: &Path) -> PathBuf {
        path_for(target)
    }

    /// The file, to write to.
    pub fn file(&self) -> &File {
        &self.temporary.file
    }

    /// Where the file is until it takes its name. A program that is told to end
    /// removes it there.
    pub fn temporary_path(&self) -> &Path {
        &self.temporary.path
    }

    /// The name that it will take.
    pub(super) fn target(&self) -> &Path {
        &self.target
    }

    /// The temporary file, and the name that it was to take.
    pub(super) fn into_parts(self) -> (Temporary, PathBuf) {
        (self.temporary, self.target)
    }

    /// Completes an archive that has been written to the file, and gives it its name.
    pub(super) fn seal(
        self,
        mut sink: BufWriter<File>,
        slot: CommitSlot,
        replace: bool,
    ) -> Result<(), ArchiveError> {
        let target = self.target.clone();
        let written = sink
            .seek(SeekFrom::Start(slot.offset()))
            .and_then(|_| sink.write_all(&slot.encode()))
            .and_then(|()| sink.flush())
            .and_then(|()| self.commit(replace));
        written.map_err(|error| write_error(&target, error))
    }

    /// Puts the file on the disk under its name. A file that has the name is
    /// replaced only if `replace` is set.
    ///
    /// # Errors
    /// The system fails, or a file has the name.
    pub fn commit(self, replace: bool) -> io::Result<()> {
        let Temporary { file, path } = self.temporary;
        file.sync_all()?;
        if replace {
            path.persist(&self.target)?;
        } else {
            path.persist_noclobber(&self.target)?;
        }
        sync_folder(folder_of(&self.target))
    }
}

/// Makes a rename last. Only Unix lets a folder be opened for this.
pub(super) fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) {
        File::open(folder)?.sync_all()
    } else {
        Ok(())
    }
}

/// Writes an archive to a new file.
pub struct FileWriter {
    writer: Writer<BufWriter<File>>,
    file: NewFile,
}

impl FileWriter {
    /// Begins an archive that will be called `target`.
    ///
    /// # Errors
    /// The folder cannot be written to.
    pub fn create(target: &Path, options: PackOptions) -> Result<Self, ArchiveError> {
        let file = NewFile::create(target).map_err(|error| write_error(target, error))?;
        FileWriter::new(file, options)
    }

    /// Begins an archive in a new file.
    ///
    /// # Errors
    /// The file cannot be written to.
    pub fn new(file: NewFile, options: PackOptions) -> Result<Self, ArchiveError> {
        let io_error = |error| write_error(file.target(), error);
        let sink = file.file().try_clone().map_err(io_error)?;
        let writer = Writer::new(BufWriter::with_capacity(1 << 20, sink), options)?;
        Ok(FileWriter { writer, file })
    }

    /// The writer, to add sources to.
    pub fn writer(&mut self) -> &mut Writer<BufWriter<File>> {
        &mut self.writer
    }

    /// As [`NewFile::temporary_path`].
    pub fn temporary_path(&self) -> &Path {
        self.file.temporary_path()
    }

    /// Completes the archive and gives it its name.
    ///
    /// # Errors
    /// The file cannot be written, or a file has the name and `replace` is not
    /// set.
    pub fn finish(self, replace: bool) -> Result<PackReport, ArchiveError> {
        let (sink, slot, report) = self.writer.finish()?;
        self.file.seal(sink, slot, replace)?;
        Ok(report)
    }
}
