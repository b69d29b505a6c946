//! Input that is made to do harm: what it costs is measured by `cargo bench --bench
//! trust`, what comes of it is tested here.

mod archives;
#[path = "../../../benches/trust/texts.rs"]
mod made;
#[path = "../../../benches/trust/random.rs"]
mod random;
mod texts;

use pgna::{Archive, BuiltinModel, Codec, Error, Indexes, PackOptions, Source, Unpack, Writer};
use std::io;

fn options() -> PackOptions {
    PackOptions {
        codecs: Codec::auto(BuiltinModel::Fast),
        indexes: Indexes::Full,
        ..PackOptions::default()
    }
}

fn pack(text: &[u8], options: PackOptions) -> Vec<u8> {
    let mut writer = Writer::new(Vec::new(), options).unwrap();
    writer.add_source("hostile.pgn", text).unwrap();
    let (mut archive, slot, _) = writer.finish_with_slot().unwrap();
    slot.write_to(&mut archive);
    archive
}

/// All texts of an archive, one after the other.
#[derive(Default)]
struct Unpacked(Vec<u8>);

impl Unpack for Unpacked {
    type Sink = Vec<u8>;

    fn open(&mut self, _: &Source) -> io::Result<Vec<u8>> {
        Ok(Vec::new())
    }

    fn close(&mut self, _: &Source, text: Vec<u8>) -> io::Result<()> {
        self.0.extend(text);
        Ok(())
    }
}

fn unpack(archive: &Archive) -> Result<Vec<u8>, Error> {
    let mut unpacked = Unpacked::default();
    archive.unpack(&mut unpacked)?;
    Ok(unpacked.0)
}

/// Packs a text, and reads it and its games again.
fn assert_comes_back(text: &[u8], what: &str) {
    let archive = Archive::new(pack(text, options())).unwrap();
    assert!(unpack(&archive).unwrap() == text, "{what}");
    for number in (1..=archive.games()).take(3) {
        archive.game(number).unwrap();
        archive.head(number).unwrap();
    }
}
