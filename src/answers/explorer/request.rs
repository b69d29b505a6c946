//! What a client asks of the explorer.

use crate::answers::error::ApiError;
use crate::answers::params::Params;
use crate::answers::unread::refuse_passing;
use crate::chess::Color;
use crate::query::explorer::{
    ExplorerPosition, Mode, RATING_GROUPS, Selection, Speed, month_number,
};
use crate::text::fold;
use crate::{Archive, Field, FieldValue, Filter};

/// The most games listed.
const MAX_LISTED: usize = 15;

/// How many of the top games the routes of Lichess list, and of both lists together.
const MAX_TOP: usize = 4;
const MAX_BOTH: usize = 8;

/// The variants of which positions are searched.
const VARIANTS: [&str; 3] = ["standard", "chess", "fromPosition"];

/// The route that is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Masters,
    Lichess,
    Player,
    /// That of one archive.
    Archive,
}

/// A question to the explorer.
pub(crate) struct ExplorerRequest {
    pub(super) kind: Kind,
    /// The name of the only archive that is asked.
    pub(crate) archive: Option<String>,
    pub(super) position: ExplorerPosition,
    pub(super) selection: Selection,
    pub(super) player: Option<PlayerGames>,
    pub(super) filter: Option<Filter>,
    filter_text: String,
    pub(super) moves: usize,
    pub(super) top: usize,
    pub(super) recent: usize,
    pub(super) has_history: bool,
}

/// The games of a player with one colour.
pub(super) struct PlayerGames {
    name: String,
    is_white: bool,
}

impl PlayerGames {
    pub(super) fn color(&self) -> Color {
        Color::from_white(self.is_white)
    }

    fn tag(&self) -> &'static str {
        match self.is_white {
            true => "White",
            false => "Black",
        }
    }

    /// The filter for the games. Names are compared without regard to case and accents, as those of
    /// Lichess are.
    pub(super) fn filter(&self, archive: &Archive) -> Result<Filter, ApiError> {
        let wanted = fold(&self.name);
        let (names, errors) = archive.readable_values(&Field::tag(self.tag()))?;
        refuse_passing(errors)?;
        let texts = names.values().iter().map(FieldValue::to_string);
        let spellings = texts.filter(|name| fold(name) == wanted);
        Ok(Filter::any(
            spellings.map(|name| Filter::tag_equals(self.tag(), &name)),
        ))
    }
}

impl ExplorerRequest {
    /// Reads the parameters of a route. Parameters that it does not know have no effect: clients send
    /// some for statistics.
    pub(crate) fn read(params: &Params, kind: Kind) -> Result<ExplorerRequest, ApiError> {
        let variant = params.text("variant").unwrap_or("standard");
        if !VARIANTS.contains(&variant) {
            let message = "only positions of standard chess are searched";
            return Err(ApiError::parameter("variant", &message));
        }
        let play = params.text("play").unwrap_or_default().split(',');
        let play = play.filter(|uci| !uci.is_empty());
        let position = ExplorerPosition::new(params.text("fen"), play);
        let position = position.map_err(|error| ApiError::parameter("fen, play", &error))?;
        let (top, recent) = listed(params, kind)?;
        let moves = match kind {
            Kind::Player => usize::MAX,
            _ => 12,
        };
        Ok(ExplorerRequest {
            kind,
            archive: params.text("archive").map(str::to_owned),
            position,
            selection: selection(params, kind)?,
            player: match kind {
                Kind::Player => Some(player(params)?),
                _ => None,
            },
            filter: params.parsed("where")?,
            filter_text: params.text("where").unwrap_or_default().to_owned(),
            moves: params.number("moves", 0..=usize::MAX, moves)?,
            top,
            recent,
            has_history: params.flag("history")?,
        })
    }

    /// A key for what an archive answers.
    pub(super) fn key(&self) -> String {
        let games = self.games_key();
        format!(
            "{} {:?} {games:?} {} {} {}",
            self.position.fen(),
            self.selection,
            self.top,
            self.recent,
            self.has_history
        )
    }

