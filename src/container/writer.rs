//! Writing a container from front to back, without seeking.

use std::io::Write;

use super::append;
use super::block::BlockCounts;
use super::directory::{Directory, PartRange, SegmentEntry, Source};
use super::error::{ContainerError, Damage, FilePart, FilePlace};
use super::footer::{self, Footer};
use super::header;
use super::names::{self, SECTION_SEGMENTS};
use super::parity::{ParityWriter, SPAN_BYTES};
use super::read_at::ReadAt;
use super::read_tables::TablesExtent;
use super::reader::Container;
use super::registry::{self, SectionType};
use super::section::{self, SectionHead};
use super::segment_end::BlockIndex;
use super::segment_id::SegmentId;
use super::slot::{CommitSlot, FIRST_SECTION, SLOT_BYTES};
use super::summary::SegmentSummary;
use super::tables::Tables;
use super::unwritten_names::UnwrittenNames;
use super::warning::Warning;
use super::write_blocks::GROUP_BLOCKS;
use crate::limits::Limits;

/// Writes a container.
///
/// It refuses content that a reader with default [`Limits`] would not read. After an
/// error the sink holds an unfinished file and the writer cannot be used any more.
#[derive(Debug)]
pub struct ContainerWriter<W: ?Sized> {
    pub(super) offset: u64,
    generation: u64,
    pub(super) directory: Directory,
    /// The number of sources before this writer. Its own sources follow.
    earlier_sources: u32,
    names: UnwrittenNames,
    parity: ParityWriter,
    pub(super) segment: Option<UnfinishedSegment>,
    /// The number of blocks of a group.
    pub(super) group_blocks: usize,
    /// After how many bytes a parity section follows the segment.
    parity_span: u64,
    pub(super) limits: Limits,
    // The last field, so that `&mut Writer<W>` coerces to `&mut Writer<dyn Write>`: the code
    // that writes segments is compiled once, not once for each sink.
    sink: W,
}

#[derive(Debug)]
pub(super) struct UnfinishedSegment {
    pub(super) start: u64,
    pub(super) index: BlockIndex,
    /// The blocks of the group that is next written.
    pub(super) group: Vec<GroupedBlock>,
    /// The size of their packed bytes.
    pub(super) group_bytes: u64,
    pub(super) summary: SegmentSummary,
}

#[derive(Debug)]
pub(super) struct GroupedBlock {
    pub(super) shape: BlockCounts,
    pub(super) tags: Vec<u8>,
    pub(super) movetext: Vec<u8>,
}

impl<W: Write> ContainerWriter<W> {
    /// Begins a new file: writes the header and two empty slots.
    ///
    /// # Errors
    /// The sink fails.
    pub fn new(sink: W) -> Result<Self, ContainerError> {
        let mut writer = ContainerWriter {
            offset: 0,
            generation: 1,
            directory: Directory::default(),
            earlier_sources: 0,
            names: UnwrittenNames::default(),
            parity: ParityWriter::new(FIRST_SECTION),
            segment: None,
            group_blocks: GROUP_BLOCKS,
            parity_span: SPAN_BYTES,
            limits: Limits::default(),
            sink,
        };
        writer.write_uncovered(&header::encode())?;
        let slots = usize::try_from(2 * SLOT_BYTES).unwrap_or(0);
        writer.write_uncovered(&vec![0; slots])?;
        debug_assert_eq!(writer.offset, FIRST_SECTION);
        Ok(writer)
    }

    /// Begins an append: the next generation of `container`, whose segments and sources
    /// stay. `sink` must write from [`Container::committed_bytes`] on. The file must
    /// hold [`Container::commit_slot`] before anything is written.
    ///
    /// # Errors
    /// A later state than the one that `container` reads may have been committed, the
    /// state is followed by bytes that no append wrote, its last parity section or its footer
    /// is damaged, or the generation number would overflow.
    pub fn append<S: ReadAt>(sink: W, container: &Container<S>) -> Result<Self, ContainerError> {
        let commit = container.commit();
        if commit.may_be_outdated {
            return Err(FilePlace::new(FilePart::Slot, commit.slot.offset())
                .invalid("the slot of a later state may be lost; recover the file first"));
        }
        container.check_tail()?;
        if commit.is_followed_by_foreign_bytes {
            return Err(FilePlace::new(FilePart::End, commit.end())
                .invalid("bytes follow that no append has written; recover the file first"));
        }
        let generation = commit.slot.generation.checked_add(1);
        let mut directory = commit.directory.clone();
        let names = UnwrittenNames::last_of(container, &mut directory)?;
        let parity = append::parity(container, &mut directory)?;
        Ok(ContainerWriter {
            offset: commit.end(),
            parity,
            generation: generation.ok_or(ContainerError::Misuse("no more generations"))?,
            directory,
            earlier_sources: commit.directory.totals().sources,
            names,
            segment: None,
            group_blocks: GROUP_BLOCKS,
            parity_span: SPAN_BYTES,
            limits: Limits::default(),
            sink,
        })
    }

