//! The tables for coding marks, fitted to the games of a segment in several
//! steps.

use crate::annotation::{
    Item, Items, NotationBytes, NotationFit, PatternCounts, ProductCounts, SchemeCounts,
    TemplateCounts, Templates, TimeControl,
};
use crate::archive::write::lines::fit_lines;
use crate::parallel;
use crate::pgn::{Lexeme, LexemeKind, Mark, Record, Scanner, tag_lexemes};
use std::borrow::Cow;

/// Schemes are chosen on a sample of about this many bytes of text from the
/// whole segment.
const SCHEME_BYTES: usize = 8 << 20;

/// The number of games per task when counting.
const GAMES_PER_TASK: usize = 64;

/// Fits the tables to the games of a segment, in rayon's current thread pool.
pub(crate) fn fit_notation(text: &[u8], records: &[Record], has_model: bool) -> NotationBytes {
    let mut games: Vec<&[u8]> = Vec::new();
    for record in records
        .iter()
        .filter(|record| record.is_game && !record.is_piece)
    {
        games.extend(text.get(record.start..record.end));
    }
    let stride = text.len().div_ceil(SCHEME_BYTES).max(1);
    let sample: Vec<&[u8]> = games.iter().step_by(stride).copied().collect();

    let templates = count(
        &games,
        TemplateCounts::default,
        |counts, game| game.comments.iter().for_each(|text| counts.add(text)),
        TemplateCounts::merge,
    );
    let mut fit = NotationFit::new(templates);
    let patterns = count(
        &games,
        PatternCounts::default,
        |counts, game| {
            let (plies, items) = game.items(fit.notation().templates());
            counts.add(plies, &items);
        },
        PatternCounts::merge,
    );
    fit.take_patterns(patterns);
    let products = count(
        &sample,
        || fit.products(),
        |counts, game| {
            let (_, items) = game.items(fit.notation().templates());
            counts.add(fit.notation(), &items, game.time());
        },
        ProductCounts::merge,
    );
    fit.take_products(&products);
    for step in [NotationFit::references, NotationFit::weights] {
        let schemes = count(
            &sample,
            || step(&fit),
            |counts, game| {
                let (_, items) = game.items(fit.notation().templates());
                counts.add(fit.notation(), &items, game.time());
            },
            SchemeCounts::merge,
        );
        fit.take_schemes(&schemes);
    }
    let tally = count(
        &games,
        || fit.tally(),
        |tally, game| {
            let (plies, items) = game.items(fit.notation().templates());
            fit.count(tally, plies, &items, game.time());
        },
        |tally, others| tally.merge(&others),
    );
    let lines = fit_lines(text, records, fit.notation(), has_model);
    NotationBytes {
        lines: lines.unwrap_or_default(),
        ..fit.finish(&tally)
    }
}

/// Accumulates counts over all games. The result does not depend on the order.
fn count<C: Send>(
    games: &[&[u8]],
    none: impl Fn() -> C + Sync,
    add: impl Fn(&mut C, &LexedGame<'_>) + Sync,
    merge: impl Fn(&mut C, C),
) -> C {
    let add = |counts: &mut C, games: &[&[u8]]| {
        games
            .iter()
            .for_each(|game| add(counts, &LexedGame::new(game)));
    };
    parallel::fold(games.chunks(GAMES_PER_TASK), none, add, merge).0
}

/// A game as a sequence of lexemes; the legality of moves is not checked.
struct LexedGame<'t> {
    text: &'t [u8],
    lexemes: Vec<Lexeme>,
    /// The texts of the comments in braces, with line endings replaced by
    /// blanks.
    comments: Vec<Cow<'t, [u8]>>,
}

impl<'t> LexedGame<'t> {
    fn new(text: &'t [u8]) -> Self {
        let lexemes: Vec<Lexeme> = Scanner::new(text).collect();
        let comments = lexemes
            .iter()
            .filter(|lexeme| lexeme.kind == LexemeKind::Comment);
        LexedGame {
            text,
            comments: comments
                .map(|lexeme| unwrapped(comment_text(lexeme.text(text))))
                .collect(),
            lexemes,
        }
    }

    fn time(&self) -> TimeControl {
        let mut tags = Vec::new();
        for tag in tag_lexemes(&self.lexemes).chunks(2) {
            let [name, value] = tag else { continue };
            let value = value.text(self.text);
            let value = value.strip_suffix(b"\"]").unwrap_or(value);
            let [name, value] =
                [name.text(self.text), value].map(|text| text.get(1..).unwrap_or_default());
            tags.push((name, value));
        }
        TimeControl::of_tags(tags.into_iter())
    }

    /// The number of plies, and the marks.
    fn items(&self, templates: &Templates) -> (usize, Items<'_>) {
        let mut comments = self.comments.iter();
        let mut plies = 0;
        let mut items = Items::new();
        let lexemes = match self.lexemes.split_last() {
            Some((last, rest)) if last.kind == LexemeKind::Result => rest,
            _ => &self.lexemes,
        };
        for lexeme in lexemes {
            let text = lexeme.text(self.text);
            let item = match lexeme.kind {
                LexemeKind::Comment => comments.next().map(|text| Item::comment(text, templates)),
                LexemeKind::LineComment => Some(Item::LineComment(Cow::Borrowed(text))),
                kind => Mark::of_lexeme(kind, text).map(Item::Mark),
            };
            items.extend(item.map(|item| (plies, item)));
            plies += usize::from(lexeme.kind == LexemeKind::Move);
        }
        (plies, items)
    }
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
