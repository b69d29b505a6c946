//! Positions and plies for users of the library: opaque, so that no type of another crate
//! is part of the public API.

use super::game::Game;
use super::start::Start;
use crate::chess::{self, Color, IllegalPly, InvalidFen, PlyKind, SanText, Setup, Spelling};
use std::fmt;

/// A position of chess or of one of its variants. The default is the start position.
///
/// With the feature `shakmaty` it converts from and to `shakmaty::variant::VariantPosition`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Position(pub(super) chess::ChessPosition);

/// A half-move: a move, a null move or, in Crazyhouse, a drop. Its text is UCI notation, with
/// `0000` for a null move.
///
/// With the feature `shakmaty` it converts to `shakmaty::uci::UciMove`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Ply(PlyKind);

impl Position {
    /// The position of a FEN under the rules of chess, or of Chess960 if only these allow its
    /// castling rights. Missing fields at the end default to `-`, 0 and 1.
    ///
    /// # Errors
    /// The FEN is malformed or not a legal position.
    pub fn from_fen(fen: &str) -> Result<Self, InvalidFen> {
        let fen = fen.trim().as_bytes();
        // A tag with an empty FEN means the start position.
        Setup::from_fen(fen)?;
        let tags = [(&b"FEN"[..], fen)];
        let start = Start::of(tags.into_iter()).ok_or(InvalidFen::ILLEGAL)?;
        Ok(Position(start.1))
    }

    /// The FEN of the position. It has an en-passant square only if a pawn can capture there.
    pub fn fen(&self) -> String {
        self.0.fen()
    }

    /// Whether White is to move.
    pub fn is_white_to_move(&self) -> bool {
        self.0.turn() == Color::White
    }

    /// Whether the king of the side to move is attacked.
    pub fn is_check(&self) -> bool {
        self.0.is_check()
    }

    /// The number of the next move, as the FEN has it; at least 1.
    pub fn fullmoves(&self) -> u32 {
        self.0.fullmoves()
    }

    /// All legal moves, in a fixed order. Null moves are not among them.
    pub fn legal_plies(&self) -> Vec<Ply> {
        self.0.legal_plies().into_iter().map(Ply).collect()
    }

    /// The ply that a text in standard algebraic notation names; `None` if it names no legal
    /// move, or more than one. Common deviations such as `0-0` and `e2e4` are accepted.
    pub fn ply(&self, san: &str) -> Option<Ply> {
        let (ply, _) = self.0.read(&SanText::parse(san.as_bytes())?)?;
        Some(Ply(ply))
    }

    /// The standard algebraic notation of a ply.
    ///
    /// # Errors
    /// The ply is illegal in this position.
    pub fn san(&self, ply: Ply) -> Result<String, IllegalPly> {
        let mut text = Vec::new();
        let mut position = self.0.clone();
        let written = position.write(ply.0, Spelling::default(), &mut text);
        written?;
        Ok(String::from_utf8_lossy(&text).into_owned())
    }

    /// Plays a ply.
    ///
    /// # Errors
    /// The ply is illegal in this position, which stays as it is.
    pub fn play(&mut self, ply: Ply) -> Result<(), IllegalPly> {
        self.0.make(ply.0)
    }
}

impl Ply {
    /// The ply in 16 bits: the origin in bits 0 to 5 and the target in bits 6 to 11 (a1 is 0, b1
    /// is 1, h8 is 63), and in bits 12 to 14 the role of a promotion: 0 for none, 1 for a pawn, 2
    /// for a knight, 3 for a bishop, 4 for a rook, 5 for a queen, 6 for a king, as in
    /// python-chess. Castling is the king's move; in Chess960, its move onto its own rook. A drop
    /// has bit 15 set, its role in bits 12 to 14 and its target in bits 6 to 11. A null move is 0.
    pub fn to_bits(self) -> u16 {
        self.0.to_bits()
    }

    /// The ply of [`Ply::to_bits`]; `None` if there is none.
    pub fn from_bits(bits: u16) -> Option<Ply> {
        PlyKind::from_bits(bits).map(Ply)
    }
}

impl fmt::Display for Ply {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(out)
    }
}

impl Game {
    /// The plies of the main line from the start position, up to the first illegal one.
    /// Empty if the start position is not a legal position.
    pub fn plies(&self) -> Vec<Ply> {
        self.main_line_plies().into_iter().map(Ply).collect()
    }

