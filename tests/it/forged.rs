//! Archives that no writer makes: copies of an archive with one change, and valid checksums.

use pgna::internals::archive::registry::ADAPTATION;
use pgna::internals::container::registry::MODEL;
use pgna::internals::container::{
    BlockCounts, Container, ContainerWriter, PackedBlock, PartRange, SectionType, TableKind, Tables,
};
use pgna::{Bytes, Limits, Source};

/// The archive with the table of its model replaced or removed.
pub(crate) fn with_model(archive: &[u8], model: Option<&[u8]>) -> Vec<u8> {
    with_table(archive, (MODEL, 0), model)
}

/// The archive with the adaptation of its model replaced or removed.
pub(crate) fn with_adaptation(archive: &[u8], adaptation: Option<&[u8]>) -> Vec<u8> {
    with_table(archive, (ADAPTATION, 0), adaptation)
}

/// The archive with another name for its sources.
#[cfg(feature = "cli")]
pub(crate) fn renamed(archive: &[u8], name: &str) -> Vec<u8> {
    let whole = open(archive);
    let sources = whole.sources().iter().map(|source| Source {
        name: name.to_owned(),
        ..source.clone()
    });
    copy(&whole, sources.collect(), 1, |tables| tables, unchanged)
}

/// The archive with other numbers of games in the headers of the blocks of each segment.
pub(crate) fn with_block_games(archive: &[u8], games: impl Fn(usize, u32) -> u32) -> Vec<u8> {
    let whole = open(archive);
    let sources = whole.sources().to_vec();
    let shape = |block, shape: BlockCounts| BlockCounts {
        games: games(block, shape.games),
        ..shape
    };
    copy(&whole, sources, 1, |tables| tables, shape)
}

/// The archive with all segments twice, as merging it with itself would write. The names of the
/// second sources end in ` (2).pgn`.
pub(crate) fn doubled(archive: &[u8]) -> Vec<u8> {
    let whole = open(archive);
    let second = whole.sources().iter().map(|source| Source {
        name: source.name.replace(".pgn", " (2).pgn"),
        ..source.clone()
    });
    let sources = whole.sources().iter().cloned().chain(second).collect();
    copy(&whole, sources, 2, |tables| tables, unchanged)
}

/// What [`with_additions`] adds to each segment.
pub(crate) struct Additions<'a> {
    pub(crate) tables: Vec<(TableKind, u64, &'a [u8])>,
    /// Type, flags and payload.
    pub(crate) section: (SectionType, u8, &'a [u8]),
    /// The packed tags of a block from those of the archive.
    pub(crate) tags: fn(&[u8]) -> Vec<u8>,
    pub(crate) movetext: fn(&[u8]) -> Vec<u8>,
}

/// The archive with more tables, columns and a section.
pub(crate) fn with_additions(archive: &[u8], additions: &Additions<'_>) -> Vec<u8> {
    let whole = open(archive);
    let mut writer = ContainerWriter::new(Vec::new()).unwrap();
    for number in 0..whole.segments().len() {
        let segment = whole.segment(number).unwrap();
        let tables = whole.tables(&segment).unwrap();
        let own = tables
            .iter()
            .map(|table| (table.kind, table.key, table.bytes));
        let all = own.chain(additions.tables.iter().copied());
        writer.begin_segment(&sorted(all.collect())).unwrap();
        for number in 0..segment.index().blocks().len() {
            let block = whole.block(&segment, number).unwrap();
            let packed = block.packed();
            let tags = (additions.tags)(packed.tags);
            let movetext = (additions.movetext)(packed.movetext);
            let packed = PackedBlock {
                tags: &tags,
                movetext: &movetext,
            };
            writer.block(block.header().shape, packed).unwrap();
        }
        let (kind, flags, payload) = additions.section;
        writer.section(kind, flags, payload).unwrap();
        for entry in segment.index().sections() {
            let section = whole.section(&segment, entry).unwrap();
            let (kind, flags) = (section.section_type(), section.flags());
            writer.section(kind, flags, section.payload()).unwrap();
        }
        writer.end_segment(segment.entry().parts).unwrap();
    }
    let (mut bytes, slot) = writer.finish(whole.sources().to_vec()).unwrap();
    slot.write_to(&mut bytes);
    bytes
}

/// Tables in the order of the file.
fn sorted(mut tables: Vec<(TableKind, u64, &[u8])>) -> Tables {
    tables.sort_unstable();
    let mut sorted = Tables::default();
    for (kind, key, bytes) in tables {
        sorted.push(kind, key, bytes).unwrap();
    }
    sorted
}

fn open(archive: &[u8]) -> Container<Bytes<&[u8]>> {
    Container::open(Bytes(archive), Limits::default())
        .unwrap()
        .0
}

/// The archive with one table of each segment replaced or removed.
fn with_table(archive: &[u8], (kind, key): (TableKind, u64), table: Option<&[u8]>) -> Vec<u8> {
    let whole = open(archive);
    let edit = |tables: Tables| {
        let mut retained: Vec<_> = tables
            .iter()
            .filter(|table| (table.kind, table.key) != (kind, key))
            .map(|table| (table.kind, table.key, table.bytes))
            .collect();
        retained.extend(table.map(|bytes| (kind, key, bytes)));
        sorted(retained)
    };
    copy(&whole, whole.sources().to_vec(), 1, edit, unchanged)
}

fn unchanged(_: usize, shape: BlockCounts) -> BlockCounts {
    shape
}

/// Writes all segments `times` times, with edited tables and shapes of blocks. `sources` are those
/// of all copies.
fn copy(
    whole: &Container<Bytes<&[u8]>>,
    sources: Vec<Source>,
    times: u32,
    edit: impl Fn(Tables) -> Tables,
    shape: impl Fn(usize, BlockCounts) -> BlockCounts,
) -> Vec<u8> {
    let sources_of_copy = u32::try_from(whole.sources().len()).unwrap();
    let mut writer = ContainerWriter::new(Vec::new()).unwrap();
    for copy in 0..times {
        for number in 0..whole.segments().len() {
            let segment = whole.segment(number).unwrap();
            let tables = whole.tables(&segment).unwrap();
            writer.begin_segment(&edit(tables)).unwrap();
            for number in 0..segment.index().blocks().len() {
                let block = whole.block(&segment, number).unwrap();
                let shape = shape(number, block.header().shape);
                writer.block(shape, block.packed()).unwrap();
            }
            let PartRange { first, count } = segment.entry().parts;
            let first = first + copy * sources_of_copy;
            writer.end_segment(PartRange { first, count }).unwrap();
        }
    }
    let (mut bytes, slot) = writer.finish(sources).unwrap();
    slot.write_to(&mut bytes);
    bytes
}
