//! Indexes of arbitrary bytes, and of arbitrary games.

use crate::archives::small_limits;
use pgna::PositionTest;
use pgna::internals::chess::{ChessPosition, Color, PlyKind};
use pgna::internals::index::{
    DerivedTags, Found, Index, IndexBuilder, IndexLine, IndexMoves, IndexOrder, IndexSections,
    SearchScope, write_section,
};

/// Ends a game in a sequence of bytes that pick moves.
const END: u8 = 0xff;

/// A section of arbitrary bytes, with right checksums, which a fuzzer would not find.
fn any_section(input: &mut &[u8]) -> Vec<u8> {
    let mut next = || {
        let length = take(input, 1).first().copied().unwrap_or(0);
        take(input, length.into())
    };
    let head = next();
    let records = [next(), next(), next()];
    write_section(head, records)
}

/// The first bytes of the input, at most so many, which it then lacks.
fn take<'i>(input: &mut &'i [u8], most: usize) -> &'i [u8] {
    let (first, rest) = input.split_at(most.min(input.len()));
    *input = rest;
    first
}

/// The first byte selects indexes or games, and how often each game is repeated.
pub(super) fn check(input: &[u8]) {
    match input {
        [0, games, bytes @ ..] => any_bytes(*games, bytes),
        // Lines shared by eight games are nodes of the tree.
        [times, bytes @ ..] => any_games(bytes, if times % 2 == 0 { 8 } else { 1 }),
        [] => {}
    }
}

fn any_tags(games: u8, order: &IndexOrder, tags: &[u8]) {
    if let Ok(derived) = DerivedTags::parse(tags, order, &small_limits()) {
        for tag in derived.tags() {
            assert_eq!(tag.games().count(), usize::from(games));
            let is_value = |value| usize::try_from(value).unwrap() < tag.values().len();
            assert!(tag.games().flatten().all(is_value));
        }
    }
}

/// An index of arbitrary bytes is read or refused, and searches return games or an error.
fn any_bytes(games: u8, mut input: &[u8]) {
    let sections = IndexSections {
        openings: any_section(&mut input),
        continuations: any_section(&mut input),
        structures: any_section(&mut input),
        visits: input.to_vec(),
    };
    let Ok(index) = sections.index(games.into(), &small_limits()) else {
        return;
    };
    if let Ok(order) = index.order(&sections) {
        any_tags(games, &order, input);
    }
    let scopes = [false, true].map(|without_places| SearchScope {
        in_variations: true,
        without_places,
    });
    for test in [
        "fen 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -'",
        "fen '8/8/4k3/8/4KP2/8/8/8 w - -'",
        "pattern 'Nd5 pd6'",
        "material KRPkr",
        "castled opposite then isolated Pd",
        "opposite bishops and [Rr][b,g]7",
    ] {
        let test: PositionTest = test.parse().unwrap();
        for scope in scopes {
            if let Ok(found) = index.search(&sections, std::slice::from_ref(&test), scope) {
                assert!(found.iter().all(|(game, _)| *game < games.into()));
                assert!(found.is_sorted_by(|(one, _), (other, _)| one < other));
            }
        }
    }
}

/// The positions and the plies of a game.
type Game = (Vec<ChessPosition>, Vec<PlyKind>);

/// An index of games, each repeated `times` times, finds the positions of their main lines.
fn any_games(bytes: &[u8], times: usize) {
    let games: Vec<Game> = bytes
        .split(|byte| *byte == END)
        .take(32)
        .map(played)
        .flat_map(|game| vec![game; times])
        .collect();
    // Some are outside the tree.
    let moves = |(number, (positions, plies)): (usize, &Game)| match number % 4 {
        3 => IndexMoves::Outside(positions.iter().map(|it| it.skeleton().pawns).collect()),
        _ => IndexMoves::Line(IndexLine::new(plies.iter().copied(), false).unwrap()),
    };
    let lines: Vec<IndexMoves> = games.iter().enumerate().map(moves).collect();
    let builder = IndexBuilder::new(&lines).unwrap();
    let sections = builder.full_sections(&small_limits()).unwrap();
    let games_count = u32::try_from(lines.len()).unwrap();
    let index = sections.index(games_count, &small_limits()).unwrap();
    let index = (&index, &sections);
    check_knights(index, &games);
    for (positions, _) in games.iter().step_by(times) {
        for position in [positions.last(), positions.get(positions.len() / 2)] {
            check_position(index, position.unwrap(), &games);
        }
    }
}

