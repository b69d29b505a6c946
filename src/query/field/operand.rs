//! Values as they are compared and ordered.

use super::super::filter::{Comparison, Literal};
use super::time_control::Speed;
use crate::text;
use crate::text::Days;
use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;

/// A value of a game in the form in which it is compared.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Operand<'v> {
    Text(Cow<'v, str>),
    /// A date, or the text of a tag that should be one.
    Date(Cow<'v, str>),
    Number(f64),
    Speed(Speed),
    Flag(bool),
}

/// The words for [`Operand::Flag`].
pub(super) const FLAGS: [(&str, bool); 2] = [("yes", true), ("no", false)];

impl Operand<'_> {
    /// Whether the value passes a comparison.
    ///
    /// A date with unknown parts passes only if every day that it may denote passes. Text is
    /// compared as a number if the literal is one.
    pub(in super::super) fn passes(&self, comparison: &Comparison) -> bool {
        match comparison {
            Comparison::Present => true,
            Comparison::Equal(literal) => self.is_equal(literal),
            Comparison::Holds(folded) => text::holds(&self.shown(), folded),
            Comparison::Matches(pattern) => pattern.is_match(&self.shown()),
            Comparison::Less(literal) => self.compared(literal).is_below,
            Comparison::AtMost(literal) => !self.compared(literal).may_be_above,
            Comparison::Greater(literal) => self.compared(literal).is_above,
            Comparison::AtLeast(literal) => !self.compared(literal).may_be_below,
            Comparison::Within(low, high) => {
                !self.compared(low).may_be_below && !self.compared(high).may_be_above
            }
        }
    }

    /// Whether it is more than a placeholder for an unknown value: `?`, `-` or an empty text.
    pub(crate) fn is_known(&self) -> bool {
        match self {
            Operand::Text(text) => !text.bytes().all(|byte| b"?- ".contains(&byte)),
            Operand::Date(text) => Days::read(text).is_some(),
            Operand::Number(_) | Operand::Speed(_) | Operand::Flag(_) => true,
        }
    }

    pub(super) fn shown(&self) -> Cow<'_, str> {
        match self {
            Operand::Text(text) | Operand::Date(text) => Cow::Borrowed(text),
            other => Cow::Owned(other.to_string()),
        }
    }

    fn is_equal(&self, literal: &Literal) -> bool {
        if literal.is_quoted {
            return *self.shown() == literal.text;
        }
        match self {
            Operand::Date(text) => match (Days::read(text), Days::read(&literal.text)) {
                (Some(days), Some(literal)) => days.are_among(literal),
                _ => *text == literal.text,
            },
            // As text, round 4.10 differs from round 4.1.
            Operand::Text(text) => {
                match (text.trim().parse::<u64>(), literal.text.parse::<u64>()) {
                    (Ok(value), Ok(literal)) => value == literal,
                    _ => *text == literal.text,
                }
            }
            Operand::Number(number) => literal.number() == Some(*number),
            Operand::Speed(speed) => literal.text.parse() == Ok(*speed),
            Operand::Flag(flag) => FLAGS.contains(&(&literal.text.to_lowercase(), *flag)),
        }
    }

    fn compared(&self, literal: &Literal) -> Compared {
        match self {
            Operand::Date(text) => match Days::read(&literal.text) {
                Some(wanted) => Compared::of_days(Days::read(text), wanted),
                None => Compared::of(text.as_ref().cmp(&literal.text)),
            },
            Operand::Text(text) => match literal.number() {
                Some(wanted) => Compared::of_numbers(number(text), wanted),
                None => Compared::of(text.as_ref().cmp(&literal.text)),
            },
            Operand::Number(number) => match literal.number() {
                Some(wanted) => Compared::of_numbers(Some(*number), wanted),
                None => Compared::UNKNOWN,
            },
            Operand::Speed(speed) => {
                let wanted = literal.text.parse::<Speed>();
                wanted.map_or(Compared::UNKNOWN, |wanted| Compared::of(speed.cmp(&wanted)))
            }
            Operand::Flag(_) => Compared::UNKNOWN,
        }
    }
}

impl fmt::Display for Operand<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Operand::Text(text) | Operand::Date(text) => out.write_str(text),
            Operand::Number(number) => write!(out, "{number}"),
            Operand::Speed(speed) => out.write_str(speed.name()),
            Operand::Flag(flag) => {
                let mut words = FLAGS.iter().filter(|(_, value)| value == flag);
                out.write_str(words.next().map_or("", |(word, _)| word))
            }
        }
    }
}

impl Literal {
    /// The value as a number such as `12` or `-3.5`.
    pub(crate) fn number(&self) -> Option<f64> {
        number(&self.text)
    }
}

/// Parses a decimal number.
pub(super) fn number(text: &str) -> Option<f64> {
    let text = text.trim();
    let is_one = |byte: u8| byte.is_ascii_digit() || b"+-.".contains(&byte);
    let number = text.bytes().all(is_one).then(|| text.parse::<f64>().ok());
    number.flatten()
}

