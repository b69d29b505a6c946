//! Decodes any bytes as a line: what decodes encodes to the same bytes.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pgna::chess::{Position, Rules};
use pgna::model::{Context, Default, Max, Weights, line};
use std::sync::LazyLock;

static DEFAULT: LazyLock<Weights<Default, 32>> = LazyLock::new(weights);
static MAX: LazyLock<Weights<Max, 32>> = LazyLock::new(weights);

/// Weights without meaning, some of each kind.
fn weights<L: pgna::model::Level>() -> Weights<L, 32> {
    let mut weights = Weights::zero();
    let mut number = 1u32;
    let mut next = || {
        number = number.wrapping_mul(0x915f_77f5).wrapping_add(1);
        (number >> 24) as u8 as i8 / 8
    };
    weights.linear.fill_with(&mut next);
    weights.net.inputs.as_flattened_mut().fill_with(&mut next);
    weights
        .net
        .origins
        .as_flattened_mut()
        .fill_with(|| next().into());
    weights
        .net
        .targets
        .as_flattened_mut()
        .fill_with(|| next().into());
    weights
}

fuzz_target!(|input: (String, u8, Option<u16>, Vec<u8>)| {
    let (fen, plies, white_rating, bytes) = input;
    let start = Position::from_fen(fen.as_bytes(), Rules::CHESS);
    let start = start.unwrap_or_else(|_| Position::standard());
    let plies = usize::from(plies);
    let context = Context {
        white_rating,
        plies: 40,
        ..Context::default()
    };
    if let Ok(moves) = line::decode(&*DEFAULT, &start, plies, |_| false, context, &bytes) {
        assert_eq!(
            line::encode(&*DEFAULT, &start, &moves, context).as_ref(),
            Ok(&bytes)
        );
        let other = line::encode(&*MAX, &start, &moves, context).unwrap();
        let again = line::decode(&*MAX, &start, plies, |_| false, context, &other);
        assert_eq!(again, Ok(moves));
    }
});
