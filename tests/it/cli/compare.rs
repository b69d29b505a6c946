//! `pgna compare`: counts, inputs, and excluded games. Speeds vary and are not checked.

use super::{Workspace, json};
use pgna::Codec;
use serde_json::Value;

/// A game of 6 plies (the worked example of `spec/moves.md`), one of 1 ply, one without plies, and
/// one with an illegal move.
const GAMES: &str = "[Event \"A\"]\n\n1. e4 e5 2. Nf3 f6 3. Nxe5 fxe5 1-0\n\n\
     [Event \"B\"]\n\n1. d4 1/2-1/2\n\n\
     [Event \"C\"]\n\n*\n\n\
     [Event \"D\"]\n\n1. e4 Ke7 2. e4 *\n\n";

fn compared(workspace: &Workspace, args: &[&str]) -> Value {
    let args = [&["compare", "--json"], args].concat();
    json(workspace.run(&args).exits(0).text())
}

fn workspace() -> Workspace {
    let workspace = Workspace::new();
    workspace.write("games.pgn", GAMES);
    workspace
}

/// The figures without times and speeds.
fn without_times(mut figures: Value) -> Value {
    let mut rows: Vec<Value> = figures["codecs"].as_array().unwrap().clone();
    rows.push(figures["auto"].take());
    for row in &mut rows {
        let timed = |key: &String| key.ends_with("_seconds") || key.ends_with("_per_second");
        row.as_object_mut().unwrap().retain(|key, _| !timed(key));
    }
    figures["codecs"] = rows.into();
    figures
}

fn row(figures: &Value, codec: Codec) -> &Value {
    let rows = figures["codecs"].as_array().unwrap();
    let selector = u64::from(codec.selector());
    rows.iter().find(|row| row["selector"] == selector).unwrap()
}

#[test]
fn figures_include_counts() {
    let figures = compared(&workspace(), &["games.pgn"]);
    assert_eq!(
        (&figures["games"], &figures["plies"]),
        (&2.into(), &7.into())
    );
    assert_eq!(figures["plies_per_game"], 3.5);
    assert_eq!(figures["games_without_plies"], 1);
    let left_out = figures["games_left_out"].as_object().unwrap();
    assert_eq!(left_out["illegal or ambiguous move"], 1);
    assert_eq!(left_out.len(), 1);
    assert!(
        figures["note"]
            .as_str()
            .unwrap()
            .contains("Not in the bits")
    );

    let rows = figures["codecs"].as_array().unwrap();
    // `model` with each of three levels.
    assert_eq!(rows.len(), Codec::ALL.len() + 2);
    let elided = row(&figures, Codec::HuffmanElided);
    assert_eq!(
        (&elided["codec"], &elided["form"]),
        (&"huffman".into(), &"start elided".into())
    );
    // 11 bytes for the worked example, and 2 for the game of one ply: two leaves of 6 and 7 bits.
    assert_eq!(
        (&elided["games"], &elided["bytes"]),
        (&2.into(), &13.into())
    );
    assert_eq!(elided["bits_per_ply"], 8.0 * 13.0 / 7.0);
    assert_eq!(elided["bytes_per_game"], 6.5);
    assert_eq!(elided["not_represented_games"], 0);
    assert!(elided["encode_plies_per_second"].as_f64().unwrap() > 0.0);
}

#[test]
fn auto_chooses_a_model_or_the_smallest_codec() {
    let figures = compared(&workspace(), &["games.pgn"]);
    let rows = figures["codecs"].as_array().unwrap();
    let number = |row: &Value, field: &str| row[field].as_u64().unwrap();
    let won: u64 = rows.iter().map(|row| number(row, "smallest_games")).sum();
    assert_eq!(won, 2);
    let auto = &figures["auto"];
    assert_eq!((number(auto, "games"), number(auto, "plies")), (2, 7));
    let all = rows.iter().filter(|row| row["games"] == 2);
    let no_other = all.filter(|row| row["codec"] != "model" || row["form"] == "default");
    let least = no_other.map(|row| number(row, "bytes")).min().unwrap();
    assert!(number(auto, "bytes") <= least);
}

