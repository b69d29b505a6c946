//! Recovery of a damaged file: its intact sections are found by their sync marks, if
//! necessary without header, slots, footer and directory (spec/recovery.md,
//! “Recovery”).
//!
//! `walk` scans the file and groups intact blocks into chains, `newest` chooses the newest
//! intact directory, and `assign` assigns the chains to segments: those that the directory
//! lists, then the others. What parity restores is scanned as if it had been intact.

mod assign;
mod newest;
mod tags;
mod walk;

use super::block::{Block, BlockHeader, BlockMovetext};
use super::directory::{SegmentEntry, Source};
use super::error::{ContainerError, FilePart, FilePlace, SignatureDamage};
use super::header;
use super::models::{ModelDigest, ModelEntry};
use super::read_at::{ReadAt, SectionInput};
use super::registry::{self, SectionType};
use super::section::{self, Section};
use super::segment_end::SectionEntry;
use super::segment_id::SegmentId;
use super::slot::FIRST_SECTION;
use super::source_part::SourcePart;
use super::tables::{self, Tables};
use crate::limits::Limits;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use walk::{IntactBlock, ScanResult, TablesLocation};

/// A damaged container that was searched for intact sections.
#[derive(Debug)]
pub struct RecoveryScan<S> {
    input: SectionInput<S>,
    sources: Option<Vec<Source>>,
    segments: Vec<FoundSegment>,
    section_types: BTreeSet<SectionType>,
    models: BTreeMap<ModelDigest, ModelEntry>,
    is_outdated: bool,
}

/// A segment of which at least a part was found.
#[derive(Debug, Clone)]
pub struct FoundSegment {
    /// Its ID.
    pub id: SegmentId,
    /// Its directory entry, if the directory lists it.
    pub entry: Option<SegmentEntry>,
    /// Size of its text in bytes, if known from the directory or from its own end.
    pub raw_bytes: Option<u64>,
    /// The number of its games, if known from the directory or from its own end.
    pub games: Option<u64>,
    /// Whether the newest intact directory does not list it. It then belongs to a later
    /// state, or to another archive in the same file.
    pub is_unlisted: bool,
    /// Its range in the file, as far as known.
    pub span: Range<u64>,
    blocks: Vec<IntactBlock>,
    /// The other sections that its end lists; `None` if its end is lost.
    sections: Option<Vec<FoundSection>>,
    tables: Option<TablesLocation>,
}

/// A section that the end of a segment lists, and that is neither tables nor a block.
#[derive(Debug, Clone, Copy)]
pub struct FoundSection {
    /// Its entry.
    pub entry: SectionEntry,
    /// The offset of an intact section with this entry.
    offset: Option<u64>,
}

impl FoundSection {
    /// Whether the section is intact.
    pub fn is_intact(&self) -> bool {
        self.offset.is_some()
    }
}

impl FoundSegment {
    /// The headers of its intact blocks, in the order of their text.
    pub fn blocks(&self) -> impl ExactSizeIterator<Item = &BlockHeader> {
        self.blocks.iter().map(|block| &block.header)
    }

    /// The range of an intact block in the file.
    pub fn block_place(&self, number: usize) -> Option<Range<u64>> {
        let block = self.blocks.get(number)?;
        Some(block.offset..block.end())
    }

    /// The range of the packed tags of an intact block in the file.
    #[cfg(test)]
    pub(super) fn tags_place(&self, number: usize) -> Option<Range<u64>> {
        let block = self.blocks.get(number)?;
        Some(block.tags_offset..block.tags_offset + u64::from(block.header.tags.bytes))
    }

    /// The sections after its blocks, if its end is intact.
    pub fn sections(&self) -> Option<&[FoundSection]> {
        self.sections.as_deref()
    }

    /// Size of its list of tables in bytes, if the tables are intact.
    pub fn tables_bytes(&self) -> Option<u64> {
        self.tables.map(|tables| tables.list_bytes)
    }
}

