//! Recovery returns every undamaged block and reports what is lost.

mod blocks;
mod copied;
mod copies;
mod cuts;
mod hostile;
mod joined;
mod states;
mod without_pointers;

use crate::places;
use crate::unprotected::unprotected;
use pgna::{
    Archive, BuiltinModel, Bytes, Indexes, Limits, PackOptions, Recovery, RecoveryReport, Source,
    Unpack, Writer,
};
use std::io;
use std::ops::Range;

/// The size of the header and both slots.
const FRONT_BYTES: usize = 80;
const FOOTER_BYTES: usize = 68;

fn games(name: &str, range: Range<u32>) -> String {
    range
        .map(|n| {
            format!(
                "[Event \"Open of {name}\"]\n[White \"{name} {n}\"]\n[Result \"*\"]\n\n\
                 1. e4 e5 2. Nf3 {{{n} by {}}} Nc6 *\n\n",
                n * 7919 % 1000
            )
        })
        .collect()
}

/// Sources, one of which spans segments, and one of which is empty.
fn sources() -> Vec<(String, String)> {
    vec![
        ("a.pgn".to_owned(), games("Anna", 0..90)),
        ("empty.pgn".to_owned(), String::new()),
        ("b.pgn".to_owned(), games("Boris", 0..25)),
        ("c.pgn".to_owned(), games("Clara", 0..7)),
    ]
}

fn options() -> PackOptions {
    PackOptions {
        model: BuiltinModel::Fast.into(),
        segment_bytes: 4000,
        block_records: 8,
        ..PackOptions::default()
    }
}

fn pack(sources: &[(String, String)]) -> Vec<u8> {
    let mut writer = Writer::new(Vec::new(), options()).unwrap();
    for (name, text) in sources {
        writer.add_source(name, text.as_bytes()).unwrap();
    }
    let (mut bytes, slot, _) = writer.finish_with_slot().unwrap();
    slot.write_to(&mut bytes);
    bytes
}

/// An archive of several segments of several blocks.
fn archive() -> Vec<u8> {
    let bytes = pack(&sources());
    let archive = Archive::new(&bytes[..]).unwrap();
    assert!(archive.container().segments().len() > 2);
    assert!(archive.blocks().unwrap() > 10);
    bytes
}

/// A range of the file.
fn range(offset: u64, bytes: u64) -> Range<usize> {
    let start = usize::try_from(offset).unwrap();
    start..start + usize::try_from(bytes).unwrap()
}

/// A block of an archive.
#[derive(Debug, Clone)]
struct BlockAt {
    segment: usize,
    place: Range<usize>,
    /// The range of its text in the text of the archive.
    text: Range<u64>,
    games: Range<u64>,
}

/// All blocks of a whole archive.
fn blocks_of(bytes: &[u8]) -> Vec<BlockAt> {
    let archive = Archive::new(bytes).unwrap();
    let mut blocks = Vec::new();
    let mut text = 0;
    for segment in 0..archive.container().segments().len() {
        let open = archive.container().segment(segment).unwrap();
        for block in open.index().blocks() {
            let games = 1 + open.entry().first_game + u64::from(block.first_game);
            let raw_bytes = u64::from(block.shape.raw_bytes);
            blocks.push(BlockAt {
                segment,
                place: range(open.entry().offset + block.offset, block.section_bytes()),
                text: text..text + raw_bytes,
                games: games..games + u64::from(block.shape.games),
            });
            text += raw_bytes;
        }
    }
    blocks
}

/// The range of the tables of a segment.
fn tables_of(bytes: &[u8], segment: usize) -> Range<usize> {
    let archive = Archive::new(bytes).unwrap();
    let open = archive.container().segment(segment).unwrap();
    range(open.entry().offset, open.index().tags()[0].offset)
}

/// The parts that point to the blocks: header, slots, footer copy, directory, footer.
fn pointing_parts(bytes: &[u8]) -> [Range<usize>; 5] {
    let footer = bytes.len() - FOOTER_BYTES..bytes.len();
    let field = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap());
    let directory = range(field(footer.start + 32), field(footer.start + 40));
    let copy = directory.start - FOOTER_BYTES..directory.start;
    [0..16, 16..FRONT_BYTES, copy, directory, footer]
}

/// Erases the header and the slots, and all after the last segment: what points to the blocks, and
/// the parity.
fn blind(bytes: &mut [u8]) {
    let archive = Archive::new(&bytes[..]).unwrap();
    let last = archive.container().segments().last().unwrap();
    let end = range(last.offset, last.bytes).end;
    drop(archive);
    bytes[..FRONT_BYTES].fill(0);
    bytes[end..].fill(0);
}

/// Recovers an archive. Returns the report and the recovered archive.
fn recover_archive(bytes: &[u8]) -> (RecoveryReport, Vec<u8>) {
    let damaged = Recovery::open(Bytes(bytes.to_vec()), Limits::default()).unwrap();
    let (mut good, slot, report) = damaged.write_recovered(Vec::new(), None, |_| ()).unwrap();
    slot.write_to(&mut good);
    (report, good)
}

/// Recovers an archive. Returns the report and the recovered sources.
fn recover(bytes: &[u8]) -> (RecoveryReport, Vec<(String, String)>) {
    let (recovery, good) = recover_archive(bytes);
    let unpacked = unpacked(&good);
    let recovered_bytes: u64 = unpacked.iter().map(|(_, text)| text.len() as u64).sum();
    assert_eq!(recovered_bytes, recovery.bytes);
    (recovery, unpacked)
}

/// The sources of a whole archive.
fn unpacked(bytes: &[u8]) -> Vec<(String, String)> {
    let mut unpacked = Unpacked::default();
    Archive::new(bytes).unwrap().unpack(&mut unpacked).unwrap();
    unpacked.0
}

/// The text of a source without the lost ranges.
fn without(text: &str, lost: &[Range<u64>]) -> String {
    let mut remaining = String::new();
    let mut at = 0;
    for range in lost {
        remaining.push_str(&text[at..range.start as usize]);
        at = range.end as usize;
    }
    remaining + &text[at..]
}

/// The lost ranges of a source.
fn losses_of(recovery: &RecoveryReport, name: &str) -> Vec<Range<u64>> {
    let losses = recovery.losses.iter();
    let own = losses.filter(|loss| loss.source.as_deref() == Some(name));
    own.map(|loss| loss.bytes.clone()).collect()
}

#[derive(Default)]
struct Unpacked(Vec<(String, String)>);

impl Unpack for Unpacked {
    type Sink = Vec<u8>;

    fn open(&mut self, _: &Source) -> io::Result<Vec<u8>> {
        Ok(Vec::new())
    }

    fn close(&mut self, source: &Source, text: Vec<u8>) -> io::Result<()> {
        let text = String::from_utf8(text).unwrap();
        self.0.push((source.name.clone(), text));
        Ok(())
    }
}
