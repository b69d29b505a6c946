//! Builds the tree of a game from its tokens.

use super::{Eval, GameTree, Line, MAX_DEPTH, MoveNode, Notes};
use crate::pgn::{
    Game, MisplacedVariation, Position, Token, Walker, arrows, clock, eval, mate_in, squares, texts,
};
use crate::text::TextEncoding;

/// The words after an illegal move that are shown.
const MAX_UNPLAYED_CHARS: usize = 60;

impl GameTree {
    /// The tree of a game, whose comments are read in this encoding; `None` if the start position is
    /// not legal. A variation without a move before it ends the game.
    pub fn new(game: &Game, encoding: TextEncoding) -> Option<GameTree> {
        let start = game.position(0)?;
        let mut builder = Builder {
            walker: Walker::new(start.clone()),
            line: Line::default(),
            outer: Vec::new(),
            skipped: None,
            omitted: 0,
            encoding,
        };
        let mut result = None;
        for token in &game.tokens {
            if let Token::Outcome(outcome) = token {
                result = Some(*outcome);
            } else if builder.add(token).is_err() {
                break;
            }
        }
        while builder.close().is_ok() {}
        Some(GameTree {
            start,
            main: builder.line,
            result,
            omitted: builder.omitted,
        })
    }
}

/// What of the tokens is passed over.
struct Skipped {
    /// Whether it is the rest of the current line, rather than a variation in it.
    is_rest: bool,
    /// The number of open variations inside.
    depth: usize,
}

struct Builder {
    walker: Walker<Position>,
    /// The current line.
    line: Line,
    /// The lines around it.
    outer: Vec<Line>,
    skipped: Option<Skipped>,
    omitted: usize,
    encoding: TextEncoding,
}

impl Builder {
    fn add(&mut self, token: &Token) -> Result<(), MisplacedVariation> {
        if let Some(skipped) = self.skipped.take() {
            return self.skip(token, skipped);
        }
        match token {
            Token::San(san) if self.play(san).is_none() => {
                self.line.add_unplayed(san);
                self.skip_to_end(true);
            }
            Token::San(_) | Token::Outcome(_) => {}
            Token::Nag(nag) => self.line.last_notes().nags.push(*nag),
            Token::Comment(comment) => {
                let encoding = self.encoding;
                self.line.last_notes().add_comment(comment, encoding);
            }
            Token::BeginVariation if self.outer.len() < MAX_DEPTH => {
                self.walker.open()?;
                self.outer.push(std::mem::take(&mut self.line));
            }
            Token::BeginVariation => {
                self.omitted += 1;
                self.skip_to_end(false);
            }
            Token::EndVariation => self.close()?,
        }
        Ok(())
    }

    fn skip_to_end(&mut self, is_rest: bool) {
        self.skipped = Some(Skipped { is_rest, depth: 0 });
    }

    fn skip(&mut self, token: &Token, skipped: Skipped) -> Result<(), MisplacedVariation> {
        let Skipped { is_rest, mut depth } = skipped;
        match token {
            Token::BeginVariation => {
                depth += 1;
                self.omitted += usize::from(!is_rest);
            }
            Token::EndVariation if depth > 0 => depth -= 1,
            Token::EndVariation if is_rest => return self.close(),
            Token::EndVariation => return Ok(()),
            Token::San(san) if is_rest && depth == 0 => self.line.add_unplayed(san),
            _ => {}
        }
        self.skipped = Some(Skipped { is_rest, depth });
        Ok(())
    }

    fn play(&mut self, san: &str) -> Option<()> {
        let before = self.walker.state();
        let ply = before.ply(san)?;
        let node = MoveNode {
            ply,
            san: before.san(ply).ok()?,
            plies: 1 + self
                .line
                .moves
                .last()
                .map_or_else(|| self.plies_before_line(), |last| last.plies),
            number: before.fullmoves(),
            is_white: before.is_white_to_move(),
            notes: Notes::default(),
            variations: Vec::new(),
        };
        self.walker.step(|position| position.play(ply)).ok()?;
        self.line.moves.push(node);
        Some(())
    }

    /// The number of plies before the first one of the current line.
    fn plies_before_line(&self) -> usize {
        let replaced = self.outer.last().and_then(|line| line.moves.last());
        replaced.map_or(0, |node| node.plies.saturating_sub(1))
    }

    /// Ends the current line, which is a variation.
    fn close(&mut self) -> Result<(), MisplacedVariation> {
        self.walker.close()?;
        let outer = self.outer.pop().ok_or(MisplacedVariation)?;
        let line = std::mem::replace(&mut self.line, outer);
        if let (false, Some(replaced)) = (line.is_empty(), self.line.moves.last_mut()) {
            replaced.variations.push(line);
        }
        Ok(())
    }
}

impl Line {
    fn is_empty(&self) -> bool {
        self.moves.is_empty() && self.unplayed.is_none() && self.notes == Notes::default()
    }

    /// The notes at the end of the line.
    fn last_notes(&mut self) -> &mut Notes {
        match self.moves.last_mut() {
            Some(node) => &mut node.notes,
            None => &mut self.notes,
        }
    }

    fn add_unplayed(&mut self, san: &str) {
        let Some(words) = &mut self.unplayed else {
            self.unplayed = Some(san.to_owned());
            return;
        };
        if words.ends_with('…') {
            return;
        }
        words.push(' ');
        words.push_str(match words.len() + san.len() <= MAX_UNPLAYED_CHARS {
            true => san,
            false => "…",
        });
    }
}

impl Notes {
    /// Adds what a comment has. Of several clocks or evaluations the first counts.
    fn add_comment(&mut self, comment: &[u8], encoding: TextEncoding) {
        self.clock_millis = self.clock_millis.or_else(|| clock(comment));
        self.eval = self.eval.or_else(|| eval(comment).map(Eval::new));
        self.squares.extend(squares(comment));
        self.arrows.extend(arrows(comment));
        let texts = texts(comment).map(<[u8]>::trim_ascii);
        let texts: Vec<&[u8]> = texts.filter(|text| !text.is_empty()).collect();
        if !texts.is_empty() {
            let text = texts.join(&b' ');
            self.comments.push(encoding.decode(&text).into_owned());
        }
    }
}

impl Eval {
    /// The evaluation that a comment has as a number.
    fn new(value: i32) -> Eval {
        mate_in(value).map_or(Eval::Centipawns(value), Eval::Mate)
    }
}
