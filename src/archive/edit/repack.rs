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
use crate::limits::Limits;
use std::io::{BufWriter, Read, Write};

impl Archive {
    /// Packs all sources again with these options into a file, which gets the bytes that packing
    /// the original files would give. Sources keep their names and their digests. The text of one
    /// segment is in memory at a time. `on_progress` is called with the number of bytes of text
    /// that are done. The file is complete, and gets its name by [`NewFile::commit`].
    ///
    /// The text is divided into games again. If the archive was recovered, games that follow a
    /// loss can be divided differently: then [`PackReport::games`] differs from [`Archive::games`].
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
    /// The archive is damaged, the file cannot be written, two sources have names that are the
    /// same on some systems, or this build leaves out a model that the options need.
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
        check_names(self.sources())?;
        let mut container = ContainerWriter::new(sink)?;
        let mut report = PackReport::default();
        let mut write = |segment: &SegmentText| {
            let done = report.raw_bytes;
            let writer = SegmentWriter {
                segment,
                options,
                // A writer does not depend on the limits of a reader.
                limits: &Limits::default(),
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
        check_digests(self.sources(), &sources)?;
        report.sources = sources.len() as u64;
        let (sink, slot) = container.finish(sources)?;
        Ok((sink, slot, report))
    }
}

/// Fails if a writer would change the name of a source.
fn check_names(sources: &[Source]) -> Result<(), Error> {
    let mut names = TakenNames::default();
    let taken = |source: &&Source| names.reserve(&source.name) != source.name;
    match sources.iter().find(taken) {
        None => Ok(()),
        Some(source) => Err(ErrorKind::Name {
            name: source.name.clone(),
            reason: "on some systems it names the same file as another source",
        }
        .into()),
    }
}

/// Fails if the digest of a source differs.
fn check_digests(expected: &[Source], found: &[Source]) -> Result<(), Error> {
    let mut pairs = expected.iter().zip(found);
    match pairs.find(|(expected, found)| expected.digest != found.digest) {
        None => Ok(()),
        Some((source, _)) => Err(ErrorKind::Digest {
            name: source.name.clone(),
        }
        .into()),
    }
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
    fn another_digest_is_refused() {
        let expected = [source("a", 1), source("b", 2)];
        assert!(check_digests(&expected, &expected).is_ok());
        let error = check_digests(&expected, &[source("a", 1), source("b", 3)]);
        let error = error.unwrap_err().to_string();
        assert!(
            error.contains("\"b\"") && error.contains("BLAKE3"),
            "{error}"
        );
    }

    #[test]
    fn names_that_a_writer_would_change_are_refused() {
        for (names, refused) in [
            (&["a", "b", "c/a"][..], None),
            (&["a", "A"], Some("A")),
            (&["x", "x/y"], Some("x/y")),
        ] {
            let sources: Vec<_> = names.iter().map(|name| source(name, 0)).collect();
            let error = check_names(&sources).err().map(|error| error.to_string());
            match refused {
                None => assert_eq!(error, None),
                Some(name) => assert!(error.unwrap().contains(&format!("{name:?}"))),
            }
        }
    }
}
