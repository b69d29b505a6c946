//! The time control of a game, from its tag pair.

/// The time control of a game, in seconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TimeControl {
    /// The time of each side at the start.
    pub(super) base: Option<i64>,
    /// The time added per move.
    pub(super) increment: Option<i64>,
}

/// The name of the tag pair.
const TAG: &[u8] = b"TimeControl";

impl TimeControl {
    /// Parses the first `TimeControl` tag pair.
    pub fn of_tags<'t>(mut tags: impl Iterator<Item = (&'t [u8], &'t [u8])>) -> Self {
        let value = tags.find(|(name, _)| *name == TAG).map(|(_, value)| value);
        value.map_or(TimeControl::default(), Self::of)
    }

    /// Parses `base`, `base+increment` or `moves/base`; of several periods, the
    /// first.
    fn of(value: &[u8]) -> Self {
        let period = value.split(|byte| *byte == b':').next().unwrap_or_default();
        let period = period
            .rsplit(|byte| *byte == b'/')
            .next()
            .unwrap_or_default();
        let mut parts = period.splitn(2, |byte| *byte == b'+');
        let base = parts.next().and_then(seconds);
        let increment = match parts.next() {
            Some(increment) => seconds(increment),
            None => base.map(|_| 0),
        };
        TimeControl { base, increment }
    }
}

/// Parses a number of one to six digits.
fn seconds(text: &[u8]) -> Option<i64> {
    let is_number = (1..=6).contains(&text.len()) && text.iter().all(u8::is_ascii_digit);
    let digits = text.iter().map(|digit| i64::from(digit - b'0'));
    is_number.then(|| digits.fold(0, |seconds, digit| seconds * 10 + digit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls_are_read() {
        for (text, base, increment) in [
            ("180+2", Some(180), Some(2)),
            ("600", Some(600), Some(0)),
            ("1/259200", Some(259_200), Some(0)),
            ("40/7200+30:3600", Some(7200), Some(30)),
            ("-", None, None),
            ("", None, None),
            ("5+x", Some(5), None),
            ("12345678", None, None),
        ] {
            assert_eq!(
                TimeControl::of(text.as_bytes()),
                TimeControl { base, increment },
                "{text}"
            );
        }
    }
}
