//! `pgna view`, `list` and `info`.

use super::{TWO_GAMES, Workspace, json};

#[test]
fn games_are_printed_byte_for_byte() {
    let workspace = Workspace::packed();
    let second = TWO_GAMES.rfind("[Event").unwrap();
    let (first, second) = TWO_GAMES.split_at(second);
    for (args, text) in [
        (&["1"][..], first),
        (&["2"], second),
        (&["2", "1"], &[second, first].concat()),
        (&["1-2"], TWO_GAMES),
        (&["1-"], TWO_GAMES),
    ] {
        let run = workspace
            .run(&[&["view", "games.pgna"], args].concat())
            .exits(0);
        assert_eq!(run.text(), text, "{args:?}");
    }
}

#[test]
fn missing_games_and_positions_are_reported() {
    let workspace = Workspace::packed();
    let run = workspace
        .run(&["view", "games.pgna", "3", "2@0", "1@4"])
        .exits(1);
    assert_eq!(run.text().lines().count(), 1);
    let run = run.says("no game 3: the archive has 2");
    run.says("no position 1@4: its main line ends at ply 3");
    let run = workspace.run(&["view", "games.pgna", "1-9"]).exits(1);
    assert_eq!(run.text(), TWO_GAMES);
    run.says("no games 3 to 9: the archive has 2");
    let run = workspace.run(&["list", "games.pgna", "2-9"]).exits(1);
    assert_eq!(run.text().lines().count(), 1);
    run.says("no games 3 to 9: the archive has 2");
    let run = workspace.run(&["list", "games.pgna", "1@2"]).exits(2);
    assert!(!run.err.contains("@34"), "{}", run.err);
    workspace.run(&["view", "games.pgna", "3-"]).exits(1);
    workspace.run(&["view", "games.pgna", "3@0"]).exits(1);
    workspace.run(&["list", "games.pgna", "3"]).exits(1);
}

#[test]
fn positions_are_printed_as_fen() {
    let workspace = Workspace::packed();
    let run = workspace
        .run(&["view", "games.pgna", "1@3", "2@2"])
        .exits(0);
    let lines: Vec<&str> = run.text().lines().collect();
    let expected = [
        "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2",
        "rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 0 2",
    ];
    assert_eq!(lines, expected);
    let run = workspace
        .run(&["view", "games.pgna", "1@3", "--json"])
        .exits(0);
    let value = json(run.text());
    assert_eq!(value["fen"], expected[0]);
    assert_eq!((&value["number"], &value["ply"]), (&1.into(), &3.into()));
}

#[test]
fn games_are_printed_as_json() {
    let workspace = Workspace::packed();
    let run = workspace
        .run(&["view", "games.pgna", "1-", "--json"])
        .exits(0);
    let games: Vec<serde_json::Value> = run.text().lines().map(json).collect();
    let [first, second] = &games[..] else {
        panic!("{} games", games.len());
    };
    assert_eq!(first["tags"]["White"], "Müller\"s");
    assert_eq!(first["moves"], serde_json::json!(["e4", "e5", "Nf3"]));
    assert_eq!(first["result"], "1-0");
    assert_eq!(first["movetext"][2], serde_json::json!({ "nag": 14 }));
    let comment = serde_json::json!({ "comment": "a comment" });
    assert_eq!(first["movetext"][3], comment);
    assert_eq!(second["number"], 2);
    assert_eq!(second["moves"], serde_json::json!(["d4", "d5"]));
    let begin = serde_json::json!({ "variation": "begin" });
    assert_eq!(second["movetext"][1], begin);
}

#[test]
fn malformed_games_are_printed_as_json() {
    let workspace = Workspace::new();
    let nested = format!("1. e4 {} 1-0\n", "(1. d4 ".repeat(20_000));
    workspace.write(
        "x.pgn",
        [nested.as_bytes(), b"\n[White \"M\xfcller\"]\n\n*\n"].concat(),
    );
    workspace.run(&["pack", "x.pgn"]).exits(0);
    let run = workspace.run(&["view", "x.pgna", "1-", "--json"]).exits(0);
    let last = json(run.text().lines().last().unwrap());
    assert_eq!(last["tags"]["White"], "Müller");
    let raw = workspace.run(&["view", "x.pgna", &last["number"].to_string()]);
    assert!(raw.out.windows(7).any(|bytes| bytes == b"M\xfcller\""));
}

