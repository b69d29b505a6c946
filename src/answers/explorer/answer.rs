//! The answers of the explorer, in the form that its clients know.

use super::performance::performance;
use super::request::{ExplorerRequest, Kind};
use crate::chess::Color;
use crate::query::explorer::{Explored, ListedGame, MonthSums, OpeningName, Sums};
use crate::{Archive, Error};
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};

/// An answer. Means that are not known are 0 where the published schema of a route requires them.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ExplorerAnswer {
    #[serde(flatten)]
    results: Results,
    moves: Vec<Move>,
    #[serde(skip_serializing_if = "Option::is_none")]
    recent_games: Option<Vec<Game>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    top_games: Option<Vec<Game>>,
    opening: Option<Opening>,
    /// How many players are before this one: none, since nothing is indexed on request.
    #[serde(skip_serializing_if = "Option::is_none")]
    queue_position: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    history: Option<Vec<Month>>,
    /// Why games could not be read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unread: Vec<String>,
}

#[derive(Debug, Default, Serialize)]
struct Results {
    white: u64,
    draws: u64,
    black: u64,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Move {
    uci: String,
    san: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    average_rating: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    average_opponent_rating: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    performance: Option<i64>,
    #[serde(flatten)]
    results: Results,
    game: Option<Game>,
    opening: Option<Opening>,
}

#[derive(Debug, Clone, Serialize)]
struct Opening {
    eco: String,
    name: String,
}

/// A game. The years and ratings that are not known are 0, since clients expect numbers.
#[derive(Debug, Clone, Serialize)]
struct Game {
    #[serde(skip_serializing_if = "Option::is_none")]
    uci: Option<String>,
    id: String,
    winner: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    speed: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mode: Option<&'static str>,
    white: Player,
    black: Player,
    year: u16,
    /// Missing or null if it is not known, as in the schema of the route.
    #[serde(skip_serializing_if = "Option::is_none")]
    month: Option<Option<String>>,
}

#[derive(Debug, Clone, Serialize)]
struct Player {
    name: String,
    rating: u16,
}

#[derive(Debug, Serialize)]
struct Month {
    month: String,
    #[serde(flatten)]
    results: Results,
}

/// What archives answer, joined.
#[derive(Default)]
pub(crate) struct Joined {
    /// By the index of the move.
    moves: BTreeMap<usize, JoinedMove>,
    top: Vec<RankedGame>,
    recent: Vec<RankedGame>,
    opening: Agreed,
    months: MonthSums,
    unread: Vec<String>,
}

#[derive(Default)]
struct JoinedMove {
    sums: Sums,
    game: Option<Game>,
    opening: Agreed,
}

/// The opening on which all archives with games agree.
#[derive(Default)]
enum Agreed {
    #[default]
    Unknown,
    Opening(OpeningName),
    None,
}

impl Agreed {
    fn add(&mut self, opening: Option<&OpeningName>) {
        *self = match (&*self, opening) {
            (Agreed::Unknown, Some(opening)) => Agreed::Opening(opening.clone()),
            (Agreed::Opening(known), Some(opening)) if known == opening => return,
            _ => Agreed::None,
        };
    }

    fn finish(self) -> Option<Opening> {
        match self {
            Agreed::Opening(opening) => Some(Opening::of(opening)),
            Agreed::Unknown | Agreed::None => None,
        }
    }
}

/// A game with its rank in a list, the number of its archive, and its own.
type RankedGame = ((u32, u16, Reverse<usize>, u64), Game);

/// An archive whose games are named in an answer.
pub(super) struct Named<'a> {
    pub(super) archive: &'a Archive,
    /// The index of the archive.
    pub(super) index: usize,
    /// Why its explorer lacks games.
    pub(super) unread: &'a [String],
    pub(super) request: &'a ExplorerRequest,
}

