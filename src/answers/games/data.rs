//! A game as data.

use crate::answers::error::ApiError;
use crate::draw::{Eval, GameTree, Line, MoveNode, Notes};
use crate::pgn::{Arrow, ColoredSquare, ShapeColor};
use crate::{Archive, Game};
use serde::Serialize;

/// A game.
#[derive(Serialize)]
pub(crate) struct GameData {
    number: u64,
    /// Names and values in the order of the game.
    tags: Vec<(String, String)>,
    result: Option<&'static str>,
    /// Missing if the start position is not legal.
    start_fen: Option<String>,
    comments: Vec<String>,
    moves: Vec<Move>,
    /// The first words that are no legal move, where the main line ends.
    moves_end_at: Option<String>,
    previous: Option<u64>,
    next: Option<u64>,
}

#[derive(Serialize)]
struct Move {
    san: String,
    uci: String,
    #[serde(flatten)]
    notes: MoveNotes,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    variations: Vec<Variation>,
}

#[derive(Serialize)]
struct Variation {
    comments: Vec<String>,
    moves: Vec<Move>,
}

#[derive(Serialize)]
struct MoveNotes {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    nags: Vec<u8>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    comments: Vec<String>,
    /// In seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    clock: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    eval: Option<Evaluation>,
    #[serde(skip_serializing_if = "Option::is_none")]
    shapes: Option<Shapes>,
}

/// From White's side.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Evaluation {
    Cp(i32),
    Mate(i32),
}

/// Shapes by the letters of their colours: `Ge4`, `Re2e4`.
#[derive(Serialize)]
struct Shapes {
    squares: Vec<String>,
    arrows: Vec<String>,
}

impl GameData {
    pub(super) fn read(archive: &Archive, number: u64) -> Result<GameData, ApiError> {
        let game = archive.game(number)?;
        let encoding = archive.encoding();
        let tree = GameTree::new(&game, encoding);
        let tags = tags(&game, |value| encoding.decode(value).into_owned());
        let (start_fen, main, result) = match tree {
            Some(tree) => (Some(tree.start.fen()), tree.main, tree.result),
            None => (None, Line::default(), None),
        };
        Ok(GameData {
            number,
            tags,
            result,
            start_fen,
            comments: main.notes.comments,
            moves: main.moves.into_iter().map(Move::of).collect(),
            moves_end_at: main.unplayed,
            previous: Some(number - 1).filter(|number| *number > 0),
            next: Some(number + 1).filter(|number| *number <= archive.games()),
        })
    }
}

fn tags(game: &Game, decode: impl Fn(&[u8]) -> String) -> Vec<(String, String)> {
    let tags = game.tags.iter();
    tags.map(|(name, value)| (decode(name), decode(value)))
        .collect()
}

impl Move {
    /// The tree is at most [`crate::draw::MAX_DEPTH`] deep.
    fn of(node: MoveNode) -> Move {
        Move {
            uci: node.ply.to_string(),
            san: node.san,
            notes: MoveNotes::of(node.notes),
            variations: node.variations.into_iter().map(Variation::of).collect(),
        }
    }
}

impl Variation {
    fn of(line: Line) -> Variation {
        Variation {
            comments: line.notes.comments,
            moves: line.moves.into_iter().map(Move::of).collect(),
        }
    }
}

impl MoveNotes {
    fn of(notes: Notes) -> MoveNotes {
        let shapes = Shapes {
            squares: notes.squares.iter().map(square_text).collect(),
            arrows: notes.arrows.iter().map(arrow_text).collect(),
        };
        let has_shapes = !shapes.squares.is_empty() || !shapes.arrows.is_empty();
        MoveNotes {
            nags: notes.nags,
            comments: notes.comments,
            clock: notes.clock_millis.map(|millis| f64::from(millis) / 1000.0),
            eval: notes.eval.map(|eval| match eval {
                Eval::Centipawns(pawns) => Evaluation::Cp(pawns),
                Eval::Mate(moves) => Evaluation::Mate(moves),
            }),
            shapes: has_shapes.then_some(shapes),
        }
    }
}

fn letter(color: ShapeColor) -> char {
    match color {
        ShapeColor::Green => 'G',
        ShapeColor::Red => 'R',
        ShapeColor::Yellow => 'Y',
        ShapeColor::Blue => 'B',
    }
}

fn square_text(shape: &ColoredSquare) -> String {
    format!("{}{}", letter(shape.color), shape.square)
}

fn arrow_text(arrow: &Arrow) -> String {
    format!("{}{}{}", letter(arrow.color), arrow.from, arrow.to)
}
