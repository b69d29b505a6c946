//! Properties of all codes.

use proptest::prelude::*;

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

/// Any position: random pieces, rights, en-passant square and counters, mostly
/// such as codes can represent.
fn any_setup() -> impl Strategy<Value = Setup> {
    let piece = (any::<bool>(), 0..6usize).prop_map(|(white, role)| Piece {
        color: Color::from_white(white),
        role: Role::ALL[role],
    });
    let pieces = prop::collection::vec(prop::option::weighted(0.4, piece), 64);
    let castling = prop_oneof![5 => any::<u64>().prop_map(|r| r & BACKRANKS), 1 => any::<u64>()];
    let counters = (0..300u32, 1..70_000u32);
    let ep = prop::option::weighted(0.3, 0..64u32);
    let kings = prop::option::weighted(0.8, (0..8u32, 0..8u32));
    let rest = (any::<bool>(), castling, ep, counters);
    (pieces, kings, any::<[bool; 3]>(), rest).prop_map(|(pieces, kings, tidy, rest)| {
        let mut setup = setup("8/8/8/8/8/8/8/8 w - - 0 1");
        setup.pieces = pieces.try_into().expect("64 squares");
        let (white, castling_rooks, ep, (halfmoves, fullmoves)) = rest;
        setup.turn = Color::from_white(white);
        setup.halfmoves = halfmoves;
        setup.fullmoves = fullmoves.try_into().expect("not 0");
        let [pawns_home, rights_of_rooks, ep_on_rank] = tidy;
        if let Some((white, black)) = kings {
            place_kings(&mut setup, [white, 56 + black]);
        }
        if pawns_home {
            let (first, rest) = setup.pieces.split_at_mut(8);
            for place in first.iter_mut().chain(&mut rest[48..]) {
                place.take_if(|piece| piece.role == Role::Pawn);
            }
        }
        setup.castling_rooks = match rights_of_rooks {
            true => castling_rooks & rooks(&setup),
            false => castling_rooks & (castling_rooks >> 7),
        };
        setup.ep_square = ep.map(|square| match ep_on_rank {
            true => Square::new(square % 8 + if white { 40 } else { 16 }),
            false => Square::new(square),
        });
        setup
    })
}

const BACKRANKS: u64 = 0xff00_0000_0000_00ff;

/// Replaces all kings by one of each side on these squares.
fn place_kings(setup: &mut Setup, squares: [u32; 2]) {
    for place in &mut setup.pieces {
        place.take_if(|piece| piece.role == Role::King);
    }
    for (color, square) in Color::ALL.into_iter().zip(squares) {
        let role = Role::King;
        setup.pieces[square as usize] = Some(Piece { color, role });
    }
}

/// The squares of the rooks on the first rank of their side.
fn rooks(setup: &Setup) -> u64 {
    let homes = Color::ALL
        .into_iter()
        .flat_map(|side| home(setup, side, Role::Rook));
    homes.fold(0, |bits, file_and_rank| bits | 1 << file_and_rank)
}

/// The squares of pieces on the first rank of their side.
fn home(setup: &Setup, color: Color, role: Role) -> Vec<usize> {
    let squares = color.fold_wb(0..8, 56..64);
    let piece = Some(Piece { color, role });
    squares
        .filter(|square| setup.pieces[*square] == piece)
        .collect()
}

/// The number of pieces of a side whose role satisfies a condition.
fn count(setup: &Setup, side: Color, is_such: impl Fn(Role) -> bool) -> usize {
    let pieces = setup.pieces.iter().flatten();
    pieces
        .filter(|piece| piece.color == side && is_such(piece.role))
        .count()
}

