//! Writing a new archive to a file. The file appears complete or not at all.

use crate::archive::error::{Error, write_error};
use crate::archive::fs::temporary::{Temporary, folder_of, path_for};
use crate::archive::options::PackOptions;
use crate::archive::report::pack::PackReport;
use crate::archive::write::writer::Writer;
use crate::container::{CommitSlot, Source};
use std::fmt;
use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// A new file that gets its name only when it is complete and synced to disk.
///
/// Until then it is a temporary file in the same folder, which is deleted on drop.
#[derive(Debug)]
#[must_use = "without a commit no file is left"]
pub struct NewFile {
    temporary: Temporary,
    target: PathBuf,
}

impl NewFile {
    /// Begins a file that will be named `target`. A temporary file of the same target
    /// that a killed program left is removed.
    ///
    /// # Errors
    /// The folder cannot be written to, or another program writes the same target.
    pub fn create(target: &Path) -> io::Result<Self> {
        Ok(NewFile {
            temporary: Temporary::of(target)?,
            target: target.to_owned(),
        })
    }

    /// As [`NewFile::create`], for a `target` whose name comes from untrusted input. The
    /// temporary file has a random name, so that it cannot collide with a file that
    /// others placed there.
    ///
    /// # Errors
    /// The folder cannot be written to.
    pub fn create_with_random_temporary(target: &Path) -> io::Result<Self> {
        Ok(NewFile {
            temporary: Temporary::with_random_name(target)?,
            target: target.to_owned(),
        })
    }

    /// The path of the temporary file that [`NewFile::create`] makes for `target`. If the
    /// file exists already, it is removed.
    pub fn path_for(target: &Path) -> PathBuf {
        path_for(target)
    }

    /// The open file, for writing.
    pub fn file(&self) -> &File {
        &self.temporary.file
    }

    /// The current path of the file, before it gets its name. A program that receives a
    /// termination signal should delete this path.
    pub fn temporary_path(&self) -> &Path {
        &self.temporary.path
    }

    /// The path that the file will get.
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// The temporary file, and the path that it was to get.
    pub(crate) fn into_parts(self) -> (Temporary, PathBuf) {
        (self.temporary, self.target)
    }

    /// The file as a buffered sink. What it writes is complete after [`NewFile::seal`].
    pub(crate) fn sink(&self) -> Result<BufWriter<File>, Error> {
        let sink = self.file().try_clone();
        let sink = sink.map_err(|error| write_error(&self.target, error))?;
        Ok(BufWriter::with_capacity(1 << 20, sink))
    }

    /// Writes the commit slot of an archive in the file.
    pub(crate) fn seal(&self, mut sink: BufWriter<File>, slot: CommitSlot) -> Result<(), Error> {
        let written = sink
            .seek(SeekFrom::Start(slot.offset()))
            .and_then(|_| sink.write_all(&slot.encode()))
            .and_then(|()| sink.flush());
        written.map_err(|error| write_error(&self.target, error))
    }

    /// Writes the commit slot of an archive in the file and renames the file to its
    /// target.
    pub(crate) fn seal_and_commit(
        self,
        sink: BufWriter<File>,
        slot: CommitSlot,
        replace: bool,
    ) -> Result<(), Error> {
        self.seal(sink, slot)?;
        let target = self.target.clone();
        let committed = self.commit(replace);
        committed.map_err(|error| write_error(&target, error))
    }

    /// Syncs the file to disk and renames it to its target. An existing file is replaced
    /// only if `replace` is set.
    ///
    /// # Errors
    /// The file cannot be synced or renamed, or the target exists and `replace` is not
    /// set.
    pub fn commit(self, replace: bool) -> io::Result<()> {
        let Temporary { file, path, .. } = self.temporary;
        file.sync_all()?;
        if replace {
            path.persist(&self.target)?;
        } else {
            path.persist_noclobber(&self.target)?;
        }
        sync_folder(folder_of(&self.target))
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file().flush()
    }
}

/// Makes a rename durable. Only Unix can open a folder for this.
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) {
        File::open(folder)?.sync_all()
    } else {
        Ok(())
    }
}

/// Writes an archive to a new file.
///
/// After an error no archive can be completed: all later calls return an error.
pub struct FileWriter {
    writer: Writer<BufWriter<File>>,
    file: NewFile,
}

impl fmt::Debug for FileWriter {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("FileWriter")
            .field("file", &self.file)
            .finish_non_exhaustive()
    }
}

impl FileWriter {
    /// Begins an archive in a file that will be named `target`.
    ///
    /// # Errors
    /// The folder cannot be written to.
    pub fn create(target: &Path, options: PackOptions) -> Result<Self, Error> {
        let file = NewFile::create(target).map_err(|error| write_error(target, error))?;
        FileWriter::new(file, options)
    }

    /// Begins an archive in a new file.
    ///
    /// # Errors
    /// The file cannot be written to.
    pub fn new(file: NewFile, options: PackOptions) -> Result<Self, Error> {
        let writer = Writer::new(file.sink()?, options)?;
        Ok(FileWriter { writer, file })
    }

    /// Sets a callback that is called with the number of bytes of text packed so
    /// far.
    pub fn on_progress(&mut self, on_progress: impl FnMut(u64) + Send + 'static) {
        self.writer.on_progress(on_progress);
    }

    /// Adds a source under a name. A number is added to a name that is taken.
    ///
    /// # Errors
    /// As [`Writer::add_source`].
    pub fn add_source(&mut self, name: &str, source: impl Read) -> Result<(), Error> {
        self.writer.add_source(name, source)
    }

    /// The sources that have been added.
    pub(crate) fn sources(&self) -> &[Source] {
        self.writer.sources()
    }

    /// As [`NewFile::temporary_path`].
    pub fn temporary_path(&self) -> &Path {
        self.file.temporary_path()
    }

    /// Completes the archive and renames the file to its target.
    ///
    /// # Errors
    /// The file cannot be written, the target exists and `replace` is not set, or an
    /// earlier call has failed.
    pub fn finish(self, replace: bool) -> Result<PackReport, Error> {
        let (sink, slot, report) = self.writer.finish_with_slot()?;
        self.file.seal_and_commit(sink, slot, replace)?;
        Ok(report)
    }

    /// Completes the archive in the file, which still has to be renamed to its target: by
    /// [`NewFile::commit`], or by [`NewFile::close`] and, when other files are complete
    /// too, [`ClosedFile::commit`](crate::ClosedFile::commit).
    ///
    /// # Errors
    /// The file cannot be written, or an earlier call has failed.
    pub fn finish_file(self) -> Result<(NewFile, PackReport), Error> {
        let (sink, slot, report) = self.writer.finish_with_slot()?;
        self.file.seal(sink, slot)?;
        Ok((self.file, report))
    }
}
