//! The page of a game.

use super::curve::Curve;
use super::game_drawing::GameDrawing;
use super::moves::MovesWriter;
use super::page::page;
use super::svg::Pieces;
use super::text::Text;
use maud::{Markup, html};

impl GameDrawing<'_> {
    /// The game as a page: board, moves with variations and comments, curve of evaluations.
    pub fn html(&self) -> String {
        let body = html! {
            main data-side=[self.diagram.is_flipped.then_some("black")] {
                (self.header())
                div class="game" {
                    div class="view" { (self.view()) }
                    div class="moves" { (self.moves()) }
                }
            }
        };
        page(&self.title(), true, &body)
    }

    fn header(&self) -> Markup {
        html! {
            header {
                h1 {
                    (self.player("White")) " – " (self.player("Black")) " "
                    span class="result" { (Text(&self.result())) }
                }
                @for values in self.about() {
                    p class="about" {
                        @for value in values { span { bdi { (Text(&value)) } } " " }
                    }
                }
            }
        }
    }

    fn player(&self, side: &str) -> Markup {
        let elo = self.tag(&format!("{side}Elo"));
        let title = self.tag(&format!("{side}Title"));
        html! {
            @if let Some(title) = title { span class="elo" { (Text(&title)) } " " }
            bdi { (Text(&self.name(side))) }
            @if let Some(elo) = elo { " " span class="elo" { (Text(&elo)) } }
        }
    }

    fn view(&self) -> Markup {
        let sides = match self.diagram.is_flipped {
            true => ["w", "b"],
            false => ["b", "w"],
        };
        let [above, below] = sides.map(|side| self.player_line(side));
        html! {
            (above)
            (self.diagram.placed(Pieces::All, 0, 480))
            (below)
            // Without a script they do nothing.
            nav hidden="" aria-label="Moves" {
                @for (action, sign, label) in BUTTONS {
                    button type="button" data-action=(action) aria-label=(label) title=(label) { (sign) }
                }
            }
            @if let Some(curve) = Curve::new(&self.tree.main) { (curve.svg(self.plies)) }
        }
    }

    fn player_line(&self, side: &str) -> Markup {
        let name = if side == "w" { "White" } else { "Black" };
        let clock = self.last_clock(side == "w");
        html! {
            div class="player" data-side=(side) {
                bdi { (Text(&self.name(name))) }
                span class="clock" data-side=(side) { (clock.unwrap_or_default()) }
            }
        }
    }

    fn moves(&self) -> Markup {
        let has_moves = !self.tree.main.moves.is_empty();
        html! {
            (MovesWriter::new(self.tree, self.plies).game())
            @if !has_moves { p class="note" { "No moves." } }
            @if self.tree.omitted > 0 {
                p class="note" {
                    "Variations that are nested too deep are left out: " (self.tree.omitted) "."
                }
            }
            p { span class="result" { (Text(&self.result())) } }
        }
    }
}

/// The actions of the script, each with its sign and label.
const BUTTONS: [(&str, &str, &str); 5] = [
    ("first", "⏮\u{fe0e}", "Start position (Home)"),
    ("back", "◀\u{fe0e}", "Move back (←)"),
    ("forward", "▶\u{fe0e}", "Move forward (→)"),
    ("last", "⏭\u{fe0e}", "End of the line (End)"),
    ("flip", "⇅", "Turn the board (f)"),
];
