//! The features of each legal move (`spec/models.md`, "Groups").

mod actor;
mod contexts;
mod step;
#[cfg(test)]
mod tests;

use crate::chess::{Bitboard, Role, Square, attacks};

use super::board::Move;
use super::feature_context::{FeatureContext, shielded};
use super::groups::{FeatureGroup, Level};
use super::hash::{highest, mix};
use super::legal::{MODEL_PROMOTIONS, PieceTargets, pawn_attacks};
use super::simd::Isa;
use super::table::MaskedTable;
use actor::PieceFeatures;
use contexts::Contexts;
use step::MoveFeatures;

/// A consumer of the features of a position: a model that sums weights, or a
/// trainer that records indexes.
///
/// Features come piece by piece and, for each piece, move by move.
pub trait FeatureSink {
    /// The instruction set of feature extraction.
    type Instructions: Isa;

    /// Starts the next piece. The calls that follow apply to all its moves.
    fn piece(&mut self, piece: &PieceTargets);
    /// The weight with this number applies to all moves of the piece.
    fn of_piece(&mut self, weight: usize);
    /// The row with this number applies to all moves of the piece.
    fn row_of_piece(&mut self, row: usize);
    /// One of the 64 weights from this number on applies to each move of the
    /// piece: that at index `target`. All pieces of a position have the same
    /// number of these lines, and of hashed ones.
    fn line(&mut self, weight: usize) {
        self.hashed_line(weight, 0);
    }
    /// The same, but the weight at index `target ^ turn`.
    fn hashed_line(&mut self, weight: usize, turn: usize);
    /// A target of the moves of the piece, and the number of a weight that applies to the moves to
    /// it. All targets come after the lines and before the moves, so that a consumer can read
    /// weights at arbitrary addresses together: a processor then waits for several at a time.
    fn target(&mut self, to: Square, weight: Option<usize>);
    /// Starts the next move of the piece.
    fn begin(&mut self, m: &Move);
    /// The weight with this number applies to the move.
    fn of_move(&mut self, weight: usize);
    /// The row with this number applies to the move.
    fn row_of_move(&mut self, row: usize);
    /// Ends the move.
    fn end(&mut self);
}

/// Emits the features of all legal moves, in order.
#[inline(always)]
pub fn emit_features<L: Level, S: FeatureSink>(features: &FeatureContext<'_>, sink: &mut S) {
    let contexts = Contexts::new(features);
    let shielded = if L::GROUPS.has(FeatureGroup::Shield) {
        shielded(features.board, &features.ours)
    } else {
        MaskedTable([None; 64])
    };
    let mut reaches = MaskedTable([Bitboard::EMPTY; 64]);
    for piece in features.legal.pieces() {
        if piece.targets.is_empty() {
            continue;
        }
        sink.piece(piece);
        let actor = PieceFeatures::new(features, piece);
        contexts.emit::<L, S>(features, &actor, sink);
        actor.emit_actor::<L, S>(features, &shielded, sink);
        for to in piece.targets {
            let around = L::GROUPS.has(FeatureGroup::TargetSurroundings).then(|| {
                let around = surroundings::<L>(features, piece.role, to);
                L::WEIGHTS.number(FeatureGroup::TargetSurroundings, around)
            });
            sink.target(to, around);
        }
        let occupied = features.board.occupied().without(piece.from);
        set_reaches(&mut reaches, piece, occupied);
        // Separate loops, so that the compiler knows in each whether moves
        // promote.
        if piece.is_promoted() {
            for to in piece.targets {
                for role in MODEL_PROMOTIONS {
                    let reach = reach(role, to, occupied);
                    emit_move::<L, S>(features, &actor, to, Some(role), reach, sink);
                }
            }
        } else {
            for to in piece.targets {
                let reach = reaches[to as usize];
                emit_move::<L, S>(features, &actor, to, None, reach, sink);
            }
        }
    }
}

