//! Iterates over the corpora that the command line names.

use super::inputs::{Corpus, sources};
use anyhow::Result;
use std::path::Path;

/// Calls `what` with each corpus and the path of a file that it may write.
pub(crate) fn each(mut what: impl FnMut(&Corpus, &Path) -> Result<()>) -> Result<()> {
    let names = std::env::args().skip(1).filter(|arg| arg != "--bench");
    let names: Vec<String> = names.collect();
    let folder = tempfile::tempdir()?;
    for source in sources(&names)? {
        let corpus = source.prepare(folder.path())?;
        println!("{} ({} bytes)", corpus.name, corpus.raw_bytes);
        what(&corpus, &folder.path().join("corpus.pgna"))?;
    }
    Ok(())
}
