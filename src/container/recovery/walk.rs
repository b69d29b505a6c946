//! Grouping of intact sections into chains. A chain holds the blocks of one copy of a
//! segment.

use super::super::block::{self, BlockHeader};
use super::super::error::{ContainerError, FilePart, FilePlace};
use super::super::footer::{self, Footer};
use super::super::models::{DIGEST_BYTES, ModelDigest, ModelEntry};
use super::super::parity::ParitySpan;
use super::super::read_at::{ReadAt, SectionInput};
use super::super::registry::{self, SectionType};
use super::super::scan::{SectionMark, scan};
use super::super::section::{self, Section};
use super::super::segment_end::{BlockEntry, BlockIndex};
use super::super::segment_id::SegmentId;
use super::super::slot::FIRST_SECTION;
use super::super::tables;
use super::tags::{TagsFinder, TagsFound};
use crate::bits::ByteReader;
use std::collections::BTreeMap;
use std::ops::Range;

/// A block whose section is intact, and whose tags are intact too, once the scan is complete.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct IntactBlock {
    /// File offset of its section.
    pub(super) offset: u64,
    /// File offset of its packed tags.
    pub(super) tags_offset: u64,
    pub(super) section_bytes: u64,
    pub(super) header: BlockHeader,
    pub(super) crc: u32,
}

impl IntactBlock {
    pub(super) fn end(&self) -> u64 {
        self.offset.saturating_add(self.section_bytes)
    }

    /// The offset of its end in the segment's text, in bytes.
    pub(super) fn raw_end(&self) -> u64 {
        let bytes = u64::from(self.header.shape.raw_bytes);
        self.header.raw_offset.saturating_add(bytes)
    }

    /// The number of games of the segment up to its end.
    pub(super) fn games_end(&self) -> u64 {
        u64::from(self.header.first_game) + u64::from(self.header.shape.games)
    }

    /// Whether an index entry describes this block.
    pub(super) fn matches(&self, entry: &BlockEntry) -> bool {
        entry.crc == self.crc
            && entry.section_bytes() == self.section_bytes
            && entry.raw_offset == self.header.raw_offset
            && entry.first_game == self.header.first_game
            && entry.shape == self.header.shape
            && entry.tags == self.header.tags
    }
}

/// The location of a segment's tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TablesLocation {
    pub(super) offset: u64,
    pub(super) list_bytes: u64,
}

/// An intact segment end.
#[derive(Debug)]
pub(super) struct IntactEnd {
    pub(super) index: BlockIndex,
    /// CRC-32 of the section.
    pub(super) crc: u32,
    /// File offset after the section.
    pub(super) end_offset: u64,
}

/// The remains of one copy of a segment.
#[derive(Debug)]
pub(super) struct Chain {
    pub(super) id: SegmentId,
    /// File offset of its start, if known from its tables or its end.
    pub(super) start: Option<u64>,
    /// The blocks in the order of their text. They do not overlap in the text.
    pub(super) blocks: Vec<IntactBlock>,
    pub(super) end: Option<IntactEnd>,
}

impl Chain {
    pub(super) fn new(id: SegmentId, start: Option<u64>) -> Self {
        Chain {
            id,
            start,
            blocks: Vec::new(),
            end: None,
        }
    }

    pub(super) fn first_offset(&self) -> u64 {
        let first = self.blocks.first().map(|block| block.offset);
        let end = self.end.as_ref().map(|end| end.end_offset);
        self.start.or(first).or(end).unwrap_or_default()
    }

    pub(super) fn last_offset(&self) -> u64 {
        let last = self.blocks.last().map(IntactBlock::end);
        let end = self.end.as_ref().map(|end| end.end_offset);
        end.or(last).unwrap_or_else(|| self.first_offset())
    }

    pub(super) fn span(&self) -> Range<u64> {
        self.first_offset()..self.last_offset()
    }

    /// Whether a block can come next in the same copy of the segment. `tags_bytes` is the size of
    /// the section of tags that ends where it begins.
    fn can_continue_with(
        &self,
        block: &IntactBlock,
        tables_bytes: Option<u64>,
        tags_bytes: Option<u64>,
    ) -> bool {
        let Some(last) = self.blocks.last() else {
            return true;
        };
        let header = &block.header;
        let follows =
            header.raw_offset >= last.raw_end() && u64::from(header.first_game) >= last.games_end();
        // If no text is missing but the gap in the file is large enough for the tables
        // of another copy, the block may belong to that copy.
        let gap = block.offset.saturating_sub(last.end());
        let gap = gap.saturating_sub(tags_bytes.unwrap_or(0));
        // The gap before the first block of a group may be tags whose head is damaged.
        let is_gap_known = header.tags.offset > 0 || tags_bytes.is_some();
        let is_of_another = header.raw_offset == last.raw_end()
            && is_gap_known
            && tables_bytes.is_some_and(|tables_bytes| gap >= tables_bytes);
        follows && !is_of_another
    }
}

/// The identity of a section that is neither tables nor a block: its type, its flags, the
/// size of its payload in bytes, and its CRC-32.
pub(super) type SectionKey = (SectionType, u8, u64, u32);

