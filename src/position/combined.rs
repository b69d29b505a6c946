//! `combined`: the smallest of four codes, with its number before it.

use crate::bits::{BitReader, BitWriter};
use crate::chess::Setup;

use super::code::Code;
use super::error::{CannotRepresent, PositionError};

/// The codes that are tried, by selector.
pub const CHOICES: [Code; 4] = [
    Code::HuffmanStatic,
    Code::Difference,
    Code::PieceList,
    Code::MixedBase,
];

/// Bits of the selector.
pub(super) const SELECTOR_BITS: u64 = 2;

pub(super) fn write(setup: &Setup, out: &mut BitWriter) -> Result<(), CannotRepresent> {
    let (selector, code) = choose(setup)?;
    out.push_bits(selector, 2);
    code.write(setup, out)
}

pub(super) fn read(input: &mut BitReader<'_>) -> Result<Setup, PositionError> {
    let selector = input.read_bits(2)?;
    let code = (0..).zip(CHOICES).find(|(number, _)| *number == selector);
    let (_, code) = code.ok_or(PositionError::Number)?;
    let setup = code.read(input)?;
    match choose(&setup) {
        Ok((smallest, _)) if smallest == selector => Ok(setup),
        _ => Err(PositionError::NotSmallest),
    }
}

/// The code of the fewest bits, the first among equals, and its selector.
pub(super) fn choose(setup: &Setup) -> Result<(u64, Code), CannotRepresent> {
    let mut smallest: Option<(u64, u64, Code)> = None;
    let mut refused = CannotRepresent::Variant;
    for (selector, code) in (0..).zip(CHOICES) {
        let mut out = BitWriter::new();
        match code.write(setup, &mut out) {
            Ok(()) if smallest.is_none_or(|(bits, ..)| out.bit_len() < bits) => {
                smallest = Some((out.bit_len(), selector, code));
            }
            Ok(()) => {}
            Err(why) => refused = why,
        }
    }
    let smallest = smallest.map(|(_, selector, code)| (selector, code));
    smallest.ok_or(refused)
}