    /// A warning if an append found damage that costs no data.
    pub fn warning(&self) -> Option<Warning> {
        self.names.warning.clone()
    }

    /// Writes the footers, the directory and its parity, flushes the sink, and returns it with the
    /// slot that commits the file.
    ///
    /// For a sink that can seek, the caller writes the slot at [`CommitSlot::offset`].
    /// A stream leaves both slots empty.
    ///
    /// # Errors
    /// A segment is open, `sources` do not add up to the segments, or the sink
    /// fails.
    pub fn finish(mut self, sources: Vec<Source>) -> Result<(W, CommitSlot), ContainerError> {
        if self.segment.is_some() {
            return Err(ContainerError::Misuse("a segment is open"));
        }
        for source in sources {
            self.directory.push_source(source).map_err(into_misuse)?;
        }
        self.directory.check_totals().map_err(into_misuse)?;
        if self.names.has_new {
            self.write_names()?;
        }
        let directory = section::encode(registry::DIRECTORY, &self.directory.encode());
        let footer = self.footer(&directory)?;
        let bytes = footer.encode();
        self.write(&bytes)?;
        self.write(&directory)?;
        self.write_parity()?;
        let slot = footer.slot();
        debug_assert_eq!(self.offset, slot.footer_offset);
        self.write_uncovered(&bytes)?;
        self.sink.flush().map_err(|source| ContainerError::Io {
            offset: self.offset,
            source,
        })?;
        Ok((self.sink, slot))
    }
}

impl<W: Write + ?Sized> ContainerWriter<W> {
    /// Writes groups of so many blocks.
    #[cfg(test)]
    pub(super) fn set_group_blocks(&mut self, blocks: usize) {
        self.group_blocks = blocks;
    }

    /// Writes a parity section after a segment with which so many bytes are not covered.
    #[cfg(test)]
    pub(super) fn set_parity_span(&mut self, bytes: u64) {
        self.parity_span = bytes;
    }

    /// Begins a segment and returns its ID.
    ///
    /// # Errors
    /// A segment is open, the tables are too large, or the sink fails.
    pub fn begin_segment(&mut self, tables: &Tables) -> Result<SegmentId, ContainerError> {
        if self.segment.is_some() {
            return Err(ContainerError::Misuse("a segment is open"));
        }
        let (start, id) = (self.offset, tables.id());
        let place = FilePlace::new(FilePart::Tables, start);
        let size = tables.list_bytes();
        place.check_limit("size of the tables", size, self.limits.tables_bytes)?;
        let index = BlockIndex::new(id, TablesExtent::of(tables)).map_err(into_misuse)?;
        self.write_section(registry::TABLES, registry::CRITICAL, &[tables.list()])?;
        self.segment = Some(UnfinishedSegment {
            start,
            index,
            group: Vec::new(),
            group_bytes: 0,
            summary: SegmentSummary::default(),
        });
        Ok(id)
    }

    /// Writes another section after the blocks of the segment.
    ///
    /// # Errors
    /// No segment is open, the type is not ASCII or has a fixed place elsewhere, the
    /// section is critical and of an unknown type, a limit is exceeded, or the sink
    /// fails.
    pub fn section(
        &mut self,
        section_type: SectionType,
        flags: u8,
        payload: &[u8],
    ) -> Result<(), ContainerError> {
        let mut segment = self.take_segment()?;
        self.write_group(&mut segment)?;
        let place = section::place(section_type, self.offset);
        let head = SectionHead {
            section_type,
            flags,
            payload_bytes: payload.len() as u64,
        };
        let size = head.section_bytes().unwrap_or(u64::MAX);
        place.check_limit("size of the section", size, self.limits.index_bytes)?;
        let crc = self.write_section(section_type, flags, &[payload])?;
        segment.index.push_section(head, crc).map_err(into_misuse)?;
        segment
            .index
            .check_limits(segment.start, &self.limits, place)?;
        self.segment = Some(segment);
        Ok(())
    }

    /// States what is known of the games of the segment.
    ///
    /// # Errors
    /// No segment is open.
    pub fn summarize(&mut self, summary: SegmentSummary) -> Result<(), ContainerError> {
        let segment = self.segment.as_mut();
        let segment = segment.ok_or(ContainerError::Misuse("no segment is open"))?;
        segment.summary = summary;
        Ok(())
    }

