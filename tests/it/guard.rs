//! Digests of archives: a refactoring must not change them. A change of the format or the encoder
//! regenerates them:
//!
//!     cargo test --test it write_the_digests -- --ignored

use crate::{corpora, samples};
use pgna::{BuiltinModel, Indexes, PackOptions, Writer};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

const LEVELS: [(&str, BuiltinModel); 3] = [
    ("fast", BuiltinModel::Fast),
    ("default", BuiltinModel::Default),
    ("max", BuiltinModel::Max),
];

const INDEXES: [(&str, Indexes); 3] = [
    ("none", Indexes::None),
    ("openings", Indexes::Openings),
    ("full", Indexes::Full),
];

fn committed() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/digests.txt")
}

/// One line for each level and index mode: name, level, index mode, digest.
fn digests(name: &str, files: &[(String, Vec<u8>)]) -> String {
    let mut lines = String::new();
    for (level_name, level) in LEVELS {
        for (indexes_name, indexes) in INDEXES {
            let options = PackOptions {
                indexes,
                ..PackOptions::of_level(level)
            };
            let mut writer = Writer::new(Vec::new(), options).unwrap();
            for (file, text) in files {
                writer.add_source(file, &text[..]).unwrap();
            }
            let (archive, ..) = writer.finish().unwrap();
            let digest = blake3::hash(&archive);
            writeln!(lines, "{name} {level_name} {indexes_name} {digest}").unwrap();
        }
    }
    lines
}

#[test]
fn samples_give_the_same_bytes() {
    let expected = fs::read_to_string(committed()).unwrap();
    assert_eq!(digests("samples", &samples::starts()), expected);
}

#[test]
#[ignore = "replaces the digests"]
fn write_the_digests() {
    fs::write(committed(), digests("samples", &samples::starts())).unwrap();
}

/// Compares the digests of all collections with the file that `PGNA_DIGESTS` names, or writes that
/// file if it does not exist.
#[test]
#[ignore = "reads large collections; needs PGNA_DIGESTS"]
fn collections_give_the_same_bytes() {
    let path = PathBuf::from(std::env::var_os("PGNA_DIGESTS").unwrap());
    let each = corpora::files();
    let each = each.map(|(name, text)| digests(&name, &[(name.clone(), text)]));
    let found: String = each.collect();
    match fs::read_to_string(&path) {
        Ok(expected) => assert_eq!(found, expected),
        Err(_) => fs::write(&path, found).unwrap(),
    }
}
