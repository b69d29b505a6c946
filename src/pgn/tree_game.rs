//! A game for users of the library, made from a tree.

use super::game::{Game, Token, on_one_line, unescape};
use super::tree::{GameTree, Node, result_text};
use super::walk::Walker;
use crate::chess::Spelling;

impl GameTree<'_> {
    /// The game: what [`Game::parse`] gives for the text, with moves in standard notation. `None`
    /// if a ply is illegal, a variation is misplaced, or a part is stored verbatim.
    pub fn game(&self) -> Option<Game> {
        let mut walker = Walker::new(self.start.clone());
        let mut tokens = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            tokens.push(match node {
                Node::Ply(ply, _) => {
                    let mut san = Vec::new();
                    let played =
                        walker.step(|position| position.write(*ply, Spelling::default(), &mut san));
                    played.ok()?;
                    Token::San(String::from_utf8(san).ok()?)
                }
                Node::Open => {
                    walker.open().ok()?;
                    Token::BeginVariation
                }
                Node::Close => {
                    walker.close().ok()?;
                    Token::EndVariation
                }
                Node::Nag(nag) | Node::Glyph(nag) => Token::Nag(*nag),
                Node::Comment(text) => Token::Comment(on_one_line(text).into_owned()),
                Node::Result(number) => {
                    let marker = std::str::from_utf8(result_text(*number)).ok()?;
                    Token::Outcome(marker)
                }
                Node::LineComment(_) => continue,
                Node::Verbatim(_) => return None,
            });
        }
        let tags = self.tags.iter();
        let tags = tags.map(|tag| (tag.name.to_vec(), unescape(tag.value)));
        Some(Game {
            tags: tags.collect(),
            tokens,
        })
    }
}
