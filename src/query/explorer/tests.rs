//! The explorer against counts that are made from the text of every game.

use super::*;
use crate::archive::{Indexes, PackOptions, Writer};
use crate::chess::Outcome;
use crate::pgn::Game;
use crate::query::tree::outcome;
use std::collections::BTreeMap;
use std::fs;

/// What is counted of a move: White's wins, draws, Black's wins.
type Results = [u64; 3];

fn archive(indexes: Indexes, segment_bytes: usize) -> Arc<Archive> {
    let options = PackOptions {
        indexes,
        segment_bytes,
        ..PackOptions::default()
    };
    let mut writer = Writer::new(Vec::new(), options).unwrap();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data");
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().path())
        .collect();
    files.sort();
    for file in files
        .iter()
        .filter(|file| file.extension().is_some_and(|ext| ext == "pgn"))
    {
        let name = file.file_name().unwrap().to_string_lossy();
        writer
            .add_source(&name, fs::File::open(file).unwrap())
            .unwrap();
    }
    Arc::new(Archive::new(writer.finish().unwrap().0).unwrap())
}

/// The games of chess with a result, with their moves.
fn games(archive: &Archive) -> Vec<(Outcome, ChessPosition, Vec<PlyKind>)> {
    let games = (1..=archive.games()).map(|number| archive.game(number).unwrap());
    let counted = games.filter_map(|game: Game| {
        let is_variant = game
            .tag(b"Variant")
            .is_some_and(|variant| !matches!(Rules::by_name(variant), Some(Rules::CHESS)));
        let outcome = outcome(&String::from_utf8_lossy(game.tag(b"Result")?))?;
        (!is_variant)
            .then(|| Some((outcome, game.main_line_position(0)?, game.main_line_plies())))?
    });
    counted.collect()
}

/// The positions of some games after some plies.
fn positions(games: &[(Outcome, ChessPosition, Vec<PlyKind>)]) -> Vec<ChessPosition> {
    let mut positions = Vec::new();
    for (number, (_, start, plies)) in games.iter().enumerate().step_by(9) {
        let mut position = start.clone();
        for ply in plies.iter().take(number % 50) {
            position.make(*ply).unwrap();
        }
        positions.push(position);
    }
    positions
}

fn expected(
    at: &ExplorerPosition,
    games: &[(Outcome, ChessPosition, Vec<PlyKind>)],
) -> BTreeMap<usize, Results> {
    let mut counts: BTreeMap<usize, Results> = BTreeMap::new();
    for (outcome, start, plies) in games {
        let mut position = start.clone();
        for ply in plies {
            if at.moves.board.is_in(&position) {
                let result = match outcome {
                    Outcome::Draw => 1,
                    Outcome::Decisive { winner } => winner.fold_wb(0, 2),
                };
                if let Some(number) = at.moves.number_of(*ply) {
                    counts.entry(number).or_default()[result] += 1;
                }
                break;
            }
            position.make(*ply).unwrap();
        }
    }
    counts
}

fn explored(explorer: &Explorer, at: &ExplorerPosition, selection: &Selection) -> Explored {
    let query = ExplorerQuery {
        selection,
        top: 5,
        recent: 5,
        has_months: true,
    };
    explorer.explore(at, &query).unwrap()
}

