//! `pgna pack`: inputs, outputs, refusals.

use super::{TWO_GAMES, Workspace, json};
use std::fs;
use std::io::Write;

#[test]
fn the_summary_lists_what_was_packed() {
    let workspace = Workspace::new();
    workspace.write("games.pgn", TWO_GAMES.repeat(600));
    let run = workspace.run(&["pack", "games.pgn", "--test"]).exits(0);
    let run = run.says("games.pgna: 1,200 games from 1 source, ");
    run.says(", read back and verified");
    assert_eq!(workspace.names(), ["games.pgn", "games.pgna"]);
    let run = workspace.run(&["pack", "games.pgn", "-fq", "-k"]).exits(0);
    assert_eq!((run.out.len(), run.err.as_str()), (0, ""));
}

#[test]
fn strict_packing_sets_the_exit_code_for_verbatim_games() {
    let workspace = Workspace::new();
    workspace.write("legal.pgn", "1. e4 e5 *\n");
    workspace.write("illegal.pgn", "1. e4 e4 *\n");
    workspace.run(&["pack", "legal.pgn", "--strict"]).exits(0);
    let run = workspace.run(&["pack", "illegal.pgn", "--strict"]).exits(3);
    run.says("1 game stored partly verbatim (1 with an illegal or ambiguous move; `pgna find ARCHIVE -w 'verbatim?'` finds them)");
    let find = ["find", "illegal.pgna", "-w", "verbatim?", "--count"];
    assert_eq!(workspace.run(&find).exits(0).text(), "1\n");
    workspace.run(&["test", "illegal.pgna"]).exits(0);
    workspace.run(&["pack", "illegal.pgn", "-f"]).exits(0);
}

#[test]
fn words_that_are_no_moves_are_found() {
    let workspace = Workspace::new();
    let games = "[White \"A\"]\n\n1. e4 e5 *\n\n[White \"B\"]\n\n1. e4 Sf6 *\n\n\
                 [White \"C\"]\n\n1. e4 Sf6 e4 *\n\n[White \"D\"]\n\n1. e4 e4 *\n";
    workspace.write("games.pgn", games);
    workspace.run(&["pack", "games.pgn"]).exits(0);
    let run = workspace.run(&["list", "games.pgna", "--csv", "--columns", "White,words"]);
    let lines = "number,White,words\n1,A,no\n2,B,yes\n3,C,yes\n4,D,no\n";
    assert_eq!(run.exits(0).text(), lines);
    let find = [
        "find",
        "games.pgna",
        "-w",
        "words and not verbatim?",
        "--count",
    ];
    assert_eq!(workspace.run(&find).exits(0).text(), "1\n");
}

#[test]
fn every_codec_round_trips() {
    let workspace = Workspace::new();
    workspace.write("games.pgn", TWO_GAMES);
    let schemes = pgna::Codec::ALL.map(|codec| codec.name());
    for codec in ["auto"].into_iter().chain(schemes) {
        workspace
            .run(&["pack", "games.pgn", "-f", "--codec", codec])
            .exits(0);
        let back = workspace.run(&["unpack", "games.pgna", "-c"]).exits(0);
        assert_eq!(back.text(), TWO_GAMES, "{codec}");
    }
}

#[test]
fn levels_round_trip_and_are_reported() {
    let workspace = Workspace::new();
    workspace.write("games.pgn", TWO_GAMES);
    for level in ["fast", "default", "max"] {
        for codec in ["auto", "model"] {
            let args = [
                "pack",
                "games.pgn",
                "-f",
                "--codec",
                codec,
                "--level",
                level,
            ];
            workspace.run(&args).exits(0);
            let back = workspace.run(&["unpack", "games.pgna", "-c"]).exits(0);
            assert_eq!(back.text(), TWO_GAMES, "{codec} {level}");
            let info = workspace.run(&["info", "games.pgna"]).exits(0);
            assert!(info.text().contains(&format!("needs model {level}\n")));
            let info = workspace.run(&["info", "games.pgna", "--json"]).exits(0);
            let models = &json(info.text())["models"];
            assert_eq!(models[0]["level"], level);
        }
    }
    workspace
        .run(&[
            "pack",
            "games.pgn",
            "-f",
            "--codec",
            "radix",
            "--level",
            "max",
        ])
        .exits(2)
        .says("the codec radix has no levels");
    workspace
        .run(&["pack", "games.pgn", "-f", "--level", "best"])
        .exits(2);
    workspace
        .run(&["pack", "games.pgn", "-f", "--codec", "radix"])
        .exits(0);
    let info = workspace.run(&["info", "games.pgna"]).exits(0);
    assert!(info.text().contains("needs model none\n"));
}

