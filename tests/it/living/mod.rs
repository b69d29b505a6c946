//! Appending to archives and merging them, with full disks and killed writers.

mod append;
mod disk;
mod faults;
mod merge;

use crate::sizes;
use pgna::{FileWriter, PackOptions};
use std::path::{Path, PathBuf};

/// Sources: names and texts.
type Sources = Vec<(String, Vec<u8>)>;

/// Fast to pack, in several segments and blocks.
fn options() -> PackOptions {
    PackOptions {
        codecs: sizes::codecs(),
        segment_bytes: 3000,
        block_records: 4,
        ..PackOptions::default()
    }
}

/// Games that differ, as a source of this name.
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

/// A file with an archive of these sources.
fn archive(folder: &Path, name: &str, sources: &[(String, Vec<u8>)]) -> PathBuf {
    let path = folder.join(name);
    let mut writer = FileWriter::create(&path, options()).unwrap();
    for (name, text) in sources {
        writer.add_source(name, &text[..]).unwrap();
    }
    writer.finish(false).unwrap();
    path
}
