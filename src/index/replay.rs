//! Games played on behind the lines that they share, one ply among those that what is
//! known of their events leaves.

use super::sought::Sought;
use super::tails::{Event, Events};
use crate::chess::{Ply, Position, Role, Skeleton, side_of};
use crate::codec::error::CodecError;

/// How many kinds of moves there are.
pub(super) const KINDS: usize = 2 * 6 * 2 * 64;

/// A game, its present position, and its events from there.
pub(super) struct Replay<'a> {
    pub(super) position: Position,
    pub(super) skeleton: Skeleton,
    events: Events<'a>,
    /// The next event, and the one behind it.
    next: [Option<Event>; 2],
}

/// The plies that there may be.
pub(super) struct Choices {
    /// Those that make the next events, then those that make none; of each the likely
    /// ones first.
    pub(super) plies: Vec<Ply>,
    /// How many make events.
    pub(super) of_events: usize,
}

impl<'a> Replay<'a> {
    /// Begins at a position, to which these events follow.
    pub(super) fn new(position: Position, mut events: Events<'a>) -> Result<Self, CodecError> {
        let next = [events.next()?, events.next()?];
        Ok(Replay {
            skeleton: position.skeleton(),
            position,
            events,
            next,
        })
    }

    /// The skeletons that the next ply leads to if it makes an event, with how many
    /// events it makes then.
    fn targets(&self) -> impl Iterator<Item = (usize, &Event)> {
        let [first, second] = self.next.each_ref().map(Option::as_ref);
        let second = second.filter(|event| event.is_of_rights);
        let targets = [
            first.map(|event| (1, event)),
            second.map(|event| (2, event)),
        ];
        targets.into_iter().flatten()
    }

    /// The plies that may come next, by scores of their kinds.
    pub(super) fn choices(&self, scores: &[u8]) -> Choices {
        let (mut of_events, mut quiet) = (Vec::new(), Vec::new());
        for ply in self.position.legal_plies() {
            let kind = kind_of(&self.position, ply);
            let score = kind.and_then(|kind| scores.get(kind)).copied();
            let scored = (std::cmp::Reverse(score.unwrap_or(0)), ply);
            if !self.position.changes_skeleton(ply) {
                quiet.push(scored);
            } else if self.may_make_event(ply) && self.makes_event(ply) {
                of_events.push(scored);
            }
        }
        // Stable: of the same score in canonical order.
        of_events.sort_by_key(|(score, _)| *score);
        quiet.sort_by_key(|(score, _)| *score);
        Choices {
            of_events: of_events.len(),
            plies: of_events
                .into_iter()
                .chain(quiet)
                .map(|(_, ply)| ply)
                .collect(),
        }
    }

    /// Whether a ply of a pawn moves one that an event moves: most do not, and need not
    /// be played for it.
    fn may_make_event(&self, ply: Ply) -> bool {
        let Ply::Move { from, .. } = ply else {
            return false;
        };
        let before = self.skeleton.pawns.iter();
        let mut of_sides = before.enumerate();
        let moves = of_sides.find(|(_, pawns)| *pawns >> u32::from(from) & 1 == 1);
        moves.is_none_or(|(side, _)| {
            self.targets().any(|(_, event)| {
                let after = event.skeleton.pawns.get(side);
                after.is_some_and(|pawns| pawns >> u32::from(from) & 1 == 0)
            })
        })
    }

    fn makes_event(&self, ply: Ply) -> bool {
        let mut position = self.position.clone();
        if position.play(ply).is_err() {
            return false;
        }
        let after = position.skeleton();
        self.targets().any(|(_, event)| event.skeleton == after)
    }

    /// Plays a ply that is one of the choices.
    pub(super) fn play(&mut self, ply: Ply) -> Result<(), CodecError> {
        const OTHER: CodecError = CodecError::Damaged("a ply that makes another event");
        self.position.play(ply).map_err(|_| OTHER)?;
        let after = self.position.skeleton();
        if after == self.skeleton {
            return Ok(());
        }
        let made = self.targets().find(|(_, event)| event.skeleton == after);
        let made = made.map(|(events, _)| events).ok_or(OTHER)?;
        for _ in 0..made {
            let [next, behind] = &mut self.next;
            *next = std::mem::replace(behind, self.events.next()?);
        }
        self.skeleton = after;
        Ok(())
    }

    /// Whether what is sought may come later, or be a position to come that has the
    /// present skeleton.
    pub(super) fn may_be_or_reach(
        mut self,
        sought: &(impl Sought + ?Sized),
    ) -> Result<bool, CodecError> {
        let next = self.next.iter().flatten().map(|event| event.skeleton);
        for skeleton in std::iter::once(self.skeleton).chain(next) {
            if sought.may_be(&skeleton) {
                return Ok(true);
            }
            if sought.is_behind(&skeleton) {
                return Ok(false);
            }
        }
        self.events.may_reach(sought)
    }
}

/// The kind of a move: who moves which piece where, and whether it stands on its first
/// rank before. `None` for what is no move of a piece on the board.
pub(super) fn kind_of(position: &Position, ply: Ply) -> Option<usize> {
    let Ply::Move { from, to, .. } = ply else {
        return None;
    };
    let piece = position.piece_at(from)?;
    let side = side_of(piece.color);
    let role = match piece.role {
        Role::Pawn => 0,
        Role::Knight => 1,
        Role::Bishop => 2,
        Role::Rook => 3,
        Role::Queen => 4,
        Role::King => 5,
    };
    let is_home = usize::from(from.rank() as usize == 7 * side);
    Some(((6 * side + role) * 2 + is_home) * 64 + usize::from(to))
}
