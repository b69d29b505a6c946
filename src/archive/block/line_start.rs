//! The state at the start of a game, from which lines of moves in comments are decoded.

use crate::annotation::lines::LineState;
use crate::archive::schema::record::Movetext;
use crate::chess::ChessPosition;

impl<'a> Movetext<'a> {
    /// The state at the start of the game, for decoding lines in comments.
    pub(crate) fn line_start(&self, start: &ChessPosition) -> LineState<'a> {
        let follow = || self.side_info.follower(start, self.context()).ok();
        LineState {
            position: start.clone(),
            game: self.has_model().then(follow).flatten(),
        }
    }
}
