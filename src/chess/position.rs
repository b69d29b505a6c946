//! A position and the plies that are played from it.

use shakmaty::variant::VariantPosition;
use shakmaty::{
    CastlingMode, Color, EnPassantMode, Move, MoveList, Position as _, Rank, Role, Square,
};

pub use shakmaty::KnownOutcome as Outcome;

use super::Rules;
use super::legal::LegalTargets;

/// A half-move, given by squares. Together with its position, this identifies a
/// legal move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PlyKind {
    /// The side to move passes (`--`). It is not a legal move of chess, but
    /// annotators use it. It is never possible in check.
    Null,
    /// A move of a piece. Castling is the king's move to its target; with
    /// Chess960 castling, the king's move onto its own rook.
    Move {
        /// The origin.
        from: Square,
        /// The target.
        to: Square,
        /// The role that a pawn promotes to on the last rank.
        promotion: Option<Role>,
    },
    /// A drop of a piece from the hand onto the board, as in Crazyhouse.
    Drop {
        /// The role of the piece.
        role: Role,
        /// The target.
        to: Square,
    },
}

/// The bit that marks a drop.
const DROP: u16 = 1 << 15;

impl PlyKind {
    /// The ply in 16 bits: the origin in bits 0 to 5 and the target in bits 6 to 11 (a1 is 0, b1
    /// is 1, h8 is 63), and in bits 12 to 14 the role of a promotion: 0 for none, 1 for a pawn, 2
    /// for a knight, 3 for a bishop, 4 for a rook, 5 for a queen, 6 for a king. A drop has bit 15
    /// set, its role in bits 12 to 14 and its target in bits 6 to 11. A null move is 0.
    pub fn to_bits(self) -> u16 {
        match self {
            PlyKind::Null => 0,
            PlyKind::Move {
                from,
                to,
                promotion,
            } => {
                let promotion = promotion.map_or(0, |role| role as u16);
                u16::from(from) | u16::from(to) << 6 | promotion << 12
            }
            PlyKind::Drop { role, to } => DROP | u16::from(to) << 6 | (role as u16) << 12,
        }
    }

    /// The ply of [`PlyKind::to_bits`]; `None` if there is none.
    pub fn from_bits(bits: u16) -> Option<PlyKind> {
        let square = |bits: u16| Square::new(u32::from(bits & 63));
        let role = u32::from(bits >> 12 & 7);
        let (from, to) = (square(bits), square(bits >> 6));
        if bits & DROP != 0 {
            let role = Role::try_from(role).ok()?;
            return (bits & 63 == 0).then_some(PlyKind::Drop { role, to });
        }
        if bits == 0 {
            return Some(PlyKind::Null);
        }
        let promotion = match role {
            0 => None,
            role => Some(Role::try_from(role).ok()?),
        };
        Some(PlyKind::Move {
            from,
            to,
            promotion,
        })
    }
}

/// The ply cannot be played in the position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("illegal move")]
pub struct IllegalPly;

/// A position of chess or of one of its variants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChessPosition(pub(super) VariantPosition);

impl Default for ChessPosition {
    fn default() -> Self {
        ChessPosition::standard()
    }
}

impl ChessPosition {
    /// The standard start position.
    pub fn standard() -> Self {
        ChessPosition(VariantPosition::default())
    }

    /// The usual start position of a variant.
    pub fn start(rules: Rules) -> Self {
        let usual = VariantPosition::new(rules.variant);
        if !rules.chess960 {
            return ChessPosition(usual);
        }
        let setup = usual.to_setup(EnPassantMode::Always);
        let castling = CastlingMode::Chess960;
        let position = VariantPosition::from_setup(rules.variant, setup, castling);
        ChessPosition(position.unwrap_or(usual))
    }

    /// The rules of the game.
    pub fn rules(&self) -> Rules {
        Rules {
            variant: self.0.variant(),
            chess960: self.0.castles().mode().is_chess960(),
        }
    }

    /// The side to move.
    pub fn turn(&self) -> Color {
        self.0.turn()
    }

    /// The number of the next move; at least 1.
    pub fn fullmoves(&self) -> u32 {
        self.0.fullmoves().get()
    }

    /// Whether the side to move is in check.
    pub fn is_check(&self) -> bool {
        self.0.is_check()
    }

    /// Whether the side to move is mated.
    pub fn is_checkmate(&self) -> bool {
        self.0.is_checkmate()
    }

