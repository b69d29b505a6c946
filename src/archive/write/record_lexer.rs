//! Lexing the records of a segment, in batches. Each batch is lexed in parallel.

use crate::archive::tables::adaptations::FitGame;
use crate::archive::write::block_ranges::{BlockBounds, blocks};
use crate::archive::write::lexed_game::LexedGame;
use crate::archive::write::source_reader::SegmentText;
use crate::model::Adaptation;
use crate::parallel;
use crate::pgn::{Lexeme, Record, Scanner};
use std::iter::repeat;
use std::ops::Range;

/// A record of a game, and what later passes need of it. They do not need the lexemes,
/// which take several times the size of the text.
pub(crate) struct LexedRecord<'t> {
    pub(crate) bytes: &'t [u8],
    pub(crate) lexemes: Vec<Lexeme>,
    pub(crate) game: LexedGame<'t>,
    /// The game to which the model is fitted, if there may be any.
    pub(crate) fit_game: Option<FitGame<'t>>,
}

/// An iterator over batches of records. A record that is not a game, or that is a piece
/// of a record, is `None`.
pub(crate) struct RecordLexer<'t> {
    segment: &'t SegmentText,
    batches: std::vec::IntoIter<Range<usize>>,
    /// The number of games in the segment.
    games: usize,
    /// The number of games in the batches so far.
    games_before: usize,
    fits_model: bool,
}

impl<'t> RecordLexer<'t> {
    /// `fits_model` says whether a model will be fitted to the games.
    pub(crate) fn new(segment: &'t SegmentText, fits_model: bool) -> Self {
        let games = segment
            .records
            .iter()
            .filter(|record| is_whole_game(record));
        RecordLexer {
            segment,
            // Batches have the size of a block, which bounds the memory for lexemes.
            batches: blocks(segment.records.iter().zip(repeat(0)), &BlockBounds::NONE).into_iter(),
            games: games.count(),
            games_before: 0,
            fits_model,
        }
    }

    fn lex(&self, record: &Record, number: usize) -> LexedRecord<'t> {
        let bytes = self.segment.bytes(record);
        let lexemes: Vec<Lexeme> = Scanner::new(bytes).collect();
        let plies = Adaptation::plies_read(number, self.games);
        LexedRecord {
            bytes,
            game: LexedGame::new(bytes, &lexemes),
            fit_game: self
                .fits_model
                .then(|| FitGame::new(bytes, &lexemes, plies)),
            lexemes,
        }
    }
}

impl<'t> Iterator for RecordLexer<'t> {
    type Item = Vec<Option<LexedRecord<'t>>>;

    fn next(&mut self) -> Option<Self::Item> {
        let records = self.segment.records.get(self.batches.next()?)?;
        let mut number = self.games_before;
        let numbered = records.iter().map(|record| {
            let game = is_whole_game(record).then_some((record, number));
            number += usize::from(game.is_some());
            game
        });
        let lexed = parallel::map(numbered, |game| {
            game.map(|(record, number)| self.lex(record, number))
        });
        self.games_before = number;
        Some(lexed)
    }
}

fn is_whole_game(record: &Record) -> bool {
    record.is_game && !record.is_piece
}
