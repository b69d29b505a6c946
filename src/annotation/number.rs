//! Numbers in comments: how a text such as `+0.31`, `#-3` or `24` is written.
//!
//! A number is an integer and a format. The format holds for a field of a
//! template, so that a value that other values of the field do not look like is
//! none of that field.

use super::digits::{Digits, put_fraction, scaled};

/// No number has more digits before its point.
const MOST_DIGITS: usize = 12;

/// When a number that is not negative has a sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sign {
    /// Never.
    Bare = 0,
    /// Always.
    Plus = 1,
    /// Unless it is zero.
    PlusUnlessZero = 2,
}

/// How a mate in so many moves is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mates {
    /// Not at all.
    None = 0,
    /// `#3` and `#-3`.
    HashSign = 1,
    /// `#3` and `-#3`, with the sign of a number.
    SignHash = 2,
    /// `M3` and `-M3`, with the sign of a number.
    SignM = 3,
}

/// How a field of numbers is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NumberFormat {
    /// Digits behind the point.
    pub digits: Digits,
    /// Where a plus stands.
    pub sign: Sign,
    /// How mates are written.
    pub mates: Mates,
}

/// What a number says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Score {
    /// A number, in units of the last digit that its format has.
    Number(i64),
    /// A mate in so many moves.
    Mate(i64),
}

/// A number as it stands in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct NumberText<'a> {
    /// The sign before it, or 0.
    pub(super) sign: u8,
    pub(super) mates: Mates,
    /// The sign behind `#`, or 0.
    inner_sign: u8,
    pub(super) whole: &'a [u8],
    pub(super) fraction: &'a [u8],
    /// All of it.
    pub(super) text: &'a [u8],
}

impl<'a> NumberText<'a> {
    /// The number at the start of a text.
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
            if (1..=Digits::MOST).contains(&fraction.len()) {
                number.fraction = fraction;
                len += 1 + fraction.len();
            }
        }
        number.text = text.get(..len)?;
        // Zero has no minus.
        (!number.is_negative() || !number.is_zero()).then_some(number)
    }

    pub(super) fn is_negative(&self) -> bool {
        self.sign == b'-' || self.inner_sign == b'-'
    }

    pub(super) fn is_zero(&self) -> bool {
        let mut digits = self.whole.iter().chain(self.fraction);
        digits.all(|digit| *digit == b'0')
    }

    /// What it says in a format; `None` if that format would write it otherwise.
    pub(super) fn score(&self, format: &NumberFormat) -> Option<Score> {
        let is_mate = self.mates != Mates::None;
        let decimals = if is_mate { 0 } else { format.digits.most() };
        let size = scaled(self.whole, self.fraction, decimals)?;
        let value = if self.is_negative() { -size } else { size };
        let score = if is_mate {
            Score::Mate(value)
        } else {
            Score::Number(value)
        };
        let mut text = Vec::new();
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
    /// Appends the text of a number. `None` if the format has no mates.
    pub fn write(&self, score: Score, out: &mut Vec<u8>) -> Option<()> {
        let (value, mates) = match score {
            Score::Number(value) => (value, Mates::None),
            Score::Mate(value) if self.mates != Mates::None => (value, self.mates),
            Score::Mate(_) => return None,
        };
        if mates == Mates::HashSign {
            out.push(b'#');
        }
        let has_plus = match self.sign {
            Sign::Bare => false,
            Sign::Plus => true,
            Sign::PlusUnlessZero => value != 0,
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
            Score::Number(_) => {
                let unit = self.digits.unit();
                out.extend_from_slice((size / unit).to_string().as_bytes());
                put_fraction(size % unit, self.digits, out);
            }
            Score::Mate(_) => out.extend_from_slice(size.to_string().as_bytes()),
        }
        Some(())
    }
}
