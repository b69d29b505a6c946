//! End-to-end tests of the program: every verb, every exit code, and the safety of files.

mod append_merge;
mod broken;
mod compare;
#[cfg(feature = "export")]
mod export;
mod fields;
mod find;
mod hostile;
#[cfg(target_os = "linux")]
mod killed;
mod pack;
mod pipes;
mod position;
mod read;
mod recover;
mod rewrite;
#[cfg(feature = "serve")]
mod serve;
mod show;
mod train;
mod unpack;
mod xiangqi;

use crate::unprotected::unprotected;
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Two games with text between them.
const TWO_GAMES: &str = "[Event \"A\"]\n[White \"Müller\\\"s\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n\
     1. e4 e5 $14 {a comment} 2. Nf3 1-0\n\nnot a game\n\n\
     [Event \"B\"]\n[UTCDate \"2024.01.02\"]\n\n1. d4 (1. c4 e5) 1... d5 *\n\n";

/// The result of a run of the program.
struct Run {
    code: i32,
    out: Vec<u8>,
    err: String,
}

impl Run {
    fn text(&self) -> &str {
        std::str::from_utf8(&self.out).unwrap()
    }

    /// Asserts the exit code.
    #[track_caller]
    fn exits(self, code: i32) -> Run {
        assert_eq!(self.code, code, "stderr: {}", self.err);
        self
    }

    /// Asserts that stderr contains `what`.
    #[track_caller]
    fn says(self, what: &str) -> Run {
        assert!(self.err.contains(what), "no {what:?} in: {}", self.err);
        self
    }
}

/// A folder to run the program in.
struct Workspace(tempfile::TempDir);

impl Workspace {
    fn new() -> Self {
        Workspace(tempfile::tempdir().unwrap())
    }

    /// A workspace with `games.pgn` and `games.pgna`.
    fn packed() -> Self {
        let workspace = Workspace::new();
        workspace.write("games.pgn", TWO_GAMES);
        workspace.run(&["pack", "games.pgn"]).exits(0);
        workspace
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        fs::create_dir_all(self.path(name).parent().unwrap()).unwrap();
        fs::write(self.path(name), bytes).unwrap();
    }

    fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    /// Takes the protection by parity from an archive, so that damage costs what it hits.
    /// Returns the bytes of the archive.
    fn unprotect(&self, name: &str) -> Vec<u8> {
        let bytes = unprotected(self.read(name));
        self.write(name, &bytes);
        bytes
    }

    /// The names of the files in the folder, sorted.
    fn names(&self) -> Vec<String> {
        self.names_in("")
    }

    /// The names of the files in a folder of it, sorted.
    fn names_in(&self, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(self.0.path().join(folder)).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pgna"));
        command
            .current_dir(self.0.path())
            .args(args)
            .stdin(Stdio::null());
        command
    }

    fn run(&self, args: &[&str]) -> Run {
        run(&mut self.command(args), b"")
    }

    fn run_with(&self, args: &[&str], stdin: &[u8]) -> Run {
        run(self.command(args).stdin(Stdio::piped()), stdin)
    }
}

fn run(command: &mut Command, stdin: &[u8]) -> Run {
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let writer = child.stdin.take().map(|mut pipe| {
        let stdin = stdin.to_vec();
        // The program may exit before it has read all input.
        std::thread::spawn(move || drop(pipe.write_all(&stdin)))
    });
    let output = child.wait_with_output().unwrap();
    if let Some(writer) = writer {
        writer.join().unwrap();
    }
    Run {
        code: output.status.code().unwrap_or(-1),
        out: output.stdout,
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

fn json(text: &str) -> serde_json::Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn every_verb_has_help() {
    let workspace = Workspace::new();
    let help = workspace.run(&["--help"]).exits(0);
    for verb in [
        "pack",
        "append",
        "merge",
        "unpack",
        "view",
        "list",
        "find",
        "stats",
        "fields",
        "sort",
        "dedupe",
        "split",
        "info",
        "test",
        "recover",
        "compare",
        "xiangqi",
        "completions",
        "man",
    ] {
        assert!(help.text().contains(&format!("\n  {verb}")), "{verb}");
        let of_verb = workspace.run(&["help", verb]).exits(0);
        assert!(of_verb.text().contains("Examples:"), "{verb}");
    }
    let version = workspace.run(&["--version"]).exits(0);
    assert!(version.text().starts_with("pgna "));
}

#[test]
fn the_readme_has_the_exit_codes_of_the_help() {
    let help = Workspace::new().run(&["--help"]).exits(0);
    let (_, codes) = help.text().split_once("Exit status:\n").unwrap();
    let (codes, _) = codes.split_once("\n\n").unwrap();
    let readme = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let readme = fs::read_to_string(readme).unwrap();
    assert!(readme.contains(codes), "not in README.md:\n{codes}");
}

#[test]
fn help_about_indexes_fits_the_verb() {
    let workspace = Workspace::new();
    for verb in ["find", "sort", "dedupe", "split", "recover", "pack"] {
        let help = workspace.run(&["help", verb]).exits(0);
        assert!(!help.text().contains("`pgna append`"), "{verb}");
    }
    let help = workspace.run(&["help", "append"]).exits(0);
    assert!(help.text().contains("indexes that the archive has"));
}

#[test]
fn wrong_usage_exits_with_2() {
    let workspace = Workspace::packed();
    for args in [
        &[][..],
        &["frobnicate"],
        &["pack"],
        &["pack", "games.pgn", "--codec", "none"],
        &["pack", "games.pgn", "-c", "-o", "x"],
        &["pack", "games.pgn", "--segment-size", "0"],
        &["view", "games.pgna"],
        &["view", "games.pgna", "0"],
        &["view", "games.pgna", "2-1"],
        &["info", "missing.pgna"],
        &["info", "."],
        &["info", "-"],
        &["info", "games.pgna", "-T", "99999"],
        &["man", "frobnicate"],
        &["compare"],
        &["compare", "missing.pgn"],
        &["compare", "games.pgn", "--games", "0"],
        &["-q", "-v", "info", "games.pgna"],
    ] {
        let run = workspace.run(args).exits(2);
        assert!(!run.err.is_empty() && run.out.is_empty(), "{args:?}");
    }
}

#[test]
fn completions_and_manual_pages_are_generated() {
    let workspace = Workspace::new();
    for shell in ["bash", "zsh", "fish"] {
        let script = workspace.run(&["completions", shell]).exits(0);
        assert!(script.text().contains("unpack"), "{shell}");
    }
    let page = workspace.run(&["man"]).exits(0);
    assert!(page.text().contains(".TH pgna 1"));
    let page = workspace.run(&["man", "pack"]).exits(0);
    assert!(page.text().contains(".TH pgna-pack 1"));
}
