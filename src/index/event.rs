//! Coding of irreversible plies as symbols: the events that change one skeleton into the
//! next.

use super::skeleton_step::{PawnStep, lost_by_capture, pawns, promoted_officer, rank_of, target};
use crate::chess::{OFFICERS, Skeleton};
use crate::codec::error::CodecError;
use crate::codec::huffman::Alphabet;

/// The context of a symbol. It determines the alphabet and the Huffman tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EventContext {
    /// The class of an event, given the group of the previous event.
    Class(EventGroup),
    /// The pawn that moves, and how: the side, and the number of its pawns.
    Pawn(usize, u32),
    /// The pawn that is captured by a piece: its side, and the number of that side's pawns.
    Loss(usize, u32),
    /// What a pawn captures on a square without a pawn.
    Captured,
    /// The piece that a pawn promotes to.
    Promoted,
}

/// The number of class contexts. They come first.
pub(super) const CLASS_CONTEXTS: usize = 8;

/// The number of contexts.
pub(super) const CONTEXTS: usize = CLASS_CONTEXTS + 16 + 16 + 2;

/// The groups of event classes, as contexts of the next class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EventGroup {
    /// No event yet.
    Start,
    /// A pawn of this side has moved.
    Pawn(usize),
    /// A pawn of this side has been captured by a piece.
    PawnLost(usize),
    /// An officer of this side has been captured by a piece.
    OfficerLost(usize),
    /// Castling rights have been lost.
    Rights,
}

/// The corners whose rooks may castle: h1, a1, h8, a8.
const CORNERS: [u32; 4] = [7, 0, 63, 56];

/// The first classes of officers lost and of rights lost, and the alphabet of classes: pawn
/// moves, pawns lost, officers lost, rights lost.
const FIRST_OFFICER: u8 = 4;
const FIRST_RIGHTS: u8 = FIRST_OFFICER + 2 * OFFICERS;
const CLASSES: Alphabet = Alphabet::new(5, FIRST_RIGHTS + 15);
/// How a pawn moves: one square, two squares, a capture towards the a-file, a capture
/// towards the h-file.
const PAWN_MOVES: Alphabet = Alphabet::new(5, 32);
const PAWNS: Alphabet = Alphabet::new(3, 8);
/// An officer, or a pawn en passant.
const CAPTURED: Alphabet = Alphabet::new(3, OFFICERS + 1);
/// Knight, bishop, rook, queen.
const PROMOTED: Alphabet = Alphabet::new(2, 4);
const EN_PASSANT: u8 = OFFICERS;

impl EventContext {
    /// The number of the context, below [`CONTEXTS`].
    pub(super) fn number(self) -> usize {
        let of_side = |side: usize, count: u32| 8 * side + (count as usize).clamp(1, 8) - 1;
        match self {
            EventContext::Class(group) => group.number(),
            EventContext::Pawn(side, count) => 8 + of_side(side, count),
            EventContext::Loss(side, count) => 24 + of_side(side, count),
            EventContext::Captured => 40,
            EventContext::Promoted => 41,
        }
    }

    /// The alphabet of a context, given its number.
    pub(super) fn alphabet(number: usize) -> Alphabet {
        match number {
            0..8 => CLASSES,
            8..24 => PAWN_MOVES,
            24..40 => PAWNS,
            40 => CAPTURED,
            _ => PROMOTED,
        }
    }
}

impl EventGroup {
    fn number(self) -> usize {
        match self {
            EventGroup::Start => 0,
            EventGroup::Pawn(side) => 1 + side,
            EventGroup::PawnLost(side) => 3 + side,
            EventGroup::OfficerLost(side) => 5 + side,
            EventGroup::Rights => 7,
        }
    }

    fn from_class(class: u8) -> EventGroup {
        match class {
            0..2 => EventGroup::Pawn(class.into()),
            2..FIRST_OFFICER => EventGroup::PawnLost(usize::from(class) - 2),
            FIRST_OFFICER..FIRST_RIGHTS => {
                EventGroup::OfficerLost(usize::from((class - FIRST_OFFICER) / OFFICERS))
            }
            _ => EventGroup::Rights,
        }
    }
}

