//! Which weights bear on which moves of a position.

use std::ops::Range;

use pgna::model::net::move_row;
use pgna::model::{Move, Piece, Sink};

/// The weights of all moves of a position.
#[derive(Debug, Default)]
pub(crate) struct Record {
    /// The weights of pieces and moves, one after another.
    pub(crate) weights: Vec<usize>,
    pub(crate) pieces: Vec<OfPiece>,
    pub(crate) moves: Vec<OfMove>,
}

#[derive(Debug)]
pub(crate) struct OfPiece {
    pub(crate) weights: Range<usize>,
    lines: Vec<(usize, usize)>,
}

#[derive(Debug)]
pub(crate) struct OfMove {
    pub(crate) piece: usize,
    pub(crate) weights: Range<usize>,
    /// The rows of the net for its origin and its target.
    pub(crate) rows: [usize; 2],
}

impl Record {
    pub(crate) fn clear(&mut self) {
        self.weights.clear();
        self.pieces.clear();
        self.moves.clear();
    }
}

impl Sink for Record {
    fn piece(&mut self, _: &Piece) {
        let here = self.weights.len();
        self.pieces.push(OfPiece {
            weights: here..here,
            lines: Vec::new(),
        });
    }

    fn of_piece(&mut self, weight: usize) {
        self.weights.push(weight);
        if let Some(piece) = self.pieces.last_mut() {
            piece.weights.end = self.weights.len();
        }
    }

    fn line(&mut self, weight: usize, turn: usize) {
        if let Some(piece) = self.pieces.last_mut() {
            piece.lines.push((weight, turn));
        }
    }

    fn begin(&mut self, m: &Move) {
        let here = self.weights.len();
        let to = m.to as usize;
        if let Some(piece) = self.pieces.last() {
            let of_lines = piece.lines.iter().map(|(first, turn)| first + (to ^ turn));
            self.weights.extend(of_lines);
        }
        self.moves.push(OfMove {
            piece: self.pieces.len() - 1,
            weights: here..here,
            rows: [move_row(m, m.from), move_row(m, m.to)],
        });
    }

    fn of_move(&mut self, weight: usize) {
        self.weights.push(weight);
    }

    fn end(&mut self) {
        let here = self.weights.len();
        if let Some(m) = self.moves.last_mut() {
            m.weights.end = here;
        }
    }
}
