//! The symbol families of the marks.

use super::history::SIZES;
use super::squares::COLOURS;
use crate::codec::distributions::{Family, SymbolContext};

/// Symbols for marks of a group without a pattern; the last one ends the group.
pub(super) const KINDS: u16 = 18;
/// Contexts for the pattern of the previous group; the last one is shared by
/// all further patterns.
pub(super) const EARLIER: u32 = 32;
/// Contexts for the pattern of the group before that.
pub(super) const TWO_BACK: u32 = 8;
/// Contexts for the place of a group: first, last, in a variation, elsewhere.
pub(super) const PLACES: u32 = 4;
/// Contexts for the glyph of a bad move in the group, including none.
pub(super) const FAULTS: u32 = 4;
/// The context after those, for values without a prediction.
pub(super) const UNKNOWN: u32 = FAULTS;
/// Values of the high byte of a template number.
pub(super) const TEMPLATE_PAGES: u16 = 16;
/// Contexts for the last number of moves to mate.
pub(super) const MATES: u32 = 16;
/// Contexts for the magnitude of the last value, used for whether a mate
/// follows.
pub(super) const LEVELS: u32 = 32;

/// The purpose of a family.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Use {
    /// Whether the movetext has any marks.
    Any,
    Pattern,
    /// A mark of a group without a pattern, in the context of the mark before
    /// it.
    Kind,
    Nag,
    /// The high byte of a template number; `Template` is the low byte.
    TemplatePage,
    Template,
    /// The length of verbatim text.
    Length,
    /// Whether a list of squares continues.
    More,
    Colour,
    Square,
    /// The target square of an arrow.
    Target,
    /// Whether a value of a slot is a mate.
    IsMate(usize),
    Mate(usize),
    /// The residual of a value of a slot against its prediction.
    Difference(usize),
}

/// Families that do not belong to a slot.
const OWN: [(Use, Family); 11] = [
    (Use::Any, Family::without_contexts(2)),
    (
        Use::Pattern,
        Family {
            symbols: 256,
            outer: EARLIER,
            inner: TWO_BACK * PLACES,
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
    (Use::Nag, Family::without_contexts(256)),
    (Use::TemplatePage, Family::without_contexts(TEMPLATE_PAGES)),
    (
        Use::Template,
        Family {
            symbols: 256,
            outer: TEMPLATE_PAGES as u32,
            inner: 1,
        },
    ),
    (Use::Length, Family::numbers(1, 1)),
    (Use::More, Family::without_contexts(2)),
    (Use::Colour, Family::without_contexts(COLOURS as u16)),
    (Use::Square, Family::without_contexts(64)),
    (
        Use::Target,
        Family {
            symbols: 64,
            outer: 64,
            inner: 1,
        },
    ),
];

/// The number of families per slot.
const OF_SLOT: usize = 3;

/// The families for this number of slots, in order.
pub(super) fn families(slots: usize) -> Vec<Family> {
    let of_slot: [Family; OF_SLOT] = [
        Family {
            symbols: 2,
            outer: 2 * FAULTS,
            inner: LEVELS,
        },
        Family::numbers(2, MATES),
        Family::numbers(FAULTS + 1, SIZES),
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

    /// The purpose of the family with this number.
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
    pub(super) fn at(self, outer: u32, inner: u32) -> SymbolContext {
        SymbolContext {
            family: self.number(),
            outer,
            inner,
        }
    }
}
