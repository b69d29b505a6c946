//! The symbols of a game in order, and their encoding.

use crate::chess::{Color, IdentifiedPiece, PieceId, PieceTracker, PlyKind, Role};
use crate::moves::error::LineEncodeError;
use crate::moves::line::Line;
use crate::moves::move_codec::LineParts;

use super::naming::TargetAlphabet;
use super::trees::{EntryWriter, TreeCounts};
use super::{Huffman, HuffmanForm};

/// The symbols of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Script {
    pub(super) naming: TargetAlphabet,
    /// The start position, if it is encoded.
    pub(super) opening: Option<StartPieces>,
    pub(super) moves: Vec<MoveEntry>,
}

/// The pieces of the start position by ascending ID, and the side to move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct StartPieces {
    pieces: Vec<IdentifiedPiece>,
    turn: Color,
}

/// A ply that is a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct MoveEntry {
    pub(super) piece: PieceId,
    /// The symbol of the target in the second tree.
    pub(super) target: u8,
    pub(super) promotion: Option<Role>,
}

/// An encoded script.
#[derive(Debug, Default)]
pub(super) struct EncodedScript {
    pub(super) bytes: Vec<u8>,
    pub(super) parts: LineParts,
}

impl Script {
    /// A script without moves.
    pub(super) fn begin(naming: TargetAlphabet, opening: Option<StartPieces>) -> Self {
        let moves = Vec::new();
        Script {
            naming,
            opening,
            moves,
        }
    }

    /// Lists the symbols of a line. `name` is called for every ply, also for
    /// null moves, and returns the symbol of its target.
    pub(super) fn of(
        codec: Huffman,
        line: Line<'_>,
        mut name: impl FnMut(u64, PlyKind) -> Result<u8, LineEncodeError>,
    ) -> Result<Self, LineEncodeError> {
        if codec.form == HuffmanForm::StartElided && !line.start.is_standard_start() {
            return Err(LineEncodeError::NotStandardStart);
        }
        let variant = line.start.rules().variant;
        let mut tracker = PieceTracker::assign(line.start.pieces())?;
        let opening = match codec.form {
            HuffmanForm::WithStart => Some(StartPieces::new(&tracker, line.start.turn())),
            HuffmanForm::StartElided => None,
        };
        let mut script = Script::begin(codec.naming, opening);
        script.moves.reserve(line.plies.len());
        for (ply, played) in (0..).zip(line.plies) {
            let target = name(ply, *played)?;
            let entry = MoveEntry::of(&tracker, ply, *played, target)?;
            script.moves.extend(entry);
            tracker.play(*played, variant);
        }
        Ok(script)
    }

    /// Counts the symbols of both trees.
    pub(super) fn counts(&self) -> TreeCounts {
        let mut counts = TreeCounts::new(self.naming);
        for piece in self.opening.iter().flat_map(|opening| &opening.pieces) {
            counts.piece(piece.id);
            counts.square(piece.square);
            if piece.is_promoted() {
                counts.piece(piece.id);
            }
        }
        for entry in &self.moves {
            counts.piece(entry.piece);
            counts.target(entry.target);
        }
        counts
    }

    /// Encodes the script, padded to whole bytes. The result is empty without
    /// moves and start position.
    pub(super) fn write(&self) -> EncodedScript {
        let Some(trees) = self.counts().trees() else {
            return EncodedScript::default();
        };
        let mut out = EntryWriter::new(&trees);
        let trees = out.bits.bit_len();
        if let Some(opening) = &self.opening {
            opening.write(&mut out);
            if self.moves.is_empty() {
                out.bits.push_bit(opening.turn.is_black());
            }
        }
        let before_moves = out.bits.bit_len();
        for entry in &self.moves {
            entry.write(&mut out);
        }
        let parts = LineParts {
            trees,
            start: before_moves - trees,
            moves: out.bits.bit_len() - before_moves,
        };
        EncodedScript {
            bytes: out.bits.into_bytes(),
            parts,
        }
    }
}

impl StartPieces {
    pub(super) fn new(tracker: &PieceTracker, turn: Color) -> Self {
        let pieces = tracker.pieces().collect();
        StartPieces { pieces, turn }
    }

    /// Writes the promotion table and the initial position.
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
    /// The entry of the ply with this index; `None` for a null move.
    fn of(
        tracker: &PieceTracker,
        ply: u64,
        played: PlyKind,
        target: u8,
    ) -> Result<Option<Self>, LineEncodeError> {
        let (from, promotion) = match played {
            PlyKind::Null => return Ok(None),
            PlyKind::Drop { .. } => return Err(LineEncodeError::Drop { ply }),
            PlyKind::Move {
                from, promotion, ..
            } => (from, promotion),
        };
        if promotion == Some(Role::King) {
            return Err(LineEncodeError::KingPromotion { ply });
        }
        let illegal = LineEncodeError::IllegalPly { ply };
        let piece = tracker.at(from).ok_or(illegal)?;
        Ok(Some(MoveEntry {
            piece,
            target,
            promotion,
        }))
    }

    fn write(self, out: &mut EntryWriter) {
        out.piece(self.piece);
        out.target(self.target);
        if let Some(role) = self.promotion {
            out.promotion(role);
        }
    }
}