const INVALID_EVENT: CodecError = CodecError::Damaged("an event that cannot be");

/// The coding state of a game within its events: the current skeleton and the group of the
/// last event.
#[derive(Debug, Clone, Copy)]
pub(super) struct EventState {
    pub(super) skeleton: Skeleton,
    group: EventGroup,
}

impl EventState {
    pub(super) fn new(skeleton: Skeleton) -> EventState {
        EventState {
            skeleton,
            group: EventGroup::Start,
        }
    }

    /// Whether the last event was a loss of castling rights.
    pub(super) fn last_event_is_rights(&self) -> bool {
        self.group == EventGroup::Rights
    }

    /// Emits the symbols of the events that change the current skeleton to `after`.
    pub(super) fn write(&mut self, after: Skeleton, mut emit: impl FnMut(EventContext, u8)) {
        let before = self.skeleton;
        let class = |class: u8, group: &mut EventGroup, emit: &mut dyn FnMut(EventContext, u8)| {
            emit(EventContext::Class(*group), class);
            *group = EventGroup::from_class(class);
        };
        let of_side = |side: usize| u8::from(side == 1);
        let lost = lost_by_capture(&before, &after);
        if let Some(step) = PawnStep::between(&before, &after) {
            class(of_side(step.side), &mut self.group, &mut emit);
            let count = pawns(&before, step.side).count_ones();
            let rank = index_of(pawns(&before, step.side), step.from);
            emit(EventContext::Pawn(step.side, count), 4 * rank + step.kind);
            if step.kind >= 2 && (step.to.is_none() || !step.takes_pawn(&before)) {
                let taken = lost.officer.unwrap_or(EN_PASSANT);
                emit(EventContext::Captured, taken);
            }
            if let Some(role) = step.promotion {
                emit(EventContext::Promoted, role);
            }
        } else if let Some(square) = lost.pawn {
            class(2 + of_side(lost.side), &mut self.group, &mut emit);
            let count = pawns(&before, lost.side).count_ones();
            let index = index_of(pawns(&before, lost.side), square);
            emit(EventContext::Loss(lost.side, count), index);
        } else if let Some(officer) = lost.officer {
            let number = FIRST_OFFICER + OFFICERS * of_side(lost.side) + officer;
            class(number, &mut self.group, &mut emit);
        }
        let rights = corners(before.castling_rooks & !after.castling_rooks);
        if rights > 0 {
            class(FIRST_RIGHTS + rights - 1, &mut self.group, &mut emit);
        }
        self.skeleton = after;
    }

    /// Decodes one event and applies it to the skeleton.
    pub(super) fn read(
        &mut self,
        mut symbol: impl FnMut(EventContext) -> Result<u8, CodecError>,
    ) -> Result<(), CodecError> {
        let class = symbol(EventContext::Class(self.group))?;
        self.group = EventGroup::from_class(class);
        match self.group {
            EventGroup::Start => Err(INVALID_EVENT),
            EventGroup::Pawn(side) => self.read_pawn_step(side, symbol),
            EventGroup::PawnLost(side) => {
                let of_side = pawns(&self.skeleton, side);
                let index = symbol(EventContext::Loss(side, of_side.count_ones()))?;
                self.remove_pawn(side, nth(of_side, index).ok_or(INVALID_EVENT)?)
            }
            EventGroup::OfficerLost(side) => {
                self.remove_officer(side, (class - FIRST_OFFICER) % OFFICERS)
            }
            EventGroup::Rights => {
                let lost = class - FIRST_RIGHTS + 1;
                for (bit, corner) in CORNERS.into_iter().enumerate() {
                    if lost >> bit & 1 == 1 {
                        let right = 1 << corner;
                        if self.skeleton.castling_rooks & right == 0 {
                            return Err(INVALID_EVENT);
                        }
                        self.skeleton.castling_rooks &= !right;
                    }
                }
                Ok(())
            }
        }
    }

