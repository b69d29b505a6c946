//! Clocks and evaluations in comments, with the syntax of the PGN extension of Lichess and
//! python-chess: `[%clk 1:23:45.6]`, `[%eval 0.17]`, `[%eval #-3,22]`.

use super::game::on_one_line;
use memchr::memmem;

/// The first clock in a comment, in milliseconds; digits after the third decimal place do not
/// count. `None` if there is none, or if it exceeds the range.
pub fn clock(comment: &[u8]) -> Option<i32> {
    commands(&on_one_line(comment), b"[%clk", MAX_VALUE_BYTES).find_map(read_clock)
}

/// The first evaluation in a comment: centipawns for White, or a mate as
/// [`MATE`] has it. `None` if there is none, or if it exceeds the range.
pub fn eval(comment: &[u8]) -> Option<i32> {
    commands(&on_one_line(comment), b"[%eval", MAX_VALUE_BYTES).find_map(read_eval)
}

/// Whether a comment has text beyond commands such as `[%clk 1:23:45]`.
pub fn has_text(comment: &[u8]) -> bool {
    texts(comment).any(|text| !text.trim_ascii().is_empty())
}

/// The pieces of a comment before, between and after its commands.
pub fn texts(comment: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = Some(comment);
    std::iter::from_fn(move || {
        let all = rest.take()?;
        let start = memmem::find(all, b"[%");
        let command = start.and_then(|start| all.get(start..));
        let end = command.and_then(|command| memchr::memchr(b']', command));
        match (start, command, end) {
            (Some(start), Some(command), Some(end)) => {
                rest = command.get(end + 1..);
                all.get(..start)
            }
            _ => Some(all),
        }
    })
}

/// Longer values are none. The bound keeps a comment full of commands linear.
const MAX_VALUE_BYTES: usize = 64;

/// The text after each occurrence of a command and one blank, up to its bracket, if it has at most
/// this many bytes.
pub(super) fn commands<'a>(
    comment: &'a [u8],
    name: &'a [u8],
    max_bytes: usize,
) -> impl Iterator<Item = &'a [u8]> {
    memmem::find_iter(comment, name).filter_map(move |start| {
        let rest = comment.get(start + name.len()..)?;
        let (blank, rest) = rest.split_first()?;
        if !blank.is_ascii_whitespace() {
            return None;
        }
        let value = rest.get(..max_bytes).unwrap_or(rest);
        value.get(..memchr::memchr(b']', value)?)
    })
}

/// Parses `h:mm:ss` with optional decimal places.
pub fn read_clock(text: &[u8]) -> Option<i32> {
    let mut parts = text.split(|byte| *byte == b':');
    let [hours, minutes] = [parts.next()?, parts.next()?].map(digits);
    let (seconds, millis) = decimal(parts.next()?, 3)?;
    if parts.next().is_some() {
        return None;
    }
    let minutes = hours?.checked_mul(60)?.checked_add(minutes?)?;
    let seconds = minutes.checked_mul(60)?.checked_add(seconds)?;
    let millis = seconds.checked_mul(1000)?.checked_add(millis)?;
    i32::try_from(millis).ok()
}

/// Parses pawns with up to two decimal places, or `#` and the number of moves to a mate; a comma
/// and the depth may follow.
pub fn read_eval(text: &[u8]) -> Option<i32> {
    let mut parts = text.splitn(2, |byte| *byte == b',');
    let value = parts.next()?;
    if let Some(depth) = parts.next() {
        digits(depth)?;
    }
    if let Some(mate) = value.strip_prefix(b"#") {
        let (sign, moves) = signed(mate);
        let moves = i32::try_from(digits(moves)?).ok()?;
        return (moves < MATES).then(|| sign * (MATE - moves));
    }
    let (sign, pawns) = signed(value);
    let fraction = pawns.iter().skip_while(|byte| **byte != b'.').skip(1);
    if fraction.count() > MAX_FRACTION_DIGITS {
        return None;
    }
    let (pawns, centipawns) = match pawns.strip_prefix(b".") {
        Some(_) => decimal(&[b"0", pawns].concat(), MAX_FRACTION_DIGITS)?,
        None => decimal(pawns, MAX_FRACTION_DIGITS)?,
    };
    let value = pawns.checked_mul(100)?.checked_add(centipawns)?;
    let value = i32::try_from(value).ok()?;
    (value < MATE - MATES).then_some(sign * value)
}

/// The evaluation of a mate in 0 moves, in centipawns; mate in n moves is this number − n.
pub const MATE: i32 = 2_000_000_000;

