//! Unusual environments: threads, limits, a closed stdin, a read-only folder.

use super::{TWO_GAMES, Workspace, run};
use std::fs;
use std::process::Command;

#[test]
fn any_number_of_threads_gives_the_same_output() {
    let workspace = Workspace::packed();
    let whole = workspace.run(&["view", "games.pgna", "1-2"]).exits(0).out;
    for threads in ["0", "1", "1024"] {
        let view = workspace.run(&["view", "games.pgna", "1-2", "--threads", threads]);
        assert_eq!(view.exits(0).out, whole);
    }
    workspace
        .run(&["view", "games.pgna", "1-2", "--threads", "-1"])
        .exits(2);
}

/// The stacks of one worker and of the handler of interrupts fit in the memory, those of eight
/// workers do not. Stacks are large and few: small ones would leave so little memory that a thread
/// that has started could be the one that fails, and it can only abort.
#[cfg(target_os = "linux")]
#[test]
fn threads_that_cannot_start_are_reported() {
    let workspace = Workspace::packed();
    let with_threads = |threads: u32| {
        let program = env!("CARGO_BIN_EXE_pgna");
        let line =
            format!("ulimit -v 1000000; exec {program} info games.pgna --no-mmap -T {threads}");
        let mut shell = Command::new("sh");
        shell.current_dir(workspace.path("")).args(["-c", &line]);
        shell.env("RUST_MIN_STACK", "400000000");
        run(&mut shell, b"")
    };
    with_threads(1).exits(0);
    with_threads(8).exits(2).says("cannot start the threads");
}

#[test]
fn a_reached_limit_is_reported() {
    let workspace = Workspace::packed();
    for limit in ["block=10", "tables=10", "index=10", "plies=1"] {
        for verb in ["view", "unpack", "test"] {
            let rest: &[&str] = match verb {
                "view" => &["1"],
                "unpack" => &["-c"],
                _ => &[],
            };
            let args = [&[verb, "games.pgna", "--allow", limit], rest].concat();
            workspace.run(&args).exits(6).says("limit");
        }
        workspace
            .run(&["view", "games.pgna", "1", "--allow", limit])
            .exits(6);
    }
    assert_eq!(workspace.names(), ["games.pgn", "games.pgna"]);
    let enough = ["--allow", "block=1M", "--allow", "plies=4"];
    workspace
        .run(&[&["test", "games.pgna"], &enough[..]].concat())
        .exits(0);
    for wrong in ["block", "block=", "blocks=1", "plies=-1", "plies=many"] {
        workspace
            .run(&["test", "games.pgna", "--allow", wrong])
            .exits(2)
            .says("--allow");
    }
}

#[cfg(unix)]
#[test]
fn a_closed_stdin_reads_as_empty() {
    let workspace = Workspace::new();
    let line = format!(
        "{} pack - -o none.pgna --test <&-",
        env!("CARGO_BIN_EXE_pgna")
    );
    let mut shell = Command::new("sh");
    shell.current_dir(workspace.path("")).args(["-c", &line]);
    run(&mut shell, b"").exits(0).says("0 games");
    workspace.run(&["unpack", "none.pgna", "-c"]).exits(0);
}

/// If the tests run as root, the program runs as another user.
#[cfg(unix)]
#[test]
fn a_read_only_folder_is_reported() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    use std::os::unix::process::CommandExt;
    const NOBODY: u32 = 65534;

    let workspace = Workspace::packed();
    let program = workspace.path("program");
    // Another process copies the file. A child process that a concurrent test starts would
    // inherit a descriptor open for writing, and the copy could not be executed.
    let mut copy = Command::new("cp");
    copy.arg(env!("CARGO_BIN_EXE_pgna")).arg(&program);
    assert!(copy.status().unwrap().success());
    let before = workspace.names();
    fs::set_permissions(workspace.path(""), fs::Permissions::from_mode(0o555)).unwrap();
    let is_root = fs::metadata(workspace.path("")).unwrap().uid() == 0;
    for args in [
        &["pack", "games.pgn", "-o", "new.pgna"][..],
        &["pack", "games.pgn", "-f"],
        &["unpack", "games.pgna", "-f"],
        &["recover", "games.pgna", "-o", "new.pgna"],
        &["sort", "games.pgna", "--by", "White", "-o", "new.pgna"],
        &["index", "games.pgna"],
    ] {
        let mut command = Command::new(&program);
        command.current_dir(workspace.path("")).args(args);
        if is_root {
            command.uid(NOBODY);
        }
        run(&mut command, b"").exits(2).says("Permission denied");
    }
    fs::set_permissions(workspace.path(""), fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(workspace.names(), before);
    assert_eq!(workspace.read("games.pgn"), TWO_GAMES.as_bytes());
}
