//! Bit strings as text: hexadecimal, and base64 for URLs.

use super::BitWriter;
use data_encoding::{BASE64URL_NOPAD, HEXLOWER, HEXLOWER_PERMISSIVE};

/// A bit string, padded with zeros to whole bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BitString {
    bytes: Vec<u8>,
    bit_len: u64,
}

/// Errors in the text form of bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TextDecodeError {
    /// A character is not a hexadecimal digit, or the number of digits is odd.
    #[error("not hexadecimal: two digits a byte are expected")]
    Hex,
    /// The text is not URL-safe base64 without padding, or not canonical.
    #[error("not URL-safe base64 without padding")]
    Base64,
}

impl BitString {
    /// The number of bits, without the padding.
    pub fn bit_len(&self) -> u64 {
        self.bit_len
    }

    /// The bytes, including the padding.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The bytes in hexadecimal, two lowercase digits each.
    pub fn to_hex(&self) -> String {
        HEXLOWER.encode(&self.bytes)
    }

    /// The bytes in URL-safe base64 without padding (RFC 4648, section 5).
    pub fn to_base64(&self) -> String {
        BASE64URL_NOPAD.encode(&self.bytes)
    }
}

impl From<BitWriter> for BitString {
    fn from(writer: BitWriter) -> Self {
        BitString {
            bit_len: writer.bit_len(),
            bytes: writer.into_bytes(),
        }
    }
}

/// Decodes hexadecimal text in lowercase or uppercase digits.
///
/// # Errors
/// The text is not two digits a byte.
pub fn from_hex(text: &str) -> Result<Vec<u8>, TextDecodeError> {
    let bytes = HEXLOWER_PERMISSIVE.decode(text.as_bytes());
    bytes.map_err(|_| TextDecodeError::Hex)
}

/// Decodes URL-safe base64 without padding.
///
/// # Errors
/// The text has an invalid character or length, or bits after the last byte
/// that are not 0.
pub fn from_base64(text: &str) -> Result<Vec<u8>, TextDecodeError> {
    let bytes = BASE64URL_NOPAD.decode(text.as_bytes());
    bytes.map_err(|_| TextDecodeError::Base64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn bits_have_a_length_and_two_texts() {
        let mut writer = BitWriter::new();
        writer.push_bits(0b11_1110_1111_1111, 14);
        let bits = BitString::from(writer);
        assert_eq!(bits.bit_len(), 14);
        assert_eq!(bits.to_hex(), "fbfc");
        assert_eq!(bits.to_base64(), "-_w");
    }

    #[test]
    fn what_is_no_text_of_bytes_is_refused() {
        for text in ["a", "0g", "+1", "0 ", "ä", "0x12"] {
            assert_eq!(from_hex(text), Err(TextDecodeError::Hex), "{text}");
        }
        for text in ["A", "+/A", "-_w=", "-_x", "- w", "ää"] {
            assert_eq!(from_base64(text), Err(TextDecodeError::Base64), "{text}");
        }
        assert_eq!(from_hex("Ff00"), Ok(vec![255, 0]));
    }

    proptest! {
        #[test]
        fn texts_come_back(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
            let mut writer = BitWriter::new();
            for byte in &bytes {
                writer.push_bits(u64::from(*byte), 8);
            }
            let bits = BitString::from(writer);
            prop_assert_eq!(bits.bytes(), &bytes);
            prop_assert_eq!(from_hex(&bits.to_hex()), Ok(bytes.clone()));
            prop_assert_eq!(from_base64(&bits.to_base64()), Ok(bytes));
        }
    }
}