    /// The position after this many plies of the main line; 0 is the start position. `None`
    /// if the line is shorter or has an illegal move before, or if the start position is not
    /// a legal position.
    pub fn position(&self, plies: usize) -> Option<Position> {
        self.main_line_position(plies).map(Position)
    }
}

#[cfg(feature = "shakmaty")]
mod conversions {
    use super::{Ply, Position};
    use crate::chess::{UciMove, VariantPosition};

    impl From<Position> for VariantPosition {
        fn from(position: Position) -> Self {
            position.0.into()
        }
    }

    impl From<VariantPosition> for Position {
        fn from(position: VariantPosition) -> Self {
            Position(position.into())
        }
    }

    impl From<Ply> for UciMove {
        fn from(ply: Ply) -> Self {
            ply.0.into()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plies_are_played_and_written() {
        let mut position = Position::default();
        for (san, uci) in [
            ("e4", "e2e4"),
            ("e5", "e7e5"),
            ("Nf3", "g1f3"),
            ("--", "0000"),
        ] {
            let ply = position.ply(san).unwrap();
            assert_eq!(position.san(ply).unwrap(), san);
            assert_eq!(ply.to_string(), uci);
            position.play(ply).unwrap();
        }
        assert!(position.is_white_to_move() && !position.is_check());
        let king_move = position.ply("Ke2").unwrap();
        position.play(king_move).unwrap();
        assert_eq!(position.play(king_move), Err(IllegalPly));
        assert_eq!(position.san(king_move), Err(IllegalPly));
        assert_eq!(position.ply("Ke9"), None);
    }

    #[test]
    fn plies_come_back_from_their_bits() {
        for (fen, san, bits) in [
            ("7k/8/8/8/8/8/4P3/7K w - - 0 1", "e4", 12 | 28 << 6),
            (
                "7k/P7/8/8/8/8/8/7K w - - 0 1",
                "a8=N",
                48 | 56 << 6 | 2 << 12,
            ),
            ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "O-O", 4 | 6 << 6),
            ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "--", 0),
        ] {
            let ply = Position::from_fen(fen).unwrap().ply(san).unwrap();
            assert_eq!(ply.to_bits(), bits, "{san}");
            assert_eq!(Ply::from_bits(bits), Some(ply), "{san}");
        }
        let game = Game::parse(b"[Variant \"Crazyhouse\"]\n\n1. e4 d5 2. exd5 Qxd5 3. P@e4 *");
        let drop = game.plies().pop().unwrap();
        assert_eq!(drop.to_bits(), 1 << 15 | 1 << 12 | 28 << 6);
        let decoded = (0..=u16::MAX).filter_map(|bits| Some((bits, Ply::from_bits(bits)?)));
        assert!(decoded.into_iter().all(|(bits, ply)| ply.to_bits() == bits));
        assert_eq!(Ply::from_bits(7 << 12), None);
        assert_eq!(Ply::from_bits(1 << 15), None);
    }

    #[test]
    fn moves_without_a_plain_square_pair_have_texts() {
        let text = |fen: &str, san: &str| {
            let position = Position::from_fen(fen).unwrap();
            position.ply(san).unwrap().to_string()
        };
        assert_eq!(text("7k/P7/8/8/8/8/8/7K w - - 0 1", "a8=N"), "a7a8n");
        assert_eq!(text("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "O-O"), "e1g1");
        assert_eq!(text("4k3/8/8/8/8/8/8/1R2K3 w B - 0 1", "O-O-O"), "e1b1");
        let game = Game::parse(b"[Variant \"Crazyhouse\"]\n\n1. e4 d5 2. exd5 Qxd5 3. P@e4 *");
        assert_eq!(game.plies().pop().unwrap().to_string(), "P@e4");
    }

    #[test]
    fn fens_round_trip_or_are_rejected() {
        let fen = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3";
        assert_eq!(Position::from_fen(fen).unwrap().fen(), fen);
        for refused in [
            "",
            "8/8/8/8/8/8/8/8 w - - 0 1",
            "x",
            "4k3/8/8/8/8/8/8/8 w - -",
        ] {
            assert!(Position::from_fen(refused).is_err(), "{refused}");
        }
    }
}
