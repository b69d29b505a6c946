//! Parses lexemes into the tree, and finds how far a record is structure.

use super::scan::{Lexeme, LexemeKind, nag_value};
use super::start::{Start, VARIANT_TAG};
use super::tree::{GameTree, Node, Tag, glyph_nag, result_number};
use super::verbatim_reason::VerbatimReason;
use super::walk::Walker;
use crate::chess::{ChessPosition, Rules, SanText};
use std::borrow::Cow;

/// The maximum number of tag pairs that are parsed. A game with more stores the others verbatim.
pub const MAX_TAGS: usize = 255;

/// The maximum number of nodes of a movetext.
pub const MAX_NODES: usize = 1 << 20;

/// The maximum number of nodes that are parsed; the rest of the record is stored verbatim. While it
/// is packed, a node takes some 200 bytes.
const MAX_PARSED_NODES: usize = MAX_NODES / 2;

/// A parsed record.
#[derive(Debug)]
pub struct Parsed<'a> {
    /// The tree. Its tail is the part that is not structure.
    pub tree: GameTree<'a>,
    /// The start of the game.
    pub start: Start,
    /// The lexemes that are structure. The verbatim part of a variation is one lexeme of the kind
    /// of its first.
    pub lexemes: Vec<Lexeme>,
    /// Why part of the record is stored verbatim, if any is.
    pub verbatim_reason: Option<VerbatimReason>,
}

impl<'a> Parsed<'a> {
    /// Parses the tag pairs only; the rest is stored verbatim for the reason `rest`.
    pub fn tags_only(record: &'a [u8], lexemes: &[Lexeme], rest: VerbatimReason) -> Self {
        let mut parser = Parser::new(record);
        let _ = parser.run(tag_lexemes(lexemes));
        parser.finish(Some(rest))
    }
}

/// The lexemes of the tag pairs that are structure: the first [`MAX_TAGS`] at the start of the
/// record.
pub fn tag_lexemes(lexemes: &[Lexeme]) -> &[Lexeme] {
    let is_tag =
        |lexeme: &&Lexeme| matches!(lexeme.kind, LexemeKind::TagName | LexemeKind::TagValue);
    let count = lexemes.iter().take(2 * MAX_TAGS).take_while(is_tag).count();
    lexemes.get(..count).unwrap_or_default()
}

/// The start that the tag pairs of a record specify, with its position.
pub fn start_of(record: &[u8], lexemes: &[Lexeme]) -> Option<(Start, ChessPosition)> {
    let tags = tag_lexemes(lexemes).chunks_exact(2).map(|pair| match pair {
        [name, value] => (tag_name(name.text(record)), tag_value(value.text(record))),
        _ => Default::default(),
    });
    Start::of(tags)
}

/// The start that tag pairs specify, with its position.
///
/// # Errors
/// The variant is unknown, or the FEN does not give a legal position.
pub fn start_of_tags(tags: &[Tag<'_>]) -> Result<(Start, ChessPosition), VerbatimReason> {
    let pairs = tags.iter().map(|tag| (tag.name, tag.value));
    Start::of(pairs).ok_or_else(|| {
        let variant = tags.iter().find(|tag| tag.name == VARIANT_TAG);
        match variant {
            Some(tag) if Rules::by_name(tag.value).is_none() => VerbatimReason::Variant,
            _ => VerbatimReason::StartPosition,
        }
    })
}

fn tag_name(lexeme: &[u8]) -> &[u8] {
    lexeme.strip_prefix(b"[").unwrap_or(lexeme)
}

/// The value of the lexeme of a tag value, with its escapes.
pub(crate) fn tag_value(lexeme: &[u8]) -> &[u8] {
    let quoted = lexeme.strip_suffix(b"]").unwrap_or(lexeme).trim_ascii_end();
    let value = quoted.strip_prefix(b"\"").unwrap_or(quoted);
    value.strip_suffix(b"\"").unwrap_or(value)
}

/// Parses a record as far as it is structure.
pub fn parse<'a>(record: &'a [u8], lexemes: &[Lexeme]) -> Parsed<'a> {
    let mut parser = Parser::new(record);
    let rest = parser.run(lexemes).err();
    parser.finish(rest)
}

struct Parser<'a> {
    record: &'a [u8],
    tree: GameTree<'a>,
    lexemes: Vec<Lexeme>,
    start: Start,
    /// The position of the next move; `None` before the first node that needs it.
    walker: Option<Walker>,
    has_ended: bool,
    /// The rest of a variation that is stored verbatim, while it is being scanned.
    skipped: Option<SkippedVariation>,
    has_skipped: bool,
}

/// The lexemes that are skipped, up to the end of their variation.
struct SkippedVariation {
    span: Lexeme,
    /// The number of variations opened inside.
    depth: u64,
}

