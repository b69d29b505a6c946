//! Decoding of a line.

use crate::bits::{BitReader, BitsError};
use crate::chess::{
    ChessPosition, Color, IdentifiedPiece, PieceId, PieceTracker, PlyKind, Role, SetupRest,
};
use crate::moves::error::MoveError;
use crate::moves::line::{DecodedLine, LineInfo, LineStart};

use super::error::HuffmanError;
use super::naming::TargetAlphabet;
use super::trees::{TreeCounts, Trees, read_promotion};
use super::{Huffman, HuffmanForm};

/// Decodes a line whose shape is valid.
pub(super) fn decode(
    codec: Huffman,
    bytes: &[u8],
    shape: &LineInfo<'_>,
) -> Result<DecodedLine, MoveError> {
    let bits = BitReader::new(bytes);
    let (start, mut game) = match codec.form {
        HuffmanForm::StartElided => begin_elided(codec.naming, bits, shape)?,
        HuffmanForm::WithStart => begin_written(codec.naming, bits, shape)?,
    };
    if !shape.start.matches_start(&start) {
        return Err(MoveError::WrongStart);
    }
    let line = shape.play(start, |position, ply| game.next(position, ply))?;
    game.finish()?;
    Ok(line)
}

/// Reads the fields before the moves, in the form without start position.
fn begin_elided<'a>(
    naming: TargetAlphabet,
    mut bits: BitReader<'a>,
    shape: &LineInfo<'_>,
) -> Result<(ChessPosition, GameReader<'a>), MoveError> {
    let trees = match shape.moves() {
        0 => None,
        _ => Some(Trees::read(naming, true, &mut bits)?),
    };
    let start = ChessPosition::standard();
    let game = GameReader {
        bits,
        trees,
        naming,
        tracker: PieceTracker::standard(),
        used: TreeCounts::new(naming),
    };
    Ok((start, game))
}

/// Reads the fields before the moves, in the form with start position.
fn begin_written<'a>(
    naming: TargetAlphabet,
    mut bits: BitReader<'a>,
    shape: &LineInfo<'_>,
) -> Result<(ChessPosition, GameReader<'a>), MoveError> {
    let trees = Trees::read(naming, shape.moves() > 0, &mut bits)?;
    let mut used = TreeCounts::new(naming);
    let tracker = read_pieces(&mut bits, &trees, &mut used)?;
    let turn = read_turn(&mut bits, &trees, shape).map_err(HuffmanError::Bits)?;
    let start = match shape.start {
        LineStart::Position(known) => set_up(&tracker, turn, &known.setup_rest())?,
        LineStart::WithoutPieces(rest) => set_up(&tracker, turn, rest)?,
    };
    if PieceTracker::assign(start.pieces()).as_ref() != Ok(&tracker) {
        return Err(HuffmanError::InitialIds.into());
    }
    let game = GameReader {
        bits,
        trees: Some(trees),
        naming,
        tracker,
        used,
    };
    Ok((start, game))
}

fn set_up(
    tracker: &PieceTracker,
    turn: Color,
    rest: &SetupRest,
) -> Result<ChessPosition, HuffmanError> {
    let placed = |piece: IdentifiedPiece| (piece.square, piece.id.color(), piece.role);
    ChessPosition::from_pieces(tracker.pieces().map(placed), turn, rest)
        .map_err(|_| HuffmanError::Setup)
}

/// Reads the promotion table: pawns in ascending order, each with its promotion
/// role.
fn read_table(
    bits: &mut BitReader<'_>,
    trees: &Trees,
) -> Result<Vec<(PieceId, Role)>, HuffmanError> {
    let count = bits.read_bits(4)?;
    let mut table: Vec<(PieceId, Role)> = Vec::new();
    for _ in 0..count {
        let entry = (trees.piece(bits)?, read_promotion(bits)?);
        let (id, _) = entry;
        if !id.is_pawn() {
            return Err(HuffmanError::TableNotPawn(id));
        }
        if table.iter().any(|(known, _)| *known == id) {
            return Err(HuffmanError::TableRepeated(id));
        }
        if table.last().is_some_and(|(last, _)| *last > id) {
            return Err(HuffmanError::TableOrder(id));
        }
        table.push(entry);
    }
    Ok(table)
}

/// Reads the promotion table and the initial position: every piece of the tree,
/// in ascending order, with its square.
fn read_pieces(
    bits: &mut BitReader<'_>,
    trees: &Trees,
    used: &mut TreeCounts,
) -> Result<PieceTracker, HuffmanError> {
    let table = read_table(bits, trees)?;
    let mut tracker = PieceTracker::empty();
    for expected in trees.piece_ids() {
        let id = trees.piece(bits)?;
        if id != expected {
            return Err(HuffmanError::InitialOrder(id));
        }
        let square = trees.square(bits)?;
        used.piece(id);
        used.square(square);
        let promoted = table.iter().find(|(pawn, _)| *pawn == id);
        let role = promoted.map_or(id.role(), |(_, role)| *role);
        let placed = tracker.place(IdentifiedPiece { id, square, role });
        placed.map_err(|_| HuffmanError::TwoOnSquare(square))?;
    }
    Ok(tracker)
}

/// The side to move at the start: that of the first piece that moves, or the
/// other one after an odd number of null moves. It is stored only if the line
/// has no moves.
fn read_turn(
    bits: &mut BitReader<'_>,
    trees: &Trees,
    shape: &LineInfo<'_>,
) -> Result<Color, BitsError> {
    if shape.moves() == 0 {
        return Ok(Color::from_black(bits.read_bit()?));
    }
    let first = trees.piece(&mut bits.clone())?.color();
    let passed = shape.leading_nulls() % 2 == 1;
    Ok(if passed { first.other() } else { first })
}

/// Reads the moves.
struct GameReader<'a> {
    bits: BitReader<'a>,
    /// `None` for an elided start without moves.
    trees: Option<Trees>,
    naming: TargetAlphabet,
    tracker: PieceTracker,
    /// The symbols that were read.
    used: TreeCounts,
}

impl GameReader<'_> {
    /// Reads the move at a ply without checking that it is legal.
    fn next(&mut self, position: &ChessPosition, ply: u64) -> Result<PlyKind, HuffmanError> {
        let trees = self.trees.as_ref().ok_or(BitsError::EndOfInput)?;
        let id = trees.piece(&mut self.bits)?;
        let captured = HuffmanError::CapturedMoves { ply, piece: id };
        let piece = self.tracker.get(id).ok_or(captured)?;
        let name = trees.target(&mut self.bits)?;
        let target = self.naming.target(position, piece.square, name);
        let to = target.ok_or(HuffmanError::NoTarget { ply, number: name })?;
        let promotion = match piece.promotes_on(to) {
            true => Some(read_promotion(&mut self.bits)?),
            false => None,
        };
        let played = PlyKind::Move {
            from: piece.square,
            to,
            promotion,
        };
        self.tracker.play(played, position.rules().variant);
        self.used.piece(id);
        self.used.target(name);
        Ok(played)
    }

    /// Checks that the bits end here, and that the trees have no leaf that was not read. Trees of
    /// another shape than the writer's are accepted.
    fn finish(self) -> Result<(), HuffmanError> {
        self.bits.finish()?;
        match self.trees {
            Some(trees) => trees.check_used(&self.used),
            None => Ok(()),
        }
    }
}