/// The result of a scan.
#[derive(Debug)]
pub(super) struct ScanResult {
    pub(super) chains: Vec<Chain>,
    /// The chains of each segment that have no end yet. Blocks are added to the last of
    /// them.
    open: BTreeMap<SegmentId, Vec<usize>>,
    /// Intact tables.
    pub(super) tables: BTreeMap<SegmentId, TablesLocation>,
    pub(super) tags: TagsFound,
    /// File offset after the last section that ends a segment or a state of the file.
    /// A segment may begin there.
    last_border: u64,
    /// The footers with their offsets.
    pub(super) footers: Vec<(u64, Footer)>,
    pub(super) directories: Vec<SectionMark>,
    /// The intact parity sections.
    pub(super) parity: Vec<ParitySpan>,
    /// The intact sections of models. The first of several with the same digest counts.
    pub(super) models: BTreeMap<ModelDigest, ModelEntry>,
    /// The offsets of the intact sections of other types, such as indexes.
    pub(super) other_sections: BTreeMap<SectionKey, u64>,
    /// File offset after the last intact section.
    last_end: u64,
    /// The number of intact sections of any type.
    pub(super) sections: u64,
}

impl ScanResult {
    /// Scans a file.
    pub(super) fn scan<S: ReadAt>(input: &SectionInput<S>) -> Result<Self, ContainerError> {
        let mut finds = ScanResult {
            chains: Vec::new(),
            open: BTreeMap::new(),
            tables: BTreeMap::new(),
            tags: TagsFound::default(),
            last_border: FIRST_SECTION,
            footers: Vec::new(),
            directories: Vec::new(),
            parity: Vec::new(),
            models: BTreeMap::new(),
            other_sections: BTreeMap::new(),
            last_end: FIRST_SECTION,
            sections: 0,
        };
        let scanned = scan(input, |mark| {
            // An intact section with impossible content is skipped like a damaged one.
            match finds.add_section(input, &mark) {
                Err(error @ ContainerError::Io { .. }) => Err(error),
                Ok(()) | Err(_) => Ok(()),
            }
        });
        scanned?;
        let mut finder = TagsFinder::new(input);
        for chain in &mut finds.chains {
            finder.retain_intact(&finds.tags, &mut chain.blocks)?;
        }
        // Drops chains whose blocks and start an index has claimed.
        finds.chains.retain(|chain| {
            !chain.blocks.is_empty() || chain.end.is_some() || chain.start.is_some()
        });
        Ok(finds)
    }

    fn add_section<S: ReadAt>(
        &mut self,
        input: &SectionInput<S>,
        mark: &SectionMark,
    ) -> Result<(), ContainerError> {
        let section_type = mark.head.section_type;
        if section_type == registry::TAGS {
            // The tags of each block have a checksum of their own.
            self.tags.add(input, mark)?;
        }
        let Some(crc) = mark.valid_crc else {
            return Ok(());
        };
        self.sections += 1;
        let end_before = std::mem::replace(&mut self.last_end, mark.end());
        match section_type {
            registry::TAGS => Ok(()),
            registry::TABLES => self.tables(input, mark),
            registry::BLOCK => {
                // The tags before the first block of a group may have lost their head.
                self.tags.add_gap(end_before..mark.offset);
                self.block(input, mark, crc)
            }
            registry::SEGMENT_END => self.segment_end(input, mark, crc),
            registry::FOOTER => self.footer(input, mark),
            registry::DIRECTORY => {
                self.directories.push(*mark);
                Ok(())
            }
            registry::PARITY => {
                let span = ParitySpan::stated(input, mark.offset, mark.section_bytes())?;
                self.parity.push(span);
                Ok(())
            }
            registry::MODELS => self.model(input, mark),
            _ => {
                let head = &mark.head;
                let key = (section_type, head.flags, head.payload_bytes, crc);
                self.other_sections.entry(key).or_insert(mark.offset);
                Ok(())
            }
        }
    }

    fn tables<S: ReadAt>(
        &mut self,
        input: &SectionInput<S>,
        mark: &SectionMark,
    ) -> Result<(), ContainerError> {
        let place = FilePlace::new(FilePart::Tables, mark.offset);
        let bytes = mark.section_bytes();
        let max_bytes = tables::section_bytes(input.limits().tables_bytes).unwrap_or(u64::MAX);
        place.check_limit("size of the tables", bytes, max_bytes)?;
        let section = Section::check(input.read(place, bytes)?, place)?;
        let id = SegmentId::of(section.payload());
        let at = TablesLocation {
            offset: mark.offset,
            list_bytes: section.payload().len() as u64,
        };
        self.tables.entry(id).or_insert(at);
        self.add(Chain::new(id, Some(mark.offset)));
        Ok(())
    }

