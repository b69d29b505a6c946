//! The moves of a position as a picture: the board, and a row with a bar of results for each move.

use super::board::Diagram;
use super::figures::{grouped, percent, ratio};
use super::svg::Pieces;
use super::text::Text;
use crate::query::{Tree, TreeCount};
use maud::{Markup, PreEscaped, html};

/// More moves are one row.
const MAX_ROWS: usize = 24;

const MARGIN: u32 = 20;
const BOARD: u32 = 384;
const WIDTH: u32 = 1040;
const ROW: u32 = 26;

// The right edges of the columns of numbers, and where the bars are.
const MOVE: u32 = MARGIN + BOARD + 28;
const GAMES: u32 = MOVE + 150;
const SHARE: u32 = GAMES + 72;
const BAR: u32 = SHARE + 18;
const BAR_WIDTH: u32 = 270;
const ELO: u32 = WIDTH - MARGIN;

const STYLE: &str = "\
    .paper{fill:#fbf9f5}.rows text{fill:#23211e;font:15px sans-serif}.rows .soft{fill:#6d675e;font-size:13px}\
    .rows .move{font-weight:600}.won{fill:#fffdf7}.drawn{fill:#b5ada0}.lost{fill:#3a3733}\
    .edge{fill:none;stroke:#b5ada0}.rows .in{font-size:12px}.rows .lost-in{fill:#fffdf7}\
    @media(prefers-color-scheme:dark){.paper{fill:#1e1c1a}.rows text{fill:#e8e3da}.rows .soft{fill:#a39b8e}\
    .won{fill:#e9e4da}.drawn{fill:#8a8378}.lost{fill:#0e0d0c}.edge{stroke:#5a544c}\
    .rows .won-in,.rows .drawn-in{fill:#23211e}}";

/// The moves that were played in a position.
pub fn tree_svg(diagram: &Diagram, tree: &Tree) -> String {
    let shown = tree.branches.iter().take(MAX_ROWS);
    let others = tree.branches.get(MAX_ROWS..).unwrap_or_default();
    let rows = tree.branches.len().min(MAX_ROWS) + notes(tree).len() + 2;
    let rows = u32::try_from(rows).unwrap_or(0) + u32::from(!others.is_empty());
    let height = (2 * MARGIN + BOARD).max(2 * MARGIN + ROW * rows);
    let mut line = Lines(MARGIN);
    let picture = html! {
        svg xmlns="http://www.w3.org/2000/svg" viewBox={ "0 0 " (WIDTH) " " (height) }
            width=(WIDTH) height=(height) {
            title { "Moves played: " (Text(&diagram.title)) }
            style { (PreEscaped(STYLE)) }
            rect class="paper" width=(WIDTH) height=(height) {}
            (diagram.placed(Pieces::OnBoard, MARGIN, BOARD))
            g class="rows" {
                (header(line.next()))
                @for branch in shown {
                    (row(line.next(), &branch.san, &branch.count, tree.all.games))
                }
                @if !others.is_empty() {
                    @let games = others.iter().map(|branch| branch.count.games).sum();
                    (note(line.next(), &format!("{} other moves", others.len()), games))
                }
                @for (name, games) in notes(tree) { (note(line.next(), name, games)) }
                (row(line.next(), "all", &tree.all, tree.all.games))
            }
        }
    };
    picture.into_string() + "\n"
}

/// The games that have no move of a row.
fn notes(tree: &Tree) -> Vec<(&'static str, u64)> {
    let notes = [
        ("no move of chess", tree.others),
        ("end of the game", tree.ended),
    ];
    notes.into_iter().filter(|(_, games)| *games > 0).collect()
}

/// The base lines of rows.
struct Lines(u32);

impl Lines {
    fn next(&mut self) -> u32 {
        self.0 += ROW;
        self.0 - 8
    }
}

fn header(y: u32) -> Markup {
    html! {
        text class="soft" x=(MOVE) y=(y) { "move" }
        text class="soft" x=(GAMES) y=(y) text-anchor="end" { "games" }
        text class="soft" x=(SHARE) y=(y) text-anchor="end" { "share" }
        text class="soft" x=(BAR) y=(y) { "White won, drawn, Black won" }
        text class="soft" x=(ELO) y=(y) text-anchor="end" { "mean Elo" }
    }
}

fn row(y: u32, name: &str, count: &TreeCount, all: u64) -> Markup {
    html! {
        text class="move" x=(MOVE) y=(y) { (Text(name)) }
        text x=(GAMES) y=(y) text-anchor="end" { (grouped(count.games)) }
        text x=(SHARE) y=(y) text-anchor="end" { (percent(ratio(count.games, all))) }
        (bar(y, count))
        text x=(ELO) y=(y) text-anchor="end" {
            (count.elo().map_or("–".to_owned(), |elo| elo.to_string()))
        }
    }
}

fn note(y: u32, name: &str, games: u64) -> Markup {
    html! {
        text class="soft" x=(MOVE) y=(y) { (name) }
        text class="soft" x=(GAMES) y=(y) text-anchor="end" { (grouped(games)) }
    }
}

/// The results of the games with a result.
fn bar(y: u32, count: &TreeCount) -> Markup {
    let decided = count.white + count.draws + count.black;
    let top = y - 14;
    let mut left = f64::from(BAR);
    let parts = [
        ("won", count.white),
        ("drawn", count.draws),
        ("lost", count.black),
    ];
    html! {
        @if decided > 0 {
            @for (class, games) in parts {
                @let share = ratio(games, decided);
                @let width = f64::from(BAR_WIDTH) * share;
                rect class=(class) x=(format_args!("{left:.1}")) y=(top)
                    width=(format_args!("{width:.1}")) height="19" {}
                // Narrower parts have no space for a number.
                @if share > 0.13 {
                    text class={ "in " (class) "-in" } x=(format_args!("{:.1}", left + width / 2.0))
                        y=(y) text-anchor="middle" { (format!("{:.0} %", 100.0 * share)) }
                }
                @let () = left += width;
            }
            rect class="edge" x=(BAR) y=(top) width=(BAR_WIDTH) height="19" {}
        }
    }
}
