//! Reading a container.

use super::block::{Block, BlockMovetext};
use super::directory::{SegmentEntry, Source, Totals};
use super::error::{ContainerError, FilePart, FilePlace};
use super::names::NamesSection;
use super::open::{self, Commit};
use super::read_at::{ReadAt, SectionInput};
use super::registry;
use super::section::{self, Section};
use super::segment_end::{BlockEntry, BlockIndex, SectionEntry};
use super::slot::{CommitSlot, SLOT_BYTES};
use super::source_part::SourcePart;
use super::tables::Tables;
use super::warning::Warning;
use crate::limits::Limits;
use std::ops::Range;
use std::sync::{Arc, Mutex};

/// An open container.
///
/// Opening reads the header, the footer and the directory. Everything else is read on
/// demand: its bytes are copied once, the checksum of the copy is checked, and only the
/// copy is decoded.
#[derive(Debug, Clone)]
pub struct Container<S> {
    input: SectionInput<S>,
    commit: Commit,
    /// The section of names that was read last.
    pub(super) latest_names: Arc<Mutex<Option<Arc<NamesSection>>>>,
}

/// The location of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GamePlace {
    /// Number of the segment, from 0.
    pub segment: usize,
    /// Number of the game in the segment, from 0.
    pub game: u32,
}

/// A segment whose block index has been read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segment {
    entry: SegmentEntry,
    index: BlockIndex,
}

impl<S: ReadAt> Container<S> {
    /// Opens a container. Also returns warnings about damage that did not affect the
    /// result.
    ///
    /// # Errors
    /// The file is not a PGN archive, has an unsupported version, is damaged in its
    /// header, footers or directory, exceeds `limits`, or cannot be read.
    pub fn open(source: S, limits: Limits) -> Result<(Self, Vec<Warning>), ContainerError> {
        let input = SectionInput::new(source, limits)?;
        let (commit, warnings) = open::open(&input)?;
        let container = Container {
            input,
            commit,
            latest_names: Arc::default(),
        };
        Ok((container, warnings))
    }

    /// The source of the bytes.
    pub fn source(&self) -> &S {
        self.input.source()
    }

    /// The limits that apply to reading.
    pub fn limits(&self) -> &Limits {
        self.input.limits()
    }

    /// The commit slot of the state that is read. An append ensures that the file holds
    /// this slot before it writes anything else.
    pub fn commit_slot(&self) -> CommitSlot {
        self.commit.slot
    }

    /// Whether the file holds that slot. A stream does not, and a write of a slot may
    /// have been torn.
    ///
    /// # Errors
    /// The file cannot be read.
    pub(super) fn holds_commit_slot(&self) -> Result<bool, ContainerError> {
        let slot = self.commit.slot;
        let place = FilePlace::new(FilePart::Slot, slot.offset());
        Ok(self.input.read(place, SLOT_BYTES)? == slot.encode())
    }

    /// File offset after the footer. It is the size of the file, unless an append was
    /// not finished.
    pub fn committed_bytes(&self) -> u64 {
        self.commit.end()
    }

    /// The totals of the archive.
    pub fn totals(&self) -> Totals {
        self.commit.directory.totals()
    }

    /// The files that the archive contains, in the order of their text.
    pub fn sources(&self) -> &[Source] {
        self.commit.directory.sources()
    }

    /// The segments, in the order of their text.
    pub fn segments(&self) -> &[SegmentEntry] {
        self.commit.directory.segments()
    }

    pub(super) fn input(&self) -> &SectionInput<S> {
        &self.input
    }

    pub(super) fn commit(&self) -> &Commit {
        &self.commit
    }

    /// Reads a structure of so many bytes. If it is damaged, its bytes are restored by
    /// parity if possible, and it is read again.
    pub(super) fn read_mended<T>(
        &self,
        place: FilePlace,
        bytes: u64,
        read: impl Fn() -> Result<T, ContainerError>,
    ) -> Result<T, ContainerError> {
        let range = place.offset..place.offset.saturating_add(bytes);
        self.input.read_mended(&self.commit.parity, range, read)
    }

    /// A warning for each damaged range whose bytes were restored by parity so far.
    pub fn mended(&self) -> Vec<Warning> {
        self.input.mended().warnings()
    }

    /// The size of all parity sections in bytes.
    pub fn parity_bytes(&self) -> u64 {
        let spans = self.commit.parity.iter();
        spans.fold(0, |sum, span| sum.saturating_add(span.bytes))
    }

