//! `pgna find -o`, `sort`, `dedupe` and `split`.

use super::{Run, TWO_GAMES, Workspace, json};
use crate::places;
use pgna::Archive;

/// Games with dates, players and events. The last has no final line break.
const GAMES: &str = "\
[Event \"Linares\"]\n[Date \"2010.02.01\"]\n[Round \"10\"]\n[White \"Tal, M.\"]\n\n1. e4 e5 *\n\n\
[Event \"linares\"]\n[Date \"2009.??.??\"]\n[Round \"2\"]\n[White \"TAL M\"]\n\n1. e4 e5 {mine} *\n\n\
[Event \"a/b\"]\n[Date \"????.??.??\"]\n[Round \"1\"]\n\n1. d4 *\n\n\
[Date \"2010.01.31\"]\n[White \"Botvinnik\"]\n\n1. e4 e5 2. Nf3 *\n\n\
[Event \"con\"]\n[Date \"2009.12.31\"]\n[Round \"2.1\"]\n\n1. d4 *";

fn workspace() -> Workspace {
    let workspace = Workspace::new();
    workspace.write("games.pgn", GAMES);
    workspace.run(&["pack", "games.pgn"]).exits(0);
    workspace
}

/// The dates of the games of a text, in order.
fn dates(text: &[u8]) -> Vec<String> {
    let text = std::str::from_utf8(text).unwrap();
    let dates = text.split("[Date \"").skip(1);
    dates.map(|rest| rest[..10].to_owned()).collect()
}

/// The unpacked text of an archive. Asserts that `test` passes.
fn unpacked(workspace: &Workspace, name: &str) -> Vec<u8> {
    workspace.run(&["test", name]).exits(0);
    workspace.run(&["unpack", name, "-c"]).exits(0).out
}

#[test]
fn found_games_are_written_to_files() {
    let workspace = workspace();
    let find = ["find", "games.pgna", "-w", "Round?"];
    let run = workspace
        .run(&[&find[..], &["-o", "x.pgn"]].concat())
        .exits(0);
    assert!(run.out.is_empty());
    let run = run.says("x.pgn: 4 games");
    drop(run);
    let found = workspace.read("x.pgn");
    assert_eq!(found, workspace.run(&find).exits(0).out);
    assert_eq!(dates(&found).len(), 4);
    workspace
        .run(&[&find[..], &["-o", "x.pgna", "--codec", "radix"]].concat())
        .exits(0)
        .says("4 games, ");
    assert_eq!(unpacked(&workspace, "x.pgna"), found);
    let archive = Archive::new(workspace.read("x.pgna")).unwrap();
    assert_eq!(archive.sources()[0].name, "x.pgn");
    let run = workspace
        .run(&[&find[..], &["-o", "-", "-q"]].concat())
        .exits(0);
    assert_eq!((run.out, run.err.as_str()), (found, ""));
    workspace
        .run(&[&find[..], &["-o", "one.pgn", "-n", "1"]].concat())
        .exits(0);
    assert_eq!(dates(&workspace.read("one.pgn")), ["2010.02.01"]);
}

#[test]
fn finding_nothing_writes_no_file() {
    let workspace = workspace();
    workspace
        .run(&["find", "games.pgna", "-w", "Round = 77", "-o", "x.pgn"])
        .exits(1);
    assert_eq!(workspace.names(), ["games.pgn", "games.pgna"]);
}

#[test]
fn all_games_in_order_equal_the_packed_file() {
    let workspace = workspace();
    workspace
        .run(&["find", "games.pgna", "-w", "Date?", "-o", "found.pgn"])
        .exits(0);
    workspace
        .run(&["split", "games.pgna", "--games", "9", "-o", "parts"])
        .exits(0);
    for name in ["found.pgn", "parts/games-1.pgn"] {
        assert_eq!(workspace.read(name), GAMES.as_bytes(), "{name}");
    }
}

