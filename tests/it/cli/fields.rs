//! Fields, names as people write them, and what is said about wrong questions.

use super::{Workspace, json};

/// Names in two encodings, with and without accents.
const GAMES: &[&[u8]] = &[
    b"[White \"N\xe4ss, B.\"]\n[Black \"Tal, Mihail\"]\n[Result \"1-0\"]\n[WhiteElo \"2700\"]\n\
      [BlackElo \"2600\"]\n[Date \"2011.02.03\"]\n[TimeControl \"180+2\"]\n\n1. e4 {N\xf6} e5 1-0\n",
    "[White \"Näss, B.\"]\n[Black \"Tal,M\"]\n[Result \"0-1\"]\n[WhiteElo \"2500\"]\n\
     [Date \"2011.19.11\"]\n[TimeControl \"-\"]\n\n1. f3 e5 2. g4 $2 Qh4# 0-1\n"
        .as_bytes(),
    b"[White \"Nass, B.\"]\n[Black \"M. Tal\"]\n[Result \"1/2-1/2\"]\n[Date \"2012.??.??\"]\n\n\
      1. d4 d5 1/2-1/2\n",
];

fn workspace() -> Workspace {
    let workspace = Workspace::new();
    workspace.write("games.pgn", GAMES.join(&b"\n"[..]));
    workspace.run(&["pack", "games.pgn"]).exits(0);
    workspace
}

/// The numbers of the games that a filter finds.
#[track_caller]
fn found(workspace: &Workspace, options: &[&str], filter: &str) -> String {
    let args = [&["find", "games.pgna", "-l", "-w", filter], options].concat();
    let run = workspace.run(&args);
    assert!(run.code <= 1, "{filter}: {}", run.err);
    run.text().split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn names_are_found_as_people_write_them() {
    let workspace = workspace();
    for name in ["näss", "NASS", "na\u{308}ss", "Näss"] {
        assert_eq!(found(&workspace, &[], &format!("White ~ {name}")), "1 2 3");
    }
    assert_eq!(found(&workspace, &[], "White = \"Näss, B.\""), "1 2");
    assert_eq!(found(&workspace, &[], "White ~ /^Nä/"), "1 2");
    assert_eq!(found(&workspace, &[], "comments ~ nö"), "1");
    let cyrillic = ["--encoding", "windows-1251"];
    assert_eq!(found(&workspace, &cyrillic, "White ~ ss"), "1 2 3");
    assert_eq!(found(&workspace, &cyrillic, "White ~ nдss"), "1");
    workspace
        .run(&["find", "games.pgna", "-w", "White?", "--encoding", "utf-16"])
        .exits(2)
        .says("windows-1252");
}

#[cfg(unix)]
#[test]
fn arguments_need_not_be_utf_8() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let workspace = workspace();
    let mut command = workspace.command(&["find", "games.pgna", "-c", "-w"]);
    let output = command
        .arg(OsStr::from_bytes(b"White ~ n\xe4ss"))
        .output()
        .unwrap();
    assert_eq!(output.stdout, b"3\n");
}

#[test]
fn json_and_tables_have_all_letters() {
    let workspace = workspace();
    let args = [
        "list",
        "games.pgna",
        "1",
        "--columns",
        "White,elo,elo.mean,mate",
    ];
    let run = |form: &str| workspace.run(&[&args[..], &[form]].concat()).exits(0);
    assert_eq!(
        run("--csv").text(),
        "number,White,elo,elo.mean,mate\n1,\"Näss, B.\",2700; 2600,2650,no\n"
    );
    assert_eq!(
        run("--tsv").text(),
        "number\tWhite\telo\telo.mean\tmate\n1\tNäss, B.\t2700; 2600\t2650\tno\n"
    );
    let line = json(run("--json").text());
    assert_eq!(line["white"], "Näss, B.");
    assert_eq!(line["elo"], serde_json::json!([2700, 2600]));
    assert_eq!(line["elo.mean"], 2650);
    assert_eq!(line["mate"], false);
    let view = workspace
        .run(&["view", "games.pgna", "1", "--json"])
        .exits(0);
    assert_eq!(json(view.text())["movetext"][1]["comment"], "Nö");
}

