//! Writing the recovered archive. Blocks are copied, never encoded again.

use super::decode::BlockDecoder;
use super::layout::{PlacedSegment, SourceLayout};
use super::losses::SegmentLosses;
use super::report::{LossReason, RecoveryReport};
use super::segment::{IntactBlocks, SourceShare};
use super::source_digests::SourceDigests;
use super::tables::{OpenTables, OpenedTables, TablesResult};
use crate::archive::error::Error;
use crate::archive::read::derived_tags::IndexRow;
use crate::archive::read::indexes::Indexes;
use crate::archive::schema::summary_row::SummaryRow;
use crate::archive::write::indexes::{tags_of, write_indexes};
use crate::container::registry::{CRITICAL, MODEL, SOURCE_PARTS};
use crate::container::{
    AnyBytes, CommitSlot, ContainerError, ContainerWriter, FoundSegment, PartRange, RecoveryScan,
    SourcePart, Table, Tables,
};
use crate::index::is_index;
use std::io::Write;

/// Writes what is intact of an archive to a new one.
pub(super) struct RecoveryWriter<'a, W> {
    scan: &'a RecoveryScan<AnyBytes>,
    layout: &'a SourceLayout,
    container: ContainerWriter<W>,
    tables: OpenTables,
    digests: SourceDigests<'a>,
    /// The indexes that are wanted; `None` for those that each segment had.
    indexes: Option<Indexes>,
    report: RecoveryReport,
}

/// What happens to the indexes of a segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum IndexPlan {
    /// They are copied.
    Copy,
    /// They are built again, as this kind.
    Build(Indexes),
}

impl<'a, W: Write> RecoveryWriter<'a, W> {
    pub(super) fn new(
        scan: &'a RecoveryScan<AnyBytes>,
        layout: &'a SourceLayout,
        sink: W,
        indexes: Option<Indexes>,
    ) -> Result<Self, Error> {
        Ok(RecoveryWriter {
            scan,
            layout,
            container: ContainerWriter::new(sink)?,
            tables: OpenTables::of(scan),
            digests: SourceDigests::new(&layout.sources),
            indexes,
            report: RecoveryReport::default(),
        })
    }

    /// Writes all segments and the directory. The report has no notes yet.
    pub(super) fn write(
        mut self,
        on_progress: &mut dyn FnMut(u64),
    ) -> Result<(W, CommitSlot, RecoveryReport), Error> {
        let segments = self.scan.segments().iter().zip(&self.layout.segments);
        for (segment, placed) in segments {
            let lost_before = placed.lost_before.iter().cloned();
            self.report.losses.extend(lost_before);
            match self.open_tables(segment, placed) {
                Ok(tables) => self.segment(segment, placed, &tables, on_progress)?,
                Err(reason) => {
                    let losses = SegmentLosses::new(self.layout, placed);
                    self.report.losses.extend(losses.all(segment, &reason));
                }
            }
        }
        let (sources, reports) = self.digests.finish();
        for source in &sources {
            self.report.games += source.games;
            self.report.bytes += source.bytes;
        }
        self.report.sources = reports;
        let (sink, slot) = self.container.finish(sources)?;
        Ok((sink, slot, self.report))
    }

    fn open_tables(&mut self, segment: &FoundSegment, placed: &PlacedSegment) -> TablesResult {
        match segment.blocks().len() {
            0 => Err(LossReason::Segments),
            _ if placed.runs.is_empty() => Err(LossReason::Tables),
            _ => self.tables.get(self.scan, segment),
        }
    }