#[test]
fn a_sort_needs_a_key_that_a_game_has() {
    let workspace = Workspace::packed();
    let sort = |keys| workspace.run(&["sort", "games.pgna", "-o", "x.pgn", "--by", keys]);
    sort("NoTag")
        .exits(2)
        .says("games.pgna: no game has a tag NoTag; nothing was written");
    sort("NoTag,-Colour")
        .exits(2)
        .says("no game has a tag NoTag; no game has a tag Colour");
    assert_eq!(workspace.names(), ["games.pgn", "games.pgna"]);
    sort("NoTag, Event")
        .exits(0)
        .says("no game has a tag NoTag");
    assert_eq!(workspace.read("x.pgn"), TWO_GAMES.as_bytes());
}

#[test]
fn games_are_sorted() {
    let workspace = workspace();
    let sorted = |by: &str| {
        let run = workspace.run(&["sort", "games.pgna", "--by", by, "-c"]);
        dates(&run.exits(0).out)
    };
    let by_date = [
        "2009.??.??",
        "2009.12.31",
        "2010.01.31",
        "2010.02.01",
        "????.??.??",
    ];
    assert_eq!(sorted("Date"), by_date);
    let descending = [
        "2010.02.01",
        "2010.01.31",
        "2009.12.31",
        "2009.??.??",
        "????.??.??",
    ];
    assert_eq!(sorted("-date"), descending);
    let by_round = [
        "????.??.??",
        "2009.??.??",
        "2009.12.31",
        "2010.02.01",
        "2010.01.31",
    ];
    assert_eq!(sorted("Round"), by_round);
    let by_plies = [
        "2009.12.31",
        "????.??.??",
        "2009.??.??",
        "2010.02.01",
        "2010.01.31",
    ];
    assert_eq!(sorted("plies,Date"), by_plies);
    workspace
        .run(&["sort", "games.pgna", "-b", "Date", "-o", "x.pgna"])
        .exits(0)
        .says("x.pgna: 5 games");
    assert_eq!(dates(&unpacked(&workspace, "x.pgna")), by_date);
    std::fs::create_dir(workspace.path("again")).unwrap();
    for threads in ["1", "3"] {
        let args = [
            "sort",
            "games.pgna",
            "-b",
            "Date",
            "-o",
            "again/x.pgna",
            "-f",
            "-T",
            threads,
        ];
        workspace.run(&args).exits(0);
        assert_eq!(workspace.read("again/x.pgna"), workspace.read("x.pgna"));
    }
}

#[test]
fn duplicates_are_reported_and_left_out() {
    let workspace = workspace();
    let dedupe =
        |args: &[&str]| workspace.run(&[&["dedupe", "games.pgna", "--moves-only"], args].concat());
    /// The numbers of the dropped and of the retained games.
    fn pairs(run: &Run) -> Vec<String> {
        let lines = run.text().lines();
        let pair = |line: &str| line.split('\t').take(2).collect::<Vec<_>>().join(" ");
        lines.map(pair).collect()
    }
    let run = dedupe(&["-n"]).exits(0);
    assert_eq!(pairs(&run), ["1 2", "3 5"]);
    let run = run.says("2 duplicates among 5 games");
    drop(run);
    assert_eq!(workspace.names(), ["games.pgn", "games.pgna"]);
    assert_eq!(pairs(&dedupe(&["-n", "--prefix"])), ["1 4", "2 4", "3 5"]);
    let run = dedupe(&["-n", "--json"]).exits(0);
    let first = json(run.text().lines().next().unwrap());
    assert_eq!(
        (&first["dropped"], &first["retained"]),
        (&1.into(), &2.into())
    );
    let run = dedupe(&["-o", "clean.pgn", "--dropped", "dropped.pgn"]).exits(0);
    assert_eq!(pairs(&run), ["1 2", "3 5"]);
    assert_eq!(dates(&workspace.read("dropped.pgn")).len(), 2);
    assert!(run.text().contains("; plies "), "{}", run.text());
    let retained = ["2009.??.??", "2010.01.31", "2009.12.31"];
    assert_eq!(dates(&workspace.read("clean.pgn")), retained);
    let run = dedupe(&["-c"]).exits(0);
    assert_eq!(run.out, workspace.read("clean.pgn"));
    dedupe(&["-o", "clean.pgna", "--level", "fast"]).exits(0);
    assert_eq!(
        unpacked(&workspace, "clean.pgna"),
        workspace.read("clean.pgn")
    );
}

