//! The sample collection: the `.pgn` files of `tests/data`, read once.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

static FILES: LazyLock<Vec<(String, Vec<u8>)>> = LazyLock::new(|| {
    let entries = fs::read_dir(folder()).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "pgn"));
    assert!(paths.len() > 10);
    paths.sort();
    let name = |path: &Path| path.file_name().unwrap().to_str().unwrap().to_owned();
    let files = paths
        .iter()
        .map(|path| (name(path), fs::read(path).unwrap()));
    files.collect()
});

pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data")
}

/// All files, sorted by name.
pub(crate) fn files() -> &'static [(String, Vec<u8>)] {
    &FILES
}

/// The first 5,000 bytes of each file: enough for most kinds of structure, and several times faster
/// to pack.
pub(crate) fn starts() -> Vec<(String, Vec<u8>)> {
    let start = |text: &Vec<u8>| text[..text.len().min(5000)].to_vec();
    let files = files().iter();
    files
        .map(|(name, text)| (name.clone(), start(text)))
        .collect()
}

pub(crate) fn texts() -> Vec<Vec<u8>> {
    files().iter().map(|(_, text)| text.clone()).collect()
}

pub(crate) fn text(name: &str) -> Vec<u8> {
    let file = files().iter().find(|(other, _)| other == name);
    file.unwrap().1.clone()
}
