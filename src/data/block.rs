//! The columns of the games of one block.

use super::batch::{ColumnData, GameBatch, TextColumn};
use super::column::{GameColumn, TagKind};
use super::lists::Lists;
use super::movetext::MovetextColumns;
use super::tag_value;
use super::tags::{SegmentTag, TextColumnBuilder};
use crate::archive::{Archive, BlockGames, BlockPlace, Error, Source};
use crate::pgn::{FEN_TAG, Lexeme, Scanner, Start, tag_lexemes};
use crate::query::QueryBlock;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// The names under which variants are given.
const VARIANT_TAG: &str = "Variant";

/// The columns that are asked for, prepared for a segment.
#[derive(Debug)]
pub(super) struct PreparedColumns {
    columns: Vec<GameColumn>,
    tags: HashMap<String, SegmentTag>,
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
        let fen = String::from_utf8_lossy(FEN_TAG).into_owned();
        let mut tags = HashMap::new();
        for column in columns {
            let names = match column {
                GameColumn::Tag { name, .. } => vec![name.clone()],
                GameColumn::Start => vec![fen.clone(), VARIANT_TAG.to_owned()],
                _ => Vec::new(),
            };
            for name in names {
                if let Entry::Vacant(new) = tags.entry(name) {
                    let tag = SegmentTag::new(archive, segment, new.key())?;
                    new.insert(tag);
                }
            }
        }
        Ok(PreparedColumns {
            columns: columns.to_vec(),
            tags,
        })
    }

    /// Reads the columns of some games of a block; `None` stands for all its games.
    ///
    /// # Errors
    /// The block is damaged.
    pub(super) fn read(
        &self,
        archive: &Archive,
        place: &BlockPlace,
        numbers: Option<&[u64]>,
    ) -> Result<GameBatch, Error> {
        let block = QueryBlock::new(archive, place);
        let numbers: Vec<u64> = match numbers {
            Some(numbers) => numbers.to_vec(),
            None => place.games().collect(),
        };
        let first = place.games().start;
        let games = numbers.iter().map(|number| number.saturating_sub(first));
        let games: Vec<usize> = games
            .filter_map(|game| usize::try_from(game).ok())
            .collect();
        let movetexts = self.movetexts(&block, &games)?;
        let columns = self
            .columns
            .iter()
            .map(|column| match movetexts.column(column) {
                Some(data) => Ok(data),
                None => self.column(column, &block, &games),
            });
        Ok(GameBatch {
            columns: columns.collect::<Result<_, Error>>()?,
            games: numbers,
        })
    }

    fn movetexts(&self, block: &QueryBlock<'_>, games: &[usize]) -> Result<MovetextColumns, Error> {
        let mut movetexts = MovetextColumns::new(&self.columns);
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
                let values = self.tag(name, block, games)?;
                match kind {
                    TagKind::Text => ColumnData::Dictionary(values),
                    kind => ColumnData::Integers(values_as(&values, *kind)),
                }
            }
            GameColumn::Start => ColumnData::Dictionary(self.starts(block, games)?),
            GameColumn::Source => {
                let sources = block.archive().sources();
                let numbers = games.iter().map(|game| block.number(*game));
                ColumnData::Dictionary(sources_of(sources, numbers))
            }
            GameColumn::PlyCount => {
                let block = block.open()?;
                let plies = games.iter().map(|game| block.plies(*game));
                let plies = plies.map(|plies| Ok(i64::try_from(plies?).ok()));
                ColumnData::Integers(plies.collect::<Result<_, Error>>()?)
            }
            GameColumn::Movetext => ColumnData::Texts(texts(block.open()?, games, movetext)?),
            GameColumn::Text => ColumnData::Texts(texts(block.open()?, games, |text| text)?),
            // The other columns come from the movetexts.
            _ => {
                let numbers = games
                    .iter()
                    .map(|game| i64::try_from(block.number(*game)).ok());
                ColumnData::Integers(numbers.collect())
            }
        })
    }

    fn tag(
        &self,
        name: &str,
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
        let fens = self.tag(&String::from_utf8_lossy(FEN_TAG), block, games)?;
        let variants = self.tag(VARIANT_TAG, block, games)?;
        let mut starts = TextColumnBuilder::default();
        let mut known: HashMap<_, Option<String>> = HashMap::new();
        for (at, key) in fens.ids.iter().zip(&variants.ids).enumerate() {
            let start = known.entry(key).or_insert_with(|| {
                let pairs = [
                    (FEN_TAG, fens.get(at)),
                    (VARIANT_TAG.as_bytes(), variants.get(at)),
                ];
                let pairs = pairs
                    .into_iter()
                    .filter_map(|(name, value)| Some((name, value?)));
                let (start, position) = Start::of(pairs)?;
                (start != Start::default()).then(|| position.fen())
            });
            let id = start.as_ref().map(|fen| starts.id_of_text(fen.as_bytes()));
            starts.ids.push(id);
        }
        Ok(starts.finish())
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

/// The names of the sources of games, whose numbers are ascending.
fn sources_of(sources: &[Source], numbers: impl Iterator<Item = u64>) -> TextColumn {
    let mut names = TextColumnBuilder::default();
    let mut ends = sources.iter().scan(0u64, |end, source| {
        *end = end.saturating_add(source.games);
        Some((*end, source))
    });
    let mut current = ends.next();
    for number in numbers {
        while current.is_some_and(|(end, _)| number > end) {
            current = ends.next();
        }
        let id = current.map(|(_, source)| names.id_of_text(source.name.as_bytes()));
        names.ids.push(id);
    }
    names.finish()
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
    let lexemes: Vec<Lexeme> = Scanner::new(text).collect();
    let tags = tag_lexemes(&lexemes);
    let end_of_tags = tags.last().map_or(0, |last| last.end);
    text.get(end_of_tags..).unwrap_or_default().trim_ascii()
}
