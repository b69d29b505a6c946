//! How the text of a move is spelled.

/// How the text of a move departs from standard SAN; 0 is no departure.
///
/// Departures that do not apply to a move (zeros, where it does not castle)
/// have no effect on it, so one spelling can describe the habit of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
pub struct Spelling(u8);

impl Spelling {
    /// Standard SAN.
    pub const STANDARD: Spelling = Spelling(0);
    /// The file of origin is written although not needed, or the reverse; of a
    /// pawn that is dropped, the `P` is not written.
    pub const FILE: u8 = 1;
    /// The rank of origin is written although not needed, or the reverse.
    pub const RANK: u8 = 2;
    /// A capture without `x`.
    pub const NO_CAPTURE: u8 = 4;
    /// A promotion without `=`.
    pub const NO_EQUALS: u8 = 8;
    /// Castling as `0-0`; a null move as `Z0`.
    pub const ZEROS: u8 = 16;
    /// The lowest of two bits that choose the suffix, see [`Spelling::SUFFIXES`].
    pub const SUFFIX: u8 = 32;
    pub(super) const SUFFIX_SHIFT: u32 = Self::SUFFIX.trailing_zeros();
    /// `+` after a move that gives no check.
    pub const SPURIOUS_CHECK: u8 = 128;

    /// Suffixes of a check and of a mate by the spelling's choice; the first
    /// of each row is the standard's.
    pub const SUFFIXES: [[&'static str; 4]; 2] = [["+", "", "++", "#"], ["#", "", "+", "++"]];

    /// The spelling of a byte of the format.
    pub fn from_byte(byte: u8) -> Spelling {
        Spelling(byte)
    }

    /// The byte of this spelling in the format.
    pub fn to_byte(self) -> u8 {
        self.0
    }

    /// One spelling for a whole game: the departures that these spellings show
    /// and that leave other moves alone.
    pub fn habit(spellings: &[Spelling]) -> Spelling {
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
