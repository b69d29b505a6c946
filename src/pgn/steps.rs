//! A record as alternating gaps and lexemes.
//!
//! The form of a gap depends on its [`Context`] and on the number of the move
//! after it. The contexts are the same for the lexemes of a text and for the
//! nodes of its tree.

use super::scan::{Kind, Lexeme};
use crate::chess::Position;

/// What borders on a gap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Slot {
    /// The start or end of the record.
    Edge = 0,
    /// A tag's name.
    TagName = 1,
    /// A tag's value.
    TagValue = 2,
    /// A move of White's.
    WhiteMove = 3,
    /// A move of Black's.
    BlackMove = 4,
    /// A numeric annotation glyph.
    Nag = 5,
    /// A glyph such as `!?`.
    Glyph = 6,
    /// A comment in braces after a move.
    Comment = 7,
    /// A comment to the end of the line.
    LineComment = 8,
    /// A variation opens.
    Open = 9,
    /// A variation closes.
    Close = 10,
    /// A termination marker.
    Result = 11,
    /// A comment in braces before the first move.
    Intro = 12,
}

impl Slot {
    /// Number of slots.
    pub const COUNT: u8 = 13;

    /// Every slot with its name, in the order of the numbers.
    pub const ALL: [(Slot, &'static str); Self::COUNT as usize] = [
        (Slot::Edge, "edge"),
        (Slot::TagName, "tag name"),
        (Slot::TagValue, "tag value"),
        (Slot::WhiteMove, "White's move"),
        (Slot::BlackMove, "Black's move"),
        (Slot::Nag, "NAG"),
        (Slot::Glyph, "glyph"),
        (Slot::Comment, "comment"),
        (Slot::LineComment, "line comment"),
        (Slot::Open, "open"),
        (Slot::Close, "close"),
        (Slot::Result, "result"),
        (Slot::Intro, "intro"),
    ];

    /// The slot on the left of a gap, where moves of both colors are one slot.
    fn left(self) -> Slot {
        if self == Slot::BlackMove {
            Slot::WhiteMove
        } else {
            self
        }
    }
}

/// The slots on both sides of a gap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Context(u8);

impl Context {
    /// Number of contexts. Context numbers are less than this.
    pub const COUNT: u8 = Slot::COUNT * Slot::COUNT;

    pub(super) fn new(left: Slot, right: Slot) -> Context {
        Context(left.left() as u8 * Slot::COUNT + right as u8)
    }

    /// The context with this number.
    pub fn from_number(number: u8) -> Option<Context> {
        (number < Self::COUNT).then_some(Context(number))
    }

    /// The number in the format: 13 times the left slot plus the right slot.
    pub fn number(self) -> u8 {
        self.0
    }

    pub(super) fn is_before(self, slot: Slot) -> bool {
        self.0 % Slot::COUNT == slot as u8
    }

    fn is_after(self, slot: Slot) -> bool {
        self.0 / Slot::COUNT == slot as u8
    }

    /// Whether lines are never wrapped in this context: the gap does not belong
    /// to the flowing movetext and so does not vary.
    pub(super) fn is_fixed(self) -> bool {
        use Slot::{Edge, Intro, LineComment, TagName, TagValue};
        [Edge, TagName, TagValue]
            .into_iter()
            .any(|slot| self.is_before(slot))
            || [Edge, TagName, TagValue, LineComment, Intro]
                .into_iter()
                .any(|slot| self.is_after(slot))
    }
}

/// Tracks slots and move numbers through a movetext.
#[derive(Debug, Clone, Default)]
pub(super) struct GapTracker {
    /// Plies before the next one in the current line.
    ply: u64,
    /// The same for the lines that are interrupted by variations.
    outer: Vec<u64>,
    has_moved: bool,
    left: Option<Slot>,
}

impl GapTracker {
    /// A follower before the first ply of a game from this start position.
    pub(super) fn new(start: &Position) -> Self {
        let moves = u64::from(start.fullmoves().saturating_sub(1));
        GapTracker {
            ply: 2 * moves + u64::from(start.turn().is_black()),
            ..GapTracker::default()
        }
    }

    /// Passes the gap before a lexeme of this kind, or before the end of the
    /// record for `None`. Returns its context and the number of the move after
    /// it.
    pub(super) fn gap(&mut self, kind: Option<Kind>) -> (Context, u64) {
        let right = kind.map_or(Slot::Edge, |kind| self.slot(kind));
        let left = self.left.replace(right).unwrap_or(Slot::Edge);
        let number = self.ply / 2 + 1;
        match kind {
            Some(Kind::Move) => {
                self.ply = self.ply.saturating_add(1);
                self.has_moved = true;
            }
            Some(Kind::Open) => {
                self.outer.push(self.ply);
                self.ply = self.ply.saturating_sub(1);
            }
            Some(Kind::Close) => self.ply = self.outer.pop().unwrap_or(self.ply),
            _ => {}
        }
        (Context::new(left, right), number)
    }

    fn slot(&self, kind: Kind) -> Slot {
        match kind {
            Kind::TagName => Slot::TagName,
            Kind::TagValue => Slot::TagValue,
            Kind::Move if self.ply.is_multiple_of(2) => Slot::WhiteMove,
            Kind::Move => Slot::BlackMove,
            Kind::Nag => Slot::Nag,
            Kind::Glyph => Slot::Glyph,
            Kind::Comment if self.has_moved => Slot::Comment,
            Kind::Comment => Slot::Intro,
            Kind::LineComment => Slot::LineComment,
            Kind::Open => Slot::Open,
            Kind::Close => Slot::Close,
            Kind::Result => Slot::Result,
        }
    }
}

/// A gap and the lexeme after it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Step<'a> {
    pub(super) context: Context,
    pub(super) number: u64,
    /// Offset of the gap in the record.
    pub(super) start: usize,
    pub(super) gap: &'a [u8],
    /// `None` at the end of the record.
    pub(super) lexeme: Option<Lexeme>,
}

/// A record with its lexemes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lexed<'a> {
    pub(super) record: &'a [u8],
    pub(super) lexemes: &'a [Lexeme],
    /// The position before the first ply. Determines the first move number.
    pub(super) start: &'a Position,
}

/// The steps through a record. With `to_end`, the gap before its end is
/// included.
pub(super) fn steps(text: Lexed<'_>, to_end: bool) -> impl Iterator<Item = Step<'_>> {
    let Lexed {
        record, lexemes, ..
    } = text;
    let mut follower = GapTracker::new(text.start);
    let mut start = 0;
    let end = to_end.then_some(None);
    lexemes
        .iter()
        .copied()
        .map(Some)
        .chain(end)
        .map(move |lexeme| {
            let (context, number) = follower.gap(lexeme.map(|lexeme| lexeme.kind));
            let gap_start = start;
            let gap_end = lexeme.map_or(record.len(), |lexeme| lexeme.start);
            start = lexeme.map_or(record.len(), |lexeme| lexeme.end);
            Step {
                context,
                number,
                start: gap_start,
                gap: record.get(gap_start..gap_end).unwrap_or_default(),
                lexeme,
            }
        })
}
