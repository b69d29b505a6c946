//! What the bits of a game say, in their order; and writing it.

use crate::chess::{Color, Identified, IllegalPly, PieceId, PieceTracker, Ply, Role, Square};
use crate::moves::line::{CannotRepresent, Line};

use super::Huffman;
use super::trees::{Counts, EntryWriter};

/// A game as entries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Script {
    /// The start position, unless elided.
    pub(super) opening: Option<Opening>,
    pub(super) moves: Vec<MoveEntry>,
}

/// The pieces of the start position, in ID order, and the side to move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Opening {
    pieces: Vec<Identified>,
    turn: Color,
}

/// One ply that is a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct MoveEntry {
    pub(super) piece: PieceId,
    pub(super) to: Square,
    pub(super) promotion: Option<Role>,
}

impl Script {
    /// Lists a line, playing it.
    pub(super) fn of(form: Huffman, line: Line<'_>) -> Result<Self, CannotRepresent> {
        if form == Huffman::StartElided && !line.start.is_standard_start() {
            return Err(CannotRepresent::NotStandardStart);
        }
        let mut tracker = PieceTracker::assign(line.start.pieces())?;
        let mut position = line.start.clone();
        let opening = (form == Huffman::Written).then(|| Opening::new(&tracker, position.turn()));
        let mut moves = Vec::with_capacity(line.plies.len());
        for (ply, played) in (0..).zip(line.plies) {
            moves.extend(MoveEntry::of(&tracker, *played));
            let illegal = |IllegalPly| CannotRepresent::IllegalPly { ply };
            position.play(*played).map_err(illegal)?;
            tracker.play(*played);
        }
        Ok(Script { opening, moves })
    }

    /// How often everything occurs that the trees code.
    pub(super) fn counts(&self) -> Counts {
        let mut counts = Counts::new();
        for piece in self.opening.iter().flat_map(|opening| &opening.pieces) {
            counts.piece(piece.id);
            counts.square(piece.square);
            if piece.is_promoted() {
                counts.piece(piece.id);
            }
        }
        for entry in &self.moves {
            counts.piece(entry.piece);
            counts.square(entry.to);
        }
        counts
    }

    /// The bits, filled up to whole bytes. Without moves and start position
    /// there are none.
    pub(super) fn write(&self) -> Vec<u8> {
        let Some(trees) = self.counts().trees() else {
            return Vec::new();
        };
        let mut out = EntryWriter::new(&trees);
        if let Some(opening) = &self.opening {
            opening.write(&mut out);
        }
        for entry in &self.moves {
            entry.write(&mut out);
        }
        if let (Some(opening), []) = (&self.opening, self.moves.as_slice()) {
            out.bits.push_bit(opening.turn.is_black());
        }
        out.bits.into_bytes()
    }
}

impl Opening {
    pub(super) fn new(tracker: &PieceTracker, turn: Color) -> Self {
        let pieces = tracker.pieces().collect();
        Opening { pieces, turn }
    }

    /// Writes promotion table and initial position.
    fn write(&self, out: &mut EntryWriter) {
        let promoted = || self.pieces.iter().filter(|piece| piece.is_promoted());
        out.bits.push_bits(promoted().count() as u64, 4);
        for piece in promoted() {
            out.piece(piece.id);
            out.promotion(piece.role);
        }
        for piece in &self.pieces {
            out.piece(piece.id);
            out.square(piece.square);
        }
    }
}

impl MoveEntry {
    fn of(tracker: &PieceTracker, ply: Ply) -> Option<Self> {
        let Ply::Move {
            from,
            to,
            promotion,
        } = ply
        else {
            return None;
        };
        tracker.at(from).map(|piece| MoveEntry {
            piece,
            to,
            promotion,
        })
    }

    fn write(self, out: &mut EntryWriter) {
        out.piece(self.piece);
        out.square(self.to);
        if let Some(role) = self.promotion {
            out.promotion(role);
        }
    }
}