    /// The location of the game with this number. Games are numbered from 1.
    pub fn find_game(&self, number: u64) -> Option<GamePlace> {
        let game = number.checked_sub(1)?;
        let segments = self.segments();
        let segments_up_to = segments.partition_point(|segment| segment.first_game <= game);
        let segment = segments_up_to.checked_sub(1)?;
        let entry = segments.get(segment)?;
        let game = u32::try_from(game.checked_sub(entry.first_game)?).ok()?;
        (game < entry.games).then_some(GamePlace { segment, game })
    }

    /// Reads the block index of a segment, numbered from 0.
    ///
    /// # Errors
    /// There is no such segment, its index is damaged, a limit is exceeded, or the segment
    /// holds a critical section that this release does not know.
    pub fn segment(&self, number: usize) -> Result<Segment, ContainerError> {
        let entry = self.segments().get(number).cloned();
        let entry = entry.ok_or(ContainerError::Misuse("no such segment"))?;
        let place = FilePlace::new(FilePart::SegmentEnd, entry.end_offset());
        let limits = self.limits();
        place.check_limit("size of the index", entry.end_bytes, limits.index_bytes)?;
        let index = self.read_mended(place, entry.end_bytes, || self.read_index(&entry, place))?;
        check_index(&index, &entry, place)?;
        index.check_limits(entry.offset, limits, place)?;
        Ok(Segment { entry, index })
    }

    fn read_index(
        &self,
        entry: &SegmentEntry,
        place: FilePlace,
    ) -> Result<BlockIndex, ContainerError> {
        let bytes = self.input.read(place, entry.end_bytes)?;
        let section = Section::check_critical(bytes, registry::SEGMENT_END, place)?;
        place.checksum(entry.end_crc, section.crc())?;
        BlockIndex::parse(section.payload(), entry.bytes, place)
    }

    /// Reads a block of a segment, numbered from 0.
    ///
    /// # Errors
    /// As [`Container::block_tags`] and [`Container::block_movetext`].
    pub fn block(&self, segment: &Segment, number: usize) -> Result<Block, ContainerError> {
        Ok(Block {
            tags: self.block_tags(segment, number)?,
            movetext: self.block_movetext(segment, number)?,
        })
    }

    /// Reads the movetext of a block of a segment, numbered from 0.
    ///
    /// # Errors
    /// There is no such block, it is damaged, or it is not the block that the index
    /// lists.
    pub fn block_movetext(
        &self,
        segment: &Segment,
        number: usize,
    ) -> Result<BlockMovetext, ContainerError> {
        let entry = segment.block_entry(number)?;
        let offset = segment.entry.offset.saturating_add(entry.offset);
        let place = FilePlace::new(FilePart::Block, offset);
        self.read_mended(place, entry.section_bytes(), || {
            let bytes = self.input.read(place, entry.section_bytes())?;
            let movetext = BlockMovetext::check(bytes, place)?;
            movetext.check_header(&segment.index.header_of(entry), entry.crc, place)?;
            Ok(movetext)
        })
    }

    /// Reads one of the sections of [`BlockIndex::sections`].
    ///
    /// # Errors
    /// The section is damaged, is not the one that the index lists, or exceeds a limit.
    pub fn section(
        &self,
        segment: &Segment,
        entry: &SectionEntry,
    ) -> Result<Section, ContainerError> {
        let offset = segment.entry.offset.saturating_add(entry.offset);
        let place = section::place(entry.section_type, offset);
        let needed = entry.section_bytes().unwrap_or(u64::MAX);
        place.check_limit("size of the section", needed, self.limits().index_bytes)?;
        self.read_mended(place, needed, || {
            let section = Section::check(self.input.read(place, needed)?, place)?;
            place.checksum(entry.crc, section.crc())?;
            if section.section_type() != entry.section_type {
                return Err(place.invalid("the section is not of the type that the index lists"));
            }
            place.check_equal("flags", entry.flags, section.flags())?;
            Ok(section)
        })
    }

    /// Reads a part of the payload of one of the sections of [`BlockIndex::sections`]. Its checksum is
    /// not checked: the part must have its own.
    ///
    /// # Errors
    /// The payload ends before the range, the range exceeds a limit, or it cannot be read.
    pub fn section_part(
        &self,
        segment: &Segment,
        entry: &SectionEntry,
        range: Range<u64>,
    ) -> Result<Vec<u8>, ContainerError> {
        let offset = segment.entry.offset.saturating_add(entry.offset);
        let place = section::place(entry.section_type, offset);
        if range.start > range.end || range.end > entry.payload_bytes {
            return Err(place.invalid("a part that is not in the section"));
        }
        let bytes = range.end - range.start;
        place.check_limit(
            "size of a part of the section",
            bytes,
            self.limits().index_bytes,
        )?;
        let offset = section::payload_offset(offset).saturating_add(range.start);
        self.input.read(FilePlace { offset, ..place }, bytes)
    }

