//! The order of values.

use super::operand::{Operand, number};
use super::{Field, Reading};
use crate::text::Days;
use crate::text::fold;
use std::cmp::{Ordering, Reverse};

/// A value in a form that sorts by its meaning.
#[derive(Debug, PartialEq, PartialOrd)]
pub(crate) enum Worth<'v> {
    /// The first day of a date, then the last, longer ranges first.
    Date(u32, Reverse<u32>),
    Numbers(Vec<NumberPart>),
    Number(f64),
    Text(String, &'v str),
}

/// A number of any length: the count of its digits, and the digits without leading zeros.
type NumberPart = (usize, String);

impl<'v> Worth<'v> {
    pub(crate) fn of(value: &'v Operand<'_>) -> Worth<'v> {
        let of_text = |text: &'v str| match numbers(text) {
            Some(numbers) => Worth::Numbers(numbers),
            None => Worth::Text(fold(text).into_owned(), text),
        };
        match value {
            Operand::Number(number) => Worth::Number(*number),
            Operand::Speed(speed) => Worth::Number(f64::from(*speed as u8)),
            Operand::Flag(flag) => Worth::Number(f64::from(u8::from(*flag))),
            Operand::Text(text) => of_text(text),
            Operand::Date(text) => match Days::read(text) {
                Some(days) => Worth::of_days(days),
                None => of_text(text),
            },
        }
    }

    /// A value of a field; `None` if it is none of the field's kind, such as text among numbers,
    /// which sorts last.
    pub(crate) fn in_field(field: &Field, value: &'v Operand<'_>) -> Option<Worth<'v>> {
        match (field.reading(), value) {
            (Some(Reading::NumericText), Operand::Text(text)) => number(text).map(Worth::Number),
            (_, Operand::Date(text)) => Days::read(text).map(Worth::of_days),
            _ => Some(Worth::of(value)),
        }
    }

    fn of_days(days: Days) -> Worth<'v> {
        Worth::Date(days.first, Reverse(days.last))
    }

    /// No value is NaN.
    pub(crate) fn order(&self, other: &Worth<'_>) -> Ordering {
        self.partial_cmp(other).unwrap_or(Ordering::Equal)
    }
}

/// Parses the numbers of a value such as `12` or `3.10`.
fn numbers(text: &str) -> Option<Vec<NumberPart>> {
    let numbers = text.trim().split('.').map(|part| {
        let is_number = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        let digits = part.trim_start_matches('0');
        is_number.then(|| (digits.len(), digits.to_owned()))
    });
    numbers.collect()
}

#[cfg(test)]
mod tests {
    use super::super::Reading;
    use super::*;

    #[test]
    fn values_are_ordered_by_what_they_are() {
        for (name, order) in [
            (
                "Date",
                vec![
                    "1999.12.31",
                    "2010.??.??",
                    "2010.01.??",
                    "2010.01.01",
                    "2010.02.??",
                ],
            ),
            (
                "Round",
                vec!["1", "1.2", "1.10", "2", "10", "final", "Semi"],
            ),
            ("WhiteElo", vec!["900", "2700", "100000000000000000000"]),
            (
                "White",
                vec!["Anand", "anand", "Carlsen", "d'Orville", "Ünal", "Uwe"],
            ),
        ] {
            let operand = |value: &&'static str| {
                let reading = Reading::of_tag(name);
                reading.operand((*value).into()).unwrap()
            };
            let values: Vec<Operand<'_>> = order.iter().map(operand).collect();
            let worths: Vec<Worth<'_>> = values.iter().map(Worth::of).collect();
            assert!(
                worths.is_sorted_by(|a, b| a.order(b).is_lt()),
                "{name}: {worths:?}"
            );
        }
        let [padded, plain] = ["007", "7"].map(|text| Operand::Text(text.into()));
        assert_eq!(Worth::of(&padded), Worth::of(&plain));
    }
}
