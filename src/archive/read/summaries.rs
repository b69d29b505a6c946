//! What the directory says of the games of each segment.

use crate::archive::error::Error;
use crate::archive::read::archive::Archive;
use crate::container::SummaryEntry;
use crate::index::NameHash;
use crate::text::TextEncoding;

impl Archive {
    /// For each segment, what the directory says of its games.
    pub(crate) fn summaries(&self) -> impl Iterator<Item = SummaryEntry> {
        let segments = self.container().segments().iter();
        segments.map(|entry| entry.summary)
    }

    /// For each segment, whether it may have games of a player, by the exact name. If the archive has
    /// names, a row of them is read.
    ///
    /// # Errors
    /// A read fails.
    pub(crate) fn segments_with_player(&self, name: &str) -> Result<Vec<bool>, Error> {
        let mut found = vec![true; self.container().segments().len()];
        // The names are those that are stored; some encodings use bytes of ASCII for other letters.
        if self.aliases().is_some() || self.encoding() != TextEncoding::default() {
            return Ok(found);
        }
        let hash = NameHash::of(name.as_bytes());
        let (rows, warnings) = self.container().name_row(hash.row())?;
        self.warn(warnings);
        for row in rows {
            let segments = found.iter_mut().skip(row.first);
            for (found, cell) in segments.zip(&row.cells) {
                *found = cell.as_ref().is_none_or(|cell| hash.may_be_in(cell));
            }
        }
        Ok(found)
    }
}
