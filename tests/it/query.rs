//! Queries find the same games as replaying and reading every game.

use crate::sizes::{self, sized};
use crate::unprotected::unprotected;
use crate::{judge, places, samples};
use pgna::{
    Archive, Game, Indexes, Limits, LineScope, PackOptions, Place, Position, PositionTest, Query,
    Score, Token, Writer,
};
use rayon::prelude::*;
use shakmaty::{Board, Color, Piece, Setup, Square};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::LazyLock;

fn pack(sources: &[Vec<u8>], block_records: u32, indexes: Indexes) -> Vec<u8> {
    let options = PackOptions {
        block_records,
        segment_bytes: 100_000,
        indexes,
        codecs: sizes::codecs(),
        ..PackOptions::default()
    };
    let mut writer = Writer::new(Vec::new(), options).unwrap();
    for source in sources {
        writer.add_source("games.pgn", &source[..]).unwrap();
    }
    let (mut archive, slot, _) = writer.finish_with_slot().unwrap();
    slot.write_to(&mut archive);
    archive
}

fn archive_of(text: &str) -> Archive {
    Archive::new(pack(&[text.as_bytes().to_vec()], 16, Indexes::None)).unwrap()
}

/// The sample collection and [`REPEATED`], with no indexes, with openings, and with all indexes.
static PLAIN: LazyLock<Archive> = LazyLock::new(|| packed_samples(Indexes::None));
static SAMPLES: LazyLock<Archive> = LazyLock::new(|| packed_samples(Indexes::Openings));
static FULL: LazyLock<Archive> = LazyLock::new(|| packed_samples(Indexes::Full));

/// The games of these archives, and the positions of their main lines.
static GAMES_OF_SAMPLES: LazyLock<Vec<Game>> = LazyLock::new(|| games(&PLAIN));
static LINES: LazyLock<Vec<Vec<Seen>>> = LazyLock::new(|| main_lines(&GAMES_OF_SAMPLES));

/// A position as a FEN, and as shakmaty reads that.
struct Seen {
    fen: String,
    setup: Setup,
}

fn packed_samples(indexes: Indexes) -> Archive {
    let mut texts = samples::texts();
    texts.push(REPEATED.repeat(5).into_bytes());
    Archive::new(pack(&texts, 16, indexes)).unwrap()
}

fn games(archive: &Archive) -> Vec<Game> {
    let numbers = 1..=archive.games();
    numbers
        .map(|number| archive.game(number).unwrap())
        .collect()
}

fn find(archive: &Archive, query: &Query) -> Vec<(u64, Option<Place>)> {
    let hits = archive.query(query).unwrap();
    hits.map(|hit| hit.map(|hit| (hit.number, hit.place)).unwrap())
        .collect()
}

/// A query for a position in games of all variants.
fn board(board: PositionTest) -> Query {
    Query {
        filter: Some("variant?".parse().unwrap()),
        positions: vec![board],
        ..Query::default()
    }
}

fn filter(text: &str) -> Query {
    Query {
        filter: Some(text.parse().unwrap()),
        ..Query::default()
    }
}

/// The first four fields of a FEN, without pieces in hand and marks of promoted pieces.
fn four_fields(fen: &str) -> String {
    let mut fields: Vec<&str> = fen.split(' ').take(4).collect();
    let board = fields[0].split('[').next().unwrap().replace('~', "");
    fields[0] = &board;
    fields.join(" ")
}

/// The positions of the main lines of games.
fn main_lines(games: &[Game]) -> Vec<Vec<Seen>> {
    let positions = |game: &Game| {
        let mut line = Vec::new();
        // An invalid variation ends the game.
        let moves = game.moves();
        moves.and_then(|moves| {
            moves.find_in_main_line(|_, position| {
                let fen = position.fen();
                let setup = judge::setup(&fen);
                line.push(Seen { fen, setup });
                None::<()>
            })
        });
        line
    };
    games.iter().map(positions).collect()
}

