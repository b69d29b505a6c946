//! `pgna unpack`: files round-trip, and no other file is touched.

use super::{TWO_GAMES, Workspace};
use crate::{forged, samples};
use std::fs;

#[test]
fn a_folder_round_trips_with_its_names() {
    let workspace = Workspace::new();
    let samples = samples::folder();
    let folder = samples.to_str().unwrap();
    let run = workspace.run(&["pack", folder, "-o", "s.pgna", "--test"]);
    run.exits(0).says("read back and verified");
    workspace
        .run(&["unpack", "s.pgna", "-o", "out", "-v"])
        .exits(0)
        .says("data/annotated.pgn");
    let mut compared = 0;
    for entry in fs::read_dir(&samples).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let same =
            workspace.read(&format!("out/data/{name}")) == fs::read(samples.join(&name)).unwrap();
        assert!(same, "{name}");
        compared += 1;
    }
    assert_eq!(
        fs::read_dir(workspace.path("out/data")).unwrap().count(),
        compared
    );
    assert!(compared > 40);
}

#[test]
fn unpacking_without_mmap_gives_the_same_text() {
    let workspace = Workspace::packed();
    let args = ["unpack", "games.pgna", "-c", "--no-mmap"];
    assert_eq!(workspace.run(&args).exits(0).text(), TWO_GAMES);
}

#[test]
fn a_dash_as_folder_means_stdout() {
    let workspace = Workspace::packed();
    let run = workspace.run(&["unpack", "games.pgna", "-o", "-"]).exits(0);
    assert_eq!(run.text(), TWO_GAMES);
    assert!(!workspace.path("-").exists());
}

#[test]
fn files_are_replaced_only_by_force() {
    let workspace = Workspace::packed();
    workspace.write("games.pgn", "mine");
    let run = workspace.run(&["unpack", "games.pgna"]).exits(2);
    run.says("games.pgn: already exists; use -f to replace it; nothing was written");
    assert_eq!(workspace.read("games.pgn"), b"mine");
    workspace.run(&["unpack", "games.pgna", "-f"]).exits(0);
    assert_eq!(workspace.read("games.pgn"), TWO_GAMES.as_bytes());
    assert_eq!(workspace.names(), ["games.pgn", "games.pgna"]);
    fs::remove_file(workspace.path("games.pgn")).unwrap();
    fs::create_dir(workspace.path("games.pgn")).unwrap();
    let run = workspace.run(&["unpack", "games.pgna", "-f"]).exits(2);
    run.says("a folder of this name exists");
}

#[test]
fn a_file_is_not_an_output_folder() {
    let workspace = Workspace::packed();
    for args in [
        &["unpack", "games.pgna"][..],
        &["split", "games.pgna", "--games", "1"],
        &["split", "games.pgna", "--by", "Event"],
    ] {
        workspace
            .run(&[args, &["-o", "games.pgn"]].concat())
            .exits(2)
            .says("games.pgn: is a file, not a folder; nothing was written");
    }
}

#[test]
fn one_existing_file_prevents_all_writes() {
    let workspace = Workspace::new();
    workspace.write("x/a.pgn", TWO_GAMES);
    workspace.write("x/b.pgn", TWO_GAMES);
    workspace.run(&["pack", "x"]).exits(0);
    workspace.write("out/x/b.pgn", "mine");
    workspace.run(&["unpack", "x.pgna", "-o", "out"]).exits(2);
    assert!(!workspace.path("out/x/a.pgn").exists());
}

#[test]
fn a_file_in_place_of_a_folder_prevents_all_writes() {
    let workspace = Workspace::new();
    workspace.write("x/a.pgn", TWO_GAMES);
    workspace.write("x/y/b.pgn", TWO_GAMES);
    workspace.run(&["pack", "x"]).exits(0);
    workspace.write("out/x/y", "mine");
    let run = workspace.run(&["unpack", "x.pgna", "-o", "out", "-f"]);
    run.exits(2)
        .says("is not a folder, or is a link; nothing was written");
    assert!(!workspace.path("out/x/a.pgn").exists());
    assert_eq!(workspace.read("out/x/y"), b"mine");
}

