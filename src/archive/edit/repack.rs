//! Packing the sources of an archive again, with other options or by another release.

use crate::archive::error::{Error, ErrorKind};
use crate::archive::fs::file::{FileWriter, NewFile};
use crate::archive::fs::names::TakenNames;
use crate::archive::options::PackOptions;
use crate::archive::read::archive::Archive;
use crate::archive::read::text_reader::TextReader;
use crate::archive::report::pack::PackReport;
use crate::container::Source;
use std::io::Read;

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
        on_progress: impl FnMut(u64) + Send + 'static,
    ) -> Result<(NewFile, PackReport), Error> {
        check_names(self.sources())?;
        let mut writer = FileWriter::new(file, options)?;
        writer.on_progress(on_progress);
        let mut text = TextReader::new(self);
        for source in self.sources() {
            let added = writer.add_source(&source.name, text.by_ref().take(source.bytes));
            // An error of the archive has its place and its class.
            added.map_err(|error| text.take_error().unwrap_or(error))?;
            check_digest(source, writer.sources().last())?;
        }
        writer.finish_file()
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

/// Fails if a source has another digest than when it was packed first.
fn check_digest(expected: &Source, found: Option<&Source>) -> Result<(), Error> {
    match found {
        Some(found) if found.digest == expected.digest => Ok(()),
        _ => Err(ErrorKind::Digest {
            name: expected.name.clone(),
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
        assert!(check_digest(&source("a", 1), Some(&source("a", 1))).is_ok());
        let error = check_digest(&source("b", 2), Some(&source("b", 3)));
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
