//! Records which weights contribute to which moves of a position.

use std::ops::Range;

use crate::chess::Square;
use crate::model::net::move_row;
use crate::model::{Baseline, FeatureSink, Move, PieceTargets};

/// The weights of all moves of a position.
#[derive(Debug, Default)]
pub(super) struct TrainingRecord {
    /// The weights of pieces and moves, concatenated.
    pub(super) weights: Vec<usize>,
    /// The feature rows of pieces and moves, concatenated.
    pub(super) features: Vec<usize>,
    pub(super) pieces: Vec<PieceRecord>,
    pub(super) moves: Vec<MoveRecord>,
}

#[derive(Debug)]
pub(super) struct PieceRecord {
    pub(super) weights: Range<usize>,
    pub(super) features: Range<usize>,
    /// The row of the piece's origin.
    pub(super) origin: usize,
    lines: Vec<(usize, usize)>,
    of_targets: Vec<(Square, usize)>,
}

#[derive(Debug)]
pub(super) struct MoveRecord {
    pub(super) piece: usize,
    pub(super) weights: Range<usize>,
    pub(super) features: Range<usize>,
    /// The rows of the network for the origin and the target.
    pub(super) rows: [usize; 2],
}

impl TrainingRecord {
    pub(super) fn clear(&mut self) {
        self.weights.clear();
        self.features.clear();
        self.pieces.clear();
        self.moves.clear();
    }
}

impl FeatureSink for TrainingRecord {
    type Instructions = Baseline;

    fn piece(&mut self, piece: &PieceTargets) {
        let (weights, features) = (self.weights.len(), self.features.len());
        self.pieces.push(PieceRecord {
            weights: weights..weights,
            features: features..features,
            origin: (piece.role as usize) << 6 | piece.from as usize,
            lines: Vec::new(),
            of_targets: Vec::new(),
        });
    }

    fn of_piece(&mut self, weight: usize) {
        self.weights.push(weight);
        if let Some(piece) = self.pieces.last_mut() {
            piece.weights.end = self.weights.len();
        }
    }

    fn row_of_piece(&mut self, row: usize) {
        self.features.push(row);
        if let Some(piece) = self.pieces.last_mut() {
            piece.features.end = self.features.len();
        }
    }

    fn hashed_line(&mut self, weight: usize, turn: usize) {
        if let Some(piece) = self.pieces.last_mut() {
            piece.lines.push((weight, turn));
        }
    }

    fn target(&mut self, to: Square, weight: Option<usize>) {
        if let (Some(piece), Some(weight)) = (self.pieces.last_mut(), weight) {
            piece.of_targets.push((to, weight));
        }
    }

    fn begin(&mut self, m: &Move) {
        let (weights, features) = (self.weights.len(), self.features.len());
        let to = m.to as usize;
        if let Some(piece) = self.pieces.last() {
            let of_lines = piece.lines.iter().map(|(first, turn)| first + (to ^ turn));
            self.weights.extend(of_lines);
            let of_targets = piece.of_targets.iter().filter(|(to, _)| *to == m.to);
            self.weights.extend(of_targets.map(|(_, weight)| weight));
        }
        self.moves.push(MoveRecord {
            piece: self.pieces.len() - 1,
            weights: weights..weights,
            features: features..features,
            rows: [move_row(m, m.from), move_row(m, m.to)],
        });
    }

    fn of_move(&mut self, weight: usize) {
        self.weights.push(weight);
    }

    fn row_of_move(&mut self, row: usize) {
        self.features.push(row);
    }

    fn end(&mut self) {
        if let Some(m) = self.moves.last_mut() {
            m.weights.end = self.weights.len();
            m.features.end = self.features.len();
        }
    }
}
