//! The tables of a segment, which are needed to read its blocks.

pub(crate) mod adaptations;
pub(crate) mod dictionaries;
pub(crate) mod models;
pub(crate) mod notation;
pub(crate) mod openings;
pub(crate) mod plans;
pub(crate) mod preset_text;

use crate::annotation::Notation;
use crate::archive::error::ContentError;
use crate::archive::schema::record_columns::RECORD_COLUMNS;
use crate::archive::schema::registry::{
    ColumnId, DICTIONARY, DISTRIBUTIONS, LAYOUTS, MAP, MODELS, OPENINGS, PLANS, RANKS, ROSTER,
    ROSTERS, TAG_NAMES, tag_column, tag_name,
};
use crate::archive::tables::adaptations::read_adaptations;
use crate::archive::tables::models::{ModelId, read_models};
use crate::archive::tables::notation::read_notation;
use crate::archive::tables::preset_text::SegmentPresetText;
use crate::bits::{ByteReader, put_bytes, put_varint};
use crate::codec::context_mixing::PrimedModel;
use crate::codec::dictionary::Dictionary;
use crate::codec::error::CodecError;
use crate::codec::pack;
use crate::container::Tables;
use crate::limits::Limits;
use crate::model::{Adaptations, BuiltinModel};
use crate::pgn::{FEN_TAG, Layout, MAX_TAG_NAME_BYTES, MAX_TAGS};
use crate::tags::{Field, FieldCells, FieldTables, FieldValue, TextShape, read_plans};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// The maximum number of tag names of a segment.
pub const MAX_NAMES: usize = 1 << 16;
/// The maximum number of rosters of a segment.
pub const MAX_ROSTERS: usize = 1 << 16;

/// The parsed tables of a segment, shared by its blocks.
#[derive(Debug)]
pub(crate) struct SegmentTables {
    /// The limits for reading the tables and the blocks.
    limits: Limits,
    names: Vec<Vec<u8>>,
    /// Each roster is a list of numbers of tag names.
    rosters: Vec<Vec<u32>>,
    layouts: Vec<Layout>,
    dictionaries: BTreeMap<ColumnId, Dictionary>,
    fields: Vec<Field>,
    /// For each column with a plan, its field and its side of the field.
    places: ColumnFields,
    /// For each field, the fields that must be read before it, in ascending order.
    dependencies: Vec<Vec<usize>>,
    models: Vec<BuiltinModel>,
    adaptations: Adaptations,
    notation: Notation,
    preset_text: SegmentPresetText,
}

impl SegmentTables {
    pub(crate) fn parse(tables: &Tables, limits: &Limits) -> Result<Self, ContentError> {
        // An unsupported model is reported in preference to any other error.
        let models = named_models(tables)?;
        let models = models
            .iter()
            .map(ModelId::builtin)
            .collect::<Result<Vec<_>, _>>()?;
        let given = limits;
        // The limit applies to all tables together.
        let mut limits = given.clone();
        let names = read_names(&unpacked(tables, TAG_NAMES, &mut limits)?)?;
        let rosters = read_rosters(&unpacked(tables, ROSTERS, &mut limits)?, names.len())?;
        let layouts = read_layouts(&unpacked(tables, LAYOUTS, &mut limits)?)?;
        let mut dictionaries = BTreeMap::new();
        for table in tables.iter().filter(|table| table.kind == DICTIONARY) {
            let dictionary = Dictionary::parse(table.bytes, &limits)?;
            limits.tables_bytes -= dictionary.max_memory_bytes().min(limits.tables_bytes);
            dictionaries.insert(ColumnId(table.key), dictionary);
        }
        let fields = read_fields(tables, &dictionaries, &mut limits)?;
        let places = map_columns(&fields)?;
        check_rosters(&rosters, &places)?;
        Ok(SegmentTables {
            limits: given.clone(),
            places,
            dependencies: dependencies_of(&fields),
            fields,
            adaptations: read_adaptations(tables, &models, &limits)?,
            notation: read_notation(tables, &limits)?,
            preset_text: SegmentPresetText::of(tables, &limits),
            names,
            rosters,
            layouts,
            dictionaries,
            models,
        })
    }

    /// The limits for reading the blocks of the segment.
    pub(crate) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The fields of the columns that have plans.
    pub(crate) fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// The fields that must be read before a field, in ascending order.
    pub(crate) fn dependencies(&self, field: usize) -> &[usize] {
        self.dependencies.get(field).map_or(&[], Vec::as_slice)
    }

    /// The field of a column that has a plan, and its side of the field.
    pub(crate) fn field_of(&self, column: ColumnId) -> Option<(usize, usize)> {
        let at = self.places.binary_search_by_key(&column, |(id, _)| *id);
        self.places.get(at.ok()?).map(|(_, place)| *place)
    }

