//! The candidates of the search for a plan.

use super::super::block_cells::FieldCells;
use super::super::cell::FieldValue;
use super::super::field::Field;
use super::super::plan::{
    CodingContext, ColumnSource, FieldSide, MAX_PREDICTORS, NumberBase, ValuePredictor,
};

/// A predictor to try, with its map if it is a map.
pub(super) type TriedPredictor = (ValuePredictor, Vec<(u64, FieldValue)>);

/// The number of predictors of each kind that are tried: those that are right
/// most often.
const MAX_CANDIDATES: usize = 6;

/// The sources in the field with number `field`, of `sides` columns, that may
/// predict a field of `own` columns.
pub(super) fn sources(field: usize, sides: usize, own: usize) -> Vec<ColumnSource> {
    let sides: &[FieldSide] = match (sides, own) {
        (2, 2) => &[FieldSide::Own],
        (2, _) => &[FieldSide::First, FieldSide::Second],
        _ => &[FieldSide::First],
    };
    sides
        .iter()
        .map(|side| ColumnSource { field, side: *side })
        .collect()
}

/// The sides and records of all cells.
pub(super) fn cell_places(values: &FieldCells) -> impl Iterator<Item = (usize, usize)> {
    (0..values.len()).flat_map(|record| [(0, record), (1, record)])
}

/// Those with the most hits, at most [`MAX_CANDIDATES`], without those that have none.
pub(super) fn with_most_hits<T: Copy + Ord>(
    mut by_hits: Vec<(usize, T)>,
) -> impl Iterator<Item = T> {
    by_hits.retain(|(hits, _)| *hits > 0);
    by_hits.sort_by_key(|(hits, _)| std::cmp::Reverse(*hits));
    by_hits.truncate(MAX_CANDIDATES);
    by_hits.into_iter().map(|(_, which)| which)
}

pub(super) fn add_predictor(field: &Field, tried: &[TriedPredictor]) -> Vec<Field> {
    if field.plan.predictors.len() >= MAX_PREDICTORS {
        return Vec::new();
    }
    let mut candidates = Vec::new();
    for (predictor, map) in tried {
        let is_map = matches!(predictor, ValuePredictor::Map(_));
        if field.plan.predictors.contains(predictor) || (is_map && field.plan.map().is_some()) {
            continue;
        }
        for place in 0..=field.plan.predictors.len() {
            let mut more = field.clone();
            more.plan.predictors.insert(place, *predictor);
            if is_map {
                more.map.clone_from(map);
            }
            candidates.push(more);
        }
    }
    candidates
}

pub(super) fn set_base(field: &Field, bases: &[NumberBase]) -> Vec<Field> {
    let of = |base: &NumberBase| {
        let mut more = field.clone();
        more.plan.base = Some(*base);
        more
    };
    bases.iter().map(of).collect()
}

pub(super) fn set_context(field: &Field, place: usize, contexts: &[CodingContext]) -> Vec<Field> {
    let of = |context: &CodingContext| {
        let mut more = field.clone();
        if let Some(slot) = more.plan.contexts.get_mut(place) {
            *slot = Some(*context);
        }
        more
    };
    contexts.iter().map(of).collect()
}
