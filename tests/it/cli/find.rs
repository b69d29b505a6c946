//! `pgna find`, `tree` and `stats`.

use super::{TWO_GAMES, Workspace, json};

#[test]
fn found_games_are_printed_byte_for_byte() {
    let workspace = Workspace::packed();
    let run = workspace
        .run(&["find", "games.pgna", "-w", "Event = B"])
        .exits(0);
    assert_eq!(run.text(), &TWO_GAMES[TWO_GAMES.rfind("[Event").unwrap()..]);
    let run = workspace
        .run(&["find", "games.pgna", "-w", "Event in (A, B)"])
        .exits(0);
    assert_eq!(run.text(), TWO_GAMES);
    let run = workspace
        .run(&["find", "games.pgna", "-w", "Event?", "-n", "1", "-l"])
        .exits(0);
    assert_eq!(run.text(), "1\n");
}

/// Some files end without a line break, one without a blank line.
#[test]
fn games_of_different_files_are_separated() {
    let workspace = Workspace::new();
    for (name, end) in [
        ("a.pgn", ""),
        ("b.pgn", "\n"),
        ("c.pgn", "\r\n\r\n"),
        ("d.pgn", ""),
    ] {
        workspace.write(
            name,
            format!("[White \"{name}\"]\n\n1. e4 *{end}").as_bytes(),
        );
    }
    workspace
        .run(&["pack", "a.pgn", "b.pgn", "c.pgn", "d.pgn", "-o", "x.pgna"])
        .exits(0);
    let run = workspace.run(&["find", "x.pgna", "-w", "White?"]).exits(0);
    let games: Vec<&str> = run.text().split("[White ").skip(1).collect();
    assert_eq!(games.len(), 4);
    for game in &games[..3] {
        assert!(
            game.ends_with("*\n\n") || game.ends_with("*\r\n\r\n"),
            "{game:?}"
        );
    }
}

#[test]
fn positions_are_printed_in_the_form_view_accepts() {
    let workspace = Workspace::packed();
    let run = workspace
        .run(&["find", "games.pgna", "--after", "1. e4 e5", "-l"])
        .exits(0);
    assert_eq!(run.text(), "1@2\n");
    let run = workspace
        .run(&[
            "find",
            "games.pgna",
            "--after",
            "1. c4",
            "--variations",
            "-l",
        ])
        .exits(0);
    assert_eq!(run.text(), "2\n");
    let run = workspace
        .run(&["find", "games.pgna", "--pattern", "pd5", "--json"])
        .exits(0);
    let value = json(run.text());
    assert_eq!((&value["number"], &value["ply"]), (&2.into(), &2.into()));
    let run = workspace
        .run(&["find", "games.pgna", "--pattern", "Pd4", "--flip", "-l"])
        .exits(0);
    assert_eq!(run.text(), "2@1\n");
    let run = workspace
        .run(&["find", "games.pgna", "--pattern", "Pd4", "--mirror", "-c"])
        .exits(0);
    assert_eq!(run.text(), "2\n");
}

