//! From lexemes to the tree: how far a record is structure.

use super::scan::{Kind, Lexeme, nag_value};
use super::start::{Start, VARIANT_TAG};
use super::tree::{Node, Tag, Tree, glyph_nag, result_number};
use super::walk::Walker;
use crate::chess::{Position, Rules, SanText};
use std::borrow::Cow;

/// A game with more tag pairs than this keeps the others verbatim.
pub const MAX_TAGS: usize = 255;

/// A movetext holds at most this many nodes.
pub const MAX_NODES: usize = 1 << 20;

/// A text is taken apart as far as so many nodes; what follows is kept verbatim. While it
/// is packed, a node takes some 200 bytes.
const MOST_PARSED: usize = MAX_NODES / 2;

/// Why a record is not structure throughout.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Rest {
    /// It is no game.
    Text = 1,
    /// It is longer than a record may be.
    Piece = 2,
    /// A move of a variation is illegal, or not told apart from another: the
    /// rest of the variation is kept verbatim where it stands.
    Variation = 3,
    /// The FEN tag gives no position, or none by the rules of the variant.
    SetUp = 4,
    /// A move is illegal, or not told apart from another.
    Illegal = 5,
    /// Moves, variations, tag pairs or a second result stand where none belong.
    Misplaced = 6,
    /// Its patch would be longer than its text.
    Patch = 7,
    /// It did not come back when it was decoded for proof.
    Unproven = 8,
    /// The rules of the variant are not known.
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
            Rest::Variation => "illegal or ambiguous move in a variation",
            Rest::SetUp => "FEN that gives no position",
            Rest::Illegal => "illegal or ambiguous move",
            Rest::Misplaced => "misplaced move, variation, tag pair or result",
            Rest::Patch => "layout too irregular",
            Rest::Variant => "unknown variant",
            Rest::Unproven => "not given back by the writer's own check",
        }
    }
}

/// A record and how far it is structure.
#[derive(Debug)]
pub struct Parsed<'a> {
    /// The tree; its tail is what is not structure.
    pub tree: Tree<'a>,
    /// From where the game starts.
    pub start: Start,
    /// The lexemes that are structure. What is kept verbatim of a variation
    /// stands here as one move.
    pub lexemes: Vec<Lexeme>,
    /// Why the record is not structure throughout, if it is not.
    pub rest: Option<Rest>,
}

impl<'a> Parsed<'a> {
    /// The same record with the structure of at most its tag pairs.
    pub fn only_tags(record: &'a [u8], lexemes: &[Lexeme], rest: Rest) -> Self {
        let mut parser = Parser::new(record);
        let _ = parser.run(tag_lexemes(lexemes));
        parser.finish(Some(rest))
    }
}

/// The lexemes of the tag pairs that are structure: those at the record's
/// start, up to a bound.
pub fn tag_lexemes(lexemes: &[Lexeme]) -> &[Lexeme] {
    let is_tag = |lexeme: &&Lexeme| matches!(lexeme.kind, Kind::TagName | Kind::TagValue);
    let count = lexemes.iter().take(2 * MAX_TAGS).take_while(is_tag).count();
    lexemes.get(..count).unwrap_or_default()
}

/// The start that a record's tag pairs tell of.
pub fn start_of(record: &[u8], lexemes: &[Lexeme]) -> Option<(Start, Position)> {
    let tags = tag_lexemes(lexemes).chunks_exact(2).map(|pair| match pair {
        [name, value] => (tag_name(name.text(record)), tag_value(value.text(record))),
        _ => Default::default(),
    });
    Start::of(tags)
}

/// The start that tag pairs tell of.
///
/// # Errors
/// Why they tell of none.
pub fn start_of_tags(tags: &[Tag<'_>]) -> Result<(Start, Position), Rest> {
    let pairs = tags.iter().map(|tag| (tag.name, tag.value));
    Start::of(pairs).ok_or_else(|| {
        let variant = tags.iter().find(|tag| tag.name == VARIANT_TAG);
        match variant {
            Some(tag) if Rules::named(tag.value).is_none() => Rest::Variant,
            _ => Rest::SetUp,
        }
    })
}

fn tag_name(lexeme: &[u8]) -> &[u8] {
    lexeme.strip_prefix(b"[").unwrap_or(lexeme)
}

fn tag_value(lexeme: &[u8]) -> &[u8] {
    let quoted = lexeme.strip_suffix(b"]").unwrap_or(lexeme).trim_ascii_end();
    let value = quoted.strip_prefix(b"\"").unwrap_or(quoted);
    value.strip_suffix(b"\"").unwrap_or(value)
}

/// Takes a record apart as far as it is structure.
pub fn parse<'a>(record: &'a [u8], lexemes: &[Lexeme]) -> Parsed<'a> {
    let mut parser = Parser::new(record);
    let rest = parser.run(lexemes).err();
    parser.finish(rest)
}

