//! Tracks the positions of a movetext with variations.

use crate::chess::ChessPosition;
use std::rc::Rc;

/// A variation that opens before the first move of its line, or closes without
/// being open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("misplaced variation")]
pub struct MisplacedVariation;

/// A cursor in a movetext: a stack of lines, with the main line at the bottom
/// and each variation on the line that it belongs to. `S` is the state that is
/// tracked: a position, or data that accompanies one.
#[derive(Debug, Clone, Default)]
pub struct Walker<S = ChessPosition> {
    line: WalkerState<S>,
    outer: Vec<WalkerState<S>>,
}

/// A variation shares its first state with the line that it belongs to, so each
/// level of nesting owns one state.
#[derive(Debug, Clone, Default)]
struct WalkerState<S> {
    now: Rc<S>,
    /// The state before the last ply, from which a variation branches off.
    before: Option<Rc<S>>,
}

impl<S: Clone> Walker<S> {
    /// A walker before the first ply of a main line.
    pub fn new(start: S) -> Self {
        Walker {
            line: WalkerState {
                now: Rc::new(start),
                before: None,
            },
            outer: Vec::new(),
        }
    }

    /// The state at the end of the current line.
    pub fn state(&self) -> &S {
        &self.line.now
    }

    /// Whether the current line is the main line.
    pub fn is_main(&self) -> bool {
        self.outer.is_empty()
    }

    /// The number of open variations.
    pub fn depth(&self) -> usize {
        self.outer.len()
    }

    /// Passes a ply. `play` plays it on a copy of the state.
    ///
    /// # Errors
    /// `play` failed; the walker is unchanged.
    pub fn step<T, E>(&mut self, play: impl FnOnce(&mut S) -> Result<T, E>) -> Result<T, E> {
        let mut next = S::clone(&self.line.now);
        let played = play(&mut next)?;
        let before = std::mem::replace(&mut self.line.now, Rc::new(next));
        self.line.before = Some(before);
        Ok(played)
    }

    /// Opens a variation: its first ply replaces the last ply of the line.
    ///
    /// # Errors
    /// The line has no ply.
    pub fn open(&mut self) -> Result<(), MisplacedVariation> {
        let branch = self.line.before.clone().ok_or(MisplacedVariation)?;
        self.push(branch);
        Ok(())
    }

    /// Opens a variation whose first state is `branch` of the state before the
    /// last ply of the line.
    ///
    /// # Errors
    /// The line has no ply.
    pub fn open_with(&mut self, branch: impl FnOnce(&S) -> S) -> Result<(), MisplacedVariation> {
        let before = self.line.before.as_deref().ok_or(MisplacedVariation)?;
        self.push(Rc::new(branch(before)));
        Ok(())
    }

    fn push(&mut self, now: Rc<S>) {
        let inner = WalkerState { now, before: None };
        self.outer.push(std::mem::replace(&mut self.line, inner));
    }

    /// Closes a variation. The outer line continues where it was interrupted.
    ///
    /// # Errors
    /// No variation is open.
    pub fn close(&mut self) -> Result<(), MisplacedVariation> {
        self.line = self.outer.pop().ok_or(MisplacedVariation)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::SanText;

    fn play(walker: &mut Walker, san: &str) {
        let text = SanText::parse(san.as_bytes()).expect("a move");
        let (ply, _) = walker.state().read(&text).expect("a legal move");
        walker.step(|position| position.make(ply)).expect("legal");
    }

    #[test]
    fn lines_continue_after_variations() {
        let mut walker = Walker::new(ChessPosition::standard());
        play(&mut walker, "e4");
        play(&mut walker, "e5");
        let main = walker.state().clone();
        walker.open().expect("a ply to replace");
        play(&mut walker, "c5");
        walker.open().expect("a ply to replace");
        assert_eq!(walker.open(), Err(MisplacedVariation));
        play(&mut walker, "c6");
        assert!(!walker.is_main());
        walker.close().expect("open");
        walker.close().expect("open");
        assert!(walker.is_main() && walker.state().is_same_as(&main));
        assert_eq!(walker.close(), Err(MisplacedVariation));
        play(&mut walker, "Nf3");
    }
}
