//! Comparing tag values as dates, numbers or text.

use super::date::Days;
use super::filter::{Comparison, Literal};
use std::borrow::Cow;
use std::cmp::Ordering;

/// Whether the value of a tag passes a comparison. Values of tags whose name ends
/// with `Date` are compared as dates, and numbers if the literal is a number. A date
/// with unknown parts passes only if every day that it may denote passes. All other
/// values are compared as text.
pub(super) fn passes(comparison: &Comparison, name: &str, value: &str) -> bool {
    match comparison {
        Comparison::Present => true,
        Comparison::Equal(literal) => is_equal(name, value, literal),
        Comparison::Holds(text) => holds(value, text),
        Comparison::Less(literal) => compared(name, value, literal).is_below,
        Comparison::AtMost(literal) => !compared(name, value, literal).may_be_above,
        Comparison::Greater(literal) => compared(name, value, literal).is_above,
        Comparison::AtLeast(literal) => !compared(name, value, literal).may_be_below,
    }
}

/// Whether a value contains a text, ignoring case. The text is in lower case.
fn holds(value: &str, text: &str) -> bool {
    if !value.is_ascii() {
        return value.to_lowercase().contains(text);
    }
    // Most values are ASCII, which can be searched without a copy.
    let Some((first, rest)) = text.as_bytes().split_first() else {
        return true;
    };
    let value = value.as_bytes();
    let mut starts = memchr::memchr2_iter(*first, first.to_ascii_uppercase(), value);
    starts.any(|start| {
        let end = start + 1 + rest.len();
        let there = value.get(start + 1..end).unwrap_or_default();
        there.len() == rest.len()
            && there
                .iter()
                .map(u8::to_ascii_lowercase)
                .eq(rest.iter().copied())
    })
}

/// A text in lower case.
pub(super) fn lower(text: &str) -> Cow<'_, str> {
    match text
        .bytes()
        .any(|byte| byte.is_ascii_uppercase() || !byte.is_ascii())
    {
        true => Cow::Owned(text.to_lowercase()),
        false => Cow::Borrowed(text),
    }
}

/// Whether a number passes a comparison.
pub(super) fn number_passes(comparison: &Comparison, value: u64) -> bool {
    passes(comparison, "", &value.to_string())
}

/// Whether the values of a tag are dates.
pub(super) fn is_date(name: &str) -> bool {
    let at = name.len().saturating_sub(4);
    name.get(at..)
        .is_some_and(|end| end.eq_ignore_ascii_case("date"))
}

fn is_equal(name: &str, value: &str, literal: &Literal) -> bool {
    if literal.is_quoted {
        return value == literal.text;
    }
    if is_date(name)
        && let (Some(days), Some(literal)) = (Days::read(value), Days::read(&literal.text))
    {
        return days.are_among(literal);
    }
    // As text, round 4.10 differs from round 4.1.
    match (value.trim().parse::<u64>(), literal.text.parse::<u64>()) {
        (Ok(value), Ok(literal)) => value == literal,
        _ => value == literal.text,
    }
}

/// The text of a value. Values that are not UTF-8, mostly from old files, are read as
/// Latin-1.
pub(super) fn text_of(value: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(value) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => value.iter().copied().map(char::from).collect(),
    }
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
}

fn compared(name: &str, value: &str, literal: &Literal) -> Compared {
    if is_date(name)
        && let Some(wanted) = Days::read(&literal.text)
    {
        let Some(days) = Days::read(value) else {
            return Compared::UNKNOWN;
        };
        return Compared {
            is_below: days.last < wanted.first,
            is_above: days.first > wanted.last,
            may_be_below: days.first < wanted.first,
            may_be_above: days.last > wanted.last,
        };
    }
    let Some(wanted) = number(&literal.text) else {
        return Compared::of(value.cmp(&literal.text));
    };
    let ordering = number(value).and_then(|value| value.partial_cmp(&wanted));
    ordering.map_or(Compared::UNKNOWN, Compared::of)
}

/// Parses a decimal number such as `12` or `-3.5`.
fn number(text: &str) -> Option<f64> {
    let text = text.trim();
    let is_one = |byte: u8| byte.is_ascii_digit() || b"+-.".contains(&byte);
    let number = text.bytes().all(is_one).then(|| text.parse::<f64>().ok());
    number.flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn literal(text: &str) -> Literal {
        Literal {
            text: text.to_owned(),
            is_quoted: false,
        }
    }

    /// The results of less, at most, greater and at least.
    fn orders(name: &str, value: &str, than: &str) -> [bool; 4] {
        [
            Comparison::Less(literal(than)),
            Comparison::AtMost(literal(than)),
            Comparison::Greater(literal(than)),
            Comparison::AtLeast(literal(than)),
        ]
        .map(|comparison| passes(&comparison, name, value))
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
            assert_eq!(orders(name, value, than), expected, "{name} {value} {than}");
        }
    }

    #[test]
    fn quotes_ask_for_the_very_text() {
        let equal = |name: &str, value: &str, text: &str, is_quoted| {
            let text = text.to_owned();
            let literal = Literal { text, is_quoted };
            passes(&Comparison::Equal(literal), name, value)
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
    }

    #[test]
    fn parts_are_found_in_either_case() {
        let holds = |value: &str, text: &str| passes(&Comparison::Holds(text.into()), "", value);
        assert!(holds("Carlsen, Magnus", "carlsen"));
        assert!(holds("GRÜNFELD", "grünfeld"));
        assert!(holds("plain", "lai"));
        assert!(holds("Aab", "aB".to_lowercase().as_str()));
        assert!(holds("x", "") && holds("", ""));
        for absent in ["x", "in ", "plains", "PLAIN", "ü"] {
            assert!(!holds("plain", absent), "{absent}");
        }
        assert!(holds(&text_of(b"M\xdcLLER"), "müller"));
    }
}
