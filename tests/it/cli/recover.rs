//! Verbs that continue after damage, and `recover`, which saves the intact games.

use super::{Run, Workspace};
use crate::places;
use pgna::Archive;
use std::ops::Range;

const GAMES: u64 = 300;

fn games(name: &str) -> String {
    (0..GAMES)
        .map(|n| format!("[White \"{name} {n}\"]\n\n1. e4 e5 2. Nf3 {{{n}}} *\n\n"))
        .collect()
}

/// A workspace with an archive of two files in blocks of 100 games.
fn workspace() -> Workspace {
    let workspace = Workspace::new();
    workspace.write("a.pgn", games("Anna"));
    workspace.write("b.pgn", games("Boris"));
    let args = ["pack", "a.pgn", "b.pgn", "-o", "two.pgna", "--block-games"];
    workspace.run(&[&args[..], &["100"]].concat()).exits(0);
    workspace
}

/// A workspace with an archive of which one byte is damaged that parity does not mend: the second
/// of these places.
fn damaged_at(places: impl Fn(&[u8]) -> Vec<usize>) -> Workspace {
    let workspace = workspace();
    let mut bytes = workspace.unprotect("two.pgna");
    let place = places(&bytes)[1];
    bytes[place] ^= 0x20;
    workspace.write("two.pgna", bytes);
    workspace
}

/// A workspace with an archive in which the tags of the block of games 101 to 200 are damaged.
fn damaged() -> Workspace {
    damaged_at(places::tags)
}

/// A workspace with an archive in which the movetext of that block is damaged.
fn damaged_movetext() -> Workspace {
    damaged_at(places::blocks)
}

fn without(name: &str, lost: Range<usize>) -> String {
    let text = games(name);
    let games: Vec<&str> = text.split_inclusive("*\n\n").collect();
    [&games[..lost.start], &games[lost.end..]].concat().concat()
}

fn lines(run: &Run) -> usize {
    run.text().lines().count()
}

#[test]
fn list_continues_after_a_damaged_block() {
    let workspace = damaged();
    let run = workspace.run(&["list", "two.pgna"]).exits(4);
    let run = run.says("two.pgna: cannot read games 101 to 200: tags of a block at byte ");
    assert_eq!(lines(&run), 500);
    assert_eq!(run.err.lines().count(), 1);
    let run = workspace
        .run(&["list", "two.pgna", "150-210", "7"])
        .exits(4);
    let run = run.says("cannot read games 150 to 200: ");
    assert_eq!(lines(&run), 11);
    workspace.run(&["list", "two.pgna", "201-600"]).exits(0);
}

#[test]
fn games_are_listed_whose_moves_are_damaged() {
    let workspace = damaged_movetext();
    let run = workspace.run(&["list", "two.pgna"]).exits(0);
    assert_eq!(lines(&run), 600);
    let find = ["find", "two.pgna", "-w", "White ~ anna", "--count"];
    assert_eq!(workspace.run(&find).exits(0).text(), "300\n");
    let run = workspace.run(&["view", "two.pgna", "99-300"]).exits(4);
    run.says("cannot read games 101 to 200: block at byte ");
    let run = workspace.run(&["find", "two.pgna", "-w", "White ~ anna"]);
    let run = run
        .exits(4)
        .says("cannot read games 101 to 200: block at byte ");
    assert_eq!(run.err.lines().count(), 1);
    assert_eq!(run.text(), without("Anna", 100..200));
    let run = workspace.run(&["test", "two.pgna"]).exits(4);
    run.says("games 101 to 200");
}

#[test]
fn view_continues_after_a_damaged_block() {
    let workspace = damaged();
    let run = workspace.run(&["view", "two.pgna", "1-300"]).exits(4);
    let run = run.says("cannot read games 101 to 200: ");
    assert_eq!(run.text(), without("Anna", 100..200));
    let run = workspace.run(&["view", "two.pgna", "99-102", "150@0", "203"]);
    let run = run.exits(4).says("games 101 to 102").says("game 150");
    assert_eq!(run.text().matches("[White").count(), 3);
    let run = workspace
        .run(&["view", "two.pgna", "99-102", "--json"])
        .exits(4);
    assert_eq!(lines(&run), 2);
}

