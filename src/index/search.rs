//! Searching an index.

use super::board::QuickBoard;
use super::line::PackedPly;
use super::plies::{FirstPlies, Replayed};
use super::replay::Replay;
use super::sought::{Found, Sought};
use super::tails::Tails;
use super::tree::OpeningTree;
use crate::chess::{Position, Skeleton};
use crate::codec::error::CodecError;
use crate::limits::Limits;
use rayon::prelude::*;
use std::collections::VecDeque;
use std::ops::Range;

/// The indexes of a segment.
#[derive(Debug, Clone)]
pub struct Index {
    tree: OpeningTree,
    tails: Option<Tails>,
    plies: Option<FirstPlies>,
}

/// A node on the way from the root.
struct Level {
    ply: PackedPly,
    board: QuickBoard,
    /// The position by the rules, if it has been asked for.
    position: Option<Position>,
    /// The first node that is not below it.
    end: usize,
}

/// The position behind the last level of a way from the root. What is played for it is
/// kept, so that no move of the tree is played twice.
fn position_at(way: &mut [Level]) -> Result<Position, CodecError> {
    let known = way.iter().rposition(|level| level.position.is_some());
    let mut position = Position::standard();
    for (at, level) in way.iter_mut().enumerate().skip(known.unwrap_or(0)) {
        if let Some(known) = &level.position {
            position.clone_from(known);
            continue;
        }
        if at > 0 {
            let played = position.play(level.ply.ply());
            played.map_err(|_| ILLEGAL)?;
        }
        level.position = Some(position.clone());
    }
    Ok(position)
}

impl Index {
    /// Reads the openings of a segment that has so many games.
    ///
    /// # Errors
    /// They are damaged, of another segment, or a limit is reached.
    pub fn parse(openings: &[u8], games: u32, limits: &Limits) -> Result<Index, CodecError> {
        Ok(Index::of(OpeningTree::parse(openings, games, limits)?))
    }

    /// An index of openings alone.
    pub fn of(tree: OpeningTree) -> Index {
        Index {
            tree,
            tails: None,
            plies: None,
        }
    }

    /// Reads the tails of the segment.
    ///
    /// # Errors
    /// They are damaged, of another segment, or a limit is reached: the index stays as it
    /// was.
    pub fn add_tails(&mut self, payload: &[u8], limits: &Limits) -> Result<&Tails, CodecError> {
        let tails = Tails::parse(payload, self.tree.order().len(), limits)?;
        Ok(self.tails.insert(tails))
    }

    /// Reads the first plies of the segment, of which nothing is told without tails.
    ///
    /// # Errors
    /// They are damaged, of another segment, or a limit is reached: the index stays as it
    /// was.
    pub fn add_plies(&mut self, payload: &[u8], limits: &Limits) -> Result<(), CodecError> {
        let plies = FirstPlies::parse(payload, self.tree.order().len(), limits)?;
        self.plies = Some(plies);
        Ok(())
    }

    /// The games of the segment, counted from 0 and in their order, that have or may
    /// have what is sought; of games with variations also those whose variations may.
    /// Tails are gone through in rayon's current thread pool.
    ///
    /// # Errors
    /// The index is damaged.
    pub fn search(
        &self,
        sought: &(impl Sought + ?Sized),
        in_variations: bool,
    ) -> Result<Vec<(u32, Found)>, CodecError> {
        let mut found = Vec::new();
        let mut perhaps = |games: &[u32]| {
            found.extend(games.iter().map(|game| (*game, Found::Perhaps)));
        };
        perhaps(&self.tree.outside);
        if in_variations {
            perhaps(&self.tree.branching);
        }
        let mut walk = Walk {
            tree: &self.tree,
            possible: self.tails.as_ref().map(|tails| tails.possible(sought)),
            found,
            leaving: Vec::new(),
        };
        walk.go(sought)?;
        let Walk {
            mut found, leaving, ..
        } = walk;
        let reaching = leaving.par_iter().map(|left| {
            let game = self.tree.order().get(left.place);
            let found = game.zip(self.reach(left, sought)?);
            Ok(found.map(|(game, found)| (*game, found)))
        });
        let reaching: Result<Vec<_>, CodecError> = reaching.collect();
        found.extend(reaching?.into_iter().flatten());
        // What is known for certain stands before what may be.
        found.sort_unstable();
        found.dedup_by_key(|(game, _)| *game);
        Ok(found)
    }

