//! Texts that are numbers: what a value says, where its text follows from it.

use crate::bits::{BitsError, ByteReader, put_bytes, put_varint};

/// Numbers of shapes are below this, so that differences have a sign.
pub(super) const NUMBERS: u64 = 1 << 62;

/// Most bytes of a prefix.
const MOST_PREFIX: usize = 255;
/// The values of a code of eight letters and digits.
const CODES: u64 = 62u64.pow(CODE_BYTES);
const CODE_BYTES: u32 = 8;
/// Boards of a round, and the round without one.
const BOARDS: u64 = 1 << 10;
/// Ratings, IDs and counts have fewer digits.
const MOST_DIGITS: u32 = 18;
/// The least number with more.
const DECIMALS: u64 = 10u64.pow(MOST_DIGITS);

/// Which texts of a column are numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shape {
    /// None.
    Text,
    /// A prefix and a number in decimal.
    Decimal(Vec<u8>),
    /// A number with its sign; 0 as `0` or as `+0`.
    Signed {
        /// Whether 0 has its sign.
        zero_has_sign: bool,
    },
    /// Year, month and day with this byte between them; `?` for what is unknown.
    Date(u8),
    /// Hours, minutes and seconds.
    Time,
    /// A prefix and eight letters and digits.
    Code(Vec<u8>),
    /// A round, or a round and a board.
    Round,
}

impl Shape {
    /// The number of a text that is printed just so.
    pub fn parse(&self, text: &[u8]) -> Option<u64> {
        match self {
            Shape::Text => None,
            Shape::Decimal(prefix) => decimal(text.strip_prefix(prefix.as_slice())?),
            Shape::Signed { zero_has_sign } => signed(text, *zero_has_sign),
            Shape::Date(separator) => date(text, *separator),
            Shape::Time => time(text),
            Shape::Code(prefix) => code(text.strip_prefix(prefix.as_slice())?),
            Shape::Round => round(text),
        }
    }

    /// Appends the text of a number. `None` if it is that of no text.
    pub fn print(&self, number: u64, out: &mut Vec<u8>) -> Option<()> {
        match self {
            Shape::Text => return None,
            Shape::Decimal(prefix) => {
                out.extend_from_slice(prefix);
                put_decimal(Some(number).filter(|n| *n < DECIMALS)?, out);
            }
            Shape::Signed { zero_has_sign } => put_signed(number, *zero_has_sign, out)?,
            Shape::Date(separator) => put_date(number, *separator, out)?,
            Shape::Time => {
                let (hours, rest) = (number / 3600, number % 3600);
                put_fixed(Some(hours).filter(|hours| *hours < 100)?, 2, out);
                for part in [rest / 60, rest % 60] {
                    out.push(b':');
                    put_fixed(part, 2, out);
                }
            }
            Shape::Code(prefix) => {
                out.extend_from_slice(prefix);
                put_code(Some(number).filter(|number| *number < CODES)?, out);
            }
            Shape::Round => {
                let (round, board) = (number / BOARDS, number % BOARDS);
                put_decimal(Some(round).filter(|round| *round < 1 << 40)?, out);
                if let Some(board) = board.checked_sub(1) {
                    out.push(b'.');
                    put_decimal(board, out);
                }
            }
        }
        Some(())
    }

    /// What differences are taken of: the number with its sign.
    pub fn value(&self, number: u64) -> i64 {
        let number = number.min(NUMBERS - 1);
        match self {
            Shape::Signed { .. } => unfold(number),
            _ => number.cast_signed(),
        }
    }

    /// The number of a value; `None` if there is none.
    pub fn number(&self, value: i64) -> Option<u64> {
        let number = match self {
            Shape::Signed { .. } => fold(value),
            _ => u64::try_from(value).ok()?,
        };
        (value.unsigned_abs() < NUMBERS / 2 && number < NUMBERS).then_some(number)
    }