/// The order of two values, as far as it is known.
struct Compared {
    is_below: bool,
    is_above: bool,
    may_be_below: bool,
    may_be_above: bool,
}

impl Compared {
    /// The order is unknown: no comparison passes.
    const UNKNOWN: Compared = Compared {
        is_below: false,
        is_above: false,
        may_be_below: true,
        may_be_above: true,
    };

    fn of(ordering: Ordering) -> Compared {
        Compared {
            is_below: ordering.is_lt(),
            is_above: ordering.is_gt(),
            may_be_below: ordering.is_lt(),
            may_be_above: ordering.is_gt(),
        }
    }

    fn of_numbers(value: Option<f64>, wanted: f64) -> Compared {
        let ordering = value.and_then(|value| value.partial_cmp(&wanted));
        ordering.map_or(Compared::UNKNOWN, Compared::of)
    }

    fn of_days(days: Option<Days>, wanted: Days) -> Compared {
        let Some(days) = days else {
            return Compared::UNKNOWN;
        };
        Compared {
            is_below: days.last < wanted.first,
            is_above: days.first > wanted.last,
            may_be_below: days.first < wanted.first,
            may_be_above: days.last > wanted.last,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Reading;
    use super::*;

    fn literal(text: &str) -> Literal {
        Literal {
            text: text.to_owned(),
            is_quoted: false,
        }
    }

    fn of_tag<'v>(name: &str, value: &'v str) -> Operand<'v> {
        Reading::of_tag(name).operand(value.into()).unwrap()
    }

    /// The results of less, at most, greater and at least.
    fn orders(value: &Operand<'_>, than: &str) -> [bool; 4] {
        [
            Comparison::Less(literal(than)),
            Comparison::AtMost(literal(than)),
            Comparison::Greater(literal(than)),
            Comparison::AtLeast(literal(than)),
        ]
        .map(|comparison| value.passes(&comparison))
    }

    const LESS: [bool; 4] = [true, true, false, false];
    const EQUAL: [bool; 4] = [false, true, false, true];
    const GREATER: [bool; 4] = [false, false, true, true];
    const UNKNOWN: [bool; 4] = [false; 4];

    #[test]
    fn values_are_compared_by_what_they_are() {
        for (name, value, than, expected) in [
            ("WhiteElo", "900", "2700", LESS),
            ("WhiteElo", "2700", "2700", EQUAL),
            ("WhiteElo", "", "2700", UNKNOWN),
            ("WhiteElo", "?", "2700", UNKNOWN),
            ("Round", "10.2", "9", GREATER),
            ("Date", "2009.12.31", "2010", LESS),
            ("Date", "2010.??.??", "2010", EQUAL),
            ("Date", "2010.??.??", "2010.06", UNKNOWN),
            ("UTCDate", "2011.01.01", "2010.06", GREATER),
            ("Date", "????.??.??", "2010", UNKNOWN),
            ("ECO", "B99", "C00", LESS),
            ("ECO", "B90", "B90", EQUAL),
        ] {
            let found = orders(&of_tag(name, value), than);
            assert_eq!(found, expected, "{name} {value} {than}");
        }
        for (value, than, expected) in [
            (Operand::Number(2750.5), "2750", GREATER),
            (Operand::Number(-3.5), "-3.5", EQUAL),
            (Operand::Speed(Speed::Bullet), "Blitz", LESS),
            (Operand::Speed(Speed::Rapid), "rapid", EQUAL),
        ] {
            assert_eq!(orders(&value, than), expected, "{value} {than}");
        }
    }

    #[test]
    fn quotes_ask_for_the_very_text() {
        let equal = |name: &str, value: &str, text: &str, is_quoted| {
            let text = text.to_owned();
            let literal = Literal { text, is_quoted };
            of_tag(name, value).passes(&Comparison::Equal(literal))
        };
        assert!(equal("Date", "2010.05.17", "2010", false));
        assert!(!equal("Date", "2010.05.17", "2010", true));
        assert!(!equal("Date", "2010.??.??", "2010.05", false));
        assert!(equal("Date", "????.??.??", "????.??.??", true));
        assert!(equal("Round", "07", "7", false));
        assert!(equal("Round", "4.1", "4.1", false));
        assert!(!equal("Round", "4.10", "4.1", false));
        assert!(!equal("Round", "07", "7", true));
        assert!(equal("Result", "1-0", "1-0", false));
        assert!(!equal("White", "Näss", "Nass", false));
    }

    #[test]
    fn flags_are_yes_or_no() {
        let equal =
            |flag, text: &str| Operand::Flag(flag).passes(&Comparison::Equal(literal(text)));
        assert!(equal(true, "yes") && equal(false, "No"));
        assert!(!equal(true, "no") && !equal(false, "yes"));
    }
}
