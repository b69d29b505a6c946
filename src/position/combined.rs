//! `combined`: the smallest of four codes, preceded by its selector.

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

/// The number of bits of the selector.
pub(super) const SELECTOR_BITS: u32 = 2;

/// One of the codes, and its selector.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Choice {
    selector: u64,
    code: Code,
}

impl Choice {
    pub(super) fn code(self) -> Code {
        self.code
    }

    /// All choices, by selector.
    fn all() -> impl Iterator<Item = Choice> {
        let numbered = (0..).zip(CHOICES);
        numbered.map(|(selector, code)| Choice { selector, code })
    }
}

pub(super) fn write(setup: &Setup, out: &mut BitWriter) -> Result<(), CannotRepresent> {
    let Choice { selector, code } = choose(setup)?;
    out.push_bits(selector, SELECTOR_BITS);
    code.write(setup, out)
}

pub(super) fn read(input: &mut BitReader<'_>) -> Result<Setup, PositionError> {
    let selector = input.read_bits(SELECTOR_BITS)?;
    let choice = Choice::all().find(|choice| choice.selector == selector);
    let choice = choice.ok_or(PositionError::Number)?;
    let setup = choice.code.read(input)?;
    match choose(&setup) {
        Ok(smallest) if smallest == choice => Ok(setup),
        _ => Err(PositionError::NotSmallest),
    }
}

/// The code with the fewest bits; the first one on a tie.
pub(super) fn choose(setup: &Setup) -> Result<Choice, CannotRepresent> {
    let sized = |choice: Choice| Some((size(choice.code, setup).ok()?, choice));
    let sized = Choice::all().filter_map(sized);
    match sized.min_by_key(|(bits, _)| *bits) {
        Some((_, choice)) => Ok(choice),
        // The last code has the fewest requirements. If it cannot represent the
        // position, none can.
        None => size(Code::MixedBase, setup).and(Err(CannotRepresent::Variant)),
    }
}

fn size(code: Code, setup: &Setup) -> Result<u64, CannotRepresent> {
    let mut out = BitWriter::new();
    code.write(setup, &mut out)?;
    Ok(out.bit_len())
}
