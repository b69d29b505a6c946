//! What an explorer counts of a game, in 16 bytes.

use super::super::field::Speed;
use super::super::tree::outcome;
use super::names::NameNumbers;
use crate::chess::{Color, Outcome};
use crate::text::Days;
use strum::VariantArray;

/// The least mean ratings of the groups of games, as clients of the Lichess explorer name them.
pub(crate) const RATING_GROUPS: [u16; 9] = [0, 1000, 1200, 1400, 1600, 1800, 2000, 2200, 2500];

/// The greatest rating that is one.
const MAX_ELO: u16 = 9999;

/// Whether ratings are at stake, as sites say it at the beginning of the tag `Event`.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, strum::EnumString, strum::IntoStaticStr, strum::VariantArray,
)]
#[strum(serialize_all = "lowercase")]
pub(crate) enum Mode {
    Casual,
    Rated,
}

/// A month as a number that grows with time: 13 times the year, and the month from 1. An unknown
/// month is 0, and so is a month of an unknown year.
pub(crate) fn month_number(year: u16, month: Option<u16>) -> u16 {
    let number = 13 * u32::from(year) + u32::from(month.unwrap_or(0));
    u16::try_from(number).unwrap_or(0)
}

/// The year and, if it is known, the month of a number.
pub(crate) fn year_and_month(number: u16) -> Option<(u16, Option<u16>)> {
    let month = Some(number % 13).filter(|month| *month > 0);
    (number > 0).then_some((number / 13, month))
}

/// What counts of a game. A default value is that of a tag that is missing.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct GameFacts {
    /// The ratings of White and of Black; 0 is unknown.
    pub(super) elos: [u16; 2],
    /// A [`month_number`].
    pub(super) month: u16,
    /// The code of the opening, from 1 for A00 to 500 for E99; 0 is unknown.
    pub(super) eco: u16,
    /// The name of the opening; 0 is unknown.
    pub(super) name: u32,
    /// 1 if White won, 2 for a draw, 3 if Black won; 0 is unknown.
    pub(super) result: u8,
    /// 1 and the index of the variant; 0 is unknown.
    pub(super) speed: u8,
    pub(super) mode: u8,
    /// Whether the game is one of a variant.
    pub(super) is_variant: bool,
}

/// A tag from which facts follow.
pub(super) struct FactTag<'n> {
    pub(super) name: &'static str,
    /// Parses a value.
    pub(super) read: Box<dyn Fn(&str) -> u32 + Send + Sync + 'n>,
    /// Sets the fact to a parsed value.
    pub(super) set: fn(&mut GameFacts, u32),
}

impl<'n> FactTag<'n> {
    /// The tags that count.
    pub(super) fn all(names: &'n NameNumbers) -> [FactTag<'n>; 9] {
        let tag = |name, read: fn(&str) -> u32, set| FactTag {
            name,
            read: Box::new(read),
            set,
        };
        [
            tag("Result", result, |facts, result| {
                facts.result = byte(result)
            }),
            tag("WhiteElo", elo, |facts, elo| facts.elos[0] = word(elo)),
            tag("BlackElo", elo, |facts, elo| facts.elos[1] = word(elo)),
            tag("UTCDate", month, |facts, month| facts.month = word(month)),
            // Of two dates this one counts.
            tag("Date", month, |facts, month| {
                if month > 0 {
                    facts.month = word(month);
                }
            }),
            tag("TimeControl", speed, |facts, speed| {
                facts.speed = byte(speed)
            }),
            tag("Event", mode, |facts, mode| facts.mode = byte(mode)),
            tag("ECO", eco, |facts, eco| facts.eco = word(eco)),
            FactTag {
                name: "Opening",
                read: Box::new(|text| names.number(text)),
                set: |facts, name| facts.name = name,
            },
        ]
    }
}

fn byte(number: u32) -> u8 {
    u8::try_from(number).unwrap_or(0)
}

fn word(number: u32) -> u16 {
    u16::try_from(number).unwrap_or(0)
}

fn result(text: &str) -> u32 {
    match outcome(text) {
        None => 0,
        Some(Outcome::Draw) => 2,
        Some(Outcome::Decisive { winner }) => winner.fold_wb(1, 3),
    }
}

fn elo(text: &str) -> u32 {
    let elo: Option<u16> = text.parse().ok();
    elo.filter(|elo| *elo <= MAX_ELO).unwrap_or(0).into()
}

fn month(text: &str) -> u32 {
    let Some(days) = Days::read(text) else {
        return 0;
    };
    let month = days.month().and_then(|month| u16::try_from(month).ok());
    month_number(word(days.year()), month).into()
}

fn speed(text: &str) -> u32 {
    Speed::read(text).map_or(0, |speed| 1 + speed as u32)
}

fn mode(text: &str) -> u32 {
    let modes = [("Casual", Mode::Casual), ("Rated", Mode::Rated)];
    let mode = modes
        .into_iter()
        .find(|(word, _)| text.split(' ').next() == Some(word));
    mode.map_or(0, |(_, mode)| 1 + mode as u32)
}

fn eco(text: &str) -> u32 {
    let code = match text.as_bytes() {
        [
            volume @ b'A'..=b'E',
            tens @ b'0'..=b'9',
            units @ b'0'..=b'9',
        ] => 100 * u32::from(volume - b'A') + 10 * u32::from(tens - b'0') + u32::from(units - b'0'),
        _ => return 0,
    };
    1 + code
}

/// The text of a code of an opening.
pub(super) fn eco_text(eco: u16) -> Option<String> {
    let code = eco.checked_sub(1)?;
    let volume = ['A', 'B', 'C', 'D', 'E'].get(usize::from(code / 100))?;
    Some(format!("{volume}{:02}", code % 100))
}

impl GameFacts {
    /// Whether the game counts: it has a result and is one of chess.
    pub(super) fn counts(&self) -> bool {
        self.result != 0 && !self.is_variant
    }

    pub(super) fn is_draw(&self) -> bool {
        self.result == 2
    }

    pub(super) fn winner(&self) -> Option<Color> {
        match self.result {
            1 => Some(Color::White),
            3 => Some(Color::Black),
            _ => None,
        }
    }

    pub(super) fn speed(&self) -> Option<Speed> {
        Speed::VARIANTS
            .get(usize::from(self.speed.checked_sub(1)?))
            .copied()
    }

    pub(super) fn mode(&self) -> Option<Mode> {
        Mode::VARIANTS
            .get(usize::from(self.mode.checked_sub(1)?))
            .copied()
    }

    /// The sum of the known ratings.
    pub(super) fn strength(&self) -> u32 {
        self.elos.iter().copied().map(u32::from).sum()
    }

    /// The index of the rating group; `None` if a rating is unknown.
    pub(super) fn rating_group(&self) -> Option<usize> {
        let [white, black] = self.elos;
        if white == 0 || black == 0 {
            return None;
        }
        let mean = white.midpoint(black);
        RATING_GROUPS.iter().rposition(|least| *least <= mean)
    }
}
