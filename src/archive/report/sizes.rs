//! Statistics on the size of an archive.

use crate::annotation::{MarkBits, ValueBits};
use crate::archive::block::OpenBlock;
use crate::archive::error::{ContentError, Error};
use crate::archive::read::archive::Archive;
use crate::archive::read::block_places::BlockPlace;
use crate::archive::read::open_segment::OpenSegment;
use crate::archive::read::read_ahead::ReadAhead;
use crate::archive::report::encodings::{column_name, encoding};
use crate::archive::report::overhead::Overhead;
use crate::archive::schema::column_directory::ColumnDirectory;
use crate::archive::schema::registry::{
    ColumnId, DICTIONARY, DISTRIBUTIONS, LARGE_DICTIONARY, MAP, MARKS, OPENINGS, PRESET_TEXT,
    RANKS, TABLE_KINDS,
};
use crate::archive::tables::SegmentTables;
use crate::archive::tables::models::ModelId;
use crate::container::{self, Table, TableKind};
use crate::model::{Adaptation, AdaptationParts};
use crate::pgn::VerbatimReason;
use std::collections::{BTreeMap, BTreeSet};

/// The size of an archive by part, and statistics on its games.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sizes {
    /// The number of blocks.
    pub blocks: u64,
    /// The number of plies of all main lines, without verbatim tails.
    pub plies: u64,
    /// The number of games with a patch, i.e. whose layout alone does not give
    /// their text.
    pub patched: u64,
    /// The number of games with a verbatim tail, by reason.
    pub verbatim: BTreeMap<VerbatimReason, u64>,
    /// Columns, by name. A column of tag values is called `[Name]`.
    pub columns: BTreeMap<String, ColumnSize>,
    /// The sizes of tables that do not belong to a single column, by name, in
    /// bytes.
    pub tables: BTreeMap<String, u64>,
    /// The sizes of tables that belong to a column, by kind, in bytes.
    pub column_tables: BTreeMap<String, u64>,
    /// The coded size of marks by kind of content.
    pub marks: MarkBits,
    /// The overhead of the container.
    pub frames: Overhead,
    /// Statistics on the model adaptations of segments, by model.
    pub adaptations: BTreeMap<ModelId, AdaptationSize>,
}

/// Statistics on the adaptations of a model.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct AdaptationSize {
    /// The number of segments with an adaptation.
    pub segments: u64,
    /// The parts of the adaptations, summed over all segments.
    pub parts: AdaptationParts,
}

/// The kinds of tables whose key is the number of a column.
const OF_COLUMNS: [TableKind; 7] = [
    DICTIONARY,
    LARGE_DICTIONARY,
    DISTRIBUTIONS,
    RANKS,
    MAP,
    OPENINGS,
    PRESET_TEXT,
];

/// A part of the column of marks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MarkPart {
    /// The name of the part.
    pub name: &'static str,
    /// The number of values, and their bits.
    pub values: ValueBits,
    /// The size of the part, in bytes of the column.
    pub bytes: u64,
}

/// The size of a column in all blocks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ColumnSize {
    /// The size in blocks, in bytes.
    pub blocks_bytes: u64,
    /// The size of the tables of this column, in bytes.
    pub tables_bytes: u64,
    /// The encodings of the column, with the number of bytes in blocks of each.
    pub encodings: BTreeMap<String, u64>,
}

impl ColumnSize {
    /// The size in blocks and tables, in bytes.
    pub fn bytes(&self) -> u64 {
        self.blocks_bytes.saturating_add(self.tables_bytes)
    }
}

impl Sizes {
    /// The size of all columns and tables, in bytes. `frames` has the rest of the
    /// file.
    pub fn bytes(&self) -> u64 {
        let columns = self.columns.values().map(ColumnSize::bytes);
        columns
            .chain(self.tables.values().copied())
            .fold(0, u64::saturating_add)
    }

