//! Moves in comments come back, whatever the codec of the moves, and take the
//! budget of moves.

use crate::unpacked::unpack;
use pgna::{Codec, PackOptions, PackReport, Writer};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Packs a text, of which all is structure, and gets it back; gives the size of
/// the archive.
fn comes_back(text: &str, codecs: &[Codec]) -> usize {
    let (bytes, report) = there_and_back(text, codecs);
    assert_eq!(report.verbatim, BTreeMap::new(), "{text}");
    bytes
}

/// Packs a text and gets it back; gives the size of the archive.
fn there_and_back(text: &str, codecs: &[Codec]) -> (usize, PackReport) {
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

/// Games in which each move has a comment with a line: so many moves of the game
/// from there on, or those that `other` says.
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
    &[Codec::ModelFast],
    &[Codec::Huffman],
    &[Codec::Radix, Codec::ModelDefault],
    &[Codec::San],
];

#[test]
fn lines_of_moves_come_back() {
    for codecs in CODECS {
        comes_back(&games(9, 5, "", None), codecs);
        comes_back(&games(9, 5, "", Some("Nf3 Qxe9 Kd2")), codecs);
        comes_back(&games(9, 5, "", Some("e2e4 e7e5 g1f3")), codecs);
        comes_back(&games(9, 5, "[Variant \"Atomic\"]\n", None), codecs);
        there_and_back(&games(9, 5, "[Variant \"Nonsense\"]\n", None), codecs);
    }
}

/// So few lines say nothing that a table would pay for.
#[test]
fn lines_come_back_without_a_table() {
    let game = "[Event \"?\"]\n\n1. e4 {1. e4 e5} e5 {1. e4 e5} 2. d4 {1. e4 e5} 1-0\n\n";
    for codecs in CODECS {
        comes_back(game, codecs);
    }
}

#[test]
fn lines_in_variations_come_back() {
    let game = "[Event \"?\"]\n\n{d4 is best} 1. e4 {e5 is best} (1. d4 {d5 is best} \
        Nf6 (1... d5 {Nf3 is best} 2. c4 {c6 is best}) {c4 is best} 2. c4) e5 {Nf3 is best} \
        2. -- {Nc6 is best} Nc6 {Bb5 is best} *\n\n";
    for codecs in CODECS {
        comes_back(&game.repeat(9), codecs);
    }
}

/// A line that the game has played takes hardly anything.
#[test]
fn long_lines_take_little_more_than_short_ones() {
    let codecs = [Codec::ModelFast];
    let [short, long] = [1, 9].map(|plies| comes_back(&games(50, plies, "", None), &codecs));
    assert!(long < short + 50 * 6, "{long} and {short} bytes");
}