fn check_position(
    (index, sections): (&Index, &IndexSections),
    position: &ChessPosition,
    games: &[Game],
) {
    let fen = position.fen();
    let scope = SearchScope {
        in_variations: false,
        without_places: false,
    };
    let boards = [
        (PositionTest::exact(&fen), 4),
        (PositionTest::pieces(&fen), 1),
    ];
    for (board, fields) in boards {
        let found = index
            .search(sections, &[board.unwrap()][..], scope)
            .unwrap();
        for (game, (positions, _)) in (0..).zip(games) {
            let is_it = |other: &ChessPosition| is_same(position, other, fields);
            let first = positions.iter().position(is_it);
            let at = found.binary_search_by_key(&game, |(game, _)| *game);
            match at.map(|at| found[at].1) {
                Ok(Found::Ply(ply)) => assert_eq!(first, Some(ply)),
                Ok(Found::Possible(potential)) => {
                    let first = first.and_then(|first| positions.get(first));
                    let potential_of = |first: &ChessPosition| first.skeleton().potential();
                    assert!(first.is_none_or(|first| potential_of(first) >= potential));
                }
                Ok(Found::Somewhere) => panic!("a place was asked for"),
                Err(_) => assert_eq!(first, None, "{fen}"),
            }
        }
    }
}

/// Knights on squares are found in the games that have them there, also without places.
fn check_knights((index, sections): (&Index, &IndexSections), games: &[Game]) {
    let scope = SearchScope {
        in_variations: false,
        without_places: true,
    };
    for square in ["c3", "e5", "f6", "h4"] {
        let test: PositionTest = format!("N{square} and castled white").parse().unwrap();
        let found = index.search(sections, &[test][..], scope).unwrap();
        for (game, (positions, plies)) in (0..).zip(games) {
            let mut is_castled = false;
            let mut is_hit = false;
            for (at, position) in positions.iter().enumerate() {
                let square = square.parse().unwrap();
                is_hit |= is_castled && position.piece_at(square) == Some(Color::White.knight());
                let facts = plies.get(at).and_then(|ply| position.move_facts(*ply));
                let castles = facts.is_some_and(|facts| facts.castling.is_some());
                is_castled |= castles && position.turn().is_white();
            }
            let at = found.binary_search_by_key(&game, |(game, _)| *game);
            assert!(at.is_ok() || !is_hit, "{square}");
        }
    }
}

/// A game whose moves are picked by the bytes: its positions and its plies.
fn played(bytes: &[u8]) -> Game {
    let mut positions = vec![ChessPosition::standard()];
    let mut plies = Vec::new();
    for byte in bytes.iter().take(200) {
        let mut position = positions.last().unwrap().clone();
        let legal = position.legal_plies();
        let Some(ply) = legal.get(usize::from(*byte) % legal.len().max(1)) else {
            break;
        };
        position.make(*ply).unwrap();
        plies.push(*ply);
        positions.push(position);
    }
    (positions, plies)
}

/// Whether the first `fields` fields of the FENs are equal.
fn is_same(one: &ChessPosition, other: &ChessPosition, fields: usize) -> bool {
    let fields = |position: &ChessPosition| {
        let fen = position.fen();
        let fields = fen.split(' ').take(fields);
        fields.map(str::to_owned).collect::<Vec<_>>()
    };
    fields(one) == fields(other)
}
