//! Construction of positions from pieces or FEN, and the reverse.

use std::num::NonZeroU32;

use shakmaty::fen::Fen;
use shakmaty::variant::VariantPosition;
use shakmaty::{
    Bitboard, Board, ByColor, ByRole, CastlingMode, Color, EnPassantMode, Piece, Position as _,
    PositionError, RemainingChecks, Role, Setup, Square,
};

use super::move_limit::fits_move_list;
use super::{ChessPosition, Rules, Variant};

/// The pieces and the other data are not a position by these rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a position of chess")]
pub struct InvalidSetup;

/// Data of a position that only variants have: pieces in hand and the promoted pieces on the
/// board (Crazyhouse), and the checks still to give (Three-check).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Extras {
    pub(super) promoted: Bitboard,
    pub(super) pockets: Option<ByColor<ByRole<u8>>>,
    pub(super) remaining_checks: Option<ByColor<RemainingChecks>>,
}

/// The data of a position besides its pieces and the side to move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetupRest {
    /// The squares of the rooks that may castle, one bit per square, a1 lowest.
    pub castling_rooks: u64,
    /// The square that a pawn has just passed over with a double step.
    pub ep_square: Option<Square>,
    /// Plies since the last capture or pawn move.
    pub halfmoves: u32,
    /// The number of the next move; at least 1.
    pub fullmoves: NonZeroU32,
    /// The rules of the game.
    pub rules: Rules,
    /// The data of variants.
    pub extras: Extras,
}

impl ChessPosition {
    /// The data of the position besides its pieces and the side to move.
    pub fn setup_rest(&self) -> SetupRest {
        let setup = self.0.to_setup(EnPassantMode::Always);
        SetupRest {
            castling_rooks: setup.castling_rights.0,
            ep_square: setup.ep_square,
            halfmoves: setup.halfmoves,
            fullmoves: setup.fullmoves,
            rules: self.rules(),
            extras: Extras {
                promoted: setup.promoted,
                pockets: setup.pockets,
                remaining_checks: setup.remaining_checks,
            },
        }
    }

    /// Creates the position of these pieces. Any number of checkers is accepted, as
    /// constructed positions have them. Positions that could have more moves than a move
    /// list holds are not accepted.
    pub fn from_pieces(
        pieces: impl IntoIterator<Item = (Square, Color, Role)>,
        turn: Color,
        rest: &SetupRest,
    ) -> Result<Self, InvalidSetup> {
        let mut board = Board::empty();
        for (square, color, role) in pieces {
            board.set_piece_at(square, Piece { color, role });
        }
        let setup = Setup {
            board,
            turn,
            castling_rights: Bitboard(rest.castling_rooks),
            ep_square: rest.ep_square,
            halfmoves: rest.halfmoves,
            fullmoves: rest.fullmoves,
            promoted: rest.extras.promoted,
            pockets: rest.extras.pockets,
            remaining_checks: rest.extras.remaining_checks,
        };
        let position = from_setup(setup, rest.rules)?;
        accept_impossible_check(position, rest.rules).and_then(check_move_count)
    }

    /// Parses a FEN, with the same restrictions. Missing fields at the end default to `-`, 0
    /// and 1. Castling rights without their king and rook, and an en-passant square without
    /// its pawn, are ignored.
    pub fn from_fen(fen: &[u8], rules: Rules) -> Result<Self, InvalidSetup> {
        let setup = Fen::from_ascii(fen).map_err(|_| InvalidSetup)?.into_setup();
        let position = from_setup(setup, rules)?
            .or_else(PositionError::ignore_invalid_castling_rights)
            .or_else(PositionError::ignore_invalid_ep_square);
        accept_impossible_check(position, rules).and_then(check_move_count)
    }

    /// Formats the position as a FEN. The en-passant square is included only if a pawn can
    /// capture there.
    pub fn fen(&self) -> String {
        Fen::from_position(&self.0, EnPassantMode::Legal).to_string()
    }

    /// The data of the position's FEN. The en-passant square is included only if a pawn can
    /// capture there.
    pub fn setup(&self) -> super::Setup {
        self.0.to_setup(EnPassantMode::Legal).into()
    }

    /// The square that a pawn has just passed over with a double step, if no pawn can
    /// capture it there.
    pub fn unusable_ep_square(&self) -> Option<Square> {
        match self.0.ep_square(EnPassantMode::Legal) {
            Some(_) => None,
            None => self.0.ep_square(EnPassantMode::Always),
        }
    }

    /// The pieces on the board, in square order.
    pub fn pieces(&self) -> impl Iterator<Item = (Square, Color, Role)> {
        let board = self.0.board().clone();
        board
            .into_iter()
            .map(|(square, piece)| (square, piece.color, piece.role))
    }

    /// The piece on a square.
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        self.0.board().piece_at(square)
    }

    /// Whether this is the standard start position, including counters, with standard
    /// castling.
    pub fn is_standard_start(&self) -> bool {
        self.is_same_as(&ChessPosition::standard())
    }

    /// Whether the pieces, the side to move and all other data are equal. (Equality of
    /// positions ignores counters and en-passant squares where no capture is possible.)
    pub fn is_same_as(&self, other: &ChessPosition) -> bool {
        self.0.board() == other.0.board()
            && self.turn() == other.turn()
            && self.setup_rest() == other.setup_rest()
    }
}

