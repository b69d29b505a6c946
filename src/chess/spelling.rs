//! The spelling of the text of a move.

/// The deviations of the text of a move from standard SAN; 0 is none.
///
/// Deviations that do not apply to a move (zeros, for a move that is not
/// castling) have no effect on it. Therefore one spelling can serve as the
/// default of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
pub struct Spelling(u8);

impl Spelling {
    /// Standard SAN.
    pub const STANDARD: Spelling = Spelling(0);
    /// The file of the origin is written although it is not needed, or omitted
    /// although it is. For a drop of a pawn, the `P` is omitted.
    pub const FILE: u8 = 1;
    /// The rank of the origin is written although it is not needed, or omitted
    /// although it is.
    pub const RANK: u8 = 2;
    /// A capture without `x`.
    pub const NO_CAPTURE: u8 = 4;
    /// A promotion without `=`.
    pub const NO_EQUALS: u8 = 8;
    /// Castling as `0-0`; a null move as `Z0`.
    pub const ZEROS: u8 = 16;
    /// The lower of two bits that select the suffix; see [`Spelling::SUFFIXES`].
    pub const SUFFIX: u8 = 32;
    pub(super) const SUFFIX_SHIFT: u32 = Self::SUFFIX.trailing_zeros();
    /// `+` after a move that gives no check.
    pub const SPURIOUS_CHECK: u8 = 128;

    /// The suffixes of a check and of a mate, indexed by the suffix bits. The
    /// first of each row is standard SAN.
    pub const SUFFIXES: [[&'static str; 4]; 2] = [["+", "", "++", "#"], ["#", "", "+", "++"]];

    /// The spelling that a byte of the format encodes.
    pub fn from_byte(byte: u8) -> Spelling {
        Spelling(byte)
    }

    /// The byte of the format that encodes this spelling.
    pub fn to_byte(self) -> u8 {
        self.0
    }

    /// The default spelling for a game with these spellings: all their deviations
    /// of captures, promotions and castling, and the first suffix that is not
    /// standard.
    pub fn default_of(spellings: &[Spelling]) -> Spelling {
        let general = Self::NO_CAPTURE | Self::NO_EQUALS | Self::ZEROS;
        let seen = spellings.iter().fold(0, |seen, spelling| seen | spelling.0);
        let suffix = spellings
            .iter()
            .map(|spelling| spelling.0 & (3 * Self::SUFFIX))
            .find(|suffix| *suffix != 0);
        Spelling(seen & general | suffix.unwrap_or(0))
    }

    pub(super) fn has(self, flag: u8) -> bool {
        self.0 & flag != 0
    }

    pub(super) fn suffix_choice(self) -> usize {
        usize::from(self.0 >> Self::SUFFIX_SHIFT & 3)
    }
}