/// Writes `renamed.pgna`, a copy of `games.pgna` with a source name that `pack` would not write.
fn renamed(workspace: &Workspace, name: &str) {
    let bytes = forged::renamed(&workspace.read("games.pgna"), name);
    workspace.write("renamed.pgna", bytes);
}

#[test]
fn names_that_leave_the_folder_are_refused() {
    let workspace = Workspace::packed();
    for name in [
        "../evil.pgn",
        "a/../../evil.pgn",
        "/tmp/pgna-evil.pgn",
        "",
        ".",
        "a//b",
        "..\\evil.pgn",
        "C:evil.pgn",
        "nul",
        "a\u{1b}[m",
    ] {
        renamed(&workspace, name);
        let run = workspace
            .run(&["unpack", "renamed.pgna", "-o", "out", "-f"])
            .exits(2);
        assert!(!run.err.contains('\u{1b}'));
        run.says("a name that is not unpacked");
        assert!(!workspace.path("out").exists() && !workspace.path("evil.pgn").exists());
        // The text can still be unpacked to stdout.
        let text = workspace.run(&["unpack", "renamed.pgna", "-c"]).exits(0);
        assert_eq!(text.text(), TWO_GAMES);
        workspace.run(&["test", "renamed.pgna"]).exits(0);
    }
    renamed(&workspace, "a/b.pgn");
    workspace
        .run(&["unpack", "renamed.pgna", "-o", "out"])
        .exits(0);
    assert_eq!(workspace.read("out/a/b.pgn"), TWO_GAMES.as_bytes());
}

#[cfg(unix)]
#[test]
fn names_with_a_backslash_come_back() {
    let workspace = Workspace::new();
    let names = ["a\\b.pgn", "\\c.pgn", "d\\\\e\\", "f\\g/h\\i.pgn"];
    fs::create_dir_all(workspace.path("in/f\\g")).unwrap();
    for name in names {
        workspace.write(&format!("in/{name}"), format!("[Event {name:?}]\n\n*\n"));
    }
    let run = workspace.run(&["pack", "in", "-o", "x.pgna"]).exits(0);
    assert!(!run.err.contains("packed as"), "{}", run.err);
    let unpacked = ["unpack", "x.pgna", "-o", "out"];
    workspace.run(&unpacked).exits(0);
    for name in names {
        let [before, after] =
            ["in", "out/in"].map(|folder| workspace.read(&format!("{folder}/{name}")));
        assert_eq!(before, after);
    }
    assert_eq!(fs::read_dir(workspace.path("out/in")).unwrap().count(), 4);
}

#[cfg(unix)]
#[test]
fn links_do_not_lead_out_of_the_folder() {
    use std::os::unix::fs::symlink;
    let workspace = Workspace::packed();
    renamed(&workspace, "a/b.pgn");
    fs::create_dir(workspace.path("out")).unwrap();
    fs::create_dir(workspace.path("elsewhere")).unwrap();
    symlink(workspace.path("elsewhere"), workspace.path("out/a")).unwrap();
    let args = ["unpack", "renamed.pgna", "-o", "out", "-f"];
    workspace
        .run(&args)
        .exits(2)
        .says("is not a folder, or is a link");
    assert_eq!(
        fs::read_dir(workspace.path("elsewhere")).unwrap().count(),
        0
    );

    // A link in place of a file is replaced, not followed.
    fs::remove_file(workspace.path("out/a")).unwrap();
    fs::create_dir(workspace.path("out/a")).unwrap();
    workspace.write("elsewhere/b.pgn", "mine");
    symlink(
        workspace.path("elsewhere/b.pgn"),
        workspace.path("out/a/b.pgn"),
    )
    .unwrap();
    workspace.run(&args[..4]).exits(2).says("already exists");
    workspace.run(&args).exits(0);
    assert_eq!(workspace.read("elsewhere/b.pgn"), b"mine");
    assert_eq!(workspace.read("out/a/b.pgn"), TWO_GAMES.as_bytes());
}