    /// A key for the games that [`Self::player`] and [`Self::filter`] select, if they select any.
    pub(super) fn games_key(&self) -> Option<String> {
        let player = self.player.as_ref();
        let player = player.map(|player| (player.tag(), &player.name));
        let is_all = player.is_none() && self.filter.is_none();
        // Texts of `Debug` are quoted, so no two selections have the same key.
        (!is_all).then(|| format!("{player:?} {:?}", self.filter_text))
    }
}

/// How many top games and how many recent games are listed.
fn listed(params: &Params, kind: Kind) -> Result<(usize, usize), ApiError> {
    // Clients ask for more than there is.
    let number = |name| params.number(name, 0..=usize::MAX, MAX_LISTED);
    let (top, recent) = (number("topGames")?, number("recentGames")?);
    let (top, recent) = (top.min(MAX_LISTED), recent.min(MAX_LISTED));
    Ok(match kind {
        Kind::Masters => (top, 0),
        Kind::Player => (0, recent.min(MAX_BOTH)),
        Kind::Lichess => (top.min(MAX_TOP), recent.min(MAX_BOTH - MAX_TOP)),
        Kind::Archive => (top, recent),
    })
}

fn player(params: &Params) -> Result<PlayerGames, ApiError> {
    let is_white = match params.required("color")? {
        "white" => true,
        "black" => false,
        _ => return Err(ApiError::parameter("color", &"is neither white nor black")),
    };
    Ok(PlayerGames {
        name: params.required("player")?.to_owned(),
        is_white,
    })
}

fn selection(params: &Params, kind: Kind) -> Result<Selection, ApiError> {
    let (since, until) = (
        month(params, "since", kind, false)?,
        month(params, "until", kind, true)?,
    );
    let mut selection = Selection {
        since,
        until,
        ..Selection::default()
    };
    if kind != Kind::Masters {
        let speeds = "ultraBullet, bullet, blitz, rapid, classical, correspondence";
        selection.speeds = params.list("speeds", |name| name.parse::<Speed>().ok(), speeds)?;
        selection.modes =
            params.list("modes", |name| name.parse::<Mode>().ok(), "casual, rated")?;
        let group = |text: &str| {
            let least: u16 = text.parse().ok()?;
            RATING_GROUPS.iter().rposition(|group| *group <= least)
        };
        let groups = params.list("ratings", group, "0, 1000, 1200, … 2000, 2200, 2500")?;
        selection.ratings = groups.map(|groups| {
            let mut is_wanted = [false; RATING_GROUPS.len()];
            for (at, is_wanted) in is_wanted.iter_mut().enumerate() {
                *is_wanted = groups.contains(&at);
            }
            is_wanted
        });
    }
    Ok(selection)
}

/// Parses `2019` or `2019-07` as the first or the last month.
fn month(params: &Params, name: &str, kind: Kind, is_last: bool) -> Result<Option<u16>, ApiError> {
    let Some(text) = params.text(name) else {
        return Ok(None);
    };
    let (year, month) = match text.split_once('-') {
        Some((year, month)) => (year, Some(month)),
        None => (text, None),
    };
    let number = |text: &str| {
        let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse::<u16>().ok().filter(|_| is_number)
    };
    let year = number(year).filter(|year| (1..=4999).contains(year));
    let month = month.map(|month| number(month).filter(|month| (1..=12).contains(month)));
    match (year, month) {
        (Some(year), None) => Ok(Some(match is_last {
            true => month_number(year, Some(12)),
            false => month_number(year, None),
        })),
        (Some(year), Some(Some(month))) => Ok(Some(month_number(year, Some(month)))),
        _ => {
            let form = match kind {
                Kind::Masters => "a year, such as 2019",
                _ => "a month, such as 2019-07",
            };
            Err(ApiError::parameter(
                name,
                &format!("{text:?} is not {form}"),
            ))
        }
    }
}
