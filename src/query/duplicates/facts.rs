//! What the tags of a game say of which game it is: its date, result, round and the like.

use super::known::{address, malformed_result, number, part, time, word};
use crate::archive::{BlockGames, Error, TagName};
use crate::chess::Outcome;
use crate::query::tree::outcome;
use crate::text::Days;
use std::num::NonZeroU64;

/// What is known of a game. The facts of one game do not contradict each other: what one of its
/// copies does not know may be anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Facts {
    date: Date,
    result: Option<Outcome>,
    texts: [Option<TextHash>; TEXTS.len()],
}

/// The hash of a known text.
type TextHash = NonZeroU64;

/// The days of a date, or the hash of the text of a malformed one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Date {
    Days { first: u32, last: u32 },
    Malformed(TextHash),
}

/// A fact that is the same in two games if the texts are equal.
struct TextFact {
    /// The tags that may give it; the first that does counts.
    tags: &'static [&'static [u8]],
    /// What a value says, if it says anything.
    known: fn(&str) -> Option<String>,
}

impl TextFact {
    const fn new(tags: &'static [&'static [u8]], known: fn(&str) -> Option<String>) -> TextFact {
        TextFact { tags, known }
    }
}

const TEXTS: [TextFact; 8] = [
    TextFact::new(&[b"Result"], malformed_result),
    TextFact::new(&[b"Round"], number),
    TextFact::new(&[b"Round"], part),
    TextFact::new(&[b"Board"], number),
    TextFact::new(&[b"UTCTime"], time),
    TextFact::new(&[b"StartTime"], time),
    TextFact::new(&[b"Link", b"GameUrl", b"GameURL", b"Site"], address),
    TextFact::new(&[b"GameId"], word),
];

impl Date {
    const UNKNOWN: Date = Date::Days {
        first: 0,
        last: u32::MAX,
    };

    /// Reads a date. An empty text is an unknown date.
    fn read(text: &str) -> Date {
        match Days::read(text) {
            Some(Days { first, last }) => Date::Days { first, last },
            None if text.trim().is_empty() || Days::is_well_formed(text) => Date::UNKNOWN,
            None => Date::Malformed(hash(text.trim())),
        }
    }

    /// What is known if both are dates of one game; `None` if they contradict each other. A
    /// malformed date contradicts every other.
    fn and(self, other: Date) -> Option<Date> {
        match (self, other) {
            (
                Date::Days { first, last },
                Date::Days {
                    first: other_first,
                    last: other_last,
                },
            ) => {
                let (first, last) = (first.max(other_first), last.min(other_last));
                (first <= last).then_some(Date::Days { first, last })
            }
            _ => (self == other).then_some(self),
        }
    }
}

impl Facts {
    /// Nothing is known.
    pub(super) const UNKNOWN: Facts = Facts {
        date: Date::UNKNOWN,
        result: None,
        texts: [None; TEXTS.len()],
    };

    /// What is known if both are facts of one game; `None` if they contradict each other.
    pub(super) fn and(self, other: Facts) -> Option<Facts> {
        let mut both = Facts {
            date: self.date.and(other.date)?,
            result: either(self.result, other.result)?,
            texts: self.texts,
        };
        for (own, other) in both.texts.iter_mut().zip(other.texts) {
            *own = either(*own, other)?;
        }
        Some(both)
    }
}

/// What is known of two facts of one game; the outer `None` if they contradict each other.
fn either<T: PartialEq + Copy>(a: Option<T>, b: Option<T>) -> Option<Option<T>> {
    match (a, b) {
        (Some(a), Some(b)) if a != b => None,
        _ => Some(a.or(b)),
    }
}

fn hash(text: &str) -> TextHash {
    let hash = blake3::hash(text.as_bytes());
    let bytes = hash.as_bytes().first_chunk().copied();
    TextHash::MIN.saturating_add(u64::from_le_bytes(bytes.unwrap_or_default()))
}

/// Reads the facts of the games of a block.
pub(super) struct FactReader<'b, 'a> {
    block: &'b BlockGames<'a>,
    dates: [TagName; 2],
    result: TagName,
    texts: [Vec<TagName>; TEXTS.len()],
}

impl<'b, 'a> FactReader<'b, 'a> {
    pub(super) fn new(block: &'b BlockGames<'a>) -> FactReader<'b, 'a> {
        let name = |name: &&'static [u8]| block.tag_name(name);
        FactReader {
            block,
            dates: [&b"Date"[..], b"UTCDate"].map(|name| block.tag_name(name)),
            result: block.tag_name(b"Result"),
            texts: TEXTS.map(|fact| fact.tags.iter().map(name).collect()),
        }
    }

    pub(super) fn read(&self, game: usize) -> Result<Facts, Error> {
        let mut facts = Facts {
            result: outcome(&self.text(game, &self.result)?),
            ..Facts::UNKNOWN
        };
        for name in &self.dates {
            if facts.date == Date::UNKNOWN {
                facts.date = Date::read(&self.text(game, name)?);
            }
        }
        for ((fact, names), known) in TEXTS.iter().zip(&self.texts).zip(&mut facts.texts) {
            for name in names {
                if known.is_none() {
                    *known = (fact.known)(&self.text(game, name)?).map(|text| hash(&text));
                }
            }
        }
        Ok(facts)
    }

    fn text(&self, game: usize, name: &TagName) -> Result<String, Error> {
        let value = self.block.tag(game, name)?.unwrap_or_default();
        let encoding = self.block.archive().encoding();
        Ok(encoding.decode(&value).into_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_malformed_date_contradicts_every_other() {
        let agree = |a: &str, b: &str| Date::read(a).and(Date::read(b)).is_some();
        for (a, b, expected) in [
            ("2010.05.01", "2010.??.??", true),
            ("2010.05.01", "2010.06.??", false),
            ("????.??.??", "2010.05.01", true),
            ("", "????.??.??", true),
            ("2011.19.11", "2011.19.11", true),
            ("2011.19.11", "2011.??.??", false),
            ("2011.19.11", "May 2011", false),
            ("2011.19.11", "????.??.??", false),
            ("2011.19.11", "", false),
        ] {
            assert_eq!(agree(a, b), expected, "{a} {b}");
            assert_eq!(agree(b, a), expected, "{b} {a}");
        }
    }

    #[test]
    fn what_is_known_of_copies_is_known_of_the_game() {
        let days = |first, last| Date::Days { first, last };
        let texts = |first| std::array::from_fn(|at| (at == 0).then(|| hash(first)));
        let one = Facts {
            date: days(1, 9),
            ..Facts::UNKNOWN
        };
        let two = Facts {
            date: days(5, 20),
            result: Some(Outcome::Draw),
            texts: texts("7"),
        };
        let both = Facts {
            date: days(5, 9),
            ..two
        };
        assert_eq!(one.and(two), Some(both));
        let other_round = Facts {
            texts: texts("8"),
            ..Facts::UNKNOWN
        };
        assert_eq!(both.and(other_round), None);
        assert_eq!(
            one.and(other_round).map(|facts| facts.texts[0]),
            Some(Some(hash("8")))
        );
    }
}
