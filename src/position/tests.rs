//! Properties of all codes.

mod properties;

use super::*;
use crate::chess::{ChessPosition, Color, Piece, Role, Rules, Setup, Square};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn setup(fen: &str) -> Setup {
    Setup::from_fen(fen.as_bytes()).expect("a FEN")
}

/// Checks that a position is decoded correctly, or returns why it cannot be
/// represented.
fn check_round_trip(code: PositionCode, setup: &Setup) -> Result<(), PositionEncodeError> {
    let encoded = code.encode(setup)?;
    assert_eq!(encoded.bit_len().div_ceil(8), encoded.bytes().len() as u64);
    let piece_bits = code.piece_bits(setup)?;
    assert!(piece_bits.is_none_or(|bits| bits < encoded.bit_len()));
    let decoded = code.decode(encoded.bytes());
    assert_eq!(decoded.as_ref(), Ok(setup), "{}", code.name());
    Ok(())
}

/// Checks that the given codes refuse a position and that all others decode it
/// correctly. `game` may also find no game.
#[track_caller]
fn check(fen: &str, refused: &[(PositionCode, PositionEncodeError)]) {
    for code in PositionCode::ALL {
        let expected = refused.iter().find(|(refused, _)| *refused == code);
        let expected = expected.map_or(Ok(()), |(_, why)| Err(*why));
        let is_game = code == PositionCode::Game && expected.is_ok();
        let result = check_round_trip(code, &setup(fen));
        assert!(is_game || result == expected, "{}: {result:?}", code.name());
    }
}

/// Checks that no code can represent a position.
#[track_caller]
fn check_refused(fen: &str, why: PositionEncodeError) {
    for code in &PositionCode::ALL[..8] {
        assert_eq!(code.encode(&setup(fen)), Err(why), "{}", code.name());
    }
    assert!(PositionCode::Game.encode(&setup(fen)).is_err());
}

#[test]
fn the_start_takes_the_bits_of_the_proposal() {
    let start = setup(START);
    let piece_bits = PositionCode::ALL.map(|code| code.piece_bits(&start).expect("bits"));
    let expected = [256, 237, 233, 164, 14, 226, 196, 16];
    assert_eq!(piece_bits[..8], expected.map(Some));
    assert_eq!(
        PositionCode::Game.encode(&start).expect("bits").bit_len(),
        8
    );
}

/// The 210 bits of the literature omit fields. 14 officers and a pawn a side,
/// the maximum that promotions can lead to, need 264.
#[test]
fn piece_lists_of_games_take_up_to_264_bits() {
    let fen = "rnbqkbnr/nbnbnbnp/8/8/8/8/NBNBNBNP/RNBQKBNR w KQkq - 0 1";
    let piece_bits = PositionCode::PieceList.piece_bits(&setup(fen));
    assert_eq!(piece_bits, Ok(Some(264)));
}

#[test]
fn positions_of_games_come_back() {
    check(START, &[]);
    for fen in [
        START,
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
        "rnbqkbnr/ppp1pppp/8/8/3pP3/7N/PPPP1PPP/RNBQKB1R b KQkq e3 0 2",
    ] {
        assert_eq!(check_round_trip(PositionCode::Nibble, &setup(fen)), Ok(()));
    }
    let idle = setup("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1");
    let encoded = PositionCode::Game.encode(&idle).expect("a game");
    assert_eq!(encoded.bytes(), [1, 13 + 20], "e4 is 13 of 20, then 1 of 2");
}

#[test]
fn odd_material_comes_back() {
    check("4k3/8/8/8/QQQQ4/QQQQQ3/8/4K3 w - - 0 1", &[]);
    check("4k3/8/8/8/NNNN4/NNNNNN2/8/4K3 w - - 0 1", &[]);
    let sixteen = "qqqqkqqq/8/8/8/NNNNNNNN/qq6/8/4K3 b - - 0 40";
    check(sixteen, &[]);
    let officers = PositionEncodeError::Officers { side: Color::White };
    let lists = [PositionCode::PieceList, PositionCode::PieceListRanked];
    let sixteen = "4k3/8/8/8/QQQQ4/QQQQ4/RRRRNNNN/4K3 w - - 0 1";
    check(sixteen, &lists.map(|code| (code, officers)));
    let pawns = PositionEncodeError::Pawns { side: Color::Black };
    let nine = "4k3/pppppppp/p7/8/8/8/8/4K3 w - - 0 1";
    check(nine, &lists.map(|code| (code, pawns)));
    for (fen, side) in [
        ("8/8/8/8/8/8/8/8 w - - 0 1", Color::White),
        ("8/8/8/8/8/8/8/K7 w - - 0 1", Color::Black),
        ("kk6/8/8/8/8/8/8/K7 w - - 0 1", Color::Black),
    ] {
        check(
            fen,
            &lists.map(|code| (code, PositionEncodeError::King { side })),
        );
    }
}

