//! `combined`: the smallest of four codes, preceded by its selector.

use crate::bits::{BitReader, BitWriter};
use crate::chess::Setup;

use super::code::{CodeScheme, PositionCode};
use super::digits::MIXED_BASE;
use super::error::{PositionEncodeError, PositionError};
use super::piece_code::PieceCode;
use super::trailer::check_extras;

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
#[derive(Clone, Copy)]
pub(super) struct CodeChoice {
    selector: u64,
    code: PositionCode,
    pieces: &'static dyn PieceCode,
}

impl CodeChoice {
    pub(super) fn code(self) -> PositionCode {
        self.code
    }

    /// All choices, by selector.
    fn all() -> impl Iterator<Item = CodeChoice> {
        let numbered = (0..).zip(CHOICES);
        numbered.filter_map(|(selector, code)| match code.scheme() {
            CodeScheme::Pieces(pieces) => Some(CodeChoice {
                selector,
                code,
                pieces,
            }),
            CodeScheme::Nibble | CodeScheme::Combined | CodeScheme::Game => None,
        })
    }
}

pub(super) fn write(setup: &Setup, out: &mut BitWriter) -> Result<(), PositionEncodeError> {
    let choice = choose(setup)?;
    out.push_bits(choice.selector, SELECTOR_BITS);
    choice.pieces.write_position(setup, out)
}

pub(super) fn read(input: &mut BitReader<'_>) -> Result<Setup, PositionError> {
    let selector = input.read_bits(SELECTOR_BITS)?;
    let choice = CodeChoice::all().find(|choice| choice.selector == selector);
    let choice = choice.ok_or(PositionError::Number)?;
    choice.pieces.read_position(input)
}

/// The code with the fewest bits; the first one on a tie.
pub(super) fn choose(setup: &Setup) -> Result<CodeChoice, PositionEncodeError> {
    check_extras(setup)?;
    let sized = |choice: CodeChoice| Some((size(choice.pieces, setup).ok()?, choice));
    let sized = CodeChoice::all().filter_map(sized);
    match sized.min_by_key(|(bits, _)| *bits) {
        Some((_, choice)) => Ok(choice),
        // The last code has the fewest requirements. If it cannot represent the
        // position, none can.
        None => size(&MIXED_BASE, setup).and(Err(PositionEncodeError::Variant)),
    }
}

/// The number of bits of a position with this code of the pieces.
fn size(pieces: &dyn PieceCode, setup: &Setup) -> Result<u64, PositionEncodeError> {
    let mut out = BitWriter::new();
    pieces.write_position(setup, &mut out)?;
    Ok(out.bit_len())
}
