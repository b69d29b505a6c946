//! An opening explorer: what was played in a position, with results, ratings and the best games.
//!
//! What counts of each game (result, ratings, month, speed) is held in memory, in the order of the
//! opening tree of its segment, with sums at regular distances. The games that pass a node of the
//! tree are contiguous in that order, so most positions are answered by subtracting two sums.
//!
//! ```text
//! position ─ Index::next_plies ─► ranges of places, each with the next move ─┐
//!            games outside the tree ─ table of their positions ──────────────┤
//!            games of which the index leaves it open ─ their moves ──────────┴─► counts by move
//! ```

mod count;
mod facts;
mod listed;
mod names;
mod outside;
mod pending;
mod segment;
mod selection;
#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]
mod tests;

pub(crate) use super::field::Speed;
pub(crate) use count::{MonthSums, MoveCount, Sums};
pub(crate) use facts::{Mode, RATING_GROUPS, month_number};
pub(crate) use listed::ListedGame;
pub(crate) use names::OpeningName;
pub(crate) use selection::{PlacedGames, Selection};

use super::board::position;
use super::error::PositionTestError;
use super::position_moves::PositionMoves;
use crate::archive::{Archive, Error, MAX_OPEN_SEGMENTS};
use crate::chess::{ChessPosition, Color, File, PlyKind, Rules, Square};
use crate::parallel;
use facts::GameFacts;
use listed::{BestGames, Order};
use names::{NameNumbers, common_opening};
use segment::ExplorerSegment;
use std::collections::HashSet;
use std::ops::Range;
use std::sync::{Arc, Weak};

/// The most games of a move that are looked at for the name of its opening.
const MOST_NAMED: usize = 512;

/// The facts of all games of an archive that an explorer counts.
pub(crate) struct Explorer {
    archive: Arc<Archive>,
    segments: Vec<ExplorerSegment>,
    names: Vec<Box<str>>,
    /// Why games are missing.
    unread: Vec<String>,
}

/// What was played in a position.
#[derive(Debug, Default)]
pub(crate) struct Explored {
    /// The moves that a counted game has, in no particular order.
    pub(crate) moves: Vec<MoveCount>,
    /// The games with the highest sums of ratings, those first.
    pub(crate) top: Vec<ListedGame>,
    /// The latest games, those first.
    pub(crate) recent: Vec<ListedGame>,
    /// The opening that nearly all games of the position have.
    pub(crate) opening: Option<OpeningName>,
    /// The results by month, if they are asked for.
    pub(crate) months: MonthSums,
    /// The errors of games that could not be read, and are not counted.
    pub(crate) errors: Vec<Error>,
}

/// What is asked of an explorer, beside the position.
pub(crate) struct ExplorerQuery<'q> {
    pub(crate) selection: &'q Selection,
    /// The most games in [`Explored::top`] and [`Explored::recent`].
    pub(crate) top: usize,
    pub(crate) recent: usize,
    pub(crate) has_months: bool,
}

/// A position of the explorer.
pub(crate) struct ExplorerPosition {
    position: ChessPosition,
    moves: PositionMoves,
}

/// Why a question has no position.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ExplorerPositionError {
    #[error(transparent)]
    Fen(#[from] PositionTestError),
    #[error("{uci:?} is not a legal move, as UCI writes it (e2e4, e7e8q), in {fen}")]
    Move { uci: String, fen: String },
}

impl ExplorerPosition {
    /// The position after these moves in UCI notation, from that of a FEN or from the start.
    pub(crate) fn new<'m>(
        fen: Option<&str>,
        play: impl IntoIterator<Item = &'m str>,
    ) -> Result<ExplorerPosition, ExplorerPositionError> {
        let mut at = match fen {
            Some(fen) => position(fen)?,
            None => ChessPosition::standard(),
        };
        for uci in play {
            let mut plies = at.legal_plies().into_iter();
            let ply = plies.find(|ply| uci_of(*ply) == uci || uci_onto_rook(*ply, &at) == uci);
            if ply.is_none_or(|ply| at.make(ply).is_err()) {
                return Err(ExplorerPositionError::Move {
                    uci: uci.to_owned(),
                    fen: at.fen(),
                });
            }
        }
        Ok(ExplorerPosition {
            moves: PositionMoves::of(&at),
            position: at,
        })
    }

    pub(crate) fn fen(&self) -> String {
        self.position.fen()
    }

    pub(crate) fn turn(&self) -> Color {
        self.moves.turn
    }

    fn key(&self) -> u32 {
        self.position.key()
    }

    /// A legal move, by its index in [`MoveCount::number`]: in UCI notation, castling as the king's
    /// move onto its rook, and in standard algebraic notation.
    pub(crate) fn texts_of(&self, number: usize) -> Option<(String, &str)> {
        let (ply, san, _) = self.moves.moves.get(number)?;
        Some((uci_onto_rook(*ply, &self.position), san))
    }
}

