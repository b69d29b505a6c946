//! What the directory says of the games of each segment.

use crate::archive::error::Error;
use crate::archive::read::archive::Archive;
use crate::container::{NameCell, SummaryEntry};
use crate::index::NameHash;
use std::ops::Range;

impl Archive {
    /// For each of these segments, what the directory says of its games.
    pub(crate) fn summaries(&self, segments: Range<usize>) -> impl Iterator<Item = SummaryEntry> {
        let segments = self.container().segments().get(segments);
        let segments = segments.unwrap_or_default().iter();
        segments.map(|entry| entry.summary)
    }

    /// For each of these segments, whether it may have games of a player, by the exact name. If the archive
    /// has names, a row of them is read.
    ///
    /// # Errors
    /// A read fails.
    pub(crate) fn segments_with_player(
        &self,
        name: &str,
        segments: Range<usize>,
    ) -> Result<Vec<bool>, Error> {
        // The names are those that are stored. In all encodings of text, ASCII is ASCII.
        if self.aliases().is_some() {
            return Ok(vec![true; segments.len()]);
        }
        let hash = NameHash::of(name.as_bytes());
        let (cells, warnings) = self.container().name_row(hash.row(), segments)?;
        self.warn(warnings);
        let may_be_in = |cell: NameCell| cell.is_none_or(|cell| hash.may_be_in(&cell));
        Ok(cells.into_iter().map(may_be_in).collect())
    }
}
