//! Text from a tree, a layout and a patch.
//!
//! First the record is rendered as flowing text with its break opportunities
//! (blanks where a line may be wrapped) marked; then the lines are wrapped.

use super::compare::GapDigits;
use super::layout::{Layout, TemplatePart, Wrap, is_isolated};
use super::patch::{Patch, PatchCursor};
use super::scan::LexemeKind;
use super::steps::GapTracker;
use super::tree::{GameTree, Node, glyph_text, result_text};
use super::walk::{MisplacedVariation, Walker};
use crate::chess::IllegalPly;
use memchr::{memchr2, memrchr2};

/// Rendering errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum RenderError {
    /// A move is illegal in its position.
    #[error("{0}")]
    Illegal(#[from] IllegalPly),
    /// A variation opens or closes where none can.
    #[error("{0}")]
    Variation(#[from] MisplacedVariation),
    /// The patch contains pieces that the record does not have.
    #[error("patch of a piece that is not there")]
    Patch,
    /// The text exceeds the maximum length.
    #[error("text longer than announced")]
    TooLong,
}

/// Renders a record: the exact text it was encoded from. The text has at most
/// `max_bytes` bytes.
///
/// # Errors
/// The tree or the patch is invalid, or the text is longer than `max_bytes`.
pub fn render(
    tree: &GameTree<'_>,
    layout: &Layout,
    patch: &Patch<'_>,
    max_bytes: usize,
) -> Result<Vec<u8>, RenderError> {
    let flow = render_flow(tree, layout, patch, max_bytes)?;
    let mut out = Vec::with_capacity(flow.text.len() + flow.text.len() / 32 + tree.tail.len());
    let ending = layout.ending.bytes();
    flow.wrap(layout.wrap, |text, place| {
        out.extend_from_slice(text);
        match place {
            Some(place) if place.breaks => {
                if layout.wrap.has(Wrap::KEEP_BLANK) {
                    out.push(b' ');
                }
                out.extend_from_slice(ending);
                true
            }
            Some(_) => {
                out.push(b' ');
                false
            }
            None => false,
        }
    });
    out.extend_from_slice(tree.tail);
    if out.len() > max_bytes {
        return Err(RenderError::TooLong);
    }
    Ok(out)
}

/// A record as flowing text, before lines are wrapped.
#[derive(Debug, Default)]
pub(super) struct FlowingText {
    text: Vec<u8>,
    marks: Vec<FlowMark>,
}

/// A gap, or a blank in a comment, that ends a chunk of text.
#[derive(Debug, Clone, Copy)]
struct FlowMark {
    at: usize,
    piece: u64,
    /// Whether the line may be wrapped at this blank. If not, this is the start
    /// of a patched piece, or a gap before a result where lines are never
    /// wrapped.
    is_break_opportunity: bool,
}

/// A break opportunity.
pub(super) struct BreakOpportunity {
    pub(super) piece: u64,
    /// Whether the layout wraps the line here.
    pub(super) breaks: bool,
}

impl FlowingText {
    /// Visits the text. `visit` receives each stretch of text with the break
    /// opportunity after it, and returns whether the line is broken there.
    pub(super) fn wrap(
        &self,
        wrap: Wrap,
        mut visit: impl FnMut(&[u8], Option<BreakOpportunity>) -> bool,
    ) {
        let mut column = 0;
        let mut start = 0;
        for (index, mark) in self.marks.iter().enumerate() {
            let stretch = self.text.get(start..mark.at).unwrap_or_default();
            column = column_after(column, stretch);
            if !mark.is_break_opportunity {
                visit(stretch, None);
                start = mark.at;
                continue;
            }
            start = mark.at + 1;
            let next = self
                .marks
                .get(index + 1)
                .map_or(self.text.len(), |mark| mark.at);
            let ahead = self.text.get(start..next).unwrap_or_default();
            let place = BreakOpportunity {
                piece: mark.piece,
                breaks: wrap.breaks(column, line_len(ahead)),
            };
            column = if visit(stretch, Some(place)) {
                0
            } else {
                column + 1
            };
        }
        visit(self.text.get(start..).unwrap_or_default(), None);
    }
}

/// The column after `text`, which starts at `column`.
pub(super) fn column_after(column: usize, text: &[u8]) -> usize {
    match memrchr2(b'\n', b'\r', text) {
        Some(end) => text.len() - end - 1,
        None => column + text.len(),
    }
}

/// Length of the first line of `text`.
pub(super) fn line_len(text: &[u8]) -> usize {
    memchr2(b'\n', b'\r', text).unwrap_or(text.len())
}

/// Renders a record as flowing text.
pub(super) fn render_flow(
    tree: &GameTree<'_>,
    layout: &Layout,
    patch: &Patch<'_>,
    max_bytes: usize,
) -> Result<FlowingText, RenderError> {
    let mut renderer = FlowRenderer {
        layout,
        cursor: patch.cursor(),
        flow: FlowingText::default(),
        piece: 0,
        follower: GapTracker::new(&tree.start),
    };
    for tag in &tree.tags {
        renderer.lexeme(LexemeKind::TagName, &[b"[", tag.name]);
        renderer.lexeme(LexemeKind::TagValue, &[b"\"", tag.value, b"\"]"]);
    }
    let mut walker = Walker::new(tree.start.clone());
    for node in &tree.nodes {
        renderer.node(node, &mut walker)?;
        if renderer.flow.text.len() > max_bytes {
            return Err(RenderError::TooLong);
        }
    }
    if tree.tail.is_empty() {
        renderer.gap(None);
    }
    if !renderer.cursor.is_used_up() {
        return Err(RenderError::Patch);
    }
    Ok(renderer.flow)
}

struct FlowRenderer<'l> {
    layout: &'l Layout,
    cursor: PatchCursor<'l>,
    flow: FlowingText,
    piece: u64,
    follower: GapTracker,
}

