//! Small archives whose tables and columns expand to as much as the limits of a reader
//! allow.

use super::forged::{self, MAX_BYTES};
use super::process;
use super::samples;
use anyhow::{Result, ensure};
use pgna::internals::archive::MAX_STRING_BYTES_OVER_TEXT;
use pgna::internals::archive::registry::{
    COMMENTS, ColumnId, FIRST_TAG, IS_GAME, PATCH, SPELLING_EXCEPTIONS, TABLE_KINDS, TAIL,
};
use pgna::internals::bits::put_varint;
use pgna::internals::codec::{ints, pack, strings};
use pgna::internals::container::registry::SOURCE_PARTS;
use pgna::internals::container::{
    BlockCounts, Container, ContainerWriter, PackedBlock, PartRange, SourcePart, TableKind, Tables,
};
use pgna::{Bytes, Indexes, Limits, Recovery, Source};
use std::io;
use std::time::{Duration, Instant};

/// The maximum time to read one, in which as much text as a block may hold is decoded.
const MAX_TIME: Duration = Duration::from_secs(3);

/// The name of the cases of this gate.
pub(crate) const CASE: &str = "bombs";

/// Reads them all, and prints their cost.
pub(crate) fn run() -> Result<()> {
    println!("| archives of | cases | most bytes | most MiB | in | most s | in |");
    println!("|---|---|---|---|---|---|---|");
    let taken = process::run(CASE, "fast")?;
    println!("| bombs | {} |", taken.output);
    Ok(())
}

/// Runs in its own process.
pub(crate) fn child() -> Result<()> {
    let original = samples::of_level(samples::level("fast")?)?;
    let (container, _) = Container::open(Bytes(&original[..]), Limits::default())?;
    let segment = container.segment(0)?;
    let tables = container.tables(&segment)?;
    let cases = cases(&tables)?;
    let (mut bytes, mut memory, mut time) =
        (0, (0, String::new()), (Duration::ZERO, String::new()));
    let all = Instant::now();
    for (name, archive) in &cases {
        process::reset_peak();
        let start = Instant::now();
        ensure!(!forged::read(archive)?, "{name}: unpacked");
        recover(archive)?;
        let (taken, peak) = (start.elapsed(), process::peak_bytes()?);
        ensure!(archive.len() < 1 << 20, "{name}: {} bytes", archive.len());
        ensure!(
            taken <= MAX_TIME && peak <= MAX_BYTES,
            "{name}: {taken:?}, {} MiB",
            peak >> 20
        );
        bytes = bytes.max(archive.len());
        memory = memory.max((peak, name.clone()));
        time = time.max((taken, name.clone()));
    }
    let said = format!(
        "{} | {bytes} | {} | {} | {:.1} | {}",
        cases.len(),
        memory.0 >> 20,
        memory.1,
        time.0.as_secs_f64(),
        time.1
    );
    process::report([all.elapsed(), time.0], &said)
}

/// Recovers the archive.
fn recover(archive: &[u8]) -> Result<()> {
    let damaged = Recovery::open(Bytes(archive.to_vec()), Limits::default())?;
    damaged.write_recovered(io::sink(), Some(Indexes::Full), |_| ())?;
    Ok(())
}

/// Each kind of table, and each column of strings, at its maximum size.
fn cases(tables: &Tables) -> Result<Vec<(String, Vec<u8>)>> {
    let limits = Limits::default();
    let mut cases = Vec::new();
    for byte in [0, 1] {
        let bomb = compressed_run(byte, limits.tables_bytes);
        for (kind, name) in TABLE_KINDS {
            let archive = forge(tables, Some((*kind, &bomb)), &block(None))?;
            cases.push((format!("{name} of {byte}"), archive));
        }
        let most = limits.block_raw_bytes + MAX_STRING_BYTES_OVER_TEXT;
        for (name, id) in [
            ("comments", COMMENTS),
            ("spelling exceptions", SPELLING_EXCEPTIONS),
            ("patches", PATCH),
            ("tails", TAIL),
            ("values", FIRST_TAG),
        ] {
            for bytes in [most, most + 1] {
                let block = block(Some((id, string(byte, bytes))));
                cases.push((format!("{name} of {byte}"), forge(tables, None, &block)?));
            }
        }
    }
    Ok(cases)
}

fn compressed_run(byte: u8, bytes: u64) -> Vec<u8> {
    pack::compress(&vec![byte; usize::try_from(bytes).unwrap_or(0)], 1)
}

/// A column of one string.
fn string(byte: u8, bytes: u64) -> Vec<u8> {
    strings::encode_with(
        &[&vec![byte; usize::try_from(bytes).unwrap_or(0)]],
        None,
        |raw| pack::compress(raw, 1),
    )
}

/// The tags and the movetext of a block of one game, with one other column.
fn block(other: Option<(ColumnId, Vec<u8>)>) -> [Vec<u8>; 2] {
    let is_game = (IS_GAME, ints::encode(&[1]));
    let columns = std::iter::once(is_game).chain(other);
    let (tags, movetext) = columns.partition(|(id, _)| id.is_of_tags());
    [packed(tags), packed(movetext)]
}

fn packed(columns: Vec<(ColumnId, Vec<u8>)>) -> Vec<u8> {
    let mut out = Vec::new();
    put_varint(&mut out, columns.len() as u64);
    let mut next = 0;
    for (id, bytes) in &columns {
        put_varint(&mut out, id.0 - next);
        put_varint(&mut out, bytes.len() as u64);
        next = id.0 + 1;
    }
    let contents = columns.iter().map(|(_, bytes)| &bytes[..]);
    [out, contents.collect::<Vec<_>>().concat()].concat()
}

/// An archive of one game that claims the maximum size of a block.
fn forge(
    tables: &Tables,
    bomb: Option<(TableKind, &[u8])>,
    [tags, movetext]: &[Vec<u8>; 2],
) -> Result<Vec<u8>> {
    let raw_bytes = Limits::default().block_raw_bytes;
    let part = SourcePart {
        name: "a.pgn".to_owned(),
        offset: 0,
        bytes: raw_bytes,
        games: 1,
        records: 1,
    };
    let mut own = Tables::default();
    own.push(SOURCE_PARTS, 0, &SourcePart::encode_all(&[part]))?;
    let mut all: Vec<(TableKind, u64, &[u8])> = tables
        .iter()
        .filter(|table| table.kind != SOURCE_PARTS)
        .map(|table| (table.kind, table.key, table.bytes))
        .collect();
    if let Some((kind, bomb)) = bomb {
        match all.iter_mut().find(|table| table.0 == kind) {
            Some(table) => table.2 = bomb,
            None => all.push((kind, 0, bomb)),
        }
        all.sort_by_key(|table| (table.0, table.1));
    }
    for (kind, key, bytes) in all {
        own.push(kind, key, bytes)?;
    }
    let shape = BlockCounts {
        games: 1,
        records: 1,
        raw_bytes: u32::try_from(raw_bytes)?,
    };
    let mut writer = ContainerWriter::new(Vec::new())?;
    writer.begin_segment(&own)?;
    writer.block(shape, PackedBlock { tags, movetext })?;
    writer.end_segment(PartRange { first: 0, count: 1 })?;
    let source = Source {
        name: "a.pgn".to_owned(),
        bytes: raw_bytes,
        games: 1,
        records: 1,
        digest: [0; 32],
    };
    let (mut archive, slot) = writer.finish(vec![source])?;
    slot.write_to(&mut archive);
    Ok(archive)
}