#[test]
fn spellings_of_a_name_are_one_player() {
    let workspace = workspace();
    workspace.write("names.csv", "\"Tal, Mihail\",\"Tal,M\"\n");
    workspace.write("names.ssp", "@PLAYER\nTal, Mihail #GM\n= Tal, M\n");
    assert_eq!(found(&workspace, &[], "Black = \"Tal, Mihail\""), "1");
    for file in ["names.csv", "names.ssp"] {
        let aliases = ["--aliases", file];
        for name in ["Tal, Mihail", "Tal,M", "M. Tal"] {
            let filter = format!("Black = \"{name}\"");
            assert_eq!(found(&workspace, &aliases, &filter), "1 2 3", "{file}");
        }
        assert_eq!(found(&workspace, &aliases, "winner ~ mihail"), "2");
        let args = ["stats", "games.pgna", "--json", "--aliases", file];
        let stats = json(workspace.run(&args).exits(0).text());
        assert_eq!(stats["most_games"][0]["name"], "Tal, Mihail");
        assert_eq!(stats["most_games"][0]["games"], 3);
    }
    workspace.write("empty.csv", "\n");
    let run = workspace.run(&["stats", "games.pgna", "--aliases", "empty.csv"]);
    run.exits(2).says("empty.csv: no names");
}

#[test]
fn odd_spellings_are_reported() {
    let workspace = workspace();
    workspace.write("names.csv", "\nTal, Mihail,Tal M\nKeres,Tal M\n");
    let args = ["stats", "games.pgna", "--aliases", "names.csv"];
    let run = workspace.run(&args).exits(0);
    let run = run.says("names.csv: line 2: a comma before a blank");
    run.says("names.csv: line 3: \"Tal M\" is listed under \"Tal\" and under \"Keres\"");
    let run = workspace.run(&[&args[..], &["-q"]].concat()).exits(0);
    assert_eq!(run.err, "");
}

/// A file that has no spellings is none of spellings: text, a PGN file, an archive.
#[test]
fn files_without_spellings_are_refused() {
    let workspace = workspace();
    workspace.write("names.csv", "\"Tal, Mihail\",\"Tal,M\"\nKeres\n");
    workspace.write("comma.pgn", "[Event \"a, b\"]\n[Site \"?\"]\n\n1. e4 *\n");
    workspace.write("binary.csv", "a,b\n\nc,\0\n");
    for (file, line) in [
        ("names.csv", 2),
        ("comma.pgn", 2),
        ("binary.csv", 3),
        ("games.pgn", 3),
        ("games.pgna", 1),
    ] {
        let run = workspace.run(&["stats", "games.pgna", "--aliases", file]);
        let run = run.exits(2).says(&format!("{file}: line {line}: "));
        run.says("@PLAYER").says("CSV");
    }
}

#[test]
fn wrong_questions_are_not_answered_silently() {
    let workspace = workspace();
    for (filter, why) in [
        ("WhiteElo > abc", "expected a number"),
        ("elo.max > 1", "elo.mean"),
        ("speed = fast", "rapid"),
        ("White ~ /(/", "unclosed group"),
        ("has winner", "winner?"),
        ("winner.elo < loser.elo", "fields are not compared"),
        ("WhiteElo > BlackElo", "elo.diff"),
    ] {
        let run = workspace.run(&["find", "games.pgna", "-w", filter]);
        run.exits(2).says(why).says("<HERE>");
    }
    for filter in ["NoSuchTag = 1", "not NoSuchTag = 1"] {
        let run = workspace.run(&["find", "games.pgna", "-c", "-w", filter]);
        assert!(!run.says("no game has a tag NoSuchTag").err.contains("mean"));
    }
    let run = workspace.run(&["find", "games.pgna", "-c", "-w", "WhitElo > 1"]);
    run.says("no game has a tag WhitElo (did you mean WhiteElo? `pgna fields`");
    for verb in [
        &["stats", "games.pgna", "--by", "Whte"][..],
        &["sort", "games.pgna", "--by", "Whte", "-c"],
        &["split", "games.pgna", "--by", "Whte", "-o", "x"],
    ] {
        workspace.run(verb).exits(2).says("did you mean White?");
    }
    for verb in [
        &["sort", "games.pgna", "--by", "-Date", "-o", "x.pgn"][..],
        &["split", "games.pgna", "--by", "year", "-o", "years"],
        &["stats", "games.pgna", "--by", "month"],
        &["dedupe", "games.pgna", "-n"],
    ] {
        let run = workspace.run(verb).exits(0);
        run.says("the Date of 1 game is malformed, such as \"2011.19.11\" in game 2");
    }
    for date in ["Date > 2000", "year = 2011", "month?"] {
        let run = workspace
            .run(&["find", "games.pgna", "-c", "-w", date])
            .exits(0);
        run.says("the Date of 1 game is malformed, such as \"2011.19.11\" in game 2");
    }
    let quiet = workspace.run(&["find", "games.pgna", "-q", "-c", "-w", "Date > 2000"]);
    assert_eq!(quiet.exits(0).err, "");
}

