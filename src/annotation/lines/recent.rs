//! The last few states of the movetext, from which a line in a comment may
//! start.

use std::rc::Rc;

/// The maximum number of states stored, including the current one.
pub const STATES: usize = 4;

/// The current state and those before the last plies of the line.
#[derive(Debug, Clone)]
pub struct Recent<S> {
    now: Rc<S>,
    /// The most recent first.
    before: [Option<Rc<S>>; STATES - 1],
}

impl<S: Clone> Recent<S> {
    /// A history with only a start state.
    pub fn new(start: S) -> Self {
        Recent {
            now: Rc::new(start),
            before: [const { None }; STATES - 1],
        }
    }

    /// The current state.
    pub fn now(&self) -> &S {
        &self.now
    }

    /// The state `plies` plies back, if it is stored.
    pub fn back(&self, plies: u8) -> Option<&S> {
        match usize::from(plies).checked_sub(1) {
            None => Some(&self.now),
            Some(before) => self.before.get(before)?.as_deref(),
        }
    }

    /// Plays a ply on a copy of the current state. On an error nothing changes.
    pub fn step<T, E>(&mut self, play: impl FnOnce(&mut S) -> Result<T, E>) -> Result<T, E> {
        let mut next = S::clone(&self.now);
        let played = play(&mut next)?;
        let last = std::mem::replace(&mut self.now, Rc::new(next));
        self.before.rotate_right(1);
        let [latest, ..] = &mut self.before;
        *latest = Some(last);
        Ok(played)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_states_are_retained() {
        let mut recent = Recent::new(0u32);
        for number in 1..=9 {
            let played: Result<(), ()> = recent.step(|state| {
                *state = number;
                Ok(())
            });
            assert_eq!(played, Ok(()));
            let expected = (0..4u8).map(|back| number.checked_sub(back.into()));
            let found = (0..4u8).map(|back| recent.back(back).copied());
            assert!(expected.eq(found), "{number}");
        }
        assert_eq!(recent.step(|_| Err::<(), _>(7)), Err(7));
        assert_eq!((recent.now(), recent.back(4)), (&9, None));
    }
}
