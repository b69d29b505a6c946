//! The contents of a segment's tables that are fitted before its records are encoded,
//! and the tables made from them.

use crate::annotation::NotationBytes;
use crate::archive::options::PackOptions;
use crate::archive::schema::registry::{
    ColumnId, DICTIONARY, LARGE_DICTIONARY, LAYOUTS, ROSTERS, TAG_NAMES,
};
use crate::archive::tables::adaptations::{fit_adaptation, write_adaptation, write_model};
use crate::archive::tables::dictionaries::Dictionaries;
use crate::archive::tables::layouts::write_layouts;
use crate::archive::tables::names::write_names;
use crate::archive::tables::notation::{write_lines_distributions, write_notation};
use crate::archive::tables::preset_text::write_preset_text;
use crate::archive::tables::rosters::write_rosters;
use crate::archive::write::notation::fit_notation;
use crate::archive::write::planned_columns::Plans;
use crate::archive::write::source_reader::SegmentText;
use crate::archive::write::survey::{Survey, survey};
use crate::codec::dictionary::{Dictionary, announce};
use crate::container::registry::SOURCE_PARTS;
use crate::container::{ContainerError, SourcePart, Tables};
use crate::limits::Limits;
use crate::model::SegmentModel;
use crate::moves::Codec;
use std::collections::BTreeMap;

/// Dictionaries of at least this size, in bytes, are large: moves are decoded without them.
const LARGE_DICTIONARY_BYTES: usize = 4 << 10;

/// The fitted contents of a segment's tables.
pub(crate) struct SegmentFit<'s> {
    parts: &'s [SourcePart],
    pub(crate) survey: Survey,
    /// The model that the segment may need.
    model: SegmentModel,
    notation: NotationBytes,
}

impl<'s> SegmentFit<'s> {
    /// Surveys a segment, and fits model and notation to its games. `on_step` is called now and
    /// then.
    pub(crate) fn new(
        segment: &'s SegmentText,
        options: &PackOptions,
        on_step: &mut dyn FnMut(),
    ) -> Self {
        let (survey, games) = survey(segment, &options.codecs, on_step);
        let has_model = survey.has_chess && options.codecs.contains(&Codec::Model);
        on_step();
        let model = match has_model {
            true => fit_adaptation(&games.fit_games, &options.model),
            false => SegmentModel::default(),
        };
        drop(games.fit_games);
        on_step();
        let notation = fit_notation(segment, &games.lexed, has_model);
        SegmentFit {
            parts: &segment.parts,
            survey,
            model,
            notation,
        }
    }

    /// The tables of the segment with these dictionaries and plans.
    pub(crate) fn tables(
        &self,
        dictionaries: &Dictionaries,
        plans: &Plans<'_>,
    ) -> Result<Tables, ContainerError> {
        let names = self.survey.names();
        let mut tables = Tables::default();
        tables.push(SOURCE_PARTS, 0, &SourcePart::encode_all(self.parts))?;
        write_model(&self.model, &mut tables)?;
        tables.push(TAG_NAMES, 0, &write_names(names.names))?;
        tables.push(ROSTERS, 0, &write_rosters(names.rosters))?;
        tables.push(LAYOUTS, 0, &write_layouts(&self.survey.learned.layouts))?;
        let large = write_dictionaries(dictionaries, plans, &mut tables)?;
        write_adaptation(&self.model, &mut tables)?;
        write_notation(&self.notation, &mut tables)?;
        plans.write_tables(&mut tables)?;
        write_lines_distributions(&self.notation, &mut tables)?;
        write_preset_text(&dictionaries.preset_text, &mut tables)?;
        for (column, dictionary) in large {
            tables.push(LARGE_DICTIONARY, column.0, dictionary)?;
        }
        Ok(tables)
    }
}

/// Writes the dictionaries of all columns, in the order of the columns. Large ones are announced and
/// returned.
fn write_dictionaries<'d>(
    dictionaries: &'d Dictionaries,
    plans: &'d Plans<'_>,
    tables: &mut Tables,
) -> Result<Vec<(ColumnId, &'d [u8])>, ContainerError> {
    let unplanned = dictionaries.iter();
    let unplanned = unplanned.filter(|(column, _)| !plans.has(*column));
    let by_column: BTreeMap<ColumnId, &[u8]> = unplanned.chain(plans.dictionaries()).collect();
    let mut large = Vec::new();
    for (column, dictionary) in by_column {
        match large_strings(dictionary) {
            Some(strings) => {
                tables.push(DICTIONARY, column.0, &announce(strings))?;
                large.push((column, dictionary));
            }
            None => tables.push(DICTIONARY, column.0, dictionary)?,
        }
    }
    Ok(large)
}

/// The number of strings of a dictionary that is stored as a large one.
fn large_strings(dictionary: &[u8]) -> Option<usize> {
    if dictionary.len() < LARGE_DICTIONARY_BYTES {
        return None;
    }
    let parsed = Dictionary::parse(dictionary, &Limits::default());
    Some(parsed.ok()?.len())
}
