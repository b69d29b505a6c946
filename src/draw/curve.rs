//! The evaluations of a game as a curve.

use super::game_tree::{Eval, Line, MoveNode};
use maud::{Markup, html};

const WIDTH: f64 = 600.0;
const HEIGHT: f64 = 100.0;

/// The curve of the main line of a game.
#[derive(Debug)]
pub(super) struct Curve<'a> {
    moves: &'a [MoveNode],
}

impl<'a> Curve<'a> {
    /// The curve of a line; `None` if fewer than two moves have evaluations.
    pub(super) fn new(line: &'a Line) -> Option<Self> {
        let evals = line.moves.iter().filter_map(|node| node.notes.eval);
        let moves = &line.moves;
        (evals.take(2).count() == 2).then_some(Curve { moves })
    }

    /// The place of the position after this many plies.
    pub(super) fn x(&self, plies: usize) -> String {
        let x = WIDTH * plies as f64 / self.moves.len().max(1) as f64;
        format!("{x:.1}")
    }

    /// The curve, with a line at the position after this many plies.
    pub(super) fn svg(&self, plies: usize) -> Markup {
        let now = self.x(plies);
        html! {
            svg class="curve" viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } preserveAspectRatio="none"
                role="img" aria-label="Evaluations; White's advantage is up" {
                path class="area" d=(self.area()) {}
                line class="zero" x1="0" x2=(WIDTH) y1=(HEIGHT / 2.0) y2=(HEIGHT / 2.0) {}
                line class="now" x1=(now) x2=(now) y1="0" y2=(HEIGHT) {}
            }
        }
    }

    /// The area below the curve. A move without an evaluation has that of the move before it.
    fn area(&self) -> String {
        let mut path = format!("M0 {HEIGHT}L0 {:.1}", HEIGHT / 2.0);
        let mut y = HEIGHT / 2.0;
        for node in self.moves {
            if let Some(eval) = node.notes.eval {
                y = HEIGHT * (1.0 - expectation(eval, node.is_white));
            }
            path += &format!("L{} {y:.1}", self.x(node.plies));
        }
        path + &format!("L{WIDTH} {HEIGHT}Z")
    }
}

/// The share of points that White can expect, by the curve of Lichess. A mate in no moves is that of
/// the side that has just moved.
fn expectation(eval: Eval, is_white_last: bool) -> f64 {
    match eval {
        Eval::Centipawns(value) => 1.0 / (1.0 + (-0.003_682_08 * f64::from(value)).exp()),
        Eval::Mate(0) => f64::from(u8::from(is_white_last)),
        Eval::Mate(moves) => f64::from(u8::from(moves > 0)),
    }
}
