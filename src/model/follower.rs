//! The state of a model in a game.

use crate::chess::{ChessPosition, PlyKind};
use crate::codec::range::{Decoder, Encoder, RangeError};
use std::cell::Cell;

use super::adaptation::{
    GameAdaptation, SHARE_TOTAL, Surprise, TemperatureBuckets, inverse_temperature, is_book_start,
};
use super::board::{Board, Move};
use super::coded_ply::CodedPly;
use super::context::GameContext;
use super::feature_context::FeatureContext;
use super::groups::Level;
use super::history::MoveHistory;
use super::legal::{GenerateMoves, Legal};
use super::net::Sums;
use super::probabilities::{Frequencies, Scores};
use super::simd::{Baseline, Isa, Kernel, Processor};
use super::weights::{ScoreTables, Weights};

/// The state of a model in a game: it codes one ply at a time.
#[derive(Debug, Clone)]
pub struct Follower<'w, L, const H: usize, const K: usize> {
    weights: &'w Weights<L, H, K>,
    hints: GameAdaptation<'w>,
    board: Board,
    history: MoveHistory,
    sums: Sums<H>,
    surprise: Surprise,
    context: GameContext,
    ply: u32,
    processor: Processor,
}

thread_local! {
    /// Tables of this thread for its next position. To make and fill new ones takes 500
    /// instructions, and a state that had them would be slow to copy.
    static TABLES: Cell<Option<Box<ScoredMoves>>> = const { Cell::new(None) };
}

/// The legal moves of a position; if there are several, also their scores and frequencies, the
/// temperature cell of the position, and the tables from which they are computed.
#[derive(Debug, Clone)]
pub(super) struct ScoredMoves {
    legal: Legal,
    pub(super) scores: Scores,
    pub(super) cell: TemperatureBuckets,
    pub(super) frequencies: Frequencies,
    tables: ScoreTables,
}

/// The kernel that generates the legal moves and, if there are several, scores them, given data of
/// the game. The result is written in place: its tables take eight kilobytes.
struct ScoreMoves<'f, 'w, L, const H: usize, const K: usize>(
    &'f Follower<'w, L, H, K>,
    &'f GameContext,
    &'f mut ScoredMoves,
);

impl<L: Level, const H: usize, const K: usize> Kernel for ScoreMoves<'_, '_, L, H, K> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self) {
        let ScoreMoves(game, context, scored) = self;
        let legal = &mut scored.legal;
        legal.set(&game.board);
        if legal.count < 2 {
            return;
        }
        let features =
            FeatureContext::new::<I>(&game.board, legal, &game.history, context, game.ply);
        let scores = &mut scored.scores;
        let tables = &mut scored.tables;
        game.weights
            .score::<I>(&features, &game.sums, tables, scores);
        scored.cell = TemperatureBuckets::new(&features, &game.surprise, scores);
        scored.set_frequencies::<I, _, _, _>(game.weights, game.hints);
    }
}

/// The kernel that finds the legal move with a number.
struct FindMove<'l>(&'l Legal, usize);

impl Kernel for FindMove<'_> {
    type Output = Option<Move>;

    #[inline(always)]
    fn run<I: Isa>(self) -> Option<Move> {
        let FindMove(legal, number) = self;
        legal.nth(number)
    }
}

/// The kernel that plays a move.
struct PlayMove<'f, 'w, L, const H: usize, const K: usize>(&'f mut Follower<'w, L, H, K>, Move);

impl<L: Level, const H: usize, const K: usize> Kernel for PlayMove<'_, '_, L, H, K> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self) {
        let PlayMove(game, m) = self;
        let changes = game.board.play(m);
        game.history.push(m, &changes);
        game.sums.play(&game.weights.net, &changes);
        game.ply = game.ply.saturating_add(1);
    }
}

impl<'w, L: Level, const H: usize, const K: usize> Follower<'w, L, H, K> {
    /// The state at the start of a game, with the adaptation of its segment.
    /// Returns `None` if the start position is not one of chess or Chess960.
    pub fn new(
        weights: &'w Weights<L, H, K>,
        start: &ChessPosition,
        context: GameContext,
        hints: GameAdaptation<'w>,
    ) -> Option<Self> {
        let board = Board::new(start)?;
        Some(Follower {
            weights,
            hints: GameAdaptation {
                place: hints.place.filter(|_| is_book_start(&board)),
                ..hints
            },
            surprise: Surprise::new(),
            sums: Sums::new(&weights.net, &board),
            board,
            history: MoveHistory::default(),
            context,
            ply: 0,
            processor: Processor::detect(),
        })
    }

