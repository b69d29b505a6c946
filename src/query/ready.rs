//! Filters prepared for a segment: tag names are resolved in its tables, and the parts
//! of a conjunction are ordered by cost.

use super::filter::{Comparison, Condition, Feature, Filter, FilterField, Test};
use super::tag_test::TagTest;
use crate::archive::{Archive, Error, TagName};
use crate::chess::Rules;
use crate::pgn::FEN_TAG;
use std::sync::OnceLock;

/// A filter of a query, prepared lazily for each segment.
#[derive(Debug)]
pub(super) struct Sieve<'q> {
    filter: Option<&'q Filter>,
    segments: Vec<OnceLock<Ready<'q>>>,
    /// The number of segments whose filters were dropped.
    forgotten: usize,
}

impl<'q> Sieve<'q> {
    pub(super) fn new(archive: &Archive, filter: Option<&'q Filter>) -> Sieve<'q> {
        let segments = archive.container().segments().iter();
        Sieve {
            filter,
            segments: segments.map(|_| OnceLock::new()).collect(),
            forgotten: 0,
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
        let (Some(filter), Some(ready)) = (self.filter, self.segments.get(segment)) else {
            return Ok(None);
        };
        if let Some(ready) = ready.get() {
            return Ok(Some(ready));
        }
        let of = OfSegment {
            archive,
            segment,
            is_whole,
        };
        let made = of.filter(&filter.0)?;
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
    Tags(Vec<TagTest<'q>>),
    /// `Date`, and `UTCDate` for games whose `Date` has no known year.
    Date([TagTest<'q>; 2]),
    Plies(&'q Comparison),
    Variant(Rules, [TagName; 2]),
    Has(Feature),
}

impl Ready<'_> {
    /// A rough cost per game.
    fn cost(&self) -> u32 {
        match self {
            Ready::And(parts) | Ready::Or(parts) => {
                parts.iter().map(Ready::cost).max().unwrap_or(0)
            }
            Ready::Not(part) => part.cost(),
            Ready::Has(_) => 3,
            Ready::Tags(tags) => 1 + u32::from(tags.iter().any(TagTest::may_need_moves)),
            Ready::Date(_) | Ready::Plies(_) | Ready::Variant(..) => 1,
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
            Test::Compare(FilterField::Plies, comparison) => Ready::Plies(comparison),
            Test::Compare(FilterField::Player, comparison) => {
                let [white, black] =
                    ["White", "Black"].map(|name| self.tag(name, name, comparison));
                Ready::Tags(vec![white?, black?])
            }
            Test::Compare(FilterField::Tag(name), comparison)
                if name.eq_ignore_ascii_case("Date") && !comparison.is_of_quoted() =>
            {
                let names = ["Date", "UTCDate"];
                let [date, utc_date] = names.map(|name| self.tag(name, "Date", comparison));
                Ready::Date([date?, utc_date?])
            }
            Test::Compare(FilterField::Tag(name), comparison) => {
                let in_any_case = self.archive.tag_name_in_any_case(self.segment, name)?;
                Ready::Tags(vec![self.compare((name, in_any_case), comparison)?])
            }
            Test::Variant(rules) => {
                Ready::Variant(*rules, [self.name(b"Variant")?, self.name(FEN_TAG)?])
            }
            Test::Has(feature) => Ready::Has(*feature),
        })
    }

    fn name(&self, name: &[u8]) -> Result<TagName, Error> {
        self.archive.tag_name(self.segment, name)
    }

    /// A test of the tag with exactly this name. Its values are interpreted as those of
    /// the tag `as_of`.
    fn tag<'q>(
        &self,
        name: &str,
        as_of: &'q str,
        comparison: &'q Comparison,
    ) -> Result<TagTest<'q>, Error> {
        self.compare((as_of, self.name(name.as_bytes())?), comparison)
    }

    fn compare<'q>(
        &self,
        name: (&'q str, TagName),
        comparison: &'q Comparison,
    ) -> Result<TagTest<'q>, Error> {
        TagTest::new(self.archive, self.segment, name, comparison, self.is_whole)
    }
}
