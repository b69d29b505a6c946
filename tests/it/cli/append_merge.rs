//! `append`, `merge`, `test --quick`.

use super::{TWO_GAMES, Workspace};
use crate::places;
use pgna::Archive;
use std::fs;

const ONE_GAME: &str = "[Event \"C\"]\n\n1. e4 e5 1-0\n";

#[test]
fn appended_files_round_trip() {
    let workspace = Workspace::packed();
    workspace.write("more.pgn", ONE_GAME);
    let run = workspace
        .run(&["append", "games.pgna", "more.pgn", "--test"])
        .exits(0);
    run.says("1 game from 1 source added")
        .says("3 games in all")
        .says("read back and verified");
    workspace
        .run_with(&["append", "games.pgna", "-"], b"1. d4 *\n")
        .exits(0);
    workspace
        .run(&["append", "games.pgna", "games.pgn"])
        .exits(0);
    workspace
        .run(&["unpack", "games.pgna", "-o", "back"])
        .exits(0);
    assert_eq!(workspace.read("back/games.pgn"), TWO_GAMES.as_bytes());
    assert_eq!(workspace.read("back/games (2).pgn"), TWO_GAMES.as_bytes());
    assert_eq!(workspace.read("back/more.pgn"), ONE_GAME.as_bytes());
    assert_eq!(workspace.read("back/stdin.pgn"), b"1. d4 *\n");
    let list = workspace.run(&["list", "games.pgna"]).exits(0);
    assert_eq!(list.text().lines().count(), 6);
}

/// What is damaged before an append is reported, if all is mended; otherwise nothing is appended.
#[test]
fn an_append_reports_damage() {
    let workspace = Workspace::packed();
    workspace.write("more.pgn", ONE_GAME);
    let whole = workspace.read("games.pgna");
    let archive = Archive::new(&whole[..]).unwrap();
    let segment = archive.container().segment(0).unwrap();
    let start = usize::try_from(segment.entry().offset).unwrap();
    let tables = usize::try_from(segment.index().tags()[0].offset).unwrap();
    for (bytes, code, what) in [
        (
            1,
            0,
            "games.pgna: warning: 1 byte from byte 120 on is damaged and mended by parity",
        ),
        // More than a sector.
        (tables - 40, 4, "nothing was written"),
    ] {
        let mut damaged = whole.clone();
        damaged[start + 40..start + 40 + bytes].fill(0x55);
        workspace.write("games.pgna", &damaged);
        let run = workspace.run(&["append", "games.pgna", "more.pgn"]);
        run.exits(code).says(what);
        assert_eq!(workspace.read("games.pgna") == damaged, code != 0);
    }
}

