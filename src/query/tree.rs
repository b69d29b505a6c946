//! The moves played in a position, over all games that reach it.

use super::board::{BoardTest, position};
use super::error::PositionTestError;
use super::filter::Filter;
use super::known_moves::{KnownMoves, known_moves};
use super::position_moves::PositionMoves;
use super::ready::Sieve;
use super::scan::{BlockErrors, BlockScan};
use super::segments::segments_for;
use crate::archive::{Archive, BlockGames, BlockPlace, Error, Moves};
use crate::chess::{Color, Outcome, PlyKind};
use crate::index::Found;
use crate::parallel;
use crate::text::Days;
use std::collections::BTreeMap;

/// Statistics of a set of games.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct TreeCount {
    /// The number of games.
    pub games: u64,
    /// Games won by White.
    pub white: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games won by Black.
    pub black: u64,
    /// The sum of the known ratings of the side to move.
    pub elo_sum: u64,
    /// The number of games with a known rating of the side to move.
    pub elo_games: u64,
    /// The latest year of a game.
    pub last_year: Option<u32>,
}

/// A legal move in a position.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Branch {
    /// The move in standard algebraic notation.
    pub san: String,
    /// The games that played it there.
    pub count: TreeCount,
    /// The number of games that reach the position after it, by any move order.
    pub reached: u64,
}

/// The moves played in a position.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tree {
    /// All games that reach the position.
    pub all: TreeCount,
    /// The number of games that end there.
    pub ended: u64,
    /// The number of games that go on with anything that chess does not allow there: a drop, another
    /// move of a variant, a null move.
    pub others: u64,
    /// The moves, the most frequent first.
    pub branches: Vec<Branch>,
    /// The number of games whose moves were decoded because no index gives their
    /// continuation.
    pub games_read: u64,
}

impl TreeCount {
    /// White's score, from 0 to 1; `None` without results.
    pub fn white_score(&self) -> Option<f64> {
        self.score(self.white)
    }

    /// Black's score, from 0 to 1; `None` without results.
    pub fn black_score(&self) -> Option<f64> {
        self.score(self.black)
    }

    /// The score of a side that has won this many games.
    fn score(&self, won: u64) -> Option<f64> {
        let decided = self.white + self.draws + self.black;
        (decided > 0).then(|| (2 * won + self.draws) as f64 / (2 * decided) as f64)
    }

    /// The mean rating of the side to move, rounded; `None` without ratings.
    pub fn elo(&self) -> Option<u64> {
        (self.elo_sum + self.elo_games / 2).checked_div(self.elo_games)
    }

    fn add(&mut self, game: &GameFacts) {
        self.games += 1;
        match game.outcome {
            Some(Outcome::Draw) => self.draws += 1,
            Some(Outcome::Decisive { winner }) => {
                *winner.fold_wb(&mut self.white, &mut self.black) += 1
            }
            None => {}
        }
        self.elo_sum += game.elo.unwrap_or(0);
        self.elo_games += u64::from(game.elo.is_some());
        self.last_year = self.last_year.max(game.year);
    }

    fn merge(&mut self, other: &TreeCount) {
        self.games += other.games;
        self.white += other.white;
        self.draws += other.draws;
        self.black += other.black;
        self.elo_sum += other.elo_sum;
        self.elo_games += other.elo_games;
        self.last_year = self.last_year.max(other.last_year);
    }
}

/// The data of a game that is counted.
struct GameFacts {
    outcome: Option<Outcome>,
    elo: Option<u64>,
    year: Option<u32>,
}

/// What the indexes give for the games of a segment, by their numbers in it; `None`
/// without indexes.
type TreeGames = Option<BTreeMap<u32, KnownMoves>>;

/// The continuation of a game.
#[derive(Default)]
struct Way {
    /// What follows the position; `None` if the game does not reach it.
    here: Option<Next>,
    reached: Vec<bool>,
}

/// What follows a position in a game.
#[derive(Clone, Copy)]
enum Next {
    /// The move with this index.
    Move(usize),
    /// A ply that is none of the moves.
    Other,
    /// The game ends.
    End,
}

