//! The amount of information in a game besides its moves.

use crate::archive::{Archive, Error};
use crate::pgn::{LexemeKind, Scanner};

/// The amount of information in a game besides its moves, compared field by
/// field.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Fullness {
    /// The number of comments, glyphs and variations.
    annotations: u64,
    tags: u64,
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
        for lexeme in Scanner::new(text) {
            match lexeme.kind {
                LexemeKind::TagName => full.tags += 1,
                LexemeKind::Comment
                | LexemeKind::LineComment
                | LexemeKind::Nag
                | LexemeKind::Glyph
                | LexemeKind::Open => {
                    full.annotations += 1;
                }
                LexemeKind::TagValue
                | LexemeKind::Move
                | LexemeKind::Close
                | LexemeKind::Result => {}
            }
        }
        full
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
        let [bare, long, tagged, annotated] = [
            "1. e4 *\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n",
            "1.     e4      *",
            "[A \"\"]\n1. e4 *",
            "1. e4! *",
        ]
        .map(|text| Fullness::of(text.as_bytes()));
        assert!(bare < long && long < tagged && tagged < annotated);
    }
}