    /// Appends the shape to a plan.
    pub fn write(&self, out: &mut Vec<u8>) {
        let (number, parameter): (u8, &[u8]) = match self {
            Shape::Text => (0, &[]),
            Shape::Decimal(prefix) => (1, prefix),
            Shape::Signed { zero_has_sign } => (2 + u8::from(*zero_has_sign), &[]),
            Shape::Date(separator) => (4, &[*separator]),
            Shape::Time => (5, &[]),
            Shape::Code(prefix) => (6, prefix),
            Shape::Round => (7, &[]),
        };
        put_varint(out, number.into());
        match self {
            Shape::Decimal(_) | Shape::Code(_) => put_bytes(out, parameter),
            _ => out.extend_from_slice(parameter),
        }
    }

    /// Reads a shape; `None` for one that there is not.
    pub fn read(input: &mut ByteReader<'_>) -> Result<Option<Shape>, BitsError> {
        Ok(Some(match input.varint()? {
            0 => Shape::Text,
            1 => match prefix(input)? {
                Some(prefix) => Shape::Decimal(prefix),
                None => return Ok(None),
            },
            number @ (2 | 3) => Shape::Signed {
                zero_has_sign: number == 3,
            },
            4 => Shape::Date(input.u8()?),
            5 => Shape::Time,
            6 => match prefix(input)? {
                Some(prefix) => Shape::Code(prefix),
                None => return Ok(None),
            },
            7 => Shape::Round,
            _ => return Ok(None),
        }))
    }
}

fn prefix(input: &mut ByteReader<'_>) -> Result<Option<Vec<u8>>, BitsError> {
    let prefix = input.bytes()?;
    Ok((prefix.len() <= MOST_PREFIX).then(|| prefix.to_vec()))
}

/// A number in decimal without leading zeros.
fn decimal(text: &[u8]) -> Option<u64> {
    let is_canonical = text.first() != Some(&b'0') || text.len() == 1;
    if !is_canonical || !(1..=MOST_DIGITS as usize).contains(&text.len()) {
        return None;
    }
    digits(text)
}

fn digits(text: &[u8]) -> Option<u64> {
    text.iter().try_fold(0u64, |number, byte| {
        let digit = byte.checked_sub(b'0').filter(|digit| *digit < 10)?;
        Some(10 * number + u64::from(digit))
    })
}

fn put_decimal(number: u64, out: &mut Vec<u8>) {
    let width = number.checked_ilog10().unwrap_or(0) + 1;
    put_fixed(number, width, out);
}

/// The last `width` digits of a number.
fn put_fixed(number: u64, width: u32, out: &mut Vec<u8>) {
    for place in (0..width).rev() {
        let [digit, ..] = (number / 10u64.pow(place) % 10).to_le_bytes();
        out.push(b'0' + digit);
    }
}

fn signed(text: &[u8], zero_has_sign: bool) -> Option<u64> {
    let (sign, rest) = text.split_first()?;
    let number = match sign {
        b'+' => 2 * decimal(rest)?,
        b'-' => (2 * decimal(rest)?).checked_sub(1)?,
        b'0' if rest.is_empty() => 0,
        _ => return None,
    };
    let is_usual = number > 0 || (*sign == b'+') == zero_has_sign;
    (is_usual && number < NUMBERS / 2).then_some(number)
}

fn put_signed(number: u64, zero_has_sign: bool, out: &mut Vec<u8>) -> Option<()> {
    if number >= NUMBERS / 2 || number.div_ceil(2) >= DECIMALS {
        return None;
    }
    match number {
        0 if !zero_has_sign => {}
        odd if odd % 2 == 1 => out.push(b'-'),
        _ => out.push(b'+'),
    }
    put_decimal(number.div_ceil(2), out);
    Some(())
}