/// Words that are no moves are skipped where moves are read, so those of all games here are equal.
#[test]
fn games_with_words_among_their_moves_are_duplicates_by_their_text() {
    let workspace = Workspace::new();
    let movetexts = [
        "1. e4 e5 Sf3 *",
        "1. e4 e5 Qh9 *",
        "1. e4 e5 *",
        "1. e4 e5 Sf3 *",
        "1. xxx e4 e5 *",
        "1.e4 e5 $1 +- *",
    ];
    let game = |movetext| format!("[White \"Tal\"]\n[Black \"Keres\"]\n\n{movetext}\n\n");
    workspace.write("words.pgn", movetexts.map(game).concat());
    workspace.run(&["pack", "words.pgn"]).exits(0);
    for args in [&[][..], &["--moves-only"], &["--moves-only", "--prefix"]] {
        let run = workspace.run(&[&["dedupe", "words.pgna", "-n"], args].concat());
        let run = run.exits(0);
        let lines = run.text().lines();
        let pairs: Vec<_> = lines.filter_map(|line| line.get(..3)).collect();
        assert_eq!(pairs, ["3\t6", "4\t1"], "{args:?}");
    }
}

#[test]
fn retained_and_dropped_games_go_to_two_files() {
    let workspace = workspace();
    for (output, dropped) in [
        (&["-o", "x.pgn"][..], "x.pgn"),
        (&["-o", "x.pgn"], "./x.pgn"),
        (&["-o", "-"], "-"),
        (&["-c"], "-"),
    ] {
        let args = [&["dedupe", "games.pgna", "--dropped", dropped], output].concat();
        let run = workspace.run(&args);
        run.exits(2).says("-o and --dropped name the same file");
        assert_eq!(workspace.names(), ["games.pgn", "games.pgna"]);
    }
}

#[test]
fn archives_are_split_by_number_and_by_size() {
    let workspace = workspace();
    workspace
        .run(&["split", "games.pgna", "--games", "2", "-o", "by/two"])
        .exits(0)
        .says("5 games in 3 files");
    let parts = [1, 2, 3].map(|part| workspace.read(&format!("by/two/games-{part}.pgn")));
    assert_eq!(parts.concat(), GAMES.as_bytes());
    assert_eq!(parts.each_ref().map(|part| dates(part).len()), [2, 2, 1]);
    let split = ["split", "games.pgna", "--size", "200", "-o", "size"];
    workspace
        .run(&[&split[..], &["--as", "pgna"]].concat())
        .exits(0);
    let many = std::fs::read_dir(workspace.path("size")).unwrap().count();
    let parts: Vec<Vec<u8>> = (1..=many)
        .map(|part| unpacked(&workspace, &format!("size/games-{part}.pgna")))
        .collect();
    assert_eq!(parts.concat(), GAMES.as_bytes());
    assert!(parts.iter().all(|part| part.len() <= 200));
}

#[test]
fn archives_are_split_by_tag_values() {
    let workspace = workspace();
    workspace
        .run(&["split", "games.pgna", "--by", "event", "-o", "events"])
        .exits(0)
        .says("5 games in 5 files");
    for (name, date) in [
        ("Linares.pgn", "2010.02.01"),
        ("linares (2).pgn", "2009.??.??"),
        ("a_b.pgn", "????.??.??"),
        ("no event.pgn", "2010.01.31"),
        ("_con.pgn", "2009.12.31"),
    ] {
        assert_eq!(
            dates(&workspace.read(&format!("events/{name}"))),
            [date],
            "{name}"
        );
    }
    workspace
        .run(&[
            "split",
            "games.pgna",
            "--by",
            "year",
            "-o",
            "years",
            "--as",
            "pgna",
        ])
        .exits(0)
        .says("5 games in 3 files");
    for (name, games) in [("2009", 2), ("2010", 2), ("no year", 1)] {
        let archive = Archive::new(workspace.read(&format!("years/{name}.pgna"))).unwrap();
        assert_eq!(archive.games(), games, "{name}");
        assert_eq!(archive.sources()[0].name, format!("{name}.pgn"));
    }
}

