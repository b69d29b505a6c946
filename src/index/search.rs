//! Searching the indexes of a segment.

use super::continuations::Continuations;
use super::first_positions::FirstPositions;
use super::node_positions::{NodePosition, NodePositions};
use super::plies::FirstPlies;
use super::tails::Tails;
use super::target::{Found, SearchScope, SearchTarget};
use super::tree::OpeningTree;
use super::visits::Visits;
use super::walk::{TreeExit, TreeWalk};
use crate::codec::error::CodecError;
use crate::limits::Limits;
use crate::parallel;
use std::sync::Arc;

/// A game that leaves the tree, after the position there and with what its tail shows.
type StartedExit<'t> = (Arc<NodePosition>, &'t TreeExit, Found);

/// The indexes of a segment.
#[derive(Debug, Clone)]
pub struct Index {
    pub(super) tree: OpeningTree,
    pub(super) continuations: Option<Continuations>,
}

impl Index {
    /// Decodes the openings section of a segment with `games` games.
    ///
    /// # Errors
    /// The section is damaged or belongs to another segment, or a limit is exceeded.
    pub fn parse(openings: &[u8], games: u32, limits: &Limits) -> Result<Index, CodecError> {
        Ok(Index {
            tree: OpeningTree::parse(openings, games, limits)?,
            continuations: None,
        })
    }

    /// Decodes the tails section of the segment.
    ///
    /// # Errors
    /// The section is damaged or belongs to another segment, or a limit is exceeded. The
    /// index is then unchanged.
    pub fn add_tails(&mut self, payload: &[u8], limits: &Limits) -> Result<&Tails, CodecError> {
        let tails = Tails::parse(payload, self.tree.game_order().len(), limits)?;
        Ok(&self.continuations.insert(Continuations::new(tails)).tails)
    }

    /// Decodes the first-plies section of the segment. Without tails the section is checked
    /// but not used.
    ///
    /// # Errors
    /// The section is damaged or belongs to another segment, or a limit is exceeded. The
    /// index is then unchanged.
    pub fn add_plies(&mut self, payload: &[u8], limits: &Limits) -> Result<(), CodecError> {
        let plies = FirstPlies::parse(payload, self.tree.game_order().len(), limits)?;
        if let Some(continuations) = &mut self.continuations {
            continuations.plies = Some(plies);
        }
        Ok(())
    }

    /// Decodes the visits section of the segment. Without tails the section is checked but not
    /// used.
    ///
    /// # Errors
    /// The section is damaged or belongs to another segment, or a limit is exceeded. The
    /// index is then unchanged.
    pub fn add_visits(&mut self, payload: &[u8], limits: &Limits) -> Result<(), CodecError> {
        let visits = Visits::parse(payload, self.tree.game_order().len(), limits)?;
        if let Some(continuations) = &mut self.continuations {
            continuations.visits = Some(visits);
        }
        Ok(())
    }

    /// Computes what rules out games that later searches for positions of openings would replay, if the
    /// index has first plies.
    ///
    /// # Errors
    /// The index is damaged.
    pub fn prepare_first_positions(&self) -> Result<(), CodecError> {
        if let Some(continuations) = &self.continuations
            && let Some(plies) = &continuations.plies
        {
            let positions = FirstPositions::compute(&self.tree, continuations, plies)?;
            continuations.first_positions.get_or_init(|| positions);
        }
        Ok(())
    }

    /// Returns the games of the segment that contain or may contain the target, in
    /// ascending order, counted from 0; all games with variations, if these count. Tails are
    /// decoded in parallel on the thread pool of the feature `threads`.
    ///
    /// # Errors
    /// The index is damaged.
    pub fn search(
        &self,
        sought: &(impl SearchTarget + ?Sized),
        scope: SearchScope,
    ) -> Result<Vec<(u32, Found)>, CodecError> {
        let tree = &self.tree;
        let mut walk = TreeWalk::new(tree, self.continuations.as_ref(), sought, scope);
        walk.run()?;
        let mut found: Vec<(u32, Found)> = Vec::new();
        for node in &walk.matches {
            let games = walk.candidates(node.places.clone()).into_iter();
            let games = games.filter_map(|place| tree.game_order().get(place));
            found.extend(games.map(|game| (*game, node.found)));
        }
        let perhaps = |game: &u32| (*game, Found::ANYWHERE);
        found.extend(tree.unindexed_games.iter().map(perhaps));
        if scope.in_variations {
            found.extend(tree.games_with_variations.iter().map(perhaps));
        }
        found.extend(self.search_continuations(walk.exits, sought, scope)?);
        // The least result of a game holds.
        found.sort_unstable();
        found.dedup_by_key(|(game, _)| *game);
        Ok(found)
    }

