//! The indexes of a segment: they are written after its blocks, and read when a search
//! needs them.

use crate::archive::error::Error;
use crate::archive::read::archive::{Archive, OpenSegment};
use crate::archive::read::derived_tags;
use crate::archive::report::overhead::Overhead;
use crate::chess::{ChessPosition, Rules};
use crate::codec::error::CodecError;
use crate::container::{self, SectionEntry, SectionType, Warning};
use crate::index::{
    DERIVED_TAGS, DerivedTag, FirstPlies, Found, Index, IndexLine, OPENINGS, OpeningTree, PLIES,
    SearchTarget, TAILS, Tails,
};
use crate::limits::Limits;
use crate::pgn::{Moves, Step};
use std::io::Write;

/// The kinds of indexes that segments have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Indexes {
    /// No indexes: a search reads every game.
    None,
    /// The lines that games share, about 3 bytes per game, and the tags that depend on
    /// the moves.
    #[default]
    Openings,
    /// In addition, the irreversible events after the shared lines (pawn moves, captures,
    /// lost castling rights) and the first plies after them: about 26 more bytes per
    /// game.
    Full,
}

impl Indexes {
    /// The kind of indexes of a segment with these sections.
    pub(crate) fn of(sections: &[SectionEntry]) -> Indexes {
        let has = |index| {
            let mut types = sections.iter().map(|section| section.section_type);
            types.any(|section_type| section_type == index)
        };
        match (has(OPENINGS), has(TAILS)) {
            (_, true) => Indexes::Full,
            (true, false) => Indexes::Openings,
            (false, false) => Indexes::None,
        }
    }
}

/// The main line in the form that indexes use; `None` unless it is a line of chess from
/// the standard position.
pub(crate) fn line_of(moves: &Moves) -> Option<IndexLine> {
    let is_standard =
        moves.start.rules() == Rules::CHESS && moves.start.is_same_as(&ChessPosition::standard());
    let has_variations = moves.steps.contains(&Step::Open);
    IndexLine::new(moves.main_line(), has_variations).filter(|_| is_standard)
}

/// Writes the indexes of the open segment from the main lines and tags of its games.
pub(crate) fn write(
    lines: &[Option<IndexLine>],
    tags: &[DerivedTag],
    which: Indexes,
    container: &mut container::ContainerWriter<dyn Write + '_>,
    limits: &Limits,
) -> Result<(), Error> {
    if which == Indexes::None || lines.is_empty() {
        return Ok(());
    }
    for (section_type, payload) in sections(lines, tags, which, limits) {
        container.section(section_type, 0, &payload)?;
    }
    Ok(())
}

/// The index sections of games with these main lines and tags. A section that readers
/// would refuse because of its size is left out.
fn sections(
    lines: &[Option<IndexLine>],
    tags: &[DerivedTag],
    which: Indexes,
    limits: &Limits,
) -> Vec<(SectionType, Vec<u8>)> {
    let is_small = |payload: &Vec<u8>| payload.len() as u64 + (1 << 10) < limits.index_bytes;
    let games = u32::try_from(lines.len()).unwrap_or(u32::MAX);
    let mut sections = Vec::new();
    let Ok((tree, openings)) = OpeningTree::build(lines) else {
        return sections;
    };
    let index = Index::parse(&openings, games, limits).ok();
    let Some(mut index) = index.filter(|_| is_small(&openings)) else {
        return sections;
    };
    sections.push((OPENINGS, openings));
    let of_tags = derived_tags::section(tags, &tree, limits).filter(is_small);
    sections.extend(of_tags.map(|payload| (DERIVED_TAGS, payload)));
    if which != Indexes::Full {
        return sections;
    }
    let Some(of_tails) = Tails::build(&tree, lines).filter(is_small) else {
        return sections;
    };
    let Ok(tails) = index.add_tails(&of_tails, limits) else {
        return sections;
    };
    let of_plies = FirstPlies::build(&tree, tails, lines).filter(is_small);
    sections.push((TAILS, of_tails));
    let is_read = |payload: &Vec<u8>| index.add_plies(payload, limits).is_ok();
    sections.extend(of_plies.filter(is_read).map(|payload| (PLIES, payload)));
    sections
}

/// Indexes, and their offset in the file.
#[derive(Debug)]
pub(crate) struct PlacedIndex {
    index: Index,
    offset: u64,
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
    /// the segment, that match or may match `sought`; with `in_variations`, also games
    /// whose variations may match. `None` if the segment has no indexes or only damaged
    /// ones; damage causes a warning.
    ///
    /// # Errors
    /// The segment is damaged.
    #[doc(hidden)]
    pub fn search_index(
        &self,
        segment: usize,
        sought: &(impl SearchTarget + ?Sized),
        in_variations: bool,
    ) -> Result<Option<Vec<(u32, Found)>>, Error> {
        let open = self.segment(segment)?;
        if open.segment.index().games() == 0 {
            return Ok(Some(Vec::new()));
        }
        let index = open.index.get_or_init(|| self.read_index(&open));
        let Some(PlacedIndex { index, offset }) = index else {
            return Ok(None);
        };
        let found = index.search(sought, in_variations);
        if found.is_err() {
            self.warn([Warning::IndexIgnored { offset: *offset }]);
        }
        Ok(found.ok())
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

    fn read_index(&self, open: &OpenSegment) -> Option<PlacedIndex> {
        let limits = self.limits();
        let games = open.segment.index().games();
        let parse = |payload: &[u8]| Index::parse(payload, games, limits);
        let (mut index, offset) = self.read_section(open, OPENINGS, parse)?;
        let tails = self.read_section(open, TAILS, |payload| {
            index.add_tails(payload, limits).map(drop)
        });
        // The first plies are useless without the tails.
        if tails.is_some() {
            self.read_section(open, PLIES, |payload| index.add_plies(payload, limits));
        }
        Some(PlacedIndex { index, offset })
    }

    /// The parsed content of a section of the segment, and its offset in the file. `None`
    /// if the section is missing or damaged; damage causes a warning.
    pub(crate) fn read_section<T>(
        &self,
        open: &OpenSegment,
        section_type: SectionType,
        parse: impl FnOnce(&[u8]) -> Result<T, CodecError>,
    ) -> Option<(T, u64)> {
        let entry = entry(open, section_type)?;
        let offset = open.segment.entry().offset.saturating_add(entry.offset);
        let section = self.container().section(&open.segment, entry).ok();
        let parsed = section.and_then(|section| parse(section.payload()).ok());
        if parsed.is_none() {
            self.warn([Warning::IndexIgnored { offset }]);
        }
        Some((parsed?, offset))
    }
}

/// The entry of the first section of this type in a segment.
pub(crate) fn entry(open: &OpenSegment, section_type: SectionType) -> Option<&SectionEntry> {
    let mut sections = open.segment.index().sections().iter();
    sections.find(|entry| entry.section_type == section_type)
}