#[test]
fn text_before_the_first_game_is_left_out() {
    let workspace = Workspace::new();
    workspace.write("a.pgn", format!("a preface\n\n{TWO_GAMES}"));
    workspace.run(&["pack", "a.pgn"]).exits(0);
    workspace
        .run(&["sort", "a.pgna", "--by", "Event", "-o", "b.pgn"])
        .exits(0)
        .says("a.pgna: 8 B of text before the first game of a file left out");
    assert_eq!(workspace.read("b.pgn"), TWO_GAMES.as_bytes());
}

#[test]
fn unterminated_games_are_reported() {
    let workspace = Workspace::new();
    workspace.write("a.pgn", "[Event \"a\"]\n\n1. e4 {no end\n");
    workspace.write("b.pgn", "[Event \"b\"]\n\n1. d4 {x} *\n");
    workspace
        .run(&["pack", "a.pgn", "b.pgn", "-o", "x.pgna"])
        .exits(0);
    let run = workspace
        .run(&["sort", "x.pgna", "--by", "Event", "-c"])
        .exits(0);
    assert!(run.text().contains("{no end\n}\n\n[Event \"b\"]"));
    run.says("1 game with a comment that does not end");
}

/// Existing files are not overwritten, and inputs not even with -f.
#[test]
fn existing_files_are_not_overwritten() {
    let workspace = workspace();
    let archive = workspace.read("games.pgna");
    workspace.write("x.pgn", "mine");
    std::fs::create_dir(workspace.path("folder")).unwrap();
    std::fs::hard_link(workspace.path("games.pgna"), workspace.path("link.pgna")).unwrap();
    let verbs: [&[&str]; 3] = [
        &["find", "games.pgna", "-w", "Date?"],
        &["sort", "games.pgna", "--by", "Date"],
        &["dedupe", "games.pgna"],
    ];
    for verb in verbs {
        let to = |more: &[&str]| workspace.run(&[verb, more].concat());
        to(&["-o", "x.pgn"])
            .exits(2)
            .says("already exists; use -f to replace it");
        for name in ["games.pgna", "./games.pgna", "link.pgna"] {
            to(&["-o", name, "-f"]).exits(2).says("is an input");
        }
        to(&["-o", "folder", "-f"]).exits(2).says("is a folder");
        assert_eq!(workspace.read("x.pgn"), b"mine");
        to(&["-o", "x.pgn", "-f"]).exits(0);
        assert_ne!(workspace.read("x.pgn"), b"mine");
        workspace.write("x.pgn", "mine");
    }
    workspace.write("out/games-3.pgn", "mine");
    let split = ["split", "games.pgna", "--games", "1", "-o", "out"];
    workspace
        .run(&split)
        .exits(2)
        .says("games-3.pgn: already exists");
    assert_eq!(std::fs::read_dir(workspace.path("out")).unwrap().count(), 1);
    workspace.run(&[&split[..], &["-f"]].concat()).exits(0);
    assert_eq!(std::fs::read_dir(workspace.path("out")).unwrap().count(), 5);
    let split_link = [
        "split",
        "link.pgna",
        "--games",
        "9",
        "-o",
        ".",
        "--as",
        "pgna",
        "-f",
    ];
    std::fs::rename(workspace.path("games.pgna"), workspace.path("games-1.pgna")).unwrap();
    workspace.run(&split_link).exits(0);
    std::fs::remove_file(workspace.path("link-1.pgna")).unwrap();
    std::fs::rename(
        workspace.path("games-1.pgna"),
        workspace.path("link-1.pgna"),
    )
    .unwrap();
    workspace
        .run(&split_link)
        .exits(2)
        .says("is the archive itself");
    assert_eq!(workspace.read("link.pgna"), archive);
}

#[test]
fn too_many_files_are_refused_before_any_is_written() {
    let workspace = workspace();
    for how in [["--games", "1"], ["--size", "10"], ["--by", "Date"]] {
        let args = [
            &["split", "games.pgna", "-o", "out", "--max-files", "3"],
            &how[..],
        ];
        workspace
            .run(&args.concat())
            .exits(2)
            .says("5 files would be written, and --max-files allows 3; nothing was written");
        assert_eq!(workspace.names(), ["games.pgn", "games.pgna"]);
    }
    workspace
        .run(&["split", "games.pgna", "--by", "NoTag", "-o", "out"])
        .exits(2)
        .says("no game has a tag NoTag");
}

