//! `append`, `merge`, `test --quick`.

use super::{Room, TWO_GAMES};
use std::fs;

const ONE_GAME: &str = "[Event \"C\"]\n\n1. e4 e5 1-0\n";

#[test]
fn files_are_appended_and_come_back() {
    let room = Room::packed();
    room.write("more.pgn", ONE_GAME);
    let run = room
        .run(&["append", "games.pgna", "more.pgn", "--test"])
        .exits(0);
    run.says("1 game from 1 source added")
        .says("3 games in all")
        .says("proven");
    room.run_with(&["append", "games.pgna", "-"], b"1. d4 *\n")
        .exits(0);
    room.run(&["append", "games.pgna", "games.pgn"]).exits(0);
    room.run(&["unpack", "games.pgna", "-o", "back"]).exits(0);
    assert_eq!(room.read("back/games.pgn"), TWO_GAMES.as_bytes());
    assert_eq!(room.read("back/games (2).pgn"), TWO_GAMES.as_bytes());
    assert_eq!(room.read("back/more.pgn"), ONE_GAME.as_bytes());
    assert_eq!(room.read("back/stdin.pgn"), b"1. d4 *\n");
    let list = room.run(&["list", "games.pgna"]).exits(0);
    assert_eq!(list.text().lines().count(), 6);
}

#[test]
fn an_append_that_cannot_be_leaves_all_as_it_was() {
    let room = Room::packed();
    room.write("more.pgn", ONE_GAME);
    room.write("broken.pgn.gz", "no gzip");
    room.write("text.pgna", "no archive");
    let before = room.read("games.pgna");
    let no = |args: &[&str], code: i32, what: &str| {
        room.run(args).exits(code).says(what);
        assert_eq!(room.read("games.pgna"), before, "{args:?}");
    };
    no(&["append", "games.pgna", "missing.pgn"], 2, "missing.pgn");
    no(
        &["append", "games.pgna", "more.pgn", "broken.pgn.gz"],
        2,
        "nothing was written",
    );
    no(
        &["append", "games.pgna", "games.pgna"],
        2,
        "archive already",
    );
    no(&["append", "new.pgna", "more.pgn"], 2, "pgna pack");
    no(&["append", "text.pgna", "more.pgn"], 4, "text.pgna");
    no(&["append", ".", "more.pgn"], 2, "folder");
    fs::copy(room.path("games.pgna"), room.path("games.dat")).unwrap();
    no(&["append", "games.dat", "games.dat"], 2, "is an input");
    assert_eq!(room.read("games.dat"), before);
}

#[cfg(unix)]
#[test]
fn an_archive_that_may_not_be_written_is_told() {
    use std::os::unix::fs::PermissionsExt;
    let room = Room::packed();
    room.write("more.pgn", ONE_GAME);
    let read_only = fs::Permissions::from_mode(0o444);
    fs::set_permissions(room.path("games.pgna"), read_only).unwrap();
    // Who may do everything is not kept from it.
    if fs::OpenOptions::new()
        .append(true)
        .open(room.path("games.pgna"))
        .is_err()
    {
        room.run(&["append", "games.pgna", "more.pgn"])
            .exits(2)
            .says("games.pgna");
    }
}

#[test]
fn an_unfinished_append_is_told_and_cut() {
    let room = Room::packed();
    room.write("more.pgn", ONE_GAME);
    let mut file = room.read("games.pgna");
    file.extend(b"FOOT\x01\xfb\x9e\xc4 and no more");
    room.write("games.pgna", &file);
    room.run(&["test", "games.pgna"])
        .exits(0)
        .says("unfinished append");
    room.run(&["append", "games.pgna", "more.pgn"])
        .exits(0)
        .says("unfinished append");
    let run = room.run(&["test", "games.pgna"]).exits(0);
    assert!(run.err.is_empty(), "{}", run.err);
}

#[test]
fn an_append_keeps_to_the_indexes_that_there_are() {
    let room = Room::packed();
    room.write("more.pgn", ONE_GAME);
    // A section bears its type and the sync bytes.
    let indexes = |room: &Room| {
        let file = room.read("games.pgna");
        file.windows(8)
            .filter(|head| *head == b"TAIL\0\xfb\x9e\xc4")
            .count()
    };
    room.run(&["append", "games.pgna", "more.pgn"]).exits(0);
    assert_eq!(indexes(&room), 0);
    room.run(&["index", "games.pgna"]).exits(0);
    assert_eq!(indexes(&room), 2);
    room.run(&["append", "games.pgna", "more.pgn"]).exits(0);
    assert_eq!(indexes(&room), 3);
    let append = ["append", "games.pgna", "more.pgn", "--index", "none"];
    room.run(&append).exits(0);
    assert_eq!(indexes(&room), 3);
}