    /// The same state, for another processor.
    #[doc(hidden)]
    pub fn with_processor(self, processor: Processor) -> Self {
        Follower { processor, ..self }
    }

    /// A copy for a variation that branches off here. The length of a variation is
    /// unknown, so none of its plies counts as the last.
    pub fn variation(&self) -> Self
    where
        L: Clone,
    {
        let mut variation = self.clone();
        variation.context.plies = 0;
        variation
    }

    /// Encodes a ply and plays it. Returns it as coded, or `None` if it is not legal.
    pub fn encode(&mut self, ply: PlyKind, encoder: &mut Encoder) -> Option<CodedPly> {
        self.encode_excluding(ply, &[], encoder)
    }

    /// Encodes a ply and plays it. The decoder must know that the ply is none of
    /// `besides`, which get no share. Returns the ply as coded, or `None` if it is not
    /// legal or one of `besides`.
    pub fn encode_excluding(
        &mut self,
        ply: PlyKind,
        besides: &[PlyKind],
        encoder: &mut Encoder,
    ) -> Option<CodedPly> {
        let besides = self.numbers(besides);
        // As a decoder returns it.
        let decoded = self.board.move_of_ply(ply).map(|m| self.board.ply(m));
        let mut share = None;
        self.follow(ply, |scored, number| {
            scored.frequencies.exclude(&besides);
            share = scored.frequencies.share(number);
            if let Some(share) = share {
                encoder.encode(share);
            }
        })?;
        // A decoder accepts no ply of `besides`, nor any if no other is legal.
        (share.is_some() || besides.is_empty()).then_some(CodedPly {
            ply: decoded.unwrap_or(ply),
            share,
        })
    }

    /// Plays a ply. If more than one move is legal, calls `report` with their
    /// scores and the number of the move. Returns `None` if the ply is not legal.
    pub(super) fn follow(
        &mut self,
        ply: PlyKind,
        report: impl FnOnce(&mut ScoredMoves, usize),
    ) -> Option<()> {
        if ply == PlyKind::Null {
            return self.pass();
        }
        let m = self.board.move_of_ply(ply)?;
        let mut scored = TABLES.take().unwrap_or_default();
        self.score(&self.context, &mut scored);
        let number = scored.legal.number(m);
        if let Some(number) = number
            && scored.legal.count > 1
        {
            report(&mut scored, number);
            let below = scored.scores.distances().nth(number)?;
            self.surprise.update(self.board.turn(), below);
        }
        TABLES.set(Some(scored));
        self.play(m, number?);
        Some(())
    }

    /// Plays a ply. If more than one move is legal, calls `report` with the
    /// frequency of the move and the total of all frequencies: by the model alone,
    /// with the temperature terms of the segment, and with its book too. Returns
    /// `None` if the ply is not legal.
    pub(super) fn play_compared(
        &mut self,
        ply: PlyKind,
        report: impl FnOnce([(u32, u32); 3]),
    ) -> Option<()> {
        let (weights, hints) = (self.weights, self.hints);
        let terms = GameAdaptation {
            place: None,
            ..hints
        };
        self.follow(ply, |scored, number| {
            let of = |hints| {
                scored.set_frequencies::<Baseline, _, _, _>(weights, hints);
                scored.frequencies.frequency_of(number)
            };
            report([GameAdaptation::NONE, terms, hints].map(of));
        })
    }

    /// Decodes a move and plays it. Returns `None` if no move is legal.
    ///
    /// # Errors
    /// The bytes decode to none of the legal moves.
    pub fn decode(&mut self, decoder: &mut Decoder<'_>) -> Result<Option<PlyKind>, RangeError> {
        self.decode_excluding(&[], decoder)
    }

