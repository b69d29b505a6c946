//! Moves in Standard Algebraic Notation (SAN), in all spellings that occur in
//! collections.
//!
//! [`ChessPosition::write`] writes a ply in standard SAN or with given deviations
//! from it. [`ChessPosition::read`] finds the ply and the deviations of a text, so
//! that writing reproduces the text.

use super::position::{ChessPosition, IllegalPly, PlyKind};
use super::rules::Variant;
use super::san_text::{Body, PieceMove, SanText};
use super::spelling::Spelling;
use shakmaty::{Move, Position as _, Role, Square, attacks};

impl ChessPosition {
    /// Finds the legal ply that a text denotes, and the deviations of the text
    /// from standard SAN. Returns `None` if no ply matches, more than one does,
    /// or writing cannot reproduce the spelling.
    pub fn read(&self, text: &SanText<'_>) -> Option<(PlyKind, Spelling)> {
        self.clone().play_text(text)
    }

    /// Like [`read`](Self::read), but also plays the ply. If the result is
    /// `None`, the position is unspecified.
    pub fn play_text(&mut self, text: &SanText<'_>) -> Option<(PlyKind, Spelling)> {
        let (found, spelling) = match text.body {
            Body::Null { zeros } => (None, flag(zeros, Spelling::ZEROS)),
            Body::Castle { king_side, zeros } => {
                let side = shakmaty::CastlingSide::from_king_side(king_side);
                let castling = shakmaty::Position::castling_moves(&self.0, side);
                (Some(*castling.first()?), flag(zeros, Spelling::ZEROS))
            }
            Body::Piece(piece) => {
                let (found, spelling) = self.read_piece(&piece)?;
                (Some(found), spelling)
            }
            Body::Drop { role, to, bare } => {
                let found = self.legal_move(PlyKind::Drop { role, to })?;
                (Some(found), flag(bare, Spelling::FILE))
            }
        };
        let ply = found.map_or(PlyKind::Null, |m| self.ply(m));
        match found {
            Some(found) => self.advance(found).ok()?,
            None => self.make(PlyKind::Null).ok()?,
        }
        let suffix = self.read_suffix(text.suffix)?;
        Some((ply, Spelling::from_byte(spelling | suffix)))
    }

    fn read_piece(&self, piece: &PieceMove) -> Option<(Move, u8)> {
        let candidates = self.candidates(piece.role, piece.to);
        let mut fitting = candidates.iter().filter(|m| piece.matches(**m));
        let found = *fitting.next()?;
        if fitting.next().is_some() {
            return None;
        }
        let (file, rank) = needed_origin(found, &candidates);
        let spelling = flag(piece.file.is_some() != file, Spelling::FILE)
            | flag(piece.rank.is_some() != rank, Spelling::RANK)
            | flag(found.is_capture() && !piece.capture, Spelling::NO_CAPTURE)
            | flag(found.is_promotion() && !piece.equals, Spelling::NO_EQUALS);
        Some((found, spelling))
    }

    /// The bits of the spelling for the suffix of the move that led to this
    /// position.
    fn read_suffix(&self, suffix: &[u8]) -> Option<u8> {
        let Some(row) = self.suffixes() else {
            return match suffix {
                b"" => Some(0),
                b"+" => Some(Spelling::SPURIOUS_CHECK),
                _ => None,
            };
        };
        let choice = row.iter().position(|text| text.as_bytes() == suffix)?;
        Some(u8::try_from(choice).ok()? << Spelling::SUFFIX_SHIFT)
    }