struct Parser<'a> {
    record: &'a [u8],
    tree: Tree<'a>,
    lexemes: Vec<Lexeme>,
    start: Start,
    /// Where the next move is played; none before the first node.
    walker: Option<Walker>,
    has_ended: bool,
    /// The rest of a variation that is kept verbatim.
    skipped: Option<Skipped>,
    has_skipped: bool,
}

/// Lexemes that are passed over, up to the end of their variation.
struct Skipped {
    span: Lexeme,
    /// Variations that have opened inside.
    depth: u64,
}

impl<'a> Parser<'a> {
    fn new(record: &'a [u8]) -> Self {
        Parser {
            record,
            tree: Tree::default(),
            lexemes: Vec::new(),
            start: Start::default(),
            walker: None,
            has_ended: false,
            skipped: None,
            has_skipped: false,
        }
    }

    fn run(&mut self, lexemes: &[Lexeme]) -> Result<(), Rest> {
        for lexeme in lexemes {
            if !self.skip(lexeme) {
                self.lexeme(lexeme)?;
            }
        }
        match self.skipped {
            Some(_) => Err(Rest::Variation),
            None => Ok(()),
        }
    }

    /// Passes over a lexeme in the rest of a variation that is kept verbatim.
    fn skip(&mut self, lexeme: &Lexeme) -> bool {
        let Some(skipped) = &mut self.skipped else {
            return false;
        };
        match lexeme.kind {
            Kind::Open => skipped.depth += 1,
            Kind::Close if skipped.depth == 0 => {
                let span = skipped.span;
                self.skipped = None;
                self.has_skipped = true;
                self.lexemes.push(span);
                let text = span.text(self.record);
                self.tree.nodes.push(Node::Verbatim(Cow::Borrowed(text)));
                return false;
            }
            Kind::Close => skipped.depth -= 1,
            _ => {}
        }
        skipped.span.end = lexeme.end;
        true
    }

