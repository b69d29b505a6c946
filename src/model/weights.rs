//! The weights of a model, and the scores that it gives to moves.

use std::borrow::Cow;
use std::marker::PhantomData;

use crate::bits::{BitsError, ByteReader};

use super::adaptation::Temperature;
use super::board::Move;
use super::feature_context::FeatureContext;
use super::features::{FeatureSink, emit_features};
use super::groups::Level;
use super::legal::PieceTargets;
use super::net::{MOVE_ROWS, Net, Sums, UnitSums, move_row};
use super::probabilities::{MAX_MOVES, Scores};
use super::simd::Isa;
use super::table::MaskedTable;

/// The weights of a model of a level, whose net has `H` units of the position and
/// `K` units of each move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Weights<L, const H: usize, const K: usize> {
    /// The weights of the groups that have one weight per index, in 1/32 nat.
    pub linear: Cow<'static, [i8]>,
    /// The net.
    pub net: Net<H, K>,
    /// The model's terms of the inverse temperature.
    pub temperature: Temperature,
    level: PhantomData<L>,
}

impl<L: Level, const H: usize, const K: usize> Weights<L, H, K> {
    /// The weights of a model that scores all moves equally.
    pub fn zero() -> Self {
        Weights {
            linear: vec![0; L::WEIGHTS.count].into(),
            net: Net::zero(L::ROWS.count),
            temperature: Temperature::NEUTRAL,
            level: PhantomData,
        }
    }

    /// Encodes all weights.
    pub fn to_bytes(&self) -> Vec<u8> {
        let linear = self.linear.iter();
        let mut out: Vec<u8> = linear.map(|weight| weight.cast_unsigned()).collect();
        self.net.write(&mut out);
        out.extend(self.temperature.to_bytes());
        out
    }

    /// Decodes all weights, of which most are not copied.
    ///
    /// # Errors
    /// The number of bytes is not that of the level, or the bits after the last
    /// temperature term are not 0.
    pub fn from_bytes(bytes: &'static [u8]) -> Result<Self, BitsError> {
        let mut input = ByteReader::new(bytes);
        let linear: &[i8] = bytemuck::cast_slice(input.take(L::WEIGHTS.count)?);
        let net = Net::read(L::ROWS.count, &mut input)?;
        let temperature = Temperature::from_bytes(input.array()?)?;
        input.finish()?;
        Ok(Weights {
            linear: linear.into(),
            net,
            temperature,
            level: PhantomData,
        })
    }

    /// Computes the score of each legal move of a position.
    #[inline(always)]
    pub(super) fn score<I: Isa>(
        &self,
        features: &FeatureContext<'_>,
        sums: &Sums<H>,
        scores: &mut Scores,
    ) {
        scores.clear();
        let mut tables = WeightTables {
            lines: MaskedTable([(&EMPTY, 0); MAX_LINES]),
            origins: MaskedTable([0; MAX_ORIGINS]),
            rows: MaskedTable([0; MAX_MOVES]),
            scores: MaskedTable([0; MAX_MOVES]),
        };
        let moves = &self.net.moves;
        // The slices have constant lengths, so that the compiler can omit bounds
        // checks.
        let (Some(linear), Some(rows), Some(origins), Some(targets)) = (
            self.linear.get(..L::WEIGHTS.count),
            moves.features.get(..L::ROWS.count),
            moves.origins.get(..MOVE_ROWS),
            moves.targets.get(..MOVE_ROWS),
        ) else {
            return;
        };
        let units = sums.units(&self.net, features);
        let common = UnitSums::new(&moves.common::<I>(&units));
        let mut adder = ScoreSink::<L, I, K> {
            linear,
            rows,
            origins,
            targets,
            outputs: &moves.outputs,
            tables: &mut tables,
            common,
            sums_of_piece: common,
            sums_of_move: common,
            line_count: 0,
            of_piece: 0,
            origin_count: 0,
            of_move: 0,
            move_count: 0,
            level: PhantomData,
        };
        emit_features::<L, _>(features, &mut adder);
        let (origin_count, move_count) = (adder.origin_count, adder.move_count);

        let dot = |rows: &[[i8; H]], row: usize| {
            let row = rows.get(row % MOVE_ROWS);
            row.map_or(0, |row| I::dot(&units, row))
        };
        let mut of_origins = MaskedTable([0; MAX_ORIGINS]);
        let origins = tables.origins.0.iter().take(origin_count);
        for (row, sum) in origins.zip(&mut of_origins.0) {
            *sum = dot(&self.net.origins, usize::from(*row));
        }
        let moves = tables.rows.0.iter().zip(&tables.scores.0).take(move_count);
        for (rows, sum) in moves {
            let rows = usize::from(*rows);
            let of_net = of_origins[rows / MOVE_ROWS] + dot(&self.net.targets, rows);
            scores.push((sum + of_net * NET_UNIT) >> 10);
        }
    }
}

/// An upper bound of the lines of a level.
const MAX_LINES: usize = 16;

/// An upper bound of the rows of origins: one a piece, and one a promotion, of
/// which each of eight pawns has four on each of three targets.
const MAX_ORIGINS: usize = 128;