impl Archive {
    /// The moves played in the position of a FEN, in the main lines of the games that
    /// pass a filter, and the errors of what could not be read. A game counts once, at
    /// its first occurrence of the position.
    ///
    /// # Errors
    /// The FEN is malformed or not a legal position.
    pub fn tree(
        &self,
        fen: &str,
        filter: Option<&Filter>,
    ) -> Result<(Tree, Vec<Error>), PositionTestError> {
        let root = PositionMoves::of(&position(fen)?);
        let mut sieve = Sieve::of_chess(self, filter);
        let (mut tree, mut errors) = (root.empty(), Vec::new());
        let segments = segments_for(self, filter).unwrap_or_else(|error| {
            errors.push(error);
            Vec::new()
        });
        for segment in segments {
            match self.segment_tree(segment, &root, &sieve) {
                Ok((other, more)) => {
                    tree.merge(&other);
                    errors.extend(more);
                }
                Err(error) => errors.push(error),
            }
            sieve.forget_before(segment + 1);
        }
        tree.branches.retain(|branch| branch.reached > 0);
        tree.branches.sort_by(|a, b| {
            (b.count.games, b.reached, &a.san).cmp(&(a.count.games, a.reached, &b.san))
        });
        Ok((tree, errors))
    }

    fn segment_tree(
        &self,
        segment: usize,
        root: &PositionMoves,
        sieve: &Sieve<'_>,
    ) -> Result<(Tree, Vec<Error>), Error> {
        let places = self.block_places_of(segment)?;
        let first = places.first().map_or(0, |place| place.games().start);
        let after = root.moves.iter().map(|(.., board)| board.clone());
        let games = known_moves(self, segment, &root.board, after)?;
        let count = |tree: &mut Tree, place| {
            let mut errors = BlockErrors::default();
            let known = known(&games, place, first);
            if known.as_ref().is_some_and(Vec::is_empty) {
                return Vec::new();
            }
            let scan = BlockScan {
                archive: self,
                sieve,
                place,
                known: known.as_deref(),
            };
            let seen = scan.each_selected(|block, game| {
                let number = u32::try_from(block.number(game).saturating_sub(first)).ok();
                let known = games.as_ref().and_then(|games| games.get(&number?));
                errors.extend(root.count(tree, block, game, known).err());
            });
            errors.extend(seen.err());
            errors.into_errors()
        };
        let merge = |tree: &mut Tree, other: Tree| tree.merge(&other);
        let (tree, errors) = parallel::fold(&places, || root.empty(), count, merge);
        Ok((tree, errors.into_iter().flatten().collect()))
    }
}

/// The games of a block that the indexes list, by their numbers in the archive. `first`
/// is the number of the segment's first game.
fn known(games: &TreeGames, place: &BlockPlace, first: u64) -> Option<Vec<(u64, Found)>> {
    let number = |game: u64| u32::try_from(game - first).unwrap_or(u32::MAX);
    let block = place.games();
    let games = games
        .as_ref()?
        .range(number(block.start)..number(block.end));
    let numbers = games.map(|(game, _)| (first + u64::from(*game), Found::ANYWHERE));
    Some(numbers.collect())
}

impl Tree {
    fn merge(&mut self, other: &Tree) {
        self.all.merge(&other.all);
        self.ended += other.ended;
        self.others += other.others;
        self.games_read += other.games_read;
        for (branch, other) in self.branches.iter_mut().zip(&other.branches) {
            branch.count.merge(&other.count);
            branch.reached += other.reached;
        }
    }
}

impl PositionMoves {
    fn empty(&self) -> Tree {
        let branch = |(_, san, _): &(PlyKind, String, BoardTest)| Branch {
            san: san.clone(),
            count: TreeCount::default(),
            reached: 0,
        };
        Tree {
            branches: self.moves.iter().map(branch).collect(),
            ..Tree::default()
        }
    }