    fn suffix(&self, spelling: Spelling) -> &'static str {
        match self.suffixes() {
            Some(row) => row
                .get(spelling.suffix_choice())
                .copied()
                .unwrap_or_default(),
            None if spelling.has(Spelling::SPURIOUS_CHECK) => "+",
            None => "",
        }
    }

    /// The suffixes of the move that led to this position, if it gives check or
    /// wins.
    fn suffixes(&self) -> Option<[&'static str; 4]> {
        let [check, mate] = Spelling::SUFFIXES;
        let is_check = self.is_check();
        if (is_check || self.rules().variant != Variant::Chess) && self.is_won() {
            Some(mate)
        } else {
            is_check.then_some(check)
        }
    }

    /// Appends the text of a ply in this spelling, and plays the ply.
    ///
    /// # Errors
    /// It is not legal.
    pub fn write(
        &mut self,
        ply: PlyKind,
        spelling: Spelling,
        out: &mut Vec<u8>,
    ) -> Result<(), IllegalPly> {
        self.write_move(ply, self.legal_move(ply), spelling, out)
    }

    /// Like [`write`](Self::write), for a ply that is known to be legal, as in
    /// [`make_legal`](Self::make_legal).
    ///
    /// # Errors
    /// It is a null move in check, or no move of a piece.
    pub fn write_legal(
        &mut self,
        ply: PlyKind,
        spelling: Spelling,
        out: &mut Vec<u8>,
    ) -> Result<(), IllegalPly> {
        let legal = self.candidate_move(ply);
        debug_assert!(legal.is_none_or(|legal| self.is_legal(legal)), "{ply:?}");
        self.write_move(ply, legal, spelling, out)
    }

    /// Appends the text of a ply that is this legal move, or none if it is a null move, and plays it.
    fn write_move(
        &mut self,
        ply: PlyKind,
        legal: Option<Move>,
        spelling: Spelling,
        out: &mut Vec<u8>,
    ) -> Result<(), IllegalPly> {
        match legal {
            Some(legal) => {
                self.write_body(legal, spelling, out);
                self.advance(legal)?;
            }
            None => {
                self.make(ply)?;
                out.extend_from_slice(if spelling.has(Spelling::ZEROS) {
                    b"Z0"
                } else {
                    b"--"
                });
            }
        }
        out.extend_from_slice(self.suffix(spelling).as_bytes());
        Ok(())
    }

    fn write_body(&self, m: Move, spelling: Spelling, out: &mut Vec<u8>) {
        if let Some(side) = m.castling_side() {
            out.extend_from_slice(match (side.is_king_side(), spelling.has(Spelling::ZEROS)) {
                (true, false) => b"O-O",
                (true, true) => b"0-0",
                (false, false) => b"O-O-O",
                (false, true) => b"0-0-0",
            });
            return;
        }
        if let Move::Put { role, to } = m {
            if role != Role::Pawn || !spelling.has(Spelling::FILE) {
                out.push(upper(role));
            }
            out.push(b'@');
            return push_square(to, out);
        }
        if m.role() != Role::Pawn {
            out.push(upper(m.role()));
        }
        self.write_origin(m, spelling, out);
        if m.is_capture() && !spelling.has(Spelling::NO_CAPTURE) {
            out.push(b'x');
        }
        push_square(m.to(), out);
        if let Some(role) = m.promotion() {
            if !spelling.has(Spelling::NO_EQUALS) {
                out.push(b'=');
            }
            out.push(upper(role));
        }
    }

    /// Whether another piece of the role attacks the target of a move of a piece, so that the text
    /// may need the origin. For most moves none does.
    fn has_rival(&self, m: Move) -> bool {
        let board = self.0.board();
        let piece = m.role().of(self.turn());
        let attackers = attacks::attacks(m.to(), piece, board.occupied());
        let others = attackers & board.by_piece(piece);
        m.from().is_some_and(|from| others.without(from).any())
    }

    fn write_origin(&self, m: Move, spelling: Spelling, out: &mut Vec<u8>) {
        let (file, rank) = match m.role() {
            Role::Pawn => (m.is_capture(), false),
            _ if !self.has_rival(m) => (false, false),
            role => needed_origin(m, &self.candidates(role, m.to())),
        };
        let Some(from) = m.from() else { return };
        if file != spelling.has(Spelling::FILE) {
            out.push(file_byte(from));
        }
        if rank != spelling.has(Spelling::RANK) {
            out.push(rank_byte(from));
        }
    }
}

/// Whether standard SAN includes the file and the rank of the origin.
fn needed_origin(m: Move, candidates: &shakmaty::MoveList) -> (bool, bool) {
    if m.role() == Role::Pawn {
        return (m.is_capture(), false);
    }
    let others = || {
        candidates
            .iter()
            .filter_map(|other| other.from())
            .filter(|from| Some(*from) != m.from())
    };
    let Some(from) = m.from() else {
        return (false, false);
    };
    let same_file = others().any(|other| other.file() == from.file());
    let same_rank = others().any(|other| other.rank() == from.rank());
    let ambiguous = others().next().is_some();
    (ambiguous && (!same_file || same_rank), same_file)
}

fn flag(set: bool, flag: u8) -> u8 {
    if set { flag } else { 0 }
}

fn upper(role: Role) -> u8 {
    u8::try_from(role.upper_char()).unwrap_or(b'?')
}

fn file_byte(square: Square) -> u8 {
    u8::try_from(square.file().char()).unwrap_or(b'?')
}

fn rank_byte(square: Square) -> u8 {
    u8::try_from(square.rank().char()).unwrap_or(b'?')
}