/// A line without effect.
static EMPTY: [i8; 64] = [0; 64];

/// A weight of 1/32 nat in 2^-10 of the unit of a score, 1/64 bit: 2^10 · 64 /
/// (32 · ln 2).
const LINEAR_UNIT: i32 = 2955;

/// A product of two numbers in 1/64, in the same unit: 2^10 · 64 / (4096 · ln 2).
const NET_UNIT: i32 = 23;

/// Scratch tables of the computation of scores.
struct WeightTables<'w> {
    /// The lines of the piece, each with the number that is exclusive-ored with
    /// the target. All pieces have the same number of lines.
    lines: MaskedTable<(&'w [i8; 64], usize), MAX_LINES>,
    /// The net's rows of origins.
    origins: MaskedTable<u16, MAX_ORIGINS>,
    /// For each move, the index of its row of origins in `origins`, times the
    /// number of rows of targets, plus its row of targets.
    rows: MaskedTable<u16, MAX_MOVES>,
    /// The sum of each move's weights and units, in 2^-10 of the unit of a score.
    scores: MaskedTable<i32, MAX_MOVES>,
}

/// Sums up the weights of each move. The tables are accessed by reference, so that
/// the other fields fit into registers.
struct ScoreSink<'t, 'w, L, I: Isa, const K: usize> {
    linear: &'w [i8],
    /// The rows of the units of moves: by feature, by origin and by target.
    rows: &'w [[i8; K]],
    origins: &'w [[i8; K]],
    targets: &'w [[i8; K]],
    outputs: &'w [i16; K],
    tables: &'t mut WeightTables<'w>,
    /// The sums of the units that all moves share.
    common: UnitSums<I, K>,
    /// Those that the moves of the piece share.
    sums_of_piece: UnitSums<I, K>,
    sums_of_move: UnitSums<I, K>,
    line_count: usize,
    of_piece: i32,
    origin_count: usize,
    of_move: i32,
    move_count: usize,
    level: PhantomData<L>,
}

impl<L, I: Isa, const K: usize> ScoreSink<'_, '_, L, I, K> {
    #[inline(always)]
    fn weight(&self, number: usize) -> i32 {
        self.linear.get(number).copied().map_or(0, i32::from)
    }

    #[inline(always)]
    fn push_origin(&mut self, row: usize) {
        self.tables.origins[self.origin_count] = low_bits(row);
        self.origin_count += 1;
    }
}

#[allow(clippy::cast_possible_truncation, reason = "rows are fewer than 2^16")]
#[inline(always)]
fn low_bits(number: usize) -> u16 {
    number as u16
}

impl<L: Level, I: Isa, const K: usize> FeatureSink for ScoreSink<'_, '_, L, I, K> {
    type Instructions = I;

    #[inline(always)]
    fn piece(&mut self, piece: &PieceTargets) {
        self.of_piece = 0;
        self.line_count = 0;
        let origin = (piece.role as usize) << 6 | piece.from as usize;
        self.push_origin(origin);
        self.sums_of_piece = self.common;
        self.sums_of_piece.add(self.origins, origin % MOVE_ROWS);
    }

    #[inline(always)]
    fn of_piece(&mut self, weight: usize) {
        self.of_piece += self.weight(weight);
    }

    #[inline(always)]
    fn row_of_piece(&mut self, row: usize) {
        self.sums_of_piece.add(self.rows, row);
    }

    #[inline(always)]
    fn line(&mut self, weight: usize, turn: usize) {
        let line = self.linear.get(weight..);
        let line = line.and_then(|rest| rest.first_chunk()).unwrap_or(&EMPTY);
        self.tables.lines[self.line_count] = (line, turn);
        self.line_count += 1;
    }

    #[inline(always)]
    fn begin(&mut self, m: &Move) {
        let to = m.to as usize;
        self.of_move = self.of_piece;
        // The number of lines is constant, so that the compiler unrolls the loop.
        for number in 0..L::LINES {
            let (line, turn) = self.tables.lines[number];
            // The mask changes nothing; it lets the compiler omit the bounds check.
            let weight = line.get((to ^ turn) & 63).copied();
            self.of_move += weight.map_or(0, i32::from);
        }
        if m.promotion.is_some() {
            self.push_origin(move_row(m, m.from));
        }
        let (origin, target) = (self.origin_count - 1, move_row(m, m.to));
        self.tables.rows[self.move_count] = low_bits(origin * MOVE_ROWS + target);
        self.sums_of_move = self.sums_of_piece;
        self.sums_of_move.add(self.targets, target % MOVE_ROWS);
    }

    #[inline(always)]
    fn of_move(&mut self, weight: usize) {
        self.of_move += self.weight(weight);
    }

    #[inline(always)]
    fn row_of_move(&mut self, row: usize) {
        self.sums_of_move.add(self.rows, row);
    }

    #[inline(always)]
    fn end(&mut self) {
        let of_units = self.sums_of_move.output(self.outputs);
        self.tables.scores[self.move_count] = self.of_move * LINEAR_UNIT + of_units * NET_UNIT;
        self.move_count += 1;
    }
}
