//! Indexes that are built, and searched as an archive searches them.

use super::*;
use crate::chess::{ChessPosition, SanText, Skeleton};
use crate::limits::Limits;
use plan::PlannedSearch;
use std::collections::HashSet;
use std::ops::Range;

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

    fn pawns(&self) -> Option<PawnStructure> {
        Some(self.0.skeleton().pawns)
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

type Games = (Vec<IndexMoves>, Vec<Vec<ChessPosition>>);

/// The lines of the games above, of which the first is outside the tree, and their positions.
fn lines() -> Games {
    let mut lines = vec![IndexMoves::Unknown];
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
        lines.push(IndexMoves::Line(line));
        positions.push(of_game);
    }
    (lines, positions)
}

/// Such lines, then those of random games: many that begin alike.
fn many_lines(random_games: usize) -> Games {
    let (mut lines, mut positions) = lines();
    let mut seed = 1u64;
    let mut below = |end: usize| {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(seed >> 33).unwrap() % end
    };
    for _ in 0..random_games {
        let mut of_game = vec![ChessPosition::standard()];
        let mut plies = Vec::new();
        for number in 0..below(60) {
            let mut position = of_game.last().unwrap().clone();
            let legal = position.legal_plies();
            let Some(last) = legal.len().checked_sub(1) else {
                break;
            };
            let choices = if number < 5 { last.min(1) } else { last };
            let ply = legal[below(choices + 1).min(below(choices + 1))];
            position.make(ply).unwrap();
            plies.push(ply);
            of_game.push(position);
        }
        let line = IndexLine::new(plies.into_iter(), false);
        lines.push(IndexMoves::Line(line.unwrap()));
        positions.push(of_game);
    }
    (lines, positions)
}

/// The sections of the indexes of some games.
struct Sections {
    all: IndexSections,
    games: u32,
}

impl Sections {
    fn new(lines: &[IndexMoves]) -> Sections {
        let builder = IndexBuilder::new(lines).unwrap();
        Sections {
            all: builder.full_sections(&Limits::default()).unwrap(),
            games: u32::try_from(lines.len()).unwrap(),
        }
    }

    /// Four indexes: openings only; with continuations; with structures; with first positions.
    fn indexes(&self) -> [Index; 4] {
        let Sections { all, games } = self;
        let kinds = [
            IndexSections {
                openings: all.openings.clone(),
                ..IndexSections::default()
            },
            IndexSections {
                structures: Vec::new(),
                ..all.clone()
            },
            all.clone(),
            all.clone(),
        ];
        let indexes = kinds.map(|kind| kind.index(*games, &Limits::default()).unwrap());
        indexes[3].prepare(all).unwrap();
        indexes
    }

    fn index(&self) -> Index {
        self.all.index(self.games, &Limits::default()).unwrap()
    }

    fn search(&self, index: &Index, position: &ChessPosition) -> Vec<(u32, Found)> {
        let sought = SamePosition(position.clone());
        index.search(&self.all, &sought, SCOPE).unwrap()
    }
}

fn part(section: &[u8], range: Range<u64>) -> &[u8] {
    let [start, end] = [range.start, range.end].map(|at| usize::try_from(at).unwrap());
    &section[start..end]
}

/// The number of plies before a position first occurs.
fn first_place(of_game: &[ChessPosition], sought: &ChessPosition) -> Option<usize> {
    of_game.iter().position(|other| other.is_same_as(sought))
}

/// Checks what an index finds of a position. Returns the number of games of which it is certain.
fn check(
    found: &[(u32, Found)],
    positions: &[Vec<ChessPosition>],
    sought: &ChessPosition,
) -> usize {
    let mut certain = 0;
    for (game, of_game) in (0..).zip(positions) {
        let expected = first_place(of_game, sought);
        let at = found.binary_search_by_key(&game, |(number, _)| *number);
        match at.ok().map(|at| found[at].1) {
            Some(Found::Ply(ply)) => {
                assert_eq!(expected, Some(ply));
                certain += 1;
            }
            Some(Found::Possible(_)) => {}
            Some(Found::Somewhere) => panic!("a place was asked for"),
            None => assert_eq!(expected, None, "{game} {}", sought.fen()),
        }
    }
    assert_eq!(found.first(), Some(&(0, Found::ANYWHERE)));
    certain
}