    fn count(
        &self,
        tree: &mut Tree,
        block: &BlockGames<'_>,
        game: usize,
        known: Option<&KnownMoves>,
    ) -> Result<(), Error> {
        let way = match known {
            Some(known) => self.known_continuation(known, block, game)?,
            None => None,
        };
        let way = match way {
            Some(way) => way,
            None => {
                tree.games_read += 1;
                let Some(moves) = block.moves(game)? else {
                    return Ok(());
                };
                self.way(&moves)
            }
        };
        for (branch, reached) in tree.branches.iter_mut().zip(&way.reached) {
            branch.reached += u64::from(*reached);
        }
        let Some(next) = way.here else {
            return Ok(());
        };
        let facts = self.facts(block, game)?;
        tree.all.add(&facts);
        match next {
            Next::Move(number) => {
                if let Some(branch) = tree.branches.get_mut(number) {
                    branch.count.add(&facts);
                }
            }
            Next::Other => tree.others += 1,
            Next::End => tree.ended += 1,
        }
        Ok(())
    }

    /// The continuation of a game, if the indexes determine it.
    fn known_continuation(
        &self,
        known: &KnownMoves,
        block: &BlockGames<'_>,
        game: usize,
    ) -> Result<Option<Way>, Error> {
        let Some(numbers) = known.reached() else {
            return Ok(None);
        };
        let mut reached = vec![false; self.moves.len()];
        for number in numbers {
            if let Some(reached) = reached.get_mut(number) {
                *reached = true;
            }
        }
        let here = match (known.here(), known.next()) {
            (None, _) => None,
            (Some(_), Some(next)) => Some(Next::Move(next)),
            (Some(ply), None) if block.plies(game)? == ply as u64 => Some(Next::End),
            // The position after the played move occurred before, so its first
            // occurrence does not show the move; or it is none of the moves.
            (Some(_), None) => return Ok(None),
        };
        Ok(Some(Way { here, reached }))
    }

    fn way(&self, moves: &Moves) -> Way {
        let mut way = Way {
            here: None,
            reached: vec![false; self.moves.len()],
        };
        let mut plies = moves.main_line();
        let mut is_next = false;
        moves.find_in_main_line(|_, position| {
            // Castling of Chess960 is another ply and leads to the same position.
            if is_next && matches!(way.here, Some(Next::Other)) {
                let reached = self.leading_to(position);
                way.here = Some(reached.map_or(Next::Other, Next::Move));
            }
            let next = plies.next();
            is_next = way.here.is_none() && self.board.is_in(position);
            if is_next {
                way.here = Some(self.next(next));
            }
            for ((.., board), reached) in self.moves.iter().zip(&mut way.reached) {
                *reached = *reached || board.is_in(position);
            }
            None::<()>
        });
        way
    }

    fn next(&self, ply: Option<PlyKind>) -> Next {
        let Some(ply) = ply else {
            return Next::End;
        };
        self.number_of(ply).map_or(Next::Other, Next::Move)
    }

    fn facts(&self, block: &BlockGames<'_>, game: usize) -> Result<GameFacts, Error> {
        let encoding = block.archive().encoding();
        let text = |name: &str| -> Result<Option<String>, Error> {
            let value = block.tag_by_index(game, &block.tag_name(name.as_bytes()))?;
            Ok(value.map(|value| encoding.decode(&value).into_owned()))
        };
        let elo = text(self.turn.fold_wb("WhiteElo", "BlackElo"))?;
        let mut days = text("Date")?.and_then(|date| Days::read(&date));
        if days.is_none() {
            days = text("UTCDate")?.and_then(|date| Days::read(&date));
        }
        Ok(GameFacts {
            outcome: text("Result")?.and_then(|result| outcome(&result)),
            elo: elo.and_then(|elo| elo.parse().ok()).filter(|elo| *elo > 0),
            year: days.map(Days::year),
        })
    }
}

/// Parses the value of the tag `Result`.
pub(super) fn outcome(text: &str) -> Option<Outcome> {
    match text {
        "1-0" => Some(Outcome::Decisive {
            winner: Color::White,
        }),
        "0-1" => Some(Outcome::Decisive {
            winner: Color::Black,
        }),
        "1/2-1/2" => Some(Outcome::Draw),
        _ => None,
    }
}
