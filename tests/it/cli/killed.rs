//! `pack` and `append`, killed or failed at every system call that changes a file.
//!
//! Needs `strace` and takes some minutes:
//!
//!     cargo test --release --test it cli::killed:: -- --ignored --nocapture

use super::{Run, Workspace};
use pgna::{Archive, Limits, Source, Unpack};
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::process::Stdio;

/// The traced system calls: those that write, sync, truncate, rename, link, remove and lock files.
const CALLS: &str = "write,pwrite64,writev,ftruncate,fsync,fdatasync,rename,renameat,renameat2,\
                     link,linkat,unlink,unlinkat,flock,chmod,fchmod";

#[derive(Default)]
struct Texts(Vec<Vec<u8>>);

impl Unpack for Texts {
    type Sink = Vec<u8>;

    fn open(&mut self, _: &Source) -> io::Result<Vec<u8>> {
        Ok(Vec::new())
    }

    fn close(&mut self, _: &Source, sink: Vec<u8>) -> io::Result<()> {
        self.0.push(sink);
        Ok(())
    }
}

/// The texts of the sources of an archive, if the file exists.
fn texts(workspace: &Workspace, name: &str) -> Option<Vec<Vec<u8>>> {
    let path = workspace.path(name);
    path.exists().then(|| {
        let mut texts = Texts::default();
        let archive = Archive::open_file(&path, Limits::default()).unwrap();
        archive.unpack(&mut texts).unwrap();
        texts.0
    })
}

/// Games, and garbage that fills several buffers of the writer.
fn text(seed: u64, garbage: usize) -> Vec<u8> {
    let mut text: Vec<u8> = (0..100)
        .flat_map(|game| format!("[Event \"{game}\"]\n\n1. e4 e5 2. Nf3 *\n\n").into_bytes())
        .collect();
    let mut state = seed;
    text.extend((0..garbage).map(|at| {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        match at % 80 {
            79 => b'\n',
            _ => 33 + u8::try_from(state >> 33 & 63).unwrap(),
        }
    }));
    text
}

/// Runs the program under strace.
fn traced(workspace: &Workspace, strace: &[&str], args: &[&str]) -> Run {
    let mut command = std::process::Command::new("strace");
    command
        .current_dir(workspace.0.path())
        .args([
            "-f",
            "-qq",
            "-o",
            "/dev/null",
            "-e",
            &format!("trace={CALLS}"),
        ])
        .args(strace)
        .arg(env!("CARGO_BIN_EXE_pgna"))
        .args(["-q", "-T", "1"])
        .args(args)
        .stdin(Stdio::null());
    super::run(&mut command, b"")
}

/// The number of times that each system call is made.
fn calls(workspace: &Workspace, args: &[&str]) -> BTreeMap<String, usize> {
    traced(workspace, &["-o", "calls.log"], args).exits(0);
    let log = String::from_utf8(workspace.read("calls.log")).unwrap();
    fs::remove_file(workspace.path("calls.log")).unwrap();
    let mut calls = BTreeMap::new();
    for line in log.lines() {
        let call = line.split_whitespace().nth(1).unwrap_or_default();
        let name = call.split('(').next().unwrap();
        *calls.entry(name.to_owned()).or_default() += 1;
    }
    calls
}

/// A command and its effect on a workspace.
struct Job {
    args: &'static [&'static str],
    /// The command to run afterwards.
    again: &'static [&'static str],
    prepare: fn(&Workspace),
    old: Option<Vec<Vec<u8>>>,
    new: Vec<Vec<u8>>,
    /// The files of the workspace after `again`.
    names: &'static [&'static str],
}

fn jobs() -> [Job; 2] {
    let (a, b) = (text(1, 3 << 20), text(2, 2 << 20));
    let pack: fn(&Workspace) = |workspace| workspace.write("a.pgn", text(1, 3 << 20));
    let append: fn(&Workspace) = |workspace| {
        workspace.write("a.pgn", text(1, 3 << 20));
        workspace
            .run(&["pack", "-q", "a.pgn", "--level", "fast"])
            .exits(0);
        workspace.write("a.pgn", text(2, 2 << 20));
    };
    [
        Job {
            args: &["pack", "a.pgn", "--level", "fast"],
            again: &["pack", "-q", "-f", "a.pgn", "--level", "fast"],
            prepare: pack,
            old: None,
            new: vec![a.clone()],
            names: &["a.pgn", "a.pgna"],
        },
        Job {
            args: &["append", "a.pgna", "a.pgn", "--level", "fast"],
            again: &["append", "-q", "a.pgna", "a.pgn", "--level", "fast"],
            prepare: append,
            old: Some(vec![a.clone()]),
            new: vec![a, b],
            names: &["a.pgn", "a.pgna"],
        },
    ]
}

/// Counts of trials and of their results.
#[derive(Debug, Default)]
struct Outcome {
    tried: usize,
    old: usize,
    new: usize,
}

#[test]
#[ignore = "needs strace and minutes"]
fn an_archive_is_old_or_new_after_any_failed_call() {
    let mut outcomes: BTreeMap<String, Outcome> = BTreeMap::new();
    for job in jobs() {
        let workspace = Workspace::new();
        (job.prepare)(&workspace);
        let start: Vec<(String, Vec<u8>)> = workspace
            .names()
            .into_iter()
            .map(|name| (name.clone(), workspace.read(&name)))
            .collect();
        let calls = calls(&workspace, job.args);
        println!("{}: {calls:?}", job.args[0]);
        for (call, count) in &calls {
            for number in 1..=*count {
                for fault in ["signal=SIGKILL", "error=ENOSPC", "error=EIO", "error=EINTR"] {
                    for name in workspace.names() {
                        fs::remove_file(workspace.path(&name)).unwrap();
                    }
                    start
                        .iter()
                        .for_each(|(name, bytes)| workspace.write(name, bytes));
                    let inject = format!("inject={call}:{fault}:when={number}");
                    let run = traced(&workspace, &["-e", &inject], job.args);
                    let outcome = outcomes
                        .entry(format!("{} {fault}", job.args[0]))
                        .or_default();
                    outcome.tried += 1;
                    check(&job, &workspace, fault, &run, outcome, &inject);
                }
            }
        }
    }
    for (what, outcome) in &outcomes {
        println!("{what}: {outcome:?}");
    }
}

fn check(
    job: &Job,
    workspace: &Workspace,
    fault: &str,
    run: &Run,
    outcome: &mut Outcome,
    what: &str,
) {
    let is_kill = fault.starts_with("signal");
    let found = texts(workspace, "a.pgna");
    let is_new = found.as_ref() == Some(&job.new);
    assert!(
        is_new || found == job.old,
        "{what}: neither old nor new: {}",
        run.err
    );
    if is_new {
        outcome.new += 1;
    } else {
        outcome.old += 1;
    }
    match run.code {
        0 => assert!(is_new, "{what}"),
        2 => assert!(!run.err.is_empty(), "{what}"),
        code => assert!(is_kill, "{what}: exit {code}: {}", run.err),
    }
    let may_stay = is_kill || what.contains("unlink");
    assert!(
        may_stay || workspace.names().iter().all(|name| !name.ends_with(".tmp")),
        "{what}"
    );
    workspace.run(job.again).exits(0);
    assert_eq!(workspace.names(), job.names, "{what}");
    let last = texts(workspace, "a.pgna").unwrap();
    assert!(last.starts_with(&found.unwrap_or_default()), "{what}");
}
