//! The start position of a game, as specified by its tag pairs.

use crate::chess::{ChessPosition, Rules};

/// The tag of the start position.
pub const FEN_TAG: &[u8] = b"FEN";
/// The tag of the variant.
pub const VARIANT_TAG: &[u8] = b"Variant";

/// The start position and the rules of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Start {
    /// The rules.
    pub rules: Rules,
    /// Whether the first FEN tag gives the position. Otherwise it is the usual
    /// start position of the variant.
    pub has_fen: bool,
}

const FEN: u8 = 1;
const CHESS960: u8 = 2;
const VARIANT: u8 = 4;

impl Start {
    /// The number of starts. Start numbers are less than this.
    pub const NUMBERS: u8 = 32;

    /// The start that tag pairs (name, value) specify; `None` if the variant is
    /// unknown or the FEN is not a legal position. Only the first tag of each
    /// name counts.
    ///
    /// An FEN tag whose value is empty or `?` is ignored.
    ///
    /// Castling follows the rules of Chess960 if the variant says so, or if the
    /// FEN has castling rights that are valid only under these rules.
    pub fn of<'a>(
        tags: impl Iterator<Item = (&'a [u8], &'a [u8])>,
    ) -> Option<(Start, ChessPosition)> {
        let (mut variant, mut fen) = (None, None);
        for (name, value) in tags {
            if name == VARIANT_TAG {
                variant.get_or_insert(value);
            } else if name == FEN_TAG {
                fen.get_or_insert(value);
            }
        }
        let fen = fen.filter(|fen| !matches!(fen, [] | [b'?']));
        let mut start = Start {
            rules: variant.map_or(Some(Rules::CHESS), Rules::by_name)?,
            has_fen: fen.is_some(),
        };
        let position = start.position(fen)?;
        if fen.is_none() || start.rules.chess960 {
            return Some((start, position));
        }
        start.rules.chess960 = true;
        match start.position(fen) {
            Some(other)
                if other.setup_rest().castling_rooks != position.setup_rest().castling_rooks =>
            {
                Some((start, other))
            }
            _ => {
                start.rules.chess960 = false;
                Some((start, position))
            }
        }
    }

    /// The position. `fen` is the value of the first FEN tag.
    pub fn position(self, fen: Option<&[u8]>) -> Option<ChessPosition> {
        if self.has_fen {
            ChessPosition::from_fen(fen?, self.rules).ok()
        } else {
            Some(ChessPosition::start(self.rules))
        }
    }

    /// The number of the start in the format.
    pub fn number(self) -> u8 {
        let flag = |set, flag| if set { flag } else { 0 };
        flag(self.has_fen, FEN)
            | flag(self.rules.chess960, CHESS960)
            | (VARIANT * self.rules.variant_number())
    }

    /// The start with this number.
    pub fn from_number(number: u8) -> Option<Start> {
        let rules = Rules::from_variant_number(number / VARIANT, number & CHESS960 != 0)?;
        Some(Start {
            rules,
            has_fen: number & FEN != 0,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Variant;

    fn of(tags: &[(&str, &str)]) -> Option<(Start, String)> {
        let tags = tags
            .iter()
            .map(|(name, value)| (name.as_bytes(), value.as_bytes()));
        Start::of(tags).map(|(start, position)| (start, position.fen()))
    }

    #[test]
    fn tags_specify_the_start() {
        assert_eq!(of(&[]).map(|(start, _)| start.number()), Some(0));
        let fen = "4k3/8/8/8/8/8/4P3/4K2R w K - 0 7";
        let (start, read) = of(&[("FEN", fen), ("FEN", "nonsense")]).expect("a start");
        assert_eq!((start.rules, read.as_str()), (Rules::CHESS, fen));
        assert_eq!(of(&[("FEN", "nonsense")]), None);
        assert_eq!(of(&[("FEN", "")]), of(&[]));
        assert_eq!(of(&[("Variant", "Xiangqi")]), None);
        let (start, _) = of(&[("Variant", "Horde")]).expect("a start");
        assert_eq!(start.rules.variant, Variant::Horde);
    }

    #[test]
    fn chess960_shows_in_the_castling_rights() {
        let castles = |tags: &[(&str, &str)]| of(tags).map(|(start, _)| start.rules.chess960);
        for (fen, chess960) in [
            ("4k3/8/8/8/8/8/8/2R1K3 w C - 0 1", true),
            ("4k3/8/8/8/8/8/8/2R1K3 w Q - 0 1", true),
            ("4k3/8/8/8/8/8/8/R3K3 w A - 0 1", false),
            ("4k3/8/8/8/8/8/8/R3K3 w KQ - 0 1", false),
        ] {
            assert_eq!(castles(&[("FEN", fen)]), Some(chess960), "{fen}");
        }
        let fen = ("FEN", "4k3/8/8/8/8/8/8/R3K3 w A - 0 1");
        assert_eq!(castles(&[("Variant", "Fischerandom"), fen]), Some(true));
    }

    #[test]
    fn numbers_round_trip() {
        let known = (0..=u8::MAX).filter_map(Start::from_number);
        assert!(known.clone().map(Start::number).eq(0..Start::NUMBERS));
        for start in known {
            assert_eq!(Start::from_number(start.number()), Some(start));
        }
    }
}
