//! A game as a sequence of marks, from its lexemes. The legality of moves is not checked.

use crate::annotation::{Item, Items, Templates, TimeControl};
use crate::pgn::{Lexeme, LexemeKind, Mark, tag_lexemes};
use std::borrow::Cow;

/// The marks of a game. A segment may have millions, so the moves are only counted.
#[derive(Debug)]
pub(crate) struct LexedGame<'t> {
    /// The number of plies, including those of variations.
    pub(crate) plies: usize,
    pub(crate) time: TimeControl,
    text: &'t [u8],
    marks: Box<[LexedMark]>,
}

/// A mark, and its range of the game's text, which has less than 2^32 bytes.
#[derive(Debug)]
struct LexedMark {
    /// The number of plies before it.
    plies: u32,
    start: u32,
    end: u32,
    mark: Mark,
}

impl<'t> LexedGame<'t> {
    /// The game with this text and these lexemes.
    pub(crate) fn new(text: &'t [u8], lexemes: &[Lexeme]) -> Self {
        let movetext = match lexemes.split_last() {
            Some((last, rest)) if last.kind == LexemeKind::Result => rest,
            _ => lexemes,
        };
        let mut plies = 0;
        let mut marks = Vec::new();
        for lexeme in movetext {
            if let Some(mark) = Mark::of_lexeme(lexeme.kind, lexeme.text(text)) {
                let [start, end] =
                    [lexeme.start, lexeme.end].map(|at| u32::try_from(at).unwrap_or(u32::MAX));
                marks.push(LexedMark {
                    plies,
                    start,
                    end,
                    mark,
                });
            }
            plies += u32::from(lexeme.kind == LexemeKind::Move);
        }
        LexedGame {
            plies: usize::try_from(plies).unwrap_or(usize::MAX),
            time: time_control(text, tag_lexemes(lexemes)),
            text,
            marks: marks.into(),
        }
    }

    /// The texts of the comments in braces, with line endings replaced by blanks.
    pub(crate) fn comments(&self) -> impl Iterator<Item = Cow<'t, [u8]>> {
        let marks = self.marks.iter();
        let comments = marks.filter(|mark| mark.mark == Mark::Comment);
        comments.map(|comment| unwrapped(comment_text(comment.text(self.text))))
    }

    /// Calls `f` with the marks and their contents.
    pub(crate) fn with_items<R>(
        &self,
        templates: &Templates,
        f: impl FnOnce(&Items<'_>) -> R,
    ) -> R {
        let comments: Vec<Cow<'_, [u8]>> = self.comments().collect();
        let mut comments = comments.iter();
        let item = |mark: &LexedMark| {
            let item = match mark.mark {
                Mark::Comment => Item::comment(comments.next()?, templates),
                Mark::LineComment => Item::LineComment(Cow::Borrowed(mark.text(self.text))),
                other => Item::Mark(other),
            };
            Some((usize::try_from(mark.plies).ok()?, item))
        };
        f(&self.marks.iter().filter_map(item).collect())
    }
}

impl LexedMark {
    fn text<'t>(&self, game: &'t [u8]) -> &'t [u8] {
        let [start, end] = [self.start, self.end].map(|at| usize::try_from(at).unwrap_or(0));
        game.get(start..end).unwrap_or_default()
    }
}

fn time_control(text: &[u8], tags: &[Lexeme]) -> TimeControl {
    let tag = |tag: &[Lexeme]| {
        let [name, value] = tag else { return None };
        let value = value.text(text);
        let value = value.strip_suffix(b"\"]").unwrap_or(value);
        Some((without_first(name.text(text)), without_first(value)))
    };
    TimeControl::of_tags(tags.chunks_exact(2).filter_map(tag))
}

/// The text after its bracket or quote.
fn without_first(text: &[u8]) -> &[u8] {
    text.get(1..).unwrap_or_default()
}

/// The text between the braces.
fn comment_text(comment: &[u8]) -> &[u8] {
    let end = comment.len().saturating_sub(1);
    comment.get(1..end).unwrap_or_default()
}

fn unwrapped(text: &[u8]) -> Cow<'_, [u8]> {
    if !text.contains(&b'\n') {
        return Cow::Borrowed(text);
    }
    let mut out = Vec::with_capacity(text.len());
    for line in text.split(|byte| *byte == b'\n') {
        out.extend_from_slice(line.strip_suffix(b"\r").unwrap_or(line));
        out.push(b' ');
    }
    out.pop();
    out.into()
}
