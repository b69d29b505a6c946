//! The layout of a record: line endings, gaps, and where lines are wrapped.

use super::steps::{GapContext, GapSlot};
use crate::bits::{BitsError, ByteReader, put_bytes, put_varint};
use std::ops::Range;
use strum::{FromRepr, IntoStaticStr, VariantArray};

/// A line ending.
#[derive(Debug, Clone, Copy, PartialEq, Eq, FromRepr, IntoStaticStr, VariantArray)]
#[repr(u8)]
pub enum LineEnding {
    /// `\n`
    #[strum(serialize = "LF")]
    Lf = 0,
    /// `\r\n`
    #[strum(serialize = "CR LF")]
    CrLf = 1,
    /// `\r`
    #[strum(serialize = "CR")]
    Cr = 2,
}

impl LineEnding {
    /// Its bytes.
    pub fn bytes(self) -> &'static [u8] {
        match self {
            LineEnding::Lf => b"\n",
            LineEnding::CrLf => b"\r\n",
            LineEnding::Cr => b"\r",
        }
    }
}

/// When a line is wrapped at a break opportunity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, FromRepr, IntoStaticStr, VariantArray)]
#[repr(u8)]
pub enum WrapMode {
    /// Never.
    #[strum(serialize = "none")]
    None = 0,
    /// Where the line would otherwise exceed the width, including the text up
    /// to the next break opportunity.
    #[strum(serialize = "fit")]
    Fit = 1,
    /// Where the line has reached the width.
    #[strum(serialize = "reach")]
    Reach = 2,
}

/// Where and when lines are wrapped. Lengths are in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wrap {
    /// When a line is wrapped.
    pub mode: WrapMode,
    /// Where: the flags below.
    pub flags: u8,
    /// The width in bytes.
    pub width: u32,
}

impl Wrap {
    /// No wrapping.
    pub const NONE: Wrap = Wrap {
        mode: WrapMode::None,
        flags: 0,
        width: 0,
    };
    /// Also between a move number and its move.
    pub const AFTER_NUMBERS: u8 = 1;
    /// Also before the termination marker.
    pub const BEFORE_RESULT: u8 = 2;
    /// Also at the blanks inside comments.
    pub const IN_COMMENTS: u8 = 4;
    /// Only before White's moves.
    pub const ONLY_WHITE: u8 = 8;
    /// The blank before a break is retained.
    pub const KEEP_BLANK: u8 = 16;

    /// Every place flag with its name.
    pub const FLAGS: [(u8, &'static str); 5] = [
        (Self::AFTER_NUMBERS, "after numbers"),
        (Self::BEFORE_RESULT, "before result"),
        (Self::IN_COMMENTS, "in comments"),
        (Self::ONLY_WHITE, "only White"),
        (Self::KEEP_BLANK, "keep blank"),
    ];

    /// Whether a place flag is set.
    pub fn has(&self, place: u8) -> bool {
        self.flags & place != 0
    }

    /// Whether a line of `column` bytes is wrapped before `chunk` bytes, which
    /// extend to the next break opportunity.
    pub(super) fn breaks(&self, column: usize, chunk: usize) -> bool {
        let width = usize::try_from(self.width).unwrap_or(usize::MAX);
        match self.mode {
            WrapMode::None => false,
            WrapMode::Fit => column.saturating_add(1).saturating_add(chunk) > width,
            WrapMode::Reach => column >= width,
        }
    }

    /// Whether lines are wrapped inside comments.
    pub(super) fn wraps_comments(&self) -> bool {
        self.mode != WrapMode::None && self.has(Wrap::IN_COMMENTS)
    }

    /// Whether a gap in this context ends the chunk that must fit on the line,
    /// although the line is never wrapped there. Matches writers that append
    /// the result without checking the length of the line.
    pub(super) fn ends_chunk(&self, context: GapContext) -> bool {
        self.mode != WrapMode::None
            && !self.has(Wrap::BEFORE_RESULT)
            && context.is_before(GapSlot::Result)
    }

    /// Whether the blanks of gaps in this context are break opportunities.
    fn wraps_at(&self, context: GapContext) -> bool {
        self.mode != WrapMode::None
            && !context.is_fixed()
            && (self.has(Wrap::BEFORE_RESULT) || !context.is_before(GapSlot::Result))
            && (!self.has(Wrap::ONLY_WHITE) || context.is_before(GapSlot::WhiteMove))
    }
}

/// The maximum length of a template in bytes. Longer gaps are patched.
pub const MAX_TEMPLATE_BYTES: usize = 255;

/// The form of a gap: blanks, tabs, dots, line endings and the move number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct GapTemplate(Vec<u8>);

/// The byte of a template that denotes the move number.
const NUMBER: u8 = b'#';
/// The byte of a template that denotes a line ending.
const LINE_END: u8 = b'\n';

/// A piece of a template.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TemplatePart {
    Byte(u8),
    Number,
    LineEnd,
    /// A blank where the line may be wrapped.
    BreakOpportunity,
}

