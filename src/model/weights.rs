//! The weights of a model, and the scores that it gives to moves.

use std::borrow::Cow;
use std::marker::PhantomData;

use crate::bits::ByteReader;
use crate::chess::Square;

use super::adaptation::Temperature;
use super::board::Move;
use super::feature_context::FeatureContext;
use super::features::{FeatureSink, emit_features};
use super::groups::Level;
use super::legal::PieceTargets;
use super::net::{
    INPUTS, MAX_OF_POSITION, MAX_OUTPUTS, MOVE_ROWS, Net, Sums, TakeWeights, UnitSums,
    WeightsError, borrow, copy, move_row,
};
use super::probabilities::{MAX_MOVES, Scores};
use super::simd::{Addends, DOT_ROWS, Isa, MAX_UNIT};
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

    /// The bytes of the model's file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let linear = self.linear.iter();
        let mut out: Vec<u8> = linear.map(|weight| weight.cast_unsigned()).collect();
        self.net.write(&mut out);
        out.extend(self.temperature.to_bytes());
        out.push(L::NUMBER);
        out
    }

    /// The size of a model's file in bytes.
    pub(super) const FILE_BYTES: usize = {
        let () = Self::PROVEN;
        L::WEIGHTS.count
            + (INPUTS + 2 * MOVE_ROWS + K) * H
            + (2 * MOVE_ROWS + L::ROWS.count) * K
            + 2 * (H + 2 * K)
            + 16
            + 1
    };

    /// Scores do not overflow, whatever the weights: those of the outputs are bounded, and so is the
    /// number of weights and rows that a move has.
    #[allow(clippy::cast_sign_loss, reason = "constants above 0")]
    const PROVEN: () = {
        let unit = MAX_UNIT as u64;
        let net = unit * 256 * H as u64 + unit * MAX_OUTPUTS as u64;
        let linear = 128 * L::GROUPS.0.count_ones() as u64;
        let score = linear * LINEAR_UNIT as u64 + net * NET_UNIT as u64;
        assert!(score < 1 << 31);
        let sums = MAX_OF_POSITION as u64 + 128 * (2 + L::GROUPS.0.count_ones() as u64);
        assert!(sums < 1 << 15);
    };

    /// Decodes the bytes of a model's file, of which most are not copied.
    ///
    /// # Errors
    /// They are not those of the level, the outputs are too large, or the bits after the last
    /// temperature term are not 0.
    pub fn from_bytes(bytes: &'static [u8]) -> Result<Self, WeightsError> {
        Self::read(bytes, borrow)
    }

    /// As [`from_bytes`](Self::from_bytes), but all bytes are copied.
    ///
    /// # Errors
    /// As of `from_bytes`.
    pub fn copied(bytes: &[u8]) -> Result<Self, WeightsError> {
        Self::read(bytes, copy)
    }

    fn read<'b>(bytes: &'b [u8], take: TakeWeights<'b>) -> Result<Self, WeightsError> {
        // Before memory is allocated.
        if bytes.len() != Self::FILE_BYTES {
            return Err(WeightsError::Level);
        }
        let mut input = ByteReader::new(bytes);
        let linear = take(input.take(L::WEIGHTS.count)?);
        let net = Net::read(L::ROWS.count, &mut input, take)?;
        let temperature = Temperature::from_bytes(input.array()?)?;
        if input.u8()? != L::NUMBER {
            return Err(WeightsError::Level);
        }
        input.finish()?;
        Ok(Weights {
            linear,
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
        tables: &mut ScoreTables,
        scores: &mut Scores,
    ) {
        scores.clear();
        let moves = &self.net.moves;
        // The slices have constant lengths, so that the compiler can omit bounds
        // checks.
        let (
            Some(linear),
            Some(rows),
            Some(origins),
            Some(targets),
            Some(of_origins),
            Some(of_targets),
        ) = (
            self.linear.get(..L::WEIGHTS.count),
            moves.features.get(..L::ROWS.count),
            moves.origins.get(..MOVE_ROWS),
            moves.targets.get(..MOVE_ROWS),
            self.net.origins.first_chunk(),
            self.net.targets.first_chunk(),
        )
        else {
            return;
        };
        let units = sums.units(&self.net, features);
        let common = UnitSums::new(&moves.common::<I>(&units));
        let mut lines = PieceLines {
            dense: MaskedTable([&EMPTY; MAX_LINES]),
            hashed: MaskedTable([(&EMPTY, 0); MAX_LINES]),
        };
        let mut adder = ScoreSink::<L, I, K> {
            linear,
            rows,
            origins,
            targets,
            outputs: &moves.outputs,
            lines: &mut lines,
            tables,
            common,
            sums_of_piece: common,
            sums_of_move: common,
            dense_count: 0,
            hashed_count: 0,
            of_piece: 0,
            origin_count: 0,
            of_move: 0,
            move_count: 0,
            level: PhantomData,
        };
        emit_features::<L, _>(features, &mut adder);
        let (origin_count, move_count) = (adder.origin_count, adder.move_count);

        let origins = tables.origins.0.as_chunks().0.iter();
        let dots = tables.of_origins.0.as_chunks_mut().0.iter_mut();
        for (rows, dots) in origins.zip(dots).take(origin_count.div_ceil(DOT_ROWS)) {
            *dots = dots_of_rows::<I, H>(&units, of_origins, *rows);
        }
        let targets = tables.rows.0.as_chunks().0.iter();
        let weights = tables.weights.0.as_chunks::<DOT_ROWS>().0;
        let units_of = tables.units.0.as_chunks().0;
        let sums = targets.zip(weights).zip(units_of);
        let chunks = sums.map(|((rows, weights), units_of)| {
            let mut chunk = dots_of_rows::<I, H>(&units, of_targets, *rows);
            let totals = I::totals(units_of);
            let of_moves = rows.iter().zip(weights).zip(totals);
            for (score, ((row, weights), of_units)) in chunk.iter_mut().zip(of_moves) {
                let of_origin = tables.of_origins[usize::from(*row) / MOVE_ROWS];
                let of_net = of_units + of_origin + *score;
                *score = (weights * LINEAR_UNIT + of_net * NET_UNIT) >> 10;
            }
            chunk
        });
        scores.set(move_count, chunks);
    }
}

