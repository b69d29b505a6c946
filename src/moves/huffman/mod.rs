//! `huffman`, the founding codec: trees over piece IDs and target squares,
//! counted over one game and written with it (`spec/moves.md`, "huffman").
//!
//! Two passes over a game and no model shared between games: the script lists
//! what the bits say, in their order; counting the list gives the trees, and
//! the list is then written with them.

mod decode;
mod error;
mod script;
mod trees;

use crate::limits::Limits;

use super::codec::MoveCodec;
use super::line::{CannotRepresent, DecodedLine, Line, MoveError, Shape};
use script::Script;

pub use error::{HuffmanError, WhichTree};

/// The two forms of the codec.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Huffman {
    /// The pieces of the start position are written.
    Written,
    /// The start position is the standard one and is not written.
    StartElided,
}

impl MoveCodec for Huffman {
    fn encode(&self, line: Line<'_>) -> Result<Vec<u8>, CannotRepresent> {
        Ok(Script::of(*self, line)?.write())
    }

    fn decode(
        &self,
        bytes: &[u8],
        shape: &Shape<'_>,
        limits: &Limits,
    ) -> Result<DecodedLine, MoveError> {
        shape.check(limits)?;
        decode::decode(*self, bytes, shape)
    }

    /// From the leaves of the trees, 6 and 7 bits and a branch each but one,
    /// and two bits for whatever is coded after the first.
    fn least_bytes(&self, line: Line<'_>) -> usize {
        let moves = line.moves();
        let bits = match self {
            Huffman::StartElided if moves == 0 => 0,
            Huffman::StartElided => 12 + moves,
            Huffman::Written => {
                let pieces = line.start.pieces().count();
                15 * pieces + 2 * (pieces + moves) + 2
            }
        };
        bits.div_ceil(8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Rules;
    use crate::chess::{Ply, Position};
    use crate::moves::{Start, null_plies};
    use proptest::prelude::*;

    const STANDARD: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    /// Start positions, the last two with Chess960 castling.
    const STARTS: [&str; 8] = [
        STANDARD,
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 3 2",
        "r3k2r/1P4P1/8/p1pPpPp1/P1PpPpP1/8/1p4p1/R3K2R w KQkq - 0 1",
        "r3k2r/1P4P1/8/3pP3/3Pp3/8/1p4p1/R3K2R w Kq d6 0 17",
        "8/8/4k3/8/8/3K4/8/8 b - - 99 120",
        "1r2k3/8/QN6/NQ6/1N1R4/8/P6P/RR2K3 b - - 0 1",
        "1rk3r1/pp4pp/8/8/8/8/PP4PP/1RK3R1 w GBgb - 0 1",
        "5k1r/8/8/8/8/8/8/5K1R w Hh - 0 1",
    ];

    fn start(index: usize) -> Position {
        let rules = if index >= 6 {
            Rules::CHESS960
        } else {
            Rules::CHESS
        };
        Position::from_fen(STARTS[index].as_bytes(), rules).expect("a position")
    }

    /// Plays from a start position, one ply a pick; now and then a null move.
    fn play(start: &Position, picks: &[usize]) -> Vec<Ply> {
        let mut position = start.clone();
        let mut plies = Vec::new();
        for pick in picks {
            let legal = position.legal_plies();
            let ply = match legal.get(pick % legal.len().max(1)) {
                Some(_) if pick % 31 == 0 => Ply::Null,
                Some(ply) => *ply,
                None => break,
            };
            if position.play(ply).is_ok() {
                plies.push(ply);
            }
        }
        plies
    }

    fn picks() -> impl Strategy<Value = Vec<usize>> {
        prop::collection::vec(any::<usize>(), 0..150)
    }

    fn form(elided: bool) -> Huffman {
        if elided {
            Huffman::StartElided
        } else {
            Huffman::Written
        }
    }

    #[test]
    fn only_the_standard_start_can_be_elided() {
        for index in 0..STARTS.len() {
            let start = start(index);
            let line = Line::new(&start, &[]);
            let expected = match index {
                0 => Ok(Vec::new()),
                _ => Err(CannotRepresent::NotStandardStart),
            };
            assert_eq!(Huffman::StartElided.encode(line), expected);
            assert!(Huffman::Written.encode(line).is_ok());
        }
    }

    #[test]
    fn the_start_announced_is_checked() {
        let announced = start(1);
        let standard = start(0);
        let line = Line::new(&standard, &[]);
        for form in [Huffman::Written, Huffman::StartElided] {
            let bytes = form.encode(line).expect("an encoding");
            let shape = Shape {
                start: Start::Position(&announced),
                plies: 0,
                nulls: &[],
            };
            let decoded = form.decode(&bytes, &shape, &Limits::default());
            let rebuilt_from_the_rest = form == Huffman::Written;
            assert_eq!(decoded.is_ok(), rebuilt_from_the_rest);
            let moved = start(4);
            let shape = Shape {
                start: Start::Position(&moved),
                ..shape
            };
            let decoded = form.decode(&bytes, &shape, &Limits::default());
            assert_eq!(decoded, Err(MoveError::WrongStart));
        }
    }

    #[test]
    fn what_is_not_legal_cannot_be_represented() {
        let start = start(0);
        let mut plies = play(&start, &[1, 2, 3]);
        plies.extend(plies.clone());
        for form in [Huffman::Written, Huffman::StartElided] {
            let line = Line::new(&start, &plies);
            let answer = Err(CannotRepresent::IllegalPly { ply: 3 });
            assert_eq!(form.encode(line), answer);
        }
    }

    proptest! {
        #[test]
        fn games_come_back(
            index in 0..STARTS.len(),
            picks in picks(),
            elided: bool,
            known: bool,
        ) {
            let form = form(elided && index == 0);
            let start = start(index);
            let plies = play(&start, &picks);
            let line = Line::new(&start, &plies);
            let bytes = form.encode(line).expect("an encoding");
            prop_assert!(form.least_bytes(line) <= bytes.len());
            let rest = start.rest();
            let shape = Shape {
                start: if known { Start::Position(&start) } else { Start::Rest(&rest) },
                plies: plies.len() as u64,
                nulls: &null_plies(&plies),
            };
            let decoded = form.decode(&bytes, &shape, &Limits::default()).expect("a line");
            prop_assert!(decoded.start.is_same_as(&start));
            prop_assert_eq!(decoded.plies, plies);
        }

        /// Whatever decodes is what its line is encoded with.
        #[test]
        fn one_game_has_one_encoding(
            index in 0..STARTS.len(),
            picks in picks(),
            elided: bool,
            flips in prop::collection::vec(any::<prop::sample::Index>(), 1..4),
        ) {
            let form = form(elided && index == 0);
            let start = start(index);
            let plies = play(&start, &picks);
            let mut bytes = form.encode(Line::new(&start, &plies)).expect("an encoding");
            if bytes.is_empty() {
                return Ok(());
            }
            for flip in flips {
                let bit = flip.index(bytes.len() * 8);
                bytes[bit / 8] ^= 0x80 >> (bit % 8);
            }
            let rest = start.rest();
            let shape = Shape {
                start: Start::Rest(&rest),
                plies: plies.len() as u64,
                nulls: &null_plies(&plies),
            };
            if let Ok(decoded) = form.decode(&bytes, &shape, &Limits::default()) {
                let line = Line::new(&decoded.start, &decoded.plies);
                prop_assert_eq!(form.encode(line), Ok(bytes));
            }
        }

        #[test]
        fn any_bits_give_an_answer(
            bytes in prop::collection::vec(any::<u8>(), 0..100),
            plies in 0u64..40,
            elided: bool,
        ) {
            // Castling rights would make nearly every position invalid.
            let rest = start(if elided { 0 } else { 4 }).rest();
            let shape = Shape { start: Start::Rest(&rest), plies, nulls: &[] };
            let form = form(elided);
            if let Ok(line) = form.decode(&bytes, &shape, &Limits::default()) {
                let again = Line::new(&line.start, &line.plies);
                prop_assert_eq!(form.encode(again), Ok(bytes));
            }
        }
    }
}
