//! Pass 1: every record of a segment is scanned once to determine the contents of
//! the tables. This pass works on lexemes and does not parse moves.

use crate::annotation::NotationBytes;
use crate::archive::schema::registry::ColumnId;
use crate::archive::tables::adaptations::write_adaptations;
use crate::archive::tables::dictionaries::Dictionaries;
use crate::archive::tables::layouts::write_layouts;
use crate::archive::tables::models::{ModelId, write_models};
use crate::archive::tables::names::{MAX_NAMES, write_names};
use crate::archive::tables::notation::{write_lines_distributions, write_notation};
use crate::archive::tables::plans::{NameTables, Plans};
use crate::archive::tables::preset_text::write_preset_text;
use crate::archive::tables::rosters::{MAX_ROSTERS, write_rosters};
use crate::chess::Variant;
use crate::container::registry::SOURCE_PARTS;
use crate::container::{ContainerError, SourcePart, Tables};
use crate::model::{Adaptations, BuiltinModel};
use crate::moves::Codec;
use crate::pgn::{
    LayoutLearner, Learned, Lexeme, LexemeKind, Record, Scanner, Start, start_of, tag_lexemes,
};
use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::archive::schema::registry::{DICTIONARY, LAYOUTS, MODELS, ROSTERS, TAG_NAMES};

/// The result of pass 1 for a segment.
#[derive(Debug, Default)]
pub(crate) struct Survey {
    pub(crate) learned: Learned,
    /// For each record, the number of its roster and the group of its layout.
    pub(crate) records: Vec<RecordSurvey>,
    names: Vec<Vec<u8>>,
    rosters: Vec<Vec<u32>>,
    /// Whether any record has moves of chess, which models can code.
    has_chess: bool,
}

/// The result of pass 1 for a record.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct RecordSurvey {
    /// The number of the roster; `None` if the segment has too many tag names or
    /// rosters.
    pub(crate) roster: Option<u32>,
    pub(crate) group: Option<u16>,
}

/// The number of the roster without tag pairs, which every segment has.
pub(crate) const EMPTY_ROSTER: u32 = 0;

/// Surveys all records of a segment.
pub(crate) fn survey(text: &[u8], records: &[Record]) -> Survey {
    let mut surveyor = Surveyor::default();
    surveyor.rosters.number(Vec::new(), MAX_ROSTERS);
    let mut lexemes = Vec::new();
    let mut surveyed = Vec::with_capacity(records.len());
    for record in records {
        let bytes = text.get(record.start..record.end).unwrap_or_default();
        if record.is_piece || !record.is_game {
            surveyed.push(RecordSurvey::default());
            continue;
        }
        lexemes.clear();
        lexemes.extend(Scanner::new(bytes));
        surveyed.push(surveyor.survey_record(bytes, &lexemes));
    }
    surveyor.finish(surveyed)
}

/// Whether a record has a move, and its rules are those of chess.
fn has_chess(record: &[u8], lexemes: &[Lexeme]) -> bool {
    let has_move = lexemes.iter().any(|lexeme| lexeme.kind == LexemeKind::Move);
    let is_chess = |(start, _): (Start, _)| start.rules.variant == Variant::Chess;
    has_move && start_of(record, lexemes).is_some_and(is_chess)
}

#[derive(Default)]
struct Surveyor<'a> {
    learner: LayoutLearner,
    names: Numbering<&'a [u8]>,
    rosters: Numbering<Vec<u32>>,
    has_chess: bool,
}

/// Numbers values in the order in which they are first seen.
struct Numbering<T> {
    numbers: HashMap<T, u32>,
    values: Vec<T>,
}

impl<T> Default for Numbering<T> {
    fn default() -> Self {
        Numbering {
            numbers: HashMap::new(),
            values: Vec::new(),
        }
    }
}