impl<S: ReadAt> RecoveryScan<S> {
    /// Searches a file. The time is proportional to the size of the file, regardless of
    /// its content. The memory is proportional to the number of its sections.
    ///
    /// # Errors
    /// The file has an unsupported version, contains no section of an archive, or
    /// cannot be read.
    pub fn of(source: S, limits: Limits) -> Result<Self, ContainerError> {
        let input = SectionInput::new(source, limits)?;
        let header = check_header(&input);
        if let Err(error @ (ContainerError::Version(_) | ContainerError::Io { .. })) = header {
            return Err(error);
        }
        let mut finds = ScanResult::scan(&input)?;
        if mend(&input, &finds)? {
            finds = ScanResult::scan(&input)?;
        }
        if finds.sections == 0 {
            let nothing =
                FilePlace::new(FilePart::Header, 0).invalid("no section of an archive is whole");
            return Err(header.err().unwrap_or(nothing));
        }
        let newest = newest::find_newest(&input, &finds);
        let models = std::mem::take(&mut finds.models);
        let section_types = finds.other_sections.keys().map(|key| key.0).collect();
        let segments = assign::assign_segments(input.size(), &newest, finds);
        // Segments or later states may be missing in two cases: a segment that an
        // intact directory lists was not found, or a segment was found that no intact
        // directory lists. In the second case its directory is lost, which may have
        // listed more.
        let found: BTreeSet<SegmentId> = segments.iter().map(|segment| segment.id).collect();
        let is_any_lost = !newest.listed.is_subset(&found);
        let is_any_more = newest.directory.is_some() && !found.is_subset(&newest.listed);
        Ok(RecoveryScan {
            is_outdated: newest.is_outdated || is_any_lost || is_any_more,
            segments,
            section_types,
            models,
            sources: newest.directory.map(|known| known.sources().to_vec()),
            input,
        })
    }

    /// Size of the file in bytes.
    pub fn file_bytes(&self) -> u64 {
        self.input.size()
    }

    /// The limits that reading honours.
    pub fn limits(&self) -> &Limits {
        self.input.limits()
    }

    /// The sources listed by the newest intact directory, if there is one.
    pub fn sources(&self) -> Option<&[Source]> {
        self.sources.as_deref()
    }

    /// The segments: first those of the directory in its order, then those that it does
    /// not list. Without a directory, all segments in file order.
    pub fn segments(&self) -> &[FoundSegment] {
        &self.segments
    }

    /// The types of the intact sections that are neither tables nor blocks and have no
    /// fixed place.
    pub fn section_types(&self) -> &BTreeSet<SectionType> {
        &self.section_types
    }

    /// Whether the file contained, or may have contained, more than was found: a later
    /// directory than the one used, or another archive.
    pub fn is_outdated(&self) -> bool {
        self.is_outdated
    }

    /// The number of damaged bytes that parity has restored.
    pub fn mended_bytes(&self) -> u64 {
        self.input.mended().bytes()
    }

    /// Reads a packed model; `None` if no intact section has it. Whether its digest is that of its
    /// bytes is not checked.
    ///
    /// # Errors
    /// It exceeds a limit, or the file has changed.
    pub fn model(&self, digest: &ModelDigest) -> Result<Option<Vec<u8>>, ContainerError> {
        let Some(entry) = self.models.get(digest) else {
            return Ok(None);
        };
        let place = section::place(registry::MODELS, entry.offset);
        place.check_limit("size of the model", entry.bytes, self.limits().index_bytes)?;
        entry
            .check(self.input.read(place, entry.bytes)?, place)
            .map(Some)
    }

    /// Reads the tables of a segment.
    ///
    /// # Errors
    /// The tables are damaged or lost.
    pub fn tables(&self, segment: &FoundSegment) -> Result<Tables, ContainerError> {
        let place = FilePlace::new(FilePart::Tables, segment.span.start);
        let at = segment.tables;
        let at = at.ok_or_else(|| place.invalid("the tables are damaged or lost"))?;
        let place = FilePlace::new(FilePart::Tables, at.offset);
        let bytes = tables::section_bytes(at.list_bytes).unwrap_or(u64::MAX);
        let section = Section::check(self.input.read(place, bytes)?, place)?;
        tables::open(&section, segment.id, place)
    }

