//! Adding sources to an archive in place. A crash at any moment leaves the archive as
//! it was.

use super::lock::open_locked;
use crate::archive::error::Error;
use crate::archive::fs::names::TakenNames;
use crate::archive::options::PackOptions;
use crate::archive::read::archive::Archive;
use crate::archive::report::pack::PackReport;
use crate::archive::write::writer::Writer;
use crate::container::Warning;
use crate::container::{Append, OffsetWriter, Storage};
use crate::limits::Limits;
use std::fmt;
use std::fs::OpenOptions;
use std::io::{BufWriter, Read};
use std::path::Path;
use std::sync::Arc;

/// A storage of any type: appending is compiled once.
type AnyStorage = Arc<dyn Storage + Send + Sync>;

/// The sink for appended bytes.
type AppendSink = BufWriter<OffsetWriter<AnyStorage>>;

/// An archive that is being appended to. Until [`finish`](Appender::finish), readers
/// see the old state; if the appender is dropped earlier, the appended bytes are
/// truncated. After an error all later calls return an error, and the archive keeps its
/// old state.
///
/// ```
/// use pgna::{Appender, Archive, FileWriter, PackOptions};
/// use pgna::Limits;
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("games.pgna");
/// let options = PackOptions::default();
/// let mut writer = FileWriter::create(&path, options.clone())?;
/// writer.add_source("one.pgn", &b"1. e4 e5 1-0\n"[..])?;
/// writer.finish(false)?;
///
/// let mut appender = Appender::open(&path, options, Limits::default())?;
/// appender.add_source("two.pgn", &b"1. d4 d5 0-1\n"[..])?;
/// appender.finish()?;
/// let archive = Archive::open_file(&path, Limits::default())?;
/// assert_eq!(archive.games(), 2);
/// assert_eq!(archive.sources()[1].name, "two.pgn");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Appender {
    /// Declared before `append`: the writer is dropped first, which writes its buffer;
    /// dropping `append` then truncates the file.
    writer: Writer<AppendSink>,
    append: Append<AnyStorage>,
    warnings: Vec<Warning>,
}

impl fmt::Debug for Appender {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Appender")
            .field("writer", &self.writer)
            .finish_non_exhaustive()
    }
}

impl Appender {
    /// Opens the archive in a file for appending. The file is locked against other
    /// appenders.
    ///
    /// # Errors
    /// As [`Archive::open`]; or the file cannot be written to, another program is
    /// writing it, or a newer state than the one that was read may have been committed.
    pub fn open(path: &Path, options: PackOptions, limits: Limits) -> Result<Self, Error> {
        let open = |path: &Path| OpenOptions::new().read(true).write(true).open(path);
        let file = open_locked(open, path)?;
        let file = Arc::new(file);
        let archive = Archive::open(Arc::clone(&file), limits)?;
        Appender::begin(&archive, file, options)
    }

    /// Begins to append to an archive in `storage`, which is the file of the archive.
    ///
    /// # Errors
    /// A newer state than the one that was read may have been committed, or the storage
    /// cannot be written to.
    #[doc(hidden)]
    pub fn begin(
        archive: &Archive,
        storage: Arc<dyn Storage + Send + Sync>,
        options: PackOptions,
    ) -> Result<Self, Error> {
        options.check()?;
        let (append, container) = Append::begin(archive.container(), storage)?;
        archive.warn(container.warning());
        let names = TakenNames::of(archive.sources().iter().map(|source| source.name.as_str()));
        Ok(Appender {
            writer: Writer::of(container, options, names),
            append,
            warnings: archive.warnings(),
        })
    }

    /// Damage that costs no data, and unfinished appends, as found when the archive was
    /// opened.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
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

    /// Commits the added sources, and returns a report on them.
    ///
    /// # Errors
    /// The storage cannot be written to, or an earlier call has failed. The archive then
    /// has its old state or, if the last step failed, possibly the new one.
    pub fn finish(self) -> Result<PackReport, Error> {
        let Appender { writer, append, .. } = self;
        let (_, slot, report) = writer.finish_with_slot()?;
        append.commit(slot)?;
        Ok(report)
    }
}
