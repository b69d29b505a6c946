//! The pieces of a record that differ from its layout.
//!
//! Rendering produces pieces in a fixed order, numbered from 0: each gap, each
//! lexeme and, if lines are wrapped inside comments, each blank at which a
//! comment may be wrapped (before the comment that contains it ends).

use crate::bits::{BitsError, ByteReader, put_bytes, put_varint};
use std::borrow::Cow;

/// The maximum number of pieces of a patch.
pub const MAX_PIECES: usize = 1 << 16;

/// Pieces that differ from the layout, in ascending order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Patch<'a> {
    pieces: Vec<(u64, Cow<'a, [u8]>)>,
}

impl<'a> Patch<'a> {
    /// Whether the layout is right throughout.
    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// Whether a piece but a tag value has letters, or text that is not ASCII.
    pub fn has_letters(&self) -> bool {
        let is_letter = |byte: &u8| byte.is_ascii_alphabetic() || !byte.is_ascii();
        let is_value = |text: &[u8]| matches!(text, [b'"', .., b' ' | b'\t', b']']);
        let mut texts = self.pieces.iter().map(|(_, text)| text.as_ref());
        texts.any(|text| !is_value(text) && text.iter().any(is_letter))
    }

    /// Whether the patch has the maximum number of pieces.
    pub(super) fn is_full(&self) -> bool {
        self.pieces.len() >= MAX_PIECES
    }

    /// Adds a piece. [`Patch::sort`] must be called after the last one.
    pub(super) fn push(&mut self, piece: u64, text: &'a [u8]) {
        self.pieces.push((piece, Cow::Borrowed(text)));
    }

    pub(super) fn sort(&mut self) {
        self.pieces.sort_by_key(|(piece, _)| *piece);
    }

    /// A cursor for lookups of pieces in ascending order.
    pub(super) fn cursor(&self) -> PatchCursor<'_> {
        PatchCursor { rest: &self.pieces }
    }

    /// Appends the patch: for each piece its distance from the piece before,
    /// less one (for the first, its number), and its text. The patch ends with
    /// the bytes.
    pub fn write(&self, out: &mut Vec<u8>) {
        let mut next = 0;
        for (piece, text) in &self.pieces {
            put_varint(out, piece.saturating_sub(next));
            put_bytes(out, text);
            next = piece.saturating_add(1);
        }
    }

    /// Reads a patch that occupies all of `bytes`.
    ///
    /// # Errors
    /// The bytes are truncated, a number overflows, or there are more than
    /// [`MAX_PIECES`] pieces.
    pub fn read(bytes: &'a [u8]) -> Result<Patch<'a>, BitsError> {
        let mut input = ByteReader::new(bytes);
        let mut pieces = Vec::new();
        let mut next = 0u64;
        while !input.is_empty() {
            if pieces.len() >= MAX_PIECES {
                return Err(BitsError::Trailing);
            }
            let piece = next.checked_add(input.varint()?).ok_or(BitsError::Varint)?;
            pieces.push((piece, Cow::Borrowed(input.bytes()?)));
            next = piece.checked_add(1).ok_or(BitsError::Varint)?;
        }
        Ok(Patch { pieces })
    }
}

/// A position in a patch.
pub(super) struct PatchCursor<'p> {
    rest: &'p [(u64, Cow<'p, [u8]>)],
}

impl<'p> PatchCursor<'p> {
    /// The text of a piece, if it is patched.
    pub(super) fn take(&mut self, piece: u64) -> Option<&'p [u8]> {
        let ((patched, text), rest) = self.rest.split_first()?;
        if *patched != piece {
            return None;
        }
        self.rest = rest;
        Some(text)
    }

    /// Whether every piece of the patch has been taken.
    pub(super) fn is_used_up(&self) -> bool {
        self.rest.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_of_tag_values_do_not_count() {
        let has_letters = |texts: &[&'static str]| {
            let mut patch = Patch::default();
            texts.iter().for_each(|text| patch.push(0, text.as_bytes()));
            patch.has_letters()
        };
        assert!(!has_letters(&[" 12... ", "\"Tal\" ]"]));
        assert!(has_letters(&[" ", " Sf3 "]));
        assert!(has_letters(&[" ход "]));
    }

    #[test]
    fn patches_round_trip() {
        let mut patch = Patch::default();
        patch.push(300, b"");
        patch.push(4, b"  ");
        patch.push(5, b"x");
        patch.sort();
        let mut bytes = Vec::new();
        patch.write(&mut bytes);
        assert_eq!(bytes, [4, 2, b' ', b' ', 0, 1, b'x', 0xa6, 2, 0]);
        assert_eq!(Patch::read(&bytes), Ok(patch));
        assert!(Patch::read(&bytes[..3]).is_err());
    }
}