#[test]
fn a_failed_append_changes_nothing() {
    let workspace = Workspace::packed();
    workspace.write("more.pgn", ONE_GAME);
    workspace.write("broken.pgn.gz", "no gzip");
    workspace.write("text.pgna", "no archive");
    let before = workspace.read("games.pgna");
    let no = |args: &[&str], code: i32, what: &str| {
        workspace.run(args).exits(code).says(what);
        assert_eq!(workspace.read("games.pgna"), before, "{args:?}");
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
    fs::copy(workspace.path("games.pgna"), workspace.path("games.dat")).unwrap();
    no(&["append", "games.dat", "games.dat"], 2, "is an input");
    assert_eq!(workspace.read("games.dat"), before);
}

#[cfg(unix)]
#[test]
fn a_read_only_archive_is_reported() {
    use std::os::unix::fs::PermissionsExt;
    let workspace = Workspace::packed();
    workspace.write("more.pgn", ONE_GAME);
    let read_only = fs::Permissions::from_mode(0o444);
    fs::set_permissions(workspace.path("games.pgna"), read_only).unwrap();
    // Permissions do not restrict root.
    if fs::OpenOptions::new()
        .append(true)
        .open(workspace.path("games.pgna"))
        .is_err()
    {
        workspace
            .run(&["append", "games.pgna", "more.pgn"])
            .exits(2)
            .says("games.pgna");
    }
}

#[test]
fn an_unfinished_append_is_reported_and_cut() {
    let workspace = Workspace::packed();
    workspace.write("more.pgn", ONE_GAME);
    let mut file = workspace.read("games.pgna");
    file.extend(b"FOOT\x01\xfb\x9e\xc4 and no more");
    workspace.write("games.pgna", &file);
    workspace
        .run(&["test", "games.pgna"])
        .exits(0)
        .says("unfinished append");
    workspace
        .run(&["append", "games.pgna", "more.pgn"])
        .exits(0)
        .says("unfinished append");
    let run = workspace.run(&["test", "games.pgna"]).exits(0);
    assert!(run.err.is_empty(), "{}", run.err);
}

#[test]
fn foreign_bytes_after_an_archive_are_reported() {
    let workspace = Workspace::packed();
    let mut file = workspace.read("games.pgna");
    let end = file.len();
    file.push(b'x');
    workspace.write("games.pgna", &file);
    let run = workspace.run(&["test", "games.pgna"]).exits(4);
    let after = format!("1 byte after the end of the archive, from byte {end} on");
    let run = run.says(&after);
    assert_eq!(run.text(), "games.pgna: damaged: no game is lost\n");
    workspace
        .run(&["append", "games.pgna", "games.pgn"])
        .exits(4)
        .says(&format!("games.pgna: end of the archive at byte {end}: "));
}

#[test]
fn new_archives_are_not_named_like_pgn_files() {
    let workspace = Workspace::packed();
    for verb in ["merge", "index", "recover", "compact"] {
        workspace
            .run(&[verb, "games.pgna", "-o", "x.pgn"])
            .exits(2)
            .says("use -o x.pgna");
        workspace
            .run(&[verb, "games.pgna", "-o", "no/x.pgna"])
            .exits(2)
            .says("no/x.pgna: there is no folder no");
    }
    assert_eq!(workspace.names(), ["games.pgn", "games.pgna"]);
}

#[test]
fn an_append_writes_the_indexes_of_the_archive() {
    let workspace = Workspace::packed();
    workspace.write("more.pgn", ONE_GAME);
    // The head of a `TAIL` section: its type, a zero byte and the sync bytes.
    let indexes = |workspace: &Workspace| {
        let file = workspace.read("games.pgna");
        file.windows(8)
            .filter(|head| *head == b"TAIL\0\xfb\x9e\xc4")
            .count()
    };
    workspace
        .run(&["append", "games.pgna", "more.pgn"])
        .exits(0);
    assert_eq!(indexes(&workspace), 0);
    workspace.run(&["index", "games.pgna"]).exits(0);
    assert_eq!(indexes(&workspace), 2);
    workspace
        .run(&["append", "games.pgna", "more.pgn"])
        .exits(0);
    assert_eq!(indexes(&workspace), 3);
    let append = ["append", "games.pgna", "more.pgn", "--index", "none"];
    workspace.run(&append).exits(0);
    assert_eq!(indexes(&workspace), 3);
}

#[test]
fn archives_are_merged() {
    let workspace = Workspace::packed();
    workspace.write("more.pgn", ONE_GAME);
    workspace.run(&["pack", "more.pgn"]).exits(0);
    let args = [
        "merge",
        "games.pgna",
        "more.pgna",
        "games.pgna",
        "-o",
        "all.pgna",
    ];
    workspace
        .run(&args)
        .exits(0)
        .says("5 games from 3 sources in 3 segments");
    workspace.run(&args).exits(2).says("use -f to replace it");
    workspace
        .run(&[&args[..], &["-f", "--test"]].concat())
        .exits(0)
        .says("read back and verified");
    workspace
        .run(&["unpack", "all.pgna", "-o", "back"])
        .exits(0);
    assert_eq!(workspace.read("back/games.pgn"), TWO_GAMES.as_bytes());
    assert_eq!(workspace.read("back/games (2).pgn"), TWO_GAMES.as_bytes());
    assert_eq!(workspace.read("back/more.pgn"), ONE_GAME.as_bytes());
}

#[test]
fn a_merge_never_overwrites_inputs_or_leaves_partial_output() {
    let workspace = Workspace::packed();
    fs::hard_link(workspace.path("games.pgna"), workspace.path("link.pgna")).unwrap();
    workspace.write("more.pgn", ONE_GAME);
    let before = workspace.read("games.pgna");
    workspace
        .run(&["merge", "games.pgna", "-f", "-o", "link.pgna"])
        .exits(2)
        .says("is an input");
    workspace
        .run(&["merge", "games.pgna", "missing.pgna", "-o", "x.pgna"])
        .exits(2);
    workspace
        .run(&["merge", "games.pgna", "more.pgn", "-o", "x.pgna"])
        .exits(4)
        .says("more.pgn");
    workspace.write("bad.pgna", &before);
    let mut bad = workspace.unprotect("bad.pgna");
    let place = places::blocks(&bad)[0];
    bad[place] ^= 1;
    workspace.write("bad.pgna", &bad);
    workspace
        .run(&["merge", "games.pgna", "bad.pgna", "-o", "x.pgna"])
        .exits(4)
        .says("bad.pgna");
    assert_eq!(
        workspace.names(),
        [
            "bad.pgna",
            "games.pgn",
            "games.pgna",
            "link.pgna",
            "more.pgn"
        ]
    );
    assert_eq!(workspace.read("games.pgna"), before);
}

#[test]
fn quick_tests_check_checksums_only() {
    let workspace = Workspace::packed();
    let run = workspace.run(&["test", "--quick", "games.pgna"]).exits(0);
    assert!(
        run.text().contains("checksums OK: 2 games"),
        "{}",
        run.text()
    );
    let whole = workspace.read("games.pgna");
    let unprotected = workspace.unprotect("games.pgna");
    for (what, offset, cost) in [
        (&b"BLOK"[..], 60, "games 1 to 2 are lost"),
        (b"SEND", 30, "games 1 to 2 are lost"),
        (b"TABL", 30, "games 1 to 2 are lost"),
        (b"DIRC", 30, "directory"),
        (
            b"OPEN",
            20,
            ", in the index `openings`; no game is lost: `pgna index` makes",
        ),
    ] {
        let at = whole.windows(4).position(|bytes| bytes == what).unwrap() + offset;
        let mended =
            format!("1 byte from byte {at} on is damaged and mended by parity; nothing is lost");
        for (mut bad, says) in [(whole.clone(), &mended[..]), (unprotected.clone(), cost)] {
            bad[at] ^= 1;
            workspace.write("bad.pgna", &bad);
            for quick in [&["test", "bad.pgna", "--quick"][..], &["test", "bad.pgna"]] {
                workspace.run(quick).exits(4).says(says);
            }
        }
    }
}

#[cfg(unix)]
#[test]
fn leftovers_of_a_killed_program_are_removed() {
    let workspace = Workspace::packed();
    let mut pack = workspace.command(&["pack", "/dev/stdin", "-o", "other.pgna"]);
    let mut child = pack.stdin(std::process::Stdio::piped()).spawn().unwrap();
    let left = |workspace: &Workspace| {
        workspace
            .names()
            .into_iter()
            .find(|name| name.ends_with(".tmp"))
    };
    while left(&workspace).is_none() {
        std::thread::yield_now();
    }
    // While the first program runs, no other may write the same file.
    workspace
        .run(&["pack", "games.pgn", "-o", "other.pgna"])
        .exits(2)
        .says("another program");
    child.kill().unwrap();
    child.wait().unwrap();
    let name = left(&workspace).unwrap();
    for next in [
        &["pack", "games.pgn"][..],
        &["merge", "games.pgna"],
        &["recover", "games.pgna"],
        &["sort", "games.pgna", "--by", "White"],
    ] {
        workspace.write(&name, "half an archive");
        workspace
            .run(&[next, &["-f", "-o", "other.pgna"]].concat())
            .exits(0);
        assert_eq!(workspace.names(), ["games.pgn", "games.pgna", "other.pgna"]);
    }
}

/// An archive of 30 appended files with different players.
fn appended() -> Workspace {
    let workspace = Workspace::new();
    for number in 0..30 {
        let games = (0..20).map(|game| {
            let [white, black] = [game * 7 % 11, game * 5 % 13];
            format!(
                "[Event \"Round {number}\"]\n[White \"Player {white} of {number}\"]\n\
                 [Black \"Player {black} of {number}\"]\n[Result \"1-0\"]\n\n\
                 1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 {{{number} {game}}} 1-0\n\n"
            )
        });
        workspace.write("week.pgn", games.collect::<String>());
        let verb = match number {
            0 => &["pack", "week.pgn", "-o"][..],
            _ => &["append"],
        };
        let files = match number {
            0 => &["all.pgna"][..],
            _ => &["all.pgna", "week.pgn"],
        };
        workspace.run(&[verb, files].concat()).exits(0);
    }
    workspace
}

#[test]
fn appended_files_are_compacted_in_place() {
    let workspace = appended();
    workspace.write("more.pgn", ONE_GAME);
    let run = workspace.run(&["append", "all.pgna", "more.pgn"]).exits(0);
    run.says("31 segments are small; `pgna compact all.pgna` would save about ");
    let before = workspace.read("all.pgna");
    let list = workspace.run(&["list", "all.pgna"]).exits(0);
    workspace.run(&["unpack", "all.pgna", "-o", "old"]).exits(0);
    let run = workspace.run(&["compact", "all.pgna", "--test"]).exits(0);
    run.says("all.pgna: 31 segments joined to 1, 0 copied; 601 games, ")
        .says("; read back and verified");
    assert!(workspace.read("all.pgna").len() * 2 < before.len());
    let after = workspace.run(&["list", "all.pgna"]).exits(0);
    assert_eq!(after.text(), list.text());
    workspace.run(&["unpack", "all.pgna", "-o", "new"]).exits(0);
    for name in ["week.pgn", "week (30).pgn", "more.pgn"] {
        let [old, new] = ["old", "new"].map(|folder| workspace.read(&format!("{folder}/{name}")));
        assert_eq!(old, new);
    }
    let compacted = workspace.read("all.pgna");
    let run = workspace.run(&["compact", "all.pgna"]).exits(0);
    run.says("all.pgna: 1 segment, of which none can be joined");
    assert_eq!(workspace.read("all.pgna"), compacted);
    let run = workspace.run(&["append", "all.pgna", "more.pgn"]).exits(0);
    assert!(!run.err.contains("compact"), "{}", run.err);
}

#[test]
fn a_compacted_archive_has_the_level_and_the_indexes_of_the_archive() {
    let workspace = Workspace::new();
    workspace.write("a.pgn", TWO_GAMES);
    let args = ["pack", "a.pgn", "--level", "fast", "--index", "full"];
    workspace.run(&args).exits(0);
    let args = ["append", "a.pgna", "a.pgn", "--level", "fast"];
    workspace.run(&args).exits(0);
    workspace.run(&["compact", "a.pgna", "-q"]).exits(0);
    let info = workspace.run(&["info", "a.pgna"]).exits(0);
    assert!(
        info.text().contains("needs model fast\n"),
        "{}",
        info.text()
    );
    assert!(info.text().contains("continuations"), "{}", info.text());
    assert!(info.text().contains("segments    1"), "{}", info.text());
}

#[test]
fn a_compacted_archive_has_the_highest_level_of_its_segments() {
    for level in ["default", "max"] {
        let workspace = Workspace::new();
        workspace.write("a.pgn", TWO_GAMES);
        let args = ["pack", "a.pgn", "--level", level];
        workspace.run(&args).exits(0);
        let args = ["append", "a.pgna", "a.pgn", "--level", "fast"];
        workspace.run(&args).exits(0);
        workspace.run(&["compact", "a.pgna", "-q"]).exits(0);
        let info = workspace.run(&["info", "a.pgna"]).exits(0);
        assert!(
            info.text().contains(&format!("needs model {level}\n")),
            "{}",
            info.text()
        );
    }
}

#[test]
fn compact_writes_another_file_only_if_it_may() {
    let workspace = Workspace::packed();
    workspace.write("more.pgn", ONE_GAME);
    workspace
        .run(&["append", "games.pgna", "more.pgn"])
        .exits(0);
    let before = workspace.read("games.pgna");
    workspace.write("other.pgna", "other");
    let args = ["compact", "games.pgna", "-o", "other.pgna"];
    workspace.run(&args).exits(2).says("use -f to replace it");
    assert_eq!(workspace.read("other.pgna"), b"other");
    workspace.run(&[&args[..], &["-f"]].concat()).exits(0);
    workspace.run(&["test", "other.pgna"]).exits(0);
    // Without anything to join, it is a copy.
    let args = ["compact", "other.pgna", "-o", "copy.pgna"];
    let run = workspace.run(&args).exits(0);
    run.says("no segments joined, 1 copied; 3 games");
    assert_eq!(workspace.read("copy.pgna"), workspace.read("other.pgna"));
    assert_eq!(workspace.read("games.pgna"), before);
    workspace.run(&["compact", "missing.pgna"]).exits(2);
    workspace.write("bad.pgna", "no archive");
    workspace.run(&["compact", "bad.pgna"]).exits(4);
    workspace.write("bad.pgna", before);
    let mut bad = workspace.unprotect("bad.pgna");
    let place = places::blocks(&bad)[0];
    bad[place] ^= 1;
    workspace.write("bad.pgna", &bad);
    let run = workspace.run(&["compact", "bad.pgna"]).exits(4);
    run.says("bad.pgna: block at byte ")
        .says("nothing was written");
    assert_eq!(workspace.read("bad.pgna"), bad);
}

#[test]
fn a_repacked_archive_is_the_packed_one() {
    let workspace = Workspace::new();
    workspace.write("games.pgn", TWO_GAMES);
    let pack = |level, output| {
        let args = [
            "pack",
            "games.pgn",
            "--level",
            level,
            "--index",
            "full",
            "-o",
            output,
        ];
        workspace.run(&args).exits(0);
        workspace.read(output)
    };
    let [fast, max] = [("fast", "fast.pgna"), ("max", "max.pgna")].map(|(a, b)| pack(a, b));
    let args = [
        "repack",
        "fast.pgna",
        "--level",
        "max",
        "-o",
        "new.pgna",
        "--test",
    ];
    let run = workspace.run(&args).exits(0);
    run.says("new.pgna: 2 games from 1 source, ")
        .says("; read back and verified");
    assert_eq!(workspace.read("new.pgna"), max);
    workspace.run(&args).exits(2).says("use -f to replace it");
    // In place, by default with the level and the indexes that the archive has.
    workspace
        .run(&["repack", "max.pgna", "--level", "fast"])
        .exits(0);
    assert_eq!(workspace.read("max.pgna"), fast);
    let run = workspace.run(&["repack", "max.pgna", "-q"]).exits(0);
    assert_eq!(run.err, "");
    assert_eq!(workspace.read("max.pgna"), fast);
}

#[test]
fn a_damaged_archive_stays_when_it_is_repacked() {
    let workspace = Workspace::packed();
    let mut bad = workspace.unprotect("games.pgna");
    let place = places::blocks(&bad)[0];
    bad[place] ^= 1;
    workspace.write("bad.pgna", &bad);
    let run = workspace.run(&["repack", "bad.pgna"]).exits(4);
    run.says("bad.pgna: block at byte ")
        .says("nothing was written");
    assert_eq!(workspace.read("bad.pgna"), bad);
}

#[test]
fn archives_that_other_bytes_follow_are_not_replaced() {
    let workspace = Workspace::packed();
    let games = workspace.read("games.pgna");
    for follows in [&games[..], b"other bytes"] {
        let both = [&games[..], follows].concat();
        workspace.write("both.pgna", &both);
        for verb in ["repack", "index"] {
            let run = workspace.run(&[verb, "both.pgna"]).exits(4);
            run.says("`pgna recover` first").says("nothing was written");
            assert_eq!(workspace.read("both.pgna"), both);
            let args = [verb, "both.pgna", "-f", "-o", "new.pgna"];
            workspace.run(&args).exits(3).says("warning: ignored: ");
        }
    }
    let args = ["repack", "games.pgna", "-o", "-"];
    workspace.run(&args).exits(2).says("name one with -o");
}

#[test]
fn a_repacked_archive_has_the_codec_of_the_archive() {
    let workspace = Workspace::new();
    workspace.write("a.pgn", TWO_GAMES);
    workspace
        .run(&["pack", "a.pgn", "--codec", "radix"])
        .exits(0);
    let before = workspace.read("a.pgna");
    workspace.run(&["repack", "a.pgna"]).exits(0);
    assert_eq!(workspace.read("a.pgna"), before);
    for args in [["--codec", "auto"], ["--level", "fast"]] {
        workspace.write("b.pgna", &before);
        let args = [&["repack", "b.pgna"], &args[..]].concat();
        workspace.run(&args).exits(0);
        assert_ne!(workspace.read("b.pgna"), before);
    }
}

#[test]
fn a_recovered_archive_that_is_repacked_says_if_its_games_differ() {
    let workspace = Workspace::new();
    let game = |moves: &str| format!("[Event \"E\"]\n\n{moves}\n\n");
    let text = [&game("1. e4 e5")[..], &game("1. d4 d5 *"), "1. c4 c5 *\n\n"].concat();
    workspace.write("a.pgn", &text);
    workspace
        .run(&["pack", "a.pgn", "--block-games", "1"])
        .exits(0);
    let mut bad = workspace.unprotect("a.pgna");
    assert_eq!(Archive::new(&bad[..]).unwrap().games(), 3);
    let place = places::blocks(&bad)[1];
    bad[place] ^= 1;
    workspace.write("bad.pgna", &bad);
    workspace
        .run(&["recover", "bad.pgna", "-o", "good.pgna"])
        .exits(3);
    let run = workspace.run(&["repack", "good.pgna", "--test"]).exits(0);
    run.says("the text is 1 game, which were 2; numbers of games differ");
    workspace.run(&["test", "good.pgna"]).exits(0);
}
