//! The text of comments without a template, end to end: written on one side, read
//! on the other.

use super::AnnotationError;
use std::borrow::Cow;

/// Prose of a record.
#[derive(Debug)]
pub(super) enum Prose<'a> {
    /// What has been written.
    Written(Vec<u8>),
    /// What is still to be read.
    Unread(&'a [u8]),
}

impl<'a> Prose<'a> {
    /// The next text, which ends with a byte that is not in it.
    pub(super) fn text(
        &mut self,
        known: Option<&Cow<'a, [u8]>>,
        end: u8,
    ) -> Result<Cow<'a, [u8]>, AnnotationError> {
        match self {
            Prose::Written(out) => {
                let text = known.cloned().unwrap_or_default();
                if text.contains(&end) {
                    return Err(AnnotationError::Text);
                }
                out.extend_from_slice(&text);
                out.push(end);
                Ok(text)
            }
            Prose::Unread(rest) => {
                let len = memchr::memchr(end, rest).ok_or(AnnotationError::Text)?;
                let text = rest.get(..len).unwrap_or_default();
                *rest = rest.get(len + 1..).unwrap_or_default();
                Ok(Cow::Borrowed(text))
            }
        }
    }

    /// The next text, which has so many bytes.
    pub(super) fn bytes(
        &mut self,
        known: Option<&Cow<'a, [u8]>>,
        len: u64,
    ) -> Result<Cow<'a, [u8]>, AnnotationError> {
        match self {
            Prose::Written(out) => {
                let text = known.cloned().unwrap_or_default();
                out.extend_from_slice(&text);
                Ok(text)
            }
            Prose::Unread(rest) => {
                let len = usize::try_from(len).map_err(|_| AnnotationError::Text)?;
                let (text, after) = rest.split_at_checked(len).ok_or(AnnotationError::Text)?;
                *rest = after;
                Ok(Cow::Borrowed(text))
            }
        }
    }
}
