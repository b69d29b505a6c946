//! Running queries: blocks side by side, hits in the order of the games.

use super::board::{Board, Reach};
use super::evaluate::{all, select};
use super::filter::Filter;
use crate::archive::{Archive, ArchiveError, BlockGames, BlockPlace, Moves};
use crate::chess::Position;
use crate::container::ReadAt;
use rayon::prelude::*;
use std::collections::VecDeque;

/// What is asked of games: everything has to hold.
#[derive(Debug, Clone, Default)]
pub struct Query {
    /// A filter on their tags.
    pub filter: Option<Filter>,
    /// What a position of the game has to be; all of it the same position.
    pub boards: Vec<Board>,
    /// In which lines the position may stand.
    pub reach: Reach,
}

/// A game that was looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hit {
    /// Its number, from 1.
    pub number: u64,
    /// Where its first position is that was looked for, if one was.
    pub place: Option<Place>,
}

/// Where a position stands in a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// In the main line, behind so many plies.
    Ply(usize),
    /// Only in a variation.
    Variation,
}

/// The hits of a query, found as they are asked for: some blocks at a time, side by
/// side in rayon's current thread pool. A damaged block gives an error in the place
/// of its hits, and the search goes on behind it.
#[derive(Debug)]
pub struct Hits<'a, S> {
    archive: &'a Archive<S>,
    query: &'a Query,
    blocks: std::vec::IntoIter<BlockPlace>,
    found: VecDeque<Result<Hit, ArchiveError>>,
    games: u64,
}

impl<S: ReadAt + Sync> Archive<S> {
    /// Finds games.
    ///
    /// ```
    /// use pgna::archive::{Archive, PackOptions, Writer};
    /// use pgna::query::{Board, Place, Query};
    ///
    /// let mut writer = Writer::new(Vec::new(), PackOptions::default())?;
    /// writer.add_source("one.pgn", &b"[White \"Morphy\"]\n\n1. e4 e5 2. Nf3 1-0\n"[..])?;
    /// let archive = Archive::new(writer.finish()?.0)?;
    ///
    /// let query = Query {
    ///     filter: Some("White ~ \"morphy\" and plies < 10".parse()?),
    ///     boards: vec![Board::exact("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -")?],
    ///     ..Query::default()
    /// };
    /// let hits: Vec<_> = archive.query(&query)?.collect::<Result<_, _>>()?;
    /// assert_eq!((hits[0].number, hits[0].place), (1, Some(Place::Ply(2))));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A segment is damaged.
    pub fn query<'a>(&'a self, query: &'a Query) -> Result<Hits<'a, S>, ArchiveError> {
        Ok(Hits {
            archive: self,
            query,
            blocks: self.block_places()?.into_iter(),
            found: VecDeque::new(),
            games: 0,
        })
    }
}

impl<S: ReadAt + Sync> Hits<'_, S> {
    /// How many games have been looked at so far.
    pub fn games_seen(&self) -> u64 {
        self.games
    }

    /// Looks at some blocks more; `false` behind the last.
    fn go_on(&mut self) -> bool {
        // Two for each thread keep all of them busy without looking far ahead.
        let many = 2 * rayon::current_num_threads();
        let blocks: Vec<BlockPlace> = self.blocks.by_ref().take(many).collect();
        let found = blocks
            .par_iter()
            .map(|place| self.query.in_block(self.archive, place));
        let found: Vec<_> = found.collect();
        self.found.extend(found.into_iter().flatten());
        let games = blocks.iter().map(|place| place.games());
        self.games += games.map(|games| games.end - games.start).sum::<u64>();
        !blocks.is_empty()
    }
}

impl<S: ReadAt + Sync> Iterator for Hits<'_, S> {
    type Item = Result<Hit, ArchiveError>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.found.is_empty() && self.go_on() {}
        self.found.pop_front()
    }
}

impl Query {
    /// The hits in a block, and what could not be read.
    fn in_block<S: ReadAt>(
        &self,
        archive: &Archive<S>,
        place: &BlockPlace,
    ) -> Vec<Result<Hit, ArchiveError>> {
        let mut found = Vec::new();
        let seen = each_selected(archive, place, self.filter.as_ref(), |block, game| {
            let number = block.number(game);
            let hit = |place| Ok(Hit { number, place });
            if self.boards.is_empty() {
                found.push(hit(None));
                return;
            }
            match block.moves(game) {
                Ok(moves) => {
                    let place = moves.and_then(|moves| self.place_in(&moves));
                    found.extend(place.map(|place| hit(Some(place))));
                }
                Err(error) => found.push(Err(error)),
            }
        });
        found.extend(seen.err().map(Err));
        found
    }

    fn place_in(&self, moves: &Moves) -> Option<Place> {
        let is_it = |position: &Position| self.boards.iter().all(|board| board.is_in(position));
        let main = moves.find_in_main_line(|ply, position| is_it(position).then_some(ply));
        match (main, self.reach) {
            (Some(ply), _) => Some(Place::Ply(ply)),
            (None, Reach::MainLine) => None,
            (None, Reach::AnyLine) => {
                moves.find_in_variations(|position| is_it(position).then_some(Place::Variation))
            }
        }
    }
}

/// Gives the games of a block that pass a filter to `see`, in their order.
pub(super) fn each_selected<'a, S: ReadAt>(
    archive: &'a Archive<S>,
    place: &BlockPlace,
    filter: Option<&Filter>,
    mut see: impl FnMut(&BlockGames<'a, S>, usize),
) -> Result<(), ArchiveError> {
    let block = archive.block_games(place)?;
    let mut games = all(&block);
    if let Some(filter) = filter {
        games = select(filter, &block, games)?;
    }
    games.iter_ones().for_each(|game| see(&block, game));
    Ok(())
}
