//! Numbers in comments and their notation: `+0.31`, `#-3` or `24`.
//!
//! A number is stored as an integer; its format is stored once per template
//! field. A number that the format of the field does not reproduce is not a
//! value of that field.

use super::digits::{NumberDigits, put_fraction, scaled};
use crate::bits::put_decimal;

/// The maximum number of digits before the decimal point.
const MOST_DIGITS: usize = 12;

/// When a number that is not negative has a plus sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NumberSign {
    /// Never.
    Bare = 0,
    /// Always.
    Plus = 1,
    /// Unless it is zero.
    PlusUnlessZero = 2,
}

/// The notation of a mate in a number of moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mates {
    /// Mates are not allowed.
    None = 0,
    /// `#3` and `#-3`.
    HashSign = 1,
    /// `#3` and `-#3`, with the sign of a number before the hash.
    SignHash = 2,
    /// `M3` and `-M3`, with the sign of a number before the letter.
    SignM = 3,
}

/// The format of a number field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NumberFormat {
    /// Decimal places.
    pub digits: NumberDigits,
    /// When a plus sign is written.
    pub sign: NumberSign,
    /// The notation of mates.
    pub mates: Mates,
}

/// The value of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EvalScore {
    /// A number, in units of the last digit that its format has.
    Number(i64),
    /// A mate in this many moves, with the sign of the text.
    Mate(i64),
}

/// A number as written in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct NumberText<'a> {
    /// The sign before it, or 0.
    pub(super) sign: u8,
    pub(super) mates: Mates,
    /// The sign after `#`, or 0.
    inner_sign: u8,
    pub(super) whole: &'a [u8],
    pub(super) fraction: &'a [u8],
    /// The complete text.
    pub(super) text: &'a [u8],
}

impl<'a> NumberText<'a> {
    /// Parses the number at the start of a text.
    pub(super) fn at(text: &'a [u8]) -> Option<Self> {
        let sign = text.first().copied().filter(|byte| b"+-".contains(byte));
        let mut len = usize::from(sign.is_some());
        let mut number = NumberText {
            sign: sign.unwrap_or(0),
            mates: Mates::None,
            inner_sign: 0,
            whole: &[],
            fraction: &[],
            text: &[],
        };
        match text.get(len) {
            Some(b'#') if text.get(len + 1) == Some(&b'-') && sign.is_none() => {
                (number.mates, number.inner_sign) = (Mates::HashSign, b'-');
                len += 2;
            }
            Some(b'#') => {
                let mates = [Mates::HashSign, Mates::SignHash];
                number.mates = if sign.is_none() { mates[0] } else { mates[1] };
                len += 1;
            }
            Some(b'M') => {
                number.mates = Mates::SignM;
                len += 1;
            }
            _ => {}
        }
        number.whole = digits(text.get(len..)?);
        len += number.whole.len();
        let is_canonical = number.whole.len() == 1 || number.whole.first() != Some(&b'0');
        if number.whole.is_empty() || number.whole.len() > MOST_DIGITS || !is_canonical {
            return None;
        }
        if number.mates == Mates::None && text.get(len) == Some(&b'.') {
            let fraction = digits(text.get(len + 1..)?);
            if (1..=NumberDigits::MOST).contains(&fraction.len()) {
                number.fraction = fraction;
                len += 1 + fraction.len();
            }
        }
        number.text = text.get(..len)?;
        // Negative zero is not a number.
        (!number.is_negative() || !number.is_zero()).then_some(number)
    }

    pub(super) fn is_negative(&self) -> bool {
        self.sign == b'-' || self.inner_sign == b'-'
    }

    pub(super) fn is_zero(&self) -> bool {
        let mut digits = self.whole.iter().chain(self.fraction);
        digits.all(|digit| *digit == b'0')
    }

    /// The value in `format`. Returns `None` if the format would write it
    /// differently.
    pub(super) fn score(&self, format: &NumberFormat) -> Option<EvalScore> {
        let is_mate = self.mates != Mates::None;
        let decimals = if is_mate { 0 } else { format.digits.most() };
        let size = scaled(self.whole, self.fraction, decimals)?;
        let value = if self.is_negative() { -size } else { size };
        let score = if is_mate {
            EvalScore::Mate(value)
        } else {
            EvalScore::Number(value)
        };
        let mut text = Vec::with_capacity(self.text.len());
        format.write(score, &mut text)?;
        (text == self.text).then_some(score)
    }
}

/// The digits at the start of a text.
pub(super) fn digits(text: &[u8]) -> &[u8] {
    let len = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    text.get(..len).unwrap_or_default()
}

impl NumberFormat {
    /// Appends the text of a number. Returns `None` for a mate if the format
    /// has none.
    pub fn write(&self, score: EvalScore, out: &mut Vec<u8>) -> Option<()> {
        let (value, mates) = match score {
            EvalScore::Number(value) => (value, Mates::None),
            EvalScore::Mate(value) if self.mates != Mates::None => (value, self.mates),
            EvalScore::Mate(_) => return None,
        };
        if mates == Mates::HashSign {
            out.push(b'#');
        }
        let has_plus = match self.sign {
            NumberSign::Bare => false,
            NumberSign::Plus => true,
            NumberSign::PlusUnlessZero => value != 0,
        };
        match value {
            ..0 => out.push(b'-'),
            _ if has_plus && mates != Mates::HashSign => out.push(b'+'),
            _ => {}
        }
        match mates {
            Mates::SignHash => out.push(b'#'),
            Mates::SignM => out.push(b'M'),
            _ => {}
        }
        let size = value.unsigned_abs();
        match score {
            EvalScore::Number(_) => {
                let unit = self.digits.unit();
                put_decimal(out, size / unit, 1);
                put_fraction(size % unit, self.digits, out);
            }
            EvalScore::Mate(_) => put_decimal(out, size, 1),
        }
        Some(())
    }
}