    /// The parts of sources that a segment holds, read from its tables.
    ///
    /// # Errors
    /// The table is missing or damaged.
    pub fn source_parts(
        &self,
        segment: &FoundSegment,
        tables: &Tables,
    ) -> Result<Vec<SourcePart>, ContainerError> {
        let place = FilePlace::new(FilePart::Tables, segment.span.start);
        let table = tables.get(registry::SOURCE_PARTS, 0);
        let table = table.ok_or_else(|| place.invalid("the table of source parts is missing"))?;
        SourcePart::parse_all(table, place)
    }

    /// Reads an intact block of a segment, numbered as in [`FoundSegment::blocks`].
    ///
    /// # Errors
    /// There is no such block, it exceeds a limit, or the file has changed.
    pub fn block(&self, segment: &FoundSegment, number: usize) -> Result<Block, ContainerError> {
        let found = segment.blocks.get(number);
        let found = found.ok_or(ContainerError::Misuse("no such block"))?;
        let place = FilePlace::new(FilePart::Block, found.offset);
        let limit = self.limits().block_raw_bytes;
        let raw_bytes = u64::from(found.header.shape.raw_bytes);
        place.check_limit("raw size of a block", raw_bytes, limit)?;
        place.check_limit(
            "packed size of a block",
            found.section_bytes,
            limit.saturating_add(section::FRAME_BYTES),
        )?;
        let movetext = self.input.read(place, found.section_bytes)?;
        let movetext = BlockMovetext::check(movetext, place)?;
        movetext.check_header(&found.header, found.crc, place)?;
        let tags = tags::read_tags(&self.input, found)?;
        Ok(Block { tags, movetext })
    }

    /// Reads one of the sections of [`FoundSegment::sections`].
    ///
    /// # Errors
    /// The section is not intact, it exceeds a limit, or the file has changed.
    pub fn section(&self, found: &FoundSection) -> Result<Section, ContainerError> {
        let offset = found.offset;
        let offset = offset.ok_or(ContainerError::Misuse("a section that is not intact"))?;
        let place = section::place(found.entry.section_type, offset);
        let bytes = found.entry.section_bytes().unwrap_or(u64::MAX);
        place.check_limit("size of the section", bytes, self.limits().index_bytes)?;
        let section = Section::check(self.input.read(place, bytes)?, place)?;
        place.checksum(found.entry.crc, section.crc())?;
        Ok(section)
    }
}

/// Restores what is damaged of the bytes that the parity sections of a file cover. Returns
/// whether there was any.
fn mend<S: ReadAt>(input: &SectionInput<S>, finds: &ScanResult) -> Result<bool, ContainerError> {
    let mut spans = finds.parity.clone();
    spans.extend(finds.footers.iter().map(|(_, footer)| footer.parity()));
    spans.sort_by_key(|span| span.offset);
    spans.dedup_by_key(|span| span.offset);
    let mut budget = read_budget(input);
    let mut is_any = false;
    for span in spans {
        let covered = span.covered();
        let Some(left) = budget.checked_sub(span.end().saturating_sub(span.start)) else {
            break;
        };
        budget = left;
        is_any |= input.mend(&[span], covered)?;
    }
    Ok(is_any)
}

/// The number of bytes that may be read to find the tags of blocks, or to use parity: four
/// times the file, and some more, so that those of small files can be tried more often. An attacker
/// can claim any number of them.
fn read_budget<S: ReadAt>(input: &SectionInput<S>) -> u64 {
    let bytes = input.size().saturating_mul(4);
    bytes.saturating_add(4 << 20)
}

/// Whether the header is intact and has a version that this release reads.
fn check_header<S: ReadAt>(input: &SectionInput<S>) -> Result<(), ContainerError> {
    let place = FilePlace::new(FilePart::Header, 0);
    if input.size() == 0 {
        return Err(ContainerError::Signature(SignatureDamage::Missing));
    }
    header::check(&input.read(place, input.size().min(FIRST_SECTION))?)
}
