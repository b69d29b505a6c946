//! Matches a record against a layout: which lines are broken, and what fits.

use super::layout::{GapTemplate, Layout, LineEnding, TemplatePart, Wrap};
use super::steps::LayoutStep;
use std::borrow::Cow;
use std::ops::Range;

/// A break opportunity in a record: its bytes (a blank, or the bytes of a line
/// break) and whether the line is broken there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SeenBreak {
    pub(super) range: Range<usize>,
    pub(super) is_broken: bool,
    /// Whether the line is never broken here. It only ends the chunk that must
    /// fit on the line.
    pub(super) only_ends_chunk: bool,
}

/// Matches a gap with a template and passes its break opportunities to `note`.
/// Returns `false` if the gap differs by more than line breaks.
pub(super) fn match_gap(
    template: &GapTemplate,
    layout: &Layout,
    step: &LayoutStep<'_>,
    mut note: impl FnMut(SeenBreak),
) -> bool {
    let mut rest = step.gap;
    for part in template.parts(step.context, layout.wrap) {
        let after = match part {
            TemplatePart::Byte(byte) => rest.strip_prefix(&[byte]),
            TemplatePart::Number => rest.strip_prefix(GapDigits::of(step.number).bytes()),
            TemplatePart::LineEnd => rest.strip_prefix(layout.ending.bytes()),
            TemplatePart::BreakOpportunity => {
                break_len(rest, layout).and_then(|(len, is_broken)| {
                    let start = step.start + (step.gap.len() - rest.len());
                    note(SeenBreak {
                        range: start..start + len,
                        is_broken,
                        only_ends_chunk: false,
                    });
                    rest.get(len..)
                })
            }
        };
        match after {
            Some(after) => rest = after,
            None => return false,
        }
    }
    rest.is_empty()
}

/// A number in decimal, without allocation.
#[derive(Debug, Clone, Copy)]
pub(super) struct GapDigits {
    buffer: [u8; 20],
    start: usize,
}

impl GapDigits {
    pub(super) fn of(mut number: u64) -> Self {
        let mut digits = GapDigits {
            buffer: [b'0'; 20],
            start: 20,
        };
        for slot in digits.buffer.iter_mut().rev() {
            let [digit, ..] = (number % 10).to_le_bytes();
            *slot = b'0' + digit;
            digits.start -= 1;
            number /= 10;
            if number == 0 {
                break;
            }
        }
        digits
    }

    pub(super) fn bytes(&self) -> &[u8] {
        self.buffer.get(self.start..).unwrap_or_default()
    }
}

/// Length of the break opportunity at the start of `text`, and whether the line
/// is broken there.
pub(super) fn break_len(text: &[u8], layout: &Layout) -> Option<(usize, bool)> {
    let ending = layout.ending.bytes();
    let blank_len = usize::from(layout.wrap.has(Wrap::KEEP_BLANK));
    let after_blank = text.strip_prefix(b" ");
    let broken = if blank_len == 1 {
        after_blank
    } else {
        Some(text)
    };
    if broken.is_some_and(|rest| rest.starts_with(ending)) {
        return Some((blank_len + ending.len(), true));
    }
    after_blank.map(|_| (1, false))
}

/// The break opportunities in a comment of the record: blanks and line breaks
/// that have no other white space next to them.
pub(super) fn comment_breaks<'t>(
    text: &'t [u8],
    layout: &'t Layout,
) -> impl Iterator<Item = SeenBreak> + 't {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let white = text.get(at..)?.iter().position(|byte| is_white(*byte))?;
            let start = at + white;
            let run = text
                .get(start..)?
                .iter()
                .take_while(|byte| is_white(**byte))
                .count();
            at = start + run;
            let unit = text.get(start..at)?;
            if let Some((len, is_broken)) = break_len(unit, layout)
                && len == run
            {
                return Some(SeenBreak {
                    range: start..at,
                    is_broken,
                    only_ends_chunk: false,
                });
            }
        }
    })
}

fn is_white(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// The text of a comment with the line breaks of wrapping replaced by blanks.
pub(super) fn unwrap_comment<'t>(text: &'t [u8], layout: &Layout) -> Cow<'t, [u8]> {
    if !layout.wrap.wraps_comments() || !comment_breaks(text, layout).any(|place| place.is_broken) {
        return Cow::Borrowed(text);
    }
    let mut out = Vec::with_capacity(text.len());
    let mut start = 0;
    for place in comment_breaks(text, layout) {
        out.extend_from_slice(text.get(start..place.range.start).unwrap_or_default());
        out.push(b' ');
        start = place.range.end;
    }
    out.extend_from_slice(text.get(start..).unwrap_or_default());
    Cow::Owned(out)
}

/// The line ending of a record: the first one. LF if there is none.
pub(super) fn line_ending(record: &[u8]) -> LineEnding {
    match memchr::memchr2(b'\n', b'\r', record) {
        Some(at) if record.get(at) == Some(&b'\n') => LineEnding::Lf,
        Some(at) if record.get(at + 1) == Some(&b'\n') => LineEnding::CrLf,
        Some(_) => LineEnding::Cr,
        None => LineEnding::Lf,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::layout::WrapMode;

    fn layout(places: u8) -> Layout {
        let wrap = Wrap {
            mode: WrapMode::Fit,
            flags: places,
            width: 80,
        };
        Layout::new(LineEnding::CrLf, wrap)
    }

    #[test]
    fn comments_flow() {
        let text = b"a\r\nb c \r\n d  e\r\n\r\nf\r\n";
        assert_eq!(
            unwrap_comment(text, &layout(Wrap::IN_COMMENTS)).as_ref(),
            b"a b c \r\n d  e\r\n\r\nf "
        );
        assert_eq!(unwrap_comment(text, &layout(0)).as_ref(), text);
        assert_eq!(
            unwrap_comment(
                b"a \r\nb\r\nc",
                &layout(Wrap::IN_COMMENTS | Wrap::KEEP_BLANK)
            )
            .as_ref(),
            b"a b\r\nc"
        );
    }

    #[test]
    fn digits_are_decimal() {
        for number in [0, 7, 10, 99, 100, 65_536, u64::MAX] {
            assert_eq!(GapDigits::of(number).bytes(), number.to_string().as_bytes());
        }
    }

    #[test]
    fn line_endings_are_detected() {
        assert_eq!(line_ending(b"a\nb\r\n"), LineEnding::Lf);
        assert_eq!(line_ending(b"a\r\nb\n"), LineEnding::CrLf);
        assert_eq!(line_ending(b"a\rb"), LineEnding::Cr);
        assert_eq!(line_ending(b""), LineEnding::Lf);
    }
}
