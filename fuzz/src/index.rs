//! Indexes of any bytes, and of any games.

use super::small_limits;
use pgna::chess::{Ply, Position};
use pgna::index::{DerivedTags, FirstPlies, Found, Index, Line, OpeningTree, Tails};
use pgna::query::Board;

/// Ends a game where bytes pick its moves.
const END: u8 = 0xff;

/// The first byte says whether indexes follow or games.
///
/// # Panics
/// An index finds a position where no game has it, or misses one.
pub fn check(input: &[u8]) {
    match input {
        [0, games, split, bytes @ ..] => any_bytes(*games, *split, bytes),
        [_, bytes @ ..] => any_games(bytes),
        [] => {}
    }
}

/// An index of any bytes is read or refused, and answers or is found damaged.
fn any_bytes(games: u8, split: u8, bytes: &[u8]) {
    let (openings, tails) = bytes.split_at(usize::from(split).min(bytes.len()));
    if let Ok(tree) = OpeningTree::parse(openings, games.into(), &small_limits())
        && let Ok(derived) = DerivedTags::parse(tails, &tree, &small_limits())
    {
        for tag in derived.tags() {
            assert_eq!(tag.games().count(), usize::from(games));
            let is_value = |value| usize::try_from(value).unwrap() < tag.values().len();
            assert!(tag.games().flatten().all(is_value));
        }
    }
    let tails = (!tails.is_empty()).then_some(tails);
    let Ok(index) = Index::parse(openings, tails, games.into(), &small_limits()) else {
        return;
    };
    for board in [
        Board::exact("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -"),
        Board::exact("8/8/4k3/8/4KP2/8/8/8 w - -"),
        Ok(Board::Pattern(vec!["Nd5 pd6".parse().unwrap()])),
        Ok(Board::Material(vec!["KRPkr".parse().unwrap()])),
    ] {
        if let Ok(found) = index.search(&[board.unwrap()][..], true) {
            assert!(found.iter().all(|(game, _)| *game < games.into()));
            assert!(found.is_sorted_by(|(one, _), (other, _)| one < other));
        }
    }
}

/// An index of games has all positions of their main lines where they are.
fn any_games(bytes: &[u8]) {
    let games: Vec<(Vec<Position>, Vec<Ply>)> = bytes
        .split(|byte| *byte == END)
        .take(32)
        .map(played)
        .collect();
    let lines: Vec<Option<Line>> = games
        .iter()
        .map(|(_, plies)| Line::new(plies.iter().copied(), false))
        .collect();
    let (tree, openings) = OpeningTree::build(&lines).unwrap();
    let tails = Tails::build(&tree, &lines).unwrap();
    let count = u32::try_from(lines.len()).unwrap();
    let index = Index::parse(&openings, Some(&tails), count, &small_limits()).unwrap();
    for position in games.iter().filter_map(|(positions, _)| positions.last()) {
        let board = Board::exact(&position.fen()).unwrap();
        let found = index.search(&[board.clone()][..], false).unwrap();
        for (game, (positions, _)) in (0..).zip(&games) {
            let first = positions.iter().position(|other| is_same(position, other));
            let at = found.binary_search_by_key(&game, |(game, _)| *game);
            match at.map(|at| found[at].1) {
                Ok(Found::Ply(ply)) => assert_eq!(first, Some(ply)),
                Ok(Found::Perhaps) => {}
                Err(_) => assert_eq!(first, None, "{}", position.fen()),
            }
        }
    }
}

/// The game whose moves the bytes pick, and its positions.
fn played(bytes: &[u8]) -> (Vec<Position>, Vec<Ply>) {
    let mut positions = vec![Position::standard()];
    let mut plies = Vec::new();
    for byte in bytes.iter().take(200) {
        let mut position = positions.last().unwrap().clone();
        let legal = position.legal_plies();
        let Some(ply) = legal.get(usize::from(*byte) % legal.len().max(1)) else {
            break;
        };
        position.play(*ply).unwrap();
        plies.push(*ply);
        positions.push(position);
    }
    (positions, plies)
}

fn is_same(one: &Position, other: &Position) -> bool {
    let fields = |position: &Position| {
        let fen = position.fen();
        fen.split(' ')
            .take(4)
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    fields(one) == fields(other)
}