    /// The parts of the column of marks; their sizes sum to its size in blocks.
    /// The last part is the remainder: the marks of each record are padded to
    /// whole bytes.
    pub fn mark_parts(&self) -> [MarkPart; 6] {
        let marks = &self.marks;
        let column = MARKS
            .column()
            .map(|column| column.name)
            .and_then(|name| self.columns.get(name));
        let mut left = column.map_or(0, |column| column.blocks_bytes);
        let ends = ValueBits::default();
        [
            ("clocks", marks.clocks),
            ("evals", marks.evals),
            ("other numbers", marks.numbers),
            ("squares", marks.squares),
            ("layout", marks.layout),
            ("ends", ends),
        ]
        .map(|(name, values)| {
            let bytes = match name {
                "ends" => left,
                _ => values.bytes().min(left),
            };
            left -= bytes;
            MarkPart {
                name,
                values,
                bytes,
            }
        })
    }

    fn add(&mut self, block: BlockSizes, tables: &SegmentTables) {
        self.blocks += 1;
        self.plies = self.plies.saturating_add(block.plies);
        self.patched += block.patched;
        self.marks.add(&block.marks);
        for (rest, count) in block.rests {
            *self.verbatim.entry(rest).or_default() += count;
        }
        self.frames.column_heads += block.heads_bytes;
        for (id, bytes, encoding) in block.columns {
            let column = self.columns.entry(column_name(id, tables)).or_default();
            column.blocks_bytes += bytes;
            *column.encodings.entry(encoding).or_default() += bytes;
        }
    }

    fn add_adaptation(&mut self, tables: &SegmentTables) {
        let model = tables.model();
        let adaptation = model.adaptation().map(Adaptation::parts);
        let adaptation = adaptation.filter(|parts| *parts != AdaptationParts::default());
        if let (Some(model), Some(parts)) = (model.model(), adaptation) {
            let size = self.adaptations.entry(ModelId(model.digest())).or_default();
            size.segments += 1;
            size.parts.terms += parts.terms;
            size.parts.positions += parts.positions;
            size.parts.frequent_players += parts.frequent_players;
        }
    }

    fn add_table(&mut self, table: &Table<'_>, tables: &SegmentTables) {
        let bytes = table.bytes.len() as u64;
        if OF_COLUMNS.contains(&table.kind) {
            let name = column_name(ColumnId(table.key), tables);
            self.columns.entry(name).or_default().tables_bytes += bytes;
            let kind = table_name(table.kind);
            *self.column_tables.entry(kind).or_default() += bytes;
        } else {
            *self.tables.entry(table_name(table.kind)).or_default() += bytes;
        }
    }
}

#[derive(Debug, Default)]
struct BlockSizes {
    plies: u64,
    patched: u64,
    marks: MarkBits,
    rests: BTreeMap<VerbatimReason, u64>,
    /// For each column, its size in bytes and its encoding.
    columns: Vec<(ColumnId, u64, String)>,
    /// The size of the column directory, in bytes.
    heads_bytes: u64,
}

impl Archive {
    /// Measures the columns of all blocks and the tables of all segments. Blocks
    /// are read on the thread pool of the feature `threads`.
    ///
    /// # Errors
    /// A segment or block is damaged.
    #[doc(hidden)]
    pub fn sizes(&self) -> Result<Sizes, Error> {
        let mut sizes = Sizes::default();
        for number in 0..self.container().segments().len() {
            let open = self.segment(number)?;
            let tables = self.container().tables(&open.segment)?;
            sizes.frames.add_segment(&open.segment, &tables);
            for table in tables.iter() {
                sizes.add_table(&table, &open.tables);
            }
            sizes.add_adaptation(&open.tables);
            let mut blocks = ReadAhead::new(open.block_places(number));
            let measure = |place: BlockPlace| self.block_sizes(&open, &place);
            while let Some(batch) = blocks.read(measure) {
                for block in batch {
                    sizes.add(block?, &open.tables);
                }
            }
        }
        let segments = self.container().segments().iter();
        let segments: u64 = segments.map(|segment| segment.bytes).sum();
        let all = self.container().committed_bytes();
        sizes.frames.names = self.container().names_bytes();
        sizes.frames.parity = self.container().parity_bytes();
        sizes.frames.models = self.container().models_bytes();
        let others = segments.saturating_add(sizes.frames.names);
        let others = others.saturating_add(sizes.frames.models);
        let others = others.saturating_add(sizes.frames.parity);
        sizes.frames.directory = all.saturating_sub(others);
        Ok(sizes)
    }

