//! A game as data: tag pairs, and a flat list of the parts of its movetext.

use super::scan::{GLYPHS, RESULTS};
use super::start::Start;
use crate::chess::{ChessPosition, Color, Outcome, PlyKind, Spelling};
use std::borrow::Cow;

/// A tag pair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tag<'a> {
    /// The name: letters, digits and underscores.
    pub name: &'a [u8],
    /// The value as written: the bytes between the quotes, escapes included.
    pub value: &'a [u8],
}

/// A part of the movetext, in the order of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Node<'a> {
    /// A move of the current line, with its spelling. It is legal there: the parser and all decoders
    /// of moves check it.
    Ply(PlyKind, Spelling),
    /// A numeric annotation glyph.
    Nag(u8),
    /// An annotation glyph by its NAG, 1 to 6.
    Glyph(u8),
    /// A comment, without its braces.
    Comment(Cow<'a, [u8]>),
    /// A comment to the end of the line, without the semicolon.
    LineComment(Cow<'a, [u8]>),
    /// A variation opens: the plies that follow replace the last one.
    Open,
    /// A variation closes.
    Close,
    /// The rest of a variation from its first illegal move on, stored verbatim.
    Verbatim(Cow<'a, [u8]>),
    /// A termination marker, by its number in the format.
    Result(u8),
}

/// The minimum length of the text of a ply in bytes: a pawn move such as `e4`.
pub const MIN_PLY_BYTES: usize = 2;

impl Node<'_> {
    /// The minimum number of bytes of text of the node.
    pub fn min_bytes(&self) -> usize {
        match self {
            Node::Ply(..) => MIN_PLY_BYTES,
            Node::Comment(text) | Node::LineComment(text) => 1 + text.len(),
            Node::Verbatim(text) => text.len().max(1),
            _ => 1,
        }
    }
}

/// A parsed record without its layout.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GameTree<'a> {
    /// Tag pairs, in order.
    pub tags: Vec<Tag<'a>>,
    /// The position before the first ply.
    pub start: ChessPosition,
    /// The movetext.
    pub nodes: Vec<Node<'a>>,
    /// The rest, stored verbatim. Empty if the record is structure to its end.
    pub tail: &'a [u8],
}

/// The position that tag pairs give; `None` if it is not legal.
pub fn first_position(tags: &[Tag<'_>]) -> Option<ChessPosition> {
    let tags = tags.iter().map(|tag| (tag.name, tag.value));
    Start::of(tags).map(|(_, position)| position)
}

impl<'a> GameTree<'a> {
    /// The position before the first ply; `None` if it is not legal.
    pub fn first_position(&self) -> Option<ChessPosition> {
        let has_plies = self.nodes.iter().any(|node| matches!(node, Node::Ply(..)));
        match has_plies {
            true => Some(self.start.clone()),
            // A tree without plies need not have its start position set.
            false => first_position(&self.tags),
        }
    }

    /// The plies of the main line.
    pub fn plies(&self) -> impl Iterator<Item = PlyKind> {
        let mut depth = 0u64;
        self.nodes.iter().filter_map(move |node| {
            match node {
                Node::Open => depth += 1,
                Node::Close => depth = depth.saturating_sub(1),
                Node::Ply(ply, _) if depth == 0 => return Some(*ply),
                _ => {}
            }
            None
        })
    }
}

/// The outcomes of the termination markers, by number. The last marker, `*`,
/// has none.
const OUTCOMES: [Outcome; 3] = [
    Outcome::Decisive {
        winner: Color::White,
    },
    Outcome::Decisive {
        winner: Color::Black,
    },
    Outcome::Draw,
];

/// The outcome of a termination marker; `None` for `*`.
pub fn outcome_of_marker(number: u8) -> Option<Outcome> {
    OUTCOMES.get(usize::from(number)).copied()
}

/// The number in the format of the termination marker of an outcome.
pub fn marker_of_outcome(outcome: Outcome) -> Option<u8> {
    let number = OUTCOMES.iter().position(|known| *known == outcome)?;
    u8::try_from(number).ok()
}

/// The text of a termination marker.
pub(super) fn result_text(number: u8) -> &'static [u8] {
    RESULTS.get(usize::from(number)).copied().unwrap_or(b"*")
}

/// The number of a termination marker in the format.
pub(super) fn result_number(text: &[u8]) -> Option<u8> {
    let number = RESULTS.iter().position(|result| *result == text)?;
    u8::try_from(number).ok()
}

/// The text of an annotation glyph.
pub(super) fn glyph_text(nag: u8) -> &'static [u8] {
    let index = usize::from(nag).checked_sub(1);
    index
        .and_then(|index| GLYPHS.get(index))
        .copied()
        .unwrap_or(b"!")
}

/// The NAG that is equivalent to an annotation glyph.
pub(super) fn glyph_nag(text: &[u8]) -> Option<u8> {
    let index = GLYPHS.iter().position(|glyph| *glyph == text)?;
    u8::try_from(index + 1).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::{Lexeme, Scanner, parse};

    #[test]
    fn no_node_takes_more_than_its_text() {
        let text = b"1.e4{ab}(1.d4;c\n)$1!e5 *";
        let lexemes: Vec<Lexeme> = Scanner::new(text).collect();
        let nodes = parse(text, &lexemes).tree.nodes;
        let bytes: Vec<usize> = nodes.iter().map(Node::min_bytes).collect();
        assert_eq!(bytes, [2, 3, 1, 2, 2, 1, 1, 1, 2, 1]);
        let verbatim = |text: &'static [u8]| Node::Verbatim(Cow::Borrowed(text)).min_bytes();
        assert_eq!((verbatim(b""), verbatim(b"Ke5 Ke4")), (1, 7));
    }
}