#[test]
fn output_does_not_depend_on_threads_or_destination() {
    let workspace = Workspace::new();
    workspace.write("games.pgn", TWO_GAMES.repeat(2000));
    let packed = |args: &[&str]| {
        let head = ["pack", "games.pgn", "-fq", "--segment-size", "1"];
        workspace.run(&[&head, args].concat()).exits(0);
        workspace.read("games.pgna")
    };
    let one = packed(&["-T1"]);
    assert_eq!(packed(&["-T", "3"]), one);
    // A streamed archive differs only in its empty commit slots.
    let stream = workspace.run(&["pack", "games.pgn", "-c", "--segment-size", "1"]);
    assert_eq!(stream.out[80..], one[80..]);
    assert_ne!(stream.out[..80], one[..80]);
}

#[test]
fn an_archive_is_replaced_only_by_force() {
    let workspace = Workspace::packed();
    let before = workspace.read("games.pgna");
    workspace.write("games.pgn", "1. d4 *\n");
    let run = workspace.run(&["pack", "games.pgn"]).exits(2);
    run.says("games.pgna: already exists; use -f to replace it");
    assert_eq!(workspace.read("games.pgna"), before);
    workspace.run(&["pack", "games.pgn", "-f"]).exits(0);
    assert_ne!(workspace.read("games.pgna"), before);
    assert_eq!(workspace.names(), ["games.pgn", "games.pgna"]);
}

#[test]
fn an_input_is_never_overwritten() {
    let workspace = Workspace::new();
    workspace.write("games.pgn", TWO_GAMES);
    workspace.write("sub/other.pgn", TWO_GAMES);
    let refused = |output: &str| {
        let args = ["pack", "games.pgn", "sub", "-f", "-o", output];
        workspace.run(&args).exits(2).says("is an input");
        assert_eq!(workspace.read("games.pgn"), TWO_GAMES.as_bytes());
        assert_eq!(workspace.read("sub/other.pgn"), TWO_GAMES.as_bytes());
    };
    refused("games.pgn");
    refused("./sub/../games.pgn");
    refused("sub/other.pgn");
    std::fs::hard_link(workspace.path("games.pgn"), workspace.path("hard")).unwrap();
    refused("hard");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("games.pgn", workspace.path("soft")).unwrap();
        refused("soft");
    }
}

#[test]
fn invalid_outputs_are_refused() {
    let workspace = Workspace::new();
    workspace.write("a.pgn", TWO_GAMES);
    workspace.write("b.pgn", TWO_GAMES);
    for (args, why) in [
        (&["pack", "a.pgn", "b.pgn"][..], "name it with -o"),
        (&["pack", "."], "name it with -o"),
        (&["pack", "a.pgn", "-o", "."], "is a folder"),
        (
            &["pack", "a.pgn", "-o", "no/such/a.pgna"],
            "no/such/a.pgna: there is no folder no/such",
        ),
        (
            &["pack", "a.pgn", "-o", "x.pgn"],
            "x.pgn: is the name of a PGN file, and an archive is written: use -o x.pgna",
        ),
        (&["pack", "-", "-fo", "x.PGN.zst"], "use -o x.pgna"),
        (&["pack", "-", "--test"], "cannot be read back"),
    ] {
        workspace.run(args).exits(2).says(why);
    }
    assert_eq!(workspace.names(), ["a.pgn", "b.pgn"]);
}

