//! Game numbers as arguments: `17`, `100-200`, `100-`, and positions in games:
//! `17@34`; and messages for those that do not exist.

use super::figures::game_range;
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
            let ply = ply.parse().map_err(|_| match ply {
                "" => "the ply is missing after @: write 17@34".to_owned(),
                _ => format!("{ply:?} is not a number of plies"),
            })?;
            return number(game, SELECTIONS).map(|game| Selection::Position { game, ply });
        }
        range(text, SELECTIONS).map(Selection::Games)
    }
}

/// The forms of games, and of games and positions.
const GAMES: &str = "17, 100-200 or 100-";
const SELECTIONS: &str = "17, 100-200, 100- or 17@34";

/// Games, for a verb that takes no positions.
pub(crate) fn games(text: &str) -> Result<RangeInclusive<u64>, String> {
    match text.contains('@') {
        true => Err(format!("is a position, not a game: write {GAMES}")),
        false => range(text, GAMES),
    }
}

fn range(text: &str, forms: &str) -> Result<RangeInclusive<u64>, String> {
    let Some((first, last)) = text.split_once('-') else {
        return number(text, forms).map(|game| game..=game);
    };
    let first = number(first, forms)?;
    let last = match last {
        "" => OPEN_END,
        last => number(last, forms)?,
    };
    if first > last {
        return Err("the range ends before it begins".to_owned());
    }
    Ok(first..=last)
}

fn number(text: &str, forms: &str) -> Result<u64, String> {
    let number = text
        .parse()
        .map_err(|_| format!("{text:?} is not a game number: write {forms}"))?;
    if number == 0 {
        return Err("games are numbered from 1".to_owned());
    }
    Ok(number)
}

/// The message for a game that does not exist.
pub(crate) fn no_game(number: u64, games: u64) -> String {
    format!("no game {number}: the archive has {games}")
}

/// The message for the games of a range that do not exist; `None` if all exist. An open
/// range needs only its first game.
pub(crate) fn no_games(range: &RangeInclusive<u64>, games: u64) -> Option<String> {
    let missing = *range.start().max(&games.saturating_add(1));
    let last = *range.end();
    if last == OPEN_END {
        return (*range.start() > games).then(|| no_game(*range.start(), games));
    }
    let missing = (missing <= last).then(|| game_range(missing, last))?;
    Some(format!("no {missing}: the archive has {games}"))
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
    fn missing_games_are_named() {
        let missing = |range| no_games(&range, 58);
        assert_eq!(missing(1..=58), None);
        assert_eq!(missing(58..=OPEN_END), None);
        for (range, named) in [
            (59..=59, "no game 59"),
            (58..=59, "no game 59"),
            (59..=OPEN_END, "no game 59"),
            (58..=70, "no games 59 to 70"),
            (60..=70, "no games 60 to 70"),
        ] {
            let message = format!("{named}: the archive has 58");
            assert_eq!(missing(range), Some(message));
        }
    }

    #[test]
    fn positions_are_not_games() {
        assert_eq!(games("3-4"), Ok(3..=4));
        for text in ["17@34", "x", "17@"] {
            assert!(!games(text).unwrap_err().contains("@34"), "{text}");
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