#[test]
fn find_continues_after_a_damaged_block() {
    let workspace = damaged();
    let find = |more: &[&str]| workspace.run(&[&["find", "two.pgna"], more].concat());
    let run = find(&["-w", "White ~ \"anna\"", "--count"]).exits(4);
    let run = run.says("cannot read games 101 to 200: ");
    assert_eq!(run.text(), "200\n");
    let run = find(&["-w", "White = \"Boris 299\"", "--json"]).exits(4);
    assert_eq!(lines(&run), 1);
    let run = find(&["-w", "White = \"Nobody\""]).exits(4);
    assert_eq!(lines(&run), 0);
}

#[test]
fn stats_and_tree_name_the_games_that_they_cannot_read() {
    let workspace = damaged();
    for verb in ["stats", "tree"] {
        let run = workspace.run(&[verb, "two.pgna"]).exits(4);
        let run = run.says("two.pgna: cannot read games 101 to 200: tags of a block at byte ");
        assert!(run.text().contains(" 500"), "{}", run.text());
    }
}

#[test]
fn unpack_writes_the_intact_files() {
    let workspace = damaged();
    let args = ["unpack", "two.pgna", "-o", "out"];
    let run = workspace.run(&args).exits(4);
    run.says("two.pgna: not unpacked: a.pgn: tags of a block at byte ")
        .says("`pgna recover` saves the rest")
        .says("1 file unpacked");
    assert_eq!(workspace.read("out/b.pgn"), workspace.read("b.pgn"));
    assert_eq!(std::fs::read_dir(workspace.path("out")).unwrap().count(), 1);
    let run = workspace.run(&["unpack", "two.pgna", "-c"]).exits(4);
    assert!(run.text().ends_with(&games("Boris")));
}

#[test]
fn damaged_tables_cost_only_their_segment() {
    let workspace = Workspace::new();
    workspace.write("a.pgn", games("Anna").repeat(40));
    workspace.write("b.pgn", games("Boris").repeat(40));
    let args = [
        "pack", "a.pgn", "b.pgn", "-o", "two.pgna", "--index", "none",
    ];
    workspace
        .run(&[&args[..], &["--segment-size", "1"]].concat())
        .exits(0);
    let mut bytes = workspace.unprotect("two.pgna");
    let (tables, first) = {
        let archive = Archive::new(&bytes[..]).unwrap();
        let segment = archive.container().segment(1).unwrap();
        let at = usize::try_from(segment.entry().offset).unwrap();
        let blocks = usize::try_from(segment.index().tags()[0].offset).unwrap();
        (at..at + blocks, segment.entry().first_game)
    };
    assert!(first > 0);
    bytes[tables].fill(0);
    workspace.write("two.pgna", bytes);
    for args in [
        &["list", "two.pgna"][..],
        &["find", "two.pgna", "-w", "plies = 3", "--list"],
    ] {
        let run = workspace.run(args).exits(4);
        let run = run.says(&format!("cannot read games {} to 24000: tables", first + 1));
        assert_eq!(run.err.matches("cannot read").count(), 1);
        assert!(run.text().lines().count() as u64 >= first);
    }
    workspace.run(&["view", "two.pgna", "1"]).exits(0);
    let args = ["recover", "two.pgna", "-o", "good.pgna"];
    workspace
        .run(&args)
        .exits(3)
        .says("the tables of its segment");
}

#[test]
fn recover_mends_what_parity_can() {
    let workspace = workspace();
    let whole = workspace.read("two.pgna");
    for place in [places::tags(&whole)[1], places::blocks(&whole)[1], 100] {
        let mut bytes = whole.clone();
        bytes[place] ^= 0x20;
        workspace.write("bad.pgna", bytes);
        let args = ["recover", "bad.pgna", "-f", "-o", "good.pgna"];
        let run = workspace.run(&args).exits(0);
        run.says("600 games from 2 files")
            .says(", 2 of 2 files verified; 1 segment copied");
        assert_eq!(workspace.read("good.pgna"), whole);
    }
}

#[test]
fn recover_saves_intact_games_and_reports_the_rest() {
    let workspace = damaged();
    let args = ["recover", "two.pgna", "-o", "good.pgna"];
    let run = workspace.run(&[&args[..], &["--json"]].concat()).exits(3);
    let run = run
        .says("lost: a.pgn, bytes ")
        .says("(games 101 to 200): its blocks are damaged or missing")
        .says("500 games from 2 files")
        .says(", 1 of 2 files verified; lost: 100 games");
    let reported = super::json(run.text());
    assert_eq!(reported["lost_games"], 100);
    assert_eq!(reported["losses"][0]["games"]["start"], 101);
    assert_eq!(reported["losses"][0]["games"]["end"], 201);
    assert_eq!(reported["sources"][1]["proven"], true);
    workspace
        .run(&["unpack", "good.pgna", "-o", "out"])
        .exits(0);
    assert_eq!(workspace.read("out/b.pgn"), workspace.read("b.pgn"));
    assert_eq!(
        workspace.read("out/a.pgn"),
        without("Anna", 100..200).into_bytes()
    );
    assert_eq!(
        workspace.names(),
        ["a.pgn", "b.pgn", "good.pgna", "out", "two.pgna"]
    );
}

