//! The rules of a game.

pub use shakmaty::variant::Variant;

/// The rules of a game: a variant and the kind of castling.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Rules {
    /// Chess or one of its variants.
    pub variant: Variant,
    /// Whether castling follows the rules of Chess960. It is then written as
    /// the king's move onto its own rook.
    pub chess960: bool,
}

/// Names of variants in tags, in lower case without other characters than
/// letters and digits.
const NAMES: [(&str, Variant); 23] = [
    ("", Variant::Chess),
    ("chess", Variant::Chess),
    ("standard", Variant::Chess),
    ("normal", Variant::Chess),
    ("fromposition", Variant::Chess),
    ("atomic", Variant::Atomic),
    ("atomicchess", Variant::Atomic),
    ("antichess", Variant::Antichess),
    ("giveaway", Variant::Antichess),
    ("suicide", Variant::Antichess),
    ("losingchess", Variant::Antichess),
    ("kingofthehill", Variant::KingOfTheHill),
    ("koth", Variant::KingOfTheHill),
    ("threecheck", Variant::ThreeCheck),
    ("3check", Variant::ThreeCheck),
    ("3checkchess", Variant::ThreeCheck),
    ("threecheckchess", Variant::ThreeCheck),
    ("crazyhouse", Variant::Crazyhouse),
    ("zh", Variant::Crazyhouse),
    ("racingkings", Variant::RacingKings),
    ("horde", Variant::Horde),
    ("hordechess", Variant::Horde),
    ("standardchess", Variant::Chess),
];

/// Names of chess with Chess960 castling.
const CHESS960_NAMES: [&str; 7] = [
    "chess960",
    "960",
    "fischerandom",
    "fischerrandom",
    "fischerandomchess",
    "fischerrandomchess",
    "freestyle",
];

impl Rules {
    /// The rules of chess.
    pub const CHESS: Rules = Rules {
        variant: Variant::Chess,
        chess960: false,
    };

    /// The rules of chess with the castling of Chess960.
    pub const CHESS960: Rules = Rules {
        variant: Variant::Chess,
        chess960: true,
    };

    /// The rules that a `Variant` tag names, in any spelling that occurs in
    /// collections. Returns `None` if the name is unknown.
    pub fn by_name(name: &[u8]) -> Option<Rules> {
        let mut name = name.to_ascii_lowercase();
        name.retain(u8::is_ascii_alphanumeric);
        if CHESS960_NAMES.iter().any(|known| name == known.as_bytes()) {
            return Some(Rules::CHESS960);
        }
        let known = NAMES.iter().find(|(known, _)| name == known.as_bytes())?;
        Some(Rules {
            variant: known.1,
            chess960: false,
        })
    }

    /// The number of the variant in the format: 0 chess, 1 Atomic,
    /// 2 Antichess, 3 King of the Hill, 4 Three-check, 5 Crazyhouse, 6 Racing
    /// Kings, 7 Horde.
    pub fn variant_number(self) -> u8 {
        match self.variant {
            Variant::Chess => 0,
            Variant::Atomic => 1,
            Variant::Antichess => 2,
            Variant::KingOfTheHill => 3,
            Variant::ThreeCheck => 4,
            Variant::Crazyhouse => 5,
            Variant::RacingKings => 6,
            Variant::Horde => 7,
        }
    }

    /// The rules of the variant with this number in the format.
    pub fn from_variant_number(number: u8, chess960: bool) -> Option<Rules> {
        let rules = |variant| Rules { variant, chess960 };
        let mut all = Variant::ALL.into_iter().map(rules);
        all.find(|rules| rules.variant_number() == number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_in_any_spelling() {
        let named = |name: &str| Rules::by_name(name.as_bytes());
        for name in ["Standard", "From Position", "", "normal"] {
            assert_eq!(named(name), Some(Rules::CHESS));
        }
        for name in ["Chess960", "chess 960", "Fischerandom", "fischer-random"] {
            assert_eq!(
                named(name).map(|rules| rules.chess960),
                Some(true),
                "{name}"
            );
        }
        let three = named("Three-check").expect("rules");
        assert_eq!(three.variant, Variant::ThreeCheck);
        assert_eq!(named("Xiangqi"), None);
    }

    #[test]
    fn numbers_find_their_variant() {
        for variant in Variant::ALL {
            let rules = Rules {
                variant,
                chess960: true,
            };
            let number = rules.variant_number();
            assert_eq!(Rules::from_variant_number(number, true), Some(rules));
        }
        assert_eq!(Rules::from_variant_number(8, false), None);
    }
}