#[test]
fn expressions_and_queries_of_scoutfish_find_games() {
    let workspace = Workspace::packed();
    let list = |args: &[&str]| {
        let run = workspace.run(&[&["find", "games.pgna", "-l"], args].concat());
        run.exits(0).text().to_owned()
    };
    let both = "Pe4 or Pd4";
    assert_eq!(list(&["--position", both]), "1@1\n2@1\n");
    assert_eq!(list(&["--position", both, "-w", "Event = B"]), "2@1\n");
    assert_eq!(list(&["--position", "pd5", "--flip"]), "2@1\n");
    assert_eq!(
        list(&["--position", "plays d4 then within 1 turn black"]),
        "2@1\n"
    );
    assert_eq!(list(&["--position", "moves Pc2", "--variations"]), "2\n");
    let json = r#"{"streak": [{"white-move": "d4"}, {"pass": ""}]}"#;
    assert_eq!(list(&["--scoutfish", json]), "2@1\n");
    workspace.write("query.json", json);
    assert_eq!(list(&["--scoutfish", "@query.json"]), "2@1\n");
    assert_eq!(
        list(&["--scoutfish", r#"{"result": "1-0"}"#, "-w", "Event = A"]),
        "1@0\n"
    );
}

#[test]
fn nothing_found_is_an_exit_status() {
    let workspace = Workspace::packed();
    let run = workspace
        .run(&["find", "games.pgna", "-w", "White = Nobody", "-c"])
        .exits(1);
    assert_eq!(run.text(), "0\n");
    workspace
        .run(&["find", "games.pgna", "--material", "Kk"])
        .exits(1);
    workspace
        .run(&["tree", "games.pgna", "--after", "1. a3"])
        .exits(1);
    workspace
        .run(&["stats", "games.pgna", "--event", "Z"])
        .exits(1);
}

#[test]
fn invalid_queries_are_refused() {
    let workspace = Workspace::packed();
    for (args, why) in [
        (&["-w", "White ~ and x"][..], "White ~ and <HERE>x"),
        (&["--fen", "8/8"], "--fen"),
        (
            &["--fen", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR"],
            "add w or b; or compare only the pieces with --pieces-only",
        ),
        (
            &["--scoutfish", "games.pgn"],
            "; to read the file, write @games.pgn",
        ),
        (&["-w", "haz comments"], "did you mean has?"),
        (&["-w", "has coments"], "did you mean comments?"),
        (&["-w", "elo.maen > 1"], "did you mean elo.mean?"),
        (&["--position", "passd P"], "did you mean passed?"),
        (
            &["--position", "check then within 20 moves mate"],
            "without a unit",
        ),
        (
            &["--after", "1. e4 Ke7"],
            "\"Ke7\" is not a legal move after 1 ply",
        ),
        (
            &["--after", "1. e4 c5 2. Bc5"],
            "\"Bc5\" is not a legal move",
        ),
        (&["--after", "e5 e4"], "\"e5\""),
        (&["--after", "1. e4 e5 2. Zz"], "\"Zz\""),
        (&["--after", "1. e4 (oops"], "\"oops\""),
        (&["--material", "KX"], "--material"),
        (&["--pattern", "Ne9"], "--pattern"),
        (&[], "nothing to look for"),
        (
            &["--position", "check and"],
            "--position: at character 10: expected a test",
        ),
        (&["--position", "isolated Qd"], "isolated <HERE>Qd"),
        (&["--scoutfish", "{"], "--scoutfish: line 1, column 1: "),
        (
            &["--scoutfish", r#"{"colour": ""}"#],
            "--scoutfish: colour: no rule",
        ),
        (&["--scoutfish", "@no.json"], "--scoutfish: no.json: "),
        (&["--pieces-only", "-w", "a?"], "--pieces-only"),
        (&["--flip", "-w", "a?"], "--flip needs"),
        (&["--variations", "-w", "a?"], "--variations"),
    ] {
        let run = workspace.run(&[&["find", "games.pgna"], args].concat());
        run.exits(2).says(why);
    }
}

#[test]
fn tree_counts_the_moves_of_a_position() {
    let workspace = Workspace::packed();
    let run = workspace.run(&["tree", "games.pgna"]).exits(0);
    let lines: Vec<&str> = run.text().lines().collect();
    assert!(lines[0].starts_with("move"));
    assert!(
        lines[1].starts_with("d4 ") && lines[2].starts_with("e4 "),
        "{}",
        run.text()
    );
    let run = workspace
        .run(&["tree", "games.pgna", "--after", "e4 e5", "--json"])
        .exits(0);
    let tree = json(run.text());
    assert_eq!(tree["moves"][0]["move"], "Nf3");
    assert_eq!(tree["moves"][0]["white"], 1);
    assert_eq!(tree["all"]["games"], 1);
}

#[test]
fn stats_describe_the_collection() {
    let workspace = Workspace::packed();
    let run = workspace.run(&["stats", "games.pgna"]).exits(0);
    assert!(
        run.text().contains("games                2"),
        "{}",
        run.text()
    );
    let stats = json(
        workspace
            .run(&["stats", "games.pgna", "--json"])
            .exits(0)
            .text(),
    );
    assert_eq!(stats["white"]["won"], 1);
    assert_eq!(stats["years"]["2024"], 1);
    let run = workspace
        .run(&["stats", "games.pgna", "--event", "A"])
        .exits(0);
    assert!(run.text().contains("Müller\"s"), "{}", run.text());
}

#[test]
fn stats_say_why_there_are_none() {
    let workspace = Workspace::packed();
    workspace
        .run(&["stats", "games.pgna", "--event", "a"])
        .exits(1)
        .says("there is an event \"A\"");
    workspace.write("empty.pgn", "");
    workspace.run(&["pack", "empty.pgn"]).exits(0);
    workspace
        .run(&["stats", "empty.pgna"])
        .exits(1)
        .says("empty.pgna: the archive has no games");
    // The second game names no players.
    let run = workspace.run(&["stats", "games.pgna"]).exits(0);
    assert!(run.text().contains("\n?    "), "{}", run.text());
}

#[test]
fn the_start_position_has_a_name() {
    let workspace = Workspace::packed();
    let run = workspace.run(&["find", "games.pgna", "--fen", "startpos", "-l"]);
    assert_eq!(run.exits(0).text(), "1@0\n2@0\n");
    let named = workspace.run(&["tree", "games.pgna", "--fen", "startpos"]);
    let default = workspace.run(&["tree", "games.pgna"]).exits(0);
    assert_eq!(named.exits(0).text(), default.text());
}

#[test]
fn a_pgn_file_is_not_an_archive() {
    let workspace = Workspace::packed();
    workspace
        .run(&["find", "games.pgn", "-w", "White?"])
        .exits(4)
        .says("games.pgn: not a PGN archive; to make one of a PGN file: pgna pack games.pgn");
}

#[test]
fn indexes_can_be_added_and_removed() {
    let workspace = Workspace::new();
    workspace.write("games.pgn", TWO_GAMES.repeat(4));
    workspace
        .run(&["pack", "games.pgn", "--index", "none"])
        .exits(0);
    let bare = workspace.read("games.pgna");
    let find = ["find", "games.pgna", "--after", "1. e4 e5", "-l", "-v"];
    let run = workspace.run(&find).exits(0).says("without an index");
    assert_eq!(run.text(), "1@2\n3@2\n5@2\n7@2\n");

    workspace
        .run(&["index", "games.pgna"])
        .exits(0)
        .says("8 games");
    let run = workspace.run(&find).exits(0).says("the moves of 0 read");
    assert_eq!(run.text(), "1@2\n3@2\n5@2\n7@2\n");
    let unindexed = [&find[..], &["--no-index"]].concat();
    let run = workspace.run(&unindexed).exits(0).says("without an index");
    assert_eq!(run.text(), "1@2\n3@2\n5@2\n7@2\n");
    let info = workspace.run(&["info", "games.pgna"]).exits(0);
    assert!(info.text().contains("continuations"), "{}", info.text());

    workspace
        .run(&["index", "games.pgna", "--index", "none"])
        .exits(0);
    assert!(workspace.read("games.pgna") == bare);
    workspace
        .run(&["index", "games.pgna", "-o", "other.pgna"])
        .exits(0);
    workspace
        .run(&["index", "games.pgna", "-o", "other.pgna"])
        .exits(2)
        .says("already exists");
    workspace
        .run(&["index", "games.pgna", "-o", "other.pgna", "-f", "-q"])
        .exits(0);
    assert!(workspace.read("games.pgna") == bare);
}

#[test]
fn pockets_and_drops_are_explained() {
    let workspace = Workspace::new();
    let game = "[Variant \"Crazyhouse\"]\n\n1. e4 d5 2. exd5 Qxd5 3. P@e6 *\n";
    workspace.write("x.pgn", game);
    workspace.run(&["pack", "x.pgn"]).exits(0);
    let board = "rnb1kbnr/ppp1pppp/8/3q4/8/8/PPPP1PPP/RNBQKBNR";
    let filter = ["x.pgna", "-w", "variant = crazyhouse", "--fen"];
    for verb in ["find", "tree"] {
        for (pocket, is_said) in [("[PPPq]", true), ("", false)] {
            let fen = format!("{board}{pocket} w KQkq - 0 3");
            let run = workspace.run(&[&[verb], &filter[..], &[&fen]].concat());
            let run = run.exits(0);
            assert_eq!(run.err.contains("pocket"), is_said, "{}", run.err);
        }
    }
    let moves = "1. e4 d5 2. exd5 Qxd5 3. P@e6";
    let after = |moves| workspace.run(&["tree", "x.pgna", "--after", moves]);
    after(moves).exits(2).says("[Variant \"Crazyhouse\"]");
    let with_tag = format!("[Variant \"Crazyhouse\"]\n\n{moves}");
    assert!(!after(&with_tag).err.contains("drop"));
}
