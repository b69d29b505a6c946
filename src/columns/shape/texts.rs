//! Parsing and printing the texts of numbers, by shape.

use super::TextShape;
use crate::bits::put_decimal;

/// The number of codes of eight base-62 digits.
const CODES: u64 = 62u64.pow(CODE_BYTES);
const CODE_BYTES: u32 = 8;
/// The number of boards of a round, plus one for a round without a board.
const BOARDS: u64 = 1 << 10;
/// The maximum number of digits of a decimal, which suffices for ratings, IDs
/// and counts.
const MAX_DIGITS: u32 = 18;
/// The bound on decimals, exclusive.
const DECIMAL_BOUND: u64 = 10u64.pow(MAX_DIGITS);

impl TextShape {
    /// The number of a text; `None` if the text is not exactly the printed form
    /// of a number.
    pub fn parse(&self, text: &[u8]) -> Option<u64> {
        match self {
            TextShape::Text => None,
            TextShape::Decimal(prefix) => decimal(text.strip_prefix(prefix.as_slice())?),
            TextShape::Date(separator) => date(text, *separator),
            TextShape::Time => time(text),
            TextShape::Code(prefix) => code(text.strip_prefix(prefix.as_slice())?),
            TextShape::Round => round(text),
        }
    }

    /// Appends the text of a number. Returns `None` if the number has no text;
    /// `out` may then contain part of one.
    pub fn print(&self, number: u64, out: &mut Vec<u8>) -> Option<()> {
        match self {
            TextShape::Text => return None,
            TextShape::Decimal(prefix) => {
                out.extend_from_slice(prefix);
                put_decimal(out, Some(number).filter(|n| *n < DECIMAL_BOUND)?, 1);
            }
            TextShape::Date(separator) => put_date(number, *separator, out)?,
            TextShape::Time => {
                let (hours, rest) = (number / 3600, number % 3600);
                put_decimal(out, Some(hours).filter(|hours| *hours < 100)?, 2);
                for part in [rest / 60, rest % 60] {
                    out.push(b':');
                    put_decimal(out, part, 2);
                }
            }
            TextShape::Code(prefix) => {
                out.extend_from_slice(prefix);
                put_code(Some(number).filter(|number| *number < CODES)?, out);
            }
            TextShape::Round => {
                let (round, board) = (number / BOARDS, number % BOARDS);
                put_decimal(out, Some(round).filter(|round| *round < 1 << 40)?, 1);
                if let Some(board) = board.checked_sub(1) {
                    out.push(b'.');
                    put_decimal(out, board, 1);
                }
            }
        }
        Some(())
    }
}

/// A decimal number without leading zeros.
fn decimal(text: &[u8]) -> Option<u64> {
    let is_canonical = text.first() != Some(&b'0') || text.len() == 1;
    if !is_canonical || !(1..=MAX_DIGITS as usize).contains(&text.len()) {
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

/// (13y + m) × 32 + d, where y is the year plus 1; unknown parts are 0.
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
        Some(year) => put_decimal(out, Some(year).filter(|year| *year < 10_000)?, 4),
        None => out.extend_from_slice(b"????"),
    }
    for part in [month, day] {
        out.push(separator);
        match part {
            0 => out.extend_from_slice(b"??"),
            _ => put_decimal(out, part, 2),
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

/// Base-62 digits: decimal digits, capitals, small letters.
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