    /// Decodes a segment, which proves it, and writes its intact blocks.
    fn segment(
        &mut self,
        segment: &FoundSegment,
        placed: &PlacedSegment,
        tables: &OpenedTables,
        on_progress: &mut dyn FnMut(u64),
    ) -> Result<(), Error> {
        let mut plan = self.index_plan(segment, placed.has_all_blocks(segment));
        let names = || tables.parsed.opening_tag_names();
        let mut decoder = BlockDecoder {
            scan: self.scan,
            segment,
            placed,
            tables: &tables.parsed,
            row_names: plan.needs_rows().then(names),
        };
        let digests = &mut self.digests;
        let (mut intact, losses) = decoder.decode_all(self.layout, digests, on_progress);
        self.report.losses.extend(losses);
        self.report.blocks += intact.numbers.len() as u64;
        let is_whole =
            placed.has_all_blocks(segment) && intact.numbers.len() == segment.blocks().len();
        if plan == IndexPlan::Copy && !is_whole {
            // A block that was found intact cannot be decoded.
            plan = self.index_plan(segment, false);
            decoder.row_names = Some(names());
            intact.rows = decoder.rows(&intact.numbers)?;
        }
        if intact.numbers.is_empty() {
            return Ok(());
        }
        let parts = self.begin(segment, placed, tables, &intact, is_whole)?;
        for number in &intact.numbers {
            let block = self.scan.block(segment, *number)?;
            self.container.block(block.header().shape, block.packed())?;
        }
        if is_whole {
            self.copy_sections(segment, plan)?;
        }
        if let IndexPlan::Build(kind) = plan {
            self.build_indexes(tables, intact.rows, kind)?;
        }
        let kind = match plan {
            IndexPlan::Copy => indexes_of(segment),
            IndexPlan::Build(kind) => Some(kind),
        };
        let summaries = intact.summaries.iter().copied();
        let summary = SummaryRow::all(summaries, kind == Some(Indexes::Full));
        self.container.summarize(summary)?;
        Ok(self.container.end_segment(parts)?)
    }

    /// What happens to the indexes of a segment that is copied whole or in part.
    fn index_plan(&self, segment: &FoundSegment, is_whole: bool) -> IndexPlan {
        let sections = segment.sections();
        let had = indexes_of(segment);
        let wanted = self.indexes.or(had).unwrap_or_else(|| self.usual_indexes());
        let are_intact =
            sections.is_some_and(|sections| sections.iter().all(|section| section.is_intact()));
        match is_whole && are_intact && had == Some(wanted) {
            true => IndexPlan::Copy,
            false => IndexPlan::Build(wanted),
        }
    }

    /// The indexes for a segment whose end is lost: those of which any segment has a part.
    /// If there are none, it is unknown which there were.
    fn usual_indexes(&self) -> Indexes {
        match Indexes::of_types(self.scan.section_types().iter().copied()) {
            Indexes::None => Indexes::default(),
            found => found,
        }
    }

    /// Begins a segment, with the tables that it had if they still apply.
    fn begin(
        &mut self,
        segment: &FoundSegment,
        placed: &PlacedSegment,
        tables: &OpenedTables,
        intact: &IntactBlocks,
        is_whole: bool,
    ) -> Result<PartRange, Error> {
        self.copy_model(&tables.stored)?;
        if is_whole && let Some(parts) = self.copied_parts(segment, placed, tables, intact) {
            self.container.begin_segment(&tables.stored)?;
            self.report.segments_copied += 1;
            return Ok(parts);
        }
        let (range, parts) = self.new_parts(intact)?;
        let tables = with_parts(&tables.stored, &parts)?;
        self.container.begin_segment(&tables)?;
        self.report.segments_rebuilt += 1;
        Ok(range)
    }

    /// Copies the model that a segment needs, if the damaged file contains it.
    fn copy_model(&mut self, tables: &Tables) -> Result<(), Error> {
        let digest = tables.get(MODEL, 0).and_then(|table| table.try_into().ok());
        if let Some(digest) = digest
            && !self.container.has_model(&digest)
            && let Some(packed) = self.scan.model(&digest)?
        {
            self.container.model(digest, &packed)?;
        }
        Ok(())
    }

    /// The sources of a segment in the new archive, if its table of source parts applies
    /// there.
    fn copied_parts(
        &self,
        segment: &FoundSegment,
        placed: &PlacedSegment,
        tables: &OpenedTables,
        intact: &IntactBlocks,
    ) -> Option<PartRange> {
        let sources = self.layout.sources.get(placed.parts.clone())?;
        let parts = self.scan.source_parts(segment, &tables.stored).ok()?;
        let has_share = |(number, part): (usize, &SourcePart)| {
            let share = intact.shares.get(&number).copied().unwrap_or_default();
            (share.bytes, share.games, share.records) == (part.bytes, part.games, part.records)
        };
        let is_same = parts.len() == sources.len()
            && sources.iter().all(|source| source.number.is_some())
            && placed.parts.clone().zip(&parts).all(has_share);
        Some(PartRange {
            first: sources.first()?.number.filter(|_| is_same)?,
            count: u32::try_from(parts.len()).ok()?,
        })
    }

