//! The inputs of `pack` and `compare`: files, folders and stdin.

use super::errors::{Failure, print_message};
use super::figures::{count, grouped};
use super::file_names::{Compressor, decompressed_name, is_archive_name};
use super::open::refuse_url;
use crate::{SIGNATURE, safe_name};
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// One source of an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Input {
    /// The path to read from; `None` for stdin.
    pub(crate) path: Option<PathBuf>,
    /// The name of the source in the archive.
    pub(crate) name: String,
    compressor: Option<Compressor>,
}

/// The name of a source that is read from stdin.
const STDIN_NAME: &str = "stdin.pgn";
/// The longest window of zstd is allowed, as with `zstd --long=31`.
const ZSTD_WINDOW_LOG: u32 = 31;

/// The inputs that the arguments name, in order.
pub(crate) fn collect(paths: &[PathBuf], is_quiet: bool) -> Result<Vec<Input>, Failure> {
    let mut inputs: Vec<Input> = Vec::new();
    for path in paths {
        if path == Path::new("-") {
            if inputs.iter().any(|input| input.path.is_none()) {
                return Err(Failure::usage("-: stdin can be read only once"));
            }
            inputs.push(Input::stdin());
            continue;
        }
        refuse_url(path)?;
        if metadata(path)?.is_dir() {
            inputs.extend(folder(path, is_quiet)?);
        } else {
            inputs.push(Input::file(path)?);
        }
    }
    Ok(inputs)
}

/// Refuses files with the name of an archive. Files inside folders are not
/// checked.
pub(crate) fn refuse_archives(paths: &[PathBuf]) -> Result<(), Failure> {
    let mut files = paths.iter().filter(|path| path.is_file());
    let is_archive = |path: &&PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        is_archive_name(decompressed_name(&name).0)
    };
    files.find(is_archive).map_or(Ok(()), |path| {
        Err(Failure::usage(format!(
            "{}: is a PGN archive already; `pgna unpack` gives back what is in it, \
             `pgna merge` puts archives together",
            path.display()
        )))
    })
}

fn metadata(path: &Path) -> Result<fs::Metadata, Failure> {
    fs::metadata(path).map_err(|error| Failure::io(path, &error))
}

impl Input {
    fn stdin() -> Self {
        Input {
            path: None,
            name: STDIN_NAME.to_owned(),
            compressor: None,
        }
    }

    /// A file that an argument names.
    fn file(path: &Path) -> Result<Self, Failure> {
        let name = path.file_name().unwrap_or(path.as_os_str());
        let input = Input::new(path, &name.to_string_lossy());
        // A pipe can be opened only once.
        if metadata(path)?.is_file() {
            File::open(path).map_err(|error| Failure::io(path, &error))?;
        }
        Ok(input)
    }

    fn new(path: &Path, name: &str) -> Self {
        let (name, compressor) = decompressed_name(name);
        Input {
            path: Some(path.to_owned()),
            name: name.to_owned(),
            compressor,
        }
    }

    /// The name in an archive: the given one, made safe on all systems.
    pub(crate) fn stored_name(&self) -> String {
        safe_name(&self.name)
    }

    /// The path of the input if it is an archive, by name or signature.
    ///
    /// # Errors
    /// The file cannot be read, or is a compressed archive.
    pub(crate) fn archive(&self) -> Result<Option<&Path>, Failure> {
        let Some(path) = self.path.as_deref() else {
            return Ok(None);
        };
        if self.compressor.is_some() {
            return match is_archive_name(&self.name) {
                true => Err(Failure::usage(format!(
                    "{}: a compressed archive; decompress it first",
                    path.display()
                ))),
                false => Ok(None),
            };
        }
        let is_archive = is_archive_name(&self.name)
            || begins_as_archive(path).map_err(|error| Failure::io(path, &error))?;
        Ok(is_archive.then_some(path))
    }

    /// The name of the input in messages.
    pub(crate) fn display(&self) -> PathBuf {
        self.path.clone().unwrap_or_else(|| PathBuf::from("stdin"))
    }

    /// The number of bytes to read, if known.
    pub(crate) fn bytes(&self) -> Option<u64> {
        let metadata = fs::metadata(self.path.as_ref()?).ok()?;
        (self.compressor.is_none() && metadata.is_file()).then_some(metadata.len())
    }

    /// A reader of the text, decompressed.
    pub(crate) fn open(&self) -> io::Result<Box<dyn Read>> {
        let Some(path) = &self.path else {
            return Ok(Box::new(io::stdin()));
        };
        decompress(self.compressor, File::open(path)?)
    }
}

