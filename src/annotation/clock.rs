//! Times in comments: `0:09:57.1`, `00:04:18`, `4:18`.

use super::digits::{NumberDigits, put_fraction, scaled};
use super::number::digits;
use crate::bits::put_decimal;

/// The format of a time field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClockFormat {
    /// Whether hours precede the minutes.
    pub has_hours: bool,
    /// Whether the first number is zero-padded to two digits.
    pub is_padded: bool,
    /// Digits after the decimal point of the seconds.
    pub digits: NumberDigits,
}

/// A time as written in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ClockText<'a> {
    /// Hours, or minutes if there are no hours.
    pub(super) first: &'a [u8],
    /// Minutes, if hours precede them.
    minutes: Option<&'a [u8]>,
    seconds: &'a [u8],
    pub(super) fraction: &'a [u8],
    /// The complete text.
    pub(super) text: &'a [u8],
}

impl<'a> ClockText<'a> {
    /// Parses the time at the start of a text.
    pub(super) fn at(text: &'a [u8]) -> Option<Self> {
        let first = digits(text);
        let is_canonical = first.len() <= 2 || first.first() != Some(&b'0');
        if !(1..=6).contains(&first.len()) || !is_canonical {
            return None;
        }
        let mut len = first.len();
        let mut sixtieths: [&[u8]; 2] = [&[]; 2];
        let mut count = 0;
        for part in &mut sixtieths {
            if let Some(found) = sixtieth(text.get(len..).unwrap_or_default()) {
                *part = found;
                count += 1;
                len += 3;
            } else {
                break;
            }
        }
        let (minutes, seconds) = match (count, sixtieths) {
            (2, [minutes, seconds]) => (Some(minutes), seconds),
            (1, [seconds, _]) => (None, seconds),
            _ => return None,
        };
        let mut fraction: &[u8] = &[];
        if text.get(len) == Some(&b'.') {
            let found = digits(text.get(len + 1..).unwrap_or_default());
            if (1..=NumberDigits::MOST).contains(&found.len()) {
                fraction = found;
                len += 1 + found.len();
            }
        }
        Some(ClockText {
            first,
            minutes,
            seconds,
            fraction,
            text: text.get(..len)?,
        })
    }

    pub(super) fn has_hours(&self) -> bool {
        self.minutes.is_some()
    }

    /// The value in units of the last digit of `format`. Returns `None` if the
    /// format would write it differently.
    pub(super) fn value(&self, format: &ClockFormat) -> Option<i64> {
        let whole = |digits| scaled(digits, &[], 0);
        let minutes = match self.minutes {
            Some(minutes) => whole(self.first)? * 60 + whole(minutes)?,
            None => whole(self.first)?,
        };
        let seconds = minutes * 60 + whole(self.seconds)?;
        let fraction = scaled(b"0", self.fraction, format.digits.most())?;
        let unit = i64::try_from(format.digits.unit()).ok()?;
        let value = seconds * unit + fraction;
        let mut text = Vec::with_capacity(self.text.len());
        format.write(value, &mut text)?;
        (text == self.text).then_some(value)
    }
}

/// The two digits after a colon if they are below 60.
fn sixtieth(text: &[u8]) -> Option<&[u8]> {
    match text {
        [b':', b'0'..=b'5', b'0'..=b'9', ..] => text.get(1..3),
        _ => None,
    }
}

impl ClockFormat {
    /// Appends the text of a time given in units of its last digit. Returns
    /// `None` if it is negative.
    pub fn write(&self, value: i64, out: &mut Vec<u8>) -> Option<()> {
        let value = u64::try_from(value).ok()?;
        let unit = self.digits.unit();
        let seconds = value / unit;
        let width = if self.is_padded { 2 } else { 1 };
        let (minutes, seconds_left) = (seconds / 60, seconds % 60);
        if self.has_hours {
            put_decimal(out, minutes / 60, width);
            out.push(b':');
            put_decimal(out, minutes % 60, 2);
        } else {
            put_decimal(out, minutes, width);
        }
        out.push(b':');
        put_decimal(out, seconds_left, 2);
        put_fraction(value % unit, self.digits, out);
        Some(())
    }
}
