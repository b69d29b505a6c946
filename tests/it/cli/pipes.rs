//! Stdin, stdout, closed pipes and interruptions.

use super::{TWO_GAMES, Workspace};
use std::process::Stdio;

#[test]
fn stdin_goes_to_stdout() {
    let workspace = Workspace::new();
    let run = workspace
        .run_with(&["pack", "-"], TWO_GAMES.as_bytes())
        .exits(0);
    let run = run.says("stdout: 2 games from 1 source");
    assert!(run.out.starts_with(b"\x89PGNA"));
    assert!(workspace.names().is_empty());
    workspace.write("a.pgna", run.out);
    workspace.run(&["unpack", "a.pgna"]).exits(0);
    assert_eq!(workspace.read("stdin.pgn"), TWO_GAMES.as_bytes());
}

#[test]
fn stdin_is_never_decompressed() {
    let workspace = Workspace::new();
    let compressed = zstd::encode_all(TWO_GAMES.as_bytes(), 1).unwrap();
    workspace
        .run_with(&["pack", "-", "-o", "a.pgna"], &compressed)
        .exits(0);
    let run = workspace.run(&["unpack", "-c", "a.pgna"]).exits(0);
    assert_eq!(run.out, compressed);
    workspace.run(&["pack", "-", "-", "-o", "b.pgna"]).exits(2);
}

#[test]
fn a_closed_pipe_is_quiet() {
    let workspace = Workspace::new();
    workspace.write("games.pgn", TWO_GAMES.repeat(20_000));
    workspace.run(&["pack", "games.pgn"]).exits(0);
    for args in [
        &["unpack", "-c", "games.pgna"][..],
        &["view", "games.pgna", "1-"],
        &["list", "games.pgna"],
        &["list", "games.pgna", "--json"],
        &["info", "games.pgna"],
        &["pack", "-c", "games.pgn", "-q"],
        &["completions", "bash"],
        &["compare", "games.pgn", "--games", "9"],
    ] {
        let mut child = workspace
            .command(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let is_cut = ["pack", "unpack"].contains(&args[0]);
        let exit = if is_cut { 2 } else { 0 };
        assert_eq!(output.status.code(), Some(exit), "{args:?}");
        assert_eq!(output.stderr, b"", "{args:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let workspace = Workspace::packed();
    for args in [
        &["unpack", "-c", "games.pgna"][..],
        &["list", "games.pgna"],
        &["pack", "-c", "games.pgn"],
    ] {
        let full = std::fs::File::options().write(true).open("/dev/full");
        let mut command = workspace.command(args);
        let output = command.stdout(full.unwrap()).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(message.contains("No space left"), "{message}");
    }
    let run = workspace
        .run(&["pack", "games.pgn", "-o", "/dev/full"])
        .exits(2);
    run.says("No space left");
}

#[cfg(unix)]
#[test]
fn a_device_is_written_not_replaced() {
    let workspace = Workspace::packed();
    workspace
        .run(&["pack", "games.pgn", "-o", "/dev/null"])
        .exits(0);
    assert!(!std::fs::metadata("/dev/null").unwrap().is_file());
}

#[cfg(unix)]
#[test]
fn an_interruption_leaves_no_file() {
    use std::time::{Duration, Instant};
    let workspace = Workspace::new();
    let mut child = workspace
        .command(&["pack", "-", "-o", "a.pgna"])
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    let start = Instant::now();
    while workspace.names().is_empty() {
        assert!(
            start.elapsed() < Duration::from_secs(30),
            "no temporary file"
        );
        std::thread::sleep(Duration::from_millis(5));
    }
    // Long enough for the signal handler to know the file.
    std::thread::sleep(Duration::from_millis(100));
    let pid = child.id().to_string();
    // Open until the program has ended: at the end of its input it would finish the archive.
    let _stdin = child.stdin.take();
    let status = std::process::Command::new("kill")
        .args(["-INT", &pid])
        .status();
    assert!(status.unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_eq!(workspace.names(), Vec::<String>::new());
}
