//! Tag values that mention what the record tells elsewhere: the value of another tag
//! pair, or the position in which its game ends (spec/archive.md, “Mentions”).
//!
//! Chess.com repeats the last position in a tag and the winner's name in another,
//! Lichess both players' names in the name of a chapter: a tenth of such archives.

use super::error::ContentError;
use super::openings::EARLY;
use super::plans::{MOST_NAMES, Names, names_that_stand_twice};
use super::stored::StoredRecord;
use crate::bits::{ByteReader, put_varint};
use crate::chess::{Position, Variant};
use crate::pgn::{FEN_TAG, Tree};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// The byte with which a mention begins.
const MARK: u8 = 0;
/// The byte itself.
const ESCAPE: u64 = 0;
/// The last position in its first form; the others follow.
const POSITION: u64 = 1;
/// The forms of the last position, by number.
const FORMS: [Form; 6] = [
    Form::new(Clocks::Both, false),
    Form::new(Clocks::None, false),
    Form::new(Clocks::Both, true),
    Form::new(Clocks::None, true),
    Form::new(Clocks::OneMore, false),
    Form::new(Clocks::OneMore, true),
];
/// The value of the tag pair with the first name.
const TAG: u64 = POSITION + FORMS.len() as u64;

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
    /// Neither.
    None,
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
            Clocks::None => fen.split(' ').take(4).collect::<Vec<_>>().join(" "),
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
    for part in parts(stored) {
        match (part?, last) {
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

// --- writing --------------------------------------------------------------

/// The values of a record's tag pairs, in which the last position is mentioned.
pub(super) fn values_of<'a>(tree: &Tree<'a>) -> Vec<Cow<'a, [u8]>> {
    let mut last = None;
    let tags = tree.tags.iter();
    tags.map(|tag| {
        if has_mentions(tag.value) {
            return Cow::Owned(escape(tag.value));
        }
        if !is_early(tag.name) && looks_like_fen(tag.value) {
            let last = last.get_or_insert_with(|| last_position(tree));
            let mut forms = (POSITION..).zip(FORMS);
            let is_it = |form: Form| {
                form.write(last)
                    .is_some_and(|fen| fen.as_bytes() == tag.value)
            };
            let form = forms.find(|(_, form)| is_it(*form));
            if let Some((number, _)) = form {
                return Cow::Owned(mark(number));
            }
        }
        Cow::Borrowed(tag.value)
    })
    .collect()
}

/// Whether a tag pair must be known before the moves.
pub(super) fn is_early(name: &[u8]) -> bool {
    name == FEN_TAG || EARLY.contains(&name)
}

fn looks_like_fen(value: &[u8]) -> bool {
    memchr::memchr_iter(b'/', value).count() == 7
}

fn escape(value: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(value.len() + 1);
    for byte in value {
        match *byte {
            MARK => out.extend(mark(ESCAPE)),
            byte => out.push(byte),
        }
    }
    out
}

fn mark(number: u64) -> Vec<u8> {
    let mut out = vec![MARK];
    put_varint(&mut out, number);
    out
}

/// Records that are looked at to learn what mentions what.
const SAMPLE: usize = 4096;
/// Shorter values are not worth a mention.
const LEAST_BYTES: usize = 3;
/// A value is not looked for in the values of a column of which fewer than one in so
/// many hold it.
const FEW: usize = 8;
/// A column has mentions if they leave at most so many of its distinct values.
const LEFT: (usize, usize) = (3, 4);

/// The names whose values mention others, and these others.
#[derive(Debug, Default)]
pub(super) struct Mentions(BTreeMap<u32, Vec<u32>>);

