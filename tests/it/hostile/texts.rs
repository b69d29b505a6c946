//! Hostile texts.

use super::assert_round_trip;
use super::made::TEXTS;
use super::random::Random;
use crate::sizes::sized;
use rayon::prelude::*;

/// The stack of the threads, in bytes: small compared with the usual 8 MiB.
const STACK_BYTES: usize = 256 << 10;

#[test]
fn expensive_texts_round_trip() {
    TEXTS.par_iter().for_each(|(name, make)| {
        let text = make(&mut Random(1), 1 << 14);
        assert!(text.len() > 1 << 13, "{name}");
        assert_round_trip(&text, name);
    });
}

#[test]
fn a_million_open_variations_need_little_stack() {
    let threads = rayon::ThreadPoolBuilder::new().stack_size(STACK_BYTES);
    let threads = threads.build().unwrap();
    for part in ["(", "(1. d4 "] {
        let text = ["1. e4 ", &part.repeat(1_000_000)].concat();
        threads.install(|| assert_round_trip(text.as_bytes(), part));
    }
}

#[test]
fn many_tag_pairs_round_trip() {
    let text = "[A \"\"]\n".repeat(sized(300_000, 1_000_000));
    assert_round_trip(text.as_bytes(), "one name");
}

#[test]
fn a_roster_of_many_names_round_trips() {
    let names: String = (0..sized(200_000, 1_000_000))
        .map(|n| format!("[T{n} \"\"]\n"))
        .collect();
    assert_round_trip(names.as_bytes(), "many names");
}

#[test]
fn a_tag_value_of_16_mib_round_trips() {
    let text = format!("[Event \"{}\"]\n\n1. e4 *\n", "a ".repeat(8 << 20));
    assert_round_trip(text.as_bytes(), "a long value");
}
