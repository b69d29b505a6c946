//! Expressions on positions find the games of the sample collection that replaying them finds.

use crate::{judge, samples};
use pgna::{Archive, Game, Indexes, LineScope, PackOptions, Place, PositionTest, Query, Writer};
use shakmaty::{Bitboard, Color, Rank, Role, Setup, Square};
use std::sync::LazyLock;

static SAMPLES: LazyLock<Archive> = LazyLock::new(|| {
    let options = PackOptions {
        block_records: 16,
        segment_bytes: 100_000,
        indexes: Indexes::Full,
        ..PackOptions::default()
    };
    let mut writer = Writer::new(Vec::new(), options).unwrap();
    for text in samples::texts() {
        writer.add_source("games.pgn", &text[..]).unwrap();
    }
    Archive::new(writer.finish().unwrap().0).unwrap()
});

/// The positions of the main lines.
static LINES: LazyLock<Vec<Vec<Setup>>> = LazyLock::new(|| {
    let games = (1..=SAMPLES.games()).map(|number| SAMPLES.game(number).unwrap());
    games.map(|game| line(&game)).collect()
});

fn line(game: &Game) -> Vec<Setup> {
    let mut line = Vec::new();
    if let Some(moves) = game.moves() {
        moves.find_in_main_line(|_, position| {
            line.push(judge::setup(&position.fen()));
            None::<()>
        });
    }
    line
}

/// A query in games of all variants.
fn query(text: &str) -> Query {
    of_positions(vec![text.parse().unwrap()])
}

fn of_positions(positions: Vec<PositionTest>) -> Query {
    Query {
        filter: Some("variant?".parse().unwrap()),
        positions,
        ..Query::default()
    }
}

/// The hits of a query, which are the same without indexes.
fn find(query: &Query) -> Vec<(u64, usize)> {
    let find = |query: &Query| -> Vec<(u64, Option<Place>)> {
        let hits = SAMPLES.query(query).unwrap();
        hits.map(|hit| hit.map(|hit| (hit.number, hit.place)).unwrap())
            .collect()
    };
    let found = find(query);
    let without = Query {
        uses_indexes: false,
        ..query.clone()
    };
    assert_eq!(find(&without), found);
    let without_places = Query {
        places: false,
        ..query.clone()
    };
    let numbers = find(&without_places).into_iter().map(|(number, _)| number);
    let expected = found.iter().map(|(number, _)| *number);
    assert!(numbers.eq(expected));
    let ply = |place| match place {
        Some(Place::Ply(ply)) => ply,
        place => panic!("{place:?}"),
    };
    found
        .into_iter()
        .map(|(number, place)| (number, ply(place)))
        .collect()
}

/// The games with a position that passes, and the first such position.
fn replayed(is_it: impl Fn(&[Setup], usize) -> bool) -> Vec<(u64, usize)> {
    let games = (1..).zip(LINES.iter());
    let found = games.filter_map(|(number, line)| {
        let mut plies = 0..line.len();
        Some((number, plies.find(|ply| is_it(line, *ply))?))
    });
    found.collect()
}

/// Whether a position of a line passes, given its ply.
type PlyTest = &'static dyn Fn(&[Setup], usize) -> bool;

fn pawns(setup: &Setup, side: Color) -> Bitboard {
    setup.board.by_color(side) & setup.board.by_role(Role::Pawn)
}

fn has_isolated(setup: &Setup) -> bool {
    pawns(setup, Color::Black).into_iter().any(|pawn| {
        let mut others = pawns(setup, Color::Black).into_iter();
        !others.any(|other| other.file().distance(pawn.file()) == 1)
    })
}

fn has_no_queens(setup: &Setup) -> bool {
    setup.board.by_role(Role::Queen).is_empty()
}

