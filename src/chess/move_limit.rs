//! Positions with more moves than a move list of shakmaty holds.

use shakmaty::variant::VariantPosition;
use shakmaty::{MoveList, Position as _, Rank, Role, attacks};

/// Whether the move list holds all moves of the side to move, with pins and
/// checks ignored. In Crazyhouse, constructed positions with many promoted
/// pieces and full hands exceed it, and the list would panic. In the other
/// variants, the bounds of the pieces prevent that.
pub(super) fn fits_move_list(position: &VariantPosition) -> bool {
    let VariantPosition::Crazyhouse(house) = position else {
        return true;
    };
    let board = house.board();
    let occupied = board.occupied();
    let mut moves = 0;
    for from in house.us() {
        moves += match board.piece_at(from) {
            // A step and two captures, each with four promotions; else two
            // steps and two captures.
            Some(piece) if piece.role == Role::Pawn => {
                match from.rank() == house.turn().relative_rank(Rank::Seventh) {
                    true => 12,
                    false => 4,
                }
            }
            Some(piece) => (attacks::attacks(from, piece, occupied) & !house.us()).count(),
            None => 0,
        };
    }
    let castlings = 2;
    let hand = house.pockets().map(|pockets| pockets.get(house.turn()));
    let kinds = hand.map_or(0, |hand| hand.iter().filter(|count| **count > 0).count());
    moves + castlings + kinds * (!occupied).count() <= MoveList::new().capacity()
}

#[cfg(test)]
mod tests {
    use crate::chess::{ChessPosition, PlyKind, Role, Rules, Square};

    fn position(fen: &str) -> Option<ChessPosition> {
        let rules = Rules::by_name(b"crazyhouse").expect("rules");
        ChessPosition::from_fen(fen.as_bytes(), rules).ok()
    }

    #[test]
    fn positions_with_too_many_moves_are_none() {
        let queens = "kBR1QQ~2/1R5Q~/K3Q~3/Q~5Q~1/Q~2Q~4/Q~4Q~2/Q~6Q~/1Q~Q~1Q~Q~2";
        assert!(position(&format!("{queens}[QRBNP] w - - 0 1")).is_none());
        let black = position(&format!("{queens}[QRBNP] b - - 0 1"));
        let mut black = black.expect("Black has few moves");
        assert!(
            black
                .legal_plies()
                .iter()
                .all(|ply| black.clone().make(*ply).is_err())
        );
        assert!(black.make(PlyKind::Null).is_err());
    }

    #[test]
    fn ordinary_positions_fit_the_move_list() {
        let mut full = position("r1bqkb1r/ppp2ppp/2n5/8/8/2N5/PPP2PPP/R1BQKB1R[NPnp] w KQkq - 0 9")
            .expect("a position");
        let drop = PlyKind::Drop {
            role: Role::Knight,
            to: Square::E4,
        };
        assert!(full.make(drop).is_ok());
    }
}