    /// Decodes a move that is known to be none of `besides`, and plays it. Returns
    /// `None` if no move is legal.
    ///
    /// # Errors
    /// The bytes decode to none of the other legal moves.
    pub fn decode_excluding(
        &mut self,
        besides: &[PlyKind],
        decoder: &mut Decoder<'_>,
    ) -> Result<Option<PlyKind>, RangeError> {
        let besides = self.numbers(besides);
        let mut scored = TABLES.take().unwrap_or_default();
        self.score(&self.context, &mut scored);
        let mut number = 0;
        if scored.legal.count > 1 {
            let frequencies = &mut scored.frequencies;
            frequencies.exclude(&besides);
            let part = decoder.part(frequencies.total())?;
            let found = frequencies.at(part).ok_or(RangeError::InvalidSymbol)?;
            number = found.0;
            decoder.consume(found.1)?;
            let below = scored.scores.distances().nth(number);
            self.surprise.update(self.board.turn(), below.unwrap_or(0));
        } else if !besides.is_empty() {
            return Err(RangeError::InvalidSymbol);
        }
        let m = self.processor.run(FindMove(&scored.legal, number));
        TABLES.set(Some(scored));
        let Some(m) = m else {
            return Ok(None);
        };
        let ply = self.board.ply(m);
        self.play(m, number);
        Ok(Some(ply))
    }

    /// Plays a ply without coding it. Returns `None` if it is not legal.
    pub fn advance(&mut self, ply: PlyKind) -> Option<()> {
        if ply == PlyKind::Null {
            return self.pass();
        }
        let m = self.board.move_of_ply(ply)?;
        let number = self.processor.run(GenerateMoves(&self.board)).number(m)?;
        self.play(m, number);
        Some(())
    }

    /// Whether a ply is a legal move.
    pub fn is_legal(&self, ply: PlyKind) -> bool {
        self.number(ply).is_some()
    }

    /// Hash of the pieces and the side to move; may collide.
    pub fn key(&self) -> u64 {
        self.board
            .hash()
            .rotate_left(u32::from(self.board.turn().is_white()))
    }

    /// Plays a null move. Returns `None` if the side to move is in check.
    pub fn pass(&mut self) -> Option<()> {
        if Legal::new(&self.board).checkers.any() {
            return None;
        }
        self.board.pass();
        self.history.pass();
        self.sums.pass();
        self.hints.place = None;
        self.ply = self.ply.saturating_add(1);
        Some(())
    }

    /// The probabilities of the legal moves given this data of the game, in
    /// 1/`parts`, at least 1 each. Returns `None` if fewer than two moves are
    /// legal.
    pub(super) fn probabilities(&self, context: &GameContext, parts: u32) -> Option<Vec<u32>> {
        let mut scored = ScoredMoves::default();
        self.score(context, &mut scored);
        if scored.legal.count < 2 {
            return None;
        }
        Some(scored.frequencies.parts(parts).collect())
    }

    /// Generates the legal moves and, if there are several, scores them, given data of the game.
    fn score(&self, context: &GameContext, scored: &mut ScoredMoves) {
        self.processor.run(ScoreMoves(self, context, scored));
    }

    /// The numbers of those plies that are legal.
    fn numbers(&self, plies: &[PlyKind]) -> Vec<usize> {
        if plies.is_empty() {
            return Vec::new();
        }
        let legal = self.processor.run(GenerateMoves(&self.board));
        let moves = plies.iter().filter_map(|ply| self.board.move_of_ply(*ply));
        moves.filter_map(|m| legal.number(m)).collect()
    }

    /// The number of a ply among the legal moves, if it is legal.
    pub(super) fn number(&self, ply: PlyKind) -> Option<usize> {
        self.processor
            .run(GenerateMoves(&self.board))
            .number(self.board.move_of_ply(ply)?)
    }

    fn play(&mut self, m: Move, number: usize) {
        self.hints.place = self.hints.place.and_then(|place| place.after(number));
        self.processor.run(PlayMove(self, m));
    }
}

impl Default for ScoredMoves {
    fn default() -> Self {
        ScoredMoves {
            legal: Legal::empty(),
            scores: Scores::new(),
            cell: TemperatureBuckets::default(),
            frequencies: Frequencies::new(),
            tables: ScoreTables::new(),
        }
    }
}

impl ScoredMoves {
    /// Computes the frequencies of the moves, by the model and the adaptation of the
    /// segment.
    #[inline(always)]
    fn set_frequencies<I: Isa, L, const H: usize, const K: usize>(
        &mut self,
        weights: &Weights<L, H, K>,
        hints: GameAdaptation<'_>,
    ) {
        let terms = [&weights.temperature, hints.temperature];
        let frequencies = &mut self.frequencies;
        frequencies.set::<I>(&self.scores, inverse_temperature(terms, self.cell));
        if let Some(place) = hints.place {
            frequencies.add_shares(place.shares(), SHARE_TOTAL);
        }
    }
}