#[test]
fn games_are_listed() {
    let workspace = Workspace::packed();
    let run = workspace.run(&["list", "games.pgna"]).exits(0);
    let lines: Vec<&str> = run.text().lines().collect();
    assert_eq!(
        lines,
        ["1\tMüller\"s\tB\t1-0\t\tA\t3", "2\t\t\t\t2024.01.02\tB\t2"]
    );
    let run = workspace
        .run(&["list", "games.pgna", "2", "--json"])
        .exits(0);
    let game = json(run.text());
    assert_eq!((&game["number"], &game["plies"]), (&2.into(), &2.into()));
    assert_eq!(game["date"], "2024.01.02");
}

#[test]
fn info_lists_the_contents() {
    let workspace = Workspace::packed();
    let run = workspace.run(&["info", "games.pgna", "--json"]).exits(0);
    let info = json(run.text());
    assert_eq!((&info["games"], &info["records"]), (&2.into(), &2.into()));
    assert_eq!(info["raw_bytes"], TWO_GAMES.len());
    assert_eq!(info["archive_bytes"], workspace.read("games.pgna").len());
    assert_eq!(info["sources"][0]["name"], "games.pgn");
    let digest = blake3::hash(TWO_GAMES.as_bytes()).to_hex().to_string();
    assert_eq!(info["sources"][0]["blake3"], digest.as_str());
    assert_eq!(info["warnings"], serde_json::json!([]));
    let text = workspace.run(&["info", "games.pgna"]).exits(0);
    assert!(text.text().contains(&digest));
}

#[test]
fn sizes_add_up_to_the_archive() {
    let workspace = Workspace::packed();
    let run = workspace.run(&["info", "games.pgna", "--sizes", "--json"]);
    let sizes = &json(run.exits(0).text())["sizes"];
    let sum = |value: &serde_json::Value| -> u64 {
        let object = value.as_object().unwrap();
        object.values().filter_map(|n| n.as_u64()).sum()
    };
    let columns = sizes["columns"].as_object().unwrap();
    assert!(columns.contains_key("moves") && columns.contains_key("[White]"));
    let all: u64 = columns.values().map(sum).sum();
    let rest = sum(&sizes["tables"]) + sum(&sizes["frames"]);
    assert_eq!(all + rest, workspace.read("games.pgna").len() as u64);
    let table = workspace.run(&["info", "games.pgna", "--sizes"]).exits(0);
    assert!(table.text().contains("\n[White] "));
    assert!(!size_lines(table.text()).is_empty());
}

/// The lines of the table of `info --sizes`. Asserts that none is wider than 100 characters.
fn size_lines(text: &str) -> Vec<&str> {
    let (_, table) = text.split_once("encoding\n").unwrap();
    let lines: Vec<&str> = table.lines().take_while(|line| !line.is_empty()).collect();
    assert!(lines.iter().all(|line| line.chars().count() <= 100));
    lines
}

/// The rows of `info --sizes`: name, bytes, encoding.
fn size_rows(text: &str) -> Vec<(String, u64, String)> {
    let lines = size_lines(text).into_iter();
    let cells = lines.map(|line| {
        let (name, cells) = line.split_at(24);
        let bytes = cells.get(..14).unwrap().trim().replace(',', "");
        let encoding = cells.get(44..).unwrap_or_default().to_owned();
        (name.trim_end().to_owned(), bytes.parse().unwrap(), encoding)
    });
    cells.collect()
}