impl Joined {
    /// Adds what an archive answers.
    ///
    /// # Errors
    /// A game that is listed cannot be read.
    pub(super) fn add(&mut self, explored: &Explored, named: &Named<'_>) -> Result<(), Error> {
        for count in &explored.moves {
            let game = count.game.as_ref();
            let game = game.map(|game| named.game(game, false)).transpose()?;
            let joined = self.moves.entry(count.number).or_default();
            joined.sums.merge(&count.sums);
            joined.game = game;
            joined.opening.add(count.opening.as_ref());
        }
        for game in &explored.top {
            let [rank, _] = game.ranks();
            self.top.push(named.ranked(rank, game)?);
        }
        for game in &explored.recent {
            let [_, rank] = game.ranks();
            self.recent.push(named.ranked(rank, game)?);
        }
        if !explored.moves.is_empty() {
            self.opening.add(explored.opening.as_ref());
        }
        self.months.merge(&explored.months);
        let errors = explored.errors.iter().map(ToString::to_string);
        self.unread
            .extend(named.unread.iter().cloned().chain(errors));
        Ok(())
    }

    /// Adds why games are missing.
    pub(crate) fn add_unread(&mut self, why: &str) {
        self.unread.push(why.to_owned());
    }

    /// The answer.
    pub(crate) fn finish(self, request: &ExplorerRequest) -> ExplorerAnswer {
        let mut all = Sums::default();
        let mut moves = Vec::new();
        for (number, joined) in self.moves {
            all.merge(&joined.sums);
            moves.extend(joined.finish(number, request));
        }
        moves.sort_by(|a, b| (b.results.games(), &a.uci).cmp(&(a.results.games(), &b.uci)));
        moves.truncate(request.moves);
        let top = first(self.top, request.top, &HashSet::new());
        let listed = top.iter().map(|game| game.id.clone()).collect();
        let recent = first(self.recent, request.recent, &listed);
        ExplorerAnswer {
            results: Results::of(&all),
            moves,
            recent_games: (request.kind != Kind::Masters).then_some(recent),
            top_games: (request.kind != Kind::Player).then_some(top),
            opening: self.opening.finish(),
            queue_position: (request.kind == Kind::Player).then_some(0),
            history: request.has_history.then(|| history(&self.months)),
            unread: self.unread,
        }
    }
}

/// The first games of a list that are not in another.
fn first(mut games: Vec<RankedGame>, most: usize, others: &HashSet<String>) -> Vec<Game> {
    games.sort_by_key(|(rank, _)| Reverse(*rank));
    let games = games.into_iter().map(|(_, game)| game);
    games
        .filter(|game| !others.contains(&game.id))
        .take(most)
        .collect()
}

fn history(months: &MonthSums) -> Vec<Month> {
    let month = |(year, month, sums)| Month {
        month: month_text(year, month),
        results: Results::of(sums),
    };
    months.months().map(month).collect()
}

fn month_text(year: u16, month: u16) -> String {
    format!("{year:04}-{month:02}")
}

impl JoinedMove {
    fn finish(self, number: usize, request: &ExplorerRequest) -> Option<Move> {
        let (uci, san) = request.position.texts_of(number)?;
        let results = Results::of(&self.sums);
        let games = results.games();
        let required = match request.kind {
            Kind::Masters | Kind::Lichess | Kind::Player => Some(0),
            Kind::Archive => None,
        };
        let player = request.player.as_ref().map(|player| player.color());
        let mean = self.sums.mean_elo(request.position.turn()).or(required);
        let of_opponents = player.map(|player| self.sums.mean_elo(player.other()));
        let half_points = player
            .map(|player| 2 * player.fold_wb(self.sums.white, self.sums.black) + self.sums.draws);
        let performance = |mean| performance(mean, half_points?, games);
        Some(Move {
            uci,
            san: san.to_owned(),
            average_rating: mean.filter(|_| player.is_none()),
            average_opponent_rating: of_opponents.and_then(|mean| mean.or(required)),
            performance: of_opponents.map(|mean| mean.and_then(performance).unwrap_or(0)),
            results,
            game: self.game.filter(|_| games == 1),
            opening: self.opening.finish(),
        })
    }
}

