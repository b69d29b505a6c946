//! The movetext of a game as events: the same for a tree and for a text that was parsed.

use super::game::{Game, Token};
use super::tree::{GameTree, Node};
use super::walk::{MisplacedVariation, Walker};
use crate::chess::{ChessPosition, PlyKind, SanText};

/// A part of a movetext that has a meaning: a ply, a bound of a variation, a comment in braces or
/// an annotation glyph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MovetextEvent<'a> {
    /// A ply of the current line.
    Ply(PlyKind),
    /// A variation opens: the plies that follow replace the last one.
    Open,
    /// A variation closes.
    Close,
    /// A comment, without its braces.
    Comment(&'a [u8]),
    /// A numeric annotation glyph.
    Nag(u8),
}

impl<'a> MovetextEvent<'a> {
    /// The event of a node. Comments to the end of a line, text from an illegal move on and
    /// termination markers are none.
    fn of(node: &'a Node<'_>) -> Option<MovetextEvent<'a>> {
        Some(match node {
            Node::Ply(ply, _) => MovetextEvent::Ply(*ply),
            Node::Open => MovetextEvent::Open,
            Node::Close => MovetextEvent::Close,
            Node::Comment(text) => MovetextEvent::Comment(text),
            Node::Nag(nag) | Node::Glyph(nag) => MovetextEvent::Nag(*nag),
            Node::LineComment(_) | Node::Verbatim(_) | Node::Result(_) => return None,
        })
    }
}

impl GameTree<'_> {
    /// The events of the movetext, in the order of the text.
    pub fn events(&self) -> impl Iterator<Item = MovetextEvent<'_>> {
        self.nodes.iter().filter_map(MovetextEvent::of)
    }
}

impl Game {
    /// The start position, and the events of the movetext in the order of the text. An illegal
    /// move ends its line: the rest of the line, with its comments and variations, is omitted.
    /// `None` if the start position is not legal.
    pub(crate) fn events(&self) -> Option<(ChessPosition, Vec<MovetextEvent<'_>>)> {
        let start = self.start()?;
        let mut lines = EventCollector {
            walker: Walker::new(start.clone()),
            events: Vec::new(),
            broken: None,
        };
        for token in &self.tokens {
            // A misplaced variation ends the game.
            if lines.add(token).is_err() {
                break;
            }
        }
        Some((start, lines.events))
    }
}

struct EventCollector<'a> {
    walker: Walker,
    events: Vec<MovetextEvent<'a>>,
    /// The number of variations open inside a line that has ended at an illegal move.
    broken: Option<usize>,
}

impl<'a> EventCollector<'a> {
    fn add(&mut self, token: &'a Token) -> Result<(), MisplacedVariation> {
        match (token, &mut self.broken) {
            (Token::BeginVariation, Some(depth)) => *depth += 1,
            (Token::EndVariation, Some(depth)) if *depth > 0 => *depth -= 1,
            (Token::BeginVariation, None) => {
                self.walker.open()?;
                self.events.push(MovetextEvent::Open);
            }
            (Token::EndVariation, _) => {
                self.walker.close()?;
                self.broken = None;
                self.events.push(MovetextEvent::Close);
            }
            (Token::San(san), None) => match self.play(san) {
                Some(ply) => self.events.push(MovetextEvent::Ply(ply)),
                None => self.broken = Some(0),
            },
            (Token::Comment(text), None) => self.events.push(MovetextEvent::Comment(text)),
            (Token::Nag(nag), None) => self.events.push(MovetextEvent::Nag(*nag)),
            _ => {}
        }
        Ok(())
    }

    fn play(&mut self, san: &str) -> Option<PlyKind> {
        let text = SanText::parse(san.as_bytes())?;
        let played = self.walker.step(|position| {
            let (ply, _) = position.play_text(&text).ok_or(())?;
            Ok::<_, ()>(ply)
        });
        played.ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::{Lexeme, Scanner, parse};

    #[test]
    fn text_and_tree_have_the_same_events() {
        for text in [
            "*",
            "{first} 1. e4! $3 {a} (1. d4 {b} d5 (1... Nf6 $2 2. c4)) 1... e5 {c} {d} 1-0",
            "1. e4 e5 2. -- d5 {pass} *",
            "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 7\"]\n\n7. e4 (7. e3 Kd7) *",
        ] {
            let lexemes: Vec<Lexeme> = Scanner::new(text.as_bytes()).collect();
            let parsed = parse(text.as_bytes(), &lexemes);
            assert_eq!(parsed.verbatim_reason, None, "{text}");
            let game = Game::parse(text.as_bytes());
            let (start, events) = game.events().unwrap();
            assert!(parsed.tree.events().eq(events), "{text}");
            assert_eq!(parsed.tree.first_position(), Some(start), "{text}");
        }
    }

    #[test]
    fn an_illegal_move_ends_its_line() {
        let game = Game::parse(b"1. e4 (1. d4 Kd4 {x} (1... d5)) 1... e5 2. Ke3 {y} $1 Nf6 *");
        let (_, events) = game.events().unwrap();
        let marks = |event: &&MovetextEvent<'_>| !matches!(event, MovetextEvent::Ply(_));
        assert_eq!(events.iter().filter(marks).count(), 2, "{events:?}");
        assert_eq!(events.len(), 5);
    }
}