#[test]
fn an_unreadable_input_writes_no_archive() {
    let workspace = Workspace::new();
    workspace.write("a.pgn", TWO_GAMES);
    workspace.write("b.pgn.gz", "this is not gzip");
    fs::create_dir(workspace.path("empty")).unwrap();
    for (input, why) in [
        ("missing.pgn", "missing.pgn: No such file"),
        ("b.pgn.gz", "nothing was written"),
        ("empty", "no files"),
    ] {
        let args = ["pack", "a.pgn", input, "-o", "all.pgna"];
        workspace.run(&args).exits(2).says(why);
    }
    assert_eq!(workspace.names(), ["a.pgn", "b.pgn.gz", "empty"]);
}

#[test]
fn an_archive_is_not_accepted_as_input() {
    let workspace = Workspace::packed();
    let run = workspace
        .run(&["pack", "games.pgna", "-o", "x.pgna"])
        .exits(2);
    run.says("is a PGN archive already");
}

#[test]
fn archives_in_a_folder_are_reported() {
    let workspace = Workspace::packed();
    fs::create_dir(workspace.path("x")).unwrap();
    fs::copy(workspace.path("games.pgna"), workspace.path("x/a.pgna")).unwrap();
    fs::copy(workspace.path("games.pgna"), workspace.path("x/b")).unwrap();
    workspace.write("x/c.pgn", TWO_GAMES);
    workspace
        .run(&["pack", "x"])
        .exits(0)
        .says("2 inputs are PGN archives and are stored as plain bytes");
}

#[cfg(target_os = "linux")]
#[test]
fn a_name_that_is_not_utf_8_needs_an_output() {
    use std::os::unix::ffi::OsStrExt;
    let workspace = Workspace::new();
    let name = std::ffi::OsStr::from_bytes(b"na\xefve.pgn");
    fs::write(workspace.0.path().join(name), TWO_GAMES).unwrap();
    super::run(workspace.command(&["pack"]).arg(name), b"")
        .exits(2)
        .says("its name is not UTF-8; name the archive with -o");
}

#[test]
fn compressed_inputs_are_decompressed() {
    let workspace = Workspace::new();
    let halves = TWO_GAMES.split_at(100);
    // Two streams in each file, like concatenated files.
    let twice = |compress: fn(&str) -> Vec<u8>| [compress(halves.0), compress(halves.1)].concat();
    workspace.write(
        "a.pgn.zst",
        twice(|half| zstd::encode_all(half.as_bytes(), 1).unwrap()),
    );
    workspace.write("b.PGN.GZ", twice(gzip));
    workspace.write("c.bz2", twice(bzip2));
    workspace.write("d.pgn.xz", twice(xz));
    let inputs = ["a.pgn.zst", "b.PGN.GZ", "c.bz2", "d.pgn.xz"];
    workspace
        .run(&[&["pack", "-o", "all.pgna"], &inputs[..]].concat())
        .exits(0);
    workspace.run(&["unpack", "all.pgna", "-o", "out"]).exits(0);
    for name in ["a.pgn", "b.PGN", "c", "d.pgn"] {
        assert_eq!(workspace.read(&format!("out/{name}")), TWO_GAMES.as_bytes());
    }
    workspace.run(&["pack", "a.pgn.zst"]).exits(0);
    assert!(workspace.path("a.pgna").is_file());
}

#[test]
fn truncated_compressed_inputs_are_errors() {
    let workspace = Workspace::new();
    for (name, whole) in [
        (
            "a.pgn.zst",
            zstd::encode_all(TWO_GAMES.as_bytes(), 1).unwrap(),
        ),
        ("a.pgn.gz", gzip(TWO_GAMES)),
        ("a.pgn.bz2", bzip2(TWO_GAMES)),
        ("a.pgn.xz", xz(TWO_GAMES)),
    ] {
        workspace.write(name, &whole[..whole.len() - 5]);
        let run = workspace.run(&["pack", name, "-o", "a.pgna"]).exits(2);
        run.says(name);
        assert!(!workspace.path("a.pgna").exists());
    }
}

fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

