//! Boards as SVG.

use super::board::Diagram;
use super::pieces;
use super::text::Text;
use crate::chess::{Color, Role, Square};
use crate::pgn::{Arrow, ColoredSquare, ShapeColor};
use maud::{Markup, html};

/// The edge of a square. The script of a game's page has it too.
const SQUARE: u32 = 100;

const LIGHT: &str = "#efe6d5";
const DARK: &str = "#b08d6a";
const LAST: &str = "#f2d33c";

const COLORS: [ShapeColor; 4] = [
    ShapeColor::Green,
    ShapeColor::Red,
    ShapeColor::Yellow,
    ShapeColor::Blue,
];

fn paint(color: ShapeColor) -> &'static str {
    match color {
        ShapeColor::Green => "#2f8f3a",
        ShapeColor::Red => "#c8362d",
        ShapeColor::Yellow => "#e0a81c",
        ShapeColor::Blue => "#2a6fbd",
    }
}

/// Which pieces a drawing defines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pieces {
    /// Those that the board has.
    OnBoard,
    /// All, for a script that draws other positions.
    All,
}

impl Diagram {
    /// The board as a document.
    pub fn svg(&self) -> String {
        self.placed(Pieces::OnBoard, 0, 8 * SQUARE).into_string() + "\n"
    }

    /// The board as an element of this size, at this distance from the left and the top.
    pub(super) fn placed(&self, pieces: Pieces, at: u32, size: u32) -> Markup {
        html! {
            svg xmlns="http://www.w3.org/2000/svg" class="board" viewBox="0 0 800 800"
                x=(at) y=(at) width=(size) height=(size) role="img" {
                title { (Text(&self.title)) }
                (self.definitions(pieces))
                (squares())
                g class="marks" { (self.marks()) }
                g class="coordinates" font-family="sans-serif" font-size="20" font-weight="600" {
                    (self.coordinates())
                }
                g class="pieces" {
                    @for (square, piece) in &self.pieces {
                        @let (x, y) = self.corner(*square);
                        use href={ "#" (pieces::id(*piece)) } x=(x) y=(y) {}
                    }
                }
                g class="arrows" fill="none" stroke-width="15" stroke-linecap="round"
                    opacity="0.8" {
                    @for arrow in &self.arrows { (self.arrow(*arrow)) }
                }
            }
        }
    }

    fn definitions(&self, which: Pieces) -> Markup {
        let colors = [Color::White, Color::Black].into_iter();
        let all = colors.flat_map(|color| Role::ALL.map(|role| role.of(color)));
        let is_used = |piece| which == Pieces::All || self.pieces.iter().any(|it| it.1 == piece);
        html! {
            defs {
                radialGradient id="check" {
                    stop offset="20%" stop-color="#e02a1b" {}
                    stop offset="60%" stop-color="#d8331f" stop-opacity="0.75" {}
                    stop offset="100%" stop-color="#c02a1b" stop-opacity="0" {}
                }
                @for color in COLORS {
                    marker id={ "head-" (color.letter()) } viewBox="0 0 10 10" refX="3" refY="5"
                        markerWidth="3" markerHeight="3" orient="auto" {
                        path d="M0 0L10 5L0 10Z" fill=(paint(color)) {}
                    }
                }
                @for piece in all.filter(|piece| is_used(*piece)) { (pieces::definition(piece)) }
            }
        }
    }

    fn marks(&self) -> Markup {
        html! {
            @for square in &self.last {
                @let (x, y) = self.corner(*square);
                rect x=(x) y=(y) width=(SQUARE) height=(SQUARE) fill=(LAST) opacity="0.55" {}
            }
            @if let Some(square) = self.check {
                @let (x, y) = self.corner(square);
                rect x=(x) y=(y) width=(SQUARE) height=(SQUARE) fill="url(#check)" {}
            }
            @for ColoredSquare { color, square } in &self.squares {
                @let (x, y) = self.corner(*square);
                rect x=(x) y=(y) width=(SQUARE) height=(SQUARE) fill=(paint(*color)) opacity="0.6" {}
            }
        }
    }

    fn coordinates(&self) -> Markup {
        let paint = |is_light| if is_light { DARK } else { LIGHT };
        html! {
            @for (at, file) in (0..).zip(self.files()) {
                @let x = at * SQUARE + 94;
                text x=(x) y="794" text-anchor="end" fill=(paint(at % 2 == 1)) { (file.char()) }
            }
            @for (at, rank) in (0..).zip(self.ranks()) {
                @let y = at * SQUARE + 22;
                text x="6" y=(y) fill=(paint(at % 2 == 0)) { (rank.char()) }
            }
        }
    }

    fn arrow(&self, arrow: Arrow) -> Markup {
        let ends = [arrow.from, arrow.to].map(|square| self.corner(square));
        let [(from_x, from_y), (to_x, to_y)] = ends.map(|(x, y)| (f64::from(x), f64::from(y)));
        let (x, y) = (to_x - from_x, to_y - from_y);
        // The tip of the head is at the middle of the square, and the head is longer than its line.
        let share = 1.0 - 32.0 / x.hypot(y).max(1.0);
        let half = f64::from(SQUARE) / 2.0;
        let (to_x, to_y) = (from_x + share * x + half, from_y + share * y + half);
        html! {
            line x1=(from_x + half) y1=(from_y + half)
                x2=(format_args!("{to_x:.1}")) y2=(format_args!("{to_y:.1}"))
                stroke=(paint(arrow.color))
                marker-end={ "url(#head-" (arrow.color.letter()) ")" } {}
        }
    }

    /// The left and upper edge of a square.
    fn corner(&self, square: Square) -> (u32, u32) {
        let (column, row) = self.place(square);
        (SQUARE * column, SQUARE * row)
    }
}

/// The squares, of which the upper left one is light.
fn squares() -> Markup {
    let dark: String = (0..64)
        .filter(|at| (at / 8 + at % 8) % 2 == 1)
        .map(|at| format!("M{} {}h100v100h-100z", at % 8 * SQUARE, at / 8 * SQUARE))
        .collect();
    html! {
        rect width="800" height="800" fill=(LIGHT) {}
        path d=(dark) fill=(DARK) {}
    }
}
