//! EPD.

use super::{archive, samples};
use pgna::{Archive, Position, PositionTest, Query};

/// A line in its parts: the FEN, the operations by name.
struct Line {
    fen: String,
    operations: Vec<(String, String)>,
}

impl Line {
    fn parse(line: &str) -> Line {
        let (position, operations) = line.split_once(" hmvc ").unwrap();
        let operations = format!("hmvc {operations}");
        let operations = operations.strip_suffix(';').unwrap().split("; ");
        let operations = operations.map(|operation| {
            let (name, value) = operation.split_once(' ').unwrap();
            (name.to_owned(), value.trim_matches('"').to_owned())
        });
        let mut line = Line {
            fen: String::new(),
            operations: operations.collect(),
        };
        let [halfmoves, fullmoves] = ["hmvc", "fmvn"].map(|name| line.get(name).unwrap());
        line.fen = format!("{position} {halfmoves} {fullmoves}");
        line
    }

    fn get(&self, name: &str) -> Option<&str> {
        let found = self.operations.iter().find(|(of, _)| of == name);
        found.map(|(_, value)| &value[..])
    }

    /// The game and the number of plies.
    fn place(&self) -> (u64, usize) {
        let (game, ply) = self.get("id").unwrap().split_once('@').unwrap();
        (game.parse().unwrap(), ply.parse().unwrap())
    }
}

fn check(line: &Line, archive: &Archive) {
    let (number, ply) = line.place();
    let game = archive.game(number).unwrap();
    let position = game.position(ply).unwrap();
    assert_eq!(line.fen, position.fen());
    let played = game.plies().get(ply).copied();
    let san = played.map(|ply| position.san(ply).unwrap());
    let san = san.filter(|san| san != "--");
    assert_eq!(line.get("sm"), san.as_deref());
    let variant = game.tag(b"Variant").map(String::from_utf8_lossy);
    assert_eq!(line.get("c8"), variant.as_deref());
    let result = game.tag(b"Result").map(String::from_utf8_lossy);
    let result = result.filter(|it| ["1-0", "0-1", "1/2-1/2"].contains(&&it[..]));
    assert_eq!(line.get("c9"), result.as_deref());
}

#[test]
fn each_position_has_a_line() {
    let workspace = samples();
    let archive = archive(&workspace);
    let run = workspace.run(&["export", "games.pgna", "--to", "epd", "1-40"]);
    let run = run.exits(0);
    let lines: Vec<Line> = run.text().lines().map(Line::parse).collect();
    lines.iter().for_each(|line| check(line, &archive));
    let places = lines.iter().map(Line::place);
    let expected = (1..=40).flat_map(|number| {
        let game = archive.game(number).unwrap();
        let positions = game.position(0).map_or(0, |_| game.plies().len() + 1);
        (0..positions).map(move |ply| (number, ply))
    });
    assert!(places.eq(expected));
    assert!(lines.len() > 1000);
}

#[test]
fn a_query_for_positions_selects_them() {
    let workspace = samples();
    let archive = archive(&workspace);
    let after = "1. e4 e5 2. Nf3 Nc6";
    let run = workspace.run(&["export", "games.pgna", "--to", "epd", "--after", after]);
    let run = run.exits(0);
    let lines: Vec<Line> = run.text().lines().map(Line::parse).collect();
    lines.iter().for_each(|line| check(line, &archive));
    let fen = Position::after(after).unwrap().fen();
    let query = Query {
        positions: vec![PositionTest::exact(&fen).unwrap()],
        ..Query::default()
    };
    let hits = archive
        .query(&query)
        .unwrap()
        .map(|hit| hit.unwrap().number);
    let hits: Vec<u64> = hits.collect();
    let games: Vec<u64> = lines.iter().map(|line| line.place().0).collect();
    assert_eq!(games, hits);
    assert!(hits.len() > 5);
    let board = fen.split_once(' ').unwrap().0;
    assert!(lines.iter().all(|line| line.fen.starts_with(board)));
}