impl Results {
    fn of(sums: &Sums) -> Results {
        Results {
            white: sums.white,
            draws: sums.draws,
            black: sums.black,
        }
    }

    fn games(&self) -> u64 {
        self.white + self.draws + self.black
    }
}

impl Opening {
    fn of(opening: OpeningName) -> Opening {
        Opening {
            eco: opening.eco,
            name: opening.name,
        }
    }
}

impl Named<'_> {
    fn ranked(&self, rank: (u32, u16, u64), game: &ListedGame) -> Result<RankedGame, Error> {
        let (strength, month, number) = rank;
        let rank = (strength, month, Reverse(self.index), number);
        Ok((rank, self.game(game, true)?))
    }

    /// A game; in a list with its move.
    fn game(&self, game: &ListedGame, is_in_list: bool) -> Result<Game, Error> {
        let stored = self.archive.stored_game(game.number)?;
        let player = |tag: &[u8], color| -> Result<Player, Error> {
            let name = stored.tag(tag)?.unwrap_or_default();
            Ok(Player {
                name: self.archive.player_name(&name).into_owned(),
                rating: game.elo(color).unwrap_or(0),
            })
        };
        let position = &self.request.position;
        let uci = position.texts_of(game.next).map(|(uci, _)| uci);
        let (year, month) = game.year_and_month().unwrap_or_default();
        let is_of_masters = self.request.kind == Kind::Masters;
        let of_lichess = match self.request.kind {
            Kind::Lichess | Kind::Player => stored.tag(b"Site")?,
            Kind::Masters | Kind::Archive => None,
        };
        let of_lichess = of_lichess.as_deref().and_then(lichess_id);
        Ok(Game {
            uci: uci.filter(|_| is_in_list),
            id: of_lichess.unwrap_or_else(|| self.id(game.number)),
            winner: game.winner().map(|winner| winner.fold_wb("white", "black")),
            speed: game
                .speed()
                .filter(|_| !is_of_masters)
                .map(|speed| speed.name()),
            mode: game.mode().filter(|_| !is_of_masters).map(<&str>::from),
            white: player(b"White", Color::White)?,
            black: player(b"Black", Color::Black)?,
            year,
            month: match (month, is_of_masters) {
                (None, true) => None,
                (month, _) => Some(month.map(|month| month_text(year, month))),
            },
        })
    }

    /// The name of a game, which `/masters/pgn/{id}` understands.
    fn id(&self, number: u64) -> String {
        match (self.request.kind, self.index) {
            (Kind::Archive, _) | (_, 0) => number.to_string(),
            (_, index) => format!("{}-{number}", index + 1),
        }
    }
}

/// The ID of a game of Lichess, given its address. It may be that of one side, with 4 letters more.
fn lichess_id(site: &[u8]) -> Option<String> {
    let site = std::str::from_utf8(site).ok()?;
    let path = site.strip_prefix("https://lichess.org/")?;
    let name = path.split(['/', '#', '?']).next()?;
    let is_id =
        matches!(name.len(), 8 | 12) && name.bytes().all(|byte| byte.is_ascii_alphanumeric());
    name.get(..8).filter(|_| is_id).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_of_lichess_have_their_ids() {
        for (site, expected) in [
            ("https://lichess.org/AbCd1234", Some("AbCd1234")),
            ("https://lichess.org/AbCd1234/black#17", Some("AbCd1234")),
            ("https://lichess.org/study", None),
            ("https://lichess.org/broadcast/-/-/AbCd1234", None),
            ("Paris", None),
        ] {
            assert_eq!(lichess_id(site.as_bytes()).as_deref(), expected, "{site}");
        }
    }
}
