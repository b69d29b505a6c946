//! What holds of all codes.

use super::*;
use crate::chess::Setup;

fn setup(fen: &str) -> Setup {
    Setup::from_fen(fen.as_bytes()).expect("a FEN")
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn the_start_takes_the_bits_of_the_proposal() {
    let start = setup(START);
    let piece_bits = Code::ALL.map(|code| code.encode(&start).expect("bits").piece_bits);
    let expected = [256, 237, 233, 164, 14, 226, 196];
    assert_eq!(piece_bits[..7], expected.map(Some));
    assert_eq!(
        Code::Combined.encode(&start).expect("bits").bits,
        2 + 14 + 8
    );
}

/// Round trips, or why there is none.
#[track_caller]
fn check(fen: &str, refused: &[(Code, CannotRepresent)]) {
    let setup = setup(fen);
    for code in Code::ALL {
        let expected = refused.iter().find(|(refused, _)| *refused == code);
        match (code.encode(&setup), expected) {
            (Ok(encoded), None) => {
                assert_eq!(encoded.bits.div_ceil(8), encoded.bytes.len() as u64);
                assert_eq!(
                    code.decode(&encoded.bytes),
                    Ok(setup.clone()),
                    "{}",
                    code.name()
                );
            }
            (Err(CannotRepresent::FarGame { .. } | CannotRepresent::NoGame { .. }), None)
                if code == Code::Game => {}
            (Err(why), Some((_, expected))) => assert_eq!(why, *expected, "{}", code.name()),
            (result, expected) => panic!("{}: {result:?}, not {expected:?}", code.name()),
        }
    }
}

#[test]
fn positions_come_back() {
    check(START, &[]);
    check(
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
        &[],
    );
    check(
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
        &[],
    );
}
