//! The games of an archive: pages of them, and one game.

mod data;
mod search;

pub(super) use search::Found;

use super::App;
use super::error::ApiError;
use super::params::{Params, Path};
use crate::{Archive, Field, FieldValue};
use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use data::GameData;
use search::{SEARCH_PARAMS, Search};
use serde::Serialize;
use std::sync::Arc;

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

/// `/api/archives/{archive}/games`.
pub(super) async fn page(
    State(app): State<Arc<App>>,
    Path(archive): Path<String>,
    params: Params,
) -> Result<Json<Page>, ApiError> {
    params.only(&[&SEARCH_PARAMS[..], &PAGE_PARAMS[..]].concat())?;
    let search = Search::read(&params)?;
    let limit = params.number("limit", 1..=MAX_PAGE, PAGE)?;
    // A cursor is the offset of the next page.
    let from = if params.text("cursor").is_some() {
        "cursor"
    } else {
        "offset"
    };
    let offset = params.number(from, 0..=usize::MAX, 0)?;
    let shared = Arc::clone(&app);
    let page = app.workers.run(move || {
        let open = shared.library.archive(&archive)?.open()?;
        let found = search.run(&open)?;
        let total = found.len();
        let games = offset..offset.saturating_add(limit).min(total);
        let next = Some(games.end).filter(|end| *end < total && !games.is_empty());
        let rows = games.filter_map(|at| found.get(at));
        let rows = rows.map(|(number, ply)| Row::read(&open.archive, number, ply));
        Ok(Page {
            total,
            offset,
            games: rows.collect(),
            next: next.map(|next| next.to_string()),
            unread: found.unread().to_vec(),
        })
    });
    page.await.map(Json)
}

/// `/api/archives/{archive}/games/{number}`.
pub(super) async fn game(
    State(app): State<Arc<App>>,
    Path((archive, number)): Path<(String, String)>,
    params: Params,
) -> Result<Json<GameData>, ApiError> {
    params.only(&[])?;
    let shared = Arc::clone(&app);
    let game = app.workers.run_short(move || {
        let open = shared.library.archive(&archive)?.open()?;
        GameData::read(&open.archive, existing(&open.archive, &number)?)
    });
    game.await.map(Json)
}

/// `/api/archives/{archive}/games/{number}/pgn`.
pub(super) async fn pgn(
    State(app): State<Arc<App>>,
    Path((archive, number)): Path<(String, String)>,
) -> Result<Response, ApiError> {
    let shared = Arc::clone(&app);
    let text = app.workers.run_short(move || {
        let open = shared.library.archive(&archive)?.open()?;
        Ok(open.archive.text(existing(&open.archive, &number)?)?)
    });
    let text = text.await?;
    Ok(([(header::CONTENT_TYPE, PGN)], text).into_response())
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