impl<'l> FlowRenderer<'l> {
    fn node(&mut self, node: &Node<'_>, walker: &mut Walker) -> Result<(), RenderError> {
        match node {
            Node::Ply(ply, spelling) => {
                self.gap(Some(LexemeKind::Move));
                self.piece += 1;
                let text = &mut self.flow.text;
                walker.step(|position| position.write_legal(*ply, *spelling, text))?;
            }
            Node::Verbatim(text) => {
                self.gap(Some(LexemeKind::Move));
                self.piece += 1;
                self.flow.text.extend_from_slice(text);
            }
            Node::Open => {
                walker.open()?;
                self.lexeme(LexemeKind::Open, &[b"("]);
            }
            Node::Close => {
                walker.close()?;
                self.lexeme(LexemeKind::Close, &[b")"]);
            }
            Node::Nag(nag) => self.lexeme(
                LexemeKind::Nag,
                &[b"$", GapDigits::of(u64::from(*nag)).bytes()],
            ),
            Node::Glyph(nag) => self.lexeme(LexemeKind::Glyph, &[glyph_text(*nag)]),
            Node::Comment(text) if self.layout.wrap.wraps_comments() => self.flowing_comment(text),
            Node::Comment(text) => self.lexeme(LexemeKind::Comment, &[b"{", text, b"}"]),
            Node::LineComment(text) => self.lexeme(LexemeKind::LineComment, &[b";", text]),
            Node::Result(number) => self.lexeme(LexemeKind::Result, &[result_text(*number)]),
        }
        Ok(())
    }

    /// The text of the next piece, if it is patched. Marks its start.
    fn patched(&mut self) -> Option<&'l [u8]> {
        let piece = self.piece;
        self.piece += 1;
        let text = self.cursor.take(piece)?;
        self.mark(piece, false);
        Some(text)
    }

    fn mark(&mut self, piece: u64, is_place: bool) {
        let at = self.flow.text.len();
        self.flow.marks.push(FlowMark {
            at,
            piece,
            is_break_opportunity: is_place,
        });
    }

    fn lexeme(&mut self, kind: LexemeKind, parts: &[&[u8]]) {
        self.gap(Some(kind));
        match self.patched() {
            Some(text) => self.flow.text.extend_from_slice(text),
            None => parts
                .iter()
                .for_each(|part| self.flow.text.extend_from_slice(part)),
        }
    }

    fn gap(&mut self, kind: Option<LexemeKind>) {
        let (context, number) = self.follower.gap(kind);
        let piece = self.piece;
        if let Some(text) = self.patched() {
            self.flow.text.extend_from_slice(text);
            return;
        }
        let layout = self.layout;
        if layout.wrap.ends_chunk(context) {
            self.mark(piece, false);
        }
        let Some(template) = layout.gap(context) else {
            return;
        };
        for part in template.parts(context, layout.wrap) {
            match part {
                TemplatePart::Byte(byte) => self.flow.text.push(byte),
                TemplatePart::Number => self
                    .flow
                    .text
                    .extend_from_slice(GapDigits::of(number).bytes()),
                TemplatePart::LineEnd => self.flow.text.extend_from_slice(layout.ending.bytes()),
                TemplatePart::BreakOpportunity => self.push_break_opportunity(piece),
            }
        }
    }

    fn push_break_opportunity(&mut self, piece: u64) {
        self.mark(piece, true);
        self.flow.text.push(b' ');
    }

    /// A comment with blanks at which the line may be wrapped.
    fn flowing_comment(&mut self, text: &[u8]) {
        self.gap(Some(LexemeKind::Comment));
        self.flow.text.push(b'{');
        let mut start = 0;
        for blank in isolated_blanks(text) {
            self.flow
                .text
                .extend_from_slice(text.get(start..blank).unwrap_or_default());
            start = blank + 1;
            let piece = self.piece;
            match self.patched() {
                Some(text) => self.flow.text.extend_from_slice(text),
                None => self.push_break_opportunity(piece),
            }
        }
        self.flow
            .text
            .extend_from_slice(text.get(start..).unwrap_or_default());
        self.flow.text.push(b'}');
        self.piece += 1;
    }
}

/// The offsets of the blanks of a comment that have no white space next to
/// them.
fn isolated_blanks(text: &[u8]) -> impl Iterator<Item = usize> {
    memchr::memchr_iter(b' ', text).filter(|&at| is_isolated(text, at))
}
