//! Writing the indexes of a segment, after its blocks.

use crate::archive::error::Error;
use crate::archive::read::derived_tags::TagRow;
use crate::archive::read::indexes::Indexes;
use crate::container::{self, SectionType};
use crate::index::{
    DERIVED_TAGS, DerivedTag, DerivedTags, FirstPlies, Index, IndexLine, OPENINGS, OpeningTree,
    PLIES, TAILS, Tails, VISITS, Visits,
};
use crate::limits::Limits;
use std::io::Write;

/// The indexes of the main lines of a segment.
pub(crate) struct LineIndexes {
    tree: OpeningTree,
    openings: Vec<u8>,
    /// The sections that only full indexes have.
    of_full: Vec<(SectionType, Vec<u8>)>,
}

impl LineIndexes {
    /// Builds the indexes of games with these main lines. Sections that readers would refuse
    /// because of their size are left out; `None` if nothing is left.
    pub(crate) fn build(
        lines: &[Option<IndexLine>],
        which: Indexes,
        limits: &Limits,
    ) -> Option<LineIndexes> {
        if which == Indexes::None || lines.is_empty() {
            return None;
        }
        let games = u32::try_from(lines.len()).unwrap_or(u32::MAX);
        let (tree, openings) = OpeningTree::build(lines).ok()?;
        let index = Index::parse(&openings, games, limits).ok()?;
        if !is_small(&openings, limits) {
            return None;
        }
        let of_full = match which {
            Indexes::Full => full_sections(index, &tree, lines, limits),
            _ => Vec::new(),
        };
        Some(LineIndexes {
            tree,
            openings,
            of_full,
        })
    }

    /// Writes the indexes of the open segment, and that of the tags of its games.
    pub(crate) fn write(
        self,
        tags: &[DerivedTag],
        container: &mut container::ContainerWriter<dyn Write + '_>,
        limits: &Limits,
    ) -> Result<(), Error> {
        container.section(OPENINGS, 0, &self.openings)?;
        if let Some(payload) = derived_tags(tags, &self.tree, limits) {
            container.section(DERIVED_TAGS, 0, &payload)?;
        }
        for (section_type, payload) in self.of_full {
            container.section(section_type, 0, &payload)?;
        }
        Ok(())
    }
}

/// Writes the indexes of the open segment from the main lines and tags of its games.
pub(crate) fn write_indexes(
    lines: &[Option<IndexLine>],
    tags: &[DerivedTag],
    which: Indexes,
    container: &mut container::ContainerWriter<dyn Write + '_>,
    limits: &Limits,
) -> Result<(), Error> {
    match LineIndexes::build(lines, which, limits) {
        Some(indexes) => indexes.write(tags, container, limits),
        None => Ok(()),
    }
}

/// The sections that only full indexes have.
fn full_sections(
    mut index: Index,
    tree: &OpeningTree,
    lines: &[Option<IndexLine>],
    limits: &Limits,
) -> Vec<(SectionType, Vec<u8>)> {
    let mut sections = Vec::new();
    let is_small = |payload: &Vec<u8>| is_small(payload, limits);
    let Some(of_tails) = Tails::build(tree, lines).filter(is_small) else {
        return sections;
    };
    let Ok(tails) = index.add_tails(&of_tails, limits) else {
        return sections;
    };
    let of_plies = FirstPlies::build(tree, tails, lines).filter(is_small);
    sections.push((TAILS, of_tails));
    let is_read = |payload: &Vec<u8>| index.add_plies(payload, limits).is_ok();
    sections.extend(of_plies.filter(is_read).map(|payload| (PLIES, payload)));
    let of_visits = Visits::build(tree, lines).filter(is_small);
    let is_read = |payload: &Vec<u8>| index.add_visits(payload, limits).is_ok();
    sections.extend(of_visits.filter(is_read).map(|payload| (VISITS, payload)));
    sections
}

fn is_small(payload: &[u8], limits: &Limits) -> bool {
    payload.len() as u64 + (1 << 10) < limits.index_bytes
}

/// Builds the tags with these names from the rows of all games.
pub(crate) fn tags_of(names: &[u32], rows: &[TagRow]) -> Vec<DerivedTag> {
    let columns = names.iter().enumerate();
    let column = |(at, name): (usize, &u32)| {
        let cells = rows.iter().map(|row| row.get(at)?.as_deref());
        DerivedTag::new(*name, cells)
    };
    columns.map(column).collect()
}

/// The section for some tags; `None` if there are no tags or readers would refuse the
/// section.
fn derived_tags(tags: &[DerivedTag], tree: &OpeningTree, limits: &Limits) -> Option<Vec<u8>> {
    let payload = (!tags.is_empty()).then(|| DerivedTags::build(tree, tags))?;
    let is_read = DerivedTags::parse(&payload, tree, limits).is_ok();
    (is_read && is_small(&payload, limits)).then_some(payload)
}