    /// The search results of the games that leave the tree.
    fn search_continuations(
        &self,
        leaving: Vec<TreeExit>,
        sought: &(impl SearchTarget + ?Sized),
        scope: SearchScope,
    ) -> Result<Vec<(u32, Found)>, CodecError> {
        let tree = &self.tree;
        let game = |left: &TreeExit| tree.game_order().get(left.place).copied();
        let Some(continuations) = &self.continuations else {
            let anywhere = |left: &TreeExit| Some((game(left)?, Found::ANYWHERE));
            return Ok(leaving.iter().filter_map(anywhere).collect());
        };
        let judged = continuations.judge_all(&leaving, sought, scope.without_places)?;
        let judged = judged.into_iter();
        let plies = continuations.plies.as_ref();
        let Some(plies) = plies.filter(|_| sought.is_of_positions()) else {
            let judged = judged.filter_map(|(left, found)| Some((game(left)?, found)));
            return Ok(judged.collect());
        };
        let mut starts = NodePositions::new(tree);
        let started = judged.map(|(left, found)| Ok((starts.at_node(left.node)?, left, found)));
        let started: Vec<StartedExit<'_>> = started.collect::<Result<_, CodecError>>()?;
        let found = parallel::map(&started, |(start, left, by_tail)| {
            if *by_tail == Found::Somewhere {
                return Some((game(left)?, *by_tail));
            }
            // If the first plies are damaged, the result of the tails still holds.
            let found = continuations.find_in_first_plies(plies, (left, start), *by_tail, sought);
            game(left).zip(found.unwrap_or(Some(*by_tail)))
        });
        Ok(found.into_iter().flatten().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{ChessPosition, SanText, Skeleton};
    use crate::index::{
        IndexLine, KnownPosition, PackedPly, PlaceSet, PositionTrace, Ternary, home_pawns,
    };

    /// The target is one position. It is compared by position and by skeleton.
    struct SamePosition(ChessPosition);

    impl SearchTarget for SamePosition {
        fn is_indexed(&self) -> bool {
            true
        }

        fn is_of_positions(&self) -> bool {
            true
        }

        fn matches(&self, position: &ChessPosition) -> bool {
            position.is_same_as(&self.0)
        }

        fn judge(&self, known: &KnownPosition<'_>) -> Ternary {
            match *known.skeleton == self.0.skeleton() {
                true => Ternary::UNKNOWN,
                false => Ternary::FALSE,
            }
        }

        fn is_unreachable_after(&self, skeleton: &Skeleton) -> bool {
            skeleton.piece_count(0) < self.0.skeleton().piece_count(0)
        }

        fn may_occur_in_game_ending(&self, men: [u8; 2], home: u16) -> bool {
            let goal = self.0.skeleton();
            let few = [0, 1].map(|side| u32::from(men[side]) <= goal.piece_count(side));
            few == [true; 2] && home & !home_pawns(&goal) == 0
        }

        fn home_pawns(&self) -> Option<u16> {
            Some(home_pawns(&self.0.skeleton()))
        }

        fn position(&self) -> Option<PositionTrace> {
            Some(PositionTrace {
                key: self.0.key(),
                potential: self.0.skeleton().potential(),
            })
        }

        fn may_precede(&self, later: &Skeleton, _: u32) -> bool {
            let men = [0, 1].map(|side| u8::try_from(later.piece_count(side)).unwrap());
            self.may_occur_in_game_ending(men, home_pawns(later))
        }

        fn visitors(&self, _: &Visits) -> Option<PlaceSet> {
            None
        }
    }

    const SCOPE: SearchScope = SearchScope {
        in_variations: false,
        without_places: false,
    };

    const GAMES: [&str; 7] = [
        "e4 e5 Nf3 Nc6 Bb5 a6 Bxc6 dxc6 O-O f6",
        "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 O-O c3 d5 exd5 Nxd5",
        "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Nxe4 d4 b5 Bb3 d5 dxe5 Be6",
        "e4 e5 Nf3 Nc6 Bb5 a6 Bxc6 dxc6 Nc3 f6 d4 exd4 Qxd4 Qxd4 Nxd4",
        "e4 e5 Nf3 Nc6 Bb5 a6",
        "Nf3 Nc6 e4 e5 Bb5 a6 Ba4 Nf6 O-O",
        // Two captures en passant, promotions with and without a capture, and the capture
        // of a rook that has its castling right.
        "e4 d5 e5 f5 exf6 c5 fxg7 c4 d4 cxd3 gxh8=N dxc2 Nc3 cxd1=Q+ Nxd1 a5 b4 axb4 a4 bxa3 Bb2 a2 \
         h4 a1=R Bxa1 Rxa1 Ne3 Rxe1",
    ];

    fn lines() -> (Vec<Option<IndexLine>>, Vec<Vec<ChessPosition>>) {
        let mut lines = vec![None];
        let mut positions = vec![Vec::new()];
        for game in GAMES {
            let mut line = IndexLine::default();
            let mut of_game = vec![ChessPosition::standard()];
            for san in game.split_whitespace() {
                let mut position = of_game.last().unwrap().clone();
                let text = SanText::parse(san.as_bytes()).unwrap();
                let Some((ply, _)) = position.play_text(&text) else {
                    break;
                };
                line.plies.push(PackedPly::from_ply(ply).unwrap());
                of_game.push(position);
            }
            lines.push(Some(line));
            positions.push(of_game);
        }
        (lines, positions)
    }

    /// Four indexes of the games: openings only; with tails; with tails and first plies; with the
    /// positions of these.
    fn indexes(lines: &[Option<IndexLine>]) -> [Index; 4] {
        let limits = Limits::default();
        let (tree, openings) = OpeningTree::build(lines).unwrap();
        let index = Index::parse(&openings, 8, &limits).unwrap();
        let mut with_tails = index.clone();
        let tails = Tails::build(&tree, lines).unwrap();
        let tails = with_tails.add_tails(&tails, &limits).unwrap();
        let plies = FirstPlies::build(&tree, tails, lines).unwrap();
        let mut with_plies = with_tails.clone();
        with_plies.add_plies(&plies, &limits).unwrap();
        let prepared = with_plies.clone();
        prepared.prepare_first_positions().unwrap();
        [index, with_tails, with_plies, prepared]
    }

    #[test]
    fn every_position_is_found_and_none_is_invented() {
        let (lines, positions) = lines();
        let mut certain = [0; 4];
        for (index, certain) in indexes(&lines).iter().zip(&mut certain) {
            for position in positions.iter().flatten() {
                let found = index
                    .search(&SamePosition(position.clone()), SCOPE)
                    .unwrap();
                let expected = positions.iter().map(|of_game| {
                    let mut of_game = of_game.iter();
                    of_game.position(|other| other.is_same_as(position))
                });
                for (game, expected) in (0..).zip(expected) {
                    let found = found.iter().find(|(number, _)| *number == game);
                    match found.map(|(_, found)| *found) {
                        Some(Found::Ply(ply)) => assert_eq!(expected, Some(ply)),
                        Some(Found::Possible(_)) => {}
                        Some(Found::Somewhere) => panic!("a place was asked for"),
                        None => assert_eq!(expected, None, "{game} {}", position.fen()),
                    }
                    *certain += usize::from(matches!(found, Some((_, Found::Ply(_)))));
                }
                assert!(found.contains(&(0, Found::ANYWHERE)));
            }
        }
        let [by_openings, by_tails, by_plies, by_positions] = certain;
        assert!(by_openings > 20 && by_openings == by_tails, "{certain:?}");
        assert!(by_plies > by_tails + 50, "{certain:?}");
        assert_eq!(by_positions, by_plies);
    }

    #[test]
    fn first_positions_rule_out_most_games() {
        let (lines, positions) = lines();
        let [.., index] = indexes(&lines);
        let continuations = index.continuations.as_ref().unwrap();
        let first_positions = continuations.first_positions.get().unwrap();
        let shared = index.tree.exit_depths();
        let (mut absent, mut ruled_out) = (0, 0);
        for position in positions.iter().flatten() {
            let sought = SamePosition(position.clone()).position().unwrap();
            for (place, game) in index.tree.game_order().iter().enumerate() {
                let of_game = &positions[*game as usize];
                let mut after = of_game.iter().skip(shared[place] + 1);
                let may_contain = first_positions.may_contain(place, sought);
                match after.any(|other| other.is_same_as(position)) {
                    true => assert!(may_contain, "{game} {}", position.fen()),
                    false => {
                        absent += 1;
                        ruled_out += usize::from(!may_contain);
                    }
                }
            }
        }
        assert!(4 * ruled_out > 3 * absent, "{ruled_out} of {absent}");
    }

    #[test]
    fn first_plies_decide_every_game() {
        let (lines, positions) = lines();
        let [_, _, index, _] = indexes(&lines);
        let short = positions.iter().filter(|of_game| of_game.len() <= 25);
        for position in short.flatten() {
            let found = index
                .search(&SamePosition(position.clone()), SCOPE)
                .unwrap();
            let doubtful = found
                .iter()
                .filter(|(_, found)| matches!(found, Found::Possible(_)));
            // The game outside the index, and the one that is longer than the first plies.
            assert!(doubtful.into_iter().all(|(game, _)| [0, 7].contains(game)));
        }
    }

    #[test]
    fn tails_exclude_games() {
        let (lines, positions) = lines();
        let [_, index, ..] = indexes(&lines);
        for (game, of_game) in (0..).zip(&positions).skip(1) {
            let last = of_game.last().unwrap();
            let found = index.search(&SamePosition(last.clone()), SCOPE).unwrap();
            assert!(found.iter().any(|(number, _)| *number == game));
            let perhaps = found
                .iter()
                .filter(|(_, found)| matches!(found, Found::Possible(_)));
            assert!(perhaps.count() < 5, "{found:?}");
        }
        let branching = Index {
            tree: index.tree.with_branching(vec![3]),
            ..index
        };
        let absent =
            ChessPosition::from_fen(b"8/8/8/8/8/8/k7/7K w - - 0 1", crate::chess::Rules::CHESS);
        let absent = SamePosition(absent.unwrap());
        let outside = (0, Found::ANYWHERE);
        assert_eq!(branching.search(&absent, SCOPE), Ok(vec![outside]));
        let with_variations = vec![outside, (3, Found::ANYWHERE)];
        assert_eq!(
            branching.search(
                &absent,
                SearchScope {
                    in_variations: true,
                    ..SCOPE
                }
            ),
            Ok(with_variations)
        );
    }
}
