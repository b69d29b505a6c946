//! Generator of the sample collection in `tests/data`. The committed files must equal its output.
//!
//! `cargo test --test it sample_data:: -- --ignored` regenerates them.

mod collections;
mod game;
mod habits;
mod odd;
mod player;
mod rng;
mod rules;

use crate::samples;
use std::collections::BTreeSet;
use std::fs;

/// A file of the collection: its name and its bytes.
type Sample = (&'static str, Vec<u8>);

/// Typed files, which have no generator.
const TYPED: [&str; 23] = [
    "annotated.pgn",
    "chessbase-like.pgn",
    "comments-everywhere.pgn",
    "event-in-comment.pgn",
    "lines-in-comments.pgn",
    "illegal-move.pgn",
    "languages.pgn",
    "long-algebraic.pgn",
    "move-numbers.pgn",
    "nested-braces.pgn",
    "no-result.pgn",
    "null-moves.pgn",
    "odd-tags.pgn",
    "over-specified-san.pgn",
    "results.pgn",
    "semicolon-and-percent.pgn",
    "suffixes.pgn",
    "tags-only.pgn",
    "text-between-games.pgn",
    "unclosed-brace.pgn",
    "unclosed-tag.pgn",
    "variations.pgn",
    "xiangqi.pgn",
];

fn made() -> Vec<Sample> {
    let mut samples = collections::samples();
    samples.extend(odd::samples());
    samples.extend(rules::samples());
    samples
}

fn committed_names() -> BTreeSet<String> {
    let entries = fs::read_dir(samples::folder()).unwrap();
    entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect()
}

#[test]
fn committed_files_match_the_generator() {
    for (name, bytes) in made() {
        let committed = fs::read(samples::folder().join(name)).unwrap();
        assert!(
            committed == bytes,
            "{name} differs; see tests/data/README.md"
        );
    }
}

#[test]
fn every_file_is_generated_or_typed() {
    let made = made().into_iter().map(|(name, _)| name);
    let known = made.chain(TYPED).chain(["README.md"]);
    let known: BTreeSet<String> = known.map(str::to_owned).collect();
    assert_eq!(committed_names(), known);
}

#[test]
fn the_readme_lists_every_file() {
    let readme = fs::read_to_string(samples::folder().join("README.md")).unwrap();
    for name in committed_names() {
        let named = readme.contains(&format!("`{name}`"));
        assert!(
            named || name == "README.md",
            "README.md does not name {name}"
        );
    }
}

#[test]
fn the_collection_stays_small() {
    let sizes = committed_names()
        .into_iter()
        .map(|n| fs::metadata(samples::folder().join(n)).unwrap().len());
    let total: u64 = sizes.sum();
    assert!(total < 600_000, "{total} bytes");
}

#[test]
fn special_samples_have_their_properties() {
    let all = made();
    let of = |name: &str| all.iter().find(|(n, _)| *n == name).unwrap().1.as_slice();
    assert!(of("empty.pgn").is_empty());
    assert!(of("bom.pgn").starts_with(b"\xef\xbb\xbf["));
    assert!(of("nul-bytes.pgn").contains(&0));
    assert!(std::str::from_utf8(of("latin-1.pgn")).is_err());
    assert!(std::str::from_utf8(of("gbk.pgn")).is_err());
    assert!(!of("no-final-newline.pgn").ends_with(b"\n"));
    assert!(!of("cr-only.pgn").contains(&b'\n'));
}

#[test]
#[ignore = "writes tests/data"]
fn write() {
    for (name, bytes) in made() {
        fs::write(samples::folder().join(name), bytes).unwrap();
    }
}
