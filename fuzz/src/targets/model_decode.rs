//! Arbitrary bytes as an adaptation of the model and a line: a decoded line encodes to the same
//! bytes.

use pgna::internals::chess::{ChessPosition, Rules};
use pgna::internals::model::{Adaptation, Default, GameContext, Max, Ratings, Weights, line};
use std::sync::LazyLock;

static DEFAULT: LazyLock<Weights<Default, 32, 32>> = LazyLock::new(weights);
static MAX: LazyLock<Weights<Max, 32, 32>> = LazyLock::new(weights);

/// Pseudorandom weights of every kind.
fn weights<L: pgna::internals::model::Level>() -> Weights<L, 32, 32> {
    let mut weights = Weights::zero();
    let mut number = 1u32;
    let mut next = || {
        number = number.wrapping_mul(0x915f_77f5).wrapping_add(1);
        (number >> 24) as u8 as i8 / 8
    };
    weights.linear.to_mut().fill_with(&mut next);
    weights
        .net
        .inputs
        .to_mut()
        .as_flattened_mut()
        .fill_with(&mut next);
    weights
        .net
        .origins
        .to_mut()
        .as_flattened_mut()
        .fill_with(&mut next);
    weights
        .net
        .targets
        .to_mut()
        .as_flattened_mut()
        .fill_with(&mut next);
    let moves = &mut weights.net.moves;
    moves
        .position
        .to_mut()
        .as_flattened_mut()
        .fill_with(&mut next);
    moves
        .features
        .to_mut()
        .as_flattened_mut()
        .fill_with(&mut next);
    moves.outputs.fill_with(|| i16::from(next()));
    weights
}

pub(super) fn check(input: &[u8]) {
    let Some((fen, plies, white, adaptation, bytes)) =
        crate::arbitrary::<(String, u8, Option<u16>, Vec<u8>, Vec<u8>)>(input)
    else {
        return;
    };
    let start = ChessPosition::from_fen(fen.as_bytes(), Rules::CHESS);
    let start = start.unwrap_or_else(|_| ChessPosition::standard());
    let plies = usize::from(plies);
    let adaptation = match Adaptation::from_bytes(&adaptation) {
        Ok(read) => {
            assert_eq!(read.to_bytes(), adaptation);
            read
        }
        Err(_) => Adaptation::default(),
    };
    let hints = adaptation.for_game(b"", b"");
    let context = GameContext {
        ratings: Ratings { white, black: None },
        plies: 40,
        ..GameContext::default()
    };
    if let Ok(moves) = line::decode(&*DEFAULT, &start, plies, |_| false, context, hints, &bytes) {
        assert_eq!(
            line::encode(&*DEFAULT, &start, &moves, context, hints).as_ref(),
            Ok(&bytes)
        );
        let other = line::encode(&*MAX, &start, &moves, context, hints).unwrap();
        let again = line::decode(&*MAX, &start, plies, |_| false, context, hints, &other);
        assert_eq!(again, Ok(moves));
    }
}