#[test]
fn recover_needs_no_directory() {
    let workspace = workspace();
    let mut bytes = workspace.read("two.pgna");
    let end = {
        let archive = Archive::new(&bytes[..]).unwrap();
        let last = archive.container().segments().last().unwrap();
        usize::try_from(last.offset + last.bytes).unwrap()
    };
    bytes[..80].fill(0);
    bytes[end..].fill(0);
    workspace.write("two.pgna", bytes);
    workspace.run(&["test", "two.pgna"]).exits(4);
    let args = ["recover", "two.pgna", "-o", "good.pgna"];
    workspace.run(&args).exits(3).says("may have held more");
    workspace
        .run(&["unpack", "good.pgna", "-o", "out"])
        .exits(0);
    for name in ["a.pgn", "b.pgn"] {
        assert_eq!(workspace.read(&format!("out/{name}")), workspace.read(name));
    }
}

#[test]
fn recover_never_overwrites_its_input() {
    let workspace = workspace();
    let whole = workspace.read("two.pgna");
    std::fs::hard_link(workspace.path("two.pgna"), workspace.path("link.pgna")).unwrap();
    for output in ["two.pgna", "./two.pgna", "link.pgna"] {
        let args = ["recover", "two.pgna", "-f", "-o", output];
        workspace
            .run(&args)
            .exits(2)
            .says("is the damaged archive itself");
    }
    workspace.write("other", "other");
    let args = ["recover", "two.pgna", "-o", "other"];
    workspace.run(&args).exits(2).says("use -f to replace it");
    assert_eq!(workspace.read("other"), b"other");
    workspace.run(&[&args[..], &["-f"]].concat()).exits(0);
    workspace.run(&["test", "other"]).exits(0);
    assert_eq!(workspace.read("two.pgna"), whole);
    workspace.run(&["recover", "two.pgna"]).exits(2);
    workspace.run(&["recover", "two.pgna", "-o", "."]).exits(2);
}

/// The input may be the temporary file that a killed program left for the same output.
#[test]
fn recover_never_deletes_an_input_named_like_its_temporary_file() {
    let workspace = damaged();
    let left = pgna::NewFile::path_for(&workspace.path("good.pgna"));
    std::fs::rename(workspace.path("two.pgna"), &left).unwrap();
    let name = left.file_name().unwrap().to_str().unwrap();
    let bytes = workspace.read(name);
    let mut names = vec![name];
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(&left, workspace.path("link.pgna")).unwrap();
        names.push("link.pgna");
    }
    for input in names {
        workspace
            .run(&["recover", input, "-o", "good.pgna", "-f"])
            .exits(3);
        assert_eq!(workspace.read(name), bytes, "{input}");
    }
}

#[test]
fn recover_writes_nothing_if_nothing_can_be_saved() {
    let workspace = workspace();
    let whole = workspace.read("two.pgna");
    let first = {
        let archive = Archive::new(&whole[..]).unwrap();
        let segment = archive.container().segment(0).unwrap();
        usize::try_from(segment.entry().offset + segment.index().blocks()[0].offset).unwrap()
    };
    let recover = |bytes: &[u8]| {
        workspace.write("bad.pgna", bytes);
        workspace.run(&["recover", "bad.pgna", "-o", "good.pgna"])
    };
    recover(&whole[..first + 50])
        .exits(4)
        .says("nothing was written");
    recover(&whole[..80]).exits(4);
    recover(b"").exits(4).says("not a PGN archive");
    recover(games("Anna").as_bytes())
        .exits(4)
        .says("not a PGN archive");
    let mut other = whole;
    other[10] = 17;
    let crc = crc32fast::hash(&other[..12]);
    other[12..16].copy_from_slice(&crc.to_le_bytes());
    recover(&other).exits(5).says("version");
    assert!(!workspace.names().contains(&"good.pgna".to_owned()));
    assert!(!workspace.names().iter().any(|name| name.contains("tmp")));
    workspace
        .run(&["recover", "missing", "-o", "good.pgna"])
        .exits(2);
    workspace.run(&["recover", ".", "-o", "good.pgna"]).exits(2);
}
