//! Moves in comments round-trip with every move codec and are coded as moves.

use crate::unpacked::unpack;
use pgna::{Codec, PackOptions, PackReport, Writer};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Asserts that a text round-trips without verbatim games. Returns the archive size in bytes.
fn assert_structured_round_trip(text: &str, codecs: &[Codec]) -> usize {
    let (bytes, report) = assert_round_trip(text, codecs);
    assert_eq!(report.verbatim, BTreeMap::new(), "{text}");
    bytes
}

/// Asserts that a text round-trips. Returns the size of the archive in bytes and the report.
fn assert_round_trip(text: &str, codecs: &[Codec]) -> (usize, PackReport) {
    let options = PackOptions {
        codecs: codecs.to_vec(),
        ..PackOptions::default()
    };
    let mut writer = Writer::new(Vec::new(), options).unwrap();
    writer.add_source("games.pgn", text.as_bytes()).unwrap();
    let (mut archive, slot, report) = writer.finish_with_slot().unwrap();
    slot.write_to(&mut archive);
    let [(_, back)] = &unpack(&archive).unwrap()[..] else {
        panic!("one source");
    };
    assert_eq!(back, text.as_bytes());
    (archive.len(), report)
}

const PLIES: [&str; 12] = [
    "e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4", "Nf6", "O-O", "Be7", "Re1", "b5",
];

/// Games in which each move has a comment with a line of moves: the next `plies` plies of the game,
/// or `other`.
fn games(count: usize, plies: usize, tags: &str, other: Option<&str>) -> String {
    let mut text = String::new();
    for game in 0..count {
        write!(text, "[Event \"{game}\"]\n{tags}\n").unwrap();
        for at in 0..PLIES.len() {
            if at % 2 == 0 {
                write!(text, "{}. ", at / 2 + 1).unwrap();
            }
            let last = (at + plies).min(PLIES.len());
            let line = other.map_or_else(|| PLIES[at..last].join(" "), str::to_owned);
            let depth = 10 + (game * 7 + at * 3) % 9;
            write!(text, "{} {{d={depth}, pv={line}, tb=0}} ", PLIES[at]).unwrap();
        }
        text.push_str("*\n\n");
    }
    text
}

const CODECS: [&[Codec]; 4] = [
    &[Codec::Model],
    &[Codec::Huffman],
    &[Codec::Radix, Codec::Model],
    &[Codec::San],
];

#[test]
fn lines_round_trip() {
    for codecs in CODECS {
        assert_structured_round_trip(&games(9, 5, "", None), codecs);
        assert_structured_round_trip(&games(9, 5, "", Some("Nf3 Qxe9 Kd2")), codecs);
        assert_structured_round_trip(&games(9, 5, "", Some("e2e4 e7e5 g1f3")), codecs);
        assert_structured_round_trip(&games(9, 5, "[Variant \"Atomic\"]\n", None), codecs);
        assert_round_trip(&games(9, 5, "[Variant \"Nonsense\"]\n", None), codecs);
    }
}

/// Too few lines for a table to pay for itself.
#[test]
fn lines_round_trip_without_a_table() {
    let game = "[Event \"?\"]\n\n1. e4 {1. e4 e5} e5 {1. e4 e5} 2. d4 {1. e4 e5} 1-0\n\n";
    for codecs in CODECS {
        assert_structured_round_trip(game, codecs);
    }
}

#[test]
fn lines_in_variations_round_trip() {
    let game = "[Event \"?\"]\n\n{d4 is best} 1. e4 {e5 is best} (1. d4 {d5 is best} \
        Nf6 (1... d5 {Nf3 is best} 2. c4 {c6 is best}) {c4 is best} 2. c4) e5 {Nf3 is best} \
        2. -- {Nc6 is best} Nc6 {Bb5 is best} *\n\n";
    for codecs in CODECS {
        assert_structured_round_trip(&game.repeat(9), codecs);
    }
}

/// A line that repeats the moves of the game costs almost nothing.
#[test]
fn long_lines_cost_little_more_than_short_ones() {
    let codecs = [Codec::Model];
    let [short, long] =
        [1, 9].map(|plies| assert_structured_round_trip(&games(50, plies, "", None), &codecs));
    assert!(long < short + 50 * 6, "{long} and {short} bytes");
}