/// 600 games with clocks, evaluations, arrows and prose.
fn annotated_games() -> String {
    let game = |number: u32| {
        let (seconds, eval) = (59 - number % 7, 10 + number * 37 % 90);
        let letter = |place| char::from(b"etaoinshrdlu"[(number * number / place % 12) as usize]);
        let word: String = [1, 5, 25, 125, 625].map(letter).iter().collect();
        format!(
            "[White \"W{}\"]\n[Date \"2020.01.{:02}\"]\n[UTCDate \"2020.01.{:02}\"]\n\n\
             1. e4 {{ [%eval 0.{eval:02}] [%clk 0:02:{seconds:02}] }} \
             1... e5 {{ [%eval -0.{eval:02}] [%clk 0:02:{seconds:02}] }} \
             2. Nf3 {{ [%cal G{}] }} 2... Nc6 {{ Remark on {word} }} *\n\n",
            number % 3,
            number % 9 + 1,
            number % 9 + 1,
            ["d7d5", "d2d4", "c2c4"][(number * number / 7 % 3) as usize],
        )
    };
    (0..600).map(game).collect()
}

#[test]
fn size_rows_sum_to_the_file_size_and_match_json() {
    let workspace = Workspace::new();
    workspace.write("many.pgn", annotated_games());
    workspace.run(&["pack", "many.pgn"]).exits(0);
    let file_bytes = workspace.read("many.pgna").len() as u64;
    let run = workspace.run(&["info", "many.pgna", "--sizes"]).exits(0);
    let rows = size_rows(run.text());
    let (last, own) = rows.split_last().unwrap();
    assert_eq!((last.0.as_str(), last.1), ("all", file_bytes));
    let is_part = |row: &&(String, u64, String)| row.0.starts_with("  ");
    let whole = own.iter().filter(|row| !is_part(row));
    assert_eq!(whole.map(|row| row.1).sum::<u64>(), file_bytes);
    let run = workspace.run(&["info", "many.pgna", "--sizes", "--json"]);
    let sizes = json(run.exits(0).text())["sizes"].clone();
    let parts = own.iter().filter(is_part);
    let marks = &sizes["columns"]["marks"]["blocks_bytes"];
    assert_eq!(parts.map(|row| row.1).sum::<u64>(), *marks);
    let bytes_of = |name: &str| own.iter().find(|row| row.0 == name).unwrap();
    for name in ["clocks", "evals", "squares", "layout"] {
        let (_, bytes, encoding) = bytes_of(&format!("  {name}"));
        assert_eq!(sizes["marks"][name]["bytes"], *bytes, "{name}");
        assert!(*bytes > 0 && encoding.contains(" at "), "{name}");
    }
    assert_eq!(sizes["marks"]["clocks"]["count"], 1200);
    assert_eq!(sizes["marks"]["evals"]["count"], 1200);
    assert_eq!(sizes["marks"]["squares"]["count"], 600);
    let columns = sizes["columns"].as_object().unwrap();
    for (name, column) in columns {
        let bytes = ["blocks_bytes", "tables_bytes"].map(|part| column[part].as_u64().unwrap());
        let bytes = bytes.iter().sum::<u64>();
        let row = own.iter().find(|row| row.0 == *name);
        assert_eq!(row.map_or(0, |row| row.1), bytes, "{name}");
    }
    let kinds = sizes["tables_of_columns"].as_object().unwrap().values();
    let of_columns = columns
        .values()
        .map(|column| column["tables_bytes"].as_u64().unwrap());
    let kinds: u64 = kinds.map(|bytes| bytes.as_u64().unwrap()).sum();
    assert_eq!(kinds, of_columns.sum::<u64>());
    let (.., of_date) = bytes_of("[UTCDate]");
    assert!(of_date.contains("[Date]"), "{of_date}");
    assert!(bytes_of("comments").2.contains("zstd"));
}

#[test]
fn an_empty_archive_is_valid() {
    let workspace = Workspace::new();
    workspace.write("empty.pgn", "");
    workspace.run(&["pack", "empty.pgn", "--test"]).exits(0);
    for verb in ["info", "list", "test"] {
        workspace.run(&[verb, "empty.pgna"]).exits(0);
    }
    workspace.run(&["info", "--sizes", "empty.pgna"]).exits(0);
    workspace.run(&["view", "empty.pgna", "1-"]).exits(1);
    workspace
        .run(&["unpack", "empty.pgna", "-o", "out"])
        .exits(0);
    assert_eq!(workspace.read("out/empty.pgn"), b"");
}
