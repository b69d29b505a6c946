//! Columns of one game.

use super::batch::ColumnData;
use super::column::GameColumn;
use super::movetext::MovetextColumns;
use crate::pgn::Game;

impl Game {
    /// A column that the movetext gives, as of a [`Scan`](super::Scan) of this game alone: `Moves`,
    /// `San`, `Uci`, `Clocks`, `Evals`, `Comments`, `Nags` or `Variations`. `None` for others.
    ///
    /// ```
    /// use pgna::{ColumnData, Game, GameColumn};
    ///
    /// let game = Game::parse(b"1. e4 {[%clk 0:03:00]} e5 *");
    /// let Some(ColumnData::Numbers(clocks)) = game.column(&GameColumn::Clocks) else {
    ///     unreachable!("a list for each game");
    /// };
    /// assert_eq!(clocks.get(0), Some(&[Some(180_000), None][..]));
    /// ```
    pub fn column(&self, column: &GameColumn) -> Option<ColumnData> {
        let mut columns = MovetextColumns::new(std::slice::from_ref(column), u64::MAX);
        let events = self.events();
        let events = events.as_ref();
        // Only plies that are illegal could fail, and events have none.
        let added = columns.add(events.map(|(start, events)| (start, &events[..])));
        added.ok().and_then(|()| columns.column(column, false))
    }
}
