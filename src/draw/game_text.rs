//! A game as text for a terminal.

use super::game_drawing::GameDrawing;
use super::game_tree::{Eval, Line, MoveNode, Notes};
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

    /// The move that led to the position on the board.
    fn highlighted(self, text: &str) -> String {
        match self {
            TextForm::Ansi => format!("\x1b[7m{text}\x1b[0m"),
            TextForm::Plain => format!("[{text}]"),
        }
    }
}

impl GameDrawing<'_> {
    /// The game: players, event, board, and the moves with variations and comments.
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
        let mut words = Words {
            form,
            current: self.last_move(),
            list: Vec::new(),
        };
        words.line(&self.tree.main);
        if !words.list.is_empty() {
            out.push('\n');
            out += &wrapped(words.list.into_iter());
        }
        if let Some(words) = &self.tree.main.unplayed {
            out += &format!("cannot be played: {}\n", clean(words));
        }
        if self.tree.omitted > 0 {
            out += &format!(
                "variations left out, nested too deep: {}\n",
                self.tree.omitted
            );
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
}

/// Collects the words of a game's moves.
struct Words<'a> {
    form: TextForm,
    /// The move that led to the position on the board.
    current: Option<&'a MoveNode>,
    list: Vec<Word>,
}

impl Words<'_> {
    /// The words of a line with its variations, which are nested at most
    /// [`MAX_DEPTH`](super::game_tree::MAX_DEPTH) deep, and its comments.
    fn line(&mut self, line: &Line) {
        self.text(&line.notes.glyphs());
        self.comments(&line.notes);
        // The number of a move of Black's is written where something is between it and White's.
        let mut needs_number = true;
        for node in &line.moves {
            self.node(node, needs_number);
            self.comments(&node.notes);
            for variation in &node.variations {
                self.enclosed(['(', ')'], |words| words.variation(variation));
            }
            needs_number = node.has_text();
        }
    }

    fn variation(&mut self, line: &Line) {
        self.line(line);
        if let Some(unplayed) = &line.unplayed {
            let text = format!("cannot be played: {unplayed}");
            self.enclosed(['{', '}'], |words| words.text(&text));
        }
    }

    fn node(&mut self, node: &MoveNode, needs_number: bool) {
        let number = match node.is_white {
            true => format!("{}. ", node.number),
            false if needs_number => format!("{}… ", node.number),
            false => String::new(),
        };
        let text = node.san.clone() + &node.notes.glyphs();
        let is_current = self
            .current
            .is_some_and(|current| std::ptr::eq(current, node));
        self.list.push(Word {
            columns: number.chars().count() + text.chars().count(),
            text: match is_current {
                true => number + &self.form.highlighted(&text),
                false => number + &text,
            },
        });
    }

    fn comments(&mut self, notes: &Notes) {
        for comment in &notes.comments {
            self.enclosed(['{', '}'], |words| words.text(comment));
        }
    }

    fn text(&mut self, text: &str) {
        let words = text.split_whitespace().map(Word::plain);
        self.list.extend(words.filter(|word| word.columns > 0));
    }

    /// Puts a character before the first word that `add` adds, and one after the last.
    fn enclosed(&mut self, [open, close]: [char; 2], add: impl FnOnce(&mut Self)) {
        let start = self.list.len();
        add(self);
        if let Some(first) = self.list.get_mut(start) {
            first.text.insert(0, open);
            first.columns += 1;
        }
        if let Some(last) = self.list.get_mut(start..).and_then(<[Word]>::last_mut) {
            last.text.push(close);
            last.columns += 1;
        }
    }
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