    /// Whether a game that has left the tree has what is sought behind it.
    fn reach(
        &self,
        left: &Left,
        sought: &(impl Sought + ?Sized),
    ) -> Result<Option<Found>, CodecError> {
        let Some(tails) = &self.tails else {
            return Ok(Some(Found::Perhaps));
        };
        let events = tails.events(left.place, left.skeleton)?;
        if !sought.may_be(&left.skeleton) && !events.clone().may_reach(sought)? {
            return Ok(None);
        }
        let Some(plies) = &self.plies else {
            return Ok(Some(Found::Perhaps));
        };
        let shared = self.tree.plies_to(left.node);
        let mut start = Position::standard();
        for ply in &shared {
            let played = start.play(ply.ply());
            played.map_err(|_| ILLEGAL)?;
        }
        let mut replay = Replay::new(start, events)?;
        let is_it = |replay: &Replay<'_>| {
            sought.may_be(&replay.skeleton) && sought.is(&replay.position)
        };
        match plies.replay(left.place, shared.len(), &mut replay, is_it)? {
            Replayed::Seen(ply) => Ok(Some(Found::Ply(ply))),
            Replayed::End => Ok(None),
            Replayed::GoesOn => {
                let may_be = replay.may_be_or_reach(sought)?;
                Ok(may_be.then_some(Found::Perhaps))
            }
        }
    }
}

const ILLEGAL: CodecError = CodecError::Damaged("an illegal move in an index");

/// A game that leaves the tree, and what is known of it there.
struct Left {
    /// Its place in the order of the tree.
    place: usize,
    node: usize,
    skeleton: Skeleton,
}

/// A walk through the tree.
struct Walk<'a> {
    tree: &'a OpeningTree,
    /// The places of the games that may have what is sought as far as their ends tell; of
    /// those before the present node none.
    possible: Option<VecDeque<usize>>,
    found: Vec<(u32, Found)>,
    /// The games that may have it behind the tree.
    leaving: Vec<Left>,
}

