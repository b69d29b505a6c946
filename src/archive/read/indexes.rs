//! The indexes of a segment, which are read when a search needs them. `write::indexes`
//! writes them.

use crate::archive::error::Error;
use crate::archive::read::archive::Archive;
use crate::archive::read::open_segment::{LocatedSegment, PlacedIndex};
use crate::archive::report::overhead::Overhead;
use crate::codec::error::CodecError;
use crate::container::{ContainerError, SectionEntry, SectionType, Warning};
#[cfg(feature = "answers")]
use crate::index::NextPlies;
use crate::index::{
    CONTINUATIONS, Found, HEAD_START, Index, IndexOrder, IndexSource, OPENINGS, STRUCTURES,
    SearchScope, SearchTarget, VISITS, head_range,
};
use std::ops::Range;

/// The sections of an index that have heads, and for each the bytes that are read together for its head.
/// Those of 192,630 master games have 10.0, 3.0 and 4.5 kB.
const HEADS: [(SectionType, u64); 3] = [
    (OPENINGS, 12 << 10),
    (CONTINUATIONS, 4 << 10),
    (STRUCTURES, 6 << 10),
];

/// The kinds of indexes that segments have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Indexes {
    /// No indexes: a search reads every game.
    None,
    /// The lines that games share, about 3 bytes per game, and the tags that depend on
    /// the moves.
    #[default]
    Openings,
    /// In addition, the irreversible events after the shared lines (pawn moves, captures,
    /// lost castling rights), the first plies after them, the structures of pawns, the squares
    /// that pieces visit, and the names of players: about 53 more bytes per game.
    Full,
}

impl Indexes {
    /// The kind of indexes of a segment with these sections.
    pub(crate) fn of(sections: &[SectionEntry]) -> Indexes {
        Indexes::of_types(sections.iter().map(|section| section.section_type))
    }

    /// The kind of indexes that consists of sections of these types.
    pub(crate) fn of_types(types: impl Iterator<Item = SectionType>) -> Indexes {
        types.fold(Indexes::None, |kind, section_type| {
            match (kind, section_type) {
                (_, CONTINUATIONS) | (Indexes::Full, _) => Indexes::Full,
                (_, OPENINGS) => Indexes::Openings,
                (kind, _) => kind,
            }
        })
    }
}

impl Archive {
    /// The kind of indexes of the archive: that of its last segment with games. `None` if it has
    /// no games.
    ///
    /// # Errors
    /// That segment is damaged.
    pub fn indexes(&self) -> Result<Option<Indexes>, Error> {
        let segments = self.container().segments();
        let Some(last) = segments.iter().rposition(|entry| entry.games > 0) else {
            return Ok(None);
        };
        let segment = self.container().segment(last)?;
        Ok(Some(Indexes::of(segment.index().sections())))
    }

    /// Searches the indexes of a segment (from 0). Returns the games, numbered from 0 in
    /// the segment, that match or may match `sought`. `None` if the segment has no indexes or
    /// only damaged ones; damage causes a warning.
    ///
    /// # Errors
    /// The segment is damaged, or a read fails.
    pub(crate) fn search_index(
        &self,
        segment: usize,
        sought: &(impl SearchTarget + ?Sized),
        scope: SearchScope,
    ) -> Result<Option<Vec<(u32, Found)>>, Error> {
        if self.located_segment(segment)?.segment.index().games() == 0 {
            return Ok(Some(Vec::new()));
        }
        self.with_index(segment, |index, sections| {
            index.search(sections, sought, scope)
        })
    }

    /// What follows the first occurrence of a position in the games of a segment (from 0) that are in
    /// its index, by their places in [`Archive::index_order`]. `None` as for
    /// [`Archive::search_index`].
    ///
    /// # Errors
    /// The segment is damaged, or a read fails.
    #[cfg(feature = "answers")]
    pub(crate) fn next_plies(
        &self,
        segment: usize,
        sought: &(impl SearchTarget + ?Sized),
    ) -> Result<Option<NextPlies>, Error> {
        self.with_index(segment, |index, sections| {
            index.next_plies(sections, sought)
        })
    }

