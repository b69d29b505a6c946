//! The columns of the games of one block.

use super::batch::{ColumnData, GameBatch, TextColumn};
use super::column::{GameColumn, TagKind};
use super::lists::Lists;
use super::movetext::MovetextColumns;
use super::tag_value;
use super::tags::{SegmentTag, TextColumnBuilder};
use crate::archive::{Archive, BlockGames, BlockPlace, BlockTask, Error};
use crate::chess::ChessPosition;
use crate::pgn::{FEN_TAG, Lexeme, LexemeKind, Scanner, Start, VARIANT_TAG};
use crate::query::{Hit, Place, QueryBlock};
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// The columns that are asked for, prepared for a segment.
#[derive(Debug)]
pub(super) struct PreparedColumns {
    columns: Vec<GameColumn>,
    tags: HashMap<Vec<u8>, SegmentTag>,
    /// The number of the last game of each source.
    source_ends: Vec<u64>,
}

impl PreparedColumns {
    /// Prepares columns for a segment (from 0).
    ///
    /// # Errors
    /// The segment is damaged.
    pub(super) fn new(
        archive: &Archive,
        segment: usize,
        columns: &[GameColumn],
    ) -> Result<Self, Error> {
        let mut tags = HashMap::new();
        for column in columns {
            let names = match column {
                GameColumn::Tag { name, .. } => vec![name.as_bytes()],
                GameColumn::Start => vec![FEN_TAG, VARIANT_TAG],
                _ => Vec::new(),
            };
            for name in names {
                if let Entry::Vacant(new) = tags.entry(name.to_vec()) {
                    let tag = SegmentTag::new(archive, segment, new.key())?;
                    new.insert(tag);
                }
            }
        }
        let ends = archive.sources().iter().scan(0u64, |end, source| {
            *end = end.saturating_add(source.games);
            Some(*end)
        });
        Ok(PreparedColumns {
            columns: columns.to_vec(),
            tags,
            source_ends: match columns.contains(&GameColumn::Source) {
                true => ends.collect(),
                false => Vec::new(),
            },
        })
    }

    /// Reads the columns of some games of a block; `None` means all its games.
    ///
    /// # Errors
    /// The block is damaged.
    pub(super) fn read(
        &self,
        archive: &Archive,
        place: &BlockPlace,
        games: Option<&[Hit]>,
    ) -> Result<GameBatch, Error> {
        let block = QueryBlock::new(archive, place).in_scan(games.is_none());
        let hits: Vec<Hit> = match games {
            Some(hits) => hits.to_vec(),
            None => place.games().map(Hit::of_game).collect(),
        };
        let first = place.games().start;
        let games = hits.iter().map(|hit| hit.number.saturating_sub(first));
        let games: Vec<usize> = games
            .filter_map(|game| usize::try_from(game).ok())
            .collect();
        let mut movetexts = self.movetexts(&block, &games)?;
        let mut columns = Vec::with_capacity(self.columns.len());
        for (at, column) in self.columns.iter().enumerate() {
            let later = self.columns.get(at + 1..).unwrap_or_default();
            columns.push(match movetexts.column(column, later.contains(column)) {
                Some(data) => data,
                None if *column == GameColumn::FoundAt => found_at(&hits),
                None => self.column(column, &block, &games)?,
            });
        }
        Ok(GameBatch {
            games: hits.iter().map(|hit| hit.number).collect(),
            columns,
        })
    }

    fn movetexts(&self, block: &QueryBlock<'_>, games: &[usize]) -> Result<MovetextColumns, Error> {
        let mut movetexts = MovetextColumns::new(&self.columns, block.place().raw_bytes());
        if movetexts.is_needed() {
            let block = block.open()?;
            games
                .iter()
                .try_for_each(|game| movetexts.read(block, *game))?;
        }
        Ok(movetexts)
    }