#[test]
fn every_position_is_found_and_none_is_invented() {
    let (lines, positions) = many_lines(700);
    let sections = Sections::new(&lines);
    let mut certain = [0; 4];
    // Of the games above all positions, of others one in 40.
    let all = positions.iter().take(GAMES.len() + 1).flatten();
    let others = positions.iter().skip(GAMES.len() + 1).flatten().step_by(40);
    for position in all.chain(others) {
        for (index, certain) in sections.indexes().iter().zip(&mut certain) {
            let found = sections.search(index, position);
            *certain += check(&found, &positions, position);
            // Later searches know more, and find the same.
            assert_eq!(
                check(&sections.search(index, position), &positions, position),
                check(&found, &positions, position)
            );
        }
    }
    let [by_openings, by_continuations, by_structures, by_positions] = certain;
    assert!(by_openings < by_continuations, "{certain:?}");
    assert_eq!(by_continuations, by_structures);
    assert_eq!(by_structures, by_positions);
}

#[test]
fn structures_leave_out_groups() {
    let (lines, positions) = many_lines(3000);
    let sections = Sections::new(&lines);
    let [_, all, few, _] = sections.indexes();
    assert!(all.all_groups().len() > 12);
    let (mut searched, mut of_all) = (0, 0);
    for of_game in positions.iter().filter(|it| it.len() > 30).step_by(20) {
        let sought = SamePosition(of_game[28].clone());
        let groups = |index: &Index| {
            let plan = index.load_for(&sections.all, &sought, PlannedSearch::Games);
            plan.unwrap().searched.len()
        };
        searched += groups(&few);
        of_all += groups(&all);
    }
    assert!(5 * searched < of_all, "{searched} of {of_all}");
}

#[test]
fn games_outside_the_tree_are_left_out_by_their_pawns() {
    let (mut games, positions) = many_lines(700);
    let is_outside = |game: &usize| game.is_multiple_of(2);
    let pawns = |of_game: &Vec<ChessPosition>| {
        let pawns = of_game.iter().map(|position| position.skeleton().pawns);
        IndexMoves::Outside(pawns.collect())
    };
    for game in (0..games.len()).filter(is_outside) {
        games[game] = pawns(&positions[game]);
    }
    let sections = Sections::new(&games);
    let [openings, _, index, _] = sections.indexes();
    let in_variations = SearchScope {
        in_variations: true,
        ..SCOPE
    };
    let number = |game: usize| u32::try_from(game).unwrap();
    for (game, of_game) in positions.iter().enumerate().step_by(3) {
        let Some(position) = of_game.last() else {
            continue;
        };
        let found = sections.search(&index, position);
        let finds = |game| {
            let at = found.binary_search_by_key(&number(game), |(game, _)| *game);
            at.is_ok()
        };
        assert!(finds(game));
        let outside = (0..games.len()).filter(is_outside);
        let candidates = outside.clone().filter(|game| finds(*game)).count();
        // The groups have 256 games: 351 are in two.
        assert!(of_game.len() < 30 || candidates < 300, "{candidates}");
        // Nothing is known without structures, and of variations.
        let all = sections.search(&openings, position);
        let sought = SamePosition(position.clone());
        let of_variations = index.search(&sections.all, &sought, in_variations);
        for found in [all, of_variations.unwrap()] {
            let found = found
                .iter()
                .filter(|(game, _)| is_outside(&(*game as usize)));
            assert_eq!(found.count(), outside.clone().count());
        }
    }
}

#[test]
fn next_plies_are_those_of_the_games() {
    let (lines, positions) = many_lines(1500);
    let sections = Sections::new(&lines);
    for index in sections.indexes() {
        let order = index.order(&sections.all).unwrap().tree_games;
        for position in positions.iter().flatten().step_by(211) {
            let sought = SamePosition(position.clone());
            let mut unseen: HashSet<u32> = order.iter().copied().collect();
            for (places, next) in index.next_plies(&sections.all, &sought).unwrap() {
                for game in &order[places] {
                    assert!(unseen.remove(game), "{game} is there twice");
                    let at = first_place(&positions[*game as usize], position);
                    let line = lines[*game as usize].line().unwrap();
                    let after = at.map(|at| line.plies.get(at).map(|ply| ply.ply()));
                    match next {
                        NextPly::Ply(ply) => assert_eq!(after, Some(Some(ply))),
                        NextPly::End => assert_eq!(after, Some(None)),
                        NextPly::Unknown(Found::Ply(ply)) => assert_eq!(at, Some(ply)),
                        NextPly::Unknown(_) => {}
                    }
                }
            }
            for game in unseen {
                assert_eq!(first_place(&positions[game as usize], position), None);
            }
        }
    }
}

