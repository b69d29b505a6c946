//! Writing a text to a new file, as it is or as an archive.

use crate::archive::error::{Error, write_error};
use crate::archive::fs::file::NewFile;
use crate::archive::options::PackOptions;
use crate::archive::report::pack::PackReport;
use crate::archive::write::writer::Writer;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};

const BUFFER_BYTES: usize = 1 << 20;

/// Writes a text to a new file, without renaming it to its target.
///
/// # Errors
/// The text cannot be read, or the file cannot be written.
pub fn write_text(file: &NewFile, mut text: impl Read) -> Result<(), Error> {
    let mut sink = BufWriter::with_capacity(BUFFER_BYTES, file.file());
    let copied = io::copy(&mut text, &mut sink).and_then(|_| sink.flush());
    copied.map_err(|error| write_error(file.target(), error))
}

/// Writes an archive of one source to a new file, without renaming it to its target.
/// `on_progress` is called with the number of bytes of text packed so far.
///
/// # Errors
/// The text cannot be read, its name is not safe to unpack to, or the file cannot be
/// written.
pub fn write_archive(
    file: &NewFile,
    name: &str,
    text: impl Read,
    options: PackOptions,
    on_progress: impl FnMut(u64) + Send + 'static,
) -> Result<PackReport, Error> {
    let unwritten = |error| write_error(file.target(), error);
    let sink = file.file().try_clone().map_err(unwritten)?;
    let sink = BufWriter::with_capacity(BUFFER_BYTES, sink);
    let mut writer = Writer::new(sink, options)?;
    writer.on_progress(on_progress);
    writer.add_source(name, text)?;
    let (mut sink, slot, report) = writer.finish_with_slot()?;
    let sealed = sink
        .seek(SeekFrom::Start(slot.offset()))
        .and_then(|_| sink.write_all(&slot.encode()))
        .and_then(|()| sink.flush());
    sealed.map_err(unwritten)?;
    Ok(report)
}