#[test]
fn counts_are_those_of_the_games() {
    for (indexes, segment_bytes) in [
        (Indexes::Full, 1 << 26),
        (Indexes::Full, 1 << 16),
        (Indexes::Openings, 1 << 26),
        (Indexes::None, 1 << 26),
    ] {
        let archive = archive(indexes, segment_bytes);
        let games = games(&archive);
        assert!(games.len() > 300);
        let explorer = Explorer::new(Arc::clone(&archive)).unwrap();
        assert!(explorer.unread().is_empty());
        let everything = explorer.placed_games(1..=archive.games());
        let by_set = Selection {
            games: Some(Arc::new(everything)),
            ..Selection::default()
        };
        for position in positions(&games) {
            let at = ExplorerPosition::new(Some(&position.fen()), []).unwrap();
            let expected = expected(&at, &games);
            for selection in [&Selection::default(), &by_set] {
                let explored = explored(&explorer, &at, selection);
                let moves = explored.moves.iter();
                let found: BTreeMap<usize, Results> = moves
                    .map(|count| {
                        let sums = &count.sums;
                        (count.number, [sums.white, sums.draws, sums.black])
                    })
                    .collect();
                assert_eq!(found, expected, "{indexes:?} {}", position.fen());
                let of_months: u64 = explored.months.all().map(Sums::games).sum();
                let all = expected.values().flatten().sum::<u64>();
                assert_eq!(of_months, all);
                assert_eq!(explored.top.len() as u64, all.min(5));
                assert!(
                    explored
                        .top
                        .is_sorted_by_key(|game| std::cmp::Reverse(game.ranks()[0]))
                );
                assert!(
                    explored
                        .recent
                        .is_sorted_by_key(|game| std::cmp::Reverse(game.ranks()[1]))
                );
                for count in &explored.moves {
                    assert_eq!(count.game.is_some(), count.sums.games() == 1);
                }
            }
        }
    }
}

#[test]
fn selections_divide_the_games() {
    let explorer = Explorer::new(archive(Indexes::Full, 1 << 26)).unwrap();
    let at = ExplorerPosition::new(None, []).unwrap();
    let games = |selection: Selection| {
        let moves = explored(&explorer, &at, &selection).moves;
        moves.iter().map(|count| count.sums.games()).sum::<u64>()
    };
    let all = games(Selection::default());
    let none = games(Selection {
        games: Some(Arc::default()),
        ..Selection::default()
    });
    assert_eq!(none, 0);
    // Games have one speed at most, and one rating group.
    let of_speeds = [Speed::Bullet, Speed::Blitz, Speed::Rapid, Speed::Classical].map(|speed| {
        games(Selection {
            speeds: Some(vec![speed]),
            ..Selection::default()
        })
    });
    assert!(of_speeds.iter().filter(|games| **games > 0).count() > 1);
    assert!(of_speeds.iter().sum::<u64>() < all);
    let of_groups = (0..RATING_GROUPS.len()).map(|group| {
        let mut groups = [false; RATING_GROUPS.len()];
        groups[group] = true;
        games(Selection {
            ratings: Some(groups),
            ..Selection::default()
        })
    });
    let rated = games(Selection {
        ratings: Some([true; RATING_GROUPS.len()]),
        ..Selection::default()
    });
    assert_eq!(of_groups.sum::<u64>(), rated);
    assert!(0 < rated && rated < all);
    let before = month_number(2000, Some(12));
    let [earlier, later] =
        [(None, Some(before)), (Some(before + 1), None)].map(|(since, until)| {
            games(Selection {
                since,
                until,
                ..Selection::default()
            })
        });
    assert!(earlier > 0 && later > 0 && earlier + later <= all);
}

#[test]
fn moves_are_written_and_read_in_uci() {
    let fen = "r3k2r/P7/8/8/8/8/8/R3K2R w KQkq - 0 1";
    let at = ExplorerPosition::new(Some(fen), []).unwrap();
    let texts: Vec<(String, &str)> = (0..).map_while(|number| at.texts_of(number)).collect();
    for (uci, san) in [
        ("e1h1", "O-O"),
        ("e1a1", "O-O-O"),
        ("a7b8q", ""),
        ("a1a6", "Ra6"),
    ] {
        let found = texts
            .iter()
            .find(|(text, _)| text == uci)
            .map(|(_, san)| *san);
        assert_eq!(found.unwrap_or_default(), san, "{uci}");
    }
    for play in ["e1h1", "e1g1", "a1a6", "h1h8"] {
        assert!(ExplorerPosition::new(Some(fen), [play]).is_ok(), "{play}");
    }
    for play in ["e1e8", "a7a8q", "e2", "", "é1h1", "0000", "e1g1q"] {
        assert!(ExplorerPosition::new(Some(fen), [play]).is_err(), "{play}");
    }
    assert!(ExplorerPosition::new(Some("nonsense"), []).is_err());
}
