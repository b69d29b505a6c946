//! Archives that are small, and whose tables and columns restore to as much as the limits
//! of a reader admit.

use super::forged::{self, MOST_BYTES};
use super::process;
use super::samples;
use anyhow::{Result, ensure};
use pgna::internals::archive::registry::{
    COMMENTS, ColumnId, DEPARTURES, FIRST_TAG, IS_GAME, PATCH, TABLE_KINDS, TAIL,
};
use pgna::internals::archive::{self, STRING_BYTES_BESIDE_TEXT};
use pgna::internals::bits::put_varint;
use pgna::internals::codec::{ints, pack, strings};
use pgna::internals::container::registry::SOURCE_PARTS;
use pgna::internals::container::{
    BlockShape, Container, PartRange, SourcePart, TableKind, Tables, Writer,
};
use pgna::{Bytes, Limits, Rescue, Shipped, Source};
use std::io;
use std::time::{Duration, Instant};

/// The time that reading one may take: as much text as a block may hold is restored.
const MOST_TIME: Duration = Duration::from_secs(3);

/// The name of this gate's cases.
pub(crate) const CASE: &str = "bombs";

/// Reads them all, and prints what they took.
pub(crate) fn run() -> Result<()> {
    println!("| archives of | cases | most bytes | most MiB | in | most s | in |");
    println!("|---|---|---|---|---|---|---|");
    let taken = process::run(CASE, "fast")?;
    println!("| bombs | {} |", taken.said);
    Ok(())
}

/// In a process of its own.
pub(crate) fn child() -> Result<()> {
    let original = samples::of_level(samples::level("fast")?)?;
    let (container, _) = Container::open(Bytes(&original[..]), Limits::default())?;
    let (segment, _) = container.segment(0)?;
    let (tables, _) = container.tables(&segment)?;
    let cases = cases(&tables)?;
    let (mut bytes, mut memory, mut time) =
        (0, (0, String::new()), (Duration::ZERO, String::new()));
    let all = Instant::now();
    for (name, archive) in &cases {
        process::forget_peak();
        let start = Instant::now();
        ensure!(!forged::read(archive)?, "{name}: unpacked");
        recover(archive)?;
        let (taken, peak) = (start.elapsed(), process::peak_bytes()?);
        ensure!(archive.len() < 1 << 20, "{name}: {} bytes", archive.len());
        ensure!(
            taken <= MOST_TIME && peak <= MOST_BYTES,
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

/// Saves what there is.
fn recover(archive: &[u8]) -> Result<()> {
    let rescue = Rescue::of(Bytes(archive.to_vec()), Limits::default())?;
    let options = samples::usual(Shipped::Fast);
    rescue.recover(&mut archive::Writer::new(io::sink(), options)?)?;
    Ok(())
}

/// Each kind of table, and each column of strings, as large as it may be.
fn cases(tables: &Tables) -> Result<Vec<(String, Vec<u8>)>> {
    let limits = Limits::default();
    let mut cases = Vec::new();
    for byte in [0, 1] {
        let bomb = pressed(byte, limits.tables_bytes);
        for (kind, name) in TABLE_KINDS {
            let archive = forge(tables, Some((*kind, &bomb)), &block(None))?;
            cases.push((format!("{name} of {byte}"), archive));
        }
        let most = limits.block_raw_bytes + STRING_BYTES_BESIDE_TEXT;
        for (name, id) in [
            ("comments", COMMENTS),
            ("departures", DEPARTURES),
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

fn pressed(byte: u8, bytes: u64) -> Vec<u8> {
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

/// A block of a game, with one other column.
fn block(other: Option<(ColumnId, Vec<u8>)>) -> Vec<u8> {
    let mut columns = vec![(IS_GAME, ints::encode(&[1]))];
    columns.extend(other);
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

/// An archive of one game that says that it is as long as a block may be.
fn forge(tables: &Tables, bomb: Option<(TableKind, &[u8])>, block: &[u8]) -> Result<Vec<u8>> {
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
    let shape = BlockShape {
        games: 1,
        records: 1,
        raw_bytes: u32::try_from(raw_bytes)?,
    };
    let mut writer = Writer::new(Vec::new())?;
    writer.begin_segment(&own)?;
    writer.block(shape, block)?;
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