    /// The text of a cell of a field.
    pub(crate) fn text<'t>(
        &'t self,
        field: usize,
        cell: FieldValue,
        sides: &'t FieldCells,
    ) -> Result<Cow<'t, [u8]>, ContentError> {
        let missing = ContentError::Invalid("a value is missing");
        let field = self.fields.get(field).ok_or(missing.clone())?;
        match cell {
            FieldValue::Absent | FieldValue::Opening => Err(missing),
            FieldValue::Literal(number) => sides.literal(number).map(Cow::Borrowed).ok_or(missing),
            FieldValue::Id(id) => {
                let column = field.columns.first().map(|column| ColumnId(*column));
                let dictionary = column.and_then(|column| self.dictionaries.get(&column));
                Ok(Cow::Borrowed(dictionary.ok_or(missing)?.get(id)?))
            }
            FieldValue::Number(number) => {
                let mut text = Vec::new();
                let printed = field.plan.shape.print(number, &mut text);
                printed.ok_or(ContentError::Invalid("a number of no text"))?;
                Ok(Cow::Owned(text))
            }
        }
    }

    /// Whether the segment names a model.
    pub(crate) fn names_model(&self, model: BuiltinModel) -> bool {
        self.models.contains(&model)
    }

    /// The adaptations of the models to the segment.
    pub(crate) fn adaptations(&self) -> &Adaptations {
        &self.adaptations
    }

    /// The tables from which marks are decoded.
    pub(crate) fn notation(&self) -> &Notation {
        &self.notation
    }

    /// The preset text for the prose model, if the segment has one.
    pub(crate) fn preset_text(&self) -> Result<Option<&PrimedModel>, CodecError> {
        self.preset_text.get()
    }

    /// Checks all dictionaries and the preset text by reading them completely.
    pub(crate) fn check(&self) -> Result<(), ContentError> {
        let mut dictionaries = self.dictionaries.values();
        dictionaries.try_for_each(Dictionary::check)?;
        self.preset_text()?;
        Ok(())
    }

    /// The tag names of a roster, by number.
    pub(crate) fn roster(&self, number: u64) -> Option<&[u32]> {
        let index = usize::try_from(number).ok()?;
        Some(self.rosters.get(index)?)
    }

    pub(crate) fn name(&self, number: u32) -> Option<&[u8]> {
        let index = usize::try_from(number).ok()?;
        Some(self.names.get(index)?)
    }

    /// The number of a tag name.
    pub(crate) fn number_of_name(&self, name: &[u8]) -> Option<u32> {
        let at = self.names.iter().position(|other| other == name)?;
        u32::try_from(at).ok()
    }

    /// The number of a tag name, ignoring case.
    pub(crate) fn number_in_any_case(&self, name: &[u8]) -> Option<u32> {
        let mut names = self.names.iter();
        let at = names.position(|other| other.eq_ignore_ascii_case(name))?;
        u32::try_from(at).ok()
    }

    /// Whether values of a tag may be predicted from the opening.
    pub(crate) fn may_use_opening(&self, name: u32) -> bool {
        let place = self.field_of(tag_column(name));
        let field = place.and_then(|(field, _)| self.fields.get(field));
        field.is_some_and(|field| field.plan.has_book)
    }

    /// The tag names whose values may be predicted from the opening, in ascending order.
    pub(crate) fn opening_tag_names(&self) -> Vec<u32> {
        let fields = self.fields.iter().filter(|field| field.plan.has_book);
        let columns = fields.flat_map(|field| &field.columns);
        let names = columns.filter_map(|column| tag_name(ColumnId(*column)));
        let names: BTreeSet<u32> = names.collect();
        names.into_iter().collect()
    }

    /// The index of the first FEN tag in a roster, and the column of its values.
    pub(crate) fn first_fen(&self, roster: &[u32]) -> Option<(usize, ColumnId)> {
        let mut names = roster.iter().enumerate();
        let (at, name) = names.find(|(_, name)| self.name(**name) == Some(FEN_TAG))?;
        Some((at, tag_column(*name)))
    }

    pub(crate) fn layout(&self, number: u64) -> Option<&Layout> {
        self.layouts.get(usize::try_from(number).ok()?)
    }

    pub(crate) fn layouts(&self) -> &[Layout] {
        &self.layouts
    }

    pub(crate) fn dictionary(&self, column: ColumnId) -> Option<&Dictionary> {
        self.dictionaries.get(&column)
    }
}

/// For each column with a plan, its field and its side of the field, by ascending column
/// number.
type ColumnFields = Vec<(ColumnId, (usize, usize))>;

/// The fields of a segment, with all their tables.
fn read_fields(
    tables: &Tables,
    dictionaries: &BTreeMap<ColumnId, Dictionary>,
    limits: &mut Limits,
) -> Result<Vec<Field>, ContentError> {
    let mut fields = read_plans(tables.get(PLANS, 0).unwrap_or_default())?;
    for field in &mut fields {
        let key = field.columns.first().copied().unwrap_or(0);
        let of = |kind| tables.get(kind, key).unwrap_or_default();
        let of_field = FieldTables {
            forecast: of(DISTRIBUTIONS),
            ranks: of(RANKS),
            map: of(MAP),
            openings: of(OPENINGS),
        };
        let entries = dictionaries.get(&ColumnId(key)).map_or(0, Dictionary::len);
        field.read(of_field, entries, limits)?;
    }
    Ok(fields)
}

