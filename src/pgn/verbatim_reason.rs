//! Why text is stored as it is and not as a game.

/// Why a record, or a part of it, is stored verbatim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[non_exhaustive]
pub enum VerbatimReason {
    /// It is not a game.
    Text = 1,
    /// It exceeds the maximum size of a record or the number of nodes that are parsed.
    TooLong = 2,
    /// A move of a variation is illegal or ambiguous. The rest of the variation is stored verbatim
    /// as a node of the movetext.
    Variation = 3,
    /// The FEN tag does not give a legal position under the rules of the variant.
    StartPosition = 4,
    /// A move of the main line is illegal or ambiguous.
    Illegal = 5,
    /// A move, variation, tag pair or second result occurs where none is allowed.
    Misplaced = 6,
    /// The patch would be longer than the text.
    Patch = 7,
    /// The writer's check failed: decoding did not reproduce the record.
    Unverified = 8,
    /// The variant is unknown.
    Variant = 9,
}

impl VerbatimReason {
    /// All reasons, in the order of their numbers.
    pub const ALL: [VerbatimReason; 9] = [
        VerbatimReason::Text,
        VerbatimReason::TooLong,
        VerbatimReason::Variation,
        VerbatimReason::StartPosition,
        VerbatimReason::Illegal,
        VerbatimReason::Misplaced,
        VerbatimReason::Patch,
        VerbatimReason::Unverified,
        VerbatimReason::Variant,
    ];

    /// The reason with this number.
    pub fn from_number(number: u8) -> Option<VerbatimReason> {
        Self::ALL.into_iter().find(|rest| *rest as u8 == number)
    }

    /// A description in a few words.
    pub fn describe(self) -> &'static str {
        match self {
            VerbatimReason::Text => "text that is no game",
            VerbatimReason::TooLong => "record too long",
            VerbatimReason::Variation => "illegal or ambiguous move in a variation",
            VerbatimReason::StartPosition => "FEN that gives no position",
            VerbatimReason::Illegal => "illegal or ambiguous move",
            VerbatimReason::Misplaced => "misplaced move, variation, tag pair or result",
            VerbatimReason::Patch => "layout too irregular",
            VerbatimReason::Variant => "unknown variant",
            VerbatimReason::Unverified => "not given back by the writer's own check",
        }
    }
}