impl<'a> Parser<'a> {
    fn new(record: &'a [u8]) -> Self {
        Parser {
            record,
            tree: GameTree::default(),
            lexemes: Vec::new(),
            start: Start::default(),
            walker: None,
            has_ended: false,
            skipped: None,
            has_skipped: false,
        }
    }

    fn run(&mut self, lexemes: &[Lexeme]) -> Result<(), VerbatimReason> {
        for lexeme in lexemes {
            if !self.skip(lexeme) {
                self.lexeme(lexeme)?;
            }
        }
        match self.skipped {
            Some(_) => Err(VerbatimReason::Variation),
            None => Ok(()),
        }
    }

    /// Skips a lexeme if it is part of the verbatim rest of a variation; says whether it did.
    fn skip(&mut self, lexeme: &Lexeme) -> bool {
        let Some(skipped) = &mut self.skipped else {
            return false;
        };
        match lexeme.kind {
            LexemeKind::Open => skipped.depth += 1,
            LexemeKind::Close if skipped.depth == 0 => {
                let span = skipped.span;
                self.skipped = None;
                self.has_skipped = true;
                self.lexemes.push(span);
                let text = span.text(self.record);
                self.tree.nodes.push(Node::Verbatim(Cow::Borrowed(text)));
                return false;
            }
            LexemeKind::Close => skipped.depth -= 1,
            _ => {}
        }
        skipped.span.end = lexeme.end;
        true
    }

