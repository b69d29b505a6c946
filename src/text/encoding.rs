//! The encoding of text that is not UTF-8.

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};
use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

/// The encoding in which text is read that is not UTF-8, as in most old files. The default is
/// Windows-1252, which has the letters of Latin-1.
///
/// ```
/// use pgna::TextEncoding;
///
/// assert_eq!(TextEncoding::default().decode(b"M\xfcller"), "Müller");
/// let cyrillic: TextEncoding = "windows-1251".parse()?;
/// assert_eq!(cyrillic.decode(b"\xd2\xe0\xeb\xfc"), "Таль");
/// assert_eq!(cyrillic.decode("Müller".as_bytes()), "Müller");
/// # Ok::<(), pgna::UnknownEncoding>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct TextEncoding(&'static Encoding);

impl TextEncoding {
    /// The name of the encoding in the [Encoding Standard](https://encoding.spec.whatwg.org/).
    pub fn name(&self) -> &'static str {
        self.0.name()
    }

    /// The text of some bytes. If they are not UTF-8, each line that is not UTF-8 is read in this
    /// encoding: files are joined from others, so one text can have lines of both.
    pub fn decode<'t>(&self, bytes: &'t [u8]) -> Cow<'t, str> {
        match std::str::from_utf8(bytes) {
            Ok(text) => Cow::Borrowed(text),
            Err(_) => Cow::Owned(self.decode_lines(bytes)),
        }
    }

    fn decode_lines(&self, bytes: &[u8]) -> String {
        let mut text = String::with_capacity(bytes.len());
        for line in bytes.split_inclusive(|byte| *byte == b'\n') {
            match std::str::from_utf8(line) {
                Ok(line) => text.push_str(line),
                Err(_) => text.push_str(&self.0.decode_without_bom_handling(line).0),
            }
        }
        text
    }
}

impl Default for TextEncoding {
    fn default() -> Self {
        TextEncoding(WINDOWS_1252)
    }
}

impl fmt::Debug for TextEncoding {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_tuple("TextEncoding").field(&self.name()).finish()
    }
}

impl fmt::Display for TextEncoding {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

/// A name that is not that of an encoding in which PGN can be written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} is not an encoding of PGN: write for example windows-1252, windows-1250, windows-1251, \
     iso-8859-2, koi8-r or macintosh"
)]
pub struct UnknownEncoding(String);

impl FromStr for TextEncoding {
    type Err = UnknownEncoding;

    /// Parses a name of the Encoding Standard, in upper or lower case. Encodings with more than one
    /// byte for a letter are refused, apart from UTF-8: their second bytes can be signs of PGN.
    fn from_str(name: &str) -> Result<Self, UnknownEncoding> {
        match Encoding::for_label_no_replacement(name.as_bytes()) {
            Some(encoding) if encoding.is_single_byte() || encoding == UTF_8 => {
                Ok(TextEncoding(encoding))
            }
            _ => Err(UnknownEncoding(name.to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn lines_are_read_one_by_one() {
        assert_eq!(TextEncoding::default().decode(b"a\xfc\nb"), "aü\nb");
        let mixed = [b"\xfc\n".as_slice(), "ü\n".as_bytes(), b"\xe9"].concat();
        assert_eq!(TextEncoding::default().decode(&mixed), "ü\nü\né");
    }

    #[test]
    fn encodings_of_several_bytes_are_refused() {
        for name in [
            "utf-16le",
            "gbk",
            "iso-2022-jp",
            "replacement",
            "latin",
            "",
            "ü",
        ] {
            let error = name.parse::<TextEncoding>().unwrap_err();
            assert!(error.to_string().contains("windows-1252"), "{name}");
        }
        for name in ["Latin1", "windows-1252", " cp1252 "] {
            assert_eq!(name.parse(), Ok(TextEncoding::default()), "{name}");
        }
    }

    proptest! {
        #[test]
        fn no_byte_is_lost_in_windows_1252(bytes: Vec<u8>) {
            let text = TextEncoding::default().decode(&bytes);
            let is_in_bytes = bytes.windows(3).any(|bytes| bytes == "\u{fffd}".as_bytes());
            prop_assert_eq!(text.contains('\u{fffd}'), is_in_bytes);
            if bytes.is_ascii() {
                prop_assert_eq!(text.as_bytes(), &bytes);
            }
        }
    }
}