/// Emits the features of a move.
#[inline(always)]
fn emit_move<L: Level, S: FeatureSink>(
    features: &FeatureContext<'_>,
    actor: &PieceFeatures,
    to: Square,
    promotion: Option<Role>,
    reach: Bitboard,
    sink: &mut S,
) {
    let m = Move {
        role: actor.piece.role,
        from: actor.piece.from,
        to,
        promotion,
    };
    sink.begin(&m);
    MoveFeatures::new::<L>(features, actor, m, reach).emit::<L, S>(features, actor, sink);
    sink.end();
}

/// Sets the squares that a piece attacks from each of its targets, with these other pieces on the
/// board.
#[inline(always)]
fn set_reaches(reaches: &mut MaskedTable<Bitboard, 64>, piece: &PieceTargets, occupied: Bitboard) {
    // A loop for each role of sliders: one loop for all takes 60 to 150 instructions a ply more.
    match piece.role {
        Role::Bishop => set_each(reaches, piece, |to| attacks::bishop_attacks(to, occupied)),
        Role::Rook => set_each(reaches, piece, |to| attacks::rook_attacks(to, occupied)),
        Role::Queen => set_each(reaches, piece, |to| attacks::queen_attacks(to, occupied)),
        role => set_each(reaches, piece, |to| reach(role, to, occupied)),
    }
}

#[inline(always)]
fn set_each(
    reaches: &mut MaskedTable<Bitboard, 64>,
    piece: &PieceTargets,
    reach: impl Fn(Square) -> Bitboard,
) {
    for to in piece.targets {
        reaches[to as usize] = reach(to);
    }
}

/// The squares that our piece of a role attacks from a square.
#[inline(always)]
fn reach(role: Role, from: Square, occupied: Bitboard) -> Bitboard {
    match role {
        Role::Pawn => pawn_attacks(from),
        Role::Knight => attacks::knight_attacks(from),
        Role::Bishop => attacks::bishop_attacks(from, occupied),
        Role::Rook => attacks::rook_attacks(from, occupied),
        Role::Queen => attacks::queen_attacks(from, occupied),
        Role::King => attacks::king_attacks(from),
    }
}

/// The squares that their piece of a role attacks from a square.
#[inline(always)]
fn their_reach(role: Role, from: Square, occupied: Bitboard) -> Bitboard {
    match role {
        Role::Pawn => pawn_attacks(from.flip_vertical()).flip_vertical(),
        _ => reach(role, from, occupied),
    }
}

/// The hashed index of the occupancy around a square, for a piece of a role.
/// The board is read as one row of squares, so the neighbours of a square on
/// the edge include squares of the other edge, or none.
#[inline(always)]
fn surroundings<L: Level>(features: &FeatureContext<'_>, role: Role, square: Square) -> usize {
    let window = |pieces: Bitboard| {
        let from_corner = match square.to_u32().checked_sub(9) {
            Some(below) => pieces.0 >> below,
            None => pieces.0 << (9 - square.to_u32()),
        };
        from_corner & 0x0007_0707
    };
    let (ours, theirs) = (window(features.board.us()), window(features.board.them()));
    let piece = u64::from(square.to_u32()) << 48 | (role as u64) << 54;
    highest(mix(ours | theirs << 24 | piece), L::HASH_BITS)
}

/// Emits a row that applies to a piece, if the level has the group.
#[inline(always)]
fn of_piece<L: Level, S: FeatureSink>(sink: &mut S, group: FeatureGroup, index: usize) {
    if L::GROUPS.has(group) {
        sink.row_of_piece(L::ROWS.number(group, index));
    }
}

/// Emits a row that applies to a move, if the level has the group.
#[inline(always)]
fn of_move<L: Level, S: FeatureSink>(sink: &mut S, group: FeatureGroup, index: usize) {
    if L::GROUPS.has(group) {
        sink.row_of_move(L::ROWS.number(group, index));
    }
}