#[test]
fn damaged_archives_write_no_file() {
    let workspace = Workspace::new();
    let games: String = (0..600)
        .map(|n| format!("[White \"Player {n}\"]\n\n1. e4 e5 2. Nf3 {{{n}}} *\n\n"))
        .collect();
    workspace.write("games.pgn", games);
    workspace.run(&["pack", "games.pgn"]).exits(0);
    let mut bytes = workspace.unprotect("games.pgna");
    let block = places::blocks(&bytes)[1];
    bytes[block] ^= 0x20;
    workspace.write("games.pgna", bytes);
    for verb in [
        &["sort", "games.pgna", "--by", "White", "-o", "x.pgn"][..],
        &["sort", "games.pgna", "--by", "White", "-o", "x.pgna"],
        &["dedupe", "games.pgna", "-o", "x.pgn"],
        &["split", "games.pgna", "--games", "100", "-o", "."],
        &[
            "split",
            "games.pgna",
            "--games",
            "100",
            "-o",
            ".",
            "--as",
            "pgna",
        ],
        &["split", "games.pgna", "--by", "White", "-o", "."],
    ] {
        let run = workspace.run(verb).exits(4).says("games.pgna: ");
        run.says("; nothing was written");
        assert_eq!(workspace.names(), ["games.pgn", "games.pgna"], "{verb:?}");
    }
    // The games found are still written, and the unreadable games are reported.
    let find = ["find", "games.pgna", "-w", "White?", "-o", "x.pgn"];
    workspace
        .run(&find)
        .exits(4)
        .says("cannot read games 257 to 512");
    let found = String::from_utf8(workspace.read("x.pgn")).unwrap();
    assert_eq!(found.matches("[White ").count(), 600 - 256);
}

#[test]
fn wrong_usage_is_refused() {
    let workspace = workspace();
    for args in [
        &["sort", "games.pgna", "-c"][..],
        &["sort", "games.pgna", "--by", "Date"],
        &["sort", "games.pgna", "--by", "no tag", "-c"],
        &["sort", "games.pgna", "--by", "Date", "-c", "-o", "x.pgn"],
        &["dedupe", "games.pgna"],
        &["dedupe", "games.pgna", "-n", "-o", "x.pgn"],
        &["dedupe", "games.pgna", "--json", "-c"],
        &["split", "games.pgna", "-o", "out"],
        &["split", "games.pgna", "--games", "0", "-o", "out"],
        &[
            "split",
            "games.pgna",
            "--games",
            "1",
            "--size",
            "1k",
            "-o",
            "out",
        ],
        &["split", "games.pgna", "--size", "1x", "-o", "out"],
        &["split", "games.pgna", "--games", "1"],
        &["find", "games.pgna", "-w", "Date?", "-f"],
        &[
            "find",
            "games.pgna",
            "-w",
            "Date?",
            "-o",
            "x.pgn",
            "--count",
        ],
        &["sort", "missing.pgna", "--by", "Date", "-c"],
    ] {
        let run = workspace.run(args).exits(2);
        assert!(!run.err.is_empty() && run.out.is_empty(), "{args:?}");
    }
    assert_eq!(workspace.names(), ["games.pgn", "games.pgna"]);
}

#[test]
fn empty_archives_are_accepted() {
    let workspace = Workspace::new();
    workspace.write("a.pgn", "");
    workspace.run(&["pack", "a.pgn"]).exits(0);
    workspace
        .run(&["sort", "a.pgna", "--by", "Date", "-o", "s.pgna"])
        .exits(0);
    workspace.run(&["dedupe", "a.pgna", "-o", "d.pgn"]).exits(0);
    workspace
        .run(&["split", "a.pgna", "--games", "5", "-o", "out"])
        .exits(0)
        .says("0 games in 0 files");
    assert_eq!(workspace.names(), ["a.pgn", "a.pgna", "d.pgn", "s.pgna"]);
}
