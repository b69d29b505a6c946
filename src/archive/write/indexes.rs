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

/// Writes the indexes of the open segment from the main lines and tags of its games.
pub(crate) fn write_indexes(
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
    let of_tags = derived_tags(tags, &tree, limits).filter(is_small);
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
    let of_visits = Visits::build(&tree, lines).filter(is_small);
    let is_read = |payload: &Vec<u8>| index.add_visits(payload, limits).is_ok();
    sections.extend(of_visits.filter(is_read).map(|payload| (VISITS, payload)));
    sections
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
    is_read.then_some(payload)
}