#[test]
fn the_order_has_every_game_once() {
    let (lines, _) = many_lines(700);
    let builder = IndexBuilder::new(&lines).unwrap();
    let sections = Sections::new(&lines);
    let index = sections.index();
    let order = index.order(&sections.all).unwrap();
    assert_eq!(&order, builder.order());
    assert_eq!(order.unindexed_games, [0]);
    let order = order.tree_games;
    let games: HashSet<u32> = order.iter().copied().collect();
    assert_eq!(
        (order.len(), games),
        (lines.len() - 1, (1..).take(lines.len() - 1).collect())
    );
    // Groups are not larger than they should be, and few are small.
    let groups = index.all_groups().len();
    assert!((order.len().div_ceil(256)..=order.len() / 128).contains(&groups));
}

#[test]
fn first_plies_decide_every_game() {
    let (lines, positions) = lines();
    let sections = Sections::new(&lines);
    let [_, _, index, _] = sections.indexes();
    let short = positions.iter().filter(|of_game| of_game.len() <= 25);
    for position in short.flatten() {
        let found = sections.search(&index, position);
        let doubtful = found
            .iter()
            .filter(|(_, found)| matches!(found, Found::Possible(_)));
        // The game outside the index, and the one that is longer than the first plies.
        assert!(doubtful.into_iter().all(|(game, _)| [0, 7].contains(game)));
    }
}

#[test]
fn games_with_variations_may_contain_anything() {
    let (mut lines, _) = lines();
    let mut line = lines[3].line().unwrap().clone();
    line.has_variations = true;
    lines[3] = IndexMoves::Line(line);
    let sections = Sections::new(&lines);
    let [_, index, ..] = sections.indexes();
    let absent = b"8/8/8/8/8/8/k7/7K w - - 0 1";
    let absent = ChessPosition::from_fen(absent, crate::chess::Rules::CHESS);
    let sought = SamePosition(absent.unwrap());
    let search = |in_variations| {
        let scope = SearchScope {
            in_variations,
            ..SCOPE
        };
        index.search(&sections.all, &sought, scope)
    };
    let outside = (0, Found::ANYWHERE);
    assert_eq!(search(false), Ok(vec![outside]));
    assert_eq!(search(true), Ok(vec![outside, (3, Found::ANYWHERE)]));
}

/// A checksum of the whole section that does not depend on its content would prove nothing.
#[test]
fn sections_of_one_size_have_different_checksums() {
    let section = |bytes: &[u8]| crc32fast::hash(&write_section(bytes, [bytes]));
    assert_ne!(section(b"abcdefgh"), section(b"abcdefgi"));
    assert_ne!(section(b"abcdefgh"), section(b"hgfedcba"));
}

#[test]
fn damage_is_refused() {
    let (lines, _) = many_lines(300);
    let sections = Sections::new(&lines);
    let [_, _, index, _] = sections.indexes();
    let fresh = sections.index();
    let openings = part(&sections.all.openings, fresh.openings_record(0).unwrap());
    for at in 0..openings.len() {
        let mut damaged = openings.to_vec();
        damaged[at] ^= 1;
        assert!(fresh.add_openings_record(0, &damaged).is_err());
        assert!(fresh.add_openings_record(0, &openings[..at]).is_err());
    }
    let record = part(
        &sections.all.continuations,
        index.continuations_record(0).unwrap(),
    );
    for at in 0..record.len() {
        assert!(index.add_continuations_record(0, &record[..at]).is_err());
    }
    assert!(
        index
            .add_openings_record(index.all_groups().len(), openings)
            .is_err()
    );
    assert!(index.order_loaded().is_err());
    // A group that was not read is not searched.
    let sought = SamePosition(ChessPosition::standard());
    let plan = index.plan(&sought, None, PlannedSearch::NextPlies).unwrap();
    assert!(index.next_plies_loaded(&plan, &sought).is_err());
    for (games, limits) in [
        (sections.games + 1, Limits::default()),
        (
            sections.games,
            Limits {
                index_bytes: 1000,
                ..Limits::default()
            },
        ),
    ] {
        assert!(Index::parse(section_head(&sections.all.openings), games, &limits).is_err());
    }
}
