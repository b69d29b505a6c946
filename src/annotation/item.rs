//! The marks of a movetext with their content.

use super::pattern::Sign;
use super::template::FieldContent;
use super::templates::Templates;
use crate::pgn::{Mark, Node};
use std::borrow::Cow;

/// A node that is no ply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Item<'a> {
    /// A comment that matches a template.
    Note(Note<'a>),
    /// Any other comment.
    Comment(Cow<'a, [u8]>),
    /// A comment to the end of the line.
    LineComment(Cow<'a, [u8]>),
    /// The rest of a variation, stored verbatim.
    Verbatim(Cow<'a, [u8]>),
    /// A mark without text.
    Mark(Mark),
}

/// A comment as a template number and field values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note<'a> {
    /// The number of the template.
    pub template: u16,
    /// One value per field.
    pub values: Vec<FieldContent<'a>>,
}

impl<'a> Item<'a> {
    /// The item of a node; `None` for a move. A null move yields a mark.
    pub fn of(node: &'a Node<'_>, templates: &Templates) -> Option<Item<'a>> {
        Some(match node {
            Node::Comment(text) => Item::comment(text, templates),
            Node::LineComment(text) => Item::LineComment(Cow::Borrowed(text)),
            Node::Verbatim(text) => Item::Verbatim(Cow::Borrowed(text)),
            node => Item::Mark(Mark::of(node)?),
        })
    }

    /// The item of a comment with this text.
    pub fn comment(text: &'a [u8], templates: &Templates) -> Item<'a> {
        match templates.find(text) {
            Some((template, values)) => Item::Note(Note { template, values }),
            None => Item::Comment(Cow::Borrowed(text)),
        }
    }

    /// The kind of mark.
    pub fn mark(&self) -> Mark {
        match self {
            Item::Note(_) | Item::Comment(_) => Mark::Comment,
            Item::LineComment(_) => Mark::LineComment,
            Item::Verbatim(_) => Mark::Verbatim,
            Item::Mark(mark) => *mark,
        }
    }

    /// The item as it appears in a pattern. Only templates below `named` are
    /// named in patterns.
    pub(super) fn sign(&self, named: u16) -> Sign {
        match self {
            Item::Note(note) if note.template < named => Sign::Note(note.template),
            item => Sign::Mark(item.mark()),
        }
    }

    /// Converts the item to a node. Returns `None` for a null move, which is a
    /// ply, and for values that do not fit the template.
    pub fn node(self, templates: &Templates) -> Option<Node<'a>> {
        Some(match self {
            Item::Note(note) => {
                let text = templates.get(note.template)?.print(&note.values)?;
                Node::Comment(text.into())
            }
            Item::Comment(text) => Node::Comment(text),
            Item::LineComment(text) => Node::LineComment(text),
            Item::Verbatim(text) => Node::Verbatim(text),
            Item::Mark(mark) => match mark {
                Mark::Nag(nag) => Node::Nag(nag),
                Mark::Glyph(nag) => Node::Glyph(nag),
                Mark::Result(number) => Node::Result(number),
                Mark::Open => Node::Open,
                Mark::Close => Node::Close,
                Mark::Null | Mark::Comment | Mark::LineComment | Mark::Verbatim => return None,
            },
        })
    }
}

/// Items, each with the number of plies before it, including those of
/// variations.
pub type Items<'a> = Vec<(usize, Item<'a>)>;
