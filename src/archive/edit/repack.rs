//! Packing the sources of an archive again, with other options or by another release.

use crate::archive::error::{Error, ErrorKind, write_error};
use crate::archive::fs::file::NewFile;
use crate::archive::fs::names::TakenNames;
use crate::archive::options::PackOptions;
use crate::archive::read::archive::Archive;
use crate::archive::read::text_reader::TextReader;
use crate::archive::report::pack::PackReport;
use crate::archive::write::segment_writer::SegmentWriter;
use crate::archive::write::source_reader::{SegmentText, SourceReader};
use crate::container::{CommitSlot, ContainerWriter, Source};
use std::io::{BufWriter, Read, Write};

impl Archive {
    /// Packs all sources again with these options into a file, which gets the bytes that packing
    /// the original files would give. Sources keep their names and their digests. The text is
    /// never in memory or on disk as a whole. `on_progress` is called with the number of bytes of
    /// text that are done. The file is complete, and gets its name by [`NewFile::commit`].
    ///
    /// ```
    /// use pgna::{Archive, Codec, FileWriter, Limits, NewFile, PackOptions};
    ///
    /// let folder = tempfile::tempdir()?;
    /// let path = folder.path().join("radix.pgna");
    /// let radix = PackOptions { codecs: vec![Codec::Radix], ..PackOptions::default() };
    /// let mut writer = FileWriter::create(&path, radix)?;
    /// writer.add_source("one.pgn", &b"1. e4 e5 1-0\n"[..])?;
    /// writer.finish(false)?;
    ///
    /// let archive = Archive::open_file(&path, Limits::default())?;
    /// let target = folder.path().join("default.pgna");
    /// let (file, _) = archive.repack(NewFile::create(&target)?, PackOptions::default(), |_| ())?;
    /// file.commit(false)?;
    /// let repacked = Archive::open_file(&target, Limits::default())?;
    /// assert_eq!(repacked.sources(), archive.sources());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The archive is damaged, the file cannot be written, or this build leaves out a model that
    /// the options need.
    pub fn repack(
        &self,
        file: NewFile,
        options: PackOptions,
        mut on_progress: impl FnMut(u64),
    ) -> Result<(NewFile, PackReport), Error> {
        let sink = file.file().try_clone();
        let sink = sink.map_err(|error| write_error(file.target(), error))?;
        let sink = BufWriter::with_capacity(1 << 20, sink);
        let (sink, slot, report) = self.write_repacked(sink, &options, &mut on_progress)?;
        file.seal(sink, slot)?;
        Ok((file, report))
    }

    fn write_repacked<W: Write>(
        &self,
        sink: W,
        options: &PackOptions,
        on_progress: &mut dyn FnMut(u64),
    ) -> Result<(W, CommitSlot, PackReport), Error> {
        options.check()?;
        let mut container = ContainerWriter::new(sink)?;
        let mut report = PackReport::default();
        let mut write = |segment: &SegmentText| {
            let done = report.raw_bytes;
            let writer = SegmentWriter {
                segment,
                options,
                limits: self.limits(),
            };
            writer.write(&mut container, &mut report, &mut |bytes| {
                on_progress(done.saturating_add(bytes));
            })
        };
        let mut reader = SourceReader::new(options.segment_bytes, TakenNames::default());
        let mut text = TextReader::new(self);
        for source in self.sources() {
            reader.open(&source.name)?;
            let mut own = text.by_ref().take(source.bytes);
            loop {
                let read = reader.read(&mut own);
                // An error of the archive has its place and its class.
                let read = read.map_err(|error| own.get_mut().take_error().unwrap_or(error))?;
                match read {
                    Some(segment) => write(&segment)?,
                    None => break,
                }
            }
        }
        let (rest, sources) = reader.finish();
        if let Some(rest) = rest {
            write(&rest)?;
        }
        check_sources(self.sources(), &sources)?;
        report.sources = sources.len() as u64;
        let (sink, slot) = container.finish(sources)?;
        Ok((sink, slot, report))
    }
}

/// Fails unless the sources have the same names and digests.
fn check_sources(expected: &[Source], found: &[Source]) -> Result<(), Error> {
    for (expected, found) in expected.iter().zip(found) {
        let name = expected.name.clone();
        if expected.digest != found.digest {
            return Err(ErrorKind::Digest { name }.into());
        }
        if expected.name != found.name {
            let reason = "another source of the archive has the same name";
            return Err(ErrorKind::Name { name, reason }.into());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(name: &str, digest: u8) -> Source {
        Source {
            name: name.to_owned(),
            bytes: 0,
            games: 0,
            records: 0,
            digest: [digest; 32],
        }
    }

    #[test]
    fn other_digests_and_names_are_refused() {
        let check = |found: &[Source]| {
            let expected = [source("a", 1), source("A", 2)];
            check_sources(&expected, found).map_err(|error| error.to_string())
        };
        assert_eq!(check(&[source("a", 1), source("A", 2)]), Ok(()));
        let error = check(&[source("a", 1), source("A", 3)]).unwrap_err();
        assert!(error.contains("digest"), "{error}");
        let error = check(&[source("a", 1), source("A (2)", 2)]).unwrap_err();
        assert!(error.contains("same name"), "{error}");
    }
}
