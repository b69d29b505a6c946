//! The tables of plans, and the tag names whose columns get plans. `fields` reads the
//! tables.

use crate::archive::schema::registry::{DISTRIBUTIONS, MAP, OPENINGS, PLANS, RANKS};
use crate::archive::tables::rosters::NameTables;
use crate::columns::{Field, LearnedTables, write_plans};
use crate::container::{ContainerError, Tables};
use crate::pgn::FEN_TAG;
use std::collections::BTreeSet;

/// Tag names with this number or a higher one have no plan, which bounds the time
/// for learning on any input.
const MAX_PLANNED_NAMES: u32 = 128;

/// The tag names whose columns get plans, with their numbers. A name has no plan if a
/// record may have the tag twice. FEN tags get no plan, because their text may be
/// replaced by a start position.
pub(crate) fn planned_names<'n>(
    names: NameTables<'n>,
) -> impl Iterator<Item = (u32, &'n [u8])> + Clone {
    let twice = repeated_names(names.rosters);
    let numbered = (0..MAX_PLANNED_NAMES).zip(names.names);
    numbered
        .map(|(number, name)| (number, name.as_slice()))
        .filter(move |(number, name)| *name != FEN_TAG && !twice.contains(number))
}

/// The tag names that a roster has twice.
fn repeated_names(rosters: &[Vec<u32>]) -> BTreeSet<u32> {
    let mut twice = BTreeSet::new();
    for roster in rosters {
        let mut once = BTreeSet::new();
        twice.extend(roster.iter().filter(|name| !once.insert(**name)));
    }
    twice
}

/// Writes the tables of the fields, except for dictionaries.
pub(crate) fn write_plan_tables(
    fields: &[Field],
    learned: &[LearnedTables<'_>],
    tables: &mut Tables,
) -> Result<(), ContainerError> {
    if fields.is_empty() {
        return Ok(());
    }
    tables.push(PLANS, 0, &write_plans(fields))?;
    let mut sorted: Vec<_> = fields.iter().zip(learned).collect();
    sorted.sort_by_key(|(field, _)| table_key(field));
    for kind in [DISTRIBUTIONS, RANKS, MAP, OPENINGS] {
        for (field, learned) in &sorted {
            let bytes = match kind {
                DISTRIBUTIONS => &learned.distributions,
                RANKS => &learned.ranks,
                MAP => &field.write_map(),
                _ => &field.write_openings(),
            };
            if !bytes.is_empty() {
                tables.push(kind, table_key(field), bytes)?;
            }
        }
    }
    Ok(())
}

/// The key of a field's tables.
pub(crate) fn table_key(field: &Field) -> u64 {
    field.columns.first().copied().unwrap_or(0)
}
