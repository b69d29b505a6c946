//! The tables of a segment, which are needed to read its blocks.

pub(crate) mod adaptations;
pub(crate) mod dictionaries;
mod fields;
mod large;
pub(crate) mod layouts;
pub(crate) mod models;
pub(crate) mod names;
pub(crate) mod notation;
pub(crate) mod openings;
pub(crate) mod plans;
pub(crate) mod preset_text;
pub(crate) mod rosters;

use crate::annotation::Notation;
use crate::archive::error::ContentError;
use crate::archive::schema::registry::{
    ColumnId, LAYOUTS, ROSTERS, TAG_NAMES, tag_column, tag_name,
};
use crate::archive::tables::adaptations::read_adaptation;
use crate::archive::tables::fields::{
    ColumnFields, check_parts, check_rosters, dependencies_of, map_columns, read_fields,
};
pub(crate) use crate::archive::tables::large::TablesSource;
use crate::archive::tables::large::{LargeTables, SmallDictionaries};
use crate::archive::tables::layouts::read_layouts;
use crate::archive::tables::models::{ModelId, OwnModels, read_model};
use crate::archive::tables::names::read_names;
use crate::archive::tables::notation::read_notation;
use crate::archive::tables::rosters::read_rosters;
use crate::codec::context_mixing::PrimedModel;
use crate::codec::dictionary::Dictionary;
use crate::codec::error::CodecError;
use crate::codec::pack;
use crate::columns::{Field, FieldCells, FieldValue};
use crate::container::registry::MODEL;
use crate::container::{TableKind, Tables};
use crate::limits::Limits;
use crate::model::SegmentModel;
use crate::parallel;
use crate::pgn::{FEN_TAG, Layout};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The parsed tables of a segment, shared by its blocks.
#[derive(Debug)]
pub(crate) struct SegmentTables {
    /// The limits for reading the tables and the blocks.
    limits: Limits,
    names: Vec<Vec<u8>>,
    /// Each roster is a list of numbers of tag names.
    rosters: Vec<Vec<u32>>,
    layouts: Vec<Layout>,
    /// The dictionaries that are not large.
    dictionaries: BTreeMap<ColumnId, Dictionary>,
    fields: Vec<Field>,
    /// For each column with a plan, its field and its side of the field.
    places: ColumnFields,
    /// For each field, the fields that must be read before it, in ascending order.
    dependencies: Vec<Vec<usize>>,
    model: SegmentModel,
    notation: Arc<Notation>,
    large: LargeTables,
}

impl SegmentTables {
    /// Parses all tables of a segment.
    pub(crate) fn parse(
        tables: &Tables,
        own: OwnModels<'_>,
        limits: &Limits,
    ) -> Result<Self, ContentError> {
        let parsed = Self::parse_head(tables, own, limits)?;
        parsed.large.load_from(tables)?;
        Ok(parsed)
    }

    /// Parses the head of the tables of a segment. The large ones are read from `source` when they are
    /// first needed.
    pub(crate) fn open(
        head: &Tables,
        own: OwnModels<'_>,
        source: TablesSource,
        limits: &Limits,
    ) -> Result<Self, ContentError> {
        let mut parsed = Self::parse_head(head, own, limits)?;
        parsed.large.set_source(source);
        Ok(parsed)
    }

