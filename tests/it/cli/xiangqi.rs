//! `pgna xiangqi`.

use super::{Workspace, json};

const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

/// The worked example of `docs/xiangqi.md`.
const EXAMPLE: &str = "3k3n1/9/9/P8/9/9/9/9/4A4/4K4 w - - 0 1";
const EXAMPLE_LINK: &str = "gwAAAAAAAAABQQAAIAAAAAAAAQ";
const EXAMPLE_WITH_MOVES: &str = "gwAAAAAAAAABQQAAIAAAAAAAAAEt";

#[test]
fn the_start_is_shown() {
    let run = Workspace::new().run(&["xiangqi"]).exits(0);
    for line in [
        "    a   b   c   d   e   f   g   h   i\n10  r---n---b---a---k---a---b---n---r   10\n",
        "\nto move  Red, 44 legal moves\n",
        &format!("\nfen      {START}\n"),
        "\nlink     hSSAiQWlAhCEIUkIgElRoIQhDw\n",
        "\nxq-array    257  aaab",
        "\nxq-prefix   149  8524808905a5",
    ] {
        assert!(run.text().contains(line), "{line}");
    }
    assert_eq!(run.err, "");
    let drawn = Workspace::new().run(&["xiangqi", "--characters"]).exits(0);
    assert!(drawn.text().contains("10  車--馬--象--士--將"));
}

#[test]
fn moves_round_trip_through_the_link() {
    let workspace = Workspace::new();
    for moves in ["a7b7 h10g8", "a7-b7,h10-g8", "\ta7b7 ,\n h10g8\n"] {
        let run = workspace
            .run(&["xiangqi", EXAMPLE, "--moves", moves])
            .exits(0);
        let link = format!("\nlink     {EXAMPLE_WITH_MOVES}\n");
        assert!(run.text().contains(&link), "{moves}");
    }
    for link in [
        EXAMPLE_WITH_MOVES.to_owned(),
        format!("https://example.org/xiangqi/{EXAMPLE_WITH_MOVES}"),
        format!("https://example.org/#{EXAMPLE_WITH_MOVES}"),
        format!("https://example.org/#{EXAMPLE_WITH_MOVES}/"),
        format!("https://example.org/{EXAMPLE_WITH_MOVES}/?a=b"),
        format!("example.org/{EXAMPLE_WITH_MOVES}#"),
        format!("#{EXAMPLE_WITH_MOVES}"),
    ] {
        let run = workspace.run(&["xiangqi", &link]).exits(0);
        assert!(
            run.text()
                .contains("\nmoves    a7b7 h10g8\n         2 plies\n")
        );
        assert!(run.text().contains(&format!("\nstart    {EXAMPLE}\n")));
    }
    // Moves are appended to those of the link.
    let once = workspace
        .run(&["xiangqi", EXAMPLE, "--moves", "a7b7", "--json"])
        .exits(0);
    let link = json(once.text())["link"].as_str().unwrap().to_owned();
    let twice = workspace
        .run(&["xiangqi", &link, "--moves", "h10g8", "--json"])
        .exits(0);
    assert_eq!(json(twice.text())["link"], EXAMPLE_WITH_MOVES);
}

#[test]
fn everything_is_printed_as_json() {
    let run = Workspace::new()
        .run(&["xiangqi", EXAMPLE, "--json"])
        .exits(0);
    let value = json(run.text());
    assert_eq!(
        (&value["start"], &value["fen"]),
        (&EXAMPLE.into(), &EXAMPLE.into())
    );
    assert_eq!(value["link"], EXAMPLE_LINK);
    assert_eq!(value.get("cannot_share"), None);
    assert_eq!(value["to_move"], "red");
    assert_eq!(value["in_check"], false);
    assert_eq!(value["legal_moves"][0], "a7a8");
    assert_eq!(value["legal_moves"].as_array().unwrap().len(), 7);
    let codes = value["codes"].as_array().unwrap();
    let bits: Vec<u64> = codes
        .iter()
        .map(|code| code["bits"].as_u64().unwrap())
        .collect();
    assert_eq!(bits, [257, 67, 151, 58]);
    assert_eq!(codes[3]["code"], "xq-ranked");
    assert_eq!(codes[3]["hex"], "819ad5a8fdc60040");
    assert_eq!(codes[3]["base64"], "gZrVqP3GAEA");
}

#[test]
fn codes_are_printed_and_decoded() {
    let workspace = Workspace::new();
    for code in ["xq-array", "xq-list", "xq-prefix", "xq-ranked"] {
        for hex in [&[][..], &["--hex"]] {
            let args = [&["xiangqi", EXAMPLE, "--code", code], hex].concat();
            let run = workspace.run(&args).exits(0);
            let text = run.text().trim_end();
            assert!(!text.contains('\n'));
            let args = [&["xiangqi", "--code", code, "--decode", text], hex].concat();
            assert_eq!(workspace.run(&args).exits(0).text(), format!("{EXAMPLE}\n"));
        }
    }
    let run = workspace
        .run(&["xiangqi", EXAMPLE, "--code", "xq-list", "--hex"])
        .exits(0);
    assert_eq!(run.text(), "8a0aa298f3700760e0\n");
}