impl GapTemplate {
    /// The template of a gap, if it consists only of blanks, tabs, dots, line
    /// endings and this move number, and is short enough.
    pub(super) fn of(gap: &[u8], number: u64, ending: LineEnding) -> Option<GapTemplate> {
        let digits = number.to_string();
        let mut out = Vec::new();
        let mut rest = gap;
        while let Some((&byte, tail)) = rest.split_first() {
            if let Some(tail) = rest.strip_prefix(ending.bytes()) {
                out.push(LINE_END);
                rest = tail;
            } else if let Some(tail) = rest.strip_prefix(digits.as_bytes()) {
                out.push(NUMBER);
                rest = tail;
            } else if matches!(byte, b' ' | b'\t' | b'.') {
                out.push(byte);
                rest = tail;
            } else {
                return None;
            }
        }
        let is_short = out.len() <= MAX_TEMPLATE_BYTES;
        is_short.then_some(GapTemplate(out))
    }

    /// Replaces lone line endings by blanks, as the line was wrapped there.
    /// With `keeps_blank`, replaces only those after a blank, together with it.
    fn unwrapped(&self, keeps_blank: bool) -> GapTemplate {
        let broken: &[u8] = if keeps_blank { b" \n" } else { b"\n" };
        let mut out = Vec::new();
        let mut at = 0;
        while let Some(&byte) = self.0.get(at) {
            let end = at + broken.len();
            let is_broken =
                self.0.get(at..end) == Some(broken) && is_range_isolated(&self.0, at..end);
            out.push(if is_broken { b' ' } else { byte });
            at = if is_broken { end } else { at + 1 };
        }
        GapTemplate(out)
    }

    /// The parts of the template in a layout with this wrapping.
    pub(super) fn parts(
        &self,
        context: GapContext,
        wrap: Wrap,
    ) -> impl Iterator<Item = TemplatePart> {
        let wraps = wrap.wraps_at(context);
        let mut after_number = false;
        self.0.iter().enumerate().map(move |(index, &byte)| {
            after_number |= byte == NUMBER;
            match byte {
                NUMBER => TemplatePart::Number,
                LINE_END => TemplatePart::LineEnd,
                b' ' if wraps
                    && is_isolated(&self.0, index)
                    && (!after_number || wrap.has(Wrap::AFTER_NUMBERS)) =>
                {
                    TemplatePart::BreakOpportunity
                }
                byte => TemplatePart::Byte(byte),
            }
        })
    }
}

/// Whether no white space is next to the byte at `index`.
pub(super) fn is_isolated(bytes: &[u8], index: usize) -> bool {
    is_range_isolated(bytes, index..index + 1)
}

fn is_range_isolated(bytes: &[u8], range: Range<usize>) -> bool {
    let is_blank = |at: Option<usize>| {
        at.and_then(|at| bytes.get(at))
            .is_some_and(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r'))
    };
    !is_blank(range.start.checked_sub(1)) && !is_blank(Some(range.end))
}

/// The layout of records: everything that rendering needs besides the tree and
/// the patch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    /// The line ending.
    pub ending: LineEnding,
    /// Where and when lines are wrapped.
    pub wrap: Wrap,
    gaps: Vec<Option<GapTemplate>>,
}

impl Layout {
    /// A layout in which every gap is empty.
    pub fn new(ending: LineEnding, wrap: Wrap) -> Self {
        Layout {
            ending,
            wrap,
            gaps: vec![None; usize::from(GapContext::COUNT)],
        }
    }

    /// The template of gaps in this context, if known.
    pub(super) fn gap(&self, context: GapContext) -> Option<&GapTemplate> {
        self.gaps.get(usize::from(context.number()))?.as_ref()
    }

    /// Sets the template of gaps in this context.
    pub(super) fn set_gap(&mut self, context: GapContext, template: GapTemplate) {
        if let Some(gap) = self.gaps.get_mut(usize::from(context.number())) {
            *gap = Some(template);
        }
    }

    /// The template of a gap for this layout; `None` if no template describes
    /// it.
    pub(super) fn template_of(
        &self,
        gap: &[u8],
        number: u64,
        context: GapContext,
    ) -> Option<GapTemplate> {
        let template = GapTemplate::of(gap, number, self.ending)?;
        Some(match self.wrap.wraps_at(context) {
            true => template.unwrapped(self.wrap.has(Wrap::KEEP_BLANK)),
            false => template,
        })
    }

