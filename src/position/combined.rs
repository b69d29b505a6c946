//! `combined`: the smallest of four codes, preceded by its selector.

use crate::bits::{BitReader, BitWriter};
use crate::chess::Setup;

use super::code::PositionCode;
use super::error::{PositionEncodeError, PositionError};

/// The codes that are tried, by selector.
pub const CHOICES: [PositionCode; 4] = [
    PositionCode::HuffmanStatic,
    PositionCode::Difference,
    PositionCode::PieceList,
    PositionCode::MixedBase,
];

/// The number of bits of the selector.
pub(super) const SELECTOR_BITS: u32 = 2;

/// One of the codes, and its selector.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CodeChoice {
    selector: u64,
    code: PositionCode,
}

impl CodeChoice {
    pub(super) fn code(self) -> PositionCode {
        self.code
    }

    /// All choices, by selector.
    fn all() -> impl Iterator<Item = CodeChoice> {
        let numbered = (0..).zip(CHOICES);
        numbered.map(|(selector, code)| CodeChoice { selector, code })
    }
}

pub(super) fn write(setup: &Setup, out: &mut BitWriter) -> Result<(), PositionEncodeError> {
    let CodeChoice { selector, code } = choose(setup)?;
    out.push_bits(selector, SELECTOR_BITS);
    code.write(setup, out)
}

pub(super) fn read(input: &mut BitReader<'_>) -> Result<Setup, PositionError> {
    let selector = input.read_bits(SELECTOR_BITS)?;
    let choice = CodeChoice::all().find(|choice| choice.selector == selector);
    let choice = choice.ok_or(PositionError::Number)?;
    let setup = choice.code.read(input)?;
    match choose(&setup) {
        Ok(smallest) if smallest == choice => Ok(setup),
        _ => Err(PositionError::NotSmallest),
    }
}

/// The code with the fewest bits; the first one on a tie.
pub(super) fn choose(setup: &Setup) -> Result<CodeChoice, PositionEncodeError> {
    let sized = |choice: CodeChoice| Some((size(choice.code, setup).ok()?, choice));
    let sized = CodeChoice::all().filter_map(sized);
    match sized.min_by_key(|(bits, _)| *bits) {
        Some((_, choice)) => Ok(choice),
        // The last code has the fewest requirements. If it cannot represent the
        // position, none can.
        None => size(PositionCode::MixedBase, setup).and(Err(PositionEncodeError::Variant)),
    }
}

fn size(code: PositionCode, setup: &Setup) -> Result<u64, PositionEncodeError> {
    let mut out = BitWriter::new();
    code.write(setup, &mut out)?;
    Ok(out.bit_len())
}