    fn finish(mut self, rest: Option<Rest>) -> Parsed<'a> {
        // A tag pair is structure as a whole or not at all.
        if let [.., last] = self.lexemes.as_slice()
            && last.kind == Kind::TagName
        {
            self.lexemes.pop();
            self.tree.tags.pop();
        }
        if rest.is_some() {
            let end = self.lexemes.last().map_or(0, |lexeme| lexeme.end);
            self.tree.tail = self.record.get(end..).unwrap_or_default();
        }
        let skipped = self.has_skipped.then_some(Rest::Variation);
        Parsed {
            rest: rest.filter(|_| !self.tree.tail.is_empty()).or(skipped),
            tree: self.tree,
            start: self.start,
            lexemes: self.lexemes,
        }
    }

    fn lexeme(&mut self, lexeme: &Lexeme) -> Result<(), Rest> {
        let text = lexeme.text(self.record);
        match lexeme.kind {
            Kind::TagName => self.tag_name(text)?,
            Kind::TagValue => self.tag_value(text)?,
            _ if self.tree.nodes.len() >= MOST_PARSED => return Err(Rest::Piece),
            kind => match self.node(kind, text) {
                Err(Rest::Illegal) if !self.is_main() => {
                    self.skipped = Some(Skipped {
                        span: *lexeme,
                        depth: 0,
                    });
                    return Ok(());
                }
                node => self.tree.nodes.push(node?),
            },
        }
        self.lexemes.push(*lexeme);
        Ok(())
    }

    fn is_main(&self) -> bool {
        self.walker.as_ref().is_none_or(Walker::is_main)
    }

    fn node(&mut self, kind: Kind, text: &'a [u8]) -> Result<Node<'a>, Rest> {
        let inner = text.get(1..).unwrap_or_default();
        Ok(match kind {
            Kind::Nag => Node::Nag(nag_value(inner).ok_or(Rest::Misplaced)?),
            Kind::Glyph => Node::Glyph(glyph_nag(text).ok_or(Rest::Misplaced)?),
            Kind::Comment => {
                Node::Comment(Cow::Borrowed(inner.strip_suffix(b"}").unwrap_or(inner)))
            }
            Kind::LineComment => Node::LineComment(Cow::Borrowed(inner)),
            Kind::Result => self.result(text)?,
            _ if self.has_ended => return Err(Rest::Misplaced),
            Kind::Open => {
                self.walker()?.open().map_err(|_| Rest::Misplaced)?;
                Node::Open
            }
            Kind::Close => {
                self.walker()?.close().map_err(|_| Rest::Misplaced)?;
                Node::Close
            }
            _ => self.ply(text)?,
        })
    }

    fn tag_name(&mut self, lexeme: &'a [u8]) -> Result<(), Rest> {
        if !self.tree.nodes.is_empty() || self.tree.tags.len() >= MAX_TAGS {
            return Err(Rest::Misplaced);
        }
        self.tree.tags.push(Tag {
            name: tag_name(lexeme),
            value: b"",
        });
        Ok(())
    }

    fn tag_value(&mut self, lexeme: &'a [u8]) -> Result<(), Rest> {
        let tag = self.tree.tags.last_mut().ok_or(Rest::Misplaced)?;
        tag.value = tag_value(lexeme);
        Ok(())
    }

    /// A termination marker. That of the main line ends the game.
    fn result(&mut self, text: &[u8]) -> Result<Node<'a>, Rest> {
        if self.has_ended {
            return Err(Rest::Misplaced);
        }
        self.has_ended = self.is_main();
        let number = result_number(text).ok_or(Rest::Misplaced)?;
        Ok(Node::Result(number))
    }

    fn ply(&mut self, text: &[u8]) -> Result<Node<'a>, Rest> {
        let walker = self.walker()?;
        let san = SanText::parse(text).ok_or(Rest::Illegal)?;
        let played = walker.step(|position| position.play_text(&san).ok_or(Rest::Illegal));
        let (ply, spelling) = played?;
        Ok(Node::Ply(ply, spelling))
    }

    /// The place in the movetext, which begins where the tag pairs say.
    fn walker(&mut self) -> Result<&mut Walker, Rest> {
        if self.walker.is_none() {
            let (start, position) = start_of_tags(&self.tree.tags)?;
            self.start = start;
            self.tree.start = position.clone();
            self.walker = Some(Walker::new(position));
        }
        self.walker.as_mut().ok_or(Rest::SetUp)
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
        assert_eq!(parsed("[FEN \"x\"]\n\n1. e4 *"), (0, Some(Rest::SetUp), 9));
        assert_eq!(parsed("1. e4 e4 *"), (1, Some(Rest::Illegal), 5));
        assert_eq!(parsed("1. e4 * 1-0"), (1, Some(Rest::Misplaced), 4));
        assert_eq!(
            parsed("[Variant \"Crazyhouse\"]\n1. e4 N@e5"),
            (1, Some(Rest::Illegal), 5)
        );
        assert_eq!(
            parsed("[Variant \"Xiangqi\"]\n1. e4 e5"),
            (0, Some(Rest::Variant), 9)
        );
        let many = "[A \"b\"]\n".repeat(MAX_TAGS + 1);
        assert_eq!(parsed(&many), (0, Some(Rest::Misplaced), 9));
    }

    #[test]
    fn variations_are_structure() {
        assert_eq!(parsed("1. e4 (1. d4 (1. c4) d5) 1... e5 *"), (2, None, 0));
        assert_eq!(parsed("1. e4 (1. d4 *) *"), (1, None, 0));
        assert_eq!(parsed("1. e4 ("), (1, None, 0));
        let misplaced = Some(Rest::Misplaced);
        assert_eq!(parsed("(1. d4) 1. e4"), (0, misplaced, 13));
        assert_eq!(parsed("1. e4) e5"), (1, misplaced, 4));
        assert_eq!(parsed("1. e4 ((1. d4))"), (1, misplaced, 8));
    }

    #[test]
    fn an_illegal_move_ends_its_line_only() {
        let text = "1. e4 (1. d4 d4 (2. c4 {a} (b) ) 3. c4) 1... e5 *";
        let lexemes: Vec<Lexeme> = Scanner::new(text.as_bytes()).collect();
        let parsed = parse(text.as_bytes(), &lexemes);
        assert_eq!(parsed.rest, Some(Rest::Variation));
        assert!(parsed.tree.tail.is_empty());
        let kept = b"d4 (2. c4 {a} (b) ) 3. c4";
        let verbatim = Node::Verbatim(Cow::Borrowed(kept));
        assert!(parsed.tree.nodes.contains(&verbatim));
        assert_eq!(parsed.tree.plies().count(), 2);
        let unclosed = "1. e4 (1. d4 d4 2. c4";
        let (plies, rest, tail) = super::tests::parsed(unclosed);
        assert_eq!((plies, rest, tail), (1, Some(Rest::Variation), 9));
    }

    #[test]
    fn null_moves_in_check_are_illegal() {
        assert_eq!(parsed("1. e4 f5 2. Qh5+ -- *"), (3, Some(Rest::Illegal), 5));
        let in_variation = "1. e4 f5 2. Qh5+ g6 (2... -- 3. Qe8) *";
        assert_eq!(parsed(in_variation), (4, Some(Rest::Variation), 0));
    }
}
