//! From lexemes to the tree: how far a record is structure.

use super::scan::{Kind, Lexeme, nag_value};
use super::tree::{Node, Tag, Tree, glyph_nag, result_number};
use crate::chess::{Position, Rules, SanText, Variant};
use std::borrow::Cow;

/// A game with more tag pairs than this keeps the others verbatim.
pub const MAX_TAGS: usize = 255;

/// A movetext holds at most this many nodes; what follows is kept verbatim.
pub const MAX_NODES: usize = 1 << 20;

/// Why a record is not structure to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Rest {
    /// It is no game.
    Text = 1,
    /// It is longer than a record may be.
    Piece = 2,
    /// A variation opens.
    Variation = 3,
    /// The game starts from a set-up position.
    SetUp = 4,
    /// A move is illegal, or not told apart from another.
    Illegal = 5,
    /// Moves, tag pairs or a second result stand where none belong.
    Misplaced = 6,
    /// Its patch would be longer than its text.
    Patch = 7,
    /// It did not come back when it was decoded for proof.
    Unproven = 8,
    /// As [`Rest::Illegal`], in a game of a variant.
    Variant = 9,
}

impl Rest {
    /// All reasons, by number.
    pub const ALL: [Rest; 9] = [
        Rest::Text,
        Rest::Piece,
        Rest::Variation,
        Rest::SetUp,
        Rest::Illegal,
        Rest::Misplaced,
        Rest::Patch,
        Rest::Unproven,
        Rest::Variant,
    ];

    /// The reason with this number.
    pub fn from_number(number: u8) -> Option<Rest> {
        Self::ALL.into_iter().find(|rest| *rest as u8 == number)
    }

    /// The reason in a few words.
    pub fn describe(self) -> &'static str {
        match self {
            Rest::Text => "text that is no game",
            Rest::Piece => "record too long",
            Rest::Variation => "variation",
            Rest::SetUp => "set-up position",
            Rest::Illegal => "illegal or ambiguous move",
            Rest::Misplaced => "misplaced move, tag pair or result",
            Rest::Patch => "layout too irregular",
            Rest::Variant => "variant of chess",
            Rest::Unproven => "not given back by the writer's own check",
        }
    }
}

/// A record and how far it is structure.
#[derive(Debug)]
pub struct Parsed<'a> {
    /// The tree; its tail is what is not structure.
    pub tree: Tree<'a>,
    /// How many lexemes are structure.
    pub structured: usize,
    /// Why there is a tail, if there is one.
    pub rest: Option<Rest>,
}

impl<'a> Parsed<'a> {
    /// A record that is kept verbatim throughout.
    pub fn verbatim(record: &'a [u8], rest: Rest) -> Self {
        Parsed {
            tree: Tree::verbatim(record),
            structured: 0,
            rest: Some(rest),
        }
    }

    /// The same record with the structure of at most its tag pairs.
    pub fn only_tags(record: &'a [u8], lexemes: &[Lexeme], rest: Rest) -> Self {
        let mut parser = Parser::default();
        parser.run(record, tag_lexemes(lexemes));
        parser.finish(record, lexemes, Some(rest))
    }
}

/// The lexemes of the tag pairs that are structure: those at the record's
/// start, up to a bound.
pub fn tag_lexemes(lexemes: &[Lexeme]) -> &[Lexeme] {
    let is_tag = |lexeme: &&Lexeme| matches!(lexeme.kind, Kind::TagName | Kind::TagValue);
    let count = lexemes.iter().take(2 * MAX_TAGS).take_while(is_tag).count();
    lexemes.get(..count).unwrap_or_default()
}

/// Takes a record apart as far as it is structure.
pub fn parse<'a>(record: &'a [u8], lexemes: &[Lexeme]) -> Parsed<'a> {
    let mut parser = Parser::default();
    let rest = parser.run(record, lexemes);
    parser.finish(record, lexemes, rest)
}

#[derive(Default)]
struct Parser<'a> {
    tree: Tree<'a>,
    position: Position,
    structured: usize,
    has_ended: bool,
    is_set_up: bool,
    is_variant: bool,
}

impl<'a> Parser<'a> {
    fn run(&mut self, record: &'a [u8], lexemes: &[Lexeme]) -> Option<Rest> {
        for (index, lexeme) in lexemes.iter().enumerate() {
            if let Err(rest) = self.lexeme(record, lexeme) {
                return Some(rest);
            }
            // A tag pair is structure as a whole or not at all.
            if lexeme.kind != Kind::TagName {
                self.structured = index + 1;
            }
        }
        None
    }