impl Mentions {
    /// Learns what mentions what in a segment.
    pub(super) fn learn(records: &[StoredRecord<'_>], names: Names<'_>) -> Mentions {
        let step = records.len().div_ceil(SAMPLE).max(1);
        let sample: Vec<_> = records.iter().step_by(step).collect();
        let twice = names_that_stand_twice(names.rosters);
        let numbered = (0..MOST_NAMES).zip(names.names);
        let numbered =
            numbered.filter(|(number, name)| !twice.contains(number) && name.as_slice() != FEN_TAG);
        let may_be_told: BTreeSet<u32> = numbered.clone().map(|(number, _)| number).collect();
        let tellers = numbered.filter(|(_, name)| !is_early(name));
        let told = |(teller, _)| (teller, told_by(teller, &sample, names, &may_be_told));
        let mut mentions = Mentions(tellers.map(told).collect());
        mentions.keep_what_pays(&sample, names);
        // What is mentioned has no mentions itself.
        let tellers: BTreeSet<u32> = mentions.0.keys().copied().collect();
        for told in mentions.0.values_mut() {
            told.retain(|name| !tellers.contains(name));
        }
        mentions.keep_what_pays(&sample, names);
        mentions
    }

    /// The names whose values are mentioned.
    pub(super) fn told(&self) -> BTreeSet<u32> {
        self.0.values().flatten().copied().collect()
    }

    fn keep_what_pays(&mut self, sample: &[&StoredRecord<'_>], names: Names<'_>) {
        let pays = |teller: &u32| self.pays(*teller, sample, names);
        let kept: BTreeSet<u32> = self.0.keys().copied().filter(pays).collect();
        self.0.retain(|teller, _| kept.contains(teller));
    }

    /// Whether mentions leave few enough of the values of a column.
    fn pays(&self, teller: u32, sample: &[&StoredRecord<'_>], names: Names<'_>) -> bool {
        let mut texts = HashSet::new();
        let mut left = HashSet::new();
        for record in sample {
            let roster = names.roster(record);
            if let Some(text) = plain_value(record, roster, teller) {
                texts.insert(text);
                let with = self.with_mentions(teller, text, record, roster);
                left.insert(with.map_or(Cow::Borrowed(text), Cow::Owned));
            }
        }
        left.len() * LEFT.1 <= texts.len() * LEFT.0 && left.len() < texts.len()
    }

    /// Puts mentions in the place of what they give.
    pub(super) fn put(&self, record: &mut StoredRecord<'_>, names: Names<'_>) {
        let roster = names.roster(record);
        for (at, name) in roster.iter().enumerate() {
            let text = plain_value(record, roster, *name);
            let with = text.and_then(|text| self.with_mentions(*name, text, record, roster));
            if let (Some(with), Some(value)) = (with, record.values.get_mut(at)) {
                *value = Cow::Owned(with);
            }
        }
    }

    /// A value with mentions; `None` if it has none.
    fn with_mentions(
        &self,
        teller: u32,
        text: &[u8],
        record: &StoredRecord<'_>,
        roster: &[u32],
    ) -> Option<Vec<u8>> {
        let told = self.0.get(&teller)?.iter();
        let told = told.filter_map(|name| Some((*name, plain_value(record, roster, *name)?)));
        let mut told: Vec<(u32, &[u8])> = told
            .filter(|(_, value)| (LEAST_BYTES..text.len()).contains(&value.len()))
            .collect();
        told.sort_by_key(|(_, value)| std::cmp::Reverse(value.len()));
        let mut out = Vec::new();
        let mut rest = text;
        while let Some((first, behind)) = rest.split_first() {
            let mut found = told.iter();
            match found.find_map(|(name, value)| Some((name, rest.strip_prefix(*value)?))) {
                Some((name, behind)) => {
                    out.extend(mark(TAG + u64::from(*name)));
                    rest = behind;
                }
                None => {
                    out.push(*first);
                    rest = behind;
                }
            }
        }
        has_mentions(&out).then_some(out)
    }
}

/// The names whose values stand in those of another often enough.
fn told_by(
    teller: u32,
    sample: &[&StoredRecord<'_>],
    names: Names<'_>,
    may_be_told: &BTreeSet<u32>,
) -> Vec<u32> {
    let mut values = 0;
    let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
    for record in sample {
        let roster = names.roster(record);
        let Some(text) = plain_value(record, roster, teller) else {
            continue;
        };
        values += 1;
        for (name, value) in roster.iter().zip(&record.values) {
            let is_inside = (LEAST_BYTES..text.len()).contains(&value.len())
                && may_be_told.contains(name)
                && memchr::memmem::find(text, value).is_some();
            if is_inside {
                *counts.entry(*name).or_default() += 1;
            }
        }
    }
    let often = counts
        .into_iter()
        .filter(|(_, count)| FEW * count >= values);
    often.map(|(name, _)| name).collect()
}

/// The value of a record's tag pair, if it has no mentions.
fn plain_value<'r>(record: &'r StoredRecord<'_>, roster: &[u32], name: u32) -> Option<&'r [u8]> {
    let at = roster.iter().position(|other| *other == name)?;
    let value: &[u8] = record.values.get(at)?;
    (!has_mentions(value)).then_some(value)
}

#[cfg(test)]
mod tests;