    /// Appends the layout in the archive format.
    pub fn write(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&[self.ending as u8, self.wrap.mode as u8, self.wrap.flags]);
        put_varint(out, u64::from(self.wrap.width));
        let known = || {
            (0u8..)
                .zip(&self.gaps)
                .filter_map(|(n, gap)| Some((n, gap.as_ref()?)))
        };
        put_varint(out, known().count() as u64);
        for (number, template) in known() {
            out.push(number);
            put_bytes(out, &template.0);
        }
    }

    /// Reads a layout; `None` if a field is invalid.
    pub fn read(input: &mut ByteReader<'_>) -> Result<Option<Layout>, BitsError> {
        let [ending, mode, places] = input.array()?;
        let width = input.varint()?;
        let wrap = read_wrap(mode, places, width);
        let (Some(ending), Some(wrap)) = (LineEnding::from_repr(ending), wrap) else {
            return Ok(None);
        };
        let mut layout = Layout::new(ending, wrap);
        for _ in 0..input.varint()? {
            let context = GapContext::from_number(input.u8()?);
            let template = GapTemplate(input.bytes()?.to_vec());
            let Some(context) = context.filter(|context| layout.gap(*context).is_none()) else {
                return Ok(None);
            };
            if template.0.len() > MAX_TEMPLATE_BYTES {
                return Ok(None);
            }
            layout.set_gap(context, template);
        }
        Ok(Some(layout))
    }
}

fn read_wrap(mode: u8, places: u8, width: u64) -> Option<Wrap> {
    Some(Wrap {
        mode: WrapMode::from_repr(mode)?,
        flags: (places < 2 * Wrap::KEEP_BLANK).then_some(places)?,
        width: u32::try_from(width).ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn template(gap: &str) -> Option<GapTemplate> {
        GapTemplate::of(gap.as_bytes(), 12, LineEnding::CrLf)
    }

    fn unwrapped(gap: &str, keeps_blank: bool) -> String {
        let template = template(gap).unwrap().unwrapped(keeps_blank);
        String::from_utf8(template.0).unwrap()
    }

    #[test]
    fn gaps_become_templates() {
        assert_eq!(template(" 12. ").unwrap().0, b" #. ");
        assert_eq!(template("\r\n12.").unwrap().0, b"\n#.");
        for (gap, expected) in [
            ("\r\n12.", " #."),
            ("\r\n\r\n12.", "\n\n#."),
            (" 12...", " #..."),
            (" \r\n12.", " \n#."),
        ] {
            assert_eq!(unwrapped(gap, false), expected, "{gap:?}");
        }
        for (gap, expected) in [
            (" \r\n12.", " #."),
            ("12. \r\n", "#. "),
            (" \r\n \r\n", " \n \n"),
            ("  \r\n12.", "  \n#."),
            ("\r\n12.", "\n#."),
        ] {
            assert_eq!(unwrapped(gap, true), expected, "{gap:?}");
        }
        for odd in [" 13. ", " 12. x", "\n12.", "\u{feff}"] {
            assert_eq!(template(odd), None, "{odd:?}");
        }
    }

    #[test]
    fn layouts_round_trip() {
        let wrap = Wrap {
            mode: WrapMode::Reach,
            flags: Wrap::ONLY_WHITE,
            width: 72,
        };
        let mut layout = Layout::new(LineEnding::CrLf, wrap);
        let context = GapContext::new(GapSlot::BlackMove, GapSlot::WhiteMove);
        let template = layout.template_of(b"\r\n9.", 9, context).unwrap();
        layout.set_gap(context, template);
        let mut bytes = Vec::new();
        layout.write(&mut bytes);
        assert_eq!(bytes, [1, 2, 8, 72, 1, 42, 3, b' ', b'#', b'.']);
        let mut reader = ByteReader::new(&bytes);
        assert_eq!(Layout::read(&mut reader), Ok(Some(layout)));
        assert!(reader.is_empty());
    }

    #[test]
    fn invalid_layouts_are_rejected() {
        for bytes in [
            &[3, 0, 0, 0, 0][..],
            &[0, 3, 0, 0, 0],
            &[0, 0, 64, 0, 0],
            &[0, 0, 0, 0, 1, 169, 0],
            &[0, 0, 0, 0, 2, 5, 0, 5, 0],
        ] {
            assert_eq!(
                Layout::read(&mut ByteReader::new(bytes)),
                Ok(None),
                "{bytes:?}"
            );
        }
        assert!(Layout::read(&mut ByteReader::new(&[0, 0, 0, 0, 9, 1])).is_err());
    }
}