#[test]
fn decoded_positions_support_all_options() {
    let workspace = Workspace::new();
    let decode = ["xiangqi", "--code", "xq-list", "--decode", "igqimPNwB2Dg"];
    let with = |more: &[&str]| workspace.run(&[&decode, more].concat()).exits(0);
    let value = json(with(&["--json"]).text());
    assert_eq!(value["fen"], EXAMPLE);
    assert_eq!(value["codes"].as_array().unwrap().len(), 1);
    assert_eq!(value["codes"][0]["base64"], "igqimPNwB2Dg");
    let drawn = with(&["--characters"]);
    assert!(drawn.text().contains(&format!("\nfen      {EXAMPLE}\n")));
    assert!(drawn.text().contains("將"));
    let moved = with(&["--moves", "a7b7"]);
    assert_eq!(moved.text(), "3k3n1/9/9/1P7/9/9/9/9/4A4/4K4 b - - 0 1\n");
    let args = ["xiangqi", EXAMPLE, "--code", "xq-list", "--json"];
    assert_eq!(json(workspace.run(&args).exits(0).text()), value);
}

/// A link may begin with `-`, and options may follow it.
#[test]
fn links_may_begin_with_a_dash() {
    let workspace = Workspace::new();
    let link = "-YAAAAAAAAAAAQAAAAAAAAAAAQ";
    for args in [&[link][..], &["--", link], &[link, "--json"]] {
        let run = workspace.run(&[&["xiangqi"], args].concat()).exits(0);
        assert!(run.text().contains(link), "{args:?}");
    }
    let value = json(workspace.run(&["xiangqi", "--json", link]).exits(0).text());
    assert_eq!(value["link"], link);
}

#[test]
fn a_fen_needs_no_quotes() {
    let workspace = Workspace::new();
    let words: Vec<&str> = EXAMPLE.split(' ').collect();
    let args = [&["xiangqi"], &words[..], &["--json"]].concat();
    assert_eq!(json(workspace.run(&args).exits(0).text())["fen"], EXAMPLE);
    let spaced = format!(" {EXAMPLE}\n");
    let run = workspace.run(&["xiangqi", &spaced, "--json"]).exits(0);
    assert_eq!(json(run.text())["fen"], EXAMPLE);
}

#[test]
fn unrepresentable_positions_are_reported() {
    let workspace = Workspace::new();
    let cannons = "8C/9/9/9/9/9/9/9/9/CC7";
    let run = workspace.run(&["xiangqi", cannons]).exits(0);
    let why = "Red has too many cannons: at most 2";
    assert!(run.text().contains(&format!("\nlink     none: {why}\n")));
    assert!(
        run.text()
            .contains(&format!("\nxq-list       -  cannot represent: {why}\n"))
    );
    let value = json(
        workspace
            .run(&["xiangqi", cannons, "--json"])
            .exits(0)
            .text(),
    );
    assert_eq!(value.get("link"), None);
    assert_eq!(value["cannot_share"], why);
    assert_eq!(value["codes"][0]["cannot_represent"], why);
    let run = workspace
        .run(&["xiangqi", cannons, "--code", "xq-list"])
        .exits(2);
    run.says("xq-list cannot represent the position: Red has too many cannons");
}

#[test]
fn counters_are_not_stored() {
    let workspace = Workspace::new();
    let counted = EXAMPLE.replace("0 1", "3 40");
    let run = workspace.run(&["xiangqi", &counted]).exits(0);
    assert!(run.text().contains(&format!("\nfen      {EXAMPLE}\n")));
    run.says("the counters of the FEN, 3 and 40, are not stored");
    let quiet = workspace.run(&["-q", "xiangqi", &counted]).exits(0);
    assert_eq!(quiet.err, "");
}

#[test]
fn wrong_input_is_reported() {
    let workspace = Workspace::new();
    let says = |args: &[&str], what: &str| {
        let run = workspace.run(&[&["xiangqi"], args].concat()).exits(2);
        assert_eq!(run.text(), "", "{args:?}");
        run.says(what);
    };
    says(&["9/9"], "\"9/9\" is neither a FEN nor a share link");
    says(
        &["--jsn"],
        "\"--jsn\" is neither an option nor a FEN nor a share link",
    );
    says(&[""], "an empty text is neither a FEN nor a share link");
    let board_of_chess = "rnbqkbnr/8/8/8/8/8/8/RNBQKBNR";
    says(&[board_of_chess], "is not a FEN of Xiangqi");
    let chess = format!("{board_of_chess} w KQkq - 0 1");
    says(&[&chess], "the third and the fourth field must be -");
    says(
        &["9/9 w"],
        "\"9/9 w\" is not a FEN of Xiangqi: a board has 10 ranks",
    );
    let long = "A".repeat(200);
    says(&[&long], &format!("\"{}…\" is neither", "A".repeat(59)));
    says(&["hello"], "neither a FEN nor a share link");
    says(&["https://example.org/"], "neither a FEN nor a share link");
    says(
        &["--moves", "h3e9"],
        "ply 1, h3e9, is illegal: the Red cannon on h3 can play h3h10 ",
    );
    says(
        &["--moves", "a4a5 e4e5"],
        "ply 2, e4e5, is illegal: the Red soldier on e4 is not Black's",
    );
    says(&["--moves", "e5e6"], "e5 is empty");
    let e1d1 = "ply 1, e1d1, is illegal: the Red general on e1 can play e1f1";
    says(&[EXAMPLE, "--moves", "e1d1"], e1d1);
    says(&["--moves", "H2-E2"], "H2-E2: not a move");
    says(
        &["--code", "xq-list", "--decode", "zz"],
        "not URL-safe base64",
    );
    says(
        &["--code", "xq-list", "--decode", "zz", "--hex"],
        "not hexadecimal",
    );
    says(
        &["--code", "xq-list", "--decode", "ff", "--hex"],
        "\"ff\" is not a position in xq-list: 63 pieces",
    );
    says(&["--code", "none"], "xq-ranked");
    says(&["--decode", "gA"], "--code");
    says(&["--hex"], "--code");
    says(
        &["--characters", "--code", "xq-list"],
        "--characters draws a board",
    );
}
