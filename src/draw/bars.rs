//! Bars and charts of pages.

use super::figures::{grouped, ratio};
use super::text::Text;
use crate::query::Score;
use maud::{Markup, html};

/// The results of games as one bar: won, drawn and lost.
pub(super) fn results(score: &Score) -> Markup {
    let decided = score.won + score.drawn + score.lost;
    let [won, drawn, lost] = [score.won, score.drawn, score.lost].map(|part| ratio(part, decided));
    let label = format!(
        "won {:.0} %, drawn {:.0} %, lost {:.0} %",
        100.0 * won,
        100.0 * drawn,
        100.0 * lost
    );
    let parts = [
        ("won", 0.0, won),
        ("drawn", won, drawn),
        ("lost", won + drawn, lost),
    ];
    html! {
        svg class="score" viewBox="0 0 100 10" preserveAspectRatio="none" role="img"
            aria-label=(label) {
            title { (label) }
            @if decided > 0 {
                @for (class, start, width) in parts {
                    rect class=(class) x=(unit(100.0 * start)) width=(unit(100.0 * width))
                        height="10" {}
                }
            }
        }
    }
}

/// A share of the greatest of some numbers as a bar.
pub(super) fn share(number: u64, greatest: u64) -> Markup {
    html! {
        svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true" {
            rect class="share" width=(unit(100.0 * ratio(number, greatest))) height="10" {}
        }
    }
}

const WIDTH: f64 = 1000.0;
const HEIGHT: f64 = 180.0;

/// Numbers as a chart of columns.
pub(super) fn columns(title: &str, numbers: &[(String, u64)]) -> Markup {
    let greatest = numbers.iter().map(|(_, number)| *number).max().unwrap_or(0);
    let step = WIDTH / numbers.len().max(1) as f64;
    // A label takes the width of five digits.
    let labelled = (50.0 / step).ceil().max(1.0);
    let is_labelled = |at: f64| at % labelled < 0.5;
    html! {
        svg class="chart" viewBox={ "-20 0 " (WIDTH + 40.0) " " (HEIGHT + 20.0) } role="img" aria-label=(title) {
            @for (at, (name, number)) in numbers.iter().enumerate() {
                @let left = at as f64 * step;
                @let height = HEIGHT * ratio(*number, greatest);
                rect x=(unit(left + 0.1 * step)) y=(unit(HEIGHT - height))
                    width=(unit(0.8 * step)) height=(unit(height)) {
                    title { (Text(name)) ": " (grouped(*number)) }
                }
                @if is_labelled(at as f64) {
                    text x=(unit(left + 0.5 * step)) y=(HEIGHT + 16.0) text-anchor="middle" {
                        (Text(name))
                    }
                }
            }
        }
    }
}

fn unit(number: f64) -> String {
    format!("{number:.2}")
}