/// The games with a matching position, and the place of the first.
fn having(lines: &[Vec<Seen>], is_it: impl Fn(&Seen) -> bool) -> Vec<(u64, Option<Place>)> {
    let places = lines.iter().map(|line| line.iter().position(&is_it));
    let numbered = (1..).zip(places);
    numbered
        .filter_map(|(number, ply)| Some((number, Some(Place::Ply(ply?)))))
        .collect()
}

/// The identity of a position: pieces, side to move, castling rights, en-passant square. Unlike a
/// FEN it does not depend on how Chess960 castling rights are written.
fn position_identity(position: &Seen) -> (&Board, Color, u64, Option<Square>) {
    let setup = &position.setup;
    let rooks = setup.castling_rights.0;
    (&setup.board, setup.turn, rooks, setup.ep_square)
}

/// The letters of all pieces of a position, sorted.
fn material(position: &Seen) -> String {
    let board = position.fen.split([' ', '[']).next().unwrap();
    let mut letters: Vec<char> = board.chars().filter(char::is_ascii_alphabetic).collect();
    letters.sort_unstable();
    letters.into_iter().collect()
}

/// About a fifth of the pieces of a position, with their squares.
fn some_pieces(position: &Seen) -> Vec<(Square, Piece)> {
    let pieces = position.setup.board.clone().into_iter();
    pieces.skip(1).step_by(5).collect()
}

#[test]
fn indexed_queries_match_replay() {
    let lines = &*LINES;
    // Positions at increasing depths, of games spread over the collection.
    let count = sized(24, 48);
    let sought: Vec<&Seen> = (0..count)
        .filter_map(|at| lines[at * lines.len() / count].get(2 * at))
        .collect();
    assert!(sought.len() > 10);
    for (archive, step) in [(&*FULL, 1), (&*SAMPLES, sized(3, 1))] {
        let mut read = 0;
        for position in sought.iter().copied().step_by(step) {
            let fen = &position.fen;
            if let Ok(exact) = PositionTest::exact(fen) {
                let same = position_identity(position);
                let expected = having(lines, |other| position_identity(other) == same);
                assert_eq!(find(archive, &board(exact)), expected, "{fen}");
            }
            let of_board = material(position);
            let expected = having(lines, |other| material(other) == of_board);
            let query = board(PositionTest::material(vec![of_board.parse().unwrap()]));
            assert_eq!(find(archive, &query), expected, "{of_board}");
            let pieces = some_pieces(position);
            let expected = having(lines, |other| {
                let mut pieces = pieces.iter();
                pieces.all(|(square, piece)| other.setup.board.piece_at(*square) == Some(*piece))
            });
            let pattern: Vec<String> = pieces
                .iter()
                .map(|(square, piece)| format!("{}{square}", piece.char()))
                .collect();
            let query = board(PositionTest::pattern(vec![
                pattern.join(" ").parse().unwrap(),
            ]));
            let mut hits = archive.query(&query).unwrap();
            let found: Vec<_> = hits
                .by_ref()
                .map(|hit| hit.map(|hit| (hit.number, hit.place)).unwrap())
                .collect();
            assert_eq!(found, expected, "{pattern:?}");
            read += hits.games_read();
        }
        let queries = sought.len().div_ceil(step) as u64;
        assert!(read < queries * archive.games(), "{read} {queries}");
    }
}

/// The first place of each main-line position in each game, by the first four fields of its FEN.
fn all_positions(games: &[Game]) -> BTreeMap<String, Vec<(u64, Option<Place>)>> {
    let mut positions: BTreeMap<String, Vec<(u64, Option<Place>)>> = BTreeMap::new();
    for (number, game) in (1..).zip(games) {
        // A FEN with a count of checks has a seventh field.
        let is_of_board = |start: &Position| start.fen().split(' ').count() == 6;
        let Some(mut position) = game.position(0).filter(is_of_board) else {
            continue;
        };
        let plies = game.plies();
        for at in 0..=plies.len() {
            let hits = positions.entry(four_fields(&position.fen())).or_default();
            if hits.last().is_none_or(|(last, _)| *last < number) {
                hits.push((number, Some(Place::Ply(at))));
            }
            if let Some(ply) = plies.get(at) {
                position.play(*ply).unwrap();
            }
        }
    }
    positions
}

