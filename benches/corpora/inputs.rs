//! Finds the corpora and decompresses them to plain files.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

/// A corpus before it is decompressed.
pub(crate) struct Source {
    pub(crate) name: String,
    files: Vec<PathBuf>,
}

/// A corpus as one plain file.
pub(crate) struct Corpus {
    pub(crate) name: String,
    pub(crate) path: PathBuf,
    pub(crate) raw_bytes: u64,
}

/// The corpora whose names contain one of `names`; all if it is empty.
pub(crate) fn sources(names: &[String]) -> Result<Vec<Source>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = match std::env::var_os("PGNA_CORPORA") {
        Some(folder) => PathBuf::from(folder),
        None => root.join("../shared/corpora"),
    };
    let mut sources: Vec<Source> = files(&folder).into_iter().filter_map(source).collect();
    if sources.is_empty() {
        eprintln!(
            "no corpora in {}: taking tests/data as one",
            folder.display()
        );
        sources.push(samples(root));
    }
    sources.retain(|s| names.is_empty() || names.iter().any(|name| s.name.contains(name)));
    if sources.is_empty() {
        bail!("no corpus is named so");
    }
    Ok(sources)
}

/// The files of a folder, sorted by name; none if the folder is missing.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let mut files: Vec<PathBuf> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
    files.sort();
    files
}

fn source(path: PathBuf) -> Option<Source> {
    let file = path.file_name()?.to_str()?;
    let name = file
        .strip_suffix(".zst")
        .unwrap_or(file)
        .strip_suffix(".pgn")?;
    Some(Source {
        name: name.to_owned(),
        files: vec![path],
    })
}

fn samples(root: &Path) -> Source {
    let all = files(&root.join("tests/data")).into_iter();
    let files = all.filter(|path| path.extension().is_some_and(|e| e == "pgn"));
    Source {
        name: "tests/data".to_owned(),
        files: files.collect(),
    }
}

impl Source {
    /// Writes the corpus to a file in `folder`, decompressed.
    pub(crate) fn prepare(self, folder: &Path) -> Result<Corpus> {
        let path = folder.join("corpus.pgn");
        let mut out = File::create(&path)?;
        for file in &self.files {
            copy(file, &mut out).with_context(|| file.display().to_string())?;
        }
        let raw_bytes = fs::metadata(&path)?.len();
        Ok(Corpus {
            name: self.name,
            path,
            raw_bytes,
        })
    }
}

fn copy(path: &Path, out: &mut File) -> Result<()> {
    let mut file = File::open(path)?;
    if path.extension().is_some_and(|e| e == "zst") {
        let mut decoder = zstd::Decoder::new(file)?;
        // The maximum of the format: the corpora may use long windows.
        decoder.window_log_max(31)?;
        io::copy(&mut decoder, out)?;
    } else {
        io::copy(&mut file, out)?;
    }
    Ok(())
}
