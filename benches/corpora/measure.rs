//! Runs the programs and measures them.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

use crate::inputs::Corpus;

/// The measurements of one corpus with all programs.
pub(crate) struct Row {
    pub(crate) corpus: String,
    pub(crate) games: u64,
    pub(crate) raw_bytes: u64,
    pub(crate) ours: Measured,
    /// In the order of [`PEERS`]; `None` for one that is missing or not
    /// requested.
    pub(crate) peers: Vec<Option<Measured>>,
}

/// The result of a program on a corpus, and its cost.
pub(crate) struct Measured {
    pub(crate) bytes: u64,
    pub(crate) pack: Run,
    pub(crate) unpack: Run,
}

/// One run of a program.
#[derive(Clone, Copy)]
pub(crate) struct Run {
    pub(crate) seconds: f64,
    /// Peak resident memory, if the system reports it.
    pub(crate) peak_bytes: Option<u64>,
}

/// A general compressor that reads standard input and writes standard output.
pub(crate) struct Peer {
    pub(crate) name: &'static str,
    program: &'static str,
    pack: &'static [&'static str],
    unpack: &'static [&'static str],
}

pub(crate) const PEERS: [Peer; 3] = [
    Peer {
        name: "xz -9e",
        program: "xz",
        pack: &["-9e", "-T1", "-c"],
        unpack: &["-dc", "-T1"],
    },
    Peer {
        name: "zstd -19 --long=27",
        program: "zstd",
        pack: &["-19", "--long=27", "-q", "-c"],
        unpack: &["-dc", "--long=27", "-q"],
    },
    Peer {
        name: "bzip2 -9",
        program: "bzip2",
        pack: &["-9", "-c"],
        unpack: &["-dc"],
    },
];

pub(crate) fn row(corpus: &Corpus, folder: &Path, threads: u32, peers: bool) -> Result<Row> {
    let (games, ours) = measure_ours(corpus, folder, threads)?;
    let measured = PEERS.iter().map(|peer| match peers {
        true => measure_peer(peer, corpus, folder).with_context(|| peer.name),
        false => Ok(None),
    });
    Ok(Row {
        corpus: corpus.name.clone(),
        games,
        raw_bytes: corpus.raw_bytes,
        ours,
        peers: measured.collect::<Result<_>>()?,
    })
}

fn pgna() -> Command {
    Command::new(env!("CARGO_BIN_EXE_pgna"))
}

/// Packs and unpacks, and checks that the same bytes are restored.
fn measure_ours(corpus: &Corpus, folder: &Path, threads: u32) -> Result<(u64, Measured)> {
    let (archive, back) = (folder.join("corpus.pgna"), folder.join("back"));
    let threads = threads.to_string();
    let mut pack = pgna();
    pack.args(["pack", "-f", "-q", "--index", "none", "-T", &threads])
        .arg(&corpus.path)
        .arg("-o")
        .arg(&archive);
    let pack = run(&mut pack)?;
    let mut unpack = pgna();
    unpack
        .args(["unpack", "-f", "-q", "-T", &threads])
        .arg(&archive)
        .arg("-o")
        .arg(&back);
    let unpack = run(&mut unpack)?;
    let same = same_bytes(&corpus.path, &back.join("corpus.pgn"))?;
    ensure!(same, "{}: other bytes came back", corpus.name);
    let bytes = fs::metadata(&archive)?.len();
    Ok((
        games(&archive)?,
        Measured {
            bytes,
            pack,
            unpack,
        },
    ))
}

fn games(archive: &Path) -> Result<u64> {
    let info = pgna().args(["info", "--json"]).arg(archive).output()?;
    let info: serde_json::Value = serde_json::from_slice(&info.stdout).context("pgna info")?;
    let games = info.get("games").and_then(serde_json::Value::as_u64);
    games.context("pgna info names no number of games")
}

fn measure_peer(peer: &Peer, corpus: &Corpus, folder: &Path) -> Result<Option<Measured>> {
    let (packed, back) = (folder.join("corpus.peer"), folder.join("corpus.back"));
    let Some(pack) = filter(peer.program, peer.pack, &corpus.path, &packed)? else {
        return Ok(None);
    };
    let unpack = filter(peer.program, peer.unpack, &packed, &back)?;
    let bytes = fs::metadata(&packed)?.len();
    fs::remove_file(&back)?;
    Ok(unpack.map(|unpack| Measured {
        bytes,
        pack,
        unpack,
    }))
}

/// Runs a program from one file to another; `None` if the program is missing.
fn filter(program: &str, args: &[&str], from: &Path, to: &Path) -> Result<Option<Run>> {
    let mut command = Command::new(program);
    command
        .args(args)
        .stdin(File::open(from)?)
        .stdout(File::create(to)?);
    match run(&mut command) {
        Err(e) if e.downcast_ref().is_some_and(is_missing) => Ok(None),
        run => run.map(Some),
    }
}

fn is_missing(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::NotFound
}

fn run(command: &mut Command) -> Result<Run> {
    let start = Instant::now();
    let mut child = command.stderr(Stdio::inherit()).spawn()?;
    let mut peak_bytes = None;
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        peak_bytes = high_water(&child).max(peak_bytes);
        sleep(Duration::from_millis(2));
    };
    let seconds = start.elapsed().as_secs_f64();
    if !status.success() {
        bail!("{command:?}: {status}");
    }
    Ok(Run {
        seconds,
        peak_bytes,
    })
}

/// The kernel's high-water mark of the resident memory of a process. Polling it
/// misses only what is allocated in the last two milliseconds.
fn high_water(child: &Child) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

fn same_bytes(a: &Path, b: &Path) -> Result<bool> {
    let (mut a, mut b) = (File::open(a)?, File::open(b)?);
    let (mut left, mut right) = (Vec::new(), Vec::new());
    loop {
        left.clear();
        right.clear();
        a.by_ref().take(1 << 20).read_to_end(&mut left)?;
        b.by_ref().take(1 << 20).read_to_end(&mut right)?;
        if left != right || left.is_empty() {
            return Ok(left == right);
        }
    }
}
