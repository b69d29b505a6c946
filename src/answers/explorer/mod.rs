//! The opening explorer, in the form that clients of that of Lichess know.

mod answer;
mod performance;
mod request;

pub(crate) use answer::{ExplorerAnswer, Joined};
pub(crate) use request::{ExplorerRequest, Kind};

use super::error::ApiError;
use super::open_archive::OpenArchive;
use super::unread::remembered;
use crate::query::explorer::{Explored, ExplorerQuery, PlacedGames};
use crate::{Error, Filter};
use answer::Named;
use std::sync::Arc;

impl Joined {
    /// Asks an archive, and adds what it answers.
    ///
    /// # Errors
    /// The archive is damaged.
    pub(crate) fn explore(
        &mut self,
        open: &OpenArchive,
        request: &ExplorerRequest,
    ) -> Result<(), ApiError> {
        let named = Named {
            archive: &open.archive,
            index: open.index,
            unread: open.explorer()?.unread(),
            request,
        };
        let explored = remembered(&open.explored, &request.key(), || {
            let explored = explored(open, request)?;
            let may_pass = explored.errors.iter().any(Error::may_pass);
            Ok((explored, may_pass))
        })?;
        Ok(self.add(&explored, &named)?)
    }
}

fn explored(open: &OpenArchive, request: &ExplorerRequest) -> Result<Explored, ApiError> {
    let explorer = open.explorer()?;
    let mut selection = request.selection.clone();
    if let Some(key) = request.games_key() {
        let games = || placed_games(open, request);
        selection.games = Some(open.placed.get_or_insert_with(&key, games)?);
    }
    let query = ExplorerQuery {
        selection: &selection,
        // A game that is both is listed once.
        top: request.top,
        recent: request.top + request.recent,
        has_months: request.has_history,
    };
    Ok(explorer.explore(&request.position, &query)?)
}

/// The games of the player and those that pass the filter.
fn placed_games(
    open: &OpenArchive,
    request: &ExplorerRequest,
) -> Result<Arc<PlacedGames>, ApiError> {
    let of_player = request.player.as_ref();
    let of_player = of_player
        .map(|player| player.filter(&open.archive))
        .transpose()?;
    let filters: Vec<Filter> = of_player
        .into_iter()
        .chain(request.filter.clone())
        .collect();
    let numbers = open.numbers(Filter::all(filters))?;
    Ok(Arc::new(open.explorer()?.placed_games(numbers)))
}
