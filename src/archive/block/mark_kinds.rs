//! What the marks of a movetext are, decoded without its moves.

use crate::annotation::{AnnotationError, Item, Notation, Templates};
use crate::archive::block::marked_lines::{MarkedLines, read_plies_with_length};
use crate::archive::block::movetext::TOO_MANY_PLIES;
use crate::archive::error::ContentError;
use crate::archive::schema::record::Movetext;
use crate::chess::ChessPosition;
use crate::limits::Limits;
use crate::pgn::{LexemeKind, Mark, Node, Scanner, has_text};
use memchr::memmem;

/// Which kinds of marks a movetext has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct MarkKinds {
    /// A comment with text beyond commands such as `[%clk …]`.
    pub(crate) comments: bool,
    /// A comment with `[%clk`.
    pub(crate) clocks: bool,
    /// A comment with `[%eval`.
    pub(crate) evals: bool,
    pub(crate) variations: bool,
}

impl MarkKinds {
    /// Those of a text.
    pub(crate) fn of_text(text: &[u8]) -> MarkKinds {
        let mut kinds = MarkKinds::default();
        for lexeme in Scanner::new(text) {
            match lexeme.kind {
                LexemeKind::Comment => {
                    let inner = lexeme.text(text).strip_prefix(b"{").unwrap_or_default();
                    kinds.add_comment(inner.strip_suffix(b"}").unwrap_or(inner));
                }
                LexemeKind::LineComment => {
                    let inner = lexeme.text(text).strip_prefix(b";");
                    kinds.add_comment(inner.unwrap_or_default());
                }
                LexemeKind::Open => kinds.variations = true,
                _ => {}
            }
        }
        kinds
    }

    /// Adds a comment without its delimiters.
    fn add_comment(&mut self, text: &[u8]) {
        self.comments = self.comments || has_text(text);
        self.clocks = self.clocks || memmem::find(text, b"[%clk").is_some();
        self.evals = self.evals || memmem::find(text, b"[%eval").is_some();
    }

    /// Adds an item; returns the size of the text that was made for it, in bytes.
    fn add(&mut self, item: Item<'_>, templates: &Templates) -> Result<usize, ContentError> {
        match item {
            Item::Mark(mark) => {
                self.variations |= mark == Mark::Open;
                Ok(0)
            }
            // The rest of a variation.
            Item::Verbatim(text) => {
                let inside = MarkKinds::of_text(&text);
                self.comments |= inside.comments;
                self.clocks |= inside.clocks;
                self.evals |= inside.evals;
                self.variations |= inside.variations;
                Ok(text.len())
            }
            Item::Note(_) | Item::Comment(_) | Item::LineComment(_) => {
                let node = item.node(templates).ok_or(AnnotationError::Template)?;
                let (Node::Comment(text) | Node::LineComment(text)) = node else {
                    return Ok(0);
                };
                self.add_comment(&text);
                Ok(text.len())
            }
        }
    }
}

/// Decodes the kinds of the marks, for a game from `start`, and the minimum number of bytes of text
/// of what was decoded. `max_bytes` is the maximum size of the movetext. Moves are decoded only if
/// they alone give the number of plies.
pub(crate) fn decode_mark_kinds(
    movetext: &mut Movetext<'_>,
    start: &ChessPosition,
    notation: &Notation,
    max_bytes: usize,
    limits: &Limits,
) -> Result<(MarkKinds, usize), ContentError> {
    read_plies_with_length(movetext, start, max_bytes, limits)?;
    let lines = MarkedLines::read(movetext, notation, max_bytes)?;
    let left = max_bytes.checked_sub(lines.min_bytes());
    let mut left = left.ok_or(TOO_MANY_PLIES)?;
    let mut kinds = MarkKinds::default();
    for (_, item) in lines.into_items() {
        let bytes = kinds.add(item, notation.templates())?;
        left = left.checked_sub(bytes).ok_or(AnnotationError::Limit)?;
    }
    Ok((kinds, max_bytes.saturating_sub(left)))
}
