//! A game as text for a terminal.

use super::game_drawing::GameDrawing;
use super::game_tree::{Eval, MoveNode};
use super::glyphs::{glyph, is_suffix};
use super::text::clean;

const WIDTH: usize = 76;

/// The form of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextForm {
    /// With escape sequences for colours.
    Ansi,
    /// Without escape sequences.
    Plain,
}

impl TextForm {
    /// A text that is set off.
    fn emphasized(self, text: &str) -> String {
        match self {
            TextForm::Ansi => format!("\x1b[1m{text}\x1b[0m"),
            TextForm::Plain => text.to_owned(),
        }
    }

    /// The move that is shown among others.
    fn shown(self, text: &str) -> String {
        match self {
            TextForm::Ansi => format!("\x1b[7m{text}\x1b[0m"),
            TextForm::Plain => format!("[{text}]"),
        }
    }
}

impl GameDrawing<'_> {
    /// The game: players, event, board, comments, and the moves of the main line.
    pub fn text(&self, form: TextForm) -> String {
        let mut out = form.emphasized(&clean(&self.headline())) + "\n";
        for values in self.about() {
            out += &wrapped(values.join(" · ").split(' ').map(Word::plain));
        }
        out.push('\n');
        out += &match form {
            TextForm::Ansi => self.diagram.ansi(),
            TextForm::Plain => self.diagram.plain(),
        };
        out += &format!("\n{}\n", self.state());
        for comment in &self.notes().comments {
            out += &wrapped(comment.split_whitespace().map(Word::plain));
        }
        if !self.tree.main.moves.is_empty() {
            out.push('\n');
            out += &wrapped(self.words(form));
        }
        if let Some(words) = &self.tree.main.unplayed {
            out += &format!("not a legal move: {}\n", clean(words));
        }
        out
    }

    fn headline(&self) -> String {
        let side = |side: &str| {
            let elo = self.tag(&format!("{side}Elo"));
            let elo = elo.map(|elo| format!(" ({elo})")).unwrap_or_default();
            self.name(side) + &elo
        };
        format!("{} – {}  {}", side("White"), side("Black"), self.result())
    }

    /// The last move, the evaluation and the clocks.
    fn state(&self) -> String {
        let place = format!(
            "{} (ply {} of {})",
            self.place(),
            self.plies,
            self.tree.main.moves.len()
        );
        let clocks = [true, false].map(|is_white| self.last_clock(is_white));
        let clocks = match clocks {
            [Some(white), Some(black)] => Some(format!("clocks {white} – {black}")),
            _ => None,
        };
        let eval = self.notes().eval.map(Eval::text);
        let parts = [Some(place), eval, clocks].into_iter().flatten();
        parts.collect::<Vec<String>>().join(" · ")
    }

    /// The moves of the main line with their numbers.
    fn words(&self, form: TextForm) -> impl Iterator<Item = Word> {
        let moves = self.tree.main.moves.iter();
        moves.map(move |node| {
            let number = match node.is_white {
                true => Some(format!("{}. ", node.number)),
                false if node.plies == 1 => Some(format!("{}… ", node.number)),
                false => None,
            };
            let text = with_glyphs(node);
            let number = number.unwrap_or_default();
            Word {
                columns: number.chars().count() + text.chars().count(),
                text: match node.plies == self.plies {
                    true => number + &form.shown(&text),
                    false => number + &text,
                },
            }
        })
    }
}

fn with_glyphs(node: &MoveNode) -> String {
    let suffixes = node.notes.nags.iter().filter(|nag| is_suffix(**nag));
    let suffixes: String = suffixes.map(|nag| glyph(*nag)).collect();
    node.san.clone() + &suffixes
}

/// A word and the columns that it takes.
struct Word {
    columns: usize,
    text: String,
}

impl Word {
    fn plain(text: &str) -> Word {
        let text = clean(text);
        Word {
            columns: text.chars().count(),
            text,
        }
    }
}

/// Words on lines.
fn wrapped(words: impl Iterator<Item = Word>) -> String {
    let mut out = String::new();
    let mut column = 0;
    for word in words {
        if column > 0 && column + 1 + word.columns > WIDTH {
            out.push('\n');
            column = 0;
        }
        if column > 0 {
            out.push(' ');
            column += 1;
        }
        out += &word.text;
        column += word.columns;
    }
    out.push('\n');
    out
}