    fn block_sizes(&self, open: &OpenSegment, place: &BlockPlace) -> Result<BlockSizes, Error> {
        let (segment, number) = (place.segment, place.block);
        let block = self.container().block(&open.segment, number)?;
        let error = |error: ContentError| Error::of_block(&open.segment, segment, number, error);
        let packed = block.packed();
        let tags = ColumnDirectory::of_tags(packed.tags.to_vec()).map_err(error)?;
        let movetext = ColumnDirectory::of_movetext(packed.movetext.to_vec()).map_err(error)?;
        let bytes: BTreeMap<ColumnId, u64> = tags.sizes().chain(movetext.sizes()).collect();
        let held: u64 = bytes.values().sum();
        // A column whose values are all predicted has no bytes.
        let planned = open.tables.fields().iter();
        let planned = planned.flat_map(|field| field.columns.iter().map(|id| ColumnId(*id)));
        let ids: BTreeSet<ColumnId> = bytes.keys().copied().chain(planned).collect();
        let sized = ids.into_iter().map(|id| {
            let columns = if id.is_of_tags() { &tags } else { &movetext };
            let encoding = encoding(id, columns, &open.tables);
            (id, bytes.get(&id).copied().unwrap_or(0), encoding)
        });
        let mut sizes = BlockSizes {
            columns: sized.collect(),
            heads_bytes: packed.bytes().saturating_sub(held),
            ..BlockSizes::default()
        };
        let block = self.read_block(segment, number)?;
        sizes.count(&block).map_err(error)?;
        Ok(sizes)
    }
}

impl BlockSizes {
    fn count(&mut self, block: &OpenBlock) -> Result<(), ContentError> {
        for record in 0..block.records() {
            if !block.is_game(record)? {
                continue;
            }
            self.plies = self.plies.saturating_add(block.plies(record)?);
            self.patched += u64::from(block.has_patch(record)?);
            self.marks.add(&block.mark_bits(record)?);
            if let Some(rest) = block.verbatim_reason(record)? {
                *self.rests.entry(rest).or_default() += 1;
            }
        }
        Ok(())
    }
}

fn table_name(kind: TableKind) -> String {
    let known = [TABLE_KINDS, container::registry::TABLE_KINDS].concat();
    match known.iter().find(|(number, _)| *number == kind) {
        Some((_, name)) => (*name).to_owned(),
        None => format!("table {}", kind.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::{PackOptions, Writer};

    #[test]
    fn sizes_agree_with_the_report_of_the_writer() {
        let mut writer = Writer::new(Vec::new(), PackOptions::default()).unwrap();
        let text = "[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5 *\n\n".repeat(300)
            + "[White \"C\"]\n\n1. e5 *\n";
        writer.add_source("a.pgn", text.as_bytes()).unwrap();
        let (bytes, report) = writer.finish().unwrap();
        let sizes = Archive::new(&bytes[..]).unwrap().sizes().unwrap();
        assert_eq!(sizes.blocks, 2);
        assert_eq!((sizes.plies, sizes.patched), (report.plies, report.patched));
        assert_eq!(
            sizes.verbatim,
            BTreeMap::from([(VerbatimReason::Illegal, 1)])
        );
        assert_eq!(sizes.verbatim, report.verbatim);
        let blocks: u64 = sizes.columns.values().map(|c| c.blocks_bytes).sum();
        assert_eq!(blocks, report.columns.values().sum::<u64>());
        assert!(sizes.columns["[White]"].tables_bytes > 0);
        assert!(sizes.columns["moves"].blocks_bytes > 0);
        assert!(sizes.tables["layouts"] > 0);
        let frames = sizes.frames.parts();
        assert_eq!(
            sizes.bytes() + frames.values().sum::<u64>(),
            bytes.len() as u64
        );
        let is_there = |(name, bytes): (&str, _)| {
            let is_full_index = [
                "index of tags",
                "index of continuations",
                "index of pawn structures",
                "index of visits",
                "names of players",
                "models",
            ];
            bytes > 0 || name == "other sections" || is_full_index.contains(&name)
        };
        assert!(frames.into_iter().all(is_there));
    }
}