/// A ply in UCI notation, with the king's target in castling.
fn uci_of(ply: PlyKind) -> String {
    let PlyKind::Move {
        from,
        to,
        promotion,
    } = ply
    else {
        return "0000".to_owned();
    };
    let promotion = promotion.map(|role| role.char().to_string());
    format!("{from}{to}{}", promotion.unwrap_or_default())
}

/// A ply in UCI notation, with the square of the rook in castling.
fn uci_onto_rook(ply: PlyKind, position: &ChessPosition) -> String {
    match (ply, position.castling_of(ply)) {
        (PlyKind::Move { from, .. }, Some(side)) if position.rules() == Rules::CHESS => {
            let file = if side.is_king_side() {
                File::H
            } else {
                File::A
            };
            format!("{from}{}", Square::from_coords(file, from.rank()))
        }
        _ => uci_of(ply),
    }
}

impl Explorer {
    /// Reads what counts of each game. Games of blocks that cannot be read are not counted, see
    /// [`Explorer::unread`].
    ///
    /// # Errors
    /// A segment is damaged, or games cannot be read now.
    pub(crate) fn new(archive: Arc<Archive>) -> Result<Explorer, Error> {
        let names = NameNumbers::default();
        let (mut segments, mut unread) = (Vec::new(), Vec::new());
        for number in 0..archive.container().segments().len() {
            let (segment, more) = ExplorerSegment::read(&archive, number, &names)?;
            segments.push(segment);
            for error in more {
                if error.may_pass() {
                    return Err(error);
                }
                unread.push(error.to_string());
            }
        }
        Ok(Explorer {
            archive,
            segments,
            names: names.finish(),
            unread,
        })
    }

    /// Why games are missing: the errors of blocks that could not be read.
    pub(crate) fn unread(&self) -> &[String] {
        &self.unread
    }

    /// Does what makes later questions fast, segment by segment. It takes seconds, uses one thread, and
    /// ends when the explorer is not used any more.
    pub(crate) fn prepare(explorer: &Weak<Explorer>) {
        let segments = explorer
            .upgrade()
            .map_or(0, |explorer| explorer.segments.len());
        // The indexes of more segments do not remain in memory.
        if segments > MAX_OPEN_SEGMENTS {
            return;
        }
        for number in 0..segments {
            let Some(explorer) = explorer.upgrade() else {
                return;
            };
            // Damage is a warning of the archive, and other errors come again.
            let _ = explorer.archive.prepare_index(number);
        }
    }

    /// Counts what was played in a position. A game counts once, by the move at its first
    /// occurrence of the position, if it has a result and a move there.
    ///
    /// # Errors
    /// A segment is damaged.
    pub(crate) fn explore(
        &self,
        at: &ExplorerPosition,
        query: &ExplorerQuery<'_>,
    ) -> Result<Explored, Error> {
        let (mut found, mut errors) = (Vec::new(), Vec::new());
        let of_segments = parallel::map(self.segments.iter().enumerate(), |(number, segment)| {
            segment.games_with(&self.archive, number, at)
        });
        for (number, games) in of_segments.into_iter().enumerate() {
            let games = games?;
            let games_of = |(places, next)| FoundGames {
                segment: number,
                places,
                next,
            };
            found.extend(games.next.into_iter().map(games_of));
            errors.extend(games.errors);
        }
        found.sort_by_key(|games| games.next);
        let of_moves = found.chunk_by(|one, other| one.next == other.next);
        let moves = of_moves.filter_map(|found| self.count(found, query.selection));
        let [top, recent] = [(Order::Ratings, query.top), (Order::Months, query.recent)]
            .map(|(order, most)| self.best(&found, query.selection, order, most));
        let mut months = MonthSums::default();
        if query.has_months {
            let selected = self.selected(&found, query.selection);
            selected.for_each(|(.., facts)| months.add(facts));
        }
        Ok(Explored {
            moves: moves.collect(),
            top,
            recent,
            opening: self.opening(&found, query.selection),
            months,
            errors,
        })
    }