    fn finish(mut self, rest: Option<VerbatimReason>) -> Parsed<'a> {
        // A tag pair is structure as a whole or not at all.
        if let [.., last] = self.lexemes.as_slice()
            && last.kind == LexemeKind::TagName
        {
            self.lexemes.pop();
            self.tree.tags.pop();
        }
        if rest.is_some() {
            let end = self.lexemes.last().map_or(0, |lexeme| lexeme.end);
            self.tree.tail = self.record.get(end..).unwrap_or_default();
        }
        let skipped = self.has_skipped.then_some(VerbatimReason::Variation);
        Parsed {
            verbatim_reason: rest.filter(|_| !self.tree.tail.is_empty()).or(skipped),
            tree: self.tree,
            start: self.start,
            lexemes: self.lexemes,
        }
    }

    fn lexeme(&mut self, lexeme: &Lexeme) -> Result<(), VerbatimReason> {
        let text = lexeme.text(self.record);
        match lexeme.kind {
            LexemeKind::TagName => self.tag_name(text)?,
            LexemeKind::TagValue => self.tag_value(text)?,
            _ if self.tree.nodes.len() >= MAX_PARSED_NODES => return Err(VerbatimReason::TooLong),
            kind => match self.node(kind, text) {
                Err(VerbatimReason::Illegal) if !self.is_main() => {
                    self.skipped = Some(SkippedVariation {
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

    fn node(&mut self, kind: LexemeKind, text: &'a [u8]) -> Result<Node<'a>, VerbatimReason> {
        let inner = text.get(1..).unwrap_or_default();
        Ok(match kind {
            LexemeKind::Nag => Node::Nag(nag_value(inner).ok_or(VerbatimReason::Misplaced)?),
            LexemeKind::Glyph => Node::Glyph(glyph_nag(text).ok_or(VerbatimReason::Misplaced)?),
            LexemeKind::Comment => {
                Node::Comment(Cow::Borrowed(inner.strip_suffix(b"}").unwrap_or(inner)))
            }
            LexemeKind::LineComment => Node::LineComment(Cow::Borrowed(inner)),
            LexemeKind::Result => self.result(text)?,
            _ if self.has_ended => return Err(VerbatimReason::Misplaced),
            LexemeKind::Open => {
                self.walker()?
                    .open()
                    .map_err(|_| VerbatimReason::Misplaced)?;
                Node::Open
            }
            LexemeKind::Close => {
                self.walker()?
                    .close()
                    .map_err(|_| VerbatimReason::Misplaced)?;
                Node::Close
            }
            _ => self.ply(text)?,
        })
    }

    fn tag_name(&mut self, lexeme: &'a [u8]) -> Result<(), VerbatimReason> {
        if !self.tree.nodes.is_empty() || self.tree.tags.len() >= MAX_TAGS {
            return Err(VerbatimReason::Misplaced);
        }
        self.tree.tags.push(Tag {
            name: tag_name(lexeme),
            value: b"",
        });
        Ok(())
    }

    fn tag_value(&mut self, lexeme: &'a [u8]) -> Result<(), VerbatimReason> {
        let tag = self.tree.tags.last_mut().ok_or(VerbatimReason::Misplaced)?;
        tag.value = tag_value(lexeme);
        Ok(())
    }

    /// A termination marker. One in the main line ends the game.
    fn result(&mut self, text: &[u8]) -> Result<Node<'a>, VerbatimReason> {
        if self.has_ended {
            return Err(VerbatimReason::Misplaced);
        }
        self.has_ended = self.is_main();
        let number = result_number(text).ok_or(VerbatimReason::Misplaced)?;
        Ok(Node::Result(number))
    }

    fn ply(&mut self, text: &[u8]) -> Result<Node<'a>, VerbatimReason> {
        let walker = self.walker()?;
        let san = SanText::parse(text).ok_or(VerbatimReason::Illegal)?;
        let played =
            walker.step(|position| position.play_text(&san).ok_or(VerbatimReason::Illegal));
        let (ply, spelling) = played?;
        Ok(Node::Ply(ply, spelling))
    }

    /// The walker, created at the start that the tag pairs specify on first use.
    fn walker(&mut self) -> Result<&mut Walker, VerbatimReason> {
        if self.walker.is_none() {
            let (start, position) = start_of_tags(&self.tree.tags)?;
            self.start = start;
            self.tree.start = position.clone();
            self.walker = Some(Walker::new(position));
        }
        self.walker.as_mut().ok_or(VerbatimReason::StartPosition)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::Scanner;

    fn parsed(text: &str) -> (usize, Option<VerbatimReason>, usize) {
        let lexemes: Vec<Lexeme> = Scanner::new(text.as_bytes()).collect();
        let parsed = parse(text.as_bytes(), &lexemes);
        (
            parsed.tree.plies().count(),
            parsed.verbatim_reason,
            parsed.tree.tail.len(),
        )
    }

    #[test]
    fn parsing_stops_at_invalid_input() {
        assert_eq!(parsed("[A \"b\"]\n\n1. e4 e5 *\n"), (2, None, 0));
        assert_eq!(
            parsed("[FEN \"x\"]\n\n1. e4 *"),
            (0, Some(VerbatimReason::StartPosition), 9)
        );
        assert_eq!(parsed("1. e4 e4 *"), (1, Some(VerbatimReason::Illegal), 5));
        assert_eq!(
            parsed("1. e4 * 1-0"),
            (1, Some(VerbatimReason::Misplaced), 4)
        );
        assert_eq!(
            parsed("[Variant \"Crazyhouse\"]\n1. e4 N@e5"),
            (1, Some(VerbatimReason::Illegal), 5)
        );
        assert_eq!(
            parsed("[Variant \"Xiangqi\"]\n1. e4 e5"),
            (0, Some(VerbatimReason::Variant), 9)
        );
        let many = "[A \"b\"]\n".repeat(MAX_TAGS + 1);
        assert_eq!(parsed(&many), (0, Some(VerbatimReason::Misplaced), 9));
    }

    #[test]
    fn variations_are_structure() {
        assert_eq!(parsed("1. e4 (1. d4 (1. c4) d5) 1... e5 *"), (2, None, 0));
        assert_eq!(parsed("1. e4 (1. d4 *) *"), (1, None, 0));
        assert_eq!(parsed("1. e4 ("), (1, None, 0));
        let misplaced = Some(VerbatimReason::Misplaced);
        assert_eq!(parsed("(1. d4) 1. e4"), (0, misplaced, 13));
        assert_eq!(parsed("1. e4) e5"), (1, misplaced, 4));
        assert_eq!(parsed("1. e4 ((1. d4))"), (1, misplaced, 8));
    }

    #[test]
    fn an_illegal_move_ends_its_line_only() {
        let text = "1. e4 (1. d4 d4 (2. c4 {a} (b) ) 3. c4) 1... e5 *";
        let lexemes: Vec<Lexeme> = Scanner::new(text.as_bytes()).collect();
        let parsed = parse(text.as_bytes(), &lexemes);
        assert_eq!(parsed.verbatim_reason, Some(VerbatimReason::Variation));
        assert!(parsed.tree.tail.is_empty());
        let stored = b"d4 (2. c4 {a} (b) ) 3. c4";
        let verbatim = Node::Verbatim(Cow::Borrowed(stored));
        assert!(parsed.tree.nodes.contains(&verbatim));
        assert_eq!(parsed.tree.plies().count(), 2);
        let unclosed = "1. e4 (1. d4 d4 2. c4";
        let (plies, rest, tail) = super::tests::parsed(unclosed);
        assert_eq!((plies, rest, tail), (1, Some(VerbatimReason::Variation), 9));
    }

    #[test]
    fn null_moves_in_check_are_illegal() {
        assert_eq!(
            parsed("1. e4 f5 2. Qh5+ -- *"),
            (3, Some(VerbatimReason::Illegal), 5)
        );
        let in_variation = "1. e4 f5 2. Qh5+ g6 (2... -- 3. Qe8) *";
        assert_eq!(
            parsed(in_variation),
            (4, Some(VerbatimReason::Variation), 0)
        );
    }
}