    /// Restores damaged bytes of one of the sections of [`BlockIndex::sections`] by parity, after a
    /// checksum in its payload did not match. Returns whether there were any, so that reading it
    /// again gives other bytes.
    ///
    /// # Errors
    /// The file cannot be read now.
    pub fn mend_section(
        &self,
        segment: &Segment,
        entry: &SectionEntry,
    ) -> Result<bool, ContainerError> {
        let start = segment.entry.offset.saturating_add(entry.offset);
        let end = start.saturating_add(entry.section_bytes().unwrap_or(u64::MAX));
        self.input.mend(&self.commit.parity, start..end)
    }

    /// Announces to the source that these parts of the payloads of sections will be read.
    pub fn will_read_sections<'e>(
        &self,
        segment: &Segment,
        parts: impl Iterator<Item = (&'e SectionEntry, Range<u64>)>,
    ) {
        let parts = parts.map(|(entry, part)| {
            let offset = segment.entry.offset.saturating_add(entry.offset);
            let start = section::payload_offset(offset);
            start.saturating_add(part.start)..start.saturating_add(part.end)
        });
        self.source().will_read(&parts.collect::<Vec<_>>());
    }
}

/// Checks a block index against the directory.
fn check_index(
    index: &BlockIndex,
    entry: &SegmentEntry,
    place: FilePlace,
) -> Result<(), ContainerError> {
    if index.id() != entry.id {
        return Err(place.damaged(super::error::Damage::ForeignTables {
            expected: entry.id,
            found: index.id(),
        }));
    }
    place.check_equal("games", entry.games, index.games())?;
    place.check_equal("records", entry.records, index.records())?;
    place.check_equal("raw bytes", entry.raw_bytes, index.raw_bytes())?;
    let sections = entry.bytes.saturating_sub(entry.end_bytes);
    place.check_equal("size of the sections", sections, index.end_offset())
}

impl Segment {
    /// The segment's entry in the directory.
    pub fn entry(&self) -> &SegmentEntry {
        &self.entry
    }

    /// The block index of the segment.
    pub fn index(&self) -> &BlockIndex {
        &self.index
    }

    pub(super) fn block_entry(&self, number: usize) -> Result<&BlockEntry, ContainerError> {
        let entry = self.index.blocks().get(number);
        entry.ok_or(ContainerError::Misuse("no such block"))
    }

    /// The numbers in the archive, from 1, of the games of a block of the segment.
    pub fn games_of_block(&self, block: &BlockEntry) -> Range<u64> {
        let first = self.entry.first_game.saturating_add(1);
        let first = first.saturating_add(block.first_game.into());
        first..first.saturating_add(block.shape.games.into())
    }

    /// The block that holds a game of the segment, both counted from 0.
    pub fn block_of_game(&self, game: u32) -> Option<usize> {
        self.index.block_of_game(game)
    }

    /// The parts of sources that the segment holds, one for each source of
    /// [`SegmentEntry::parts`].
    ///
    /// # Errors
    /// The table is missing or damaged, or its sums differ from the totals of the
    /// segment.
    pub fn source_parts(&self, tables: &Tables) -> Result<Vec<SourcePart>, ContainerError> {
        let place = FilePlace::new(FilePart::Tables, self.entry.offset);
        let table = tables.get(registry::SOURCE_PARTS, 0);
        let table = table.ok_or_else(|| place.invalid("the table of source parts is missing"))?;
        let parts = SourcePart::parse_all(table, place)?;
        place.check_equal("source parts", self.entry.parts.count, parts.len() as u64)?;
        let sum =
            |count: fn(&SourcePart) -> u64| parts.iter().map(count).fold(0, u64::saturating_add);
        place.check_equal(
            "bytes of all parts",
            self.entry.raw_bytes,
            sum(|part| part.bytes),
        )?;
        place.check_equal(
            "games of all parts",
            self.entry.games,
            sum(|part| part.games),
        )?;
        place.check_equal(
            "records of all parts",
            self.entry.records,
            sum(|part| part.records),
        )?;
        Ok(parts)
    }
}
