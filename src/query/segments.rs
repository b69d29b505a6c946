//! Which segments may have games that pass a filter, by what the directory says of them.

use super::field::{FieldKind, Reading};
use super::filter::{Comparison, Condition, Filter, Literal, Test};
use crate::archive::{Archive, Error};
use crate::text::Days;
use std::ops::Range;

/// The segments that may have games which pass a filter.
///
/// # Errors
/// A read fails.
pub(super) fn segments_for(
    archive: &Archive,
    filter: Option<&Filter>,
) -> Result<Vec<usize>, Error> {
    let all = 0..archive.container().segments().len();
    let may_pass = match filter {
        Some(filter) => filter.segments(archive, all.clone())?,
        None => vec![true; all.len()],
    };
    let segments = all.zip(may_pass).filter(|(_, may_pass)| *may_pass);
    Ok(segments.map(|(segment, _)| segment).collect())
}

impl Filter {
    /// For each of these segments, whether it may have games that pass.
    ///
    /// # Errors
    /// A read fails.
    pub(crate) fn segments(
        &self,
        archive: &Archive,
        segments: Range<usize>,
    ) -> Result<Vec<bool>, Error> {
        self.0.segments(archive, &segments)
    }
}

impl Condition {
    fn segments(&self, archive: &Archive, segments: &Range<usize>) -> Result<Vec<bool>, Error> {
        let combined = |parts: &[Condition], first, combine: fn(bool, bool) -> bool| {
            let mut found = vec![first; segments.len()];
            for part in parts {
                let of_part = part.segments(archive, segments)?;
                let both = found.iter_mut().zip(of_part);
                both.for_each(|(found, other)| *found = combine(*found, other));
            }
            Ok(found)
        };
        match self {
            Condition::And(parts) => combined(parts, true, |one, other| one && other),
            Condition::Or(parts) => combined(parts, false, |one, other| one || other),
            Condition::Not(_) => Ok(vec![true; segments.len()]),
            Condition::Test(test) => test.segments(archive, segments.clone()),
        }
    }
}

impl Test {
    fn segments(&self, archive: &Archive, segments: Range<usize>) -> Result<Vec<bool>, Error> {
        let count = segments.len();
        let Test::Compare(field, comparison) = self else {
            return Ok(vec![true; count]);
        };
        // Of tags, only the names of players are in summaries.
        let is_tag = matches!(field.0, FieldKind::Tag(_));
        let may_have: fn([u32; 2], &Comparison) -> bool = match (field.reading(), comparison) {
            (Some(Reading::Player), Comparison::Equal(name)) if is_text(name) => {
                return archive.segments_with_player(&name.text, segments);
            }
            (Some(Reading::Date), _) if !is_tag => may_have_date,
            (Some(Reading::Year), _) => may_have_year,
            _ => return Ok(vec![true; count]),
        };
        let summaries = archive.summaries(segments);
        Ok(summaries
            .map(|summary| may_have(summary.days, comparison))
            .collect())
    }
}

/// Whether values are equal to a literal only if they have its text.
fn is_text(literal: &Literal) -> bool {
    literal.is_quoted || literal.text.parse::<u64>().is_err()
}

/// Whether a date from the first to the second of these days may pass a comparison.
fn may_have_date([first, last]: [u32; 2], comparison: &Comparison) -> bool {
    let days = |literal: &Literal| Days::read(&literal.text);
    let passes = match comparison {
        Comparison::Equal(literal) if !literal.is_quoted => {
            days(literal).map(|days| first <= days.last && last >= days.first)
        }
        Comparison::Less(literal) => days(literal).map(|days| first < days.first),
        Comparison::AtMost(literal) => days(literal).map(|days| first <= days.last),
        Comparison::Greater(literal) => days(literal).map(|days| last > days.last),
        Comparison::AtLeast(literal) => days(literal).map(|days| last >= days.first),
        Comparison::Within(low, high) => {
            let both = days(low).zip(days(high));
            both.map(|(low, high)| last >= low.first && first <= high.last)
        }
        Comparison::Equal(_)
        | Comparison::Present
        | Comparison::Holds(_)
        | Comparison::Matches(_) => None,
    };
    // Other comparisons are those of a text.
    passes.unwrap_or(true)
}