fn bzip2(text: &str) -> Vec<u8> {
    let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

fn xz(text: &str) -> Vec<u8> {
    let mut encoder = liblzma::write::XzEncoder::new(Vec::new(), 1);
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn unsafe_names_are_changed() {
    let workspace = Workspace::new();
    workspace.write("what?.pgn", TWO_GAMES);
    let run = workspace
        .run(&["pack", "what?.pgn", "-o", "a.pgna"])
        .exits(0);
    run.says("what?.pgn: packed as what_.pgn");
}

#[test]
fn equal_names_are_numbered() {
    let workspace = Workspace::new();
    workspace.write("a.pgn", "1. e4 *\n");
    workspace.write("b/a.pgn", "1. d4 *\n");
    workspace
        .run(&["pack", "a.pgn", "b/a.pgn", "-o", "x.pgna"])
        .exits(0);
    workspace.run(&["unpack", "x.pgna", "-o", "out"]).exits(0);
    assert_eq!(workspace.read("out/a.pgn"), b"1. e4 *\n");
    assert_eq!(workspace.read("out/a (2).pgn"), b"1. d4 *\n");
}

/// A game whose comment has some 6 kB of words.
fn game_in_prose(number: usize) -> String {
    let words = [
        "pawn", "knight", "after", "strong", "weak", "square", "attack",
    ];
    let mut state = number as u64;
    let prose: Vec<String> = (0..900)
        .map(|_| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            let word = words[usize::try_from(state >> 60).unwrap() % words.len()];
            format!("{word}{}", state >> 62)
        })
        .collect();
    let prose = prose.join(" ");
    format!("[White \"A\"]\n[Black \"B\"]\n\n1. e4 {{{prose}}} e5 *\n\n")
}

/// Only codecs with a model mix, from level default on, and only max has large blocks then.
#[test]
fn levels_choose_how_prose_is_compressed() {
    let workspace = Workspace::new();
    let text: String = (0..30).map(game_in_prose).collect();
    workspace.write("games.pgn", text.as_bytes());
    let zstd = ("zstd", 1);
    let mixed = "mixed contexts";
    for (options, (encoding, blocks)) in [
        (vec!["--codec", "radix"], zstd),
        (vec!["--level", "fast"], zstd),
        (vec![], (mixed, 3)),
        (vec!["--codec", "model"], (mixed, 3)),
        (vec!["--level", "max"], (mixed, 1)),
    ] {
        let pack = [&["pack", "games.pgn", "-fq", "--test"], &options[..]].concat();
        workspace.run(&pack).exits(0);
        let run = workspace
            .run(&["info", "games.pgna", "--sizes", "--json"])
            .exits(0);
        let info: serde_json::Value = serde_json::from_slice(&run.out).unwrap();
        let comments = &info["sizes"]["columns"]["comments"]["encodings"];
        let found: Vec<&String> = comments.as_object().unwrap().keys().collect();
        let all_are = found.iter().all(|found| found.starts_with(encoding));
        assert!(all_are && !found.is_empty(), "{options:?}: {found:?}");
        assert_eq!(info["blocks"], blocks, "{options:?}");
    }
}

/// Games of variants are in no model, but what appends and packs them again mixes their prose too.
#[test]
fn prose_stays_mixed_in_archives_without_models() {
    let workspace = Workspace::new();
    let game = |number| format!("[Variant \"Atomic\"]\n{}", game_in_prose(number));
    let [first, second] = [0..8, 8..16].map(|games| games.map(game).collect::<String>());
    workspace.write("first.pgn", &first);
    workspace.write("second.pgn", &second);
    workspace.run(&["pack", "first.pgn", "-q"]).exits(0);
    workspace
        .run(&["pack", "first.pgn", "second.pgn", "-qo", "all.pgna"])
        .exits(0);
    let all = workspace.read("all.pgna").len();
    workspace
        .run(&["repack", "first.pgna", "-qo", "again.pgna"])
        .exits(0);
    assert!(workspace.read("again.pgna") == workspace.read("first.pgna"));
    workspace
        .run(&["append", "first.pgna", "second.pgn", "-q"])
        .exits(0);
    workspace.run(&["compact", "first.pgna", "-q"]).exits(0);
    assert!(workspace.read("first.pgna").len() <= all + all / 100);
    let radix = ["pack", "second.pgn", "-q", "--codec", "radix"];
    workspace.run(&radix).exits(0);
    workspace
        .run(&["repack", "second.pgna", "-qo", "again.pgna", "-f"])
        .exits(0);
    assert!(workspace.read("again.pgna") == workspace.read("second.pgna"));
}
