//! Test positions and games, and properties of all codes.

use proptest::prelude::*;
use proptest::sample::Index;

use super::*;

/// The position of a FEN.
pub(super) fn position(fen: &str) -> XiangqiPosition {
    fen.parse::<Fen>().expect("a FEN").position
}

/// A game of legal moves chosen by these picks.
fn game(start: &XiangqiPosition, picks: &[usize]) -> Link {
    let mut link = Link::new(start.clone());
    for pick in picks {
        let legal = link.last_position().legal_moves();
        let Some(played) = legal.get(pick % legal.len().max(1)) else {
            break;
        };
        link.play(*played).expect("a legal move");
    }
    link
}

fn side(is_red: bool) -> XiangqiSide {
    if is_red {
        XiangqiSide::Red
    } else {
        XiangqiSide::Black
    }
}

/// A board with numbers of pieces and points as in a game or, in one of four
/// cases, with any pieces anywhere.
fn boards() -> impl Strategy<Value = XiangqiPosition> {
    let pieces = prop::collection::vec((0..14usize, any::<Index>()), 0..40);
    (pieces, any::<bool>(), 0..4u8).prop_map(|(pieces, is_red, is_odd)| {
        let is_odd = is_odd == 0;
        let mut position = XiangqiPosition::empty(side(is_red));
        for (piece, point) in pieces {
            let piece = XiangqiPiece::all().nth(piece).expect("a piece");
            let there = position.points_of(piece).count();
            let points = match is_odd {
                true => Point::all().collect(),
                false => places::reach(piece),
            };
            if is_odd || there < piece.kind.count() {
                position.put(points[point.index(points.len())], Some(piece));
            }
        }
        position
    })
}

/// A board with all 32 pieces, each within its reach.
fn full_boards() -> impl Strategy<Value = XiangqiPosition> {
    let points = prop::collection::vec(any::<Index>(), 32);
    (points, any::<bool>()).prop_map(|(points, is_red)| {
        let mut position = XiangqiPosition::empty(side(is_red));
        // Pieces with few points first.
        let mut pieces: Vec<XiangqiPiece> = places::pieces().collect();
        pieces.sort_by_key(|piece| places::reach(*piece).len());
        for (piece, point) in pieces.into_iter().zip(points) {
            let mut free = places::reach(piece);
            free.retain(|point| position.at(*point).is_none());
            position.put(free[point.index(free.len())], Some(piece));
        }
        position
    })
}

fn any_boards() -> impl Strategy<Value = XiangqiPosition> {
    prop_oneof![3 => boards(), 1 => full_boards()]
}

/// Whether a code can represent a board, according to the specification.
fn can_represent(code: XiangqiCode, board: &XiangqiPosition) -> bool {
    let count = |piece| board.pieces().filter(|(_, there)| *there == piece).count();
    let most = |kind| match kind {
        XiangqiPieceKind::General => 1,
        XiangqiPieceKind::Soldier => 5,
        _ => 2,
    };
    let numbers = XiangqiPiece::all().all(|piece| count(piece) <= most(piece.kind));
    let piece_at = |side, file: u8, row: u8| {
        let number = 9 * row + file;
        let number = if side == XiangqiSide::Red {
            number
        } else {
            89 - number
        };
        let kind = XiangqiPieceKind::Soldier;
        board.at(Point::new(number).expect("a point")) == Some(XiangqiPiece { side, kind })
    };
    let two_at_home = XiangqiSide::BOTH.into_iter().any(|side| {
        let mut files = [0, 2, 4, 6, 8].into_iter();
        files.any(|file| piece_at(side, file, 6) && piece_at(side, file, 5))
    });
    let reach = board.pieces().all(|(point, piece)| can_reach(piece, point));
    match code {
        XiangqiCode::Array | XiangqiCode::List => numbers && !two_at_home,
        XiangqiCode::Prefix => numbers && !two_at_home && reach,
        XiangqiCode::Ranked => numbers && reach,
    }
}

/// Whether a piece can reach a point in a game.
fn can_reach(piece: XiangqiPiece, point: Point) -> bool {
    let number = match piece.side {
        XiangqiSide::Red => point.number(),
        XiangqiSide::Black => 89 - point.number(),
    };
    let (file, row) = (number % 9, number / 9);
    let in_palace = (3..=5).contains(&file) && row >= 7;
    match piece.kind {
        XiangqiPieceKind::General => in_palace,
        XiangqiPieceKind::Adviser => in_palace && (file + row).is_multiple_of(2),
        XiangqiPieceKind::Elephant => row >= 5 && row % 2 == 1 && (file + row) % 4 == 3,
        XiangqiPieceKind::Soldier => row < 5 || (row < 7 && file % 2 == 0),
        XiangqiPieceKind::Horse | XiangqiPieceKind::Chariot | XiangqiPieceKind::Cannon => true,
    }
}

