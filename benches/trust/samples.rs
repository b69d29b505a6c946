//! The archives that are damaged.

use anyhow::{Context, Result, ensure};
use pgna::{Appender, Archive, BuiltinModel, Indexes, PackOptions, Writer};
use std::path::{Path, PathBuf};

/// The levels, by name.
pub(crate) const LEVELS: [(&str, BuiltinModel); 3] = [
    ("fast", BuiltinModel::Fast),
    ("default", BuiltinModel::Default),
    ("max", BuiltinModel::Max),
];

/// The level with this name.
pub(crate) fn level(name: &str) -> Result<BuiltinModel> {
    let level = LEVELS.iter().find(|level| level.0 == name);
    Ok(level.context("no such level")?.1)
}

/// The files of the sample collection, sorted by name.
fn files() -> Result<Vec<PathBuf>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let mut files = Vec::new();
    for entry in std::fs::read_dir(&folder).context("the sample collection")? {
        files.push(entry?.path());
    }
    files.sort();
    Ok(files)
}

fn options(level: BuiltinModel) -> PackOptions {
    PackOptions {
        segment_bytes: 200_000,
        block_records: 64,
        indexes: Indexes::Full,
        ..PackOptions::of_level(level)
    }
}

/// An archive of these files.
fn pack(files: &[PathBuf], level: BuiltinModel) -> Result<Vec<u8>> {
    let mut writer = Writer::new(Vec::new(), options(level))?;
    for file in files {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        writer.add_source(&name, &std::fs::read(file)?[..])?;
    }
    let (mut archive, slot, _) = writer.finish_with_slot()?;
    slot.write_to(&mut archive);
    Ok(archive)
}

/// An archive of a level, with all indexes, in several segments.
pub(crate) fn of_level(level: BuiltinModel) -> Result<Vec<u8>> {
    pack(&files()?, level)
}

/// One archive of each level.
pub(crate) fn archives() -> Result<Vec<(&'static str, Vec<u8>)>> {
    let of_level = |(name, level)| Ok((name, of_level(level)?));
    LEVELS.into_iter().map(of_level).collect()
}

/// Two archives of different files, and one with both by appending.
pub(crate) fn halves() -> Result<[Vec<u8>; 3]> {
    let files = files()?;
    let (a, b) = files.split_at(files.len() / 2);
    let (first, second) = (pack(a, BuiltinModel::Fast)?, pack(b, BuiltinModel::Fast)?);
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("both.pgna");
    std::fs::write(&path, &first)?;
    let mut appender = Appender::open(&path, options(BuiltinModel::Fast), Default::default())?;
    for file in b {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        appender.add_source(&name, &std::fs::read(file)?[..])?;
    }
    appender.finish()?;
    let both = std::fs::read(&path)?;
    ensure!(Archive::new(&both[..]).is_ok(), "no archive");
    Ok([first, second, both])
}
