//! Packing, damaging and reading archives.

use pgna::internals::container::{self, Container, ContainerError, PackedBlock, Tables};
use pgna::{
    Archive, BuiltinModel, Bytes, ColumnData, Error, GameBatch, GameColumn, Limits, Lists,
    PackOptions, Source, TagKind, Unpack, Writer,
};
use std::io;

/// The source name of packed inputs.
pub(crate) const NAME: &str = "fuzz.pgn";

/// Limits small enough that a target exceeds them before it runs out of memory.
pub(crate) fn small_limits() -> Limits {
    Limits {
        block_raw_bytes: 1 << 20,
        tables_bytes: 1 << 20,
        index_bytes: 1 << 20,
        plies: 1 << 16,
        ..Limits::default()
    }
}

/// Packs sources into an archive.
///
/// # Panics
/// If packing fails, which must not happen for any text.
pub(crate) fn pack(sources: &[(&str, &[u8])], segment_bytes: usize) -> Vec<u8> {
    pack_with(sources, segment_bytes, BuiltinModel::Default)
}

/// As [`pack`], with the move model of a level.
///
/// # Panics
/// If packing fails.
pub(crate) fn pack_with(
    sources: &[(&str, &[u8])],
    segment_bytes: usize,
    model: BuiltinModel,
) -> Vec<u8> {
    let options = PackOptions {
        segment_bytes,
        model: model.into(),
        ..PackOptions::default()
    };
    let mut writer = Writer::new(Vec::new(), options).expect("a writer");
    for (name, text) in sources {
        writer.add_source(name, *text).expect("any text is packed");
    }
    let (mut archive, slot, _) = writer.finish_with_slot().expect("an archive");
    slot.write_to(&mut archive);
    archive
}

/// Verifies checksums as outside of fuzzing for as long as the value exists.
pub(crate) struct CountedChecksums(());

impl CountedChecksums {
    pub(crate) fn new() -> Self {
        set_checksums_count(true);
        CountedChecksums(())
    }
}

impl Drop for CountedChecksums {
    fn drop(&mut self) {
        set_checksums_count(false);
    }
}

#[cfg(fuzzing)]
fn set_checksums_count(count: bool) {
    pgna::internals::container::CHECKSUMS_COUNT.store(count, std::sync::atomic::Ordering::Relaxed);
}

/// Without `cfg(fuzzing)`, checksums are always verified.
#[cfg(not(fuzzing))]
fn set_checksums_count(_: bool) {}

/// The name and text of each source, in order.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Unpacked(pub(crate) Vec<(String, Vec<u8>)>);

impl Unpacked {
    /// Whether [`NAME`] with this text is the only source.
    pub(crate) fn is_only(&self, text: &[u8]) -> bool {
        matches!(&self.0[..], [(name, only)] if name == NAME && only == text)
    }

    /// The texts of the sources.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &[u8]> {
        self.0.iter().map(|(_, text)| &text[..])
    }
}

impl Unpack for Unpacked {
    type Sink = Vec<u8>;

    fn open(&mut self, _: &Source) -> io::Result<Vec<u8>> {
        Ok(Vec::new())
    }

    fn close(&mut self, source: &Source, text: Vec<u8>) -> io::Result<()> {
        self.0.push((source.name.clone(), text));
        Ok(())
    }
}

/// Unpacks all sources of an archive.
///
/// # Errors
/// If the archive is damaged.
pub(crate) fn unpack(archive: &Archive) -> Result<Unpacked, Error> {
    let mut unpacked = Unpacked::default();
    archive.unpack(&mut unpacked)?;
    Ok(unpacked)
}

/// Every kind of column. The last is the text.
pub fn all_columns() -> Vec<GameColumn> {
    vec![
        GameColumn::Number,
        GameColumn::Source,
        GameColumn::tag("White"),
        GameColumn::tag("Result"),
        GameColumn::tag("Opening"),
        GameColumn::tag_as("WhiteElo", TagKind::Integer),
        GameColumn::tag_as("Date", TagKind::Date),
        GameColumn::tag_as("UTCTime", TagKind::Time),
        GameColumn::FoundAt,
        GameColumn::PlyCount,
        GameColumn::Start,
        GameColumn::Moves,
        GameColumn::San,
        GameColumn::Uci,
        GameColumn::Fens,
        GameColumn::Clocks,
        GameColumn::Evals,
        GameColumn::Comments,
        GameColumn::Nags,
        GameColumn::Variations,
        GameColumn::Movetext,
        GameColumn::Text,
    ]
}

