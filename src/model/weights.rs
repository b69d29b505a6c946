//! The weights of a model, and the scores that they give to moves.

use std::marker::PhantomData;

use crate::bits::{BitsError, ByteReader};

use super::board::Move;
use super::features::{Sink, tell};
use super::groups::Level;
use super::legal::Piece;
use super::net::{Net, Sums, dot, move_row};
use super::probabilities::{Frequencies, MAX_MOVES};
use super::scene::Scene;
use super::table::Table;

/// The weights of a model of a level whose net has `H` hidden units.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Weights<L, const H: usize> {
    /// The weights of all groups of features, in 1/32 nat.
    pub linear: Box<[i8]>,
    /// The net.
    pub net: Net<H>,
    level: PhantomData<L>,
}

impl<L: Level, const H: usize> Weights<L, H> {
    /// The weights of a model to which all moves are alike.
    pub fn zero() -> Self {
        Weights {
            linear: vec![0; L::STARTS.count].into_boxed_slice(),
            net: Net::zero(),
            level: PhantomData,
        }
    }

    /// All weights as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let linear = self.linear.iter();
        let mut out: Vec<u8> = linear.map(|weight| weight.cast_unsigned()).collect();
        self.net.write(&mut out);
        out
    }

    /// The weights from their bytes.
    ///
    /// # Errors
    /// They are not as many as the level has.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, BitsError> {
        let mut input = ByteReader::new(bytes);
        let linear = input.take(L::STARTS.count)?.iter();
        let linear = linear.map(|weight| weight.cast_signed()).collect();
        let net = Net::read(&mut input)?;
        input.finish()?;
        Ok(Weights {
            linear,
            net,
            level: PhantomData,
        })
    }

    /// How often each move of a scene is played.
    pub(super) fn frequencies(&self, scene: &Scene<'_>, sums: &Sums<H>) -> Frequencies {
        let mut scorer = Scorer {
            weights: self,
            units: sums.units(&self.net, scene),
            lines: Table([(&EMPTY, 0); MAX_LINES]),
            line_count: 0,
            of_piece: 0,
            origin: (usize::MAX, 0),
            of_move: 0,
            of_net: 0,
            scores: Table([0; MAX_MOVES]),
            count: 0,
        };
        tell::<L, _>(scene, &mut scorer);
        Frequencies::new(scorer.scores.0.get(..scorer.count).unwrap_or_default())
    }
}

/// More lines than a level has.
const MAX_LINES: usize = 16;

/// A line without effect.
static EMPTY: [i8; 64] = [0; 64];

/// A nat in units of a score, 1/64 bit, times 2^10 and by the 32 parts of a
/// weight: 2^10 · 64 / (32 · ln 2).
const LINEAR_UNIT: i32 = 2955;

/// The same by the 4096 parts of a product of the net: 2^10 · 64 / (4096 · ln 2).
const NET_UNIT: i32 = 23;

/// Adds up the weights of each move.
struct Scorer<'w, L, const H: usize> {
    weights: &'w Weights<L, H>,
    units: [i16; H],
    /// The lines of the piece, and how each is turned.
    lines: Table<(&'w [i8; 64], usize), MAX_LINES>,
    line_count: usize,
    of_piece: i32,
    /// The last row of origins and what it means.
    origin: (usize, i32),
    of_move: i32,
    of_net: i32,
    scores: Table<i32, MAX_MOVES>,
    count: usize,
}

impl<L, const H: usize> Scorer<'_, L, H> {
    #[inline(always)]
    fn weight(&self, number: usize) -> i32 {
        self.weights
            .linear
            .get(number)
            .copied()
            .map_or(0, i32::from)
    }
}

impl<L, const H: usize> Sink for Scorer<'_, L, H> {
    #[inline(always)]
    fn piece(&mut self, _: &Piece) {
        self.of_piece = 0;
        self.line_count = 0;
    }

    #[inline(always)]
    fn of_piece(&mut self, weight: usize) {
        self.of_piece += self.weight(weight);
    }

    #[inline(always)]
    fn line(&mut self, weight: usize, turn: usize) {
        let line = self.weights.linear.get(weight..);
        let line = line.and_then(|rest| rest.first_chunk()).unwrap_or(&EMPTY);
        self.lines[self.line_count] = (line, turn);
        self.line_count += 1;
    }

    #[inline(always)]
    fn begin(&mut self, m: &Move) {
        let to = m.to as usize;
        let lines = self.lines.0.iter().take(self.line_count);
        // The mask says what is so, that no index is checked.
        let of_lines = lines.map(|(line, turn)| line.get((to ^ turn) & 63).copied());
        let of_lines: i32 = of_lines.map(|weight| weight.map_or(0, i32::from)).sum();
        self.of_move = self.of_piece + of_lines;
        let net = &self.weights.net;
        let row = move_row(m, m.from);
        if self.origin.0 != row {
            self.origin = (row, dot(&self.units, &net.origins, row));
        }
        self.of_net = self.origin.1 + dot(&self.units, &net.targets, move_row(m, m.to));
    }

    #[inline(always)]
    fn of_move(&mut self, weight: usize) {
        self.of_move += self.weight(weight);
    }

    #[inline(always)]
    fn end(&mut self) {
        let score = self.of_move * LINEAR_UNIT + self.of_net * NET_UNIT;
        self.scores[self.count] = score >> 10;
        self.count += 1;
    }
}