#[test]
fn rights_come_back_or_are_refused() {
    check("r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1", &[]);
    check("1rk3r1/8/8/8/8/8/8/1RK3R1 w KQkq - 0 1", &[]);
    check("1rk3r1/8/8/8/8/8/8/1RK3R1 w Qk - 0 1", &[]);
    let square = Square::B1;
    let inner = PositionEncodeError::InnerRook { square };
    let inner: Vec<_> = PositionCode::ALL[1..8]
        .iter()
        .map(|code| (*code, inner))
        .collect();
    check("4k3/8/8/8/8/8/8/RRK5 w B - 0 1", &inner);
    let side = Color::White;
    for fen in [
        "4k3/8/8/8/8/8/8/4K3 w K - 0 1",
        "4k3/8/8/8/8/8/4K3/7R w K - 0 1",
        "4k3/8/8/8/8/8/8/4KR1R w KF - 0 1",
        "4k3/8/8/8/8/8/8/4K2r w H - 0 1",
    ] {
        check_refused(fen, PositionEncodeError::Castling { side });
    }
    let castling = PositionEncodeError::Castling { side };
    let king = PositionEncodeError::King { side };
    let mut refused: Vec<_> = PositionCode::ALL.map(|code| (code, castling)).into();
    for (code, why) in &mut refused {
        if matches!(
            code,
            PositionCode::PieceList | PositionCode::PieceListRanked
        ) {
            *why = king;
        }
    }
    refused.pop();
    check("4k3/8/8/8/8/8/4K3/4K2R w K - 0 1", &refused);
    let mut stray = setup("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    stray.castling_rooks |= 1 << 20;
    for code in &PositionCode::ALL[..8] {
        assert_eq!(
            code.encode(&stray),
            Err(PositionEncodeError::RightOffBackRank)
        );
    }
}

#[test]
fn en_passant_squares_come_back_or_are_refused() {
    check("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 17", &[]);
    check("4k3/8/8/8/P7/8/8/4K3 b - a3 0 17", &[]);
    let square = Square::D6;
    let without_pawn = PositionEncodeError::EnPassantPawn { square };
    check(
        "4k3/8/8/8/8/8/8/4K3 w - d6 0 17",
        &[(PositionCode::Nibble, without_pawn)],
    );
    let square = Square::D3;
    check_refused(
        "4k3/8/8/8/3P4/8/8/4K3 w - d3 0 1",
        PositionEncodeError::EnPassant { square },
    );
}

#[test]
fn counters_come_back_or_are_refused() {
    check("4k3/8/8/8/8/8/8/4K3 b - - 99 300", &[]);
    check("4k3/8/8/8/8/8/8/4K3 b - - 255 65535", &[]);
    check_refused(
        "4k3/8/8/8/8/8/8/4K3 b - - 256 1",
        PositionEncodeError::Halfmoves,
    );
    check_refused(
        "4k3/8/8/8/8/8/8/4K3 b - - 0 65536",
        PositionEncodeError::Fullmoves,
    );
}

#[test]
fn what_no_position_of_chess_has_is_refused() {
    check_refused(
        "4k3/8/8/8/8/8/8/4K3[Q] w - - 0 1",
        PositionEncodeError::Variant,
    );
    check_refused(
        "4k3/8/8/8/8/8/8/4K3 w - - 3+3 0 1",
        PositionEncodeError::Variant,
    );
    check_refused(
        "4k3/8/8/8/Q~7/8/8/4K3 w - - 0 1",
        PositionEncodeError::Variant,
    );
    let square = Square::C1;
    check_refused(
        "4k3/8/8/8/8/8/8/2P1K3 w - - 0 1",
        PositionEncodeError::Pawn { square },
    );
}

#[test]
fn games_are_found_or_not() {
    let encode = |fen: &str| PositionCode::Game.encode(&setup(fen));
    let castled = "rnbqk2r/pppp1ppp/5n2/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQ1RK1 b kq - 5 4";
    let far = PositionEncodeError::TooManyPlies {
        plies: 7,
        most: SEARCHED_PLIES,
    };
    assert_eq!(encode(castled), Err(far));
    let wrong_number = "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 3";
    assert!(encode(wrong_number).is_err());
    let right = encode(&wrong_number.replace("1 3", "1 2")).expect("a game");
    assert_eq!(right.bytes(), [3, 0x39, 0x15], "5433 after three plies");
    let other_clock = encode(&wrong_number.replace("1 3", "2 2"));
    assert_eq!(other_clock, Err(PositionEncodeError::NoGame { plies: 3 }));
    let back_again = encode("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 4 3");
    assert_eq!(back_again.expect("a game").bytes()[0], 4);
}

#[test]
fn a_ply_of_a_game_is_a_position() {
    let mut position = ChessPosition::standard();
    let mut plies = Vec::new();
    for _ in 0..255 {
        let ply = position.legal_plies()[0];
        position.make(ply).expect("legal");
        plies.push(ply);
    }
    let encoded = encode_line(&plies).expect("bits");
    assert_eq!(
        PositionCode::Game.decode(encoded.bytes()),
        Ok(position.setup())
    );
    plies.push(position.legal_plies()[0]);
    assert_eq!(encode_line(&plies), Err(PositionEncodeError::LongGame));
    let from_another_start = encode_line(&plies[1..3]);
    assert_eq!(from_another_start, Err(PositionEncodeError::Ply { ply: 1 }));
}
