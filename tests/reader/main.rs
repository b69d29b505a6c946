//! Unpacks an archive: `pgna-reader ARCHIVE FOLDER`.

use pgna::{Archive, Limits, Source, Unpack};
use std::error::Error;
use std::fs::{self, File};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

/// Writes each source to a file in a folder.
struct Folder(PathBuf);

impl Unpack for Folder {
    type Sink = BufWriter<File>;

    fn open(&mut self, source: &Source) -> io::Result<Self::Sink> {
        if let Some(reason) = pgna::unsafe_name(&source.name) {
            return Err(io::Error::other(reason));
        }
        let path = self.0.join(&source.name);
        fs::create_dir_all(path.parent().unwrap_or(Path::new("")))?;
        Ok(BufWriter::new(File::create(path)?))
    }

    fn close(&mut self, _: &Source, sink: Self::Sink) -> io::Result<()> {
        sink.into_inner()?.sync_all()
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    let (Some(archive), Some(folder)) = (arguments.next(), arguments.next()) else {
        return Err("usage: pgna-reader ARCHIVE FOLDER".into());
    };
    let archive = Archive::open_file(&archive, Limits::default())?;
    archive.unpack(&mut Folder(folder))?;
    println!("{} games", archive.games());
    Ok(())
}