/// A reader of what a file or stream contains.
pub(crate) fn decompress(
    compressor: Option<Compressor>,
    file: impl Read + 'static,
) -> io::Result<Box<dyn Read>> {
    let Some(compressor) = compressor else {
        return Ok(Box::new(file));
    };
    let compressed = io::BufReader::with_capacity(1 << 16, file);
    Ok(match compressor {
        Compressor::Zstd => {
            let mut decoder = zstd::Decoder::with_buffer(compressed)?;
            decoder.window_log_max(ZSTD_WINDOW_LOG)?;
            Box::new(decoder)
        }
        Compressor::Gzip => Box::new(flate2::bufread::MultiGzDecoder::new(compressed)),
        Compressor::Bzip2 => Box::new(bzip2::bufread::MultiBzDecoder::new(compressed)),
        Compressor::Xz => Box::new(liblzma::bufread::XzDecoder::new_multi_decoder(compressed)),
    })
}

/// Reports inputs that are archives by their signature: folders can contain them.
pub(crate) fn report_archives(inputs: &[Input]) {
    let paths = inputs.iter().filter(|input| input.compressor.is_none());
    let paths = paths.filter_map(|input| input.path.as_deref());
    let archives = paths.filter(|path| matches!(begins_as_archive(path), Ok(true)));
    let number = archives.count() as u64;
    if number > 0 {
        let inputs = match number {
            1 => "1 input is a PGN archive and is".to_owned(),
            _ => format!("{} inputs are PGN archives and are", grouped(number)),
        };
        print_message(&format!(
            "{inputs} stored as plain bytes; `pgna merge` puts archives together"
        ));
    }
}

/// Whether the file has the signature of an archive. Pipes are not checked,
/// because bytes read from a pipe are consumed.
fn begins_as_archive(path: &Path) -> io::Result<bool> {
    if !fs::metadata(path)?.is_file() {
        return Ok(false);
    }
    let mut start = Vec::new();
    File::open(path)?
        .take(SIGNATURE.len() as u64)
        .read_to_end(&mut start)?;
    Ok(start == SIGNATURE)
}

/// All files of a folder, in the byte order of their names. None is left out by
/// its name, so that unpacking restores the folder.
fn folder(path: &Path, is_quiet: bool) -> Result<Vec<Input>, Failure> {
    let mut walk = DirectoryWalk::default();
    walk.folders.push((path.to_owned(), prefix(path)));
    while let Some((folder, name)) = walk.folders.pop() {
        walk.read(&folder, &name)
            .map_err(|error| Failure::io(&folder, &error))?;
    }
    for (number, noun, why) in [
        (walk.device_count, "device", "left out"),
        (walk.links, "link", "not followed"),
    ] {
        if number > 0 && !is_quiet {
            let message = format!("{}: {} {why}", path.display(), count(number, noun));
            print_message(&message);
        }
    }
    if walk.found.is_empty() {
        return Err(Failure::usage(format!(
            "{}: no files in this folder",
            path.display()
        )));
    }
    walk.found.sort();
    walk.found
        .iter()
        .map(|(name, path)| readable(Input::new(path, &String::from_utf8_lossy(name)), path))
        .collect()
}

fn readable(input: Input, path: &Path) -> Result<Input, Failure> {
    let opened = File::open(path).map_err(|error| Failure::io(path, &error));
    opened.map(|_| input)
}

/// The prefix of the names of a folder's files: the folder's own name, if the
/// path has one.
fn prefix(path: &Path) -> Vec<u8> {
    let name = path.file_name().unwrap_or_default().as_encoded_bytes();
    if name.is_empty() {
        Vec::new()
    } else {
        [name, b"/"].concat()
    }
}

/// A folder being walked. Names are relative and use `/`.
#[derive(Default)]
struct DirectoryWalk {
    folders: Vec<(PathBuf, Vec<u8>)>,
    found: Vec<(Vec<u8>, PathBuf)>,
    device_count: u64,
    links: u64,
}

impl DirectoryWalk {
    fn read(&mut self, folder: &Path, prefix: &[u8]) -> io::Result<()> {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            self.add(
                &entry.path(),
                entry.file_type()?,
                prefix,
                &entry.file_name(),
            );
        }
        Ok(())
    }

    fn add(&mut self, path: &Path, kind: fs::FileType, prefix: &[u8], name: &OsStr) {
        let full = [prefix, name.as_encoded_bytes()].concat();
        if kind.is_symlink() {
            self.links += 1;
        } else if kind.is_dir() {
            self.folders
                .push((path.to_owned(), [&full, &b"/"[..]].concat()));
        } else if kind.is_file() {
            self.found.push((full, path.to_owned()));
        } else {
            self.device_count += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_walked_in_the_order_of_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("x");
        fs::create_dir_all(root.join("a")).unwrap();
        for name in ["a/z.pgn", "a.pgn", "B.pgn.gz", "c.txt", "ä.pgn"] {
            fs::write(root.join(name), "").unwrap();
        }
        let inputs = collect(&[root], true).unwrap();
        let names: Vec<&str> = inputs.iter().map(|input| input.name.as_str()).collect();
        assert_eq!(
            names,
            ["x/B.pgn", "x/a.pgn", "x/a/z.pgn", "x/c.txt", "x/ä.pgn"]
        );
    }
}
