//! Bits as text: hexadecimal, or base64 that is safe in URLs.

use super::errors::Failure;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

/// Two digits a byte.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Four characters for three bytes, without `=` at the end.
pub(crate) fn base64(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

/// The bytes of a text.
///
/// # Errors
/// The text is not what [`hex`] or [`base64`] gives (capital digits are taken).
pub(crate) fn bytes(text: &str, is_hex: bool) -> Result<Vec<u8>, Failure> {
    let (bytes, kind) = match is_hex {
        true => (from_hex(text), "hexadecimal digits, two a byte"),
        false => (URL_SAFE_NO_PAD.decode(text).ok(), "URL-safe base64"),
    };
    bytes.ok_or_else(|| Failure::usage(format!("{text:?} is no text of {kind}")))
}

fn from_hex(text: &str) -> Option<Vec<u8>> {
    let digit = |digit: u8| char::from(digit).to_digit(16);
    let byte = |pair: &[u8]| match *pair {
        [high, low] => u8::try_from(digit(high)? << 4 | digit(low)?).ok(),
        _ => None,
    };
    text.as_bytes().chunks(2).map(byte).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_come_back() {
        let all: Vec<u8> = (0..=u8::MAX).collect();
        assert_eq!(bytes(&hex(&all), true).ok(), Some(all.clone()));
        assert_eq!(bytes(&base64(&all), false).ok(), Some(all));
        assert_eq!(hex(&[0, 0xab]), "00ab");
        assert_eq!(base64(&[0xfb, 0xff]), "-_8");
    }

    #[test]
    fn other_texts_are_refused() {
        for (text, is_hex) in [
            ("0", true),
            ("0g", true),
            ("é", true),
            ("A", false),
            ("AB", false),
        ] {
            assert!(bytes(text, is_hex).is_err(), "{text}");
        }
    }
}