/// The number of moves to the mate of an evaluation, negative if Black mates; `None` if it is no
/// mate.
pub fn mate_in(eval: i32) -> Option<i32> {
    let size = eval.checked_abs()?;
    (size > MATE - MATES).then(|| eval.signum() * (MATE - size))
}

/// A mate takes fewer moves. Evaluations without a mate are below those with one.
const MATES: i32 = 1_000_000;

const MAX_FRACTION_DIGITS: usize = 2;

fn signed(text: &[u8]) -> (i32, &[u8]) {
    match text.split_first() {
        Some((b'-', rest)) => (-1, rest),
        Some((b'+', rest)) => (1, rest),
        _ => (1, text),
    }
}

/// The value of one or more digits.
fn digits(text: &[u8]) -> Option<i64> {
    let is_number = !text.is_empty() && text.iter().all(u8::is_ascii_digit);
    let number = is_number.then(|| std::str::from_utf8(text).ok())??;
    number.parse().ok()
}

/// The whole part, and the decimal places as a number of this many digits.
fn decimal(text: &[u8], places: usize) -> Option<(i64, i64)> {
    let mut parts = text.splitn(2, |byte| *byte == b'.');
    let whole = digits(parts.next()?)?;
    let fraction = parts.next().unwrap_or_default();
    if !fraction.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let digits_of = fraction.iter().copied().chain(std::iter::repeat(b'0'));
    let value = digits_of
        .take(places)
        .fold(0, |value, digit| 10 * value + i64::from(digit - b'0'));
    Some((whole, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_no_text() {
        for (comment, expected) in [
            ("", false),
            (" \n", false),
            ("[%clk 0:03:00]", false),
            (" [%eval 0.3] [%clk 0:03:00]\n", false),
            ("[%csl Gd4][%cal Ge2e4]", false),
            ("good", true),
            ("good [%clk 0:03:00]", true),
            ("[%clk 0:03:00] good", true),
            ("[%clk 0:03:00", true),
            ("[x]", true),
        ] {
            assert_eq!(has_text(comment.as_bytes()), expected, "{comment}");
        }
        assert!(has_text(&b"[%".repeat(1 << 20)));
    }

    #[test]
    fn clocks_are_read() {
        for (text, expected) in [
            ("[%clk 0:03:00]", Some(180_000)),
            ("good [%eval 0.1] [%clk 1:00:07.4] x", Some(3_607_400)),
            ("[%clk 10:00:00.]", Some(36_000_000)),
            ("[%clk 0:00:01.23456]", Some(1_234)),
            ("[%clk 99:99:99]", Some(362_439_000)),
            ("[%clk x] [%clk 0:00:02]", Some(2_000)),
            ("[%clk 3:00]", None),
            ("[%clk 0:03:00", None),
            ("[%clk0:03:00]", None),
            ("[%clk 0:03:00:00]", None),
            ("[%clk :03:00]", None),
            ("[%clk 9999999999999999999:00:00]", None),
            ("[%clk 999999999:00:00]", None),
            ("", None),
        ] {
            assert_eq!(clock(text.as_bytes()), expected, "{text}");
        }
    }

    /// Quadratic time would take minutes.
    #[test]
    fn comments_full_of_commands_are_read_in_linear_time() {
        let many = [b"[%clk ".repeat(1 << 20), b"]".to_vec()].concat();
        assert_eq!((clock(&many), eval(&many)), (None, None));
        let long = [&b"[%eval "[..], &b"1".repeat(1 << 20), b"]"].concat();
        assert_eq!(eval(&long), None);
    }

    #[test]
    fn evaluations_are_read() {
        for (text, expected) in [
            ("[%eval 0.17]", Some(17)),
            ("[%eval -1.5]", Some(-150)),
            ("[%eval +.29,22]", Some(29)),
            ("[%eval 3]", Some(300)),
            ("[%eval 3.]", Some(300)),
            ("[%eval #3]", Some(1_999_999_997)),
            ("[%eval #-3]", Some(-1_999_999_997)),
            ("[%eval #+1,40]", Some(1_999_999_999)),
            ("[%eval #x] [%eval 1.00]", Some(100)),
            ("[%eval 1.0,x]", None),
            ("[%eval -]", None),
            ("[%eval 99999999999]", None),
            ("[%eval 1.234]", None),
            ("[%eval 9999.97]", Some(999_997)),
            ("[%eval 9989999.99]", Some(998_999_999)),
            ("[%eval 19990000.00]", None),
            ("[%eval #1000000]", None),
            ("[%eval #99999999999]", None),
        ] {
            assert_eq!(eval(text.as_bytes()), expected, "{text}");
        }
    }
}
