//! Bits as text: base64, or hexadecimal on request.

use crate::internals::bits::{BitString, TextDecodeError, from_base64, from_hex};

/// The text of bits.
pub(crate) fn text(bits: &BitString, as_hex: bool) -> String {
    match as_hex {
        true => bits.to_hex(),
        false => bits.to_base64(),
    }
}

/// The bytes of a text.
pub(crate) fn parse(text: &str, is_hex: bool) -> Result<Vec<u8>, TextDecodeError> {
    match is_hex {
        true => from_hex(text),
        false => from_base64(text),
    }
}

/// Both texts, one below the other, with `front` before the first.
pub(crate) fn rows(front: &str, bits: &BitString) -> String {
    let (hex, base64) = (bits.to_hex(), bits.to_base64());
    let width = front.len();
    format!("{front}  {hex}\n{:width$}  {base64}\n", "")
}