/// (y · 13 + m) · 32 + d, each one 0 where it is unknown, and a year more by 1.
fn date(text: &[u8], separator: u8) -> Option<u64> {
    let [a, b, c, d, first, e, f, second, g, h] = *text else {
        return None;
    };
    let known = |part: &[u8]| match part.iter().all(|byte| *byte == b'?') {
        true => Some(None),
        false => digits(part).map(Some),
    };
    let year = known(&[a, b, c, d])?.map_or(0, |year| year + 1);
    let month = known(&[e, f])?;
    let day = known(&[g, h])?;
    let is_date = [first, second] == [separator; 2]
        && month.is_none_or(|month| (1..=12).contains(&month))
        && day.is_none_or(|day| (1..=31).contains(&day));
    is_date.then(|| (13 * year + month.unwrap_or(0)) * 32 + day.unwrap_or(0))
}

fn put_date(number: u64, separator: u8, out: &mut Vec<u8>) -> Option<()> {
    let (year, month, day) = (number / 32 / 13, number / 32 % 13, number % 32);
    match year.checked_sub(1) {
        Some(year) => put_fixed(Some(year).filter(|year| *year < 10_000)?, 4, out),
        None => out.extend_from_slice(b"????"),
    }
    for part in [month, day] {
        out.push(separator);
        match part {
            0 => out.extend_from_slice(b"??"),
            _ => put_fixed(part, 2, out),
        }
    }
    Some(())
}

fn time(text: &[u8]) -> Option<u64> {
    let [a, b, b':', c, d, b':', e, f] = *text else {
        return None;
    };
    let parts = [digits(&[a, b])?, digits(&[c, d])?, digits(&[e, f])?];
    let [hours, minutes, seconds] = parts;
    (minutes < 60 && seconds < 60).then_some(3600 * hours + 60 * minutes + seconds)
}

/// Digits, capitals and small letters, in this order.
fn code(text: &[u8]) -> Option<u64> {
    if text.len() != CODE_BYTES as usize {
        return None;
    }
    text.iter().try_fold(0u64, |number, byte| {
        let digit = match byte {
            b'0'..=b'9' => byte - b'0',
            b'A'..=b'Z' => byte - b'A' + 10,
            b'a'..=b'z' => byte - b'a' + 36,
            _ => return None,
        };
        Some(62 * number + u64::from(digit))
    })
}

fn put_code(number: u64, out: &mut Vec<u8>) {
    for place in (0..CODE_BYTES).rev() {
        let [digit, ..] = (number / 62u64.pow(place) % 62).to_le_bytes();
        out.push(match digit {
            0..10 => b'0' + digit,
            10..36 => b'A' + digit - 10,
            _ => b'a' + digit.saturating_sub(36),
        });
    }
}

fn round(text: &[u8]) -> Option<u64> {
    let mut parts = text.splitn(2, |byte| *byte == b'.');
    let round = decimal(parts.next()?)?;
    let board = match parts.next() {
        Some(board) => decimal(board)? + 1,
        None => 0,
    };
    (round < 1 << 40 && board < BOARDS).then_some(round * BOARDS + board)
}

/// A number with its sign in the lowest bit.
pub(super) fn fold(value: i64) -> u64 {
    ((value << 1) ^ (value >> 63)).cast_unsigned()
}

