//! The fields of a segment: the plans of its columns, with their tables.

use crate::archive::error::ContentError;
use crate::archive::schema::columns::predicted_columns;
use crate::archive::schema::registry::{
    ColumnId, DISTRIBUTIONS, MAP, OPENINGS, PLANS, RANKS, ROSTER, tag_column, tag_name,
};
use crate::archive::tables::large::SmallDictionaries;
use crate::archive::tables::plans::table_key;
use crate::columns::{Field, FieldTables, TextShape, read_plans};
use crate::container::Tables;
use crate::limits::Limits;
use std::collections::{BTreeMap, BTreeSet};

/// For each column with a plan, its field and its side of the field, by ascending column
/// number.
pub(super) type ColumnFields = Vec<(ColumnId, (usize, usize))>;

/// The fields of a segment, with all their tables.
pub(super) fn read_fields(
    tables: &Tables,
    dictionaries: &SmallDictionaries,
    limits: &mut Limits,
) -> Result<Vec<Field>, ContentError> {
    let mut fields = read_plans(tables.get(PLANS, 0).unwrap_or_default())?;
    for field in &mut fields {
        let key = table_key(field);
        let of = |kind| tables.get(kind, key).unwrap_or_default();
        let of_field = FieldTables {
            distributions: of(DISTRIBUTIONS),
            ranks: of(RANKS),
            map: of(MAP),
            openings: of(OPENINGS),
        };
        let entries = dictionaries.strings(ColumnId(key));
        field.read(of_field, entries, limits)?;
    }
    Ok(fields)
}

/// For each field, all fields that it depends on, directly or not, in ascending order.
pub(super) fn dependencies_of(fields: &[Field]) -> Vec<Vec<usize>> {
    let mut needs: Vec<Vec<usize>> = Vec::with_capacity(fields.len());
    for field in fields {
        let mut all: BTreeSet<usize> = field.plan.fields().collect();
        for other in field.plan.fields() {
            all.extend(needs.get(other).into_iter().flatten());
        }
        needs.push(all.into_iter().collect());
    }
    needs
}

/// Maps columns to fields. It fails if a column is in two fields. A field of tag values
/// must come after that of the rosters, because the rosters give the tag pairs of a
/// record.
pub(super) fn map_columns(fields: &[Field]) -> Result<ColumnFields, ContentError> {
    let mut places = BTreeMap::new();
    for (number, field) in fields.iter().enumerate() {
        let of_tags = field
            .columns
            .iter()
            .filter(|column| tag_name(ColumnId(**column)).is_some());
        let of_tags = of_tags.count();
        let is_of_records = |column: &u64| predicted_columns().any(|known| known.id.0 == *column);
        let is_of_integers = || {
            let is_plain = field.plan.shape == TextShape::INTEGERS && !field.plan.has_book;
            field.sides() == 1 && is_plain && field.columns.iter().all(is_of_records)
        };
        if of_tags != field.sides() && !is_of_integers() {
            return Err(ContentError::Invalid(
                "a plan of columns that can have none",
            ));
        }
        for (side, column) in field.columns.iter().enumerate() {
            if places.insert(ColumnId(*column), (number, side)).is_some() {
                return Err(ContentError::Invalid("a column with two plans"));
            }
        }
    }
    let roster = places.get(&ROSTER).map(|(field, _)| *field);
    let is_early = |(column, (field, _)): (&ColumnId, &(usize, usize))| {
        tag_name(*column).is_some() && roster.is_some_and(|roster| *field <= roster)
    };
    if places.iter().any(is_early) {
        return Err(ContentError::Invalid(
            "a plan of tag values before that of rosters",
        ));
    }
    Ok(places.into_iter().collect())
}

/// Refuses a field of columns of the tags of a block that refers to one of the movetext, with which
/// the tags could not be read without it.
pub(super) fn check_parts(fields: &[Field]) -> Result<(), ContentError> {
    let is_of_tags = |field: &Field| field.columns.iter().all(|id| ColumnId(*id).is_of_tags());
    let refers_to_movetext = |field: &Field| {
        let mut others = field.plan.fields().filter_map(|other| fields.get(other));
        is_of_tags(field) && !others.all(is_of_tags)
    };
    match fields.iter().any(refers_to_movetext) {
        true => Err(ContentError::Invalid(
            "a plan of tags that refers to the movetext",
        )),
        false => Ok(()),
    }
}