    fn block<S: ReadAt>(
        &mut self,
        input: &SectionInput<S>,
        mark: &SectionMark,
        crc: u32,
    ) -> Result<(), ContainerError> {
        let place = FilePlace::new(FilePart::Block, mark.offset);
        let header = block::read_header(input, mark.offset, mark.head.payload_bytes)?;
        if !header.shape.is_valid() {
            return Err(place.invalid("a block that cannot be"));
        }
        let block = IntactBlock {
            offset: mark.offset,
            tags_offset: 0,
            section_bytes: mark.section_bytes(),
            header,
            crc,
        };
        let id = header.segment;
        let tables = self.tables.get(&id);
        let tables_bytes = tables.and_then(|tables| tables::section_bytes(tables.list_bytes));
        let tags_bytes = self.tags.bytes_before(mark.offset);
        match self.open_chain(id) {
            Some(chain) if chain.can_continue_with(&block, tables_bytes, tags_bytes) => {
                chain.blocks.push(block)
            }
            _ => self.add(Chain {
                blocks: vec![block],
                ..Chain::new(id, None)
            }),
        }
        Ok(())
    }

    fn segment_end<S: ReadAt>(
        &mut self,
        input: &SectionInput<S>,
        mark: &SectionMark,
        crc: u32,
    ) -> Result<(), ContainerError> {
        let place = FilePlace::new(FilePart::SegmentEnd, mark.offset);
        self.last_border = mark.end();
        let bytes = mark.section_bytes();
        place.check_limit("size of the index", bytes, input.limits().index_bytes)?;
        let section = Section::check(input.read(place, bytes)?, place)?;
        let index = BlockIndex::parse(section.payload(), input.size(), place)?;
        let start = mark.offset.checked_sub(index.end_offset());
        let (start, blocks) = self.claim(&index, start);
        self.chains.push(Chain {
            id: index.id(),
            start,
            blocks,
            end: Some(IntactEnd {
                index,
                crc,
                end_offset: mark.end(),
            }),
        });
        Ok(())
    }

    /// Moves the blocks that an index lists out of the open chains of its segment. Also
    /// determines where the segment starts, which differs from the offset that the
    /// index implies if bytes were lost or added. Blocks that remain in the chains
    /// belong to another copy.
    fn claim(&mut self, index: &BlockIndex, start: Option<u64>) -> (Option<u64>, Vec<IntactBlock>) {
        let open = self.open.remove(&index.id()).unwrap_or_default();
        let starts = open
            .iter()
            .filter_map(|number| self.chains.get(*number)?.start);
        let starts: Vec<u64> = starts.collect();
        let start = start
            .filter(|start| starts.contains(start))
            .or(starts.last().copied())
            .or(start);
        let mut own = Vec::new();
        for number in open {
            if let Some(chain) = self.chains.get_mut(number) {
                let blocks = std::mem::take(&mut chain.blocks).into_iter();
                let is_own = |block: &IntactBlock| entry_of(index, block).is_some();
                let (claimed, unclaimed) = blocks.partition::<Vec<_>, _>(is_own);
                own.extend(claimed);
                chain.blocks = unclaimed;
                chain.start = chain.start.filter(|_| chain.start != start);
            }
        }
        (start, own)
    }

    fn model<S: ReadAt>(
        &mut self,
        input: &SectionInput<S>,
        mark: &SectionMark,
    ) -> Result<(), ContainerError> {
        let place = FilePlace {
            offset: section::payload_offset(mark.offset),
            ..section::place(registry::MODELS, mark.offset)
        };
        let digest = input.read(place, DIGEST_BYTES)?;
        let digest = ByteReader::new(&digest).array();
        let entry = ModelEntry {
            digest: digest.map_err(|error| place.decode_error(error))?,
            offset: mark.offset,
            bytes: mark.section_bytes(),
        };
        if entry.is_possible() {
            self.models.entry(entry.digest).or_insert(entry);
        }
        Ok(())
    }

    fn footer<S: ReadAt>(
        &mut self,
        input: &SectionInput<S>,
        mark: &SectionMark,
    ) -> Result<(), ContainerError> {
        self.last_border = mark.end();
        let place = FilePlace::new(FilePart::Footer, mark.offset);
        place.check_equal("size", footer::SECTION_BYTES, mark.section_bytes())?;
        let bytes = input.read(place, footer::SECTION_BYTES)?;
        self.footers
            .push((mark.offset, Footer::parse(bytes, place)?));
        Ok(())
    }

    fn add(&mut self, chain: Chain) {
        let open = self.open.entry(chain.id).or_default();
        open.push(self.chains.len());
        self.chains.push(chain);
    }

    /// The chain to which a block of a segment is added. `None` if a segment or a state
    /// ended after the chain, because another copy may have begun there.
    fn open_chain(&mut self, id: SegmentId) -> Option<&mut Chain> {
        let border = self.last_border;
        let number = self.open.get(&id)?.last()?;
        let chain = self.chains.get_mut(*number)?;
        (chain.last_offset() >= border).then_some(chain)
    }
}

/// The entry of an index that describes a block.
fn entry_of<'i>(index: &'i BlockIndex, block: &IntactBlock) -> Option<&'i BlockEntry> {
    let offset = block.header.raw_offset;
    let found = index
        .blocks()
        .binary_search_by_key(&offset, |entry| entry.raw_offset);
    let entry = index.blocks().get(found.ok()?)?;
    block.matches(entry).then_some(entry)
}