    /// The order of the games of a segment (from 0) in its index. `None` as for
    /// [`Archive::search_index`].
    ///
    /// # Errors
    /// The segment is damaged, or a read fails.
    #[cfg(feature = "answers")]
    pub(crate) fn index_order(&self, segment: usize) -> Result<Option<IndexOrder>, Error> {
        let open = self.located_segment(segment)?;
        self.index_order_of(&open)
    }

    pub(super) fn index_order_of(
        &self,
        open: &LocatedSegment,
    ) -> Result<Option<IndexOrder>, Error> {
        self.with_index_of(open, |index, sections| index.order(sections))
    }

    /// Does what makes later searches in a segment (from 0) fast, with one thread.
    ///
    /// # Errors
    /// The segment is damaged, or a read fails.
    #[cfg(feature = "answers")]
    pub(crate) fn prepare_index(&self, segment: usize) -> Result<(), Error> {
        // Damage is a warning.
        self.with_index(segment, |index, sections| index.prepare(sections))?;
        Ok(())
    }

    fn with_index<T>(
        &self,
        segment: usize,
        see: impl Fn(&Index, &ArchiveSections<'_>) -> Result<T, IndexError>,
    ) -> Result<Option<T>, Error> {
        let open = self.located_segment(segment)?;
        self.with_index_of(&open, see)
    }

    /// Calls `see` with the indexes of a segment. `None` if the segment has no indexes or
    /// only damaged ones; damage causes a warning.
    fn with_index_of<T>(
        &self,
        open: &LocatedSegment,
        see: impl Fn(&Index, &ArchiveSections<'_>) -> Result<T, IndexError>,
    ) -> Result<Option<T>, Error> {
        let index = open.index.get_or_try_init(|| self.read_index(open))?;
        let Some(PlacedIndex { index, offset }) = index else {
            return Ok(None);
        };
        let archive = self;
        let sections = ArchiveSections { archive, open };
        let mut seen = see(index, &sections);
        if matches!(seen, Err(IndexError::Damaged)) && self.mend_sections(open)? {
            seen = see(index, &sections);
        }
        match seen {
            Ok(seen) => Ok(Some(seen)),
            Err(IndexError::Read(error)) => Err(error),
            Err(IndexError::Damaged) => {
                self.warn([Warning::IndexIgnored { offset: *offset }]);
                Ok(None)
            }
        }
    }

    /// Restores what is damaged of the sections of a segment after its blocks by parity. Returns
    /// whether there was any.
    ///
    /// # Errors
    /// The file cannot be read now.
    fn mend_sections(&self, open: &LocatedSegment) -> Result<bool, Error> {
        let mut is_any = false;
        for entry in open.segment.index().sections() {
            is_any |= self.container().mend_section(&open.segment, entry)?;
        }
        Ok(is_any)
    }

    /// The sizes of the indexes by name, in bytes.
    ///
    /// # Errors
    /// A segment is damaged.
    #[doc(hidden)]
    pub fn index_bytes(&self) -> Result<Vec<(&'static str, u64)>, Error> {
        let mut frames = Overhead::default();
        for number in 0..self.container().segments().len() {
            frames.add_sections(self.located_segment(number)?.segment.index().sections());
        }
        Ok(frames.indexes())
    }

    fn read_index(&self, open: &LocatedSegment) -> Result<Option<PlacedIndex>, Error> {
        let (limits, games) = (self.limits(), open.segment.index().games());
        let heads = HEADS.iter().filter_map(|(section_type, most)| {
            let entry = open.entry(*section_type)?;
            Some((entry, 0..entry.payload_bytes.min(*most)))
        });
        self.container().will_read_sections(&open.segment, heads);
        let parse = |head: &[u8]| Index::parse(head, games, limits);
        let Some((mut index, offset)) = self.read_head(open, OPENINGS, parse)? else {
            return Ok(None);
        };
        let continuations =
            self.read_head(open, CONTINUATIONS, |head| index.add_continuations(head))?;
        // Structures are of no use without what is known of the games that have them.
        if continuations.is_some() {
            self.read_head(open, STRUCTURES, |head| index.add_structures(head))?;
        }
        Ok(Some(PlacedIndex { index, offset }))
    }

    /// The parsed head of a section of an index, and the offset of the section in the file. `None` if
    /// the section is missing or damaged; damage causes a warning.
    ///
    /// # Errors
    /// The section cannot be read now.
    fn read_head<T>(
        &self,
        open: &LocatedSegment,
        section_type: SectionType,
        mut parse: impl FnMut(&[u8]) -> Result<T, CodecError>,
    ) -> Result<Option<(T, u64)>, Error> {
        let Some(entry) = open.entry(section_type) else {
            return Ok(None);
        };
        let offset = open.segment.entry().offset.saturating_add(entry.offset);
        let read = |range| self.container().section_part(&open.segment, entry, range);
        let mut read_head = || {
            let head = read(0..HEAD_START).and_then(|start| match head_range(&start) {
                Some(range) => read(range),
                None => Ok(Vec::new()),
            });
            unless_damaged(head, |head| parse(&head))
        };
        let mut parsed = read_head()?;
        if parsed.is_none() && self.container().mend_section(&open.segment, entry)? {
            parsed = read_head()?;
        }
        Ok(self.warn_if_none(offset, parsed))
    }

    /// The parsed content of a section of the segment, and its offset in the file. `None`
    /// if the section is missing or damaged; damage causes a warning.
    ///
    /// # Errors
    /// The section cannot be read now.
    pub(crate) fn read_section<T>(
        &self,
        open: &LocatedSegment,
        section_type: SectionType,
        parse: impl FnOnce(&[u8]) -> Result<T, CodecError>,
    ) -> Result<Option<(T, u64)>, Error> {
        let Some(entry) = open.entry(section_type) else {
            return Ok(None);
        };
        let offset = open.segment.entry().offset.saturating_add(entry.offset);
        let section = self.container().section(&open.segment, entry);
        let parsed = unless_damaged(section, |section| parse(section.payload()))?;
        Ok(self.warn_if_none(offset, parsed))
    }

    /// What was parsed of the section at `offset`. If it is damaged, a warning.
    fn warn_if_none<T>(&self, offset: u64, parsed: Option<T>) -> Option<(T, u64)> {
        if parsed.is_none() {
            self.warn([Warning::IndexIgnored { offset }]);
        }
        parsed.map(|parsed| (parsed, offset))
    }
}

/// What was read of a section, parsed. `None` if it is damaged.
///
/// # Errors
/// It cannot be read now.
fn unless_damaged<B, T>(
    read: Result<B, ContainerError>,
    parse: impl FnOnce(B) -> Result<T, CodecError>,
) -> Result<Option<T>, Error> {
    match read {
        Ok(bytes) => Ok(parse(bytes).ok()),
        Err(error) if !error.is_loss() => Err(error.into()),
        Err(_) => Ok(None),
    }
}

/// A failure to use an index.
enum IndexError {
    /// The index is damaged.
    Damaged,
    /// It cannot be read now.
    Read(Error),
}

impl From<CodecError> for IndexError {
    fn from(_: CodecError) -> Self {
        IndexError::Damaged
    }
}

/// The sections of the indexes of a segment.
struct ArchiveSections<'a> {
    archive: &'a Archive,
    open: &'a LocatedSegment,
}

impl IndexSource for ArchiveSections<'_> {
    type Error = IndexError;

    fn part(&self, section: SectionType, range: Range<u64>) -> Result<Vec<u8>, IndexError> {
        let entry = self.open.entry(section).ok_or(IndexError::Damaged)?;
        let container = self.archive.container();
        let part = container.section_part(&self.open.segment, entry, range);
        part.map_err(|error| match error.is_loss() {
            true => IndexError::Damaged,
            false => IndexError::Read(error.into()),
        })
    }

    fn will_read(&self, section: SectionType, parts: &[Range<u64>]) {
        if let Some(entry) = self.open.entry(section) {
            let container = self.archive.container();
            let parts = parts.iter().map(|part| (entry, part.clone()));
            container.will_read_sections(&self.open.segment, parts);
        }
    }

    fn visits(&self, parse: &dyn Fn(&[u8]) -> Result<(), CodecError>) -> Result<(), IndexError> {
        let read = self.archive.read_section(self.open, VISITS, parse);
        read.map(drop).map_err(IndexError::Read)
    }
}
