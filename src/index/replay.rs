//! Replay of games after they leave the opening tree. Each ply is chosen among the legal
//! moves that are consistent with the events of the game.

use super::tails::{Event, Events};
use super::target::{KnownPosition, SearchTarget, Ternary};
use crate::chess::{Castlings, ChessPosition, PlyKind, Role, Skeleton, side_of};
use crate::codec::error::CodecError;

/// The number of kinds of moves.
pub(super) const KINDS: usize = 2 * 6 * 2 * 64;

/// A game: its current position and its remaining events.
pub(super) struct Replay<'a> {
    pub(super) position: ChessPosition,
    pub(super) skeleton: Skeleton,
    /// The ply that was played last.
    pub(super) last: Option<PlyKind>,
    events: Events<'a>,
    /// The next two events.
    next: [Option<Event>; 2],
}

/// The possible plies in a position, numbered: first those that make the next events, then those
/// that make none. Within each group, higher scores come first, and plies of equal scores are in
/// canonical order.
pub(super) struct Choices {
    of_events: Vec<(Rank, PlyKind)>,
    quiet: Vec<(Rank, PlyKind)>,
}

/// Most positions have fewer moves, and these need one allocation.
const USUAL_MOVES: usize = 48;

/// Lower ranks come first.
type Rank = u64;

impl Choices {
    /// The number of plies that make events.
    pub(super) fn event_count(&self) -> usize {
        self.of_events.len()
    }

    /// The number of plies.
    pub(super) fn len(&self) -> usize {
        self.of_events.len() + self.quiet.len()
    }

    /// The ply with this number. Sorting all plies took half of the time of a replay.
    pub(super) fn into_nth(mut self, number: usize) -> Option<PlyKind> {
        let (group, number) = match number.checked_sub(self.of_events.len()) {
            None => (&mut self.of_events, number),
            Some(number) => (&mut self.quiet, number),
        };
        if number >= group.len() {
            return None;
        }
        let (_, (_, ply), _) = group.select_nth_unstable_by_key(number, |(rank, _)| *rank);
        Some(*ply)
    }

    /// The number of a ply, if it is possible.
    pub(super) fn number(&self, ply: PlyKind) -> Option<usize> {
        let within = |group: &[(Rank, PlyKind)]| {
            let (rank, _) = group.iter().find(|(_, other)| *other == ply)?;
            Some(group.iter().filter(|(other, _)| other < rank).count())
        };
        let quiet = || Some(self.of_events.len() + within(&self.quiet)?);
        within(&self.of_events).or_else(quiet)
    }
}

impl<'a> Replay<'a> {
    /// Starts at `position`. `events` are the events after it.
    pub(super) fn new(position: ChessPosition, mut events: Events<'a>) -> Result<Self, CodecError> {
        let next = [events.next()?, events.next()?];
        Ok(Replay {
            skeleton: position.skeleton(),
            position,
            last: None,
            events,
            next,
        })
    }

    /// The skeletons that the next ply can lead to if it makes events, with the number of
    /// these events.
    fn targets(&self) -> impl Iterator<Item = (usize, &Event)> {
        let [first, second] = self.next.each_ref().map(Option::as_ref);
        let second = second.filter(|event| event.is_rights_only);
        let targets = [
            first.map(|event| (1, event)),
            second.map(|event| (2, event)),
        ];
        targets.into_iter().flatten()
    }

    /// The possible next plies, given the scores of their kinds.
    pub(super) fn choices(&self, scores: &[u8]) -> Choices {
        let (mut of_events, mut quiet) = (Vec::new(), Vec::with_capacity(USUAL_MOVES));
        let side = side_of(self.position.turn());
        let leaving = self.leaving_pawns();
        for legal in self.position.unordered_plies() {
            let kind = kind_of(side, legal.role, legal.ply);
            let score = kind.and_then(|kind| scores.get(kind)).copied();
            let rank = Rank::from(u8::MAX - score.unwrap_or(0)) << 32 | Rank::from(legal.key);
            let choice = (rank, legal.ply);
            if !legal.changes_skeleton {
                quiet.push(choice);
            } else if self.may_make_event(legal.ply, leaving) && self.makes_event(legal.ply) {
                of_events.push(choice);
            }
        }
        Choices { of_events, quiet }
    }

    /// The squares of the pawns that leave them in the next events.
    fn leaving_pawns(&self) -> u64 {
        let of_event = |event: &Event| {
            let sides = self.skeleton.pawns.iter().zip(&event.skeleton.pawns);
            sides.fold(0, |all, (before, after)| all | before & !after)
        };
        self.targets()
            .fold(0, |all, (_, event)| all | of_event(event))
    }

    /// Whether a ply may make the next events, in which pawns leave these squares. A pawn move can
    /// only do so if its pawn does. Most do not, which saves playing them.
    fn may_make_event(&self, ply: PlyKind, leaving: u64) -> bool {
        let PlyKind::Move { from, .. } = ply else {
            return false;
        };
        let [white, black] = self.skeleton.pawns;
        let movable = leaving | !(white | black);
        movable >> u32::from(from) & 1 == 1
    }

    fn makes_event(&self, ply: PlyKind) -> bool {
        let mut position = self.position.clone();
        if position.make_legal(ply).is_err() {
            return false;
        }
        let after = position.skeleton();
        self.targets().any(|(_, event)| event.skeleton == after)
    }

    /// Plays one of the choices.
    pub(super) fn play(&mut self, ply: PlyKind) -> Result<(), CodecError> {
        const WRONG_EVENT: CodecError = CodecError::Damaged("a ply that makes another event");
        let is_quiet = !self.position.changes_skeleton(ply);
        self.position.make_legal(ply).map_err(|_| WRONG_EVENT)?;
        self.last = Some(ply);
        if is_quiet {
            return Ok(());
        }
        let after = self.position.skeleton();
        let event_count = self.targets().find(|(_, event)| event.skeleton == after);
        let made = event_count.map(|(events, _)| events).ok_or(WRONG_EVENT)?;
        for _ in 0..made {
            let [next, after_next] = &mut self.next;
            *next = std::mem::replace(after_next, self.events.next()?);
        }
        self.skeleton = after;
        Ok(())
    }

    /// Whether the target may occur later in the game, including positions that have the
    /// current skeleton.
    pub(super) fn may_match_later(
        mut self,
        sought: &(impl SearchTarget + ?Sized),
        castlings: Option<Castlings>,
    ) -> Result<bool, CodecError> {
        let [next, _] = self.next;
        for skeleton in std::iter::once(self.skeleton).chain(next.map(|event| event.skeleton)) {
            if sought.judge(&KnownPosition::of(&skeleton, castlings)) != Ternary::FALSE {
                return Ok(true);
            }
            if sought.is_unreachable_after(&skeleton) {
                return Ok(false);
            }
        }
        // These have read the second of the next events, if there is one.
        Ok(self.events.judge(sought, castlings, false)?.is_some())
    }
}

/// The kind of a move: the side, the piece, whether it leaves its side's first rank, and
/// the destination. Returns `None` if the ply is not a move of a piece on the board.
pub(super) fn kind_of(side: usize, role: Role, ply: PlyKind) -> Option<usize> {
    let PlyKind::Move { from, to, .. } = ply else {
        return None;
    };
    let role = match role {
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
