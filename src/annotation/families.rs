//! The families of the forecast of marks.

use super::history::SIZES;
use super::squares::COLOURS;
use crate::codec::forecast::{Family, Place};

/// Symbols of marks that no pattern foresees, the last for the end of a group.
pub(super) const KINDS: u16 = 18;
/// Earlier patterns are told apart up to this number.
pub(super) const EARLIER: u32 = 32;
/// Of those two groups back fewer are.
pub(super) const TWO_BACK: u32 = 8;
/// Where a group may stand: the first, the last, in a variation, elsewhere.
pub(super) const STANDS: u32 = 4;
/// Glyphs of bad moves, and none.
pub(super) const FAULTS: u32 = 4;
/// Behind them, the context of values that nothing foresees.
pub(super) const UNKNOWN: u32 = FAULTS;
/// The high bytes of numbers of templates.
pub(super) const TEMPLATE_PAGES: u16 = 16;
/// Numbers of moves to mate that are told apart.
pub(super) const MATES: u32 = 16;
/// Sizes of values that are told apart where a mate may follow.
pub(super) const LEVELS: u32 = 32;

/// What a family is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Use {
    /// Whether there are marks at all.
    Any,
    Pattern,
    /// A mark of a group that has no pattern; behind the mark before it.
    Kind,
    Nag,
    /// The number of a template, high byte and low byte.
    TemplatePage,
    Template,
    /// The length of a verbatim rest.
    Length,
    /// Whether a list of squares goes on.
    More,
    Colour,
    Square,
    /// Where an arrow leads from a square.
    Target,
    /// Whether a value of a slot is a mate.
    IsMate(usize),
    Mate(usize),
    /// By how much a value of a slot differs from what is foreseen.
    Difference(usize),
}

/// Families that do not belong to a slot.
const OWN: [(Use, Family); 11] = [
    (Use::Any, Family::of(2)),
    (
        Use::Pattern,
        Family {
            symbols: 256,
            outer: EARLIER,
            inner: TWO_BACK * STANDS,
        },
    ),
    (
        Use::Kind,
        Family {
            symbols: KINDS,
            outer: KINDS as u32,
            inner: 1,
        },
    ),
    (Use::Nag, Family::of(256)),
    (Use::TemplatePage, Family::of(TEMPLATE_PAGES)),
    (
        Use::Template,
        Family {
            symbols: 256,
            outer: TEMPLATE_PAGES as u32,
            inner: 1,
        },
    ),
    (Use::Length, Family::of_numbers(1, 1)),
    (Use::More, Family::of(2)),
    (Use::Colour, Family::of(COLOURS as u16)),
    (Use::Square, Family::of(64)),
    (
        Use::Target,
        Family {
            symbols: 64,
            outer: 64,
            inner: 1,
        },
    ),
];

/// Families of each slot.
const OF_SLOT: usize = 3;

/// The families for so many slots, in order.
pub(super) fn families(slots: usize) -> Vec<Family> {
    let of_slot: [Family; OF_SLOT] = [
        Family {
            symbols: 2,
            outer: 2 * FAULTS,
            inner: LEVELS,
        },
        Family::of_numbers(2, MATES),
        Family::of_numbers(FAULTS + 1, SIZES),
    ];
    let own = OWN.iter().map(|(_, family)| *family);
    own.chain((0..slots).flat_map(|_| of_slot)).collect()
}

impl Use {
    /// The number of the family.
    fn number(self) -> usize {
        match self {
            Use::IsMate(slot) => OWN.len() + OF_SLOT * slot,
            Use::Mate(slot) => OWN.len() + OF_SLOT * slot + 1,
            Use::Difference(slot) => OWN.len() + OF_SLOT * slot + 2,
            own => OWN.iter().position(|(other, _)| *other == own).unwrap_or(0),
        }
    }

    /// What the family of a number is for.
    pub(super) fn of(number: usize) -> Use {
        match number.checked_sub(OWN.len()) {
            None => OWN.get(number).map_or(Use::Any, |(own, _)| *own),
            Some(number) => match (number % OF_SLOT, number / OF_SLOT) {
                (0, slot) => Use::IsMate(slot),
                (1, slot) => Use::Mate(slot),
                (_, slot) => Use::Difference(slot),
            },
        }
    }

    /// A place in the family.
    pub(super) fn at(self, outer: u32, inner: u32) -> Place {
        Place {
            family: self.number(),
            outer,
            inner,
        }
    }
}