/// The number whose sign is in the lowest bit.
pub(super) fn unfold(folded: u64) -> i64 {
    (folded >> 1).cast_signed() ^ -((folded & 1).cast_signed())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shapes() -> Vec<Shape> {
        vec![
            Shape::Text,
            Shape::Decimal(Vec::new()),
            Shape::Decimal(b"https://example.org/".to_vec()),
            Shape::Signed {
                zero_has_sign: false,
            },
            Shape::Signed {
                zero_has_sign: true,
            },
            Shape::Date(b'.'),
            Shape::Date(b'-'),
            Shape::Time,
            Shape::Code(Vec::new()),
            Shape::Code(b"x/".to_vec()),
            Shape::Round,
        ]
    }

    fn comes_back(shape: &Shape, text: &[u8]) -> bool {
        let Some(number) = shape.parse(text) else {
            return false;
        };
        let mut printed = Vec::new();
        shape.print(number, &mut printed).unwrap();
        assert_eq!(printed, text, "{shape:?} {number}");
        assert_eq!(shape.number(shape.value(number)), Some(number));
        true
    }

    #[test]
    fn texts_of_a_shape_are_numbers() {
        let plain = Shape::Decimal(Vec::new());
        let signed = |zero_has_sign| Shape::Signed { zero_has_sign };
        for (shape, text) in [
            (plain.clone(), "0"),
            (plain, "2848"),
            (Shape::Decimal(b"g/".to_vec()), "g/28453746"),
            (signed(false), "0"),
            (signed(true), "+0"),
            (signed(false), "+14"),
            (signed(false), "-999999999999999999"),
            (Shape::Date(b'.'), "2013.06.30"),
            (Shape::Date(b'-'), "1906-??-??"),
            (Shape::Date(b'.'), "????.??.??"),
            (Shape::Date(b'.'), "0000.12.31"),
            (Shape::Time, "22:05:06"),
            (Shape::Time, "99:59:59"),
            (Shape::Code(b"l/".to_vec()), "l/c1rfp1ck"),
            (Shape::Code(Vec::new()), "zzzzzzzz"),
            (Shape::Round, "4"),
            (Shape::Round, "4.1"),
            (Shape::Round, "0.0"),
        ] {
            assert!(comes_back(&shape, text.as_bytes()), "{shape:?} {text}");
        }
    }

    #[test]
    fn other_texts_are_not() {
        let plain = Shape::Decimal(Vec::new());
        let signed = |zero_has_sign| Shape::Signed { zero_has_sign };
        for (shape, text) in [
            (Shape::Text, "1"),
            (plain.clone(), ""),
            (plain.clone(), "007"),
            (plain.clone(), "-1"),
            (plain, "1234567890123456789"),
            (signed(false), "+0"),
            (signed(false), "-0"),
            (signed(true), "0"),
            (signed(true), "14"),
            (signed(true), "+"),
            (Shape::Date(b'.'), "2013.6.30"),
            (Shape::Date(b'.'), "2013.00.30"),
            (Shape::Date(b'.'), "2013.13.30"),
            (Shape::Date(b'.'), "2013.12.32"),
            (Shape::Date(b'.'), "201?.12.31"),
            (Shape::Date(b'.'), "2013-12.31"),
            (Shape::Time, "1:00:00"),
            (Shape::Time, "10:60:00"),
            (Shape::Time, "10:00:60"),
            (Shape::Code(Vec::new()), "1234567"),
            (Shape::Code(Vec::new()), "1234567-"),
            (Shape::Round, "?"),
            (Shape::Round, "1.1.1"),
            (Shape::Round, "1.1023"),
        ] {
            assert!(!comes_back(&shape, text.as_bytes()), "{shape:?} {text}");
        }
    }

    #[test]
    fn shapes_come_back() {
        for shape in shapes() {
            let mut out = Vec::new();
            shape.write(&mut out);
            let mut input = ByteReader::new(&out);
            assert_eq!(Shape::read(&mut input), Ok(Some(shape)));
            assert!(input.is_empty());
        }
        assert_eq!(Shape::read(&mut ByteReader::new(&[8])), Ok(None));
    }

    proptest! {
        #[test]
        fn any_text_is_printed_as_it_was(
            text in "[0-9+.:?/-]{0,12}|[0-9]{2}:[0-5][0-9]:[0-5][0-9]|[0-9A-Za-z]{8}|.*",
        ) {
            for shape in shapes() {
                comes_back(&shape, text.as_bytes());
            }
        }

        #[test]
        fn any_number_that_is_printed_is_that_of_its_text(
            number in prop_oneof![0..5000u64, 0..NUMBERS, any::<u64>()],
        ) {
            for shape in shapes() {
                let mut text = Vec::new();
                if shape.print(number, &mut text).is_some() {
                    prop_assert_eq!(shape.parse(&text), Some(number));
                }
            }
        }
    }
}
