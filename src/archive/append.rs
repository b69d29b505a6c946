//! Adding sources to an archive in place: killed at any moment, it opens as it was.

use super::error::{ArchiveError, write_error};
use super::indexes::Indexes;
use super::names::Names;
use super::options::PackOptions;
use super::reader::Archive;
use super::report::PackReport;
use super::temporary::{is_at, lock};
use super::writer::Writer;
use crate::container::Warning;
use crate::container::{Append, Storage, WriteFrom};
use crate::limits::Limits;
use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter};
use std::path::Path;
use std::sync::Arc;

/// What is appended goes here.
type Sink<T> = BufWriter<WriteFrom<T>>;

/// An archive that sources are added to. Until [`finish`](Appender::finish) it opens
/// as it was; dropped before, it is cut to what it was.
///
/// ```
/// use pgna::archive::{Appender, Archive, FileWriter, PackOptions};
/// use pgna::limits::Limits;
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("games.pgna");
/// let options = PackOptions::default();
/// let mut writer = FileWriter::create(&path, options.clone())?;
/// writer.writer().add_source("one.pgn", &b"1. e4 e5 1-0\n"[..])?;
/// writer.finish(false)?;
///
/// let mut appender = Appender::open(&path, options, Limits::default())?;
/// appender.writer().add_source("two.pgn", &b"1. d4 d5 0-1\n"[..])?;
/// appender.finish()?;
/// let archive = Archive::open_file(&path, Limits::default())?;
/// assert_eq!(archive.games(), 2);
/// assert_eq!(archive.sources()[1].name, "two.pgn");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Appender<T: Storage> {
    /// Stands before `append`: what it still holds is written when it is dropped, and
    /// cut then.
    writer: Writer<Sink<T>>,
    append: Append<T>,
    warnings: Vec<Warning>,
}

impl Appender<Arc<File>> {
    /// Opens the archive of a file to add to it. The file is locked against others
    /// that want to.
    ///
    /// # Errors
    /// As [`Archive::open`], the file cannot be written to, another program does, or
    /// a later state than the one that is read may have been committed.
    pub fn open(path: &Path, options: PackOptions, limits: Limits) -> Result<Self, ArchiveError> {
        let file = lock_archive(OpenOptions::new().read(true).write(true), path)?;
        let file = Arc::new(file);
        let archive = Archive::open(Arc::clone(&file), limits)?;
        Appender::begin(&archive, file, options)
    }
}

impl<T: Storage + Clone> Appender<T> {
    /// Begins to add to an archive in `storage`.
    ///
    /// # Errors
    /// A later state than the one that is read may have been committed, or the storage
    /// cannot be written to.
    pub fn begin(
        archive: &Archive,
        storage: T,
        options: PackOptions,
    ) -> Result<Self, ArchiveError> {
        let (append, container) = Append::begin(archive.container(), storage)?;
        let names = Names::of(archive.sources().iter().map(|source| source.name.as_str()));
        let segments = archive.container().segments().len();
        Ok(Appender {
            writer: Writer::of(container, options, names, segments),
            append,
            warnings: archive.warnings(),
        })
    }

    /// What was found damaged without harm, or not finished, when the archive was
    /// opened.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// The writer, to add sources to. A source whose name is taken gets a number.
    pub fn writer(&mut self) -> &mut Writer<Sink<T>> {
        &mut self.writer
    }

    /// Makes what was added part of the archive, and gives what that was.
    ///
    /// # Errors
    /// The storage cannot be written to. The archive opens as before then, or, where
    /// the last step failed, as after.
    pub fn finish(self) -> Result<PackReport, ArchiveError> {
        let Appender { writer, append, .. } = self;
        let (_, slot, report) = writer.finish()?;
        append.commit(slot)?;
        Ok(report)
    }
}

/// Keeps other programs from adding to the archive of a file, or replacing it by itself
/// with other indexes, as long as what is given back lives.
///
/// # Errors
/// The file cannot be opened, or another program does that.
pub fn lock_archive(options: &OpenOptions, path: &Path) -> Result<File, ArchiveError> {
    let locked = || -> io::Result<File> {
        // A pipe would be waited for.
        if !std::fs::metadata(path)?.is_file() {
            return Err(io::Error::other("not a file that can be changed in place"));
        }
        let file = options.open(path)?;
        lock(&file)?;
        match is_at(&file, path)? {
            true => Ok(file),
            false => Err(io::Error::other("another program has just replaced it")),
        }
    };
    locked().map_err(|error| write_error(path, error))
}

impl Archive {
    /// Which indexes the archive has: those of its last segment.
    ///
    /// # Errors
    /// That segment is damaged.
    pub fn indexes(&self) -> Result<Option<Indexes>, ArchiveError> {
        let Some(last) = self.container().segments().len().checked_sub(1) else {
            return Ok(None);
        };
        let (segment, _) = self.container().segment(last)?;
        Ok(Some(Indexes::of(segment.index().sections())))
    }
}