    fn read_pawn_step(
        &mut self,
        side: usize,
        mut symbol: impl FnMut(EventContext) -> Result<u8, CodecError>,
    ) -> Result<(), CodecError> {
        let of_side = pawns(&self.skeleton, side);
        let choice = symbol(EventContext::Pawn(side, of_side.count_ones()))?;
        let from = nth(of_side, choice / 4).ok_or(INVALID_EVENT)?;
        let step = PawnStep {
            side,
            from,
            kind: choice % 4,
            to: target(side, from, choice % 4),
            promotion: None,
        };
        let promotes = rank_of(side, from) == 6;
        let is_home = rank_of(side, from) == 1;
        if (step.kind == 1 && !is_home) || (step.kind == 3 && promotes) {
            return Err(INVALID_EVENT);
        }
        self.remove_pawn(side, from)?;
        if step.kind >= 2 {
            let other = 1 - side;
            match step.to {
                Some(to) if step.takes_pawn(&self.skeleton) => self.remove_pawn(other, to)?,
                _ => match symbol(EventContext::Captured)? {
                    EN_PASSANT => {
                        let to = step.to.ok_or(INVALID_EVENT)?;
                        let captured = if side == 0 { to - 8 } else { to + 8 };
                        self.remove_pawn(other, captured)?;
                    }
                    officer => self.remove_officer(other, officer)?,
                },
            }
        }
        if promotes {
            let officer = promoted_officer(symbol(EventContext::Promoted)?, from, step.kind);
            let counts = self.skeleton.officers.get_mut(side);
            let count = counts.and_then(|counts| counts.get_mut(usize::from(officer)));
            let count = count.ok_or(INVALID_EVENT)?;
            *count = count.checked_add(1).ok_or(INVALID_EVENT)?;
            return Ok(());
        }
        let to = 1 << step.to.ok_or(INVALID_EVENT)?;
        let all = pawns(&self.skeleton, 0) | pawns(&self.skeleton, 1);
        let own = self.skeleton.pawns.get_mut(side).ok_or(INVALID_EVENT)?;
        if all & to != 0 {
            return Err(INVALID_EVENT);
        }
        *own |= to;
        Ok(())
    }

    fn remove_pawn(&mut self, side: usize, square: u32) -> Result<(), CodecError> {
        let own = self.skeleton.pawns.get_mut(side).ok_or(INVALID_EVENT)?;
        let without = *own & !(1 << square);
        match without == std::mem::replace(own, without) {
            true => Err(INVALID_EVENT),
            false => Ok(()),
        }
    }

    fn remove_officer(&mut self, side: usize, officer: u8) -> Result<(), CodecError> {
        let counts = self.skeleton.officers.get_mut(side);
        let count = counts.and_then(|counts| counts.get_mut(usize::from(officer)));
        let count = count.ok_or(INVALID_EVENT)?;
        *count = count.checked_sub(1).ok_or(INVALID_EVENT)?;
        Ok(())
    }
}

/// The number of squares of a set that precede `square`.
fn index_of(squares: u64, square: u32) -> u8 {
    let before = squares & ((1u64 << square) - 1);
    u8::try_from(before.count_ones()).unwrap_or(u8::MAX)
}

/// The square of a set at `index`, in ascending order.
fn nth(squares: u64, index: u8) -> Option<u32> {
    let mut left = squares;
    for _ in 0..index {
        left &= left.checked_sub(1)?;
    }
    (left != 0).then(|| left.trailing_zeros())
}

/// The corners in a set of squares, one bit for each of `CORNERS`.
fn corners(squares: u64) -> u8 {
    let bits = (0u8..).zip(CORNERS);
    bits.map(|(bit, corner)| u8::from(squares >> corner & 1 == 1) << bit)
        .sum()
}
