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
    marks: Box<[LexedMark<'t>]>,
}

#[derive(Debug)]
struct LexedMark<'t> {
    /// The number of plies before it.
    plies: u32,
    mark: Mark,
    text: &'t [u8],
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
            let text = lexeme.text(text);
            let mark = Mark::of_lexeme(lexeme.kind, text);
            marks.extend(mark.map(|mark| LexedMark { plies, mark, text }));
            plies += u32::from(lexeme.kind == LexemeKind::Move);
        }
        LexedGame {
            plies: usize::try_from(plies).unwrap_or(usize::MAX),
            time: time_control(text, tag_lexemes(lexemes)),
            marks: marks.into(),
        }
    }

    /// The texts of the comments in braces, with line endings replaced by blanks.
    pub(crate) fn comments(&self) -> impl Iterator<Item = Cow<'t, [u8]>> {
        let marks = self.marks.iter();
        let comments = marks.filter(|mark| mark.mark == Mark::Comment);
        comments.map(|comment| unwrapped(comment_text(comment.text)))
    }

    /// The marks with their contents. `comments` are the texts of the comments.
    pub(crate) fn items<'c>(
        &self,
        comments: &'c [Cow<'t, [u8]>],
        templates: &Templates,
    ) -> Items<'c>
    where
        't: 'c,
    {
        let mut comments = comments.iter();
        let item = |mark: &LexedMark<'t>| {
            let item = match mark.mark {
                Mark::Comment => Item::comment(comments.next()?, templates),
                Mark::LineComment => Item::LineComment(Cow::Borrowed(mark.text)),
                other => Item::Mark(other),
            };
            Some((usize::try_from(mark.plies).ok()?, item))
        };
        self.marks.iter().filter_map(item).collect()
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
