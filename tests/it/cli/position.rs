//! `pgna position`: encoding, decoding and measuring positions.

use super::{Workspace, json};
use serde_json::Value;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const ROOKS: &str = "r3k2r/8/8/3pP3/8/8/8/R3K2R w Kq d6 0 17";

const GAMES: &str = "[Event \"A\"]\n\n1. e4 e5 2. Nf3 Nc6 1-0\n\n\
     [Event \"B\"]\n[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 *\n\n\
     [Event \"C\"]\n\n1. e4 Ke7 2. e4 *\n\n\
     [Event \"D\"]\n[FEN \"8/8/8/8/8/8/8/K6k b - - 0 1\"]\n\n*\n\n\
     [Event \"E\"]\n[FEN \"8/8/8/8/8/8/8/8 b - - 0 1\"]\n\n*\n\n";

/// The names of all codes. Those before the last represent every position of chess.
const CODES: [&str; 9] = [
    "nibble",
    "base13",
    "mixed-base",
    "huffman-static",
    "difference",
    "piece-list",
    "piece-list-ranked",
    "combined",
    "game",
];

fn row<'v>(value: &'v Value, code: &str) -> &'v Value {
    let rows = value["codes"].as_array().unwrap();
    let named = rows.iter().find(|row| row["code"] == code);
    named.unwrap()
}

#[test]
fn every_code_round_trips() {
    let workspace = Workspace::new();
    let value = json(
        workspace
            .run(&["position", "--json", ROOKS])
            .exits(0)
            .text(),
    );
    assert_eq!(value["fen"], ROOKS);
    assert_eq!(value["combined_takes"], "piece-list");
    let rows = value["codes"].as_array().unwrap().iter();
    assert!(rows.map(|row| row["code"].as_str().unwrap()).eq(CODES));
    for code in &CODES[..8] {
        let row = row(&value, code);
        for (key, hex) in [("base64", None), ("hex", Some("--hex"))] {
            let text = row[key].as_str().unwrap();
            let mut args = vec!["position", "--code", code];
            args.extend(hex);
            let printed = workspace
                .run(&[args.as_slice(), &[ROOKS]].concat())
                .exits(0);
            assert_eq!(printed.text(), format!("{text}\n"));
            let decoded = workspace.run(&[args.as_slice(), &["--decode", text]].concat());
            assert_eq!(decoded.exits(0).text(), format!("{ROOKS}\n"));
        }
    }
    let why = row(&value, "game")["cannot_represent"].as_str();
    assert!(why.unwrap().contains("after ply 32"));
}

#[test]
fn the_table_has_a_row_for_each_code() {
    let workspace = Workspace::new();
    let run = workspace.run(&["position", "startpos"]).exits(0);
    assert!(run.text().starts_with(&format!("{START}\n")));
    for code in CODES {
        assert!(run.text().contains(&format!("\n{code} ")));
    }
    let words: Vec<&str> = START.split(' ').collect();
    let unquoted = workspace
        .run(&[&["position"], words.as_slice()].concat())
        .exits(0);
    assert_eq!(unquoted.text(), run.text());
}

#[test]
fn a_place_in_an_archive_names_a_position() {
    let workspace = Workspace::new();
    workspace.write("games.pgn", GAMES);
    workspace.run(&["pack", "games.pgn"]).exits(0);
    let at = |place| workspace.run(&["position", "--json", "games.pgna", place]);
    let value = json(at("1@3").exits(0).text());
    let fen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2";
    assert_eq!(value["fen"], fen);
    // The number of plies, then 5433 in little-endian order.
    assert_eq!(row(&value, "game")["hex"], "033915");
    let set_up = json(at("2@1").exits(0).text());
    let why = row(&set_up, "game")["cannot_represent"].as_str().unwrap();
    assert!(why.contains("standard start position"));
    at("1@5").exits(1).says("its main line ends at ply 4");
    at("3@2").exits(1).says("no position 3@2");
    at("6@0").exits(1).says("no game 6");
    at("7").exits(2).says("7: give the ply too: 7@34");
}

#[test]
fn all_positions_of_files_are_measured() {
    let workspace = Workspace::new();
    workspace.write("games.pgn", GAMES);
    let run = |args: &[&str]| workspace.run(&[&["position", "games.pgn"], args].concat());
    let value = json(run(&["--json"]).exits(0).text());
    let reasons = serde_json::json!({
        "FEN that gives no position": 1,
        "illegal or ambiguous move": 1,
    });
    assert_eq!(
        (&value["games"], &value["games_left_out"]),
        (&3.into(), &reasons)
    );
    assert_eq!(value["positions"], 5 + 2 + 1);
    let nibble = row(&value, "nibble");
    assert_eq!(nibble["positions"], 8);
    assert_eq!(row(&value, "game")["not_represented_positions"], 3);
    let taken = value["combined_takes"].as_object().unwrap();
    let taken: u64 = taken.values().map(|times| times.as_u64().unwrap()).sum();
    assert_eq!(taken, 8);
    let text = run(&["--games", "1"]).exits(0);
    assert!(text.text().starts_with("1 game, 5 positions\n"));
    run(&["--code", "nibble"])
        .exits(2)
        .says("measured in all codes");
}

#[test]
fn invalid_positions_are_refused() {
    let workspace = Workspace::new();
    let run = |args: &[&str]| workspace.run(&[&["position"], args].concat());
    run(&["nowhere.pgn"])
        .exits(2)
        .says("nowhere.pgn: neither a file nor a FEN");
    run(&["--code", "nibble", "--decode", "AA"])
        .exits(2)
        .says("\"AA\" is not a position in nibble: input ends early");
    run(&["--code", "nibble", "--decode", "!"])
        .exits(2)
        .says("base64");
    run(&["--code", "nibble", "--hex", "--decode", "abc"])
        .exits(2)
        .says("hexadecimal");
    run(&["--code", "piece-list", "8/8/8/8/8/8/8/8 w - - 0 1"])
        .exits(2)
        .says("piece-list cannot represent the position: White without just one king");
    run(&["4k3/8/8/8/8/8/8/4K3", "w", "KX", "-", "0", "1"])
        .exits(2)
        .says("is not a FEN: invalid castling");
    run(&["games.pgna", "0@3"])
        .exits(2)
        .says("games are numbered from 1");
    run(&["startpos", "--games", "3"])
        .exits(2)
        .says("--games is for files");
    run(&["--decode", "AA"]).exits(2);
    run(&[]).exits(2);
}
