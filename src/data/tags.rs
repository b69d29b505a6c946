//! Columns of tags.

use super::batch::TextColumn;
use crate::archive::{
    Archive, BlockGames, BlockTask, CachedCell, ContentError, Error, TagColumn, TagName,
};
use crate::columns::FieldValue;
use crate::query::QueryBlock;
use std::collections::HashMap;
use std::sync::Arc;

/// A tag, as looked up in a segment.
#[derive(Debug)]
pub(super) struct SegmentTag {
    name: TagName,
    /// The values of the tag in the segment, if they are known without the blocks.
    known: Option<Arc<TagColumn>>,
}

impl SegmentTag {
    /// Looks up a tag in a segment (from 0).
    ///
    /// # Errors
    /// The segment is damaged.
    pub(super) fn new(archive: &Archive, segment: usize, name: &[u8]) -> Result<Self, Error> {
        let name = archive.tag_name(segment, name)?;
        let known = archive.tag_column(segment, &name, false)?;
        Ok(SegmentTag { name, known })
    }

    /// The values of games of a block.
    ///
    /// # Errors
    /// The block is damaged.
    pub(super) fn read(
        &self,
        block: &QueryBlock<'_>,
        games: &[usize],
    ) -> Result<TextColumn, Error> {
        let mut values = TextColumnBuilder::default();
        let mut left = block.place().raw_bytes();
        let mut shared: Option<Option<SharedCells<'_>>> = None;
        for game in games {
            let place = block.place().game_in_segment(*game);
            let known = self.known.as_ref().map(|known| (known, known.get(place)));
            let id = match known {
                Some((_, CachedCell::Absent)) => None,
                Some((known, CachedCell::Value(number))) => {
                    values.id_of_number(number, || known.value(number))
                }
                None | Some((_, CachedCell::Unread)) => {
                    let block = block.open()?;
                    let shared = shared.get_or_insert_with(|| {
                        let cells = block.shared_cells(&self.name);
                        cells.map(|cells| Box::new(cells) as SharedCells<'_>)
                    });
                    let cell = shared.as_ref().and_then(|shared| shared(*game));
                    self.read_cell(block, *game, cell, &mut values)?
                }
            };
            values.ids.push(id);
            left = match left.checked_sub(values.bytes_of(id)) {
                Some(left) => left,
                // The values are part of the text of the block.
                None => {
                    let error = ContentError::Invalid("more text than announced");
                    return block.open()?.of(*game, |_, _| Err(error));
                }
            };
        }
        Ok(values.finish())
    }

    /// The value of a game, read from the block. Games with the same `cell` have the same value,
    /// unless it names another value of its game: then it has no shared text.
    fn read_cell(
        &self,
        block: &BlockGames<'_>,
        game: usize,
        cell: Option<FieldValue>,
        values: &mut TextColumnBuilder,
    ) -> Result<Option<u32>, Error> {
        if let Some(id) = cell.and_then(|cell| values.by_cell.get(&cell)) {
            return Ok(Some(*id));
        }
        if let Some(cell) = cell
            && let Some(text) = block.shared_text(game, &self.name)?
        {
            let id = values.id_of_text(&text);
            values.by_cell.insert(cell, id);
            return Ok(Some(id));
        }
        let text = block.tag(game, &self.name)?;
        Ok(text.map(|text| values.id_of_text(&text)))
    }
}

/// The cells of a block that mean the same text in every game.
type SharedCells<'b> = Box<dyn Fn(usize) -> Option<FieldValue> + 'b>;

/// A dictionary under construction, with the indexes of what was seen.
#[derive(Default)]
pub(super) struct TextColumnBuilder {
    pub(super) ids: Vec<Option<u32>>,
    values: Vec<Vec<u8>>,
    by_text: HashMap<Vec<u8>, u32>,
    by_cell: HashMap<FieldValue, u32>,
    by_number: HashMap<usize, u32>,
}

impl TextColumnBuilder {
    pub(super) fn id_of_text(&mut self, text: &[u8]) -> u32 {
        if let Some(id) = self.by_text.get(text) {
            return *id;
        }
        // A block has at most 4,096 games.
        let id = u32::try_from(self.values.len()).unwrap_or(u32::MAX);
        self.values.push(text.to_vec());
        self.by_text.insert(text.to_vec(), id);
        id
    }

    fn id_of_number(
        &mut self,
        number: usize,
        text: impl FnOnce() -> Option<Arc<[u8]>>,
    ) -> Option<u32> {
        if let Some(id) = self.by_number.get(&number) {
            return Some(*id);
        }
        let id = self.id_of_text(&text()?);
        self.by_number.insert(number, id);
        Some(id)
    }

    /// The size of a value.
    fn bytes_of(&self, id: Option<u32>) -> u64 {
        let id = id.and_then(|id| usize::try_from(id).ok());
        let value = id.and_then(|id| self.values.get(id));
        value.map_or(0, |value| value.len() as u64)
    }

    pub(super) fn finish(self) -> TextColumn {
        TextColumn {
            ids: self.ids,
            values: self.values,
        }
    }
}
