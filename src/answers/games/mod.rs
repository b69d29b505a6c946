//! The games of an archive: pages of them, and one game.

mod data;
mod search;

pub(super) use search::Found;

use super::ApiAnswer;
use super::error::ApiError;
use super::open_archive::OpenArchive;
use super::params::Params;
use crate::{Archive, Field, FieldValue};
use data::GameData;
use search::{SEARCH_PARAMS, Search};
use serde::Serialize;

/// The registered media type of PGN.
const PGN: &str = "application/vnd.chess-pgn";

/// The most games of a page, and how many it has unless a request says otherwise.
const MAX_PAGE: usize = 500;
const PAGE: usize = 50;

/// The parameters that choose a page.
const PAGE_PARAMS: [&str; 3] = ["cursor", "offset", "limit"];

/// A page of games.
#[derive(Serialize)]
pub(super) struct Page {
    total: usize,
    offset: usize,
    games: Vec<Row>,
    next: Option<String>,
    /// Why games could not be searched.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unread: Vec<String>,
}

/// A game of a page. Texts are those of its tags.
#[derive(Serialize, Default)]
struct Row {
    number: u64,
    white: Option<String>,
    black: Option<String>,
    white_elo: Option<u32>,
    black_elo: Option<u32>,
    white_title: Option<String>,
    black_title: Option<String>,
    result: Option<String>,
    date: Option<String>,
    event: Option<String>,
    site: Option<String>,
    round: Option<String>,
    eco: Option<String>,
    opening: Option<String>,
    time_control: Option<String>,
    plies: Option<u64>,
    /// Where the position was found.
    ply: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// A request for a page of games.
pub(crate) struct PageRequest {
    search: Search,
    offset: usize,
    limit: usize,
}

impl PageRequest {
    pub(super) fn read(params: &Params) -> Result<PageRequest, ApiError> {
        params.only(&[&SEARCH_PARAMS[..], &PAGE_PARAMS[..]].concat())?;
        // A cursor is the offset of the next page.
        let from = if params.text("cursor").is_some() {
            "cursor"
        } else {
            "offset"
        };
        Ok(PageRequest {
            search: Search::read(params)?,
            limit: params.number("limit", 1..=MAX_PAGE, PAGE)?,
            offset: params.number(from, 0..=usize::MAX, 0)?,
        })
    }

    pub(super) fn answer(&self, open: &OpenArchive) -> Result<Page, ApiError> {
        let found = self.search.run(open)?;
        let total = found.len();
        let games = self.offset..self.offset.saturating_add(self.limit).min(total);
        let next = Some(games.end).filter(|end| *end < total && !games.is_empty());
        let rows = games.filter_map(|at| found.get(at));
        let rows = rows.map(|(number, ply)| Row::read(&open.archive, number, ply));
        Ok(Page {
            total,
            offset: self.offset,
            games: rows.collect(),
            next: next.map(|next| next.to_string()),
            unread: found.unread().to_vec(),
        })
    }
}

/// A game as data.
pub(super) fn game(open: &OpenArchive, number: &str) -> Result<GameData, ApiError> {
    GameData::read(&open.archive, existing(&open.archive, number)?)
}

/// The bytes of a game.
pub(crate) fn pgn(open: &OpenArchive, number: &str) -> Result<ApiAnswer, ApiError> {
    let number = existing(&open.archive, number)?;
    Ok(ApiAnswer {
        status: 200,
        media_type: PGN,
        body: open.archive.text(number)?,
    })
}

/// The number of a game that exists.
fn existing(archive: &Archive, number: &str) -> Result<u64, ApiError> {
    let is_number = number.bytes().all(|byte| byte.is_ascii_digit());
    let parsed = number
        .parse()
        .ok()
        .filter(|number| is_number && (1..=archive.games()).contains(number));
    parsed.ok_or_else(|| {
        let last = archive.games();
        let shown: String = number.chars().take(40).collect();
        ApiError::not_found(format!(
            "no game {}: there are games 1 to {last}",
            shown.escape_debug()
        ))
    })
}

impl Row {
    fn read(archive: &Archive, number: u64, ply: Option<u32>) -> Row {
        let fields = [
            "White",
            "Black",
            "WhiteElo",
            "BlackElo",
            "WhiteTitle",
            "BlackTitle",
            "Result",
            "Date",
            "Event",
            "Site",
            "Round",
            "ECO",
            "Opening",
            "TimeControl",
        ]
        .map(Field::tag);
        let values = match archive.game_values(number, &fields) {
            Ok(values) => values,
            Err(error) => {
                return Row {
                    number,
                    error: Some(error.to_string()),
                    ..Row::default()
                };
            }
        };
        let mut values = values.into_iter();
        let mut next = || {
            values
                .next()
                .and_then(|of_tag| of_tag.first().map(FieldValue::to_string))
        };
        let elo = |text: Option<String>| text.and_then(|text| text.trim().parse().ok());
        Row {
            number,
            white: next(),
            black: next(),
            white_elo: elo(next()),
            black_elo: elo(next()),
            white_title: next(),
            black_title: next(),
            result: next(),
            date: next(),
            event: next(),
            site: next(),
            round: next(),
            eco: next(),
            opening: next(),
            time_control: next(),
            plies: archive
                .stored_game(number)
                .and_then(|game| game.plies())
                .ok(),
            ply,
            error: None,
        }
    }
}