#[test]
fn the_table_has_a_row_for_each_codec() {
    let run = workspace().run(&["compare", "games.pgn"]).exits(0);
    let text = run.text();
    assert!(text.starts_with("2 games, 7 plies, 3.5 plies a game\n"));
    for codec in Codec::ALL {
        let title = match (codec, codec.form()) {
            (Codec::Model, _) => "model, default".to_owned(),
            (_, "") => codec.name().to_owned(),
            (_, form) => format!("{}, {form}", codec.name()),
        };
        assert!(text.contains(&format!("\n{title} ")), "{title}");
    }
    for line in [
        "\nauto ",
        "\nNot in the bits: ",
        "\n1 game left out: no plies\n",
    ] {
        assert!(text.contains(line), "{line}");
    }
    assert!(text.ends_with("1 game left out: illegal or ambiguous move\n"));
    assert_eq!(run.err, "");
}

#[test]
fn every_kind_of_input_gives_the_same_figures() {
    let workspace = workspace();
    let expected = without_times(compared(&workspace, &["games.pgn"]));
    let zst = zstd::encode_all(GAMES.as_bytes(), 1).unwrap();
    workspace.write("games.pgn.zst", zst);
    workspace.write("folder/sub/games", GAMES);
    workspace.run(&["pack", "games.pgn"]).exits(0);
    workspace.write("unnamed", workspace.read("games.pgna"));
    for input in ["games.pgn.zst", "folder", "games.pgna", "unnamed"] {
        for more in [&[][..], &["--no-mmap"], &["-T1"]] {
            let figures = compared(&workspace, &[&[input], more].concat());
            assert_eq!(without_times(figures), expected, "{input} {more:?}");
        }
    }
    let run = workspace.run_with(&["compare", "--json", "-"], GAMES.as_bytes());
    assert_eq!(without_times(json(run.exits(0).text())), expected);
    let twice = compared(&workspace, &["games.pgn", "games.pgna"]);
    assert_eq!((&twice["games"], &twice["plies"]), (&4.into(), &14.into()));
}

/// The input is several times as large as the read buffer, with games of all lengths.
#[test]
fn games_may_span_read_buffers() {
    let workspace = Workspace::new();
    let game = |n: usize| {
        format!(
            "[Round \"{n}\"]\n\n1. e4 {{{}}} *\n\n",
            "x".repeat(n % 5000)
        )
    };
    let games: String = (0..1000).map(|n| game(n * 37)).collect();
    let long = format!(
        "[Round \"0\"]\n\n1. e4 {{{}}} e5 *\n\n",
        "x".repeat(3 << 20)
    );
    workspace.write("games.pgn", [long, games].concat());
    let figures = compared(&workspace, &["games.pgn"]);
    assert_eq!(
        (&figures["games"], &figures["plies"]),
        (&1001.into(), &1002.into())
    );
}

#[test]
fn the_number_of_games_can_be_limited() {
    let workspace = workspace();
    workspace.run(&["pack", "games.pgn"]).exits(0);
    for input in ["games.pgn", "games.pgna"] {
        for (games, measured, others) in [("1", 1, 0), ("3", 2, 1), ("4", 2, 1), ("9", 2, 1)] {
            let figures = compared(&workspace, &[input, "--games", games]);
            assert_eq!(figures["games"], measured, "{input} {games}");
            assert_eq!(figures["games_without_plies"], others, "{input} {games}");
        }
    }
    let figures = compared(&workspace, &["games.pgn", "games.pgna", "--games", "5"]);
    assert_eq!(figures["games"], 3);
}

#[test]
fn input_without_games_finds_nothing() {
    let workspace = Workspace::new();
    workspace.write("notes.txt", "no game at all\n");
    let run = workspace.run(&["compare", "notes.txt"]).exits(1);
    assert_eq!(run.text(), "0 games, 0 plies\n");
    run.says("no games with plies");
    let run = workspace.run(&["compare", "notes.txt", "--json"]).exits(1);
    assert_eq!(json(run.text())["auto"]["bits_per_ply"], Value::Null);
}

#[test]
fn unreadable_inputs_are_reported() {
    let workspace = workspace();
    workspace.run(&["pack", "games.pgn"]).exits(0);
    let archive = workspace.read("games.pgna");
    workspace.write("games.pgna.zst", zstd::encode_all(&archive[..], 1).unwrap());
    let run = workspace.run(&["compare", "games.pgna.zst"]).exits(2);
    run.says("decompress it first");
    workspace.write("cut.pgna", &archive[..archive.len() / 2]);
    workspace.run(&["compare", "cut.pgna"]).exits(4);
    workspace.write("text.pgna", GAMES);
    workspace
        .run(&["compare", "text.pgna"])
        .exits(4)
        .says("not a PGN archive");
    workspace.write("cut.pgn.gz", "this is not gzip");
    workspace
        .run(&["compare", "cut.pgn.gz"])
        .exits(2)
        .says("cut.pgn.gz");
}