    fn finish(mut self, record: &'a [u8], lexemes: &[Lexeme], rest: Option<Rest>) -> Parsed<'a> {
        if rest.is_some() {
            let last = self
                .structured
                .checked_sub(1)
                .and_then(|last| lexemes.get(last));
            let end = last.map_or(0, |lexeme| lexeme.end);
            self.tree.tail = record.get(end..).unwrap_or_default();
        }
        Parsed {
            rest: rest.filter(|_| !self.tree.tail.is_empty()),
            tree: self.tree,
            structured: self.structured,
        }
    }

    fn lexeme(&mut self, record: &'a [u8], lexeme: &Lexeme) -> Result<(), Rest> {
        let text = record.get(lexeme.start..lexeme.end).unwrap_or_default();
        let inner = text.get(1..).unwrap_or_default();
        let node = match lexeme.kind {
            Kind::TagName => return self.tag_name(inner),
            Kind::TagValue => return self.tag_value(inner),
            Kind::Move => self.ply(text)?,
            Kind::Nag => Node::Nag(nag_value(inner).ok_or(Rest::Misplaced)?),
            Kind::Glyph => Node::Glyph(glyph_nag(text).ok_or(Rest::Misplaced)?),
            Kind::Comment => {
                Node::Comment(Cow::Borrowed(inner.strip_suffix(b"}").unwrap_or(inner)))
            }
            Kind::LineComment => Node::LineComment(Cow::Borrowed(inner)),
            Kind::Open | Kind::Close => return Err(Rest::Variation),
            Kind::Result if self.has_ended => return Err(Rest::Misplaced),
            Kind::Result => {
                self.has_ended = true;
                Node::Result(result_number(text).ok_or(Rest::Misplaced)?)
            }
        };
        if self.tree.nodes.len() >= MAX_NODES {
            return Err(Rest::Piece);
        }
        self.tree.nodes.push(node);
        Ok(())
    }

    fn tag_name(&mut self, name: &'a [u8]) -> Result<(), Rest> {
        if !self.tree.nodes.is_empty() || self.tree.tags.len() >= MAX_TAGS {
            return Err(Rest::Misplaced);
        }
        self.tree.tags.push(Tag { name, value: b"" });
        Ok(())
    }

    fn tag_value(&mut self, quoted: &'a [u8]) -> Result<(), Rest> {
        let value = quoted.strip_suffix(b"]").unwrap_or(quoted).trim_ascii_end();
        let tag = self.tree.tags.last_mut().ok_or(Rest::Misplaced)?;
        tag.value = value.strip_suffix(b"\"").unwrap_or(value);
        self.is_set_up |= tag.name == b"FEN";
        self.is_variant |= tag.name == b"Variant"
            && Rules::named(tag.value).is_none_or(|rules| rules.variant != Variant::Chess);
        Ok(())
    }

    fn ply(&mut self, text: &[u8]) -> Result<Node<'a>, Rest> {
        if self.is_set_up {
            return Err(Rest::SetUp);
        }
        if self.has_ended {
            return Err(Rest::Misplaced);
        }
        let illegal = if self.is_variant {
            Rest::Variant
        } else {
            Rest::Illegal
        };
        let san = SanText::parse(text).ok_or(illegal)?;
        let (ply, spelling) = self.position.read(&san).ok_or(illegal)?;
        self.position.play(ply).map_err(|_| illegal)?;
        Ok(Node::Ply(ply, spelling))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::Scanner;

    fn parsed(text: &str) -> (usize, Option<Rest>, usize) {
        let lexemes: Vec<Lexeme> = Scanner::new(text.as_bytes()).collect();
        let parsed = parse(text.as_bytes(), &lexemes);
        (
            parsed.tree.plies().count(),
            parsed.rest,
            parsed.tree.tail.len(),
        )
    }

    #[test]
    fn structure_ends_where_it_must() {
        assert_eq!(parsed("[A \"b\"]\n\n1. e4 e5 *\n"), (2, None, 0));
        assert_eq!(parsed("1. e4 (1. d4) e5 *"), (1, Some(Rest::Variation), 13));
        assert_eq!(parsed("[FEN \"x\"]\n\n1. e4 *"), (0, Some(Rest::SetUp), 9));
        assert_eq!(parsed("1. e4 e4 *"), (1, Some(Rest::Illegal), 5));
        assert_eq!(parsed("1. e4 * 1-0"), (1, Some(Rest::Misplaced), 4));
        assert_eq!(
            parsed("[Variant \"Crazyhouse\"]\n1. e4 N@e5"),
            (1, Some(Rest::Variant), 5)
        );
        assert_eq!(
            parsed("[Variant \"Standard\"]\n1. e4 N@e5"),
            (1, Some(Rest::Illegal), 5)
        );
        let many = "[A \"b\"]\n".repeat(MAX_TAGS + 1);
        assert_eq!(parsed(&many), (0, Some(Rest::Misplaced), 9));
    }
}
