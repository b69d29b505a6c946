//! The adaptations of a segment, and their selection by game and model.

use super::super::builtin::BuiltinModel;
use super::{Adaptation, GameAdaptation};

/// The adaptations of a segment, at most one per model.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Adaptations {
    of: Vec<(BuiltinModel, Adaptation)>,
}

static NO_ADAPTATIONS: Adaptations = Adaptations { of: Vec::new() };

/// The adaptations that apply to a game, for any model.
#[derive(Debug, Clone, Copy)]
pub struct SideInfo<'t> {
    adaptations: &'t Adaptations,
    white: &'t [u8],
    black: &'t [u8],
}

impl Adaptations {
    /// Sets the adaptation of a model.
    pub fn insert(&mut self, model: BuiltinModel, adaptation: Adaptation) {
        self.of.retain(|(other, _)| *other != model);
        self.of.push((model, adaptation));
    }

    /// The adaptations, each with its model.
    pub fn iter(&self) -> impl Iterator<Item = (BuiltinModel, &Adaptation)> {
        self.of
            .iter()
            .map(|(model, adaptation)| (*model, adaptation))
    }

    /// The approximate memory use, in bytes.
    pub fn memory_bytes(&self) -> u64 {
        self.iter().map(|(_, of)| of.memory_bytes()).sum()
    }

    /// Whether the encoded forms of both are the same.
    pub fn has_bytes_of(&self, other: &Self) -> bool {
        let mut pairs = self.iter().zip(other.iter());
        let is_same =
            |((model, of), (other_model, other)): ((_, &Adaptation), (_, &Adaptation))| {
                let bytes = [of, other].map(|of| (of.temperature, &of.book.bytes));
                model == other_model && bytes[0] == bytes[1]
            };
        self.of.len() == other.of.len() && pairs.all(is_same)
    }

    /// Whether the adaptation to a game depends on its players.
    pub fn depend_on_players(&self) -> bool {
        let mut adaptations = self.iter();
        adaptations.any(|(_, adaptation)| adaptation.book.frequent_player_count() > 0)
    }

    /// The adaptations for a game with these tag pairs. Each pair is a name and a
    /// value as written.
    pub fn side_info<'t>(
        &'t self,
        tags: impl Iterator<Item = (&'t [u8], &'t [u8])> + Clone,
    ) -> SideInfo<'t> {
        let [white, black] = players(tags);
        SideInfo {
            adaptations: self,
            white,
            black,
        }
    }
}

/// The names of White and Black by these tag pairs: the first value of each tag as
/// written, or empty.
pub fn players<'t>(tags: impl Iterator<Item = (&'t [u8], &'t [u8])> + Clone) -> [&'t [u8]; 2] {
    [&b"White"[..], b"Black"].map(|name| {
        let found = tags.clone().find(|(found, _)| *found == name);
        found.map_or(&b""[..], |(_, value)| value)
    })
}

impl Default for SideInfo<'_> {
    fn default() -> Self {
        NO_ADAPTATIONS.side_info(std::iter::empty())
    }
}

impl<'t> SideInfo<'t> {
    /// The adaptation of a model to this game.
    pub fn hints(self, model: BuiltinModel) -> GameAdaptation<'t> {
        let adaptation = self.adaptations.iter().find(|(of, _)| *of == model);
        adaptation.map_or(GameAdaptation::NONE, |(_, adaptation)| {
            adaptation.for_game(self.white, self.black)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_equal_names_counts() {
        let tags: [(&[u8], &[u8]); 4] = [
            (b"white", b"0"),
            (b"White", b"A\\\""),
            (b"White", b"B"),
            (b"Event", b"Black"),
        ];
        assert_eq!(players(tags.into_iter()), [&b"A\\\""[..], b""]);
    }
}