impl<T: Clone + Eq + std::hash::Hash> Numbering<T> {
    /// The number of a value; `None` for a new value if `most` values are numbered
    /// already.
    fn number(&mut self, value: T, most: usize) -> Option<u32> {
        if let Some(number) = self.numbers.get(&value) {
            return Some(*number);
        }
        let number = u32::try_from(self.values.len()).ok()?;
        if self.values.len() >= most {
            return None;
        }
        self.values.push(value.clone());
        self.numbers.insert(value, number);
        Some(number)
    }
}

impl<'a> Surveyor<'a> {
    fn survey_record(&mut self, record: &'a [u8], lexemes: &[Lexeme]) -> RecordSurvey {
        let group = self.learner.assign(record, lexemes);
        self.has_chess = self.has_chess || has_chess(record, lexemes);
        let roster = self.survey_tags(record, tag_lexemes(lexemes));
        let roster = roster.and_then(|roster| self.rosters.number(roster, MAX_ROSTERS));
        RecordSurvey { roster, group }
    }

    /// The numbers of the tag names, if all can be numbered.
    fn survey_tags(&mut self, record: &'a [u8], tags: &[Lexeme]) -> Option<Vec<u32>> {
        let mut names = tags.iter().filter(|tag| tag.kind == LexemeKind::TagName);
        names.try_fold(Vec::new(), |mut roster, name| {
            let name = record.get(name.start + 1..name.end).unwrap_or_default();
            roster.push(self.names.number(name, MAX_NAMES)?);
            Some(roster)
        })
    }

    fn finish(self, records: Vec<RecordSurvey>) -> Survey {
        Survey {
            learned: self.learner.finish(),
            records,
            names: self.names.values.iter().map(|name| name.to_vec()).collect(),
            rosters: self.rosters.values,
            has_chess: self.has_chess,
        }
    }
}

impl Survey {
    /// The tag names and rosters.
    pub(crate) fn names(&self) -> NameTables<'_> {
        NameTables {
            names: &self.names,
            rosters: &self.rosters,
        }
    }

    /// The tables of the segment if its moves are written with these codecs and
    /// with models adapted by `adaptations`.
    pub(crate) fn tables(
        &self,
        parts: &[SourcePart],
        codecs: &[Codec],
        adaptations: &Adaptations,
        notation: &NotationBytes,
        dictionaries: &Dictionaries,
        plans: &Plans<'_>,
    ) -> Result<Tables, ContainerError> {
        let names: Vec<&[u8]> = self.names.iter().map(Vec::as_slice).collect();
        let mut tables = Tables::default();
        tables.push(SOURCE_PARTS, 0, &SourcePart::encode_all(parts))?;
        tables.push(TAG_NAMES, 0, &write_names(&names))?;
        tables.push(ROSTERS, 0, &write_rosters(&self.rosters))?;
        tables.push(LAYOUTS, 0, &write_layouts(&self.learned.layouts))?;
        let unplanned = dictionaries.iter();
        let unplanned = unplanned.filter(|(column, _)| !plans.has(*column));
        let tables_by_column: BTreeMap<ColumnId, &[u8]> =
            unplanned.chain(plans.dictionaries()).collect();
        for (column, dictionary) in tables_by_column {
            tables.push(DICTIONARY, column.0, dictionary)?;
        }
        let models: Vec<ModelId> = self.models(codecs).into_iter().map(ModelId::of).collect();
        if !models.is_empty() {
            tables.push(MODELS, 0, &write_models(&models))?;
        }
        write_adaptations(adaptations, &mut tables)?;
        write_notation(notation, &mut tables)?;
        plans.write_tables(&mut tables)?;
        write_lines_distributions(notation, &mut tables)?;
        write_preset_text(&dictionaries.phrases, &mut tables)?;
        Ok(tables)
    }

    /// The models that the segment may need if its moves are written with these
    /// codecs.
    pub(crate) fn models(&self, codecs: &[Codec]) -> BTreeSet<BuiltinModel> {
        let models = codecs.iter().filter_map(|codec| codec.model());
        models.filter(|_| self.has_chess).collect()
    }
}
