//! The state at the start of a game, from which lines of moves in comments are decoded.

use crate::annotation::lines::LineState;
use crate::archive::schema::record::Movetext;
use crate::chess::ChessPosition;
use crate::model::BuiltinFollower;

impl<'a> Movetext<'a> {
    /// The state at the start of the game, for decoding lines in comments.
    pub(crate) fn line_start(&self, start: &ChessPosition) -> LineState<'a> {
        let follow = |model| {
            let hints = self.side_info.hints(model);
            BuiltinFollower::new(model, start, self.context(), hints).ok()
        };
        LineState {
            position: start.clone(),
            game: self.model().and_then(follow),
        }
    }
}