/// Checks that bytes, if they decode, are the encoding of their position.
fn is_canonical(code: XiangqiCode, bytes: &[u8]) -> Result<(), TestCaseError> {
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

/// Checks that a text, if it is a FEN, is reproduced as an equivalent one.
fn fen_round_trips(text: &str) -> Result<(), TestCaseError> {
    if let Ok(fen) = text.parse::<Fen>() {
        let again = fen.position.fen().parse::<Fen>().expect("a FEN");
        prop_assert_eq!(again.position, fen.position);
    }
    Ok(())
}

fn picks() -> impl Strategy<Value = Vec<usize>> {
    prop::collection::vec(any::<usize>(), 0..120)
}

/// Replacements of characters of a text, as positions and characters.
fn damage() -> impl Strategy<Value = Vec<(Index, Index)>> {
    prop::collection::vec(any::<(Index, Index)>(), 1..4)
}

fn damaged(text: &str, damage: &[(Index, Index)], alphabet: &[u8]) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for (at, character) in damage {
        let at = at.index(bytes.len());
        bytes[at] = *character.get(alphabet);
    }
    String::from_utf8(bytes).expect("ASCII")
}

const BASE64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const FEN: &[u8] = b"RNHBEAKCPrnhbeakcp123456789/ w-";

proptest! {
    #[test]
    fn positions_of_games_have_all_codes(picks in picks()) {
        let link = game(&XiangqiPosition::start(), &picks);
        let last = link.last_position();
        for code in XiangqiCode::ALL {
            let bits = code.encode(last).expect("a position of a game");
            prop_assert_eq!(code.decode(bits.bytes()), Ok(last.clone()));
        }
        prop_assert_eq!(&last.fen().parse::<Fen>().expect("a FEN").position, last);
        let text = link.encode().expect("a link");
        prop_assert_eq!(Link::decode(&text), Ok(link.clone()));
    }

    /// The moves of a link, played one by one, lead to its last position.
    #[test]
    fn moves_lead_to_the_last_position(board in any_boards(), picks in picks()) {
        let link = game(&board, &picks[..picks.len().min(10)]);
        let mut position = board.clone();
        for played in link.moves() {
            prop_assert_eq!(position.play(played), Ok(()));
        }
        prop_assert_eq!(&position, link.last_position());
        prop_assert_eq!(&board, link.start());
    }

    #[test]
    fn any_board_comes_back_or_is_refused(board in any_boards(), picks in picks()) {
        for code in XiangqiCode::ALL {
            let bits = code.encode(&board);
            prop_assert_eq!(bits.is_ok(), can_represent(code, &board), "{}", code.name());
            if let Ok(bits) = bits {
                prop_assert_eq!(code.decode(bits.bytes()), Ok(board.clone()));
            }
        }
        prop_assert_eq!(&board.fen().parse::<Fen>().expect("a FEN").position, &board);
        let link = game(&board, &picks[..picks.len().min(10)]);
        let text = link.encode();
        prop_assert_eq!(text.is_ok(), can_represent(XiangqiCode::Prefix, &board));
        if let Ok(text) = text {
            prop_assert_eq!(Link::decode(&text), Ok(link));
        }
    }

    /// One position has one encoding.
    #[test]
    fn damaged_bits_are_refused_or_canonical(
        board in any_boards(),
        picks in picks(),
        flips in prop::collection::vec(any::<Index>(), 1..4),
    ) {
        let link = game(&XiangqiPosition::start(), &picks);
        for code in XiangqiCode::ALL {
            for position in [link.last_position(), &board] {
                let Ok(bits) = code.encode(position) else { continue };
                let mut bytes = bits.bytes().to_vec();
                for flip in &flips {
                    let bit = flip.index(bytes.len() * 8);
                    bytes[bit / 8] ^= 0x80 >> (bit % 8);
                }
                is_canonical(code, &bytes)?;
            }
        }
    }

    #[test]
    fn damaged_texts_are_refused_or_canonical(
        board in any_boards(),
        picks in picks(),
        damage in damage(),
    ) {
        let text = game(&XiangqiPosition::start(), &picks).encode().expect("a link");
        link_is_canonical(&damaged(&text, &damage, BASE64))?;
        fen_round_trips(&damaged(&board.fen(), &damage, FEN))?;
    }

    #[test]
    fn any_bytes_give_an_answer(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
        for code in XiangqiCode::ALL {
            is_canonical(code, &bytes)?;
        }
    }

    #[test]
    fn any_text_gives_an_answer(
        link in "[A-Za-z0-9_-]{20,60}",
        fen in "[RNBAKCPrnbakcp1-9/]{0,90}( [wrb])?( -){0,2}( [0-9]{1,11}){0,2}",
        other in ".{0,60}",
    ) {
        link_is_canonical(&link)?;
        link_is_canonical(&other)?;
        fen_round_trips(&fen)?;
        fen_round_trips(&other)?;
    }
}