/// For each field, all fields that it depends on, directly or not, in ascending order.
fn dependencies_of(fields: &[Field]) -> Vec<Vec<usize>> {
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
fn map_columns(fields: &[Field]) -> Result<ColumnFields, ContentError> {
    let mut places = BTreeMap::new();
    for (number, field) in fields.iter().enumerate() {
        let of_tags = field
            .columns
            .iter()
            .filter(|column| tag_name(ColumnId(**column)).is_some());
        let of_tags = of_tags.count();
        let is_of_records = |column: &u64| RECORD_COLUMNS.iter().any(|(id, _)| id.0 == *column);
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

/// Refuses plans for tag names that occur twice in a roster: a field has one value per
/// record.
fn check_rosters(rosters: &[Vec<u32>], places: &ColumnFields) -> Result<(), ContentError> {
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

/// The models that the tables of a segment list.
pub(crate) fn named_models(tables: &Tables) -> Result<Vec<ModelId>, ContentError> {
    read_models(tables.get(MODELS, 0).unwrap_or_default())
}

fn unpacked(
    tables: &Tables,
    kind: crate::container::TableKind,
    limits: &mut Limits,
) -> Result<Vec<u8>, ContentError> {
    let table = tables
        .get(kind, 0)
        .ok_or(ContentError::Invalid("a table is missing"))?;
    let bytes = pack::decompress(table, limits.tables_bytes, limits)?;
    limits.tables_bytes -= (bytes.len() as u64).min(limits.tables_bytes);
    Ok(bytes)
}

pub(crate) fn write_names(names: &[&[u8]]) -> Vec<u8> {
    let mut out = Vec::new();
    names.iter().for_each(|name| put_bytes(&mut out, name));
    pack::compress(&out, pack::LEVEL)
}

fn read_names(bytes: &[u8]) -> Result<Vec<Vec<u8>>, ContentError> {
    let mut input = ByteReader::new(bytes);
    let mut names = Vec::new();
    while !input.is_empty() {
        let name = input.bytes()?.to_vec();
        let is_name = (1..=MAX_TAG_NAME_BYTES).contains(&name.len());
        if !is_name || names.len() >= MAX_NAMES {
            return Err(ContentError::Invalid("an impossible tag name, or too many"));
        }
        names.push(name);
    }
    Ok(names)
}

pub(crate) fn write_rosters(rosters: &[Vec<u32>]) -> Vec<u8> {
    let mut out = Vec::new();
    for roster in rosters {
        put_varint(&mut out, roster.len() as u64);
        roster
            .iter()
            .for_each(|name| put_varint(&mut out, u64::from(*name)));
    }
    pack::compress(&out, pack::LEVEL)
}

fn read_rosters(bytes: &[u8], names: usize) -> Result<Vec<Vec<u32>>, ContentError> {
    let mut input = ByteReader::new(bytes);
    let mut rosters = Vec::new();
    while !input.is_empty() {
        let mut roster = Vec::new();
        let count = input.length()?;
        if count > MAX_TAGS || rosters.len() >= MAX_ROSTERS {
            return Err(ContentError::Invalid("too long a roster, or too many"));
        }
        for _ in 0..count {
            let name = input.length()?;
            let known = u32::try_from(name).ok().filter(|_| name < names);
            roster.push(known.ok_or(ContentError::Invalid("a roster names no tag"))?);
        }
        rosters.push(roster);
    }
    Ok(rosters)
}

pub(crate) fn write_layouts(layouts: &[Layout]) -> Vec<u8> {
    let mut out = Vec::new();
    layouts.iter().for_each(|layout| layout.write(&mut out));
    pack::compress(&out, pack::LEVEL)
}

fn read_layouts(bytes: &[u8]) -> Result<Vec<Layout>, ContentError> {
    let mut input = ByteReader::new(bytes);
    let mut layouts = Vec::new();
    while !input.is_empty() {
        let layout = Layout::read(&mut input)?;
        layouts.push(layout.ok_or(ContentError::Invalid("malformed layout"))?);
        if layouts.len() > crate::pgn::MAX_LAYOUTS {
            return Err(ContentError::Invalid("too many layouts"));
        }
    }
    Ok(layouts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::schema::registry::TAIL;
    use crate::tags::FieldPlan;

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
    fn a_repeated_tag_has_no_plan() {
        let places = places_of(&[(&[tag_column(3)], TextShape::Text)]).unwrap();
        assert_eq!(check_rosters(&[vec![1, 3, 2], vec![1, 1]], &places), Ok(()));
        let refused = Err(ContentError::Invalid(
            "a plan of a tag that occurs twice in a roster",
        ));
        assert_eq!(check_rosters(&[vec![1], vec![3, 1, 3]], &places), refused);
    }
}