/// Whether a code can represent a position, according to the specification.
fn can_represent(code: PositionCode, setup: &Setup) -> bool {
    let at_ends = setup.pieces[..8].iter().chain(&setup.pieces[56..]);
    let pawns_home = at_ends.flatten().all(|piece| piece.role != Role::Pawn);
    let counters = setup.halfmoves < 256 && setup.fullmoves.get() < 65_536;
    let first_ep = if setup.turn == Color::White { 40 } else { 16 };
    let ep = setup.ep_square.map(usize::from);
    let ep_on_rank = ep.is_none_or(|square| (first_ep..first_ep + 8).contains(&square));
    let stray = setup.castling_rooks & !BACKRANKS != 0;
    let rights = Color::ALL.map(|side| rights(setup, side));
    let common = pawns_home && counters && ep_on_rank && !stray && rights.iter().all(|r| *r > 0);
    let inner_too = rights.iter().all(|r| *r > 1);
    let lists = Color::ALL.iter().all(|side| {
        let is_officer = |role| role != Role::King && role != Role::Pawn;
        count(setup, *side, |role| role == Role::King) == 1
            && count(setup, *side, |role| role == Role::Pawn) <= 8
            && count(setup, *side, is_officer) <= 15
    });
    match code {
        PositionCode::Nibble => {
            let (color, role) = (setup.turn.other(), Role::Pawn);
            let ahead = |square| {
                if first_ep == 40 {
                    square - 8
                } else {
                    square + 8
                }
            };
            let pawn = |square| setup.pieces[ahead(square)] == Some(Piece { color, role });
            common && ep.is_none_or(pawn)
        }
        PositionCode::PieceList | PositionCode::PieceListRanked => common && inner_too && lists,
        _ => common && inner_too,
    }
}

/// The rights of a side: 0 invalid, 1 of an inner rook, 2 of outermost rooks or
/// none.
fn rights(setup: &Setup, side: Color) -> u8 {
    let has_right = |square: &usize| setup.castling_rooks >> square & 1 == 1;
    let squares: Vec<usize> = side.fold_wb(0..8, 56..64).filter(has_right).collect();
    let rooks = home(setup, side, Role::Rook);
    if squares.is_empty() {
        return 2;
    }
    let (&[king], 1) = (
        home(setup, side, Role::King).as_slice(),
        count(setup, side, |role| role == Role::King),
    ) else {
        return 0;
    };
    let (left, right): (Vec<usize>, Vec<usize>) = squares.iter().partition(|rook| **rook < king);
    if left.len() > 1 || right.len() > 1 || !squares.iter().all(|square| rooks.contains(square)) {
        return 0;
    }
    let outer = |rook: usize| {
        !rooks
            .iter()
            .any(|other| (king < rook && rook < *other) || (*other < rook && rook < king))
    };
    1 + u8::from(squares.into_iter().all(outer))
}

proptest! {
    #[test]
    fn any_setup_comes_back_or_is_refused_with_reason(setup in any_setup()) {
        for code in &PositionCode::ALL[..8] {
            let result = check_round_trip(*code, &setup);
            let expected = can_represent(*code, &setup);
            prop_assert_eq!(result.is_ok(), expected, "{}: {:?}", code.name(), result);
        }
    }

    /// Encoded positions with some bits flipped decode to other positions or are
    /// rejected.
    #[test]
    fn flipped_bits_decode_or_are_rejected(
        setup in any_setup(),
        turned in prop::collection::vec(any::<prop::sample::Index>(), 1..4),
    ) {
        for code in &PositionCode::ALL[..8] {
            let Ok(encoded) = code.encode(&setup) else {
                continue;
            };
            let mut bytes = encoded.bytes().to_vec();
            for turned in &turned {
                let bit = turned.index(8 * bytes.len());
                bytes[bit / 8] ^= 1 << (bit % 8);
            }
            if let Ok(other) = code.decode(&bytes) {
                let again = code.encode(&other);
                prop_assert_eq!(again.map(|bits| bits.bytes().to_vec()), Ok(bytes));
            }
        }
    }
}

proptest! {
    #[test]
    fn any_game_comes_back(picks in prop::collection::vec(any::<prop::sample::Index>(), 0..120)) {
        let mut position = ChessPosition::start(Rules::CHESS);
        for pick in picks {
            let legal = position.legal_plies();
            if legal.is_empty() {
                break;
            }
            position.make(*pick.get(&legal)).expect("legal");
        }
        for code in &PositionCode::ALL[..8] {
            prop_assert_eq!(check_round_trip(*code, &position.setup()), Ok(()), "{}", code.name());
        }
    }
}
