//! The properties of each position code.

use pgna::internals::chess::{ChessPosition, Color, Role, Setup, Square};
use pgna::internals::position::{PositionCode, PositionEncodeError, encode_line};

/// Flag of the first byte: the rest makes a position instead of bits.
const MAKES: u8 = 0x80;

/// Checks a code on an input: bits to decode, or bytes that make a position and pick the moves of
/// a game.
pub(super) fn check(code: PositionCode, input: &[u8]) {
    match input {
        [options, bytes @ ..] if options & MAKES != 0 => {
            comes_back(code, &made(*options, bytes));
            game_comes_back(code, bytes);
        }
        [_, bytes @ ..] => decodes_alike(code, bytes),
        [] => {}
    }
}

/// A decoded position encodes to the same bits, unless the code has several for it.
fn decodes_alike(code: PositionCode, bytes: &[u8]) {
    let Ok(setup) = code.decode(bytes) else {
        return;
    };
    let has_several = matches!(
        code,
        PositionCode::Combined | PositionCode::Difference | PositionCode::Game
    );
    if has_several {
        comes_back(code, &setup);
        return;
    }
    let again = code.encode(&setup).expect("what was decoded is encoded");
    assert_eq!(again.bytes(), bytes);
}

fn comes_back(code: PositionCode, setup: &Setup) {
    if let Ok(encoded) = code.encode(setup) {
        assert_eq!(encoded.bit_len().div_ceil(8), encoded.bytes().len() as u64);
        assert_eq!(code.decode(encoded.bytes()).as_ref(), Ok(setup));
    }
}

/// An unchecked position: one byte for each square, then castling rights, en-passant square and
/// counters.
fn made(options: u8, bytes: &[u8]) -> Setup {
    let mut setup = ChessPosition::standard().setup();
    let (squares, rest) = bytes.split_at(bytes.len().min(64));
    for (place, byte) in setup.pieces.iter_mut().zip(squares) {
        let color = Color::from_white(byte & 0x40 != 0);
        let role = Role::ALL.get(usize::from(byte & 7));
        *place = match byte & 0x80 {
            0 => *place,
            _ => role.map(|role| role.of(color)),
        };
    }
    setup.turn = Color::from_white(options & 1 == 0);
    if let [white, black, ep, halfmoves, fullmoves, ..] = rest {
        setup.castling_rooks = u64::from(*white) | u64::from(*black) << 56;
        setup.ep_square = Square::try_from(*ep).ok();
        setup.halfmoves = 2 * u32::from(*halfmoves);
        setup.fullmoves = std::num::NonZeroU32::MIN.saturating_add(300 * u32::from(*fullmoves));
    }
    setup
}

/// The last position of a game picked by the bytes round-trips.
fn game_comes_back(code: PositionCode, picks: &[u8]) {
    let mut position = ChessPosition::standard();
    let mut plies = Vec::new();
    for pick in picks {
        let legal = position.legal_plies();
        let Some(ply) = legal.get(usize::from(*pick) % legal.len().max(1)) else {
            break;
        };
        position.make(*ply).expect("a legal move");
        plies.push(*ply);
    }
    let setup = position.setup();
    let encoded = match code {
        PositionCode::Game => encode_line(&plies),
        code => code.encode(&setup),
    };
    match encoded {
        Ok(encoded) => assert_eq!(code.decode(encoded.bytes()), Ok(setup)),
        Err(PositionEncodeError::LongGame | PositionEncodeError::Halfmoves) => {}
        Err(why) => panic!("a position of a game has no bits: {why}"),
    }
}