/// Accepts checks that no game can lead to, except in Racing Kings. Neither side is ever in
/// check there, so a king in check could be captured.
fn accept_impossible_check(
    position: Result<VariantPosition, PositionError<VariantPosition>>,
    rules: Rules,
) -> Result<VariantPosition, InvalidSetup> {
    let position = match rules.variant {
        Variant::RacingKings => position,
        _ => position.or_else(PositionError::ignore_impossible_check),
    };
    position.map_err(|_| InvalidSetup)
}

fn check_move_count(position: VariantPosition) -> Result<ChessPosition, InvalidSetup> {
    match fits_move_list(&position) {
        true => Ok(ChessPosition(position)),
        false => Err(InvalidSetup),
    }
}

/// Creates the position of a setup; the inner result says which of its rules are violated.
/// Antichess allows any number of kings, so that there could be more legal moves than a move
/// list holds. Therefore at most 16 pieces a side are accepted.
fn from_setup(
    setup: Setup,
    rules: Rules,
) -> Result<Result<VariantPosition, PositionError<VariantPosition>>, InvalidSetup> {
    let most = Color::ALL.map(|side| setup.board.by_color(side).count());
    if rules.variant == Variant::Antichess && most.into_iter().any(|pieces| pieces > 16) {
        return Err(InvalidSetup);
    }
    let mode = CastlingMode::from_chess960(rules.chess960);
    Ok(VariantPosition::from_setup(rules.variant, setup, mode))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::PlyKind;

    fn position(fen: &str) -> ChessPosition {
        ChessPosition::from_fen(fen.as_bytes(), Rules::CHESS).expect("a position")
    }

    #[test]
    fn racing_kings_are_never_in_check() {
        let rules = Rules::by_name(b"racingkings").unwrap();
        for turn in ["w", "b"] {
            let fen = format!("8/8/8/8/8/8/k1r4K/6R1 {turn} - - 0 1");
            assert!(
                ChessPosition::from_fen(fen.as_bytes(), rules).is_err(),
                "{fen}"
            );
        }
    }

    #[test]
    fn pieces_and_rest_make_the_position() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/8/8/3pP3/8/8/8/R3K2R w Kq d6 0 17",
            "8/8/4k3/8/8/3K4/8/8 b - - 99 120",
        ] {
            let position = position(fen);
            let rebuilt = ChessPosition::from_pieces(
                position.pieces(),
                position.turn(),
                &position.setup_rest(),
            );
            assert!(rebuilt.expect("a position").is_same_as(&position));
        }
    }

    #[test]
    fn positions_have_their_fen() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/8/8/3pP3/8/8/8/R3K2R w Kq d6 0 17",
        ] {
            assert_eq!(position(fen).fen(), fen);
        }
        let idle = "4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1";
        assert_eq!(position(idle).fen(), idle.replace("e3", "-"));
    }

    #[test]
    fn the_standard_start_is_exact() {
        assert!(ChessPosition::standard().is_standard_start());
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
        for rest in [
            "b KQkq - 0 1",
            "w KQk - 0 1",
            "w KQkq - 1 1",
            "w KQkq - 0 2",
        ] {
            assert!(!position(&format!("{start} {rest}")).is_standard_start());
        }
    }

    #[test]
    fn what_is_no_position_is_refused() {
        let kings = |white, black| {
            let pieces = [
                (white, Color::White, Role::King),
                (black, Color::Black, Role::King),
            ];
            let rest = position("8/8/4k3/8/8/3K4/8/8 w - - 0 1").setup_rest();
            ChessPosition::from_pieces(pieces, Color::White, &rest)
        };
        assert!(kings(Square::A1, Square::A3).is_ok());
        assert_eq!(kings(Square::A1, Square::A2), Err(InvalidSetup));
        assert_eq!(kings(Square::A1, Square::A1), Err(InvalidSetup));
    }

    #[test]
    fn any_number_of_checkers_is_accepted() {
        for fen in [
            "k7/8/8/1N3N2/3K4/1n3n2/8/8 w - - 0 1",
            "R3k3/8/3N1N2/8/8/8/8/4K3 b - - 0 1",
        ] {
            assert!(position(fen).pieces().count() > 3);
        }
        for fen in [
            "8/8/8/8/8/8/8/K7 w - - 0 1",
            "k7/8/8/8/8/8/PPPPPPPP/QQQQKQQQ w - - 0 1",
            "no FEN",
        ] {
            let refused = ChessPosition::from_fen(fen.as_bytes(), Rules::CHESS);
            assert_eq!(refused, Err(InvalidSetup));
        }
    }

    /// The king on f1 can step to g1 or castle to g1: two plies.
    #[test]
    fn chess960_castling_goes_onto_the_rook() {
        let position = ChessPosition::from_fen(b"4k3/8/8/8/8/8/8/5K1R w H - 0 1", Rules::CHESS960);
        let mut targets = Vec::new();
        for ply in position.expect("a position").legal_plies() {
            if let PlyKind::Move {
                from: Square::F1,
                to,
                ..
            } = ply
            {
                targets.push(to);
            }
        }
        let expected = [
            Square::E1,
            Square::G1,
            Square::H1,
            Square::E2,
            Square::F2,
            Square::G2,
        ];
        assert_eq!(targets, expected);
    }
}
