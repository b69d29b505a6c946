//! The data of a FEN, which need not be a position by the rules.

use std::num::NonZeroU32;

use shakmaty::fen::{Fen, LossyFenError, ParseFenError};
use shakmaty::{Board, Color, File, Piece, Square};

use super::Extras;

/// The FEN is malformed (with the field in error), or its position is not legal.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", .0.as_ref().map_or("not a legal position".to_owned(), ToString::to_string))]
pub struct InvalidFen(Option<ParseFenError>);

impl InvalidFen {
    /// The error for a well-formed FEN whose position is not legal.
    pub(crate) const ILLEGAL: InvalidFen = InvalidFen(None);
}

/// All data of a FEN.
///
/// No rule is enforced: any number of kings and castling rights without rooks are
/// possible.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setup {
    /// The piece on each square, in the order a1, b1, … h8.
    pub pieces: [Option<Piece>; 64],
    /// The side to move.
    pub turn: Color,
    /// The squares of the rooks that may castle, one bit per square, a1 lowest. A
    /// right without its rook has the square of the corner.
    pub castling_rooks: u64,
    /// The square that a pawn has just passed over with a double step.
    pub ep_square: Option<Square>,
    /// Plies since the last capture or pawn move.
    pub halfmoves: u32,
    /// The number of the next move; at least 1.
    pub fullmoves: NonZeroU32,
    /// The data of variants.
    pub extras: Extras,
}

impl Setup {
    /// Parses a FEN. Missing fields at its end default to `w`, `-`, `-`, 0 and 1.
    /// A move number of 0 is read as 1.
    ///
    /// # Errors
    /// The text is not a well-formed FEN.
    pub fn from_fen(fen: &[u8]) -> Result<Self, InvalidFen> {
        let fen = Fen::from_ascii(fen).map_err(|error| InvalidFen(Some(error)))?;
        Ok(fen.into_setup().into())
    }

    /// Formats the FEN. A castling right is written as `K`, `Q`, `k` or `q` if its
    /// rook is the outermost on its side, otherwise as the rook's file (X-FEN).
    /// Rights that a FEN cannot represent are omitted: those off the first rank,
    /// and a third one of a side.
    pub fn fen(&self) -> String {
        let fen = Fen::try_from_setup(self.to_shakmaty());
        let fen = fen.unwrap_or_else(LossyFenError::ignore);
        fen.to_string()
    }

    /// Formats the FEN with castling rights as the rooks' files (Shredder-FEN).
    pub fn shredder_fen(&self) -> String {
        let fen = self.fen();
        let mut fields: Vec<&str> = fen.split(' ').collect();
        let rights = self.rook_files();
        if let Some(field) = fields.get_mut(2).filter(|_| !rights.is_empty()) {
            *field = &rights;
        }
        fields.join(" ")
    }

    /// The files of the castling rooks: White's first, in upper case, and each
    /// side's from the h-file to the a-file.
    fn rook_files(&self) -> String {
        let mut files = String::new();
        for side in Color::ALL {
            for file in File::ALL.into_iter().rev() {
                let square = Square::from_coords(file, side.backrank());
                if self.castling_rooks >> u32::from(square) & 1 == 1 {
                    files.push(side.fold_wb(file.upper_char(), file.char()));
                }
            }
        }
        files
    }

    /// The setup with colours exchanged and ranks mirrored, without the data of variants.
    pub fn flipped(&self) -> Setup {
        let mut pieces = Square::ALL.map(|square| {
            let piece = self.pieces.get(usize::from(square.flip_vertical()));
            piece.copied().flatten()
        });
        for piece in pieces.iter_mut().flatten() {
            piece.color = !piece.color;
        }
        Setup {
            pieces,
            turn: !self.turn,
            castling_rooks: self.castling_rooks.swap_bytes(),
            ep_square: self.ep_square.map(Square::flip_vertical),
            extras: Extras::default(),
            ..*self
        }
    }

    fn to_shakmaty(&self) -> shakmaty::Setup {
        let pieces = Square::ALL.into_iter().zip(self.pieces);
        let mut board = Board::empty();
        for (square, piece) in pieces {
            if let Some(piece) = piece {
                board.set_piece_at(square, piece);
            }
        }
        let Extras {
            promoted,
            pockets,
            remaining_checks,
        } = self.extras.clone();
        shakmaty::Setup {
            board,
            promoted,
            pockets,
            turn: self.turn,
            castling_rights: shakmaty::Bitboard(self.castling_rooks),
            ep_square: self.ep_square,
            remaining_checks,
            halfmoves: self.halfmoves,
            fullmoves: self.fullmoves,
        }
    }
}

impl From<shakmaty::Setup> for Setup {
    fn from(setup: shakmaty::Setup) -> Self {
        Setup {
            pieces: Square::ALL.map(|square| setup.board.piece_at(square)),
            turn: setup.turn,
            castling_rooks: setup.castling_rights.0,
            ep_square: setup.ep_square,
            halfmoves: setup.halfmoves,
            fullmoves: setup.fullmoves,
            extras: Extras {
                promoted: setup.promoted,
                pockets: setup.pockets,
                remaining_checks: setup.remaining_checks,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{ChessPosition, Rules};

    fn setup(fen: &str) -> Setup {
        Setup::from_fen(fen.as_bytes()).expect("a FEN")
    }

    #[test]
    fn fens_round_trip() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
            "8/8/8/8/8/8/8/8 w - - 99 300",
            "kkkk4/8/8/8/8/8/8/KKKK4 b - a1 0 1",
            "rk1r4/8/8/8/8/8/8/RRK4R w KBkq - 3 4",
            "4k3/8/8/8/8/8/8/4K2R[Qp] w K - 0 1",
        ] {
            assert_eq!(setup(fen).fen(), fen);
        }
        let short = "4k3/8/8/8/8/8/8/4K3";
        assert_eq!(setup(short).fen(), format!("{short} w - - 0 1"));
        assert!(Setup::from_fen(b"4k3/8").is_err());
    }

    #[test]
    fn flipped_setups_are_of_the_other_side() {
        let fen = "r3k3/8/8/8/3pP3/8/8/4K2R b Kq e3 4 9";
        let other = "4k2r/8/8/3Pp3/8/8/8/R3K3 w Qk e6 4 9";
        assert_eq!(setup(fen).flipped().fen(), other);
        assert_eq!(setup(fen).flipped().flipped(), setup(fen));
    }

    #[test]
    fn rights_are_written_as_files() {
        let fen = "rk1r4/8/8/8/8/8/8/RRK4R w KBkq - 3 4";
        assert_eq!(setup(fen).shredder_fen(), fen.replace("KBkq", "HBda"));
        let none = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
        assert_eq!(setup(none).shredder_fen(), none);
    }

    #[test]
    fn idle_en_passant_squares_are_of_the_fen_alone() {
        let fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1";
        assert_eq!(setup(fen).ep_square, Some(Square::E3));
        let position = ChessPosition::from_fen(fen.as_bytes(), Rules::CHESS).expect("a position");
        assert_eq!(position.setup().ep_square, None);
        assert_eq!(position.setup().fen(), position.fen());
    }
}
