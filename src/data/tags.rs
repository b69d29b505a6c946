//! Columns of tags.

use super::batch::TextColumn;
use crate::archive::{Archive, BlockGames, CachedCell, Error, TagColumn, TagName};
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
    pub(super) fn new(archive: &Archive, segment: usize, name: &str) -> Result<Self, Error> {
        let name = archive.tag_name(segment, name.as_bytes())?;
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
        let mut unknown = Vec::new();
        for game in games {
            let place = block.place().game_in_segment(*game);
            let cell = self.known.as_ref().map(|known| (known, known.get(place)));
            let id = match cell {
                None | Some((_, CachedCell::Unread)) => {
                    unknown.push((values.ids.len(), *game));
                    None
                }
                Some((_, CachedCell::Absent)) => None,
                Some((known, CachedCell::Value(number))) => {
                    values.id_of_number(number, || known.value(number))
                }
            };
            values.ids.push(id);
        }
        if !unknown.is_empty() {
            self.read_cells(block.open()?, &unknown, &mut values)?;
        }
        Ok(values.finish())
    }

    /// Reads the values of games from the block. Each game has its place in the column.
    fn read_cells(
        &self,
        block: &BlockGames<'_>,
        games: &[(usize, usize)],
        values: &mut TextColumnBuilder,
    ) -> Result<(), Error> {
        let shared = block.shared_cells(&self.name);
        for (at, game) in games {
            let cell = shared.as_ref().and_then(|shared| shared(*game));
            let id = match cell {
                Some(cell) => match values.by_cell.get(&cell) {
                    Some(id) => Some(*id),
                    None => {
                        let text = match block.shared_text(*game, &self.name)? {
                            Some(text) => Some(text),
                            None => block.tag(*game, &self.name)?,
                        };
                        let id = text.map(|text| values.id_of_text(&text));
                        values.by_cell.extend(id.map(|id| (cell, id)));
                        id
                    }
                },
                None => {
                    let text = block.tag(*game, &self.name)?;
                    text.map(|text| values.id_of_text(&text))
                }
            };
            if let Some(place) = values.ids.get_mut(*at) {
                *place = id;
            }
        }
        Ok(())
    }
}

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

    pub(super) fn finish(self) -> TextColumn {
        TextColumn {
            ids: self.ids,
            values: self.values,
        }
    }
}