impl Walk<'_> {
    fn go(&mut self, sought: &(impl Sought + ?Sized)) -> Result<(), CodecError> {
        let mut levels: Vec<Level> = Vec::new();
        let mut next = 0;
        while let Some(node) = self.tree.node(next) {
            while levels.last().is_some_and(|level| level.end <= next) {
                levels.pop();
            }
            let places = node.first..self.tree.games_before(node.end);
            if !self.is_possible(&places) {
                next = node.end;
                continue;
            }
            let board = match levels.last() {
                None => QuickBoard::standard(),
                Some(level) => {
                    let mut board = level.board.clone();
                    board.play(node.ply);
                    board
                }
            };
            let skeleton = *board.skeleton();
            levels.push(Level {
                ply: node.ply,
                board,
                position: None,
                end: node.end,
            });
            let may_be = sought.may_be(&skeleton);
            if may_be && sought.is(&position_at(&mut levels)?) {
                let games = self.tree.games(places).iter();
                let ply = Found::Ply(levels.len() - 1);
                self.found.extend(games.map(|game| (*game, ply)));
                next = node.end;
                continue;
            }
            if !may_be && sought.is_behind(&skeleton) {
                next = node.end;
                continue;
            }
            self.leave(places.start..self.tree.games_before(next + 1), next, skeleton);
            next += 1;
        }
        Ok(())
    }

    /// Whether a game at these places, or behind them, may have what is sought.
    fn is_possible(&mut self, places: &Range<usize>) -> bool {
        let Some(possible) = &mut self.possible else {
            return true;
        };
        while possible.front().is_some_and(|place| *place < places.start) {
            possible.pop_front();
        }
        possible.front().is_some_and(|place| *place < places.end)
    }

    /// Notes the games that leave the tree at a node with this skeleton.
    fn leave(&mut self, places: Range<usize>, node: usize, skeleton: Skeleton) {
        let left = |place| Left {
            place,
            node,
            skeleton,
        };
        match &mut self.possible {
            None => self.leaving.extend(places.map(left)),
            Some(possible) => {
                while let Some(place) = possible.pop_front_if(|place| *place < places.end) {
                    self.leaving.push(left(place));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::SanText;
    use crate::index::{Line, home_pawns};

    /// A position, and its skeleton.
    struct Same(Position);

    impl Sought for Same {
        fn is(&self, position: &Position) -> bool {
            position.is_same_as(&self.0)
        }

        fn may_be(&self, skeleton: &Skeleton) -> bool {
            *skeleton == self.0.skeleton()
        }

        fn is_behind(&self, skeleton: &Skeleton) -> bool {
            skeleton.men(0) < self.0.skeleton().men(0)
        }

        fn may_be_before(&self, men: [u8; 2], home: u16) -> bool {
            let goal = self.0.skeleton();
            let few = [0, 1].map(|side| u32::from(men[side]) <= goal.men(side));
            few == [true; 2] && home & !home_pawns(&goal) == 0
        }
    }

    const GAMES: [&str; 7] = [
        "e4 e5 Nf3 Nc6 Bb5 a6 Bxc6 dxc6 O-O f6",
        "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 O-O c3 d5 exd5 Nxd5",
        "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Nxe4 d4 b5 Bb3 d5 dxe5 Be6",
        "e4 e5 Nf3 Nc6 Bb5 a6 Bxc6 dxc6 Nc3 f6 d4 exd4 Qxd4 Qxd4 Nxd4",
        "e4 e5 Nf3 Nc6 Bb5 a6",
        "Nf3 Nc6 e4 e5 Bb5 a6 Ba4 Nf6 O-O",
        // Two captures en passant, promotions with and without a capture, and a rook
        // captured that might castle.
        "e4 d5 e5 f5 exf6 c5 fxg7 c4 d4 cxd3 gxh8=N dxc2 Nc3 cxd1=Q+ Nxd1 a5 b4 axb4 a4 bxa3 Bb2 a2 \
         h4 a1=R Bxa1 Rxa1 Ne3 Rxe1",
    ];

    fn lines() -> (Vec<Option<Line>>, Vec<Vec<Position>>) {
        let mut lines = vec![None];
        let mut positions = vec![Vec::new()];
        for game in GAMES {
            let mut line = Line::default();
            let mut of_game = vec![Position::standard()];
            for san in game.split_whitespace() {
                let mut position = of_game.last().unwrap().clone();
                let text = SanText::parse(san.as_bytes()).unwrap();
                let Some((ply, _)) = position.play_text(&text) else {
                    break;
                };
                line.plies.push(PackedPly::of(ply).unwrap());
                of_game.push(position);
            }
            lines.push(Some(line));
            positions.push(of_game);
        }
        (lines, positions)
    }

    /// The indexes of games: with openings, with tails too, with first plies too.
    fn indexes(lines: &[Option<Line>]) -> [Index; 3] {
        let limits = Limits::default();
        let (tree, openings) = OpeningTree::build(lines).unwrap();
        let index = Index::parse(&openings, 8, &limits).unwrap();
        let mut with_tails = index.clone();
        let tails = Tails::build(&tree, lines).unwrap();
        let tails = with_tails.add_tails(&tails, &limits).unwrap();
        let plies = FirstPlies::build(&tree, tails, lines).unwrap();
        let mut with_plies = with_tails.clone();
        with_plies.add_plies(&plies, &limits).unwrap();
        [index, with_tails, with_plies]
    }

    #[test]
    fn every_position_is_found_and_none_is_invented() {
        let (lines, positions) = lines();
        let mut certain = [0; 3];
        for (index, certain) in indexes(&lines).iter().zip(&mut certain) {
            for position in positions.iter().flatten() {
                let found = index.search(&Same(position.clone()), false).unwrap();
                let expected = positions.iter().map(|of_game| {
                    let mut of_game = of_game.iter();
                    of_game.position(|other| other.is_same_as(position))
                });
                for (game, expected) in (0..).zip(expected) {
                    let found = found.iter().find(|(number, _)| *number == game);
                    match found.map(|(_, found)| *found) {
                        Some(Found::Ply(ply)) => assert_eq!(expected, Some(ply)),
                        Some(Found::Perhaps) => {}
                        None => assert_eq!(expected, None, "{game} {}", position.fen()),
                    }
                    *certain += usize::from(matches!(found, Some((_, Found::Ply(_)))));
                }
                assert!(found.contains(&(0, Found::Perhaps)));
            }
        }
        let [by_openings, by_tails, by_plies] = certain;
        assert!(by_openings > 20 && by_openings == by_tails, "{certain:?}");
        assert!(by_plies > by_tails + 50, "{certain:?}");
    }

    #[test]
    fn first_plies_leave_no_doubt() {
        let (lines, positions) = lines();
        let [_, _, index] = indexes(&lines);
        let short = positions.iter().filter(|of_game| of_game.len() <= 25);
        for position in short.flatten() {
            let found = index.search(&Same(position.clone()), false).unwrap();
            let doubtful = found.iter().filter(|(_, found)| *found == Found::Perhaps);
            // That outside of the index, and the one that is longer.
            assert!(doubtful.into_iter().all(|(game, _)| [0, 7].contains(game)));
        }
    }

    #[test]
    fn tails_tell_the_games_that_cannot() {
        let (lines, positions) = lines();
        let [_, index, _] = indexes(&lines);
        for (game, of_game) in (0..).zip(&positions).skip(1) {
            let last = of_game.last().unwrap();
            let found = index.search(&Same(last.clone()), false).unwrap();
            assert!(found.iter().any(|(number, _)| *number == game));
            let perhaps = found.iter().filter(|(_, found)| *found == Found::Perhaps);
            assert!(perhaps.count() < 5, "{found:?}");
        }
        let branching = Index {
            tree: index.tree.with_branching(vec![3]),
            ..index
        };
        let absent = Position::from_fen(b"8/8/8/8/8/8/k7/7K w - - 0 1", crate::chess::Rules::CHESS);
        let absent = Same(absent.unwrap());
        let outside = (0, Found::Perhaps);
        assert_eq!(branching.search(&absent, false), Ok(vec![outside]));
        let with_variations = vec![outside, (3, Found::Perhaps)];
        assert_eq!(branching.search(&absent, true), Ok(with_variations));
    }
}
