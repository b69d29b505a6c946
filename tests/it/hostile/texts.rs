//! Texts.

use super::assert_comes_back;
use super::made::TEXTS;
use super::random::Random;
use crate::sizes::sized;
use rayon::prelude::*;

/// What a thread may have of stack, in bytes: little, beside the 8 MiB that are usual.
const STACK_BYTES: usize = 256 << 10;

#[test]
fn texts_made_to_take_much_come_back() {
    TEXTS.par_iter().for_each(|(name, make)| {
        let text = make(&mut Random(1), 1 << 14);
        assert!(text.len() > 1 << 13, "{name}");
        assert_comes_back(&text, name);
    });
}

#[test]
fn a_million_open_variations_need_little_stack() {
    let threads = rayon::ThreadPoolBuilder::new().stack_size(STACK_BYTES);
    let threads = threads.build().unwrap();
    for part in ["(", "(1. d4 "] {
        let text = ["1. e4 ", &part.repeat(1_000_000)].concat();
        threads.install(|| assert_comes_back(text.as_bytes(), part));
    }
}

#[test]
fn many_tag_pairs_come_back() {
    let text = "[A \"\"]\n".repeat(sized(300_000, 1_000_000));
    assert_comes_back(text.as_bytes(), "one name");
}

#[test]
fn a_roster_of_many_names_comes_back() {
    let names: String = (0..sized(200_000, 1_000_000))
        .map(|n| format!("[T{n} \"\"]\n"))
        .collect();
    assert_comes_back(names.as_bytes(), "many names");
}

#[test]
fn a_tag_value_of_16_mib_comes_back() {
    let text = format!("[Event \"{}\"]\n\n1. e4 *\n", "a ".repeat(8 << 20));
    assert_comes_back(text.as_bytes(), "a long value");
}
