//! Writing the indexes of a segment, after its blocks.

use crate::archive::error::Error;
use crate::archive::read::derived_tags::TagRow;
use crate::archive::read::indexes::Indexes;
use crate::container::{self, SectionType};
use crate::index::{
    CONTINUATIONS, DERIVED_TAGS, DerivedTag, DerivedTags, Index, IndexBuilder, IndexMoves,
    IndexOrder, IndexSections, OPENINGS, STRUCTURES, VISITS, Visits, section_head,
};
use crate::limits::Limits;
use std::io::Write;

/// The indexes of the moves of a segment.
pub(crate) struct LineIndexes {
    order: IndexOrder,
    openings: Vec<u8>,
    /// The sections that only full indexes have.
    of_full: Vec<(SectionType, Vec<u8>)>,
}

impl LineIndexes {
    /// Builds the indexes of games with these moves. Sections that readers would refuse
    /// because of their size are left out; `None` if nothing is left.
    pub(crate) fn build(
        moves: &[IndexMoves],
        which: Indexes,
        limits: &Limits,
    ) -> Option<LineIndexes> {
        if which == Indexes::None || moves.is_empty() {
            return None;
        }
        let builder = IndexBuilder::new(moves)?;
        let openings = builder.sections().openings.clone();
        if !is_small(&openings, limits) {
            return None;
        }
        let games = u32::try_from(moves.len()).unwrap_or(u32::MAX);
        let index = Index::parse(section_head(&openings), games, limits).ok()?;
        let of_full = match which {
            Indexes::Full => full_sections(index, &builder, limits),
            _ => Vec::new(),
        };
        Some(LineIndexes {
            order: builder.order().clone(),
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
        if let Some(payload) = derived_tags(tags, &self.order, limits) {
            container.section(DERIVED_TAGS, 0, &payload)?;
        }
        for (section_type, payload) in self.of_full {
            container.section(section_type, 0, &payload)?;
        }
        Ok(())
    }
}

/// Writes the indexes of the open segment from the moves and tags of its games.
pub(crate) fn write_indexes(
    moves: &[IndexMoves],
    tags: &[DerivedTag],
    which: Indexes,
    container: &mut container::ContainerWriter<dyn Write + '_>,
    limits: &Limits,
) -> Result<(), Error> {
    match LineIndexes::build(moves, which, limits) {
        Some(indexes) => indexes.write(tags, container, limits),
        None => Ok(()),
    }
}

/// The sections that only full indexes have, as far as readers do not refuse them.
fn full_sections(
    mut index: Index,
    builder: &IndexBuilder<'_>,
    limits: &Limits,
) -> Vec<(SectionType, Vec<u8>)> {
    let mut sections = Vec::new();
    let Some(full) = builder.full_sections(limits) else {
        return sections;
    };
    let IndexSections {
        continuations,
        structures,
        visits,
        ..
    } = full;
    if !is_small(&continuations, limits)
        || index
            .add_continuations(section_head(&continuations))
            .is_err()
    {
        return sections;
    }
    sections.push((CONTINUATIONS, continuations));
    if is_small(&structures, limits) && index.add_structures(section_head(&structures)).is_ok() {
        sections.push((STRUCTURES, structures));
    }
    if is_small(&visits, limits)
        && Visits::parse(&visits, builder.order().tree_games.len(), limits).is_ok()
    {
        sections.push((VISITS, visits));
    }
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
fn derived_tags(tags: &[DerivedTag], order: &IndexOrder, limits: &Limits) -> Option<Vec<u8>> {
    let payload = (!tags.is_empty()).then(|| DerivedTags::build(order, tags))?;
    let is_read = DerivedTags::parse(&payload, order, limits).is_ok();
    (is_read && is_small(&payload, limits)).then_some(payload)
}
