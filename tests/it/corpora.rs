//! Large collections: the files of `PGNA_CORPORA`, else of `../shared/corpora`.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

/// The files in order of name, decompressed if the name ends in `.zst`.
pub(crate) fn files() -> impl Iterator<Item = (String, Vec<u8>)> {
    let default = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpora");
    let folder = std::env::var_os("PGNA_CORPORA").map_or(default, PathBuf::from);
    let entries = fs::read_dir(folder).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.into_iter().map(|path| {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let bytes = match path.extension() == Some(OsStr::new("zst")) {
            true => decompress(&path),
            false => fs::read(&path).unwrap(),
        };
        (name, bytes)
    })
}

fn decompress(path: &Path) -> Vec<u8> {
    let mut decoder = zstd::Decoder::new(File::open(path).unwrap()).unwrap();
    decoder.window_log_max(31).unwrap();
    let mut bytes = Vec::new();
    decoder.read_to_end(&mut bytes).unwrap();
    bytes
}
