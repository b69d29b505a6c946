//! The model of a segment with its adaptation, and its selection by game.

use crate::chess::ChessPosition;

use super::super::builtin_follower::{BuiltinFollower, FollowerError};
use super::super::coded_ply::StartInputs;
use super::super::context::GameContext;
use super::super::move_model::MoveModel;
use super::{Adaptation, GameAdaptation};

/// The move model of a segment, if it has one, with its adaptation to the games.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SegmentModel {
    of: Option<(MoveModel, Adaptation)>,
}

static NO_MODEL: SegmentModel = SegmentModel { of: None };

/// The model that codes a game, and the part of its adaptation that applies to it.
#[derive(Debug, Clone, Copy)]
pub struct SideInfo<'t> {
    of: &'t SegmentModel,
    white: &'t [u8],
    black: &'t [u8],
}

impl From<MoveModel> for SegmentModel {
    fn from(model: MoveModel) -> Self {
        SegmentModel::new(model, Adaptation::default())
    }
}

impl SegmentModel {
    /// A model with an adaptation.
    pub fn new(model: MoveModel, adaptation: Adaptation) -> Self {
        SegmentModel {
            of: Some((model, adaptation)),
        }
    }

    /// The model.
    pub fn model(&self) -> Option<&MoveModel> {
        self.of.as_ref().map(|(model, _)| model)
    }

    /// The adaptation of the model.
    pub fn adaptation(&self) -> Option<&Adaptation> {
        self.of.as_ref().map(|(_, adaptation)| adaptation)
    }

    /// The approximate memory use of the adaptation, in bytes.
    pub fn memory_bytes(&self) -> u64 {
        self.adaptation().map_or(0, Adaptation::memory_bytes)
    }

    /// Whether the models are the same, and the encoded forms of their adaptations.
    pub fn has_bytes_of(&self, other: &Self) -> bool {
        let [own, other_own] = [self, other].map(|of| {
            let adaptation = of.adaptation();
            adaptation.map(|of| (of.temperature, &of.book.bytes))
        });
        self.model() == other.model() && own == other_own
    }

    /// Whether the adaptation to a game depends on its players.
    pub fn depends_on_players(&self) -> bool {
        let adaptation = self.adaptation();
        adaptation.is_some_and(|adaptation| adaptation.book.frequent_player_count() > 0)
    }

    /// The model and its adaptation for a game with these tag pairs. Each pair is a name and a
    /// value as written.
    pub fn side_info<'t>(
        &'t self,
        tags: impl Iterator<Item = (&'t [u8], &'t [u8])> + Clone,
    ) -> SideInfo<'t> {
        let [white, black] = players(tags);
        SideInfo {
            of: self,
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
        SideInfo::from(&NO_MODEL)
    }
}

impl<'t> From<&'t SegmentModel> for SideInfo<'t> {
    /// Of a game between unknown players.
    fn from(of: &'t SegmentModel) -> Self {
        of.side_info(std::iter::empty())
    }
}

impl<'t> SideInfo<'t> {
    /// The state of the model at the start of a game.
    ///
    /// # Errors
    /// There is no model, or it cannot follow the game.
    pub fn follower(
        self,
        start: &ChessPosition,
        context: GameContext,
    ) -> Result<BuiltinFollower<'t>, FollowerError> {
        let model = self.of.model().ok_or(FollowerError::NoModel)?;
        BuiltinFollower::of(model, start, context, self.hints())
    }

    /// The inputs of the model at the start of a game, if there is one.
    pub fn start_inputs(self, start: &ChessPosition, context: GameContext) -> Option<StartInputs> {
        let model = self.of.model()?.clone();
        Some(StartInputs::new(model, start, context, self.hints()))
    }

    fn hints(self) -> GameAdaptation<'t> {
        let adaptation = self.of.adaptation();
        adaptation.map_or(GameAdaptation::NONE, |adaptation| {
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
