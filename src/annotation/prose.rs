//! The concatenated text of comments without a template, written or read in
//! order.

use super::AnnotationError;
use std::borrow::Cow;

/// The prose of a record.
#[derive(Debug)]
pub(super) enum ProseFields<'a> {
    /// The bytes written so far.
    Written(Vec<u8>),
    /// The bytes still to be read.
    Unread(&'a [u8]),
}

impl<'a> ProseFields<'a> {
    /// Codes the next text, terminated by a byte that it does not contain.
    pub(super) fn text(
        &mut self,
        known: Option<&Cow<'a, [u8]>>,
        end: u8,
    ) -> Result<Cow<'a, [u8]>, AnnotationError> {
        match self {
            ProseFields::Written(out) => {
                let text = known.cloned().unwrap_or_default();
                if text.contains(&end) {
                    return Err(AnnotationError::Text);
                }
                out.extend_from_slice(&text);
                out.push(end);
                Ok(text)
            }
            ProseFields::Unread(rest) => {
                let len = memchr::memchr(end, rest).ok_or(AnnotationError::Text)?;
                let text = rest.get(..len).unwrap_or_default();
                *rest = rest.get(len + 1..).unwrap_or_default();
                Ok(Cow::Borrowed(text))
            }
        }
    }

    /// Codes the next text of `len` bytes.
    pub(super) fn bytes(
        &mut self,
        known: Option<&Cow<'a, [u8]>>,
        len: u64,
    ) -> Result<Cow<'a, [u8]>, AnnotationError> {
        match self {
            ProseFields::Written(out) => {
                let text = known.cloned().unwrap_or_default();
                out.extend_from_slice(&text);
                Ok(text)
            }
            ProseFields::Unread(rest) => {
                let len = usize::try_from(len).map_err(|_| AnnotationError::Text)?;
                let (text, after) = rest.split_at_checked(len).ok_or(AnnotationError::Text)?;
                *rest = after;
                Ok(Cow::Borrowed(text))
            }
        }
    }
}
