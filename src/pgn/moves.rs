//! The moves of a game with its variations, and the positions that they reach.

use super::event::MovetextEvent;
use super::game::Game;
use super::tree::GameTree;
use crate::chess::{ChessPosition, PlyKind};

/// A step through the moves of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// A move of the current line.
    Ply(PlyKind),
    /// A variation opens: the plies that follow replace the last one.
    Open,
    /// A variation closes.
    Close,
}

impl Step {
    fn of(event: MovetextEvent<'_>) -> Option<Step> {
        match event {
            MovetextEvent::Ply(ply) => Some(Step::Ply(ply)),
            MovetextEvent::Open => Some(Step::Open),
            MovetextEvent::Close => Some(Step::Close),
            MovetextEvent::Comment(_) | MovetextEvent::Nag(_) => None,
        }
    }
}

/// The moves of a game; each line ends before its first illegal move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moves {
    /// The position before the first ply.
    pub start: ChessPosition,
    /// The plies of all lines, in the order of the text.
    pub steps: Vec<Step>,
}

impl Moves {
    /// The plies of the main line.
    pub fn main_line(&self) -> impl Iterator<Item = PlyKind> {
        let mut depth = 0u64;
        self.steps.iter().filter_map(move |step| {
            match step {
                Step::Open => depth += 1,
                Step::Close => depth = depth.saturating_sub(1),
                Step::Ply(ply) if depth == 0 => return Some(*ply),
                Step::Ply(_) => {}
            }
            None
        })
    }

    /// Calls `visit` with the positions of the main line in order, each with the number of plies
    /// before it, until it returns a value.
    pub fn find_in_main_line<T>(
        &self,
        mut visit: impl FnMut(usize, &ChessPosition) -> Option<T>,
    ) -> Option<T> {
        let mut position = self.start.clone();
        let mut plies = self.main_line();
        let mut ply = 0;
        loop {
            if let Some(found) = visit(ply, &position) {
                return Some(found);
            }
            position.make(plies.next()?).ok()?;
            ply += 1;
        }
    }

    /// The position after the last ply of the main line.
    pub fn last_of_main_line(&self) -> ChessPosition {
        let mut position = self.start.clone();
        for ply in self.main_line() {
            if position.make(ply).is_err() {
                break;
            }
        }
        position
    }
}

impl Moves {
    /// The moves of a tree; `None` if the start position is not legal.
    pub fn of(tree: &GameTree<'_>) -> Option<Moves> {
        let start = tree.first_position()?;
        let steps = tree.events().filter_map(Step::of).collect();
        Some(Moves { start, steps })
    }
}

impl Game {
    /// The moves including variations. An illegal move ends its line: the rest of the line, with
    /// its variations, is omitted. `None` if the start position is not legal.
    #[doc(hidden)]
    pub fn moves(&self) -> Option<Moves> {
        let (start, events) = self.events()?;
        let steps = events.into_iter().filter_map(Step::of).collect();
        Some(Moves { start, steps })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::{Lexeme, Scanner, Walker, parse};

    fn of_game(text: &str) -> Moves {
        Game::parse(text.as_bytes()).moves().expect("a start")
    }

    fn fens(moves: &Moves) -> (Vec<String>, Vec<String>) {
        let (mut main, mut others) = (Vec::new(), Vec::new());
        moves.find_in_main_line(|_, position| {
            main.push(position.fen());
            None::<()>
        });
        let mut walker = Walker::new(moves.start.clone());
        for step in &moves.steps {
            let is_whole = match step {
                Step::Open => walker.open().is_ok(),
                Step::Close => walker.close().is_ok(),
                Step::Ply(ply) => walker.step(|position| position.make(*ply)).is_ok(),
            };
            if !is_whole {
                break;
            }
            if matches!(step, Step::Ply(_)) && !walker.is_main() {
                others.push(walker.state().fen());
            }
        }
        (main, others)
    }

    #[test]
    fn text_and_tree_have_the_same_moves() {
        for text in [
            "*",
            "1. e4 (1. d4 d5 (1... Nf6 2. c4)) 1... e5 (1... c5) 2. Nf3 *",
            "1. e4 e5 2. -- d5 1-0",
            "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 7\"]\n\n7. e4 (7. e3 Kd7) *",
        ] {
            let lexemes: Vec<Lexeme> = Scanner::new(text.as_bytes()).collect();
            let parsed = parse(text.as_bytes(), &lexemes);
            assert_eq!(parsed.verbatim_reason, None, "{text}");
            assert_eq!(Moves::of(&parsed.tree), Some(of_game(text)), "{text}");
        }
    }

    #[test]
    fn an_illegal_move_ends_its_line() {
        let moves = of_game("1. e4 (1. d4 Kd4 2. c4 (2. c3) 2... c5) 1... e5 2. Ke3 Nf6 *");
        let (main, others) = fens(&moves);
        assert_eq!((main.len(), others.len()), (3, 1));
        assert!(fens(&of_game("1. e4 ) e5 *")).0.len() >= 2);
    }

    #[test]
    fn positions_come_with_their_plies() {
        let moves = of_game("1. e4 (1. d4) 1... e5 2. Nf3 *");
        let is_black = |ply, position: &ChessPosition| position.is_check().then_some(ply);
        assert_eq!(moves.find_in_main_line(is_black), None);
        let third = |ply, position: &ChessPosition| (position.fullmoves() == 2).then_some(ply);
        assert_eq!(moves.find_in_main_line(third), Some(2));
        let (_, others) = fens(&moves);
        assert!(matches!(&others[..], [fen] if fen.starts_with("rnbqkbnr/pppppppp/8/8/3P4")));
    }
}
