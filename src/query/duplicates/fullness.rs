//! The amount of information in a game besides its moves.

use super::known::says_something;
use crate::archive::{Archive, Error};
use crate::pgn::{LexemeKind, Scanner, tag_value};
use crate::text::Days;
use std::cmp::Reverse;

/// The amount of information in a game besides its moves, compared field by
/// field.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Fullness {
    /// The number of comments, glyphs and variations.
    annotations: u64,
    /// The number of tags whose values are known.
    tags: u64,
    /// The difference of the last day and the first that the date may denote, as yyyymmdd.
    days: Option<Reverse<u32>>,
    /// Bytes of text without trailing white space.
    bytes: u64,
}

impl Fullness {
    fn of(text: &[u8]) -> Fullness {
        let text = text.trim_ascii_end();
        let mut full = Fullness {
            bytes: text.len() as u64,
            ..Fullness::default()
        };
        let mut name: &[u8] = b"";
        for lexeme in Scanner::new(text) {
            match lexeme.kind {
                LexemeKind::TagName => name = lexeme.text(text),
                LexemeKind::TagValue => full.add_tag(name, tag_value(lexeme.text(text))),
                LexemeKind::Comment
                | LexemeKind::LineComment
                | LexemeKind::Nag
                | LexemeKind::Glyph
                | LexemeKind::Open => {
                    full.annotations += 1;
                }
                LexemeKind::Move | LexemeKind::Close | LexemeKind::Result => {}
            }
        }
        full
    }

    /// Adds a tag, whose name has its bracket still.
    fn add_tag(&mut self, name: &[u8], value: &[u8]) {
        self.tags += u64::from(says_something(value));
        if matches!(name, b"[Date" | b"[UTCDate") {
            let days = Days::read(&String::from_utf8_lossy(value));
            let days = days.map(|days| Reverse(days.last - days.first));
            self.days = self.days.max(days);
        }
    }
}

/// The fullness of these games, which are given in ascending order.
pub(super) fn fullnesses(archive: &Archive, games: &[u64]) -> Result<Vec<(u64, Fullness)>, Error> {
    let chosen = |game| games.binary_search(&game).is_ok();
    let mut all: Vec<(u64, Fullness)> = Vec::with_capacity(games.len());
    for part in archive.parts(chosen) {
        let part = part?;
        match all.last_mut() {
            // The further parts of a game that is too long to be parsed count
            // by length alone.
            Some((_, full)) if !part.is_first => full.bytes += part.text.len() as u64,
            _ => all.push((part.game, Fullness::of(&part.text))),
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_count_more_than_tags_and_tags_more_than_text() {
        let [bare, long, unknown, tagged, annotated] = [
            "1. e4 *\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n",
            "1.     e4      *",
            "[A \"?\"]\n[B \"\"]\n1. e4 *",
            "[A \"b\"]\n1. e4 *",
            "1. e4! *",
        ]
        .map(|text| Fullness::of(text.as_bytes()));
        assert!(bare < long && long < unknown && unknown < tagged && tagged < annotated);
    }

    #[test]
    fn dates_count_by_what_is_known_of_them() {
        let full = |date: &str| Fullness::of(format!("[Date \"{date}\"]\n1. e4 *").as_bytes());
        let dates = ["????.??.??", "2010.??.??", "2010.05.??", "2010.05.17"];
        assert!(dates.map(full).is_sorted());
        assert!(full("2010.5.1") > full("2010.05.??"));
        // A malformed date says something, but no day.
        assert!(full("2010.13.51") < full("2010.??.??") && full("2010.13.51") > full("?"));
    }
}
