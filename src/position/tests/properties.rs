//! Arbitrary positions and games, and which codes can represent them.

use super::*;
use proptest::prelude::*;

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
                let again = code.encode(&other).unwrap();
                match code {
                    // Their decoders accept more than one encoding of a position.
                    PositionCode::Difference | PositionCode::Combined => {
                        prop_assert_eq!(code.decode(again.bytes()), Ok(other));
                    }
                    _ => prop_assert_eq!(again.bytes(), bytes),
                }
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
