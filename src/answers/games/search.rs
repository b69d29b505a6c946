//! Which games a request is about, and in which order.

use crate::answers::error::ApiError;
use crate::answers::open_archive::OpenArchive;
use crate::answers::params::Params;
use crate::answers::unread::{Unread, remembered};
use crate::{
    Archive, Filter, LineScope, Material, Pattern, Place, Position, PositionTest, Query, SortKey,
};
use std::collections::HashMap;
use std::sync::Arc;

/// The most sort keys. Each takes 4 bytes a game while games are sorted.
const MAX_SORT_KEYS: usize = 8;

/// The parameters that say which games.
pub(super) const SEARCH_PARAMS: [&str; 11] = [
    "where",
    "fen",
    "after",
    "pieces",
    "material",
    "pattern",
    "position",
    "flip",
    "mirror",
    "variations",
    "sort",
];

/// Games, in the order that is asked for.
pub(crate) enum Found {
    /// So many, in the order of the archive.
    All(usize),
    /// Numbers, with the ply where a position was found; and why games could not be searched.
    Some(Hits, Unread),
}

/// Games, with the ply where a position was found.
type Hits = Vec<(u64, Option<u32>)>;

/// A search.
pub(super) struct Search {
    query: Query,
    sort: Vec<SortKey>,
    /// The parameters, under which the result is remembered.
    key: String,
}

impl Found {
    pub(super) fn len(&self) -> usize {
        match self {
            Found::All(games) => *games,
            Found::Some(games, _) => games.len(),
        }
    }

    pub(super) fn get(&self, at: usize) -> Option<(u64, Option<u32>)> {
        match self {
            Found::All(games) => (at < *games).then_some((at as u64 + 1, None)),
            Found::Some(games, _) => games.get(at).copied(),
        }
    }

    /// Why games could not be searched.
    pub(super) fn unread(&self) -> &[String] {
        match self {
            Found::All(_) => &[],
            Found::Some(_, unread) => unread.reasons(),
        }
    }

    /// The memory that it takes.
    pub(crate) fn bytes(&self) -> u64 {
        match self {
            Found::All(_) => 0,
            Found::Some(games, _) => size_of_val(&games[..]) as u64,
        }
    }
}

impl Search {
    pub(super) fn read(params: &Params) -> Result<Search, ApiError> {
        let sort = params.text("sort").unwrap_or_default().split(',');
        let sort = sort.filter(|key| !key.is_empty()).map(|key| {
            let parsed = key.trim().parse();
            parsed.map_err(|error| ApiError::parameter("sort", &error))
        });
        let sort: Vec<SortKey> = sort.collect::<Result<_, _>>()?;
        if sort.len() > MAX_SORT_KEYS {
            let message = format!("has more than {MAX_SORT_KEYS} keys");
            return Err(ApiError::parameter("sort", &message));
        }
        let named = SEARCH_PARAMS.map(|name| params.text(name).unwrap_or_default());
        Ok(Search {
            query: Query {
                filter: filter(params)?,
                positions: positions(params)?,
                scope: match params.flag("variations")? {
                    true => LineScope::AnyLine,
                    false => LineScope::MainLine,
                },
                ..Query::default()
            },
            sort,
            key: format!("{named:?}"),
        })
    }

    /// The games, remembered from an earlier request if they can be.
    pub(super) fn run(&self, open: &OpenArchive) -> Result<Arc<Found>, ApiError> {
        let is_all = self.query.filter.is_none() && self.query.positions.is_empty();
        if is_all && self.sort.is_empty() {
            let games = usize::try_from(open.archive.games()).unwrap_or(usize::MAX);
            return Ok(Arc::new(Found::All(games)));
        }
        remembered(&open.searches, &self.key, || {
            self.check_sort(&open.archive)?;
            let (found, mut unread) = match is_all {
                true => (None, Unread::default()),
                false => {
                    let (games, unread) = self.hits(&open.archive)?;
                    (Some(games), unread)
                }
            };
            let sorted = match self.sort.is_empty() {
                true => None,
                false => {
                    let (sorted, errors) = open.archive.readable_sorted(&self.sort)?;
                    errors.iter().for_each(|error| unread.add(error));
                    Some(sorted)
                }
            };
            unread.dedup();
            let may_pass = unread.may_pass();
            Ok((Found::Some(joined(found, sorted), unread), may_pass))
        })
    }

