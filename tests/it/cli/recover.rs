//! Verbs that go on behind what is damaged, and `recover`, which saves the rest.

use super::{Room, Run};
use pgna::Archive;
use std::ops::Range;

const GAMES: u64 = 300;

fn games(name: &str) -> String {
    (0..GAMES)
        .map(|n| format!("[White \"{name} {n}\"]\n\n1. e4 e5 2. Nf3 {{{n}}} *\n\n"))
        .collect()
}

/// A room with an archive of two files in blocks of 100 games.
fn room() -> Room {
    let room = Room::new();
    room.write("a.pgn", games("Anna"));
    room.write("b.pgn", games("Boris"));
    let args = ["pack", "a.pgn", "b.pgn", "-o", "two.pgna", "--block-games"];
    room.run(&[&args[..], &["100"]].concat()).exits(0);
    room
}

/// Changes a byte of a part of the archive.
fn damage(room: &Room, at: impl Fn(&Archive) -> u64) {
    let mut bytes = room.read("two.pgna");
    let at = at(&Archive::new(&bytes[..]).unwrap());
    bytes[usize::try_from(at).unwrap()] ^= 0x20;
    room.write("two.pgna", bytes);
}

/// A room whose archive lacks games 101 to 200.
fn damaged() -> Room {
    let room = room();
    damage(&room, |archive| {
        let (segment, _) = archive.container().segment(0).unwrap();
        segment.entry().offset + segment.index().blocks()[1].offset + 60
    });
    room
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
fn list_goes_on_behind_a_damaged_block() {
    let room = damaged();
    let run = room.run(&["list", "two.pgna"]).exits(4);
    let run = run.says("two.pgna: cannot read games 101 to 200: block at byte ");
    assert_eq!(lines(&run), 500);
    assert_eq!(run.err.lines().count(), 1);
    let run = room.run(&["list", "two.pgna", "150-210", "7"]).exits(4);
    let run = run.says("cannot read games 150 to 200: ");
    assert_eq!(lines(&run), 11);
    room.run(&["list", "two.pgna", "201-600"]).exits(0);
}

#[test]
fn view_goes_on_behind_a_damaged_block() {
    let room = damaged();
    let run = room.run(&["view", "two.pgna", "1-300"]).exits(4);
    let run = run.says("cannot read games 101 to 200: ");
    assert_eq!(run.text(), without("Anna", 100..200));
    let run = room.run(&["view", "two.pgna", "99-102", "150@0", "203"]);
    let run = run.exits(4).says("games 101 to 102").says("game 150");
    assert_eq!(run.text().matches("[White").count(), 3);
    let run = room.run(&["view", "two.pgna", "99-102", "--json"]).exits(4);
    assert_eq!(lines(&run), 2);
}

#[test]
fn find_goes_on_behind_a_damaged_block() {
    let room = damaged();
    let find = |more: &[&str]| room.run(&[&["find", "two.pgna"], more].concat());
    let run = find(&["-w", "White ~ \"anna\"", "--count"]).exits(4);
    let run = run.says("cannot read games 101 to 200: ");
    assert_eq!(run.text(), "200\n");
    let run = find(&["-w", "White = \"Boris 299\"", "--json"]).exits(4);
    assert_eq!(lines(&run), 1);
    let run = find(&["-w", "White = \"Nobody\""]).exits(4);
    assert_eq!(lines(&run), 0);
}

#[test]
fn unpack_gives_the_files_that_are_whole() {
    let room = damaged();
    let args = ["unpack", "two.pgna", "-o", "out"];
    let run = room.run(&args).exits(4);
    run.says("two.pgna: not unpacked: a.pgn: block at byte ")
        .says("`pgna recover` saves the rest")
        .says("1 file unpacked");
    assert_eq!(room.read("out/b.pgn"), room.read("b.pgn"));
    assert_eq!(std::fs::read_dir(room.path("out")).unwrap().count(), 1);
    let run = room.run(&["unpack", "two.pgna", "-c"]).exits(4);
    assert!(run.text().ends_with(&games("Boris")));
}

#[test]
fn damaged_tables_cost_their_segment_alone() {
    let room = Room::new();
    room.write("a.pgn", games("Anna").repeat(40));
    room.write("b.pgn", games("Boris").repeat(40));
    let args = [
        "pack", "a.pgn", "b.pgn", "-o", "two.pgna", "--index", "none",
    ];
    room.run(&[&args[..], &["--segment-size", "1"]].concat())
        .exits(0);
    let mut bytes = room.read("two.pgna");
    let (tables, first) = {
        let archive = Archive::new(&bytes[..]).unwrap();
        let (segment, _) = archive.container().segment(1).unwrap();
        let at = usize::try_from(segment.entry().offset).unwrap();
        let blocks = usize::try_from(segment.index().blocks()[0].offset).unwrap();
        (at..at + blocks, segment.entry().first_game)
    };
    assert!(first > 0);
    bytes[tables].fill(0);
    room.write("two.pgna", bytes);
    for args in [
        &["list", "two.pgna"][..],
        &["find", "two.pgna", "-w", "plies = 3", "--list"],
    ] {
        let run = room.run(args).exits(4);
        let run = run.says(&format!("cannot read games {} to 24000: tables", first + 1));
        assert_eq!(run.err.matches("cannot read").count(), 1);
        assert!(run.text().lines().count() as u64 >= first);
    }
    room.run(&["view", "two.pgna", "1"]).exits(0);
    let args = ["recover", "two.pgna", "-o", "good.pgna"];
    room.run(&args).exits(3).says("the tables of its segment");
}

#[test]
fn recover_saves_what_is_whole_and_tells_the_rest() {
    let room = damaged();
    let args = ["recover", "two.pgna", "-o", "good.pgna"];
    let run = room.run(&[&args[..], &["--json"]].concat()).exits(3);
    let run = run
        .says("lost: a.pgn, bytes ")
        .says("(games 101 to 200): its blocks are damaged or missing")
        .says("500 games from 2 files");
    let told = super::json(run.text());
    assert_eq!(told["lost_games"], 100);
    assert_eq!(told["losses"][0]["games"]["start"], 101);
    assert_eq!(told["losses"][0]["games"]["end"], 201);
    assert_eq!(told["sources"][1]["proven"], true);
    room.run(&["unpack", "good.pgna", "-o", "out"]).exits(0);
    assert_eq!(room.read("out/b.pgn"), room.read("b.pgn"));
    assert_eq!(
        room.read("out/a.pgn"),
        without("Anna", 100..200).into_bytes()
    );
    assert_eq!(
        room.names(),
        ["a.pgn", "b.pgn", "good.pgna", "out", "two.pgna"]
    );
}

#[test]
fn recover_needs_no_directory() {
    let room = room();
    let mut bytes = room.read("two.pgna");
    let end = bytes.len();
    bytes[..80].fill(0);
    bytes[end - 420..].fill(0);
    room.write("two.pgna", bytes);
    room.run(&["test", "two.pgna"]).exits(4);
    let args = ["recover", "two.pgna", "-o", "good.pgna"];
    room.run(&args).exits(3).says("perhaps more");
    room.run(&["unpack", "good.pgna", "-o", "out"]).exits(0);
    for name in ["a.pgn", "b.pgn"] {
        assert_eq!(room.read(&format!("out/{name}")), room.read(name));
    }
}

#[test]
fn recover_never_overwrites_its_input() {
    let room = room();
    let whole = room.read("two.pgna");
    std::fs::hard_link(room.path("two.pgna"), room.path("link.pgna")).unwrap();
    for output in ["two.pgna", "./two.pgna", "link.pgna"] {
        let args = ["recover", "two.pgna", "-f", "-o", output];
        room.run(&args)
            .exits(2)
            .says("is the damaged archive itself");
    }
    room.write("other", "other");
    let args = ["recover", "two.pgna", "-o", "other"];
    room.run(&args).exits(2).says("-f replaces it");
    assert_eq!(room.read("other"), b"other");
    room.run(&[&args[..], &["-f"]].concat()).exits(0);
    room.run(&["test", "other"]).exits(0);
    assert_eq!(room.read("two.pgna"), whole);
    room.run(&["recover", "two.pgna"]).exits(2);
    room.run(&["recover", "two.pgna", "-o", "."]).exits(2);
}

/// What a killed program left of the same output may be what is to be recovered.
#[test]
fn recover_keeps_what_was_left_of_its_output() {
    let room = damaged();
    let left = pgna::NewFile::path_for(&room.path("good.pgna"));
    std::fs::rename(room.path("two.pgna"), &left).unwrap();
    let name = left.file_name().unwrap().to_str().unwrap();
    let bytes = room.read(name);
    let mut names = vec![name];
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(&left, room.path("link.pgna")).unwrap();
        names.push("link.pgna");
    }
    for input in names {
        room.run(&["recover", input, "-o", "good.pgna", "-f"])
            .exits(3);
        assert_eq!(room.read(name), bytes, "{input}");
    }
}

#[test]
fn where_nothing_can_be_saved_nothing_is_written() {
    let room = room();
    let whole = room.read("two.pgna");
    let first = {
        let archive = Archive::new(&whole[..]).unwrap();
        let (segment, _) = archive.container().segment(0).unwrap();
        usize::try_from(segment.entry().offset + segment.index().blocks()[0].offset).unwrap()
    };
    let recover = |bytes: &[u8]| {
        room.write("bad.pgna", bytes);
        room.run(&["recover", "bad.pgna", "-o", "good.pgna"])
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
    other[10] = 99;
    let crc = crc32fast::hash(&other[..12]);
    other[12..16].copy_from_slice(&crc.to_le_bytes());
    recover(&other).exits(5).says("version");
    assert!(!room.names().contains(&"good.pgna".to_owned()));
    assert!(!room.names().iter().any(|name| name.contains("tmp")));
    room.run(&["recover", "missing", "-o", "good.pgna"])
        .exits(2);
    room.run(&["recover", ".", "-o", "good.pgna"]).exits(2);
}