    /// The parts of the sources whose text the intact blocks hold. Offsets are those in the
    /// damaged sources, as in segments that are copied.
    fn new_parts(&self, intact: &IntactBlocks) -> Result<(PartRange, Vec<SourcePart>), Error> {
        let ends = intact.shares.keys().next().zip(intact.shares.keys().last());
        let range = ends.map_or(0..0, |(first, last)| *first..last + 1);
        let sources = self.layout.sources.get(range.clone()).unwrap_or_default();
        let retained = range.zip(sources);
        let retained = retained.filter_map(|(source, planned)| {
            let SourceShare {
                offset,
                bytes,
                games,
                records,
            } = intact.shares.get(&source).copied().unwrap_or_default();
            let part = SourcePart {
                name: planned.name.clone(),
                offset,
                bytes,
                games,
                records,
            };
            Some((planned.number?, part))
        });
        let (numbers, parts): (Vec<u32>, Vec<SourcePart>) = retained.unzip();
        let first = numbers.first().copied();
        let range = PartRange {
            first: first.ok_or(ContainerError::Misuse("a segment without sources"))?,
            count: u32::try_from(parts.len()).unwrap_or(u32::MAX),
        };
        Ok((range, parts))
    }

    /// Copies the sections after the blocks, indexes only if they are copied. Sections
    /// that this release must not skip are left out, because it cannot prove them.
    fn copy_sections(&mut self, segment: &FoundSegment, plan: IndexPlan) -> Result<(), Error> {
        let sections = segment.sections().unwrap_or_default().iter();
        let sections = sections.filter(|section| {
            let entry = &section.entry;
            let is_wanted = plan == IndexPlan::Copy || !is_index(entry.section_type);
            section.is_intact() && is_wanted && entry.flags & CRITICAL == 0
        });
        for section in sections {
            let read = self.scan.section(section)?;
            let entry = &section.entry;
            self.container
                .section(entry.section_type, entry.flags, read.payload())?;
        }
        Ok(())
    }

    fn build_indexes(
        &mut self,
        tables: &OpenedTables,
        rows: Vec<IndexRow>,
        kind: Indexes,
    ) -> Result<(), Error> {
        if kind == Indexes::None {
            return Ok(());
        }
        let (moves, rows): (Vec<_>, Vec<_>) = rows.into_iter().unzip();
        let tags = tags_of(&tables.parsed.opening_tag_names(), &rows);
        write_indexes(&moves, &tags, kind, &mut self.container, self.scan.limits())?;
        self.report.indexes_built += 1;
        Ok(())
    }
}

/// The kind of indexes that a segment has; `None` if its end is lost.
fn indexes_of(segment: &FoundSegment) -> Option<Indexes> {
    let sections = segment.sections()?.iter();
    Some(Indexes::of_types(
        sections.map(|section| section.entry.section_type),
    ))
}

impl IndexPlan {
    fn needs_rows(self) -> bool {
        match self {
            IndexPlan::Copy => false,
            IndexPlan::Build(kind) => kind != Indexes::None,
        }
    }
}

/// Tables with other source parts.
fn with_parts(tables: &Tables, parts: &[SourcePart]) -> Result<Tables, ContainerError> {
    let parts = SourcePart::encode_all(parts);
    let mut out = Tables::default();
    let is_lower = |table: &Table<'_>| (table.kind, table.key) < (SOURCE_PARTS, 0);
    let is_other = |table: &Table<'_>| (table.kind, table.key) != (SOURCE_PARTS, 0);
    let push = |out: &mut Tables, table: Table<'_>| out.push(table.kind, table.key, table.bytes);
    for table in tables.iter().filter(is_lower) {
        push(&mut out, table)?;
    }
    out.push(SOURCE_PARTS, 0, &parts)?;
    let higher = tables.iter().filter(|table| !is_lower(table));
    for table in higher.filter(is_other) {
        push(&mut out, table)?;
    }
    Ok(out)
}
