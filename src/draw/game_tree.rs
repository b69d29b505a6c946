//! A game as a tree of moves: its lines, and what is noted in them.

use crate::chess::Square;
use crate::pgn::{
    Arrow, ColoredSquare, Game, MisplacedVariation, Ply, Position, Token, Walker, arrows, clock,
    eval, mate_in, squares, texts,
};
use crate::text::TextEncoding;

/// Variations that are nested deeper are left out and counted. The bound lets programs walk and drop
/// a tree by recursion; annotators nest a few levels.
pub(super) const MAX_DEPTH: usize = 64;

/// The words after an illegal move that are shown.
const MAX_UNPLAYED_CHARS: usize = 60;

/// A game.
#[derive(Debug, Clone)]
pub struct GameTree {
    /// The position before the first move.
    pub start: Position,
    /// The main line.
    pub main: Line,
    /// The last termination marker.
    pub result: Option<&'static str>,
    /// The number of variations that are left out because they are nested deeper than
    /// [`MAX_DEPTH`].
    pub omitted: usize,
}

/// A line: the main line or a variation.
#[derive(Debug, Clone, Default)]
pub struct Line {
    /// What is noted before the first move.
    pub notes: Notes,
    /// The moves.
    pub moves: Vec<MoveNode>,
    /// The words from the first one on that is no legal move, where the line ends for that; of
    /// many, the first ones.
    pub unplayed: Option<String>,
}

/// A move of a line.
#[derive(Debug, Clone)]
pub struct MoveNode {
    /// The move.
    pub ply: Ply,
    /// Its standard algebraic notation.
    pub san: String,
    /// The number of plies from the start of the game to the position after it.
    pub plies: usize,
    /// The number of the move in the game's notation.
    pub number: u32,
    /// Whether White plays it.
    pub is_white: bool,
    /// What is noted after it.
    pub notes: Notes,
    /// The variations that replace it.
    pub variations: Vec<Line>,
}

/// What is noted at a place of a line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Notes {
    /// Numeric annotation glyphs.
    pub nags: Vec<u8>,
    /// Comments without their commands, unless nothing else is in them.
    pub comments: Vec<String>,
    /// The clock, in milliseconds.
    pub clock_millis: Option<i32>,
    /// The evaluation.
    pub eval: Option<Eval>,
    /// Coloured squares.
    pub squares: Vec<ColoredSquare>,
    /// Arrows.
    pub arrows: Vec<Arrow>,
}

/// An evaluation; positive for White.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Eval {
    /// In hundredths of a pawn.
    Centipawns(i32),
    /// A mate in this many moves.
    Mate(i32),
}

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

    /// The position after this many plies of the main line; `None` if it is shorter.
    pub fn position(&self, plies: usize) -> Option<Position> {
        let mut position = self.start.clone();
        for node in self.main.moves.get(..plies)? {
            position.play(node.ply).ok()?;
        }
        Some(position)
    }
}