    /// The games that are selected, also those without a result.
    pub(crate) fn games(&self, games: &PlacedGames) -> impl Iterator<Item = ListedGame> {
        let of_segments = self.segments.iter().zip(&games.0);
        of_segments.flat_map(|(segment, places)| {
            places.iter_ones().filter_map(|place| {
                let facts = segment.facts(place..place + 1).first()?;
                Some(ListedGame::new(segment.number(place), 0, *facts))
            })
        })
    }

    /// The opening of a game by its tags.
    pub(crate) fn opening_of(&self, game: &ListedGame) -> Option<OpeningName> {
        common_opening(&[*game.facts()], &self.names)
    }

    /// The set of games with these numbers in the archive.
    pub(crate) fn placed_games(&self, numbers: impl IntoIterator<Item = u64>) -> PlacedGames {
        let numbers: HashSet<u64> = numbers.into_iter().collect();
        let of_segment = |segment: &ExplorerSegment| {
            let games = segment.numbers();
            games.map(|number| numbers.contains(&number)).collect()
        };
        PlacedGames(self.segments.iter().map(of_segment).collect())
    }

    /// Counts games with the same move; `None` if none is selected.
    fn count(&self, found: &[FoundGames], selection: &Selection) -> Option<MoveCount> {
        let mut sums = Sums::default();
        if selection.is_all() {
            for games in found {
                let segment = self.segments.get(games.segment)?;
                sums.merge(&segment.sums(games.places.clone()));
            }
        } else {
            let selected = self.selected(found, selection);
            selected.for_each(|(.., facts)| sums.add(facts));
        }
        let first = found.first().filter(|_| sums.games() > 0)?;
        let only = self
            .selected(found, selection)
            .next()
            .filter(|_| sums.games() == 1);
        Some(MoveCount {
            number: first.next,
            sums,
            game: only.map(|(games, place, facts)| {
                ListedGame::new(self.number(games, place), games.next, *facts)
            }),
            opening: self.opening(found, selection),
        })
    }

    fn best(
        &self,
        found: &[FoundGames],
        selection: &Selection,
        order: Order,
        most: usize,
    ) -> Vec<ListedGame> {
        let mut best = BestGames::new(order, most);
        if most > 0 {
            for games in found {
                let selected = self.selected(std::slice::from_ref(games), selection);
                let selected = selected.map(|(_, place, facts)| (place, facts));
                best.add(selected, games.next, |place| self.number(games, place));
            }
        }
        best.finish()
    }

    /// The opening that nearly all of these games have, judged by some of them.
    fn opening(&self, found: &[FoundGames], selection: &Selection) -> Option<OpeningName> {
        let games = match selection.is_all() {
            true => found.iter().map(|games| games.places.len()).sum(),
            false => self.selected(found, selection).count(),
        };
        let step = games.div_ceil(MOST_NAMED).max(1);
        let selected = self.selected(found, selection).step_by(step);
        let some: Vec<GameFacts> = selected.map(|(.., facts)| *facts).collect();
        common_opening(&some, &self.names)
    }

    /// The games that are selected, with their places.
    fn selected<'s>(
        &'s self,
        found: &'s [FoundGames],
        selection: &'s Selection,
    ) -> impl Iterator<Item = (&'s FoundGames, usize, &'s GameFacts)> {
        found.iter().flat_map(move |games| {
            let segment = self.segments.get(games.segment);
            let facts = segment.map_or(&[][..], |segment| segment.facts(games.places.clone()));
            let among = selection.among(games.segment, games.places.clone(), facts);
            among.map(move |(place, facts)| (games, place, facts))
        })
    }

    /// The number in the archive of a game.
    fn number(&self, games: &FoundGames, place: usize) -> u64 {
        let segment = self.segments.get(games.segment);
        segment.map_or(0, |segment| segment.number(place))
    }
}

/// Games with a position and the same move there.
struct FoundGames {
    segment: usize,
    places: Range<usize>,
    /// The index of the move.
    next: usize,
}
