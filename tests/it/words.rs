//! Sources and documents use the terms of the field. This test rejects the words that the terms
//! have replaced, in identifiers, comments and text.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Rejected words, each with its replacement.
const WORDS: [(&str, &str); 13] = [
    ("behind", "after"),
    ("foresee", "predict"),
    ("foreseen", "predicted"),
    ("foresees", "predicts"),
    ("kept", "stored, retained or cached"),
    ("room", "budget"),
    ("rooms", "budgets"),
    ("sketch", "estimate"),
    ("tell", "code, report"),
    ("teller", "writer"),
    ("telling", "coding, reporting"),
    ("tells", "codes, reports"),
    ("told", "coded, reported"),
];

/// The words of a text in lower case. `oneWord`, `OneWord` and `one_word` are two words each.
fn words(text: &str) -> impl Iterator<Item = String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut last_is_lower = false;
    for c in text.chars() {
        let starts = !c.is_alphabetic() || (c.is_uppercase() && last_is_lower);
        if starts && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if c.is_alphabetic() {
            word.extend(c.to_lowercase());
        }
        last_is_lower = c.is_lowercase();
    }
    words.push(word);
    words.into_iter()
}

/// The rejected words of a text, each with its line number.
fn found(text: &str) -> Vec<String> {
    let instead: BTreeMap<&str, &str> = WORDS.into_iter().collect();
    let mut found = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        for word in words(line) {
            if let Some(better) = instead.get(&word[..]) {
                found.push(format!("{number}: {word}; write {better}"));
            }
        }
    }
    found
}

fn files(path: &Path, out: &mut Vec<PathBuf>) {
    if path.is_dir() {
        for entry in fs::read_dir(path).unwrap() {
            files(&entry.unwrap().path(), out);
        }
    } else if path.extension().is_some_and(|e| e == "rs" || e == "md") {
        out.push(path.to_owned());
    }
}

#[test]
fn rejected_words_are_not_used() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut all = Vec::new();
    for name in [
        "README.md",
        "CONTRIBUTING.md",
        "benches",
        "docs",
        "examples",
        "fuzz/README.md",
        "fuzz/src",
        "python/README.md",
        "python/max/README.md",
        "python/src",
        "spec",
        "src",
        "tests/it",
        "web/README.md",
        "web/reader",
        "web/static_host",
    ] {
        files(&root.join(name), &mut all);
    }
    // The changelog quotes earlier versions, and this file lists the words.
    all.retain(|path| !path.ends_with("CHANGELOG.md") && !path.ends_with("words.rs"));
    assert!(all.len() > 400, "the sources are not at {}", root.display());
    let mut complaints = Vec::new();
    for path in all {
        let text = fs::read_to_string(&path).unwrap();
        let name = path.strip_prefix(root).unwrap().display();
        complaints.extend(
            found(&text)
                .into_iter()
                .map(|found| format!("{name}:{found}")),
        );
    }
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
}

#[test]
fn words_are_found_in_identifiers_and_texts() {
    let count = |text: &str| found(text).len();
    assert_eq!(count("fn is_told() { TellMe::Behind }"), 3);
    assert_eq!(count("// What is kept.\nmakeRoom"), 2);
    assert_eq!(count("intellect, foreseeable, bedroom"), 0);
}
