//! The indexes of a segment, which are read when a search needs them. `write::indexes`
//! writes them.

use crate::archive::error::Error;
use crate::archive::read::archive::Archive;
use crate::archive::read::open_segment::{OpenSegment, PlacedIndex};
use crate::archive::report::overhead::Overhead;
use crate::codec::error::CodecError;
use crate::container::{SectionEntry, SectionType, Warning};
use crate::index::{Found, Index, OPENINGS, PLIES, SearchScope, SearchTarget, TAILS, VISITS};

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
    /// lost castling rights), the first plies after them, and the squares that pieces visit:
    /// about 36 more bytes per game.
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
                (_, TAILS) | (Indexes::Full, _) => Indexes::Full,
                (_, OPENINGS) => Indexes::Openings,
                (kind, _) => kind,
            }
        })
    }
}

impl Archive {
    /// The kind of indexes of the archive: that of its last segment. `None` if it has
    /// no segments.
    ///
    /// # Errors
    /// That segment is damaged.
    pub fn indexes(&self) -> Result<Option<Indexes>, Error> {
        let Some(last) = self.container().segments().len().checked_sub(1) else {
            return Ok(None);
        };
        let (segment, _) = self.container().segment(last)?;
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
        if self.segment(segment)?.segment.index().games() == 0 {
            return Ok(Some(Vec::new()));
        }
        self.with_index(segment, |index| index.search(sought, scope))
    }

    /// Calls `see` with the indexes of a segment (from 0). `None` if the segment has no indexes or
    /// only damaged ones; damage causes a warning.
    ///
    /// # Errors
    /// The segment is damaged, or a read fails.
    pub(crate) fn with_index<T>(
        &self,
        segment: usize,
        see: impl FnOnce(&Index) -> Result<T, CodecError>,
    ) -> Result<Option<T>, Error> {
        let open = self.segment(segment)?;
        let index = open.index.get_or_try_init(|| self.read_index(&open))?;
        let Some(PlacedIndex { index, offset }) = index else {
            return Ok(None);
        };
        let seen = see(index);
        if seen.is_err() {
            self.warn([Warning::IndexIgnored { offset: *offset }]);
        }
        Ok(seen.ok())
    }

    /// The sizes of the indexes by name, in bytes.
    ///
    /// # Errors
    /// A segment is damaged.
    #[doc(hidden)]
    pub fn index_bytes(&self) -> Result<Vec<(&'static str, u64)>, Error> {
        let mut frames = Overhead::default();
        for number in 0..self.container().segments().len() {
            frames.add_sections(self.segment(number)?.segment.index().sections());
        }
        Ok(frames.indexes())
    }

    fn read_index(&self, open: &OpenSegment) -> Result<Option<PlacedIndex>, Error> {
        let limits = self.limits();
        let games = open.segment.index().games();
        let parse = |payload: &[u8]| Index::parse(payload, games, limits);
        let Some((mut index, offset)) = self.read_section(open, OPENINGS, parse)? else {
            return Ok(None);
        };
        let tails = self.read_section(open, TAILS, |payload| {
            index.add_tails(payload, limits).map(drop)
        })?;
        // The others are of no use without the tails.
        if tails.is_some() {
            self.read_section(open, PLIES, |payload| index.add_plies(payload, limits))?;
            self.read_section(open, VISITS, |payload| index.add_visits(payload, limits))?;
        }
        Ok(Some(PlacedIndex { index, offset }))
    }

    /// The parsed content of a section of the segment, and its offset in the file. `None`
    /// if the section is missing or damaged; damage causes a warning.
    ///
    /// # Errors
    /// The section cannot be read now.
    pub(crate) fn read_section<T>(
        &self,
        open: &OpenSegment,
        section_type: SectionType,
        parse: impl FnOnce(&[u8]) -> Result<T, CodecError>,
    ) -> Result<Option<(T, u64)>, Error> {
        let Some(entry) = open.entry(section_type) else {
            return Ok(None);
        };
        let offset = open.segment.entry().offset.saturating_add(entry.offset);
        let parsed = match self.container().section(&open.segment, entry) {
            Ok(section) => parse(section.payload()).ok(),
            Err(error) if !error.is_loss() => return Err(error.into()),
            Err(_) => None,
        };
        if parsed.is_none() {
            self.warn([Warning::IndexIgnored { offset }]);
        }
        Ok(parsed.map(|parsed| (parsed, offset)))
    }
}