#[test]
fn archives_are_merged() {
    let room = Room::packed();
    room.write("more.pgn", ONE_GAME);
    room.run(&["pack", "more.pgn"]).exits(0);
    let args = [
        "merge",
        "games.pgna",
        "more.pgna",
        "games.pgna",
        "-o",
        "all.pgna",
    ];
    room.run(&args)
        .exits(0)
        .says("5 games from 3 sources in 3 segments");
    room.run(&args).exits(2).says("-f replaces it");
    room.run(&[&args[..], &["-f", "--test"]].concat())
        .exits(0)
        .says("proven");
    room.run(&["unpack", "all.pgna", "-o", "back"]).exits(0);
    assert_eq!(room.read("back/games.pgn"), TWO_GAMES.as_bytes());
    assert_eq!(room.read("back/games (2).pgn"), TWO_GAMES.as_bytes());
    assert_eq!(room.read("back/more.pgn"), ONE_GAME.as_bytes());
}

#[test]
fn a_merge_never_writes_over_an_input_nor_half_an_archive() {
    let room = Room::packed();
    fs::hard_link(room.path("games.pgna"), room.path("link.pgna")).unwrap();
    room.write("more.pgn", ONE_GAME);
    let before = room.read("games.pgna");
    room.run(&["merge", "games.pgna", "-f", "-o", "link.pgna"])
        .exits(2)
        .says("is an input");
    room.run(&["merge", "games.pgna", "missing.pgna", "-o", "x.pgna"])
        .exits(2);
    room.run(&["merge", "games.pgna", "more.pgn", "-o", "x.pgna"])
        .exits(4)
        .says("more.pgn");
    let mut bad = before.clone();
    let block = bad.windows(4).position(|bytes| bytes == b"BLOK").unwrap();
    bad[block + 60] ^= 1;
    room.write("bad.pgna", &bad);
    room.run(&["merge", "games.pgna", "bad.pgna", "-o", "x.pgna"])
        .exits(4)
        .says("bad.pgna");
    assert_eq!(
        room.names(),
        [
            "bad.pgna",
            "games.pgn",
            "games.pgna",
            "link.pgna",
            "more.pgn"
        ]
    );
    assert_eq!(room.read("games.pgna"), before);
}

#[test]
fn checksums_are_tested_alone() {
    let room = Room::packed();
    let run = room.run(&["test", "--quick", "games.pgna"]).exits(0);
    assert!(
        run.text().contains("checksums OK: 2 games"),
        "{}",
        run.text()
    );
    let whole = room.read("games.pgna");
    for (what, offset, code, says) in [
        (&b"BLOK"[..], 60, 4, "it costs games 1 to 2"),
        (b"SEND", 30, 4, "rebuilt"),
        (b"TABL", 30, 4, "mended"),
        (b"DIRC", 30, 4, "directory"),
        (b"OPEN", 20, 4, "OPEN"),
    ] {
        let mut bad = whole.clone();
        let at = bad.windows(4).position(|bytes| bytes == what).unwrap();
        bad[at + offset] ^= 1;
        room.write("bad.pgna", &bad);
        for quick in [&["test", "bad.pgna", "--quick"][..], &["test", "bad.pgna"]] {
            room.run(quick).exits(code).says(says);
        }
    }
}

#[cfg(unix)]
#[test]
fn what_a_killed_program_left_is_removed_by_the_next() {
    let room = Room::packed();
    let mut pack = room.command(&["pack", "/dev/stdin", "-o", "other.pgna"]);
    let mut child = pack.stdin(std::process::Stdio::piped()).spawn().unwrap();
    let left = |room: &Room| room.names().into_iter().find(|name| name.ends_with(".tmp"));
    while left(&room).is_none() {
        std::thread::yield_now();
    }
    // While it lives, no other takes its place.
    room.run(&["pack", "games.pgn", "-o", "other.pgna"])
        .exits(2)
        .says("another program");
    child.kill().unwrap();
    child.wait().unwrap();
    let name = left(&room).unwrap();
    for next in [
        &["pack", "games.pgn"][..],
        &["merge", "games.pgna"],
        &["recover", "games.pgna"],
        &["sort", "games.pgna", "--by", "White"],
    ] {
        room.write(&name, "half an archive");
        room.run(&[next, &["-f", "-o", "other.pgna"]].concat())
            .exits(0);
        assert_eq!(room.names(), ["games.pgn", "games.pgna", "other.pgna"]);
    }
}
