//! The tag `TimeControl`, by the PGN standard, section 9.6.1.

/// The first period of a time control.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TimeControl {
    /// Seconds for the game, or for the moves of the period.
    pub(super) base: u32,
    /// Seconds added for each move.
    pub(super) increment: u32,
    /// Whether each move has the time to itself: `1/259200`, as in correspondence games.
    is_by_move: bool,
}

/// How fast a game is, as [Lichess](https://lichess.org/faq#time-controls) counts it.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    strum::EnumString,
    strum::IntoStaticStr,
    strum::VariantArray,
)]
#[strum(serialize_all = "camelCase", ascii_case_insensitive)]
pub(crate) enum Speed {
    UltraBullet,
    Bullet,
    Blitz,
    Rapid,
    Classical,
    Correspondence,
}

/// Moves that a game is expected to take, to compare increments with base times.
const EXPECTED_MOVES: u64 = 40;

impl TimeControl {
    /// Parses `300+3`, `40/7200:3600`, `*60` and the like. `None` if it is unknown or untimed.
    pub(super) fn read(text: &str) -> Option<TimeControl> {
        let first = text.trim().split(':').next()?;
        let (moves, time) = match first.split_once('/') {
            Some((moves, time)) => (Some(number(moves)?), time),
            None => (None, first.trim_start_matches('*')),
        };
        let (base, increment) = match time.split_once('+') {
            Some((base, increment)) => (number(base)?, number(increment)?),
            None => (number(time)?, 0),
        };
        Some(TimeControl {
            base,
            increment,
            is_by_move: moves == Some(1),
        })
    }
}

fn number(text: &str) -> Option<u32> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().ok())?
}

impl Speed {
    /// The speed of a time control: by base plus 40 increments, in seconds.
    pub(crate) fn read(text: &str) -> Option<Speed> {
        if text.trim() == "-" {
            return Some(Speed::Correspondence);
        }
        let control = TimeControl::read(text)?;
        let seconds = u64::from(control.base) + EXPECTED_MOVES * u64::from(control.increment);
        Some(match seconds {
            _ if control.is_by_move => Speed::Correspondence,
            0..30 => Speed::UltraBullet,
            30..180 => Speed::Bullet,
            180..480 => Speed::Blitz,
            480..1500 => Speed::Rapid,
            _ => Speed::Classical,
        })
    }

    pub(crate) fn name(self) -> &'static str {
        self.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use strum::VariantArray;

    #[test]
    fn time_controls_are_read() {
        let read = |text: &str| {
            let control = TimeControl::read(text)?;
            Some((control.base, control.increment))
        };
        for (text, expected) in [
            ("300+3", Some((300, 3))),
            ("600", Some((600, 0))),
            ("40/7200:3600+30", Some((7200, 0))),
            ("40/5400+30:900+30", Some((5400, 30))),
            ("*60", Some((60, 0))),
            ("1/259200", Some((259_200, 0))),
            ("?", None),
            ("-", None),
            ("", None),
            ("5 min", None),
            ("99999999999", None),
            ("+3", None),
        ] {
            assert_eq!(read(text), expected, "{text}");
        }
    }

    #[test]
    fn speeds_are_those_of_lichess() {
        for (text, speed) in [
            ("15", Some(Speed::UltraBullet)),
            ("0+1", Some(Speed::Bullet)),
            ("60+2", Some(Speed::Bullet)),
            ("180", Some(Speed::Blitz)),
            ("300+4", Some(Speed::Blitz)),
            ("300+5", Some(Speed::Rapid)),
            ("900+15", Some(Speed::Classical)),
            ("-", Some(Speed::Correspondence)),
            ("1/86400", Some(Speed::Correspondence)),
            ("?", None),
        ] {
            assert_eq!(Speed::read(text), speed, "{text}");
        }
    }

    #[test]
    fn names_of_speeds_are_read() {
        for speed in Speed::VARIANTS {
            assert_eq!(speed.name().to_uppercase().parse(), Ok(*speed));
        }
        assert!("fast".parse::<Speed>().is_err());
    }
}