    /// The result of the game, if no move is legal.
    pub fn outcome(&self) -> Option<Outcome> {
        if !self.0.legal_moves().is_empty() {
            return None;
        }
        self.0.outcome().known()
    }

    /// Whether the last ply has won the game, by mate or by a rule of its
    /// variant.
    pub fn is_won(&self) -> bool {
        match &self.0 {
            VariantPosition::Chess(chess) => chess.is_check() && chess.legal_moves().is_empty(),
            variant => matches!(variant.outcome().known(), Some(Outcome::Decisive { .. })),
        }
    }

    /// Plays a ply.
    pub fn make(&mut self, ply: PlyKind) -> Result<(), IllegalPly> {
        match ply {
            PlyKind::Null => self.pass(),
            PlyKind::Move { .. } | PlyKind::Drop { .. } => {
                let legal = self.legal_move(ply).ok_or(IllegalPly)?;
                self.advance(legal)
            }
        }
    }

    /// Plays a ply that is known to be legal, as the plies of decoded games are. To check that takes
    /// longer than to play it.
    ///
    /// # Errors
    /// It is a null move in check, or no move of a piece.
    pub fn make_legal(&mut self, ply: PlyKind) -> Result<(), IllegalPly> {
        match ply {
            PlyKind::Null => self.pass(),
            PlyKind::Move { .. } | PlyKind::Drop { .. } => {
                let legal = self.candidate_move(ply).ok_or(IllegalPly)?;
                debug_assert!(self.is_legal(legal), "{ply:?}");
                self.advance(legal)
            }
        }
    }

    /// Plays a legal move, if it leads to a valid position.
    pub(super) fn advance(&mut self, legal: Move) -> Result<(), IllegalPly> {
        let before = match &self.0 {
            VariantPosition::Crazyhouse(_) => Some(self.clone()),
            _ => None,
        };
        self.0.play_unchecked(legal);
        match before {
            Some(before) if !super::move_limit::fits_move_list(&self.0) => {
                *self = before;
                Err(IllegalPly)
            }
            _ => Ok(()),
        }
    }

    fn pass(&mut self) -> Result<(), IllegalPly> {
        if self.is_check() || self.0.is_variant_end() {
            return Err(IllegalPly);
        }
        let mut setup = self.0.to_setup(EnPassantMode::Always);
        let moves = u32::from(setup.turn.is_black());
        setup.swap_turn();
        setup.halfmoves = setup.halfmoves.saturating_add(1);
        setup.fullmoves = setup.fullmoves.saturating_add(moves);
        let passed = VariantPosition::from_setup(self.0.variant(), setup, self.0.castles().mode());
        let passed = passed.map_err(|_| IllegalPly)?;
        if !super::move_limit::fits_move_list(&passed) {
            return Err(IllegalPly);
        }
        self.0 = passed;
        Ok(())
    }

    /// The legal move that a ply denotes, if there is one.
    pub(super) fn legal_move(&self, ply: PlyKind) -> Option<Move> {
        self.candidate_move(ply).filter(|m| self.is_legal(*m))
    }

    /// Whether a move that a ply denotes is legal.
    pub(super) fn is_legal(&self, m: Move) -> bool {
        let (VariantPosition::Chess(chess), Some(from)) = (&self.0, m.from()) else {
            return self.0.is_legal(m);
        };
        if m.is_castle() {
            return chess.is_legal(m);
        }
        let promotion = m.promotion();
        let is_officer =
            |role| matches!(role, Role::Knight | Role::Bishop | Role::Rook | Role::Queen);
        self.promotes(from, m.to()) == promotion.is_some()
            && promotion.is_none_or(is_officer)
            && LegalTargets::new(chess).is_some_and(|legal| legal.targets(from).contains(m.to()))
    }