#[test]
fn positions_are_found_at_their_first_place() {
    let archive = &*SAMPLES;
    let positions = all_positions(&GAMES_OF_SAMPLES);
    assert!(positions.len() > 5000);
    let mut shared = 0;
    for (fen, expected) in positions.iter().step_by(positions.len() / 24) {
        if let Ok(exact) = PositionTest::exact(fen) {
            assert_eq!(find(archive, &board(exact)), *expected, "{fen}");
            shared += usize::from(expected.len() > 1);
        }
    }
    for (fen, expected) in positions.iter().filter(|(_, hits)| hits.len() > 9).take(5) {
        if let Ok(exact) = PositionTest::exact(fen) {
            assert_eq!(find(archive, &board(exact)), *expected, "{fen}");
            shared += 1;
        }
    }
    assert!(shared > 3);
    let absent = PositionTest::exact("7k/8/8/8/8/8/8/KNNN4 w - -").unwrap();
    assert_eq!(find(archive, &board(absent)), []);
}

#[test]
fn filters_match_the_tags() {
    let archive = &*SAMPLES;
    let games = &*GAMES_OF_SAMPLES;
    let text = |game: &Game, name: &str| {
        let value = game.tag(name.as_bytes()).unwrap_or_default();
        String::from_utf8_lossy(value).into_owned()
    };
    let number = |game: &Game, name: &str| text(game, name).parse::<u32>().ok();
    type Predicate<'a> = Box<dyn Fn(&Game) -> bool + 'a>;
    let cases: [(&str, Predicate<'_>); 16] = [
        (
            "WhiteElo > 2400",
            Box::new(|game| number(game, "WhiteElo") > Some(2400)),
        ),
        (
            "player ~ \"AN\"",
            Box::new(|game| {
                ["White", "Black"]
                    .iter()
                    .any(|name| text(game, name).to_lowercase().contains("an"))
            }),
        ),
        (
            "Result = \"1/2-1/2\"",
            Box::new(|game| text(game, "Result") == "1/2-1/2"),
        ),
        (
            "not Result?",
            Box::new(|game| game.tag(b"Result").is_none()),
        ),
        (
            "Result? and Result != 1-0",
            Box::new(|game| game.tag(b"Result").is_some_and(|result| result != b"1-0")),
        ),
        (
            "ECO in B00..C99 or WhiteElo < 1500",
            Box::new(|game| {
                ("B00"..="C99").contains(&text(game, "ECO").as_str())
                    || number(game, "WhiteElo").is_some_and(|elo| elo < 1500)
            }),
        ),
        (
            "plies in 20..40",
            Box::new(|game| (20..=40).contains(&game.main_line().count())),
        ),
        (
            "Termination ~ won",
            Box::new(|game| text(game, "Termination").contains("won")),
        ),
        (
            "CurrentPosition ~ \" w \"",
            Box::new(|game| text(game, "CurrentPosition").contains(" w ")),
        ),
        (
            "elo.mean >= 2000",
            Box::new(|game| {
                let elo = [number(game, "WhiteElo"), number(game, "BlackElo")];
                matches!(elo, [Some(white), Some(black)] if white + black >= 4000)
            }),
        ),
        (
            "elo.diff > 100",
            Box::new(|game| {
                let elo = [number(game, "WhiteElo"), number(game, "BlackElo")];
                matches!(elo, [Some(white), Some(black)] if white.abs_diff(black) > 100)
            }),
        ),
        (
            "winner ~ a",
            Box::new(|game| {
                let name = match text(game, "Result").as_str() {
                    "1-0" => text(game, "White"),
                    "0-1" => text(game, "Black"),
                    _ => return false,
                };
                name.to_lowercase().contains('a')
            }),
        ),
        (
            "loser.elo > 2400",
            Box::new(|game| {
                let elo = match text(game, "Result").as_str() {
                    "1-0" => number(game, "BlackElo"),
                    "0-1" => number(game, "WhiteElo"),
                    _ => None,
                };
                elo.is_some_and(|elo| elo > 2400)
            }),
        ),
        (
            "White ~ /^[A-H]/",
            Box::new(|game| matches!(text(game, "White").as_bytes(), [b'A'..=b'H', ..])),
        ),
        (
            "mate",
            Box::new(|game| {
                let last = game.position(game.plies().len());
                last.is_some_and(|last| last.is_check() && last.legal_plies().is_empty())
            }),
        ),
        (
            "variant = chess960",
            Box::new(|game| {
                game.main_line_position(0)
                    .is_some_and(|start| start.rules().chess960)
            }),
        ),
    ];
    for (filter_text, matches) in cases {
        let expected = (1..).zip(games).filter(|(_, game)| matches(game));
        let expected: Vec<u64> = expected.map(|(number, _)| number).collect();
        let found = find(archive, &filter(filter_text));
        let found: Vec<u64> = found.into_iter().map(|(number, _)| number).collect();
        assert_eq!(found, expected, "{filter_text}");
        assert!(
            !found.is_empty() && found.len() < games.len(),
            "{filter_text}"
        );
    }
}

const GAMES: &str = "\
[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n[WhiteElo \"2000\"]\n[Date \"2001.01.01\"]\n[Event \"X\"]\n\n1. e4 e5 2. Nf3 Nc6 1-0\n\n\
[White \"B\"]\n[Black \"A\"]\n[Result \"1/2-1/2\"]\n[Event \"X\"]\n\n1. Nf3 Nc6 2. e4 (2. d4 d5 {a comment}) 2... e5 1/2-1/2\n\n\
[White \"C\"]\n[Black \"A\"]\n[Result \"0-1\"]\n[WhiteElo \"2200\"]\n[Date \"2003.??.??\"]\n[Event \"Y\"]\n\n1. e4 {[%clk 0:01:00]} c5 0-1\n\n\
[White \"C\"]\n[Black \"B\"]\n[Result \"*\"]\n[Event \"Y\"]\n\n1. d4 d5 2. e4 Kd4 3. c4 *\n";

/// The text of a game after its tag pairs.
fn movetext(archive: &Archive, number: u64) -> String {
    let text = archive.text(number).unwrap();
    let text = String::from_utf8_lossy(&text);
    let tags = archive.head(number).unwrap().tags;
    let names = tags.iter().map(|(name, _)| String::from_utf8_lossy(name));
    let last = names
        .filter_map(|name| text.find(&format!("[{name}")))
        .max();
    let rest = &text[last.unwrap_or(0)..];
    let end = rest.find("\"]").filter(|_| last.is_some());
    rest[end.unwrap_or(0)..].to_owned()
}

/// Whether a comment has text outside `[%…]`.
fn has_text(comment: &str) -> bool {
    let mut pieces = comment.split("[%");
    let before = pieces.next().unwrap_or_default();
    let mut after = pieces.map(|piece| piece.split_once(']').map_or("x", |(_, rest)| rest));
    !before.trim().is_empty() || after.any(|rest| !rest.trim().is_empty())
}

/// The marks are decoded without the moves; here they are read from the text.
#[test]
fn features_of_movetexts_are_those_of_the_texts() {
    type HasFeature = fn(&Game, &str) -> bool;
    let cases: [(&str, HasFeature); 4] = [
        ("has clocks", |_, text| text.contains("[%clk")),
        ("has evals", |_, text| text.contains("[%eval")),
        ("has variations", |game, _| {
            game.tokens.contains(&Token::BeginVariation)
        }),
        ("has comments", |game, text| {
            let comments = game.tokens.iter().filter_map(|token| match token {
                Token::Comment(text) => Some(String::from_utf8_lossy(text).into_owned()),
                _ => None,
            });
            let of_lines = text.lines().filter_map(|line| line.split_once(';'));
            let mut all = comments.chain(of_lines.map(|(_, text)| text.to_owned()));
            all.any(|comment| has_text(&comment))
        }),
    ];
    let archive = &*SAMPLES;
    for (filter_text, has_feature) in cases {
        let found = find(archive, &filter(filter_text));
        let found: Vec<u64> = found.into_iter().map(|(number, _)| number).collect();
        let mut compared = 0;
        for (number, game) in (1..).zip(&*GAMES_OF_SAMPLES) {
            // pgn-reader omits what is broken.
            if archive.head(number).unwrap().verbatim_reason.is_some() {
                continue;
            }
            let expected = has_feature(game, &movetext(archive, number));
            let is_found = found.binary_search(&number).is_ok();
            assert_eq!(is_found, expected, "{filter_text} {number}");
            compared += usize::from(is_found);
        }
        assert!(compared > 10, "{filter_text}: {compared}");
    }
}

/// Two moves of the Ruy Lopez by several rules, from several starts.
const VARIANTS: &str = "\
[White \"1\"]\n\n1. e4 e5 *\n\n\
[White \"2\"]\n[Variant \"Crazyhouse\"]\n\n1. e4 e5 *\n\n\
[White \"3\"]\n[Variant \"Standard\"]\n\n1. e4 e5 *\n\n\
[White \"4\"]\n[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"]\n\n1. e4 e5 *\n\n\
[White \"5\"]\n[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1\"]\n\n1. e4 e5 *\n\n\
[White \"6\"]\n[Variant \"Crazyhouse\"]\n\n1. e4 Zz *\n\n";

#[test]
fn positions_are_those_of_chess_unless_a_variant_is_asked_for() {
    for indexes in [Indexes::None, Indexes::Openings, Indexes::Full] {
        let bytes = pack(&[VARIANTS.as_bytes().to_vec()], 16, indexes);
        let archive = Archive::new(bytes).unwrap();
        let numbers = |query: &Query| -> Vec<u64> {
            find(&archive, query)
                .into_iter()
                .map(|(number, _)| number)
                .collect()
        };
        let e4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -";
        let after_e4 = |filter_text: Option<&str>| Query {
            filter: filter_text.map(|text| text.parse().unwrap()),
            positions: vec![PositionTest::exact(e4).unwrap()],
            ..Query::default()
        };
        assert_eq!(numbers(&after_e4(None)), [1, 3], "{indexes:?}");
        assert_eq!(numbers(&after_e4(Some("White?"))), [1, 3]);
        assert_eq!(numbers(&after_e4(Some("variant = crazyhouse"))), [2, 6]);
        assert_eq!(numbers(&after_e4(Some("variant?"))), [1, 2, 3, 4, 6]);
        let pawn = Query {
            positions: vec![PositionTest::pattern(vec!["Pe4".parse().unwrap()])],
            ..Query::default()
        };
        assert_eq!(numbers(&pawn), [1, 3, 5]);
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
        let games = |filter_text: &str| {
            let filter = filter_text.parse().unwrap();
            archive.tree(start, Some(&filter)).unwrap().0.all.games
        };
        assert_eq!(archive.tree(start, None).unwrap().0.all.games, 2);
        assert_eq!(games("variant = crazyhouse"), 2);
        assert_eq!(games("variant?"), 5);
        let filter = filter("variant = crazyhouse or White = 1");
        assert_eq!(numbers(&filter), [1, 2, 6]);
    }
}

#[test]
fn movetext_features_are_found() {
    let archive = archive_of(GAMES);
    for (text, expected) in [
        ("has clocks", &[3][..]),
        ("has evals", &[]),
        ("has comments", &[2]),
        ("comments?", &[2, 3]),
        ("has variations", &[2]),
        ("not has comments and white != B", &[1, 3, 4]),
        ("Date >= 2002", &[3]),
        ("plies = 5", &[4]),
    ] {
        let found = find(&archive, &filter(text));
        assert_eq!(
            found.iter().map(|(number, _)| *number).collect::<Vec<_>>(),
            expected,
            "{text}"
        );
    }
}

#[test]
fn variations_are_searched_on_request() {
    let archive = archive_of(GAMES);
    let in_variation = "r1bqkbnr/ppp1pppp/2n5/3p4/3P4/5N2/PPP1PPPP/RNBQKB1R w KQkq -";
    let mut query = board(PositionTest::exact(in_variation).unwrap());
    assert_eq!(find(&archive, &query), []);
    query.scope = LineScope::AnyLine;
    assert_eq!(find(&archive, &query), [(2, Some(Place::Variation))]);
    // Transpositions match, and so does a game up to its illegal move.
    let knights = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq -";
    let hits = [(1, Some(Place::Ply(4))), (2, Some(Place::Ply(4)))];
    assert_eq!(
        find(&archive, &board(PositionTest::exact(knights).unwrap())),
        hits
    );
    let last = "rnbqkbnr/ppp1pppp/8/3p4/3PP3/8/PPP2PPP/RNBQKBNR b KQkq -";
    let hits = [(4, Some(Place::Ply(3)))];
    assert_eq!(
        find(&archive, &board(PositionTest::exact(last).unwrap())),
        hits
    );
}

#[test]
fn filters_and_boards_are_combined() {
    let archive = archive_of(GAMES);
    let query = Query {
        filter: Some("Result = 1-0 or Result = *".parse().unwrap()),
        positions: vec![
            PositionTest::pattern(vec!["Pe4".parse().unwrap()]),
            PositionTest::material(vec!["KQRRBBNNPPPPPPPPkqrrbbnnpppppppp".parse().unwrap()]),
        ],
        ..Query::default()
    };
    let hits = [(1, Some(Place::Ply(1))), (4, Some(Place::Ply(3)))];
    assert_eq!(find(&archive, &query), hits);
}

#[test]
fn search_continues_after_a_damaged_block() {
    let text: String = (0..200)
        .map(|n| format!("[White \"{n}\"]\n\n1. e4 e5 *\n\n"))
        .collect();
    let mut damaged = unprotected(pack(&[text.into_bytes()], 16, Indexes::None));
    let tags = places::tags(&damaged)[3];
    damaged[tags] ^= 1;
    let archive = Archive::new(damaged).unwrap();
    let query = filter("White?");
    let hits: Vec<_> = archive.query(&query).unwrap().collect();
    assert_eq!(hits.iter().filter(|hit| hit.is_err()).count(), 1);
    assert!(hits[48].is_err());
    let numbers = hits.iter().flatten().map(|hit| hit.number);
    assert!(numbers.eq((1..=48).chain(65..=200)));
    let (stats, errors) = archive.stats(None, false);
    assert_eq!((stats.score.games, errors.len()), (184, 1));
}

#[test]
fn a_damaged_movetext_is_one_error_of_what_reads_moves() {
    let text: String = (0..200)
        .map(|n| format!("[White \"{n}\"]\n\n1. e4 e5 *\n\n"))
        .collect();
    let mut damaged = unprotected(pack(&[text.into_bytes()], 16, Indexes::None));
    let block = places::blocks(&damaged)[3];
    damaged[block] ^= 1;
    let archive = Archive::new(damaged).unwrap();
    assert_eq!(find(&archive, &filter("White?")).len(), 200);
    let query = Query {
        positions: vec![PositionTest::pattern(vec!["Pe4".parse().unwrap()])],
        ..Query::default()
    };
    let hits: Vec<_> = archive.query(&query).unwrap().collect();
    assert_eq!(hits.iter().flatten().count(), 184);
    let errors: Vec<_> = hits.iter().filter_map(|hit| hit.as_ref().err()).collect();
    assert_eq!(errors.len(), 1);
    assert_eq!(errors[0].games(), Some(49..65));
    let (stats, errors) = archive.stats(None, false);
    assert_eq!((stats.score.games, errors.len()), (200, 0));
}

/// Games that repeat positions; the first reaches one by a move that it has played before.
const REPEATED: &str = "\
[Result \"1-0\"]\n\n1. Nc3 Nf6 2. Nb1 Nd5 3. Nf3 Nf6 4. Ng1 e5 5. Nf3 1-0\n\n\
[Result \"0-1\"]\n\n1. Nf3 Nf6 0-1\n\n\
[Result \"1/2-1/2\"]\n\n1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. e4 1/2-1/2\n\n";

#[test]
fn indexed_trees_match_replay() {
    let mut fens = vec!["rnbqkb1r/pppppppp/5n2/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq -".to_owned()];
    let lines = &*LINES;
    let spread = (0..5).filter_map(|at| lines[at * lines.len() / 5].get(2 * at));
    fens.extend(spread.map(|position| position.fen.clone()));
    assert!(fens.len() > 3);
    let filter = "Result = \"1-0\" or plies > 20".parse().unwrap();
    let asked = fens
        .iter()
        .flat_map(|fen| [(fen, None), (fen, Some(&filter))]);
    let trees = |archive: &Archive| {
        let mut read = 0;
        let trees = asked.clone().map(|(fen, filter)| {
            let (mut tree, errors) = archive.tree(fen, filter).unwrap();
            read += std::mem::take(&mut tree.games_read);
            assert!(errors.is_empty());
            tree
        });
        (trees.collect::<Vec<_>>(), read)
    };
    let (expected, read_plainly) = trees(&PLAIN);
    for archive in [&*SAMPLES, &*FULL] {
        let (found, read) = trees(archive);
        assert_eq!(found, expected);
        assert!(read < read_plainly, "{read} of {read_plainly}");
    }
}

#[test]
fn trees_count_the_moves_played() {
    let archive = archive_of(GAMES);
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    let (tree, errors) = archive.tree(start, None).unwrap();
    assert!(errors.is_empty());
    let branches: Vec<(&str, u64, u64)> = tree
        .branches
        .iter()
        .map(|branch| (branch.san.as_str(), branch.count.games, branch.reached))
        .collect();
    assert_eq!(branches, [("e4", 2, 2), ("Nf3", 1, 1), ("d4", 1, 1)]);
    let e4 = &tree.branches[0].count;
    assert_eq!((e4.white, e4.draws, e4.black), (1, 0, 1));
    assert_eq!((e4.elo(), e4.last_year), (Some(2100), Some(2003)));
    assert_eq!(e4.white_score(), Some(0.5));
    // Also reached by transposition.
    let (tree, _) = archive
        .tree(
            "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq -",
            None,
        )
        .unwrap();
    assert_eq!(
        (
            tree.all.games,
            tree.branches[0].count.games,
            tree.branches[0].reached
        ),
        (1, 1, 2)
    );
    let filter = "White = C".parse().unwrap();
    let (tree, _) = archive.tree(start, Some(&filter)).unwrap();
    assert_eq!((tree.all.games, tree.ended), (2, 0));
    assert!(archive.tree("8/8", None).is_err());
}

/// The ply of castling in Chess960 names the rook.
#[test]
fn trees_count_castling_of_chess960() {
    let fen = "rbnqk2r/pppppppp/8/8/8/8/PPPPPPPP/RBNQK2R w KQkq - 0 1";
    let text =
        format!("[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n1. O-O O-O *\n\n");
    let archive = Archive::new(pack(&[text.into_bytes()], 16, Indexes::Full)).unwrap();
    let (tree, _) = archive.tree(fen, None).unwrap();
    assert_eq!((tree.all.games, tree.others, tree.ended), (1, 0, 0));
    assert_eq!(tree.branches[0].san, "O-O");
}

/// A drop and a null move are no moves of chess, but the games do not end there.
#[test]
fn trees_count_games_that_go_on_with_other_moves() {
    let crazyhouse = "[Variant \"Crazyhouse\"]\n\n1. e4 d5 2. exd5 Qxd5";
    let games = ["3. P@e4", "3. Nc3", "3. --", "3. P@e5 Qxe5+", ""];
    let text = games.map(|rest| format!("{crazyhouse} {rest} *\n\n"));
    let fen = "rnb1kbnr/ppp1pppp/8/3q4/8/8/PPPP1PPP/RNBQKBNR w KQkq -";
    let filter = "variant = crazyhouse".parse().unwrap();
    for indexes in [Indexes::None, Indexes::Openings, Indexes::Full] {
        let bytes = pack(&[text.concat().into_bytes()], 16, indexes);
        let archive = Archive::new(bytes).unwrap();
        let (tree, errors) = archive.tree(fen, Some(&filter)).unwrap();
        assert!(errors.is_empty());
        assert_eq!((tree.all.games, tree.others, tree.ended), (5, 3, 1));
        let branches = tree.branches.iter();
        let branches: Vec<_> = branches
            .map(|branch| (&branch.san[..], branch.count.games))
            .collect();
        assert_eq!(branches, [("Nc3", 1)]);
    }
}

#[test]
fn stats_add_up() {
    let archive = archive_of(GAMES);
    let (stats, _) = archive.stats(None, true);
    let score = |games, won, drawn, lost| Score {
        games,
        won,
        drawn,
        lost,
    };
    assert_eq!(stats.score, score(4, 1, 1, 1));
    assert_eq!(
        stats.years,
        [(None, 2), (Some(2001), 1), (Some(2003), 1)].into()
    );
    assert_eq!(
        stats.events,
        [("X".to_owned(), 2), ("Y".to_owned(), 2)].into()
    );
    let a = &stats.players["A"];
    assert_eq!(a.score, score(3, 2, 1, 0));
    assert_eq!(a.against["B"], score(2, 1, 1, 0));
    assert_eq!(stats.players["C"].best_elo, Some(2200));
    assert_eq!(stats.plies, 4 + 4 + 2 + 5);
}

/// Positions of an archive at all depths, and some rare ones with the other side to move.
fn positions_of(archive: &Archive) -> Vec<String> {
    let step = usize::try_from(archive.games() / 480).unwrap().max(1);
    let mut fens = Vec::new();
    for (at, number) in (1..=archive.games()).step_by(step).enumerate() {
        let game = archive.game(number).unwrap();
        let depth = 7 * at % (game.plies().len() + 1);
        // None if the start position is not legal.
        let Some(position) = game.position(depth) else {
            continue;
        };
        let fields = four_fields(&position.fen());
        let other_side = match fields.contains(" w ") {
            true => fields.replace(" w ", " b "),
            false => fields.replace(" b ", " w "),
        };
        fens.extend([other_side].into_iter().filter(|_| at % 16 == 0));
        fens.push(fields);
    }
    fens.retain(|fen| PositionTest::exact(fen).is_ok());
    fens.sort();
    fens.dedup();
    fens
}

/// Compares queries for about 500 positions with a replay of all games of an archive.
#[test]
#[ignore = "reads an archive: PGNA_ARCHIVE=a.pgna cargo test --release --test it query:: -- --ignored"]
fn positions_of_a_large_archive_are_found() {
    let path = std::env::var_os("PGNA_ARCHIVE").expect("PGNA_ARCHIVE names an archive");
    let archive = Archive::map(Path::new(&path), Limits::default()).unwrap();
    let fens = positions_of(&archive);
    let places = archive.block_places().unwrap();
    let of_block = places.par_iter().flat_map_iter(|place| {
        let block = archive.block_games(place).unwrap();
        let mut hits: Vec<(usize, u64, usize)> = Vec::new();
        for game in 0..block.len() {
            let Some(moves) = block.moves(game).unwrap() else {
                continue;
            };
            let number = block.number(game);
            moves.find_in_main_line(|ply, position| {
                // `positions_of` sorts them.
                if let Ok(at) = fens.binary_search(&four_fields(&position.fen()))
                    && !hits.iter().any(|hit| (hit.0, hit.1) == (at, number))
                {
                    hits.push((at, number, ply));
                }
                None::<()>
            });
        }
        hits
    });
    let mut replayed: Vec<_> = of_block.collect();
    replayed.sort_unstable();
    let (mut absent, mut read) = (0, 0);
    for (at, fen) in fens.iter().enumerate() {
        let expected = replayed.iter().filter(|hit| hit.0 == at);
        let expected: Vec<_> = expected
            .map(|(_, number, ply)| (*number, Some(Place::Ply(*ply))))
            .collect();
        let query = board(PositionTest::exact(fen).unwrap());
        let mut hits = archive.query(&query).unwrap();
        let found: Vec<_> = hits
            .by_ref()
            .map(|hit| hit.map(|hit| (hit.number, hit.place)).unwrap())
            .collect();
        assert_eq!(found, expected, "{fen}");
        absent += usize::from(found.is_empty());
        read += hits.games_read();
    }
    println!(
        "{} positions, {absent} in no game, {} hits in {} games; {read} games read",
        fens.len(),
        replayed.len(),
        archive.games()
    );
}