/// The texts of the games of a batch of [`all_columns`].
///
/// # Panics
/// If the last column is not that of texts.
pub(crate) fn texts_of(batch: &GameBatch) -> &Lists<u8> {
    match batch.columns.last() {
        Some(ColumnData::Texts(texts)) => texts,
        other => panic!("the texts of games are {other:?}"),
    }
}

/// Checks that each column has a value or list for each game.
///
/// # Panics
/// If a column has another number of them.
pub(crate) fn check_batch(batch: &GameBatch) {
    assert_eq!(batch.columns.len(), all_columns().len());
    for column in &batch.columns {
        let values = match column {
            ColumnData::Integers(values) => values.len(),
            ColumnData::Dictionary(values) => values.ids.len(),
            ColumnData::Texts(texts) => texts.len(),
            ColumnData::Plies(lists) => lists.len(),
            ColumnData::Numbers(lists) => lists.len(),
            ColumnData::TextLists(lists) => lists.len(),
            ColumnData::Comments(comments) => comments.lines.len(),
            ColumnData::Nags(nags) => nags.lines.len(),
            ColumnData::Variations(variations) => variations.ends.len(),
            other => panic!("an unknown column: {other:?}"),
        };
        assert_eq!(values, batch.games.len());
    }
}

/// Edits of an archive: two bytes of position, and one byte to XOR with the old byte.
pub(crate) struct Edits<'a>(&'a [[u8; 3]]);

impl<'a> Edits<'a> {
    /// Takes up to seven edits, preceded by their count, from the front of the input.
    pub(crate) fn take(input: &'a [u8]) -> (Edits<'a>, &'a [u8]) {
        let (count, rest) = input.split_first().unwrap_or((&0, input));
        let (edits, _) = rest.as_chunks::<3>();
        let edits = &edits[..edits.len().min(usize::from(count % 8))];
        (Edits(edits), &rest[3 * edits.len()..])
    }

    /// Whether the edits change nothing.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().all(|[_, _, change]| *change == 0)
    }

    /// Applies the edits. Positions are scaled to the length of `bytes`.
    pub(crate) fn apply(&self, bytes: &mut [u8]) {
        for [high, low, change] in self.0 {
            let share = usize::from(u16::from_be_bytes([*high, *low]));
            let at = (share * bytes.len()) >> 16;
            if let Some(byte) = bytes.get_mut(at) {
                *byte ^= change;
            }
        }
    }
}

/// The archive with `edit` applied to the content of each table, the tags and the movetext of each
/// block, and each other section, and with
/// valid checksums, as a malicious writer could produce it.
///
/// # Errors
/// If the edited content cannot be framed.
pub fn forge(
    archive: &[u8],
    mut edit: impl FnMut(&mut Vec<u8>),
) -> Result<Vec<u8>, ContainerError> {
    let (container, _) = Container::open(Bytes(archive), Limits::default())?;
    let mut writer = container::ContainerWriter::new(Vec::new())?;
    for number in 0..container.segments().len() {
        let segment = container.segment(number)?;
        let tables = container.tables(&segment)?;
        let mut forged = Tables::default();
        for table in tables.iter() {
            let mut bytes = table.bytes.to_vec();
            edit(&mut bytes);
            forged.push(table.kind, table.key, &bytes)?;
        }
        writer.begin_segment(&forged)?;
        for number in 0..segment.index().blocks().len() {
            let block = container.block(&segment, number)?;
            let packed = block.packed();
            let [mut tags, mut movetext] = [packed.tags, packed.movetext].map(<[u8]>::to_vec);
            edit(&mut tags);
            edit(&mut movetext);
            let packed = PackedBlock {
                tags: &tags,
                movetext: &movetext,
            };
            writer.block(block.header().shape, packed)?;
        }
        for entry in segment.index().sections() {
            let mut payload = container.section(&segment, entry)?.payload().to_vec();
            edit(&mut payload);
            writer.section(entry.section_type, entry.flags, &payload)?;
        }
        writer.end_segment(segment.entry().parts)?;
    }
    let (mut forged, slot) = writer.finish(container.sources().to_vec())?;
    slot.write_to(&mut forged);
    Ok(forged)
}
