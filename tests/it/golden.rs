//! The golden archives, one folder for each version of the format from 0.99 on. This and every
//! later release reads them, so they are never written again.
//!
//! Together they have each level and codec, each kind of index, odd input, an archive with a model
//! of its own, one that was appended to, and one that was written to a stream. `python3 -m
//! reference.coverage`, in `spec`, prints the lines of the reference decoder that they do not reach.

use crate::unpacked::unpack;
use pgna::Archive;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

fn paths(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

fn versions() -> Vec<PathBuf> {
    let mut paths = paths(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden"));
    paths.retain(|path| path.is_dir());
    assert!(!paths.is_empty());
    paths
}

/// The name and the bytes of each archive of a version.
fn archives(version: &Path) -> Vec<(String, Vec<u8>)> {
    let mut paths = paths(version);
    paths.retain(|path| {
        path.extension()
            .is_some_and(|extension| extension == "pgna")
    });
    let name = |path: &Path| path.file_stem().unwrap().to_str().unwrap().to_owned();
    let archive = |path: &PathBuf| (name(path), fs::read(path).unwrap());
    assert!(!paths.is_empty(), "{}", version.display());
    paths.iter().map(archive).collect()
}

/// A line for each archive, with its BLAKE3, and one for each of its sources: archive, source,
/// games, BLAKE3 of the text.
fn sources(version: &Path) -> String {
    let mut lines = String::new();
    for (name, bytes) in archives(version) {
        let archive = Archive::new(&bytes[..]).unwrap();
        assert!(archive.warnings().is_empty(), "{name}");
        writeln!(lines, "{name}: {}", blake3::hash(&bytes)).unwrap();
        for (source, (found, text)) in archive.sources().iter().zip(unpack(&bytes).unwrap()) {
            let digest = blake3::hash(&text);
            writeln!(lines, "{name} {found} {} {digest}", source.games).unwrap();
        }
    }
    lines
}

#[test]
fn the_sources_of_golden_archives_are_read() {
    for version in versions() {
        let expected = fs::read_to_string(version.join("sources.txt")).unwrap();
        assert_eq!(sources(&version), expected, "{}", version.display());
    }
}

#[test]
fn the_games_of_golden_archives_are_read() {
    for (name, bytes) in versions().iter().flat_map(|version| archives(version)) {
        let archive = Archive::new(&bytes[..]).unwrap();
        let sources = unpack(&bytes).unwrap();
        let text: Vec<u8> = sources.into_iter().flat_map(|(_, text)| text).collect();
        let mut rest = &text[..];
        for number in 1..=archive.games() {
            let game = archive.text(number).unwrap();
            let mut places = rest.windows(game.len());
            let at = places.position(|place| place == &game[..]);
            let at = at.unwrap_or_else(|| panic!("{name}: game {number}"));
            rest = &rest[at + game.len()..];
        }
    }
}

/// For the folder of a new version.
#[test]
#[ignore = "writes the lists of sources that do not exist"]
fn write_the_lists_of_sources() {
    for version in versions() {
        let path = version.join("sources.txt");
        if !path.exists() {
            fs::write(path, sources(&version)).unwrap();
        }
    }
}
