//! The indexes of a segment: written behind its blocks, and read when something is
//! sought.

use super::derived;
use super::error::ArchiveError;
use super::frames::Frames;
use super::reader::{Archive, OpenSegment};
use crate::chess::{Position, Rules};
use crate::container::{self, ReadAt, Section, SectionEntry, SectionType, Warning};
use crate::index::{DerivedTag, Found, Index, Line, OPENINGS, OpeningTree, Sought, TAILS, Tails};
use crate::limits::Limits;
use crate::pgn::{Moves, Step};
use std::io::Write;

/// Which indexes segments have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Indexes {
    /// None: every game is looked at.
    None,
    /// The lines that games share: about 3 bytes a game; and tags that follow from the
    /// moves.
    #[default]
    Openings,
    /// Also what is never undone behind them, pawn moves, captures and lost castling
    /// rights: about 22 bytes a game more.
    Full,
}

/// The main line as indexes hold it: of chess from its standard position.
pub(super) fn line_of(moves: &Moves) -> Option<Line> {
    let is_standard =
        moves.start.rules() == Rules::CHESS && moves.start.is_same_as(&Position::standard());
    let has_variations = moves.steps.contains(&Step::Open);
    Line::new(moves.main_line(), has_variations).filter(|_| is_standard)
}

/// Writes the indexes of the open segment, whose games have these main lines and tags.
pub(super) fn write<W: Write>(
    lines: &[Option<Line>],
    tags: &[DerivedTag],
    which: Indexes,
    container: &mut container::Writer<W>,
    limits: &Limits,
) -> Result<(), ArchiveError> {
    let games = u32::try_from(lines.len()).unwrap_or(u32::MAX);
    if which == Indexes::None || lines.iter().all(Option::is_none) {
        return Ok(());
    }
    let Ok((tree, openings)) = OpeningTree::build(lines) else {
        return Ok(());
    };
    let tails = match which {
        Indexes::Full => Tails::build(&tree, lines),
        _ => None,
    };
    // What no reader takes is better not there.
    let is_small = |payload: &[u8]| payload.len() as u64 + (1 << 10) < limits.index_bytes;
    let is_read = |tails: Option<&[u8]>| Index::parse(&openings, tails, games, limits).is_ok();
    if !is_small(&openings) || !is_read(None) {
        return Ok(());
    }
    container.section(OPENINGS, 0, &openings)?;
    if let Some(tails) = tails.filter(|tails| is_small(tails) && is_read(Some(tails.as_slice()))) {
        container.section(TAILS, 0, &tails)?;
    }
    derived::write(tags, &tree, container, limits)
}

/// Indexes, and where in the file they are.
#[derive(Debug)]
pub(super) struct PlacedIndex {
    index: Index,
    offset: u64,
}

impl<S: ReadAt> Archive<S> {
    /// The games of a segment, both counted from 0, that have or may have what is
    /// sought, as its indexes tell; with `in_variations`, also those whose variations may.
    /// `None` if it has no indexes, or only damaged ones, of which a warning tells.
    ///
    /// # Errors
    /// The segment is damaged.
    pub fn search_index(
        &self,
        segment: usize,
        sought: &(impl Sought + ?Sized),
        in_variations: bool,
    ) -> Result<Option<Vec<(u32, Found)>>, ArchiveError> {
        let open = self.segment(segment)?;
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

    /// What the indexes take, by name, in bytes.
    ///
    /// # Errors
    /// A segment is damaged.
    pub fn index_bytes(&self) -> Result<[(&'static str, u64); 3], ArchiveError> {
        let mut frames = Frames::default();
        for number in 0..self.container().segments().len() {
            frames.add_sections(self.segment(number)?.segment.index().sections());
        }
        Ok(frames.indexes())
    }

    fn read_index(&self, open: &OpenSegment) -> Option<PlacedIndex> {
        let offset = |entry: &SectionEntry| {
            let start = open.segment.entry().offset;
            start.saturating_add(entry.offset)
        };
        let entry = |section_type: SectionType| {
            let mut sections = open.segment.index().sections().iter();
            sections.find(|entry| entry.section_type == section_type)
        };
        let openings = entry(OPENINGS)?;
        let index = self.parse_index(open, openings, entry(TAILS));
        if index.is_none() {
            let offset = offset(openings);
            self.warn([Warning::IndexIgnored { offset }]);
        }
        Some(PlacedIndex {
            index: index?,
            offset: offset(openings),
        })
    }

    /// Reads the sections; `None` if one is damaged.
    fn parse_index(
        &self,
        open: &OpenSegment,
        openings: &SectionEntry,
        tails: Option<&SectionEntry>,
    ) -> Option<Index> {
        let read = |entry| self.container().section(&open.segment, entry).ok();
        let openings = read(openings)?;
        let tails = match tails {
            Some(entry) => Some(read(entry)?),
            None => None,
        };
        let tails = tails.as_ref().map(Section::payload);
        let games = open.segment.index().games();
        Index::parse(openings.payload(), tails, games, self.limits()).ok()
    }
}
