//! The data that all moves of a position share in feature extraction.

use crate::chess::{Bitboard, Role, Square, attacks};

use super::board::{Board, ViewSide};
use super::context::{GameContext, balance, phase, ply_bucket};
use super::history::MoveHistory;
use super::legal::{Legal, pin_lines};
use super::maps::{AttackMap, their_pawn_attacks};
use super::simd::Isa;
use super::squares::Codes;
use super::table::MaskedTable;
use super::threats::Threats;
use super::values::value;

/// A position with its legal moves, and the data that all of them share.
#[derive(Debug)]
pub struct FeatureContext<'p> {
    pub(super) board: &'p Board,
    pub(super) history: &'p MoveHistory,
    pub(super) ours: AttackMap,
    /// The legal moves.
    pub(super) legal: &'p Legal,
    pub(super) codes: Codes,
    pub(super) threats: Threats,
    /// The phase of the game, 0 to 3.
    pub(super) phase: usize,
    pub(super) ply: u32,
    pub(super) ply_bucket: usize,
    /// The bucket of our rating, 0 to 6.
    pub(super) rating: usize,
    /// The result from our view, 0 to 3.
    pub(super) result: usize,
    pub(super) is_last: bool,
    /// The bucket of our lead in material, 0 to 4.
    pub(super) balance: usize,
    /// Our pieces that give check by leaving the line to their king.
    pub(super) discoverers: Bitboard,
    /// Their king and the squares around it.
    pub(super) king_zone: Bitboard,
    /// The squares that their pawns would attack after a step.
    pub(super) pawn_steps: Bitboard,
    /// The pawns, minors, rooks and queens of both sides.
    pub(super) pieces_by_class: [Bitboard; 4],
    /// The files with pawns of ours, and those with pawns of theirs.
    pub(super) pawn_files: [Bitboard; 2],
}

impl<'p> FeatureContext<'p> {
    /// Computes the data of a position with these legal moves, before the ply
    /// with this number, counted from 0.
    #[inline(always)]
    pub fn new<I: Isa>(
        board: &'p Board,
        legal: &'p Legal,
        history: &'p MoveHistory,
        context: &GameContext,
        ply: u32,
    ) -> Self {
        let theirs = &legal.theirs;
        let ours = AttackMap::of(board, ViewSide::Us);
        let codes = Codes::new::<I>(&ours, theirs);
        let threats = Threats::new(board, &ours, theirs, &codes);
        let (_, single) = pin_lines(board, board.their_king(), board.us());
        let their_king = board.their_king();
        let steps = board.theirs(Role::Pawn).shift(-8) & !board.occupied();
        let [right, left] = their_pawn_attacks(steps);
        FeatureContext {
            board,
            history,
            legal,
            codes,
            threats,
            phase: phase(board, ply),
            ply,
            ply_bucket: ply_bucket(ply),
            rating: context.rating(board.turn()),
            result: context.result(board.turn()),
            is_last: context.is_last(ply),
            balance: balance(board),
            discoverers: single & board.us(),
            king_zone: attacks::king_attacks(their_king).with(their_king),
            pawn_steps: right | left,
            pieces_by_class: [
                board.by_role(Role::Pawn),
                board.by_role(Role::Knight) | board.by_role(Role::Bishop),
                board.by_role(Role::Rook),
                board.by_role(Role::Queen),
            ],
            pawn_files: [board.ours(Role::Pawn), board.theirs(Role::Pawn)].map(files),
            ours,
        }
    }

    /// Whether our king is in check.
    #[inline(always)]
    pub(super) fn is_check(&self) -> bool {
        self.legal.checkers.any()
    }

    /// The squares that they attack.
    #[inline(always)]
    pub(super) fn theirs(&self) -> &AttackMap {
        &self.legal.theirs
    }

    /// The class of the file of a square: 0 with a pawn of ours, 1 with pawns of
    /// theirs only, 2 without pawns.
    #[inline(always)]
    pub(super) fn file(&self, square: Square) -> usize {
        let [ours, theirs] = self.pawn_files;
        match (ours.contains(square), theirs.contains(square)) {
            (true, _) => 0,
            (false, true) => 1,
            (false, false) => 2,
        }
    }
}

/// All squares of the files that contain one of these pieces.
#[inline(always)]
fn files(pieces: Bitboard) -> Bitboard {
    let two = pieces.0 | pieces.0 >> 32 | pieces.0 << 32;
    let four = two | two >> 16 | two << 16;
    Bitboard(four | four >> 8 | four << 8)
}

/// For the square of each piece of ours on the line of a slider of theirs, the
/// role of our piece that it shields: the highest that is worth more than the
/// slider or is not defended.
#[inline(always)]
pub(super) fn shielded(board: &Board, ours: &AttackMap) -> MaskedTable<Option<Role>, 64> {
    let mut shielded: MaskedTable<Option<Role>, 64> = MaskedTable([None; 64]);
    let occupied = board.occupied();
    for role in [Role::Bishop, Role::Rook, Role::Queen] {
        for slider in board.theirs(role) {
            let seen = |occupied| match role {
                Role::Bishop => attacks::bishop_attacks(slider, occupied),
                Role::Rook => attacks::rook_attacks(slider, occupied),
                _ => attacks::queen_attacks(slider, occupied),
            };
            let front = seen(occupied) & board.us();
            for hidden in seen(occupied & !front) & board.us() & !front {
                let shield = attacks::between(slider, hidden) & front;
                let (Some(shield), Some(piece)) = (shield.first(), board.role_at(hidden)) else {
                    continue;
                };
                if value(piece) > value(role) || !ours.any().contains(hidden) {
                    let best = &mut shielded[shield as usize];
                    *best = (*best).max(Some(piece));
                }
            }
        }
    }
    shielded
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{ChessPosition, Rules};
    use crate::model::Baseline;

    fn board(fen: &str) -> Board {
        let position = ChessPosition::from_fen(fen.as_bytes(), Rules::CHESS).expect("a position");
        Board::new(&position).expect("chess")
    }

    #[test]
    fn shielded_pieces() {
        let board = board("3r2k1/8/8/3p4/8/3P4/2N5/1b2K3 w - - 0 1");
        let found = shielded(&board, &AttackMap::of(&board, ViewSide::Us));
        assert_eq!(
            found[Square::D3 as usize],
            None,
            "a pawn hides it from the rook"
        );
        assert_eq!(
            found[Square::C2 as usize],
            Some(Role::Pawn),
            "an undefended pawn"
        );
        let board = self::board("3r2k1/8/8/8/8/3P4/2P5/1b1QK3 w - - 0 1");
        let found = shielded(&board, &AttackMap::of(&board, ViewSide::Us));
        assert_eq!(found[Square::D3 as usize], Some(Role::Queen));
        assert_eq!(found[Square::C2 as usize], None, "a defended pawn");
    }

    #[test]
    fn files_of_pawns() {
        let board = board("4k3/p6p/8/8/8/8/P1P5/4K3 w - - 0 1");
        let (history, context) = (MoveHistory::default(), GameContext::default());
        let legal = Legal::new(&board);
        let features = FeatureContext::new::<Baseline>(&board, &legal, &history, &context, 0);
        let files = [Square::A8, Square::C5, Square::H1, Square::D4].map(|at| features.file(at));
        assert_eq!(files, [0, 0, 1, 2]);
        assert_eq!(
            features.pawn_steps,
            Bitboard::from_square(Square::B5).with(Square::G5)
        );
    }
}
