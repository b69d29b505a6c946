//! Human-readable numbers.

pub(crate) use crate::draw::{grouped, ratio};

/// A size with its unit: `812 B`, `31.2 MB`.
pub(crate) fn size(bytes: u64) -> String {
    const UNITS: [&str; 5] = ["kB", "MB", "GB", "TB", "PB"];
    if bytes < 1000 {
        return format!("{bytes} B");
    }
    let mut value = bytes as f64 / 1000.0;
    let mut units = UNITS.into_iter();
    let mut unit = units.next().unwrap_or_default();
    // A value that rounds to 1000.0 uses the next unit.
    while value >= 999.95
        && let Some(next) = units.next()
    {
        value /= 1000.0;
        unit = next;
    }
    format!("{value:.1} {unit}")
}

/// A count with its noun: `1 game`, `12 games`, `2 plies`.
pub(crate) fn count(number: u64, noun: &str) -> String {
    let number_text = grouped(number);
    match (number, noun) {
        (1, _) => format!("{number_text} {noun}"),
        (_, "ply") => format!("{number_text} plies"),
        _ => format!("{number_text} {noun}s"),
    }
}

/// A range of games by their numbers: `game 7`, `games 7 to 9`.
pub(crate) fn game_range(first: u64, last: u64) -> String {
    match first < last {
        true => format!("games {first} to {last}"),
        false => format!("game {first}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_grouped() {
        let cases = [
            (0, "0"),
            (999, "999"),
            (1000, "1,000"),
            (1_234_567, "1,234,567"),
        ];
        for (number, text) in cases {
            assert_eq!(grouped(number), text);
        }
    }

    #[test]
    fn sizes_have_units() {
        let cases = [
            (0, "0 B"),
            (999, "999 B"),
            (1000, "1.0 kB"),
            (999_949, "999.9 kB"),
            (999_950, "1.0 MB"),
            (u64::MAX, "18446.7 PB"),
        ];
        for (bytes, text) in cases {
            assert_eq!(size(bytes), text);
        }
    }

    #[test]
    fn counts_agree_with_their_nouns() {
        assert_eq!(count(1, "game"), "1 game");
        assert_eq!(count(2000, "game"), "2,000 games");
        assert_eq!(count(1, "ply"), "1 ply");
        assert_eq!(count(0, "ply"), "0 plies");
        assert!(ratio(1, 0) < f64::EPSILON);
    }
}
