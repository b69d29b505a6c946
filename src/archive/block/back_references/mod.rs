//! Back-references in tag values: to the value of another tag pair, or to the
//! position in which the game ends (spec/archive.md, “Back-references”).
//!
//! Chess.com repeats the last position in one tag and the winner's name in another.
//! Lichess repeats both players' names in the names of study chapters. This takes a
//! tenth of such archives.

mod put;

pub(crate) use put::{BackReferences, stored_values};

use crate::archive::error::ContentError;
use crate::bits::ByteReader;
use crate::chess::{ChessPosition, Variant};
use crate::pgn::GameTree;
use std::borrow::Cow;

/// The first byte of a back-reference.
const PREFIX: u8 = 0;
/// The number of an escaped `PREFIX` byte.
const ESCAPE: u64 = 0;
/// The number of the last position in its first form; the other forms follow.
const POSITION: u64 = 1;
/// The forms of the last position, in the order of their numbers.
const FORMS: [ValueForm; 6] = [
    ValueForm::new(Clocks::Both, false),
    ValueForm::new(Clocks::Neither, false),
    ValueForm::new(Clocks::Both, true),
    ValueForm::new(Clocks::Neither, true),
    ValueForm::new(Clocks::OneMore, false),
    ValueForm::new(Clocks::OneMore, true),
];
/// The number of a reference to the tag pair with name number 0; the other names
/// follow.
const TAG: u64 = POSITION + FORMS.len() as u64;

/// The maximum number of back-references in a value, without escapes.
pub(crate) const MAX_BACK_REFERENCES: usize = 255;

/// The form in which the FEN of a position is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ValueForm {
    clocks: Clocks,
    /// Whether each double pawn step sets the en-passant square, even if no pawn can
    /// capture there.
    has_idle_ep: bool,
}

/// The form of the halfmove clock and the move number in a FEN.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Clocks {
    Neither,
    Both,
    /// Both, with the halfmove clock too high by one, as Chess.com writes it.
    OneMore,
}

impl ValueForm {
    const fn new(clocks: Clocks, has_idle_ep: bool) -> ValueForm {
        ValueForm {
            clocks,
            has_idle_ep,
        }
    }

    /// The FEN; `None` for variants of chess, whose FENs have no settled form.
    fn write(self, position: &ChessPosition) -> Option<String> {
        if position.rules().variant != Variant::Chess {
            return None;
        }
        let mut setup = position.setup();
        if self.has_idle_ep {
            setup.ep_square = setup.ep_square.or(position.unusable_ep_square());
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

/// A part of a stored value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ValuePart<'a> {
    Text(&'a [u8]),
    Position(ValueForm),
    /// The value of the tag pair with this name number.
    Tag(u32),
}

/// Whether a stored value has back-references or escapes.
pub(crate) fn has_back_references(stored: &[u8]) -> bool {
    memchr::memchr(PREFIX, stored).is_some()
}

fn parts(stored: &[u8]) -> impl Iterator<Item = Result<ValuePart<'_>, ContentError>> {
    let mut input = ByteReader::new(stored);
    std::iter::from_fn(move || (!input.is_empty()).then(|| next_part(&mut input)))
}

fn next_part<'a>(input: &mut ByteReader<'a>) -> Result<ValuePart<'a>, ContentError> {
    let rest = input.rest();
    let plain = memchr::memchr(PREFIX, rest).unwrap_or(rest.len());
    if plain > 0 {
        return Ok(ValuePart::Text(input.take(plain)?));
    }
    let prefix = input.take(1)?;
    let number = input.varint()?;
    if number == ESCAPE {
        return Ok(ValuePart::Text(prefix));
    }
    if let Some((_, form)) = (POSITION..).zip(FORMS).find(|(known, _)| *known == number) {
        return Ok(ValuePart::Position(form));
    }
    let name = u32::try_from(number - TAG);
    name.map(ValuePart::Tag)
        .map_err(|_| ContentError::Invalid("a reference to no tag pair"))
}

/// Resolves a stored value to a text of at most `most` bytes. `None` if it refers to
/// the last position and `last` is `None`. `tag` gives the stored value of a tag
/// pair.
pub(crate) fn resolve<'t>(
    stored: &[u8],
    last: Option<&ChessPosition>,
    most: usize,
    tag: impl Fn(u32) -> Result<Option<Cow<'t, [u8]>>, ContentError>,
) -> Result<Option<Vec<u8>>, ContentError> {
    let mut text = Vec::new();
    let mut references = 0;
    for part in parts(stored) {
        let part = part?;
        references += usize::from(!matches!(part, ValuePart::Text(_)));
        if references > MAX_BACK_REFERENCES {
            return Err(ContentError::Invalid("too many back-references in a value"));
        }
        match (part, last) {
            (ValuePart::Text(part), _) => text.extend_from_slice(part),
            (ValuePart::Position(form), Some(last)) => {
                let fen = form.write(last);
                let fen =
                    fen.ok_or(ContentError::Invalid("a reference to a variant's position"))?;
                text.extend(fen.bytes());
            }
            (ValuePart::Position(_), None) => return Ok(None),
            (ValuePart::Tag(name), _) => {
                let value = tag(name)?.filter(|value| !has_back_references(value));
                let value = value.ok_or(ContentError::Invalid(
                    "a reference to a value that has references itself",
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
pub(crate) fn last_position(tree: &GameTree<'_>) -> ChessPosition {
    let mut position = tree.start.clone();
    for ply in tree.plies() {
        if position.make(ply).is_err() {
            break;
        }
    }
    position
}

#[cfg(test)]
mod tests;