/// The dot products of units and of some rows, whose numbers are modulo the number of rows.
#[inline(always)]
fn dots_of_rows<I: Isa, const H: usize>(
    units: &[u8; H],
    rows: &[[i8; H]; MOVE_ROWS],
    numbers: [u16; DOT_ROWS],
) -> [i32; DOT_ROWS] {
    let [first, ..] = rows;
    let row = |number: u16| rows.get(usize::from(number) % MOVE_ROWS).unwrap_or(first);
    I::dots(units, numbers.map(row))
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

/// Tables of the computation of scores. Entries after the last origin or move are those of
/// earlier positions.
#[derive(Debug, Clone)]
pub(super) struct ScoreTables {
    /// The net's rows of origins.
    origins: MaskedTable<u16, MAX_ORIGINS>,
    /// The dot product of each of them.
    of_origins: MaskedTable<i32, MAX_ORIGINS>,
    /// For each move, the index of its row of origins in `origins`, times the
    /// number of rows of targets, plus its row of targets.
    rows: MaskedTable<u16, MAX_MOVES>,
    /// The sum of the weights that the moves of a piece to each target share.
    of_targets: MaskedTable<i32, 64>,
    /// The sum of each move's weights.
    weights: MaskedTable<i32, MAX_MOVES>,
    /// Addends of the contribution of each move's units.
    units: MaskedTable<Addends, MAX_MOVES>,
}

impl ScoreTables {
    /// Tables of no origins and no moves.
    pub(super) fn new() -> Self {
        ScoreTables {
            origins: MaskedTable([0; MAX_ORIGINS]),
            of_origins: MaskedTable([0; MAX_ORIGINS]),
            rows: MaskedTable([0; MAX_MOVES]),
            of_targets: MaskedTable([0; 64]),
            weights: MaskedTable([0; MAX_MOVES]),
            units: MaskedTable([[0; 4]; MAX_MOVES]),
        }
    }
}

/// The lines of a piece. All pieces of a position have the same number of lines.
struct PieceLines<'w> {
    dense: MaskedTable<&'w [i8; 64], MAX_LINES>,
    /// Each with the number that is exclusive-ored with the target.
    hashed: MaskedTable<(&'w [i8; 64], usize), MAX_LINES>,
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
    lines: &'t mut PieceLines<'w>,
    tables: &'t mut ScoreTables,
    /// The sums of the units that all moves share.
    common: UnitSums<I, K>,
    /// Those that the moves of the piece share.
    sums_of_piece: UnitSums<I, K>,
    sums_of_move: UnitSums<I, K>,
    dense_count: usize,
    hashed_count: usize,
    of_piece: i32,
    origin_count: usize,
    of_move: i32,
    move_count: usize,
    level: PhantomData<L>,
}

impl<'w, L, I: Isa, const K: usize> ScoreSink<'_, 'w, L, I, K> {
    #[inline(always)]
    fn weight(&self, number: usize) -> i32 {
        self.linear.get(number).copied().map_or(0, i32::from)
    }

    #[inline(always)]
    fn line_of(&self, weight: usize) -> &'w [i8; 64] {
        let line = self.linear.get(weight..);
        line.and_then(|rest| rest.first_chunk()).unwrap_or(&EMPTY)
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
        self.dense_count = 0;
        self.hashed_count = 0;
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
    fn line(&mut self, weight: usize) {
        self.lines.dense[self.dense_count] = self.line_of(weight);
        self.dense_count += 1;
    }

    #[inline(always)]
    fn hashed_line(&mut self, weight: usize, turn: usize) {
        self.lines.hashed[self.hashed_count] = (self.line_of(weight), turn);
        self.hashed_count += 1;
    }

    #[inline(always)]
    fn target(&mut self, to: Square, weight: Option<usize>) {
        let to = to as usize;
        let mut sum = self.of_piece + weight.map_or(0, |weight| self.weight(weight));
        // The numbers of lines are constant, so that the compiler unrolls the loops. The masks
        // change nothing; they let it omit bounds checks.
        for number in 0..L::DENSE_LINES {
            let weight = self.lines.dense[number].get(to & 63).copied();
            sum += weight.map_or(0, i32::from);
        }
        for number in 0..L::HASHED_LINES {
            let (line, turn) = self.lines.hashed[number];
            let weight = line.get((to ^ turn) & 63).copied();
            sum += weight.map_or(0, i32::from);
        }
        self.tables.of_targets[to] = sum;
    }

    #[inline(always)]
    fn begin(&mut self, m: &Move) {
        self.of_move = self.tables.of_targets[m.to as usize];
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
        self.tables.weights[self.move_count] = self.of_move;
        self.tables.units[self.move_count] = self.sums_of_move.output(self.outputs);
        self.move_count += 1;
    }
}
