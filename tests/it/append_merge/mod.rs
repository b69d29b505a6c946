//! Appending to archives, merging, compacting and repacking them, with full disks and killed writers.

mod append;
mod compact;
mod disk;
mod failed;
mod faults;
mod merge;
mod repack;

use crate::sizes;
use pgna::{FileWriter, PackOptions};
use proptest::prelude::*;
use std::path::{Path, PathBuf};

/// The names and texts of sources.
type Sources = Vec<(String, Vec<u8>)>;

/// Options that pack quickly, in several segments and blocks.
fn options() -> PackOptions {
    PackOptions {
        codecs: sizes::codecs(),
        segment_bytes: 3000,
        block_records: 4,
        ..PackOptions::default()
    }
}

/// A source of this name with distinct games.
fn source(name: &str, games: usize) -> (String, Vec<u8>) {
    let mut text = String::new();
    for game in 0..games {
        text.push_str(&format!(
            "[Event \"{name}\"]\n[White \"W{game}\"]\n[Black \"B\"]\n[Result \"*\"]\n\n\
             1. e4 {} 2. Nf3 *\n\n",
            ["e5", "c5", "d5", "e6"][game % 4]
        ));
    }
    (name.to_owned(), text.into_bytes())
}

/// Writes an archive of these sources to a file.
fn archive(folder: &Path, name: &str, sources: &[(String, Vec<u8>)]) -> PathBuf {
    let path = folder.join(name);
    let mut writer = FileWriter::create(&path, options()).unwrap();
    for (name, text) in sources {
        writer.add_source(name, &text[..]).unwrap();
    }
    writer.finish(false).unwrap();
    path
}

/// Texts of sources: games, text that is not a game, nothing.
fn texts() -> impl Strategy<Value = Vec<Vec<u8>>> {
    let text = prop_oneof![
        4 => (1..12usize).prop_map(|games| source("x", games).1),
        1 => (1..12usize).prop_map(|games| [&b"text before\n\n"[..], &source("y", games).1].concat()),
        1 => Just(Vec::new()),
        1 => Just(b"only text".to_vec()),
        1 => Just(b"[Event \"cut\"]\n\n1. e4 {open".to_vec()),
    ];
    prop::collection::vec(text, 0..8)
}
