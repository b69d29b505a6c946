//! A record as alternating gaps and lexemes.
//!
//! The form of a gap depends on its [`GapContext`] and on the number of the move
//! after it. The contexts are the same for the lexemes of a text and for the
//! nodes of its tree.

use super::scan::{Lexeme, LexemeKind};
use crate::chess::ChessPosition;

/// What borders on a gap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum GapSlot {
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

impl GapSlot {
    /// Number of slots.
    pub const COUNT: u8 = 13;

    /// Every slot with its name, in the order of the numbers.
    pub const ALL: [(GapSlot, &'static str); Self::COUNT as usize] = [
        (GapSlot::Edge, "edge"),
        (GapSlot::TagName, "tag name"),
        (GapSlot::TagValue, "tag value"),
        (GapSlot::WhiteMove, "White's move"),
        (GapSlot::BlackMove, "Black's move"),
        (GapSlot::Nag, "NAG"),
        (GapSlot::Glyph, "glyph"),
        (GapSlot::Comment, "comment"),
        (GapSlot::LineComment, "line comment"),
        (GapSlot::Open, "open"),
        (GapSlot::Close, "close"),
        (GapSlot::Result, "result"),
        (GapSlot::Intro, "intro"),
    ];

    /// The slot on the left of a gap, where moves of both colors are one slot.
    fn left(self) -> GapSlot {
        if self == GapSlot::BlackMove {
            GapSlot::WhiteMove
        } else {
            self
        }
    }
}

/// The slots on both sides of a gap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct GapContext(u8);

impl GapContext {
    /// Number of contexts. Context numbers are less than this.
    pub const COUNT: u8 = GapSlot::COUNT * GapSlot::COUNT;

    pub(super) fn new(left: GapSlot, right: GapSlot) -> GapContext {
        GapContext(left.left() as u8 * GapSlot::COUNT + right as u8)
    }

    /// The context with this number.
    pub fn from_number(number: u8) -> Option<GapContext> {
        (number < Self::COUNT).then_some(GapContext(number))
    }

    /// The number in the format: 13 times the left slot plus the right slot.
    pub fn number(self) -> u8 {
        self.0
    }

    pub(super) fn is_before(self, slot: GapSlot) -> bool {
        self.0 % GapSlot::COUNT == slot as u8
    }

    fn is_after(self, slot: GapSlot) -> bool {
        self.0 / GapSlot::COUNT == slot as u8
    }

    /// Whether lines are never wrapped in this context: the gap does not belong
    /// to the flowing movetext and so does not vary.
    pub(super) fn is_fixed(self) -> bool {
        use GapSlot::{Edge, Intro, LineComment, TagName, TagValue};
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
    left: Option<GapSlot>,
}

impl GapTracker {
    /// A follower before the first ply of a game from this start position.
    pub(super) fn new(start: &ChessPosition) -> Self {
        let moves = u64::from(start.fullmoves().saturating_sub(1));
        GapTracker {
            ply: 2 * moves + u64::from(start.turn().is_black()),
            ..GapTracker::default()
        }
    }

    /// Passes the gap before a lexeme of this kind, or before the end of the
    /// record for `None`. Returns its context and the number of the move after
    /// it.
    pub(super) fn gap(&mut self, kind: Option<LexemeKind>) -> (GapContext, u64) {
        let right = kind.map_or(GapSlot::Edge, |kind| self.slot(kind));
        let left = self.left.replace(right).unwrap_or(GapSlot::Edge);
        let number = self.ply / 2 + 1;
        match kind {
            Some(LexemeKind::Move) => {
                self.ply = self.ply.saturating_add(1);
                self.has_moved = true;
            }
            Some(LexemeKind::Open) => {
                self.outer.push(self.ply);
                self.ply = self.ply.saturating_sub(1);
            }
            Some(LexemeKind::Close) => self.ply = self.outer.pop().unwrap_or(self.ply),
            _ => {}
        }
        (GapContext::new(left, right), number)
    }

    fn slot(&self, kind: LexemeKind) -> GapSlot {
        match kind {
            LexemeKind::TagName => GapSlot::TagName,
            LexemeKind::TagValue => GapSlot::TagValue,
            LexemeKind::Move if self.ply.is_multiple_of(2) => GapSlot::WhiteMove,
            LexemeKind::Move => GapSlot::BlackMove,
            LexemeKind::Nag => GapSlot::Nag,
            LexemeKind::Glyph => GapSlot::Glyph,
            LexemeKind::Comment if self.has_moved => GapSlot::Comment,
            LexemeKind::Comment => GapSlot::Intro,
            LexemeKind::LineComment => GapSlot::LineComment,
            LexemeKind::Open => GapSlot::Open,
            LexemeKind::Close => GapSlot::Close,
            LexemeKind::Result => GapSlot::Result,
        }
    }
}

/// A gap and the lexeme after it.
#[derive(Debug, Clone, Copy)]
pub(super) struct LayoutStep<'a> {
    pub(super) context: GapContext,
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
    pub(super) start: &'a ChessPosition,
}

/// The steps through a record. With `to_end`, the gap before its end is
/// included.
pub(super) fn steps(text: Lexed<'_>, to_end: bool) -> impl Iterator<Item = LayoutStep<'_>> {
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
            LayoutStep {
                context,
                number,
                start: gap_start,
                gap: record.get(gap_start..gap_end).unwrap_or_default(),
                lexeme,
            }
        })
}