impl MoveNode {
    /// The squares between which a piece moves: one for a drop, none for a null move.
    pub fn squares(&self) -> Vec<Square> {
        let uci = self.ply.to_string();
        let halves = [uci.get(..2), uci.get(2..4)];
        let squares = halves.into_iter().flatten();
        squares
            .filter_map(|name| Square::from_ascii(name.as_bytes()).ok())
            .collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(text: &str) -> GameTree {
        GameTree::new(&Game::parse(text.as_bytes()), TextEncoding::default()).unwrap()
    }

    fn sans(line: &Line) -> Vec<&str> {
        line.moves.iter().map(|node| &node.san[..]).collect()
    }

    #[test]
    fn notes_are_where_they_belong() {
        let tree = tree(
            "{first} 1. e4! {good [%clk 0:03:00] [%eval #-3] move} (1. d4 {x} d5 $2 (1... Nf6)) \
             1... e5 {[%eval 0.17][%csl Gd4][%cal Ge2e4]} 2. Nf3 1-0",
        );
        assert_eq!(tree.main.notes.comments, ["first"]);
        assert_eq!(sans(&tree.main), ["e4", "e5", "Nf3"]);
        let [e4, e5, nf3] = &tree.main.moves[..] else {
            panic!("three moves");
        };
        assert_eq!(e4.notes.nags, [1]);
        assert_eq!(e4.notes.comments, ["good move"]);
        assert_eq!(e4.notes.clock_millis, Some(180_000));
        assert_eq!(e4.notes.eval, Some(Eval::Mate(-3)));
        assert_eq!(e5.notes.eval, Some(Eval::Centipawns(17)));
        assert_eq!((e5.notes.squares.len(), e5.notes.arrows.len()), (1, 1));
        assert!(e5.notes.comments.is_empty());
        assert_eq!((nf3.plies, nf3.number, nf3.is_white), (3, 2, true));
        let variation = &e4.variations[0];
        assert_eq!(sans(variation), ["d4", "d5"]);
        assert_eq!(
            (variation.moves[1].plies, variation.moves[1].number),
            (2, 1)
        );
        assert_eq!(sans(&variation.moves[1].variations[0]), ["Nf6"]);
        assert_eq!(tree.result, Some("1-0"));
    }

    #[test]
    fn a_line_ends_at_an_illegal_move() {
        let tree = tree("1. e4 (1. d4 Kd4 {x} (1... d5)) 1... e5 2. Ke3 {y} Nf6 (2... a6) 3. d4 *");
        assert_eq!(sans(&tree.main), ["e4", "e5"]);
        assert_eq!(tree.main.unplayed.as_deref(), Some("Ke3 Nf6 d4"));
        let variation = &tree.main.moves[0].variations[0];
        assert_eq!(variation.unplayed.as_deref(), Some("Kd4"));
        assert_eq!(tree.result, Some("*"));
    }

    #[test]
    fn what_is_not_played_is_cut() {
        let tree = tree(&format!("1. Ke5 {}", "Nf3 ".repeat(1000)));
        let words = tree.main.unplayed.unwrap();
        assert!(
            words.chars().count() < 70 && words.ends_with('…'),
            "{words}"
        );
    }

    #[test]
    fn variations_that_are_nested_too_deep_are_counted() {
        let deep = |levels: usize| {
            format!(
                "1. e4 {}{} e5",
                "(1. e4 ".repeat(levels),
                ")".repeat(levels)
            )
        };
        assert_eq!(tree(&deep(MAX_DEPTH)).omitted, 0);
        let tree = tree(&deep(100_000));
        assert_eq!(tree.omitted, 100_000 - MAX_DEPTH);
        assert_eq!(sans(&tree.main), ["e4", "e5"]);
    }

    #[test]
    fn castling_in_chess960_is_the_move_onto_the_rook() {
        let uci = |text: &str| tree(text).main.moves[0].ply.to_string();
        assert_eq!(
            uci("[FEN \"4k3/8/8/8/8/8/8/R3K3 w Q - 0 1\"]\n\n1. O-O-O *"),
            "e1c1"
        );
        assert_eq!(
            uci("[FEN \"4k3/8/8/8/8/8/8/1R2K3 w B - 0 1\"]\n\n1. O-O-O *"),
            "e1b1"
        );
    }

    #[test]
    fn misplaced_variations_end_the_game() {
        assert!(tree("(1. e4) 1. d4").main.moves.is_empty());
        assert_eq!(sans(&tree("1. e4 ) e5").main), ["e4"]);
        assert_eq!(sans(&tree("1. e4 (1. d4 (1. c4").main), ["e4"]);
        let nothing = Game::parse(b"[FEN \"nonsense\"]\n\n1. e4 *");
        assert!(GameTree::new(&nothing, TextEncoding::default()).is_none());
    }
}
