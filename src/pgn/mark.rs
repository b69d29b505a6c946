//! The parts of a movetext between the plies.

use super::scan::{GLYPHS, LexemeKind, RESULTS, nag_value};
use super::tree::Node;
use crate::bits::{BitsError, ByteReader};

/// A node that is not a move, without its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mark {
    /// A comment in braces.
    Comment,
    /// A comment to the end of the line.
    LineComment,
    /// A numeric annotation glyph.
    Nag(u8),
    /// The ply that follows is a null move.
    Null,
    /// A variation opens.
    Open,
    /// A variation closes.
    Close,
    /// The verbatim rest of a variation.
    Verbatim,
    /// An annotation glyph by its NAG, 1 to 6.
    Glyph(u8),
    /// A termination marker.
    Result(u8),
}

const COMMENT: u8 = 1;
const LINE_COMMENT: u8 = 2;
const NAG: u8 = 3;
const NULL: u8 = 4;
const OPEN: u8 = 5;
const CLOSE: u8 = 6;
const VERBATIM: u8 = 7;
const GLYPH: u8 = 0x10;
const RESULT: u8 = 0x20;

impl Mark {
    /// The mark of a node; `None` for a move other than a null move.
    pub fn of(node: &Node<'_>) -> Option<Mark> {
        match node {
            Node::Comment(_) => Some(Mark::Comment),
            Node::LineComment(_) => Some(Mark::LineComment),
            Node::Nag(nag) => Some(Mark::Nag(*nag)),
            Node::Glyph(nag) => Some(Mark::Glyph(*nag)),
            Node::Result(number) => Some(Mark::Result(*number)),
            Node::Ply(crate::chess::PlyKind::Null, _) => Some(Mark::Null),
            Node::Open => Some(Mark::Open),
            Node::Close => Some(Mark::Close),
            Node::Verbatim(_) => Some(Mark::Verbatim),
            Node::Ply(..) => None,
        }
    }

    /// The mark of a lexeme; `None` for tag pairs, and for moves other than null
    /// moves.
    pub fn of_lexeme(kind: LexemeKind, text: &[u8]) -> Option<Mark> {
        let number = |list: &[&[u8]]| list.iter().position(|known| *known == text);
        Some(match kind {
            LexemeKind::Comment => Mark::Comment,
            LexemeKind::LineComment => Mark::LineComment,
            LexemeKind::Nag => Mark::Nag(nag_value(text.get(1..)?)?),
            LexemeKind::Glyph => Mark::Glyph(u8::try_from(number(&GLYPHS)? + 1).ok()?),
            LexemeKind::Result => Mark::Result(u8::try_from(number(&RESULTS)?).ok()?),
            LexemeKind::Open => Mark::Open,
            LexemeKind::Close => Mark::Close,
            LexemeKind::Move if matches!(text, b"--" | b"Z0") => Mark::Null,
            _ => return None,
        })
    }

    /// Appends the bytes of the mark.
    pub fn write(self, out: &mut Vec<u8>) {
        match self {
            Mark::Comment => out.push(COMMENT),
            Mark::LineComment => out.push(LINE_COMMENT),
            Mark::Nag(nag) => out.extend_from_slice(&[NAG, nag]),
            Mark::Null => out.push(NULL),
            Mark::Open => out.push(OPEN),
            Mark::Close => out.push(CLOSE),
            Mark::Verbatim => out.push(VERBATIM),
            Mark::Glyph(nag) => out.push(GLYPH | nag),
            Mark::Result(number) => out.push(RESULT | number),
        }
    }

    /// Reads a mark; `None` if the bytes are not a mark.
    pub fn read(input: &mut ByteReader<'_>) -> Result<Option<Mark>, BitsError> {
        let byte = input.u8()?;
        Ok(match (byte & 0xf0, byte & 0x0f) {
            (0, COMMENT) => Some(Mark::Comment),
            (0, LINE_COMMENT) => Some(Mark::LineComment),
            (0, NAG) => Some(Mark::Nag(input.u8()?)),
            (0, NULL) => Some(Mark::Null),
            (0, OPEN) => Some(Mark::Open),
            (0, CLOSE) => Some(Mark::Close),
            (0, VERBATIM) => Some(Mark::Verbatim),
            (GLYPH, nag @ 1..=6) => Some(Mark::Glyph(nag)),
            (RESULT, number @ 0..=3) => Some(Mark::Result(number)),
            _ => None,
        })
    }
}
