//! No flipped bit and no lost sector costs anything: it is mended, with a warning.

use crate::{packed, samples, unpacked};
use pgna::{Appender, Archive, Bytes, Indexes, Limits, PackOptions, Writer};
use std::fs;

/// The size of a sector of a disk in bytes.
const SECTOR: usize = 4096;

type Sources = Vec<(String, Vec<u8>)>;

fn sources(names: &[&str]) -> Sources {
    let read = |name: &&str| ((*name).to_owned(), samples::text(name));
    names.iter().map(read).collect()
}

/// An archive as a file: its commit slot is written.
fn file(sources: &Sources, options: PackOptions) -> Vec<u8> {
    let mut writer = Writer::new(Vec::new(), options).unwrap();
    for (name, text) in sources {
        writer.add_source(name, &text[..]).unwrap();
    }
    let (mut archive, slot, _) = writer.finish_with_slot().unwrap();
    slot.write_to(&mut archive);
    archive
}

/// What anybody reads of an archive: its sources, each game alone, and whether all verifies.
fn assert_mended(damaged: &[u8], expected: &Sources, what: &str) {
    let archive = Archive::open(Bytes(damaged.to_vec()), Limits::default());
    let archive = archive.unwrap_or_else(|error| panic!("{what}: {error}"));
    let read = unpacked::unpack_all(&archive).unwrap_or_else(|error| panic!("{what}: {error}"));
    assert!(read == *expected, "{what}");
    assert_eq!(archive.verify(|_| ()).len(), 0, "{what}");
    assert!(!archive.warnings().is_empty(), "{what}");
}

fn assert_flips_are_mended(archive: &[u8], expected: &Sources) {
    assert!(unpacked::unpack(archive).unwrap() == *expected);
    for index in 0..archive.len() {
        let mut damaged = archive.to_vec();
        damaged[index] ^= 1 << (index % 8);
        assert_mended(&damaged, expected, &format!("byte {index}"));
    }
}

#[test]
fn a_flipped_bit_of_a_file_with_all_indexes_is_mended() {
    let sources = sources(&["annotated.pgn", "bom.pgn"]);
    let options = PackOptions {
        indexes: Indexes::Full,
        ..PackOptions::default()
    };
    assert_flips_are_mended(&file(&sources, options), &sources);
}

#[test]
fn a_flipped_bit_of_a_stream_of_several_segments_is_mended() {
    let sources = sources(&[
        "latin-1.pgn",
        "illegal-move.pgn",
        "garbage.pgn",
        "fen-texts.pgn",
    ]);
    let options = PackOptions {
        segment_bytes: 500,
        ..PackOptions::default()
    };
    let mut writer = Writer::new(Vec::new(), options).unwrap();
    for (name, text) in &sources {
        writer.add_source(name, &text[..]).unwrap();
    }
    assert_flips_are_mended(&writer.finish().unwrap().0, &sources);
}

#[test]
fn a_flipped_bit_of_an_archive_after_appends_is_mended() {
    let sources = sources(&["bom.pgn", "languages.pgn", "gbk.pgn"]);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.pgna");
    fs::write(&path, file(&sources[..1].to_vec(), PackOptions::default())).unwrap();
    for (name, text) in &sources[1..] {
        let (options, limits) = (PackOptions::default(), Limits::default());
        let mut appender = Appender::open(&path, options, limits).unwrap();
        appender.add_source(name, &text[..]).unwrap();
        appender.finish().unwrap();
    }
    assert_flips_are_mended(&fs::read(&path).unwrap(), &sources);
}

/// An archive of the samples, and of bytes that cannot be compressed, so that it is large.
fn large() -> (Vec<u8>, Sources) {
    let mut sources = samples::files().to_vec();
    let mut state = 1u64;
    let noise = std::iter::repeat_with(|| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 56) as u8
    });
    sources.push(("noise".to_owned(), noise.take(150_000).collect()));
    (packed::pack(&sources, 20), sources)
}

#[test]
fn a_lost_sector_is_mended() {
    let (archive, sources) = large();
    assert!(archive.len() > 200_000);
    for start in (0..archive.len()).step_by(SECTOR) {
        let mut damaged = archive.clone();
        let end = archive.len().min(start + SECTOR);
        damaged[start..end].fill(0);
        assert_mended(&damaged, &sources, &format!("sector at {start}"));
    }
}