#[test]
fn expressions_find_what_replay_finds() {
    let cases: [(&str, PlyTest); 7] = [
        ("isolated p", &|line, ply| has_isolated(&line[ply])),
        ("P > p and [Qq] = 0", &|line, ply| {
            let [white, black] = Color::ALL.map(|side| pawns(&line[ply], side).count());
            white > black && has_no_queens(&line[ply])
        }),
        ("isolated p then [Qq] = 0", &|line, ply| {
            has_no_queens(&line[ply]) && line[..ply].iter().any(has_isolated)
        }),
        ("isolated p then within 6 [Qq] = 0", &|line, ply| {
            let before = &line[ply.saturating_sub(6)..ply];
            has_no_queens(&line[ply]) && before.iter().any(has_isolated)
        }),
        ("N5 and pattern 'pd6'", &|line, ply| {
            let board = &line[ply].board;
            let knights = board.by_color(Color::White) & board.by_role(Role::Knight);
            let is_on_d6 = pawns(&line[ply], Color::Black).contains(Square::D6);
            is_on_d6 && (knights & Bitboard::from_rank(Rank::Fifth)).any()
        }),
        ("opposite bishops and [Pp] > 9", &|line, ply| {
            let board = &line[ply].board;
            let bishops = board.by_role(Role::Bishop);
            let light = bishops & Bitboard::LIGHT_SQUARES;
            let is_one = |side| (bishops & board.by_color(side)).count() == 1;
            let pawns = board.by_role(Role::Pawn).count();
            pawns > 9 && is_one(Color::White) && is_one(Color::Black) && light.count() == 1
        }),
        ("isolated p for 12", &|line, ply| {
            ply >= 11 && line[ply - 11..=ply].iter().all(has_isolated)
        }),
    ];
    for (text, is_it) in cases {
        let found = find(&query(text));
        assert_eq!(found, replayed(is_it), "{text}");
        assert!(!found.is_empty(), "{text}");
    }
}

/// An index leaves games out, and those that it leaves are followed to the position.
#[test]
fn indexes_prune_where_a_board_must_hold() {
    let board = "pattern 'Pe4 pe5'";
    for text in [
        format!("{board} and castled white"),
        format!("castled white then {board}"),
        format!("({board} and turn white) for 1"),
        format!("{board} then not {board}"),
        format!("not {board}"),
    ] {
        find(&query(&text));
    }
    let games_read = |text: &str, places| {
        let query = Query {
            places,
            ..query(text)
        };
        let mut hits = SAMPLES.query(&query).unwrap();
        let found = hits.by_ref().map(Result::unwrap).count();
        assert!(found > 0, "{text}");
        hits.games_read()
    };
    assert!(games_read(&format!("{board} and castled white"), true) < SAMPLES.games());
    // Where no place is asked for, only games that the index leaves out are read.
    let outside = games_read("passed P7", false);
    assert!(outside < games_read("passed P7", true));
    for text in [
        "castled opposite",
        "opposite bishops",
        "isolated Pd",
        "R = r and q = 0",
    ] {
        assert_eq!(games_read(text, false), outside, "{text}");
    }
    // Relations are decided by what must hold last. (A compiler once got this wrong: see `Ternary`.)
    for text in [
        "any then P > 40",
        "(P > 40) for 1",
        "(any then P > 40) and not any",
    ] {
        let query = query(text);
        let mut hits = SAMPLES.query(&query).unwrap();
        assert_eq!(hits.by_ref().count(), 0, "{text}");
        assert_eq!(hits.games_read(), outside, "{text}");
    }
    // Skeletons do not show where knights are.
    assert!(games_read("Nh8", true) < SAMPLES.games() / 4);
}

/// The conditions of a query hold in one position.
#[test]
fn expressions_go_with_other_conditions() {
    let pattern = PositionTest::pattern(vec!["Pe4 pe5".parse().unwrap()]);
    let both = of_positions(vec![pattern.clone(), "isolated p".parse().unwrap()]);
    assert_eq!(
        find(&both),
        find(&query("isolated p and pattern 'Pe4 pe5'"))
    );
    let one = of_positions(vec![pattern]);
    assert_eq!(find(&one), find(&query("pattern 'Pe4 pe5'")));
    let any = PositionTest::any(["mate", "stalemate"].map(|text| text.parse().unwrap()));
    let any = of_positions(vec![any]);
    assert_eq!(find(&any), find(&query("mate or stalemate")));
}

/// With variations there are more hits, and those of main lines are the same.
#[test]
fn variations_add_hits() {
    let mut query = query("plays O-O-O then within 30 plays O-O");
    let in_main_lines = find(&query);
    query.scope = LineScope::AnyLine;
    let hits: Vec<_> = SAMPLES.query(&query).unwrap().map(Result::unwrap).collect();
    let of_main = hits.iter().filter_map(|hit| match hit.place {
        Some(Place::Ply(ply)) => Some((hit.number, ply)),
        _ => None,
    });
    assert!(of_main.eq(in_main_lines));
}

#[test]
fn queries_of_scoutfish_are_expressions() {
    let json = r#"{"sequence": [{"white-move": "O-O"}, {"captured": "Q", "stm": "black"}]}"#;
    let scoutfish = Query::from_scoutfish(json).unwrap();
    let text = "turn white and plays O-O then takes Q";
    assert_eq!(find(&scoutfish), find(&query(text)));
    let won = Query::from_scoutfish(r#"{"result": "1-0", "result-type": "mate"}"#).unwrap();
    assert!(find(&won).len() < find(&query("mate")).len());
}
