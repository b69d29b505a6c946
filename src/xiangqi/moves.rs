//! The moves of the pieces, whether or not they leave a general attacked
//! (`docs/xiangqi.md`, "Rules").

use super::{Point, XiangqiPiece, XiangqiPieceKind, XiangqiPosition};

const ORTHOGONAL: [(i8, i8); 4] = [(0, -1), (-1, 0), (1, 0), (0, 1)];
const DIAGONAL: [(i8, i8); 4] = [(-1, -1), (1, -1), (-1, 1), (1, 1)];

impl XiangqiPosition {
    /// The points that the piece on a point can move to, in no particular
    /// order: empty points and those with pieces of the other side.
    pub(super) fn targets(&self, from: Point, piece: XiangqiPiece) -> Vec<Point> {
        let side = piece.side;
        let mut targets = match piece.kind {
            XiangqiPieceKind::General => steps(from, &ORTHOGONAL),
            XiangqiPieceKind::Adviser => steps(from, &DIAGONAL),
            XiangqiPieceKind::Elephant => {
                self.targets_past_empty(from, &DIAGONAL, |(files, rows)| {
                    vec![(2 * files, 2 * rows)]
                })
            }
            XiangqiPieceKind::Horse => self.targets_past_empty(from, &ORTHOGONAL, around_leg),
            XiangqiPieceKind::Chariot => self.lines(from, LineMoves::chariot),
            XiangqiPieceKind::Cannon => self.lines(from, LineMoves::cannon),
            XiangqiPieceKind::Soldier if side.is_on_own_half(from) => {
                steps(from, &[(0, side.forward())])
            }
            XiangqiPieceKind::Soldier => steps(from, &[(0, side.forward()), (-1, 0), (1, 0)]),
        };
        targets.retain(|target| {
            let is_allowed = match piece.kind {
                XiangqiPieceKind::General | XiangqiPieceKind::Adviser => side.is_in_palace(*target),
                XiangqiPieceKind::Elephant => side.is_on_own_half(*target),
                _ => true,
            };
            is_allowed && self.at(*target).is_none_or(|there| there.side != side)
        });
        targets
    }

    /// The targets past a neighbouring point that must be empty: the elephant's
    /// eye or the horse's leg.
    fn targets_past_empty(
        &self,
        from: Point,
        neighbours: &[(i8, i8)],
        beyond: impl Fn((i8, i8)) -> Vec<(i8, i8)>,
    ) -> Vec<Point> {
        let is_free = |(files, rows): &(i8, i8)| {
            let neighbour = from.step(*files, *rows);
            neighbour.is_some_and(|point| self.at(point).is_none())
        };
        let free = neighbours.iter().copied().filter(is_free);
        free.flat_map(|neighbour| steps(from, &beyond(neighbour)))
            .collect()
    }

    /// The targets on the four lines from a point.
    fn lines(&self, from: Point, targets: impl Fn(LineMoves) -> Vec<Point>) -> Vec<Point> {
        let lines = ORTHOGONAL.into_iter().map(|step| self.line(from, step));
        lines.flat_map(targets).collect()
    }

    /// The line of points from a point in a direction.
    pub(super) fn line(&self, from: Point, (files, rows): (i8, i8)) -> LineMoves {
        let mut line = LineMoves::default();
        let mut next = from.step(files, rows);
        while let Some(point) = next {
            match (self.at(point), line.first) {
                (None, None) => line.empty.push(point),
                (None, Some(_)) => {}
                (Some(_), None) => line.first = Some(point),
                (Some(_), Some(_)) => {
                    line.second = Some(point);
                    break;
                }
            }
            next = point.step(files, rows);
        }
        line
    }
}

/// The points of a line from a point.
#[derive(Debug, Default)]
pub(super) struct LineMoves {
    /// The empty points before the first piece.
    empty: Vec<Point>,
    /// The point of the first piece.
    pub(super) first: Option<Point>,
    /// The point of the second piece.
    second: Option<Point>,
}

impl LineMoves {
    fn chariot(mut self) -> Vec<Point> {
        self.empty.extend(self.first);
        self.empty
    }

    /// A cannon captures over a piece, its screen.
    fn cannon(mut self) -> Vec<Point> {
        self.empty.extend(self.second);
        self.empty
    }
}

fn steps(from: Point, steps: &[(i8, i8)]) -> Vec<Point> {
    let step = |(files, rows): &(i8, i8)| from.step(*files, *rows);
    steps.iter().filter_map(step).collect()
}

/// The two points that a horse reaches past its leg: one step further and one
/// aside.
fn around_leg((files, rows): (i8, i8)) -> Vec<(i8, i8)> {
    [-1, 1]
        .map(|aside| (2 * files + aside * rows, 2 * rows + aside * files))
        .to_vec()
}
