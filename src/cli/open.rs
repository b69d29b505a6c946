//! Opens archives for reading.

use super::common::{Common, ReaderArgs};
use super::errors::{Failure, print_message};
use crate::{Archive, Error, Warning};
use std::path::Path;

/// The schemes of URLs: of web servers, and of object stores.
const SCHEMES: [&str; 10] = [
    "http", "https", "s3", "s3a", "gs", "az", "azure", "adl", "abfs", "abfss",
];

/// Opens an archive.
pub(crate) fn open(path: &Path, reader: &ReaderArgs) -> Result<Archive, Failure> {
    open_or(path, reader, Failure::archive)
}

/// Opens an archive; `failure` describes an error of the archive.
pub(crate) fn open_or(
    path: &Path,
    reader: &ReaderArgs,
    failure: impl Fn(&Path, &Error) -> Failure,
) -> Result<Archive, Failure> {
    if path == Path::new("-") {
        return Err(Failure::usage(
            "-: an archive is read out of order, which stdin is not: name a file",
        ));
    }
    let limits = reader.limits.limits();
    if let Some(url) = url(path) {
        #[cfg(any(feature = "http", feature = "object-store"))]
        return Archive::open_url(url, limits).map_err(|error| failure(path, &error));
        #[cfg(not(any(feature = "http", feature = "object-store")))]
        return Err(Failure::usage(format!(
            "{url}: this program was built without the features `http` and `object-store`, which read URLs"
        )));
    }
    let metadata = std::fs::metadata(path).map_err(|error| Failure::io(path, &error))?;
    if metadata.is_dir() {
        let message = format!("{}: is a folder, not an archive", path.display());
        return Err(Failure::usage(message));
    }
    if !metadata.is_file() {
        let message = "is not a regular file; an archive is not read in order";
        return Err(Failure::usage(format!("{}: {message}", path.display())));
    }
    let opened = match reader.no_mmap {
        true => Archive::open_file(path, limits),
        false => Archive::map(path, limits),
    };
    opened.map_err(|error| failure(path, &error))
}

/// The URL that an argument is, if it is one.
pub(super) fn url(path: &Path) -> Option<&str> {
    let text = path.to_str()?;
    let (scheme, _) = text.split_once("://")?;
    let is_url = SCHEMES
        .iter()
        .any(|known| scheme.eq_ignore_ascii_case(known));
    is_url.then_some(text)
}

/// Refuses a URL where only a file can be read or replaced.
pub(crate) fn refuse_url(path: &Path) -> Result<(), Failure> {
    let message = "is a URL; only a file can be used here";
    match url(path) {
        Some(url) => Err(Failure::usage(format!("{url}: {message}"))),
        None => Ok(()),
    }
}

/// Reports damage without loss that was found while an archive was read.
pub(crate) fn warn(path: &Path, warnings: &[Warning], common: &Common) {
    for warning in warnings.iter().filter(|_| !common.quiet) {
        let remedy = remedy(path, warning);
        print_message(&format!("{}: warning: {warning}{remedy}", path.display()));
    }
}

/// What makes a damaged file whole again, after the warning.
pub(crate) fn remedy(path: &Path, warning: &Warning) -> &'static str {
    match warning {
        Warning::Mended { .. } if url(path).is_none() => "; `pgna repack` writes the file anew",
        _ => "",
    }
}