    /// Ends the segment. `parts` numbers the sources among those that will be passed to
    /// [`Writer::finish`].
    ///
    /// # Errors
    /// No segment is open, it has no block, `parts` is empty or starts before the last
    /// source of the previous segment, the index exceeds a limit, or the sink fails.
    pub fn end_segment(&mut self, parts: PartRange) -> Result<(), ContainerError> {
        let mut segment = self.take_segment()?;
        self.write_group(&mut segment)?;
        let UnfinishedSegment {
            start,
            index,
            mut summary,
            ..
        } = segment;
        let place = FilePlace::new(FilePart::SegmentEnd, self.offset);
        // Copied blocks are not checked before.
        index.check_limits(start, &self.limits, place)?;
        let end_bytes = index.end_bytes();
        place.check_limit("size of the index", end_bytes, self.limits.index_bytes)?;
        let end_crc = self.write_section(
            registry::SEGMENT_END,
            registry::CRITICAL,
            &[&index.encode()],
        )?;
        if !self.names.fits(&summary, self.limits.index_bytes) {
            summary.names = None;
        }
        let first = parts.first.checked_add(self.earlier_sources);
        let entry = SegmentEntry {
            offset: start,
            bytes: self.offset.saturating_sub(start),
            end_bytes,
            end_crc,
            id: index.id(),
            first_game: 0,
            games: index.games(),
            records: index.records(),
            raw_bytes: index.raw_bytes(),
            parts: PartRange {
                first: first.ok_or(ContainerError::Misuse("too many sources"))?,
                count: parts.count,
            },
            summary: summary
                .entry()
                .ok_or(ContainerError::Misuse("names that are not in rows"))?,
        };
        self.directory.push_segment(entry).map_err(into_misuse)?;
        if self.names.push(summary.names.unwrap_or_default()) {
            self.write_names()?;
        }
        if self.parity.bytes() >= self.parity_span {
            self.directory.push_parity(self.parity.span());
            self.write_parity()?;
        }
        Ok(())
    }

    /// Writes the parity of all bytes since the last parity section.
    fn write_parity(&mut self) -> Result<(), ContainerError> {
        let parity = std::mem::replace(&mut self.parity, ParityWriter::new(0));
        self.write_uncovered(&parity.finish())?;
        self.parity = ParityWriter::new(self.offset);
        Ok(())
    }

    /// Writes the section of the names of the last segments, if there are any.
    fn write_names(&mut self) -> Result<(), ContainerError> {
        let segments = self.names.take();
        let ended = self
            .directory
            .segments()
            .len()
            .saturating_sub(segments.len());
        if segments.iter().any(|cells| !cells.is_empty()) {
            let offset = self.offset;
            self.write_section(registry::NAMES, 0, &[&names::encode(&segments)])?;
            let section = ended / SECTION_SEGMENTS;
            self.directory.set_names_offset(section, offset);
        }
        Ok(())
    }

    fn footer(&self, directory: &[u8]) -> Result<Footer, ContainerError> {
        let directory_offset = self.offset.saturating_add(footer::SECTION_BYTES);
        let directory_bytes = directory.len() as u64;
        let place = FilePlace::new(FilePart::Directory, directory_offset);
        place.check_limit(
            "size of the directory",
            directory_bytes,
            self.limits.index_bytes,
        )?;
        let more = footer::SECTION_BYTES.saturating_add(directory_bytes);
        Ok(Footer {
            generation: self.generation,
            directory_offset,
            directory_bytes,
            parity_start: self.parity.span().start,
            parity_bytes: self.parity.section_bytes(more),
            directory_crc: section::stored_crc(directory),
        })
    }

    /// Takes the open segment, so that an error leaves it closed.
    pub(super) fn take_segment(&mut self) -> Result<UnfinishedSegment, ContainerError> {
        self.segment
            .take()
            .ok_or(ContainerError::Misuse("no segment is open"))
    }

    /// Writes a section and returns its CRC-32.
    pub(super) fn write_section(
        &mut self,
        section_type: SectionType,
        flags: u8,
        parts: &[&[u8]],
    ) -> Result<u32, ContainerError> {
        let head = SectionHead {
            section_type,
            flags,
            payload_bytes: parts.iter().map(|part| part.len() as u64).sum(),
        };
        let crc = section::checksum(&head, parts);
        self.write(&head.encode())?;
        parts.iter().try_for_each(|part| self.write(part))?;
        self.write(&crc.to_le_bytes())?;
        Ok(crc)
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), ContainerError> {
        self.parity.add(bytes);
        self.write_uncovered(bytes)
    }

    /// Writes bytes that the next parity section does not cover.
    fn write_uncovered(&mut self, bytes: &[u8]) -> Result<(), ContainerError> {
        let offset = self.offset;
        self.sink
            .write_all(bytes)
            .map_err(|source| ContainerError::Io { offset, source })?;
        self.offset = offset.saturating_add(bytes.len() as u64);
        Ok(())
    }
}

/// Converts damage that a reader would report into misuse by the caller.
pub(super) fn into_misuse(damage: Damage) -> ContainerError {
    match damage {
        Damage::Invalid(rule) => ContainerError::Misuse(rule),
        _ => ContainerError::Misuse("content that no archive can hold"),
    }
}