    /// The games that the query finds, and why others could not be searched.
    fn hits(&self, archive: &Archive) -> Result<(Hits, Unread), ApiError> {
        let (mut games, mut unread) = (Vec::new(), Unread::default());
        for hit in archive.query(&self.query)? {
            match hit {
                Ok(hit) => {
                    let ply = match hit.place {
                        Some(Place::Ply(ply)) => u32::try_from(ply).ok(),
                        _ => None,
                    };
                    games.push((hit.number, ply));
                }
                Err(error) => unread.add(&error),
            }
        }
        Ok((games, unread))
    }

    /// Refuses a sort key of a tag that no game has.
    fn check_sort(&self, archive: &Archive) -> Result<(), ApiError> {
        for key in &self.sort {
            let mut has_tag = Vec::new();
            for tag in key.by.tags() {
                has_tag.push(archive.has_tag(tag)?);
            }
            if !has_tag.is_empty() && !has_tag.contains(&true) {
                let message = format!("no game has {}", key.by);
                return Err(ApiError::parameter("sort", &message));
            }
        }
        Ok(())
    }
}

/// The games that were found, in the order of all games.
fn joined(found: Option<Hits>, sorted: Option<Vec<u64>>) -> Hits {
    match (found, sorted) {
        (Some(found), Some(sorted)) => {
            let plies: HashMap<u64, Option<u32>> = found.into_iter().collect();
            let sorted = sorted.into_iter();
            sorted
                .filter_map(|number| Some((number, *plies.get(&number)?)))
                .collect()
        }
        (None, Some(sorted)) => sorted.into_iter().map(|number| (number, None)).collect(),
        (found, None) => found.unwrap_or_default(),
    }
}

fn filter(params: &Params) -> Result<Option<Filter>, ApiError> {
    let Some(text) = params.text("where") else {
        return Ok(None);
    };
    let filter = text.parse::<Filter>();
    filter
        .map(Some)
        .map_err(|error| ApiError::parameter("where", &error))
}

/// The conditions on positions.
fn positions(params: &Params) -> Result<Vec<PositionTest>, ApiError> {
    let mut tests = Vec::new();
    let (flip, mirror) = (params.flag("flip")?, params.flag("mirror")?);
    let only_pieces = params.flag("pieces")?;
    if let Some(fen) = board(params)? {
        let test = match only_pieces {
            true => PositionTest::pieces(&fen),
            false => PositionTest::exact(&fen),
        };
        tests.push(test.map_err(|error| ApiError::parameter("fen", &error))?);
    }
    if let Some(material) = params.parsed::<Material>("material")? {
        let flipped = flip.then(|| material.flipped());
        tests.push(PositionTest::material(
            [material].into_iter().chain(flipped).collect(),
        ));
    }
    if let Some(pattern) = params.parsed::<Pattern>("pattern")? {
        let mut patterns = vec![pattern];
        if mirror {
            patterns.extend(patterns.clone().iter().map(Pattern::mirrored));
        }
        if flip {
            patterns.extend(patterns.clone().iter().map(Pattern::flipped));
        }
        tests.push(PositionTest::pattern(patterns));
    }
    if let Some(test) = params.parsed::<PositionTest>("position")? {
        let flipped = flip.then(|| test.flipped());
        tests.push(match flipped {
            Some(flipped) => PositionTest::any([test, flipped]),
            None => test,
        });
    }
    Ok(tests)
}

/// The FEN that is searched for.
fn board(params: &Params) -> Result<Option<String>, ApiError> {
    match (params.text("fen"), params.text("after")) {
        (Some(_), Some(_)) => Err(ApiError::parameter("after", &"needs no fen beside it")),
        (fen, None) => Ok(fen.map(str::to_owned)),
        (None, Some(moves)) => {
            let position = Position::after(moves);
            let position = position.map_err(|error| ApiError::parameter("after", &error))?;
            Ok(Some(position.fen()))
        }
    }
}
