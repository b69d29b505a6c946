//! Tag values that mention what the record tells elsewhere: the value of another tag
//! pair, or the position in which its game ends (spec/archive.md, “Mentions”).
//!
//! Chess.com repeats the last position in a tag and the winner's name in another,
//! Lichess both players' names in the name of a chapter: a tenth of such archives.

mod put;

pub(super) use put::{Mentions, stored_values};

use super::error::ContentError;
use crate::bits::ByteReader;
use crate::chess::{Position, Variant};
use crate::pgn::Tree;
use std::borrow::Cow;

/// The byte with which a mention begins.
const MARK: u8 = 0;
/// The byte itself.
const ESCAPE: u64 = 0;
/// The last position in its first form; the others follow.
const POSITION: u64 = 1;
/// The forms of the last position, by number.
const FORMS: [Form; 6] = [
    Form::new(Clocks::Both, false),
    Form::new(Clocks::Neither, false),
    Form::new(Clocks::Both, true),
    Form::new(Clocks::Neither, true),
    Form::new(Clocks::OneMore, false),
    Form::new(Clocks::OneMore, true),
];
/// The value of the tag pair with the first name.
const TAG: u64 = POSITION + FORMS.len() as u64;

/// A value has at most so many mentions, those of the byte itself not counted.
pub(super) const MAX_MENTIONS: usize = 255;

/// How the FEN of a position is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Form {
    clocks: Clocks,
    /// Whether each move of two squares leaves an en-passant square, though no pawn
    /// can capture there.
    has_idle_ep: bool,
}

/// What a FEN says of the halfmove clock and the number of the move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Clocks {
    Neither,
    Both,
    /// Both, the halfmove clock by one too high, as Chess.com writes it.
    OneMore,
}

impl Form {
    const fn new(clocks: Clocks, has_idle_ep: bool) -> Form {
        Form {
            clocks,
            has_idle_ep,
        }
    }

    /// The FEN; `None` in variants of chess, whose FENs are not settled.
    fn write(self, position: &Position) -> Option<String> {
        if position.rules().variant != Variant::Chess {
            return None;
        }
        let mut setup = position.setup();
        if self.has_idle_ep {
            setup.ep_square = setup.ep_square.or(position.idle_ep_square());
        }
        if self.clocks == Clocks::OneMore {
            setup.halfmoves = setup.halfmoves.saturating_add(1);
        }
        let fen = setup.fen();
        Some(match self.clocks {
            Clocks::Neither => fen.split(' ').take(4).collect::<Vec<_>>().join(" "),
            Clocks::Both | Clocks::OneMore => fen,
        })
    }
}

/// A part of a value as it is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part<'a> {
    Text(&'a [u8]),
    Position(Form),
    /// The value of the tag pair with the name of this number.
    Tag(u32),
}

/// Whether a stored value is more than its text.
pub(super) fn has_mentions(stored: &[u8]) -> bool {
    memchr::memchr(MARK, stored).is_some()
}

fn parts(stored: &[u8]) -> impl Iterator<Item = Result<Part<'_>, ContentError>> {
    let mut input = ByteReader::new(stored);
    std::iter::from_fn(move || (!input.is_empty()).then(|| next_part(&mut input)))
}

fn next_part<'a>(input: &mut ByteReader<'a>) -> Result<Part<'a>, ContentError> {
    let rest = input.rest();
    let plain = memchr::memchr(MARK, rest).unwrap_or(rest.len());
    if plain > 0 {
        return Ok(Part::Text(input.take(plain)?));
    }
    let mark = input.take(1)?;
    let number = input.varint()?;
    if number == ESCAPE {
        return Ok(Part::Text(mark));
    }
    if let Some((_, form)) = (POSITION..).zip(FORMS).find(|(known, _)| *known == number) {
        return Ok(Part::Position(form));
    }
    let name = u32::try_from(number - TAG);
    name.map(Part::Tag)
        .map_err(|_| ContentError::Invalid("a mention of no tag pair"))
}

/// The text of a stored value, of at most `most` bytes; `None` if it mentions the
/// last position and none is given. `tag` gives the stored value of a tag pair.
pub(super) fn resolve<'t>(
    stored: &[u8],
    last: Option<&Position>,
    most: usize,
    tag: impl Fn(u32) -> Result<Option<Cow<'t, [u8]>>, ContentError>,
) -> Result<Option<Vec<u8>>, ContentError> {
    let mut text = Vec::new();
    let mut mentions = 0;
    for part in parts(stored) {
        let part = part?;
        mentions += usize::from(!matches!(part, Part::Text(_)));
        if mentions > MAX_MENTIONS {
            return Err(ContentError::Invalid("too many mentions in a value"));
        }
        match (part, last) {
            (Part::Text(part), _) => text.extend_from_slice(part),
            (Part::Position(form), Some(last)) => {
                let fen = form.write(last);
                let fen = fen.ok_or(ContentError::Invalid("a mention of a variant's position"))?;
                text.extend(fen.bytes());
            }
            (Part::Position(_), None) => return Ok(None),
            (Part::Tag(name), _) => {
                let value = tag(name)?.filter(|value| !has_mentions(value));
                let value = value.ok_or(ContentError::Invalid(
                    "a mention of a value that itself is none",
                ))?;
                text.extend_from_slice(&value);
            }
        }
        if text.len() > most {
            return Err(ContentError::Invalid("more text than announced"));
        }
    }
    Ok(Some(text))
}

/// The position in which the main line of a record ends.
pub(super) fn last_position(tree: &Tree<'_>) -> Position {
    let mut position = tree.start.clone();
    for ply in tree.plies() {
        if position.play(ply).is_err() {
            break;
        }
    }
    position
}

#[cfg(test)]
mod tests;
