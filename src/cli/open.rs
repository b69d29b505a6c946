//! Opens archives for reading.

use super::common::{Common, ReaderArgs};
use super::errors::{Failure, print_message};
use crate::{Archive, Warning};
use std::path::Path;

/// Opens an archive.
pub(crate) fn open(path: &Path, reader: &ReaderArgs) -> Result<Archive, Failure> {
    if path == Path::new("-") {
        return Err(Failure::usage(
            "-: an archive is read out of order, which stdin is not: name a file",
        ));
    }
    let metadata = std::fs::metadata(path).map_err(|error| Failure::io(path, &error))?;
    if metadata.is_dir() {
        let message = format!("{}: a folder, not an archive", path.display());
        return Err(Failure::usage(message));
    }
    let limits = reader.limits.limits();
    let opened = match reader.no_mmap {
        true => Archive::open_file(path, limits),
        false => Archive::map(path, limits),
    };
    opened.map_err(|error| Failure::archive(path, &error))
}

/// Reports damage without loss that was found while an archive was read.
pub(crate) fn warn(path: &Path, warnings: &[Warning], common: &Common) {
    for warning in warnings.iter().filter(|_| !common.quiet) {
        print_message(&format!("{}: warning: {warning}", path.display()));
    }
}
