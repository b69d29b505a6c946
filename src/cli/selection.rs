//! Game numbers as arguments: `17`, `100-200`, `100-`, and positions in games:
//! `17@34`; and messages for those that do not exist.

use crate::Game;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// The end of an open range.
pub(crate) const OPEN_END: u64 = u64::MAX;

/// The games or the position that an argument selects. Games are numbered from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Selection {
    /// Games; [`OPEN_END`] is the last one of the archive.
    Games(RangeInclusive<u64>),
    /// The position after this many plies of a game.
    Position {
        /// The game.
        game: u64,
        /// The plies.
        ply: usize,
    },
}

impl FromStr for Selection {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Some((game, ply)) = text.split_once('@') {
            let ply = ply
                .parse()
                .map_err(|_| format!("{ply:?} is no number of plies"))?;
            return number(game).map(|game| Selection::Position { game, ply });
        }
        let Some((first, last)) = text.split_once('-') else {
            return number(text).map(|game| Selection::Games(game..=game));
        };
        let first = number(first)?;
        let last = match last {
            "" => OPEN_END,
            last => number(last)?,
        };
        if first > last {
            return Err("the range ends before it begins".to_owned());
        }
        Ok(Selection::Games(first..=last))
    }
}

fn number(text: &str) -> Result<u64, String> {
    let number = text.parse().map_err(|_| {
        format!("{text:?} is no number of a game: write 17, 100-200, 100- or 17@34")
    })?;
    if number == 0 {
        return Err("games are numbered from 1".to_owned());
    }
    Ok(number)
}

/// The message for a game that does not exist.
pub(crate) fn no_game(number: u64, games: u64) -> String {
    format!("no game {number}: the archive has {games}")
}

/// Why a game has no such position.
pub(crate) fn no_position(game: &Game, ply: usize) -> String {
    let plies = game.main_line().count();
    if ply > plies {
        return format!("its main line ends at ply {plies}");
    }
    match game.position(0) {
        None => "its FEN gives no position, or its variant is not known".to_owned(),
        Some(_) => format!("ply {} is not legal", game.plies().len() + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selections_are_read() {
        let position = Selection::Position { game: 17, ply: 34 };
        for (text, selection) in [
            ("17", Selection::Games(17..=17)),
            ("100-200", Selection::Games(100..=200)),
            ("100-", Selection::Games(100..=u64::MAX)),
            ("17@34", position),
        ] {
            assert_eq!(text.parse(), Ok(selection));
        }
    }

    #[test]
    fn nonsense_is_refused() {
        for text in [
            "", "0", "-5", "x", "2-1", "0-3", "1-2-3", "17@", "17@x", "@3", "1-3@4", "1.5",
        ] {
            assert!(text.parse::<Selection>().is_err(), "{text}");
        }
    }
}
