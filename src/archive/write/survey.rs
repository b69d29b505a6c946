//! Pass 1: every record of a segment is lexed once to determine the contents of the
//! tables.

use crate::archive::tables::adaptations::FitGame;
use crate::archive::tables::names::MAX_NAMES;
use crate::archive::tables::rosters::MAX_ROSTERS;
use crate::archive::tables::rosters::NameTables;
use crate::archive::write::lexed_game::LexedGame;
use crate::archive::write::record_lexer::{LexedRecord, RecordLexer};
use crate::archive::write::source_reader::SegmentText;
use crate::chess::Variant;
use crate::moves::Codec;
use crate::parallel;
use crate::pgn::{LayoutLearner, Learned, Lexeme, LexemeKind, Start, start_of, tag_lexemes};
use foldhash::HashMap;

/// The result of pass 1 for a segment.
#[derive(Debug, Default)]
pub(crate) struct Survey {
    pub(crate) learned: Learned,
    /// For each record, the number of its roster and the group of its layout.
    pub(crate) records: Vec<RecordSurvey>,
    names: Vec<Vec<u8>>,
    rosters: Vec<Vec<u32>>,
    /// Whether any record has moves of chess, which a model can code.
    pub(crate) has_chess: bool,
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

/// The games of a segment in the form to which its tables are fitted.
#[derive(Default)]
pub(crate) struct SurveyedGames<'t> {
    pub(crate) lexed: Vec<LexedGame<'t>>,
    /// Empty if no codec is `model`.
    pub(crate) fit_games: Vec<FitGame<'t>>,
}

/// Surveys all records of a segment whose moves will be written with these codecs. `on_batch` is
/// called before each batch of records.
pub(crate) fn survey<'t>(
    segment: &'t SegmentText,
    codecs: &[Codec],
    on_batch: &mut dyn FnMut(),
) -> (Survey, SurveyedGames<'t>) {
    let fits_model = codecs.contains(&Codec::Model);
    let mut lexer = RecordLexer::new(segment, fits_model);
    let mut surveyor = Surveyor::default();
    surveyor.rosters.number(Vec::new(), MAX_ROSTERS);
    // Records are numbered in their order, while the next batch is lexed.
    let mut lexed = lexer.next();
    while let Some(batch) = lexed {
        on_batch();
        let survey_batch = || {
            let records = batch.into_iter();
            records.for_each(|record| surveyor.survey_record(record));
        };
        (_, lexed) = parallel::join(survey_batch, || lexer.next());
    }
    surveyor.finish()
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
    records: Vec<RecordSurvey>,
    games: SurveyedGames<'a>,
}

/// Numbers values in the order in which they are first seen.
struct Numbering<T> {
    numbers: HashMap<T, u32>,
    values: Vec<T>,
}

impl<T> Default for Numbering<T> {
    fn default() -> Self {
        Numbering {
            numbers: HashMap::default(),
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
    /// Surveys a record; `None` is a record that is stored verbatim.
    fn survey_record(&mut self, record: Option<LexedRecord<'a>>) {
        let Some(record) = record else {
            self.records.push(RecordSurvey::default());
            return;
        };
        let (bytes, lexemes) = (record.bytes, &record.lexemes);
        let group = self.learner.assign(bytes, lexemes);
        self.has_chess = self.has_chess || has_chess(bytes, lexemes);
        let roster = self.survey_tags(bytes, tag_lexemes(lexemes));
        let roster = roster.and_then(|roster| self.rosters.number(roster, MAX_ROSTERS));
        self.records.push(RecordSurvey { roster, group });
        self.games.lexed.push(record.game);
        self.games.fit_games.extend(record.fit_game);
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

    fn finish(self) -> (Survey, SurveyedGames<'a>) {
        let survey = Survey {
            learned: self.learner.finish(),
            records: self.records,
            names: self.names.values.iter().map(|name| name.to_vec()).collect(),
            rosters: self.rosters.values,
            has_chess: self.has_chess,
        };
        (survey, self.games)
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
}