/// Refuses plans for tag names that occur twice in a roster: a field has one value per
/// record.
pub(super) fn check_rosters(
    rosters: &[Vec<u32>],
    places: &ColumnFields,
) -> Result<(), ContentError> {
    let has_plan = |name: &u32| {
        let column = tag_column(*name);
        places.binary_search_by_key(&column, |(id, _)| *id).is_ok()
    };
    for roster in rosters {
        let mut planned: Vec<u32> = roster.iter().copied().filter(has_plan).collect();
        let count = planned.len();
        planned.sort_unstable();
        planned.dedup();
        if planned.len() < count {
            return Err(ContentError::Invalid(
                "a plan of a tag that occurs twice in a roster",
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::schema::registry::{LAYOUT, MOVE_BYTES, RESULT, TAIL};
    use crate::bits::put_varint;
    use crate::columns::{FieldPlan, ValuePredictor};

    /// Maps the columns of these fields.
    fn places_of(fields: &[(&[ColumnId], TextShape)]) -> Result<ColumnFields, ContentError> {
        let mut bytes = Vec::new();
        for (columns, shape) in fields {
            put_varint(&mut bytes, columns.len() as u64);
            columns.iter().for_each(|id| put_varint(&mut bytes, id.0));
            FieldPlan::with_shape(shape.clone()).write(&mut bytes);
        }
        map_columns(&read_plans(&bytes)?)
    }

    #[test]
    fn invalid_plans_are_refused() {
        let [white, black] = [0, 1].map(tag_column);
        let text = || TextShape::Text;
        let whole = [(ROSTER, 0, 0), (white, 1, 0), (black, 1, 1)];
        let mut whole = whole.map(|(id, field, side)| (id, (field, side)));
        whole.sort_unstable();
        let fields = [
            (&[ROSTER][..], TextShape::INTEGERS),
            (&[white, black], text()),
        ];
        assert_eq!(places_of(&fields), Ok(whole.to_vec()));
        let why = |fields: &[(&[ColumnId], TextShape)]| places_of(fields).unwrap_err().to_string();
        let none = "a plan of columns that can have none";
        assert!(why(&[(&[ROSTER], text())]).contains(none));
        assert!(why(&[(&[white, ROSTER], text())]).contains(none));
        assert!(why(&[(&[TAIL], TextShape::INTEGERS)]).contains(none));
        let twice = "a column with two plans";
        assert!(why(&[(&[white], text()), (&[black, white], text())]).contains(twice));
        assert!(why(&[(&[white, white], text())]).contains(twice));
        let late = "a plan of tag values before that of rosters";
        assert!(why(&[(&[white], text()), (&[ROSTER], TextShape::INTEGERS)]).contains(late));
    }

    #[test]
    fn tags_refer_only_to_tags() {
        let field = |column: ColumnId, other: Option<usize>| Field {
            columns: vec![column.0],
            plan: FieldPlan {
                predictors: other.map(ValuePredictor::Last).into_iter().collect(),
                ..FieldPlan::with_shape(TextShape::Text)
            },
            ..Field::default()
        };
        let tag = tag_column(0);
        let check = |first, second| check_parts(&[field(first, None), field(second, Some(0))]);
        assert_eq!(check(RESULT, tag), Ok(()));
        assert_eq!(check(tag, LAYOUT), Ok(()));
        assert_eq!(check(LAYOUT, MOVE_BYTES), Ok(()));
        assert!(check(LAYOUT, tag).is_err());
        assert!(check(MOVE_BYTES, RESULT).is_err());
    }

    #[test]
    fn a_repeated_tag_has_no_plan() {
        let places = places_of(&[(&[tag_column(3)], TextShape::Text)]).unwrap();
        assert_eq!(check_rosters(&[vec![1, 3, 2], vec![1, 1]], &places), Ok(()));
        let refused = Err(ContentError::Invalid(
            "a plan of a tag that occurs twice in a roster",
        ));
        assert_eq!(check_rosters(&[vec![1], vec![3, 1, 3]], &places), refused);
    }
}