    fn parse_head(
        tables: &Tables,
        own: OwnModels<'_>,
        limits: &Limits,
    ) -> Result<Self, ContentError> {
        // A missing model is reported in preference to any other error.
        let model = named_model(tables)?.map(|id| id.find(own)).transpose()?;
        let given = limits;
        // The limit applies to all tables together.
        let mut limits = given.clone();
        let names = read_names(&unpacked(tables, TAG_NAMES, &mut limits)?)?;
        let rosters = read_rosters(&unpacked(tables, ROSTERS, &mut limits)?, names.len())?;
        let layouts = read_layouts(&unpacked(tables, LAYOUTS, &mut limits)?)?;
        // The adaptation is read beside the columns, which saves 1.6 of 10 ms of a `view`. The sum is
        // checked when both are read: until then it can exceed the limit by the book, which has at
        // most 2^16 nodes (26 MB).
        let left = limits.clone();
        let (model, of_columns) = parallel::join(
            || read_adaptation(tables, model, &left),
            || read_column_tables(tables, &mut limits),
        );
        let ((dictionaries, fields), model) = (of_columns?, model?);
        let left = limits.tables_bytes.checked_sub(model.memory_bytes());
        limits.tables_bytes = left.ok_or(CodecError::Limit("adaptation"))?;
        let places = map_columns(&fields)?;
        check_parts(&fields)?;
        check_rosters(&rosters, &places)?;
        Ok(SegmentTables {
            limits: given.clone(),
            places,
            dependencies: dependencies_of(&fields),
            fields,
            model,
            notation: read_notation(tables, &mut limits)?,
            large: LargeTables::new(dictionaries.announced, limits),
            names,
            rosters,
            layouts,
            dictionaries: dictionaries.parsed,
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
                let dictionary = self.dictionary(column.ok_or(missing.clone())?)?;
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

    /// The model of the segment, with its adaptation.
    pub(crate) fn model(&self) -> &SegmentModel {
        &self.model
    }

    /// The tables from which marks are decoded.
    pub(crate) fn notation(&self) -> &Notation {
        &self.notation
    }

    /// The preset text for the prose model, if the segment has one.
    pub(crate) fn preset_text(&self) -> Result<Option<&PrimedModel>, ContentError> {
        Ok(self.large.get()?.preset_text.get()?)
    }

    /// Checks all dictionaries and the preset text by reading them completely.
    pub(crate) fn check(&self) -> Result<(), ContentError> {
        let large = self.large.get()?.dictionaries.values();
        let mut dictionaries = self.dictionaries.values().chain(large);
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

    /// The tag names.
    #[cfg(any(feature = "answers", feature = "cli"))]
    pub(crate) fn names(&self) -> impl Iterator<Item = &[u8]> {
        self.names.iter().map(|name| &name[..])
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

    /// The dictionary of a column.
    ///
    /// # Errors
    /// It is a large one, which cannot be read.
    pub(crate) fn dictionary(&self, column: ColumnId) -> Result<Option<&Dictionary>, ContentError> {
        match self.large.has(column) {
            true => Ok(self.large.get()?.dictionaries.get(&column)),
            false => Ok(self.dictionaries.get(&column)),
        }
    }

    /// Whether a column has a dictionary.
    pub(crate) fn has_dictionary(&self, column: ColumnId) -> bool {
        self.has_large_dictionary(column) || self.dictionaries.contains_key(&column)
    }

    /// Whether a column has a large dictionary.
    pub(crate) fn has_large_dictionary(&self, column: ColumnId) -> bool {
        self.large.has(column)
    }

    /// Whether the large tables are loaded.
    pub(crate) fn has_loaded_large(&self) -> bool {
        self.large.is_loaded()
    }

    /// Loads the large tables.
    ///
    /// # Errors
    /// They cannot be read.
    pub(crate) fn load_large(&self) -> Result<(), ContentError> {
        self.large.get().map(drop)
    }
}

/// The model that the tables of a segment name.
pub(crate) fn named_model(tables: &Tables) -> Result<Option<ModelId>, ContentError> {
    read_model(tables.get(MODEL, 0))
}

/// Reads the dictionaries and the plans of columns, and subtracts their memory from the limit.
fn read_column_tables(
    tables: &Tables,
    limits: &mut Limits,
) -> Result<(SmallDictionaries, Vec<Field>), ContentError> {
    let dictionaries = SmallDictionaries::read(tables, limits)?;
    let fields = read_fields(tables, &dictionaries, limits)?;
    Ok((dictionaries, fields))
}

/// The bytes of a table, whose size is deducted from the limit.
fn unpacked(
    tables: &Tables,
    kind: TableKind,
    limits: &mut Limits,
) -> Result<Vec<u8>, ContentError> {
    let table = tables
        .get(kind, 0)
        .ok_or(ContentError::Invalid("a table is missing"))?;
    let bytes = pack::decompress(table, limits.tables_bytes, limits)?;
    limits.tables_bytes -= (bytes.len() as u64).min(limits.tables_bytes);
    Ok(bytes)
}
