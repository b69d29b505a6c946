//! Reading the text of a tag as a value.

use super::super::filter::Literal;
use super::operand::Operand;
use super::time_control::{Speed, TimeControl};
use crate::chess::Setup;
use crate::text::Days;
use std::borrow::Cow;

/// What the text of a tag is read as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reading {
    /// Text; compared as a number where both sides are numbers.
    Text,
    /// The name of a player; its spellings may be known.
    Player,
    /// A tag whose values are numbers, with placeholders.
    NumericText,
    /// A date, which may have unknown parts.
    Date,
    Number,
    Year,
    Month,
    Base,
    Increment,
    Speed,
    /// A FEN other than that of the usual start position.
    Start,
}

/// The tags of players' names.
pub(super) const PLAYERS: &[&str] = &["White", "Black"];

const A_NUMBER: &str = "expected a number";
const A_DATE: &str = "expected a date such as 2010, 2010.05 or 2010.05.17";
const A_SPEED: &str = "expected ultraBullet, bullet, blitz, rapid, classical or correspondence";

impl Reading {
    /// The reading of a tag, by its name.
    pub(crate) fn of_tag(name: &str) -> Reading {
        match name {
            _ if is_date(name) => Reading::Date,
            _ if is_numeric(name) => Reading::NumericText,
            _ if PLAYERS
                .iter()
                .any(|player| name.eq_ignore_ascii_case(player)) =>
            {
                Reading::Player
            }
            _ => Reading::Text,
        }
    }

    /// The value of a text; `None` if it has none.
    pub(crate) fn operand<'v>(self, text: Cow<'v, str>) -> Option<Operand<'v>> {
        let number = |number: u32| Operand::Number(number.into());
        Some(match self {
            Reading::Text | Reading::Player | Reading::NumericText => Operand::Text(text),
            Reading::Date => Operand::Date(text),
            // Servers write 0 for no rating.
            Reading::Number => {
                let number = text.trim().parse::<u32>().ok();
                Operand::Number(number.filter(|number| *number > 0)?.into())
            }
            Reading::Year => number(Days::read(&text)?.year()),
            Reading::Month => number(Days::read(&text)?.month()?),
            Reading::Base => number(TimeControl::read(&text)?.base),
            Reading::Increment => number(TimeControl::read(&text)?.increment),
            Reading::Speed => Operand::Speed(Speed::read(&text)?),
            Reading::Start => Operand::Text(Cow::Owned(start(&text)?)),
        })
    }

    /// Whether a text decides the value of the first of several tags: a date has a known year.
    pub(crate) fn is_decided_by(self, text: &str) -> bool {
        match self {
            Reading::Date | Reading::Year | Reading::Month => Days::read(text).is_some(),
            _ => self.operand(Cow::Borrowed(text)).is_some(),
        }
    }

    pub(super) fn is_number(self) -> bool {
        match self {
            Reading::Number
            | Reading::Year
            | Reading::Month
            | Reading::Base
            | Reading::Increment => true,
            Reading::Text
            | Reading::Player
            | Reading::NumericText
            | Reading::Date
            | Reading::Speed
            | Reading::Start => false,
        }
    }

    /// A value of a filter in the form in which it is compared, or what is expected instead.
    pub(super) fn literal(
        self,
        mut literal: Literal,
        is_ordered: bool,
    ) -> Result<Literal, &'static str> {
        let is_number = literal.number().is_some();
        match self {
            Reading::NumericText if is_ordered && !is_number => return Err(A_NUMBER),
            Reading::Date if !literal.is_quoted && Days::read(&literal.text).is_none() => {
                return Err(A_DATE);
            }
            Reading::Speed if literal.text.parse::<Speed>().is_err() => return Err(A_SPEED),
            Reading::Start => literal.text = start(&literal.text).unwrap_or(literal.text),
            _ if self.is_number() && !is_number => return Err(A_NUMBER),
            _ => {}
        }
        Ok(literal)
    }
}

/// A start position as a FEN with all its fields; `None` if it is the usual one. What is no FEN
/// stays as it is.
fn start(fen: &str) -> Option<String> {
    let fen = fen.trim();
    if matches!(fen, "" | "?") {
        return None;
    }
    let usual = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let found = Setup::from_fen(fen.as_bytes()).map(|setup| setup.fen());
    let found = found.unwrap_or_else(|_| fen.to_owned());
    (found != usual).then_some(found)
}

/// Whether the values of a tag are dates.
pub(crate) fn is_date(name: &str) -> bool {
    ends_with(name, "date")
}

/// Whether the values of a tag are numbers, apart from placeholders.
fn is_numeric(name: &str) -> bool {
    let ends = ["elo", "ratingdiff", "plycount"];
    ends.iter().any(|end| ends_with(name, end))
}

fn ends_with(name: &str, end: &str) -> bool {
    let at = name.len().saturating_sub(end.len());
    let found = name.get(at..);
    found.is_some_and(|found| found.eq_ignore_ascii_case(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(reading: Reading, text: &str) -> Option<String> {
        reading.operand(text.into()).map(|value| value.to_string())
    }

    #[test]
    fn texts_are_read_as_what_they_mean() {
        let moved = "8/8/4k3/8/8/4K3/8/8 w - - 0 1";
        let usual = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        for (reading, text, expected) in [
            (Reading::Number, " 2700", Some("2700")),
            (Reading::Number, "?", None),
            (Reading::Number, "0", None),
            (Reading::Year, "2010.05.??", Some("2010")),
            (Reading::Month, "2010.05.??", Some("5")),
            (Reading::Month, "2010.??.??", None),
            (Reading::Year, "????.??.??", None),
            (Reading::Base, "300+3", Some("300")),
            (Reading::Increment, "300", Some("0")),
            (Reading::Speed, "300+3", Some("blitz")),
            (Reading::Start, "8/8/4k3/8/8/4K3/8/8 w - -", Some(moved)),
            (Reading::Start, usual, None),
            (Reading::Start, "no FEN", Some("no FEN")),
        ] {
            assert_eq!(
                shown(reading, text).as_deref(),
                expected,
                "{reading:?} {text}"
            );
        }
    }
}