#[test]
fn questions_that_nothing_answers_are_explained() {
    let workspace = workspace();
    for (filter, why) in [
        ("Result = draw", "a Result is 1-0"),
        ("winner = White", "Result = 1-0"),
        ("comments > 0", "comments?"),
        ("elo in 2600..2500", "ends before it begins"),
        ("moves > 4", "plies"),
    ] {
        let args = ["find", "games.pgna", "-c", "-w", filter];
        workspace.run(&args).exits(1).says(why);
        let quiet = workspace.run(&[&args[..], &["-q"]].concat());
        assert_eq!(quiet.exits(1).err, "", "{filter}");
    }
    for verb in [
        &["stats", "games.pgna"][..],
        &["stats", "games.pgna", "--by", "White"],
        &["tree", "games.pgna"],
    ] {
        let run = workspace.run(&[verb, &["-w", "elo.class = 1499"]].concat());
        run.exits(1).says("1400 for 1499");
    }
    let run = workspace.run(&["find", "games.pgna", "-c", "-w", "Result = 1-0"]);
    assert_eq!(run.exits(0).err, "");
    let run = workspace.run(&["stats", "games.pgna", "--event", "Nowhere"]);
    run.exits(1).says("`pgna stats --by Event`");
}

#[test]
fn wrong_arguments_are_explained() {
    let workspace = workspace();
    let find = ["find", "games.pgna"];
    let twice = [&find[..], &["-w", "White?", "-w", "Black?"]].concat();
    workspace.run(&twice).exits(2).says("join them with `and`");
    for verb in ["find", "tree", "stats"] {
        let run = workspace.run(&[verb, "games.pgna", "tal"]);
        run.exits(2).says("-w 'player ~ morphy'");
    }
    let other = workspace.run(&[&find[..], &["--tal"]].concat()).exits(2);
    assert!(!other.err.contains("morphy"), "{}", other.err);
}

#[test]
fn archives_without_games_have_no_unknown_fields() {
    let workspace = Workspace::new();
    workspace.write("none.pgn", "");
    workspace.run(&["pack", "none.pgn"]).exits(0);
    let stats = workspace.run(&["stats", "none.pgna", "--by", "White"]);
    stats.exits(1).says("the archive has no games");
    for verb in [
        &["sort", "none.pgna", "--by", "White", "-c"][..],
        &["split", "none.pgna", "--by", "White", "-o", "x"],
    ] {
        assert!(!workspace.run(verb).exits(0).err.contains("a tag White"));
    }
}

#[test]
fn fields_sort_divide_and_count_games() {
    let workspace = workspace();
    workspace
        .run(&["sort", "games.pgna", "--by", "-elo", "-o", "sorted.pgna"])
        .exits(0);
    let run = workspace.run(&["list", "sorted.pgna", "--columns", "elo", "--tsv"]);
    assert_eq!(run.text(), "number\telo\n1\t2700; 2600\n2\t2500\n3\t\n");
    workspace
        .run(&["split", "games.pgna", "--by", "player", "-o", "players"])
        .exits(0);
    assert_eq!(
        workspace.names_in("players"),
        [
            "M. Tal.pgn",
            "Nass, B_.pgn",
            "Näss, B_.pgn",
            "Tal, Mihail.pgn",
            "Tal,M.pgn"
        ]
    );
    let run = workspace
        .run(&["stats", "games.pgna", "--by", "speed", "--json"])
        .exits(0);
    let lines: Vec<_> = run.text().lines().map(json).collect();
    let shown = lines
        .iter()
        .map(|line| (line["value"].clone(), line["games"].clone()));
    let expected = [
        ("blitz".into(), 1.into()),
        ("correspondence".into(), 1.into()),
    ];
    assert_eq!(
        shown.collect::<Vec<_>>(),
        [&expected[..], &[(serde_json::Value::Null, 1.into())]].concat()
    );
    let run = workspace.run(&["stats", "games.pgna", "--by", "elo.class", "--json"]);
    let first = json(run.text().lines().next().unwrap());
    assert_eq!(
        (&first["value"], &first["games"]),
        (&2600.into(), &1.into())
    );
    assert_eq!(found(&workspace, &[], "elo.class = 2600"), "1");
    let run = workspace.run(&["fields"]).exits(0);
    assert!(run.text().contains("elo.mean"));
}
