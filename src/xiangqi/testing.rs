//! Positions and games for tests, and what holds of every code.

use proptest::prelude::*;
use proptest::sample::Index;

use super::*;

/// The position of a FEN.
pub(super) fn position(fen: &str) -> Position {
    fen.parse::<Fen>().expect("a FEN").position
}

/// The moves that these picks choose among the legal ones, and where they lead.
fn play(start: &Position, picks: &[usize]) -> (Vec<Move>, Position) {
    let mut position = start.clone();
    let mut moves = Vec::new();
    for pick in picks {
        let legal = position.legal_moves();
        let Some(played) = legal.get(pick % legal.len().max(1)) else {
            break;
        };
        position.play(*played).expect("a legal move");
        moves.push(*played);
    }
    (moves, position)
}

/// A board with any pieces anywhere, most of them by number and place as in a
/// game.
fn boards() -> impl Strategy<Value = Position> {
    let pieces = prop::collection::vec((0..14usize, any::<Index>(), 0..8u8), 0..40);
    (pieces, any::<bool>()).prop_map(|(pieces, is_red)| {
        let turn = if is_red { Side::Red } else { Side::Black };
        let mut position = Position::empty(turn);
        for (piece, point, is_odd) in pieces {
            let piece = Piece::all().nth(piece).expect("a piece");
            let there = position.points_of(piece).count();
            let points = match is_odd {
                0 => Point::all().collect(),
                _ => places::reach(piece),
            };
            if is_odd == 0 || there < piece.kind.count() {
                position.put(points[point.index(points.len())], Some(piece));
            }
        }
        position
    })
}

fn comes_back(code: Code, position: &Position) -> Result<(), TestCaseError> {
    if let Ok(bits) = code.encode(position) {
        prop_assert_eq!(code.decode(bits.bytes()), Ok(position.clone()));
    }
    Ok(())
}

/// What decodes is encoded with the same bytes.
fn is_canonical(code: Code, bytes: &[u8]) -> Result<(), TestCaseError> {
    if let Ok(position) = code.decode(bytes) {
        let again = code.encode(&position).expect("bits");
        prop_assert_eq!(again.bytes(), bytes);
    }
    Ok(())
}

fn link_is_canonical(text: &str) -> Result<(), TestCaseError> {
    if let Ok(link) = Link::decode(text) {
        prop_assert_eq!(link.encode(), Ok(text.to_owned()));
    }
    Ok(())
}

fn picks() -> impl Strategy<Value = Vec<usize>> {
    prop::collection::vec(any::<usize>(), 0..120)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn positions_of_games_have_all_codes(picks in picks()) {
        let start = Position::start();
        let (moves, last) = play(&start, &picks);
        for code in Code::ALL {
            let bits = code.encode(&last).expect("a position of a game");
            prop_assert_eq!(code.decode(bits.bytes()), Ok(last.clone()));
        }
        prop_assert_eq!(&last.fen().parse::<Fen>().expect("a FEN").position, &last);
        let link = Link { start, moves };
        let text = link.encode().expect("a link");
        prop_assert_eq!(Link::decode(&text), Ok(link.clone()));
        prop_assert_eq!(link.last_position(), last);
    }

    #[test]
    fn any_board_comes_back_or_is_refused(board in boards(), picks in picks()) {
        for code in Code::ALL {
            comes_back(code, &board)?;
        }
        prop_assert_eq!(&board.fen().parse::<Fen>().expect("a FEN").position, &board);
        let (moves, _) = play(&board, &picks[..picks.len().min(10)]);
        let link = Link { start: board.clone(), moves };
        match link.encode() {
            Ok(text) => prop_assert_eq!(Link::decode(&text), Ok(link)),
            Err(refusal) => {
                let refused = Code::Prefix.encode(&board).expect_err("a refusal");
                prop_assert_eq!(refusal, CannotShare::Start(refused));
            }
        }
    }

    /// One position has one encoding.
    #[test]
    fn damaged_bits_are_refused_or_canonical(
        board in boards(),
        picks in picks(),
        flips in prop::collection::vec(any::<Index>(), 1..4),
    ) {
        let start = Position::start();
        let (moves, last) = play(&start, &picks);
        for code in Code::ALL {
            for position in [&last, &board] {
                let Ok(bits) = code.encode(position) else { continue };
                let mut bytes = bits.bytes().to_vec();
                for flip in &flips {
                    let bit = flip.index(bytes.len() * 8);
                    bytes[bit / 8] ^= 0x80 >> (bit % 8);
                }
                is_canonical(code, &bytes)?;
            }
        }
        let text = Link { start, moves }.encode().expect("a link");
        let mut bytes = text.into_bytes();
        for flip in &flips {
            let at = flip.index(bytes.len());
            bytes[at] = b"ABCXYZabcxyz0189-_"[flip.index(18)];
        }
        link_is_canonical(std::str::from_utf8(&bytes).expect("ASCII"))?;
    }

    #[test]
    fn any_bytes_give_an_answer(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
        for code in Code::ALL {
            is_canonical(code, &bytes)?;
        }
        let text = String::from_utf8_lossy(&bytes);
        link_is_canonical(&text)?;
        if let Ok(fen) = text.parse::<Fen>() {
            prop_assert!(fen.position.fen().parse::<Fen>().is_ok());
        }
    }
}
