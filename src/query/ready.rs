//! Filters prepared for a segment: tag names are resolved in its tables, and the parts
//! of a conjunction are ordered by cost.

use super::field::{Field, FieldKind, Operand, Reading, Rule, TagField};
use super::filter::{Comparison, Condition, Feature, Filter, Test};
use super::tag_reader::TagReader;
use crate::archive::{Archive, Error, TagName};
use crate::chess::{Color, Rules};
use crate::pgn::{FEN_TAG, VARIANT_TAG};
use crate::text::Aliases;
use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

/// A filter of a query, prepared lazily for each segment.
#[derive(Debug)]
pub(super) struct Sieve<'q> {
    filter: Option<&'q Filter>,
    /// Whether only games of chess pass.
    only_chess: bool,
    segments: Vec<OnceLock<Ready<'q>>>,
    /// The number of segments whose filters were dropped.
    forgotten: usize,
}

impl<'q> Sieve<'q> {
    pub(super) fn new(archive: &Archive, filter: Option<&'q Filter>) -> Sieve<'q> {
        let segments = archive.container().segments().iter();
        Sieve {
            filter,
            only_chess: false,
            segments: segments.map(|_| OnceLock::new()).collect(),
            forgotten: 0,
        }
    }

    /// The filter of a search for positions, which are those of chess: only games of chess pass,
    /// unless the filter asks for a variant.
    pub(super) fn of_chess(archive: &Archive, filter: Option<&'q Filter>) -> Sieve<'q> {
        Sieve {
            only_chess: !filter.is_some_and(Filter::asks_for_variant),
            ..Sieve::new(archive, filter)
        }
    }

    /// Drops the filters of the segments before `segment`. They own columns that the
    /// archive does not cache.
    pub(super) fn forget_before(&mut self, segment: usize) {
        let before = self.segments.iter_mut().take(segment);
        before
            .skip(self.forgotten)
            .for_each(|ready| drop(ready.take()));
        self.forgotten = self.forgotten.max(segment);
    }

    /// The filter prepared for a segment, if the query has one. `is_whole` says that
    /// all games of its blocks are tested.
    pub(super) fn of_segment(
        &self,
        archive: &Archive,
        segment: usize,
        is_whole: bool,
    ) -> Result<Option<&Ready<'q>>, Error> {
        let Some(ready) = self.segments.get(segment) else {
            return Ok(None);
        };
        if self.filter.is_none() && !self.only_chess {
            return Ok(None);
        }
        if let Some(ready) = ready.get() {
            return Ok(Some(ready));
        }
        let of = OfSegment {
            archive,
            segment,
            is_whole,
        };
        let filter = self.filter.map(|filter| of.filter(&filter.0)).transpose()?;
        let is_chess = self.only_chess.then(|| of.is_chess()).transpose()?;
        let made = Ready::And(is_chess.into_iter().chain(filter).collect());
        Ok(Some(ready.get_or_init(|| made)))
    }
}

/// A filter prepared for a segment.
#[derive(Debug)]
pub(super) enum Ready<'q> {
    /// All parts hold. Cheaper parts come first.
    And(Vec<Ready<'q>>),
    Or(Vec<Ready<'q>>),
    Not(Box<Ready<'q>>),
    /// At least one of the tags passes.
    Each(Vec<TagReader<'q, Verdict>>),
    /// The first tag that has a value passes.
    First(Vec<TagReader<'q, Verdict>>),
    /// The tag of the side that the result names passes.
    OfSide(TagReader<'q, Option<Color>>, [TagReader<'q, Verdict>; 2]),
    /// What follows from the numbers of both sides passes.
    OfBoth(
        &'q TagField,
        [TagReader<'q, Option<f64>>; 2],
        &'q Comparison,
    ),
    /// A value that is not one of tags passes.
    OfGame(&'q Field, &'q Comparison),
    Variant(Rules, [TagName; 2]),
    /// The game is one of chess; with the name of the tag of the start position.
    IsChess(TagReader<'q, VariantKind>, TagName),
    Has(Feature),
}

/// What the tag `Variant` says of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum VariantKind {
    Chess,
    Chess960,
    Other,
}

/// The result of a comparison. The default is that of a missing tag.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Verdict {
    /// Whether the tag decides, so that the next ones do not count.
    pub(super) is_decided: bool,
    pub(super) passes: bool,
}

impl Verdict {
    fn of(text: &str, reading: Reading, comparison: &Comparison) -> Verdict {
        let value = reading.operand(Cow::Borrowed(text));
        Verdict {
            is_decided: reading.is_decided_by(text),
            passes: value.is_some_and(|value| value.passes(comparison)),
        }
    }
}

impl Ready<'_> {
    /// A rough cost per game.
    fn cost(&self) -> u32 {
        match self {
            Ready::And(parts) | Ready::Or(parts) => {
                parts.iter().map(Ready::cost).max().unwrap_or(0)
            }
            Ready::Not(part) => part.cost(),
            Ready::Has(_) | Ready::OfGame(..) => 3,
            Ready::Each(tags) | Ready::First(tags) => {
                1 + u32::from(tags.iter().any(TagReader::may_need_moves))
            }
            Ready::OfSide(..) | Ready::OfBoth(..) | Ready::Variant(..) | Ready::IsChess(..) => 1,
        }
    }
}

/// The segment for which filters are prepared.
struct OfSegment<'a> {
    archive: &'a Archive,
    segment: usize,
    is_whole: bool,
}

impl OfSegment<'_> {
    fn filter<'q>(&self, filter: &'q Condition) -> Result<Ready<'q>, Error> {
        let all = |parts: &'q [Condition]| {
            let ready = parts.iter().map(|part| self.filter(part));
            ready.collect::<Result<Vec<_>, _>>()
        };
        Ok(match filter {
            Condition::And(parts) => {
                let mut parts = all(parts)?;
                parts.sort_by_key(Ready::cost);
                Ready::And(parts)
            }
            Condition::Or(parts) => Ready::Or(all(parts)?),
            Condition::Not(part) => Ready::Not(Box::new(self.filter(part)?)),
            Condition::Test(test) => self.test(test)?,
        })
    }

    fn test<'q>(&self, test: &'q Test) -> Result<Ready<'q>, Error> {
        Ok(match test {
            Test::Compare(field, comparison) => match &field.0 {
                FieldKind::Tag(name) => {
                    let in_any_case = self.archive.tag_name_in_any_case(self.segment, name)?;
                    let reading = Reading::of_tag(name);
                    Ready::Each(vec![self.verdicts(in_any_case, reading, comparison)?])
                }
                FieldKind::OfTags(of) => self.of_tags(of, comparison)?,
                FieldKind::OfGame(_) => Ready::OfGame(field, comparison),
            },
            Test::Variant(rules) => Ready::Variant(
                *rules,
                [
                    self.archive.tag_name(self.segment, VARIANT_TAG)?,
                    self.archive.tag_name(self.segment, FEN_TAG)?,
                ],
            ),
            Test::Has(feature) => Ready::Has(*feature),
        })
    }

    fn is_chess<'q>(&self) -> Result<Ready<'q>, Error> {
        let kind = |variant: Option<&[u8]>| match variant.map(Rules::by_name) {
            None | Some(Some(Rules::CHESS)) => VariantKind::Chess,
            Some(Some(Rules::CHESS960)) => VariantKind::Chess960,
            Some(_) => VariantKind::Other,
        };
        let variant = self.archive.tag_name(self.segment, VARIANT_TAG)?;
        let reader = TagReader::new(self.archive, self.segment, variant, self.is_whole, kind)?;
        let fen = self.archive.tag_name(self.segment, FEN_TAG)?;
        Ok(Ready::IsChess(reader, fen))
    }

    fn of_tags<'q>(
        &self,
        field: &'q TagField,
        comparison: &'q Comparison,
    ) -> Result<Ready<'q>, Error> {
        let verdicts = |name: &str| self.verdicts(self.name(name)?, field.reading, comparison);
        let all = || {
            let tags = field.tags.iter().map(|name| verdicts(name));
            tags.collect::<Result<Vec<_>, Error>>()
        };
        Ok(match (field.rule, field.tags) {
            (Rule::Each, _) => Ready::Each(all()?),
            // The very text of a date is that of the tag itself.
            (Rule::First, [first, ..])
                if field.reading == Reading::Date && comparison.is_of_quoted() =>
            {
                Ready::Each(vec![verdicts(first)?])
            }
            (Rule::First, _) => Ready::First(all()?),
            (Rule::Winner | Rule::Loser, [white, black]) => Ready::OfSide(
                self.read(self.name("Result")?, |text| field.side(&text?))?,
                [verdicts(white)?, verdicts(black)?],
            ),
            (Rule::Mean | Rule::Hundred | Rule::Difference, [white, black]) => {
                let number = |name: &str| {
                    self.read(self.name(name)?, |text| {
                        match field.reading.operand(text?) {
                            Some(Operand::Number(number)) => Some(number),
                            _ => None,
                        }
                    })
                };
                Ready::OfBoth(field, [number(white)?, number(black)?], comparison)
            }
            _ => Ready::Each(Vec::new()),
        })
    }

    fn name(&self, name: &str) -> Result<TagName, Error> {
        self.archive.tag_name_in_any_case(self.segment, name)
    }

    fn verdicts<'q>(
        &self,
        name: TagName,
        reading: Reading,
        comparison: &'q Comparison,
    ) -> Result<TagReader<'q, Verdict>, Error> {
        let aliases = self
            .archive
            .aliases()
            .filter(|_| reading == Reading::Player);
        let aliases = aliases.map(Arc::clone);
        self.read(name, move |text| {
            let Some(text) = text else {
                return Verdict::default();
            };
            let mut verdict = Verdict::of(&text, reading, comparison);
            if let Some(aliases) = &aliases {
                verdict.passes |= passes_as_spelling(&text, comparison, aliases);
            }
            verdict
        })
    }

    fn read<'q, T: Copy>(
        &self,
        name: TagName,
        read: impl Fn(Option<Cow<'_, str>>) -> T + Send + Sync + 'q,
    ) -> Result<TagReader<'q, T>, Error> {
        let encoding = self.archive.encoding();
        let read = move |value: Option<&[u8]>| read(value.map(|value| encoding.decode(value)));
        TagReader::new(self.archive, self.segment, name, self.is_whole, read)
    }
}

/// Whether the name for which a spelling stands passes a comparison.
fn passes_as_spelling(spelling: &str, comparison: &Comparison, aliases: &Aliases) -> bool {
    let Some(name) = aliases.name_of(spelling) else {
        return false;
    };
    if let Comparison::Equal(literal) = comparison
        && aliases.name_of(&literal.text) == Some(name)
    {
        return true;
    }
    Operand::Text(name.into()).passes(comparison)
}
