//! Arbitrary bytes as a table of distributions: a valid table can code every symbol, and symbols
//! round-trip.

use pgna::Limits;
use pgna::internals::codec::distributions::{
    Distributions, Family, SymbolCoder, SymbolContext, SymbolReader, SymbolWriter,
};
use pgna::internals::codec::range::{Decoder, Encoder};

type Step = (bool, u8, u64);

fn code(coder: &mut impl SymbolCoder, place: SymbolContext, step: Step) -> Step {
    let (is_number, symbol, number) = step;
    let symbol = coder.symbol(place, symbol).unwrap();
    let number = if is_number {
        let numbers = SymbolContext::only(1);
        coder.number(numbers, number).unwrap()
    } else {
        number
    };
    (is_number, symbol, number)
}

pub(super) fn check(input: &[u8]) {
    let Some((table, symbols, outer, inner, mut steps)) =
        crate::arbitrary::<(Vec<u8>, u8, u8, u8, Vec<Step>)>(input)
    else {
        return;
    };
    let family = Family {
        symbols: u16::from(symbols) + 1,
        outer: u32::from(outer) + 1,
        inner: u32::from(inner) + 1,
    };
    let families = [family, Family::numbers(1, 1)];
    let Ok(distributions) = Distributions::read(&table, &families, &Limits::default()) else {
        return;
    };
    let place = SymbolContext {
        family: 0,
        outer: family.outer - 1,
        inner: family.inner - 1,
    };
    let mut encoder = Encoder::new();
    for step in &mut steps {
        step.1 = step.1.min(symbols);
        code(
            &mut SymbolWriter(&distributions, &mut encoder),
            place,
            *step,
        );
    }
    let bytes = encoder.finish();
    let mut decoder = Decoder::new(&bytes);
    for step in &steps {
        let read = code(
            &mut SymbolReader(&distributions, &mut decoder),
            place,
            (step.0, 0, step.2),
        );
        assert_eq!(read, *step);
    }
    decoder.finish().unwrap();
}