    /// The only move that a ply can denote in this position; not necessarily
    /// legal.
    pub(super) fn candidate_move(&self, ply: PlyKind) -> Option<Move> {
        let (from, to, promotion) = match ply {
            PlyKind::Null => return None,
            PlyKind::Move {
                from,
                to,
                promotion,
            } => (from, to, promotion),
            PlyKind::Drop { role, to } => return Some(Move::Put { role, to }),
        };
        let board = self.0.board();
        let role = board.role_at(from)?;
        let candidate = if role == Role::King && self.is_castling(from, to) {
            let side = shakmaty::CastlingSide::from_king_side(from < to);
            Move::Castle {
                king: from,
                rook: self.0.castles().rook(self.turn(), side)?,
            }
        } else if role == Role::Pawn && from.file() != to.file() && board.role_at(to).is_none() {
            Move::EnPassant { from, to }
        } else {
            Move::Normal {
                role,
                from,
                capture: board.role_at(to),
                to,
                promotion,
            }
        };
        let is_consistent = promotion.is_none() || matches!(candidate, Move::Normal { .. });
        is_consistent.then_some(candidate)
    }

    /// Whether a move between these squares promotes a pawn of the side to move,
    /// so that it needs a promotion role.
    pub fn promotes(&self, from: Square, to: Square) -> bool {
        let last = self.turn().fold_wb(Rank::Eighth, Rank::First);
        to.rank() == last && self.0.our(Role::Pawn).contains(from)
    }

    /// Whether a king's move can only be castling: a move of two files along its
    /// rank or, with Chess960 castling, onto a rook that may castle.
    fn is_castling(&self, from: Square, to: Square) -> bool {
        let castles = self.0.castles();
        if castles.mode().is_chess960() {
            castles.castling_rights().contains(to) && self.0.us().contains(to)
        } else {
            from.rank() == to.rank() && from.file().distance(to.file()) == 2
        }
    }

    /// Converts a legal move to a ply.
    pub(super) fn ply(&self, m: Move) -> PlyKind {
        match m {
            Move::Put { role, to } => PlyKind::Drop { role, to },
            Move::Castle { king, rook } if self.0.castles().mode().is_chess960() => PlyKind::Move {
                from: king,
                to: rook,
                promotion: None,
            },
            _ => PlyKind::Move {
                from: m.from().unwrap_or(m.to()),
                to: super::move_number::target(m),
                promotion: m.promotion(),
            },
        }
    }

    /// The legal moves of a role to a square, for reading and writing SAN.
    pub(super) fn candidates(&self, role: Role, to: Square) -> MoveList {
        self.0.san_candidates(role, to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every legal move of every position of random games is found by its
    /// squares, and other squares are not.
    #[test]
    fn plies_name_exactly_the_legal_moves() {
        let mut seed = 1u64;
        let mut castled = false;
        for _ in 0..20 {
            let mut position = ChessPosition::standard();
            for _ in 0..120 {
                let legal = position.legal_plies();
                if legal.is_empty() {
                    break;
                }
                for ply in &legal {
                    assert!(position.legal_move(*ply).is_some());
                    castled |= matches!(position.legal_move(*ply), Some(Move::Castle { .. }));
                }
                let named = Square::ALL
                    .into_iter()
                    .flat_map(|from| Square::ALL.map(|to| (from, to)))
                    .flat_map(|(from, to)| {
                        [
                            None,
                            Some(Role::Knight),
                            Some(Role::Bishop),
                            Some(Role::Rook),
                            Some(Role::Queen),
                        ]
                        .map(|promotion| PlyKind::Move {
                            from,
                            to,
                            promotion,
                        })
                    })
                    .filter(|ply| position.legal_move(*ply).is_some())
                    .count();
                assert_eq!(named, legal.len());
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let pick = usize::try_from(seed >> 33).unwrap() % legal.len();
                position.make(legal[pick]).unwrap();
            }
        }
        assert!(castled);
    }

    #[test]
    fn a_pass_counts_as_a_move() {
        let fen = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 7";
        let mut position =
            ChessPosition::from_fen(fen.as_bytes(), super::super::Rules::CHESS).unwrap();
        for (rest, number) in [("b - - 1 7", 7), ("w - - 2 8", 8)] {
            position.make(PlyKind::Null).unwrap();
            assert_eq!(position.fen(), format!("4k3/8/8/3pP3/8/8/8/4K3 {rest}"));
            assert_eq!(position.fullmoves(), number);
        }
    }

    #[test]
    fn nobody_passes_in_check() {
        let mut position = ChessPosition::standard();
        for san in ["e4", "f5", "Qh5+"] {
            let text = super::super::SanText::parse(san.as_bytes()).unwrap();
            let (ply, _) = position.read(&text).unwrap();
            position.make(ply).unwrap();
        }
        assert_eq!(position.make(PlyKind::Null), Err(IllegalPly));
    }
}