    fn column(
        &self,
        column: &GameColumn,
        block: &QueryBlock<'_>,
        games: &[usize],
    ) -> Result<ColumnData, Error> {
        Ok(match column {
            GameColumn::Tag { name, kind } => {
                let values = self.tag(name.as_bytes(), block, games)?;
                match kind {
                    TagKind::Text => ColumnData::Dictionary(values),
                    kind => ColumnData::Integers(values_as(&values, *kind)),
                }
            }
            GameColumn::Start => ColumnData::Dictionary(self.starts(block, games)?),
            GameColumn::Source => {
                let numbers = games.iter().map(|game| block.number(*game));
                ColumnData::Dictionary(self.sources(block.archive(), numbers))
            }
            GameColumn::PlyCount => {
                let block = block.open()?;
                let plies = games.iter().map(|game| block.plies(*game));
                let plies = plies.map(|plies| Ok(i64::try_from(plies?).ok()));
                ColumnData::Integers(plies.collect::<Result<_, Error>>()?)
            }
            GameColumn::Movetext => ColumnData::Texts(texts(block.open()?, games, movetext)?),
            GameColumn::Text => ColumnData::Texts(texts(block.open()?, games, |text| text)?),
            GameColumn::Number => {
                let numbers = games
                    .iter()
                    .map(|game| i64::try_from(block.number(*game)).ok());
                ColumnData::Integers(numbers.collect())
            }
            // `read` has these.
            GameColumn::FoundAt
            | GameColumn::Moves
            | GameColumn::San
            | GameColumn::Uci
            | GameColumn::Fens
            | GameColumn::Clocks
            | GameColumn::Evals
            | GameColumn::Comments
            | GameColumn::Nags
            | GameColumn::Variations => ColumnData::Integers(vec![None; games.len()]),
        })
    }

    fn tag(
        &self,
        name: &[u8],
        block: &QueryBlock<'_>,
        games: &[usize],
    ) -> Result<TextColumn, Error> {
        match self.tags.get(name) {
            Some(tag) => tag.read(block, games),
            None => Ok(TextColumn::default()),
        }
    }

    /// The FENs of the start positions that are not the standard one.
    fn starts(&self, block: &QueryBlock<'_>, games: &[usize]) -> Result<TextColumn, Error> {
        let fens = self.tag(FEN_TAG, block, games)?;
        let variants = self.tag(VARIANT_TAG, block, games)?;
        let mut starts = TextColumnBuilder::default();
        let mut known = HashMap::new();
        for (at, key) in fens.ids.iter().zip(&variants.ids).enumerate() {
            let start = known
                .entry(key)
                .or_insert_with(|| start_of(fens.get(at), variants.get(at)));
            let id = start.as_ref().map(|fen| starts.id_of_text(fen));
            starts.ids.push(id);
        }
        Ok(starts.finish())
    }

    /// The names of the sources of games.
    fn sources(&self, archive: &Archive, numbers: impl Iterator<Item = u64>) -> TextColumn {
        let mut names = TextColumnBuilder::default();
        for number in numbers {
            let source = self.source_ends.partition_point(|end| *end < number);
            let source = archive.sources().get(source);
            let id = source.map(|source| names.id_of_text(source.name.as_bytes()));
            names.ids.push(id);
        }
        names.finish()
    }
}

/// The numbers of plies before the positions that a query has found.
fn found_at(hits: &[Hit]) -> ColumnData {
    let plies = hits.iter().map(|hit| match hit.place? {
        Place::Ply(ply) => i64::try_from(ply).ok(),
        Place::Variation => None,
    });
    ColumnData::Integers(plies.collect())
}

/// The FEN of the start position that tags give; `None` for the standard start position.
fn start_of(fen: Option<&[u8]>, variant: Option<&[u8]>) -> Option<Vec<u8>> {
    let pairs = [(FEN_TAG, fen), (VARIANT_TAG, variant)];
    let pairs = pairs.into_iter();
    let pairs = pairs.filter_map(|(name, value)| Some((name, value?)));
    match Start::of(pairs) {
        Some((_, position)) if position == ChessPosition::standard() => None,
        Some((_, position)) => Some(position.fen().into_bytes()),
        None => fen.map(<[u8]>::to_vec),
    }
}

/// The values of a tag, read as this kind.
fn values_as(values: &TextColumn, kind: TagKind) -> Vec<Option<i64>> {
    let read = values
        .values
        .iter()
        .map(|value| tag_value::read(value, kind));
    let read: Vec<Option<i64>> = read.collect();
    let value = |id: &Option<u32>| *read.get(usize::try_from((*id)?).ok()?)?;
    values.ids.iter().map(value).collect()
}

/// A part of the text of each game.
fn texts(
    block: &BlockGames<'_>,
    games: &[usize],
    part: impl Fn(&[u8]) -> &[u8],
) -> Result<Lists<u8>, Error> {
    let mut out = Lists::default();
    for game in games {
        out.push_list(part(&block.text(*game)?));
    }
    Ok(out)
}

/// The movetext of a game, without white space around it.
fn movetext(text: &[u8]) -> &[u8] {
    let is_tag =
        |lexeme: &Lexeme| matches!(lexeme.kind, LexemeKind::TagName | LexemeKind::TagValue);
    let tags = Scanner::new(text).take_while(is_tag);
    let end_of_tags = tags.last().map_or(0, |last| last.end);
    text.get(end_of_tags..).unwrap_or_default().trim_ascii()
}
