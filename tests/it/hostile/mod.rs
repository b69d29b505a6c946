//! Hostile input: results are tested here; `cargo bench --bench trust` measures the cost.

mod archives;
#[path = "../../../benches/trust/texts.rs"]
mod made;
#[path = "../../../benches/trust/random.rs"]
mod random;
mod texts;

use pgna::{Archive, BuiltinModel, Error, Indexes, PackOptions, Source, Unpack, Writer};
use std::io;

fn options() -> PackOptions {
    PackOptions {
        model: BuiltinModel::Fast.into(),
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

/// Collects all texts of an archive, concatenated.
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

/// Asserts that a text round-trips and that its first three games can be read.
fn assert_round_trip(text: &[u8], what: &str) {
    let archive = Archive::new(pack(text, options())).unwrap();
    assert!(unpack(&archive).unwrap() == text, "{what}");
    for number in (1..=archive.games()).take(3) {
        archive.game(number).unwrap();
        archive.head(number).unwrap();
    }
}
