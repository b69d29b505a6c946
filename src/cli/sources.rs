//! The inputs of `pgna pack`, for other front ends: their names, and readers of their text.

use super::errors::Failure;
use super::file_names::decompressed_name;
use super::inputs::{self, Input};
use crate::safe_name;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// A file to pack.
#[derive(Debug)]
pub struct PackSource(Input);

impl PackSource {
    /// The files of paths, which may be folders, as `pgna pack` reads them.
    ///
    /// # Errors
    /// A message: a file cannot be read, a folder has no files, or a file has the name of an
    /// archive.
    pub fn of(paths: &[PathBuf]) -> Result<Vec<PackSource>, String> {
        inputs::refuse_archives(paths)
            .and_then(|()| inputs::collect(paths, true))
            .map(|inputs| inputs.into_iter().map(PackSource).collect())
            .map_err(|failure| match failure {
                Failure::Message(_, message) => message,
                Failure::ClosedPipe => io::ErrorKind::BrokenPipe.to_string(),
            })
    }

    /// The name of the source in the archive.
    pub fn name(&self) -> String {
        self.0.stored_name()
    }

    /// The path of the file; `None` for stdin.
    pub fn path(&self) -> Option<&Path> {
        self.0.path.as_deref()
    }

    /// A reader of the text, decompressed if the name of the file says that it is compressed.
    ///
    /// # Errors
    /// The file cannot be opened.
    pub fn open(&self) -> io::Result<Box<dyn Read>> {
        self.0.open()
    }
}

/// The name in the archive of a stream with the name of a file, and a reader of its text:
/// `games.pgn.zst` is decompressed and stored as `games.pgn`.
///
/// # Errors
/// The decompressor cannot be started.
pub fn named_stream(
    name: &str,
    stream: impl Read + 'static,
) -> io::Result<(String, Box<dyn Read>)> {
    let (name, compressor) = decompressed_name(name);
    Ok((safe_name(name), inputs::decompress(compressor, stream)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn text(mut reader: impl Read) -> String {
        let mut text = String::new();
        reader.read_to_string(&mut text).unwrap();
        text
    }

    #[test]
    fn paths_and_streams_have_the_names_and_texts_of_the_program() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("x");
        fs::create_dir(&root).unwrap();
        let packed = zstd::encode_all(&b"1. e4 *"[..], 1).unwrap();
        fs::write(root.join("a.pgn.zst"), &packed).unwrap();
        let sources = PackSource::of(&[root.clone(), root.join("a.pgn.zst")]).unwrap();
        let names: Vec<String> = sources.iter().map(PackSource::name).collect();
        assert_eq!(names, ["x/a.pgn", "a.pgn"]);
        for source in sources {
            assert_eq!(source.path(), Some(&*root.join("a.pgn.zst")));
            assert_eq!(text(source.open().unwrap()), "1. e4 *");
        }
        let (name, reader) = named_stream("a.pgn.zst", io::Cursor::new(packed)).unwrap();
        assert_eq!((&name[..], &text(reader)[..]), ("a.pgn", "1. e4 *"));
    }

    #[test]
    fn errors_are_messages() {
        let folder = tempfile::tempdir().unwrap();
        let error = PackSource::of(&[folder.path().join("missing")]).unwrap_err();
        assert!(error.contains("missing: "), "{error}");
        let archive = folder.path().join("a.pgna");
        fs::write(&archive, "").unwrap();
        let error = PackSource::of(&[archive]).unwrap_err();
        assert!(error.contains("is a PGN archive already"), "{error}");
    }
}