fn push_square(square: Square, out: &mut Vec<u8>) {
    out.extend_from_slice(&[file_byte(square), rank_byte(square)]);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(sans: &str) -> ChessPosition {
        let mut position = ChessPosition::standard();
        for san in sans.split_whitespace() {
            let text = SanText::parse(san.as_bytes()).unwrap();
            let (ply, _) = position.read(&text).unwrap();
            position.make(ply).unwrap();
        }
        position
    }

    /// Reads a token, checks that writing reproduces it, and returns its
    /// spelling.
    fn spelling(before: &str, token: &str) -> u8 {
        let position = after(before);
        let text = SanText::parse(token.as_bytes()).unwrap();
        let (ply, spelling) = position.read(&text).unwrap();
        let mut out = Vec::new();
        position.clone().write(ply, spelling, &mut out).unwrap();
        assert_eq!(out, token.as_bytes());
        spelling.to_byte()
    }

    #[test]
    fn deviations_round_trip() {
        let short = "e4 e5 Nf3 Nc6 Bc4 Bc5";
        assert_eq!(spelling("", "Nf3"), 0);
        assert_eq!(spelling("", "Ng1f3"), Spelling::FILE | Spelling::RANK);
        assert_eq!(spelling("", "Ngf3"), Spelling::FILE);
        assert_eq!(spelling("", "e2e4"), Spelling::FILE | Spelling::RANK);
        assert_eq!(spelling(short, "O-O"), 0);
        assert_eq!(spelling(short, "0-0"), Spelling::ZEROS);
        assert_eq!(spelling(short, "--"), 0);
        assert_eq!(spelling(short, "Z0"), Spelling::ZEROS);
        assert_eq!(spelling(short, "Bxf7+"), 0);
        assert_eq!(
            spelling(short, "Bf7"),
            Spelling::NO_CAPTURE | Spelling::SUFFIX
        );
        assert_eq!(spelling("f3 e5 g4", "Qh4#"), 0);
        assert_eq!(spelling("f3 e5 g4", "Qh4"), Spelling::SUFFIX);
        assert_eq!(spelling("f3 e5 g4", "Qh4+"), 2 * Spelling::SUFFIX);
        assert_eq!(spelling("f3 e5 g4", "Qh4++"), 3 * Spelling::SUFFIX);
        assert_eq!(spelling("e4 d5", "exd5"), 0);
        assert_eq!(spelling("e4 d5 e5 f5", "exf6"), 0);
        assert_eq!(
            spelling("a4 b5 axb5 a6 bxa6 Bb7 axb7 Nc6", "bxa8Q"),
            Spelling::NO_EQUALS
        );
        assert_eq!(spelling("a4 b5 axb5 a6 bxa6 Bb7 axb7 Nc6", "bxa8=N"), 0);
        assert_eq!(spelling("Nf3 Nf6 d3 d6", "Nbd2"), 0);
        assert_eq!(spelling("", "e4+"), Spelling::SPURIOUS_CHECK);
    }

    #[test]
    fn deviations_that_do_not_apply_have_no_effect() {
        let default =
            Spelling::from_byte(!(Spelling::FILE | Spelling::RANK | Spelling::SPURIOUS_CHECK));
        let text = SanText::parse(b"e4").unwrap();
        let (ply, _) = ChessPosition::standard().read(&text).unwrap();
        let mut out = Vec::new();
        ChessPosition::standard()
            .write(ply, default, &mut out)
            .unwrap();
        assert_eq!(out, b"e4");
    }

    #[test]
    fn what_is_not_a_move_is_none() {
        for token in [
            "", "+", "e9", "Nf", "1.", "e4e", "Pe4", "Kee", "hello", "=Q", "Z1",
        ] {
            assert_eq!(SanText::parse(token.as_bytes()), None, "{token}");
        }
    }

    #[test]
    fn what_is_not_legal_is_none() {
        let start = ChessPosition::standard();
        for token in ["e5", "Nd2", "O-O", "Qh5", "exd3", "e4=Q", "e4e4", "Nxf3"] {
            let text = SanText::parse(token.as_bytes());
            assert_eq!(text.and_then(|text| start.read(&text)), None, "{token}");
        }
        let drop = SanText::parse(b"N@f3").unwrap();
        assert_eq!(start.read(&drop), None);
        let two_knights = after("Nf3 Nf6 d3 d6");
        let text = SanText::parse(b"Nd2").unwrap();
        assert_eq!(two_knights.read(&text), None, "ambiguous");
    }
}
