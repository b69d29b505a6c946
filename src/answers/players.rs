//! The players of an archive.

use super::error::ApiError;
use super::open_archive::OpenArchive;
use super::params::Params;
use super::tags::Completion;
use super::unread::refuse_passing;
use crate::chess::Color;
use crate::query::explorer::{ListedGame, OpeningName};
use crate::{Field, Filter};
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;

/// The most opponents, and openings of a colour, that a record lists.
const MAX_LISTED: usize = 50;

#[derive(Serialize)]
pub(super) struct Players {
    players: Vec<PlayerCount>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unread: Vec<String>,
}

#[derive(Serialize)]
struct PlayerCount {
    name: String,
    games: u64,
}

/// The record of a player.
#[derive(Serialize)]
pub(super) struct Record {
    name: String,
    white: Score,
    black: Score,
    best_elo: Option<u16>,
    first_year: Option<u16>,
    last_year: Option<u16>,
    years: Vec<Year>,
    opponents: Vec<Opponent>,
    openings: Openings,
    /// Why games could not be read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unread: Vec<String>,
}

/// Results from the side of the player. Games without a result are among the games.
#[derive(Serialize, Clone, Copy, Default)]
struct Score {
    games: u64,
    won: u64,
    drawn: u64,
    lost: u64,
}

#[derive(Serialize)]
struct Year {
    year: u16,
    #[serde(flatten)]
    score: Score,
    /// The mean of the known ratings.
    elo: Option<u64>,
}

#[derive(Serialize)]
struct Opponent {
    name: String,
    #[serde(flatten)]
    score: Score,
}

#[derive(Serialize)]
struct Openings {
    white: Vec<Opening>,
    black: Vec<Opening>,
}

#[derive(Serialize)]
struct Opening {
    eco: String,
    name: String,
    #[serde(flatten)]
    score: Score,
}

/// The players whose names have words that begin so.
pub(super) fn list(open: &OpenArchive, completion: &Completion) -> Result<Players, ApiError> {
    let player = "player".parse::<Field>();
    let player = player.map_err(|error| ApiError::internal(error.to_string()))?;
    let found = open.values(&player)?;
    let players = found.completed(completion).into_iter();
    Ok(Players {
        players: players
            .map(|(name, games)| PlayerCount { name, games })
            .collect(),
        unread: found.unread.reasons().to_vec(),
    })
}

/// The name of the player whose record is asked for.
pub(super) fn name(params: &Params) -> Result<String, ApiError> {
    params.only(&["name"])?;
    Ok(params.required("name")?.to_owned())
}

/// The record of a player.
pub(super) fn record(open: &OpenArchive, name: &str) -> Result<Record, ApiError> {
    let mut tally = Tally::default();
    let sides = [
        ("White", "Black", Color::White),
        ("Black", "White", Color::Black),
    ];
    let mut opponents: HashMap<String, Score> = HashMap::new();
    for (side, other, color) in sides {
        let filter = Filter::tag_equals(side, name);
        tally.read(open, &filter, color)?;
        let (scores, errors) = open.archive.scores_by(&Field::tag(other), Some(&filter));
        refuse_passing(errors)?;
        for (opponent, score) in scores {
            let Some(opponent) = opponent else {
                continue;
            };
            let (won, lost) = color.fold_wb((score.won, score.lost), (score.lost, score.won));
            let sum = opponents.entry(opponent.to_string()).or_default();
            sum.games += score.games;
            sum.won += won;
            sum.drawn += score.drawn;
            sum.lost += lost;
        }
    }
    let [white, black] = tally.sides;
    let unread = open.explorer()?.unread();
    if white.games + black.games == 0 && unread.is_empty() {
        let name: String = name.chars().take(80).collect();
        return Err(ApiError::not_found(format!("no game of a player {name:?}")));
    }
    let opponents = most(opponents).into_iter();
    let openings = tally.openings.map(|of_side| {
        let of_side = most(of_side).into_iter();
        of_side
            .map(|((eco, name), score)| Opening { eco, name, score })
            .collect()
    });
    let [of_white, of_black] = openings;
    Ok(Record {
        name: name.to_owned(),
        white,
        black,
        best_elo: tally.best_elo,
        first_year: tally.years.keys().next().copied(),
        last_year: tally.years.keys().next_back().copied(),
        years: tally.years.into_iter().map(Year::of).collect(),
        opponents: opponents
            .map(|(name, score)| Opponent { name, score })
            .collect(),
        openings: Openings {
            white: of_white,
            black: of_black,
        },
        unread: unread.to_vec(),
    })
}

/// What has most games, that first.
fn most<K: Ord + Hash>(scores: HashMap<K, Score>) -> Vec<(K, Score)> {
    let mut scores: Vec<(K, Score)> = scores.into_iter().collect();
    scores.sort_by(|(a, one), (b, other)| (Reverse(one.games), a).cmp(&(Reverse(other.games), b)));
    scores.truncate(MAX_LISTED);
    scores
}

/// The sums over the games of a player.
#[derive(Default)]
struct Tally {
    sides: [Score; 2],
    best_elo: Option<u16>,
    /// Results, and the sum and the number of the known ratings.
    years: BTreeMap<u16, (Score, u64, u64)>,
    openings: [HashMap<(String, String), Score>; 2],
}

impl Tally {
    /// Adds the games that pass a filter, in which the player has this colour.
    fn read(&mut self, open: &OpenArchive, filter: &Filter, color: Color) -> Result<(), ApiError> {
        let explorer = open.explorer()?;
        let numbers = open.numbers(filter.clone())?;
        for game in explorer.games(&explorer.placed_games(numbers)) {
            self.add(&game, explorer.opening_of(&game), color);
        }
        Ok(())
    }

    fn add(&mut self, game: &ListedGame, opening: Option<OpeningName>, color: Color) {
        let mut score = Score {
            games: 1,
            ..Score::default()
        };
        match game.winner() {
            Some(winner) if winner == color => score.won = 1,
            Some(_) => score.lost = 1,
            None if game.is_draw() => score.drawn = 1,
            None => {}
        }
        let [white, black] = &mut self.sides;
        color.fold_wb(white, black).add(&score);
        let elo = game.elo(color);
        self.best_elo = self.best_elo.max(elo);
        if let Some((year, _)) = game.year_and_month() {
            let (of_year, sum, games) = self.years.entry(year).or_default();
            of_year.add(&score);
            *sum += elo.map_or(0, u64::from);
            *games += u64::from(elo.is_some());
        }
        if let Some(opening) = opening {
            let [white, black] = &mut self.openings;
            let of_side = color.fold_wb(white, black);
            of_side
                .entry((opening.eco, opening.name))
                .or_default()
                .add(&score);
        }
    }
}

impl Score {
    fn add(&mut self, other: &Score) {
        self.games += other.games;
        self.won += other.won;
        self.drawn += other.drawn;
        self.lost += other.lost;
    }
}

impl Year {
    fn of((year, (score, sum, games)): (u16, (Score, u64, u64))) -> Year {
        Year {
            year,
            score,
            elo: (sum + games / 2).checked_div(games),
        }
    }
}