/// Whether a year from that of the first to that of the second of these days may pass a comparison.
fn may_have_year(days: [u32; 2], comparison: &Comparison) -> bool {
    let [first, last] = days.map(|day| f64::from(day / 10_000));
    let passes = match comparison {
        Comparison::Equal(literal) => literal.number().map(|it| first <= it && it <= last),
        Comparison::Less(literal) => literal.number().map(|it| first < it),
        Comparison::AtMost(literal) => literal.number().map(|it| first <= it),
        Comparison::Greater(literal) => literal.number().map(|it| last > it),
        Comparison::AtLeast(literal) => literal.number().map(|it| last >= it),
        Comparison::Within(low, high) => {
            let both = low.number().zip(high.number());
            both.map(|(low, high)| last >= low && first <= high)
        }
        Comparison::Present | Comparison::Holds(_) | Comparison::Matches(_) => None,
    };
    passes.unwrap_or(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::field::Operand;

    /// The comparison of a filter of one test.
    fn comparison(filter: &str) -> Comparison {
        let filter: Filter = filter.parse().unwrap();
        match filter.0 {
            Condition::Test(Test::Compare(_, comparison)) => comparison,
            other => panic!("{other:?}"),
        }
    }

    const DATES: [&str; 9] = [
        "2009.12.31",
        "2010.01.01",
        "2010.05.17",
        "2010.05.??",
        "2010.??.??",
        "2010",
        "2010.12.31",
        "2011.01.01",
        "2011.??.??",
    ];

    #[test]
    fn segments_with_dates_that_pass_are_found() {
        let mut ruled_out = 0;
        for literal in DATES {
            let quoted = format!("\"{literal}\"");
            for test in ["=", "<", "<=", ">", ">="].map(|sign| format!("Date {sign} {literal}")) {
                for test in [&test, &test.replace(literal, &quoted)] {
                    let comparison = comparison(test);
                    for date in DATES {
                        let days = Days::read(date).unwrap();
                        let may_pass = may_have_date([days.first, days.last], &comparison);
                        let passes = Operand::Date(date.into()).passes(&comparison);
                        assert!(may_pass || !passes, "{date}: {test}");
                        ruled_out += usize::from(!may_pass);
                    }
                }
            }
        }
        assert!(ruled_out > 200, "{ruled_out}");
    }

    #[test]
    fn segments_with_dates_or_years_in_a_range_are_found() {
        let days = [20_100_517, 20_121_231];
        for (filter, may_pass) in [
            ("Date in 2009..2010.05.16", false),
            ("Date in 2009..2010.05", true),
            ("Date in 2013..2014", false),
            ("Date in 2012.12.31..2014", true),
            ("Date?", true),
            ("Date ~ 2030", true),
            ("Date = \"2030\"", true),
        ] {
            assert_eq!(
                may_have_date(days, &comparison(filter)),
                may_pass,
                "{filter}"
            );
        }
        for (filter, may_pass) in [
            ("year = 2009", false),
            ("year = 2010", true),
            ("year = 2012", true),
            ("year < 2010", false),
            ("year <= 2010", true),
            ("year > 2012", false),
            ("year >= 2012", true),
            ("year in 2013..2014", false),
            ("year in 2000..2010", true),
            ("year?", true),
        ] {
            assert_eq!(
                may_have_year(days, &comparison(filter)),
                may_pass,
                "{filter}"
            );
        }
        let none = [u32::MAX, 0];
        assert!(!may_have_date(none, &comparison("Date > 1")));
        assert!(!may_have_date(none, &comparison("Date < 9999")));
        assert!(!may_have_year(none, &comparison("year < 3000")));
    }
}
