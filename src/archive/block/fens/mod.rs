//! The FENs of a block that are stored as start positions.

use crate::archive::error::ContentError;
use crate::archive::schema::fen_position::FenPosition;
use std::collections::{BTreeMap, HashMap};
use std::sync::OnceLock;

/// The FENs of a block that are stored as start positions.
///
/// A text is written when it is first needed, and once for all records that
/// have it. So a reader of one game need not decode all start positions of its
/// block, which takes about 15 µs each.
#[derive(Debug, Default)]
pub(crate) struct BlockFens {
    fens: Vec<(FenPosition, OnceLock<Vec<u8>>)>,
    of_record: BTreeMap<usize, usize>,
}

impl BlockFens {
    /// Collects the start positions of records.
    pub(crate) fn new(set_ups: impl Iterator<Item = (usize, FenPosition)>) -> Self {
        let mut fens = BlockFens::default();
        let mut known: HashMap<FenPosition, usize> = HashMap::new();
        for (record, set_up) in set_ups {
            let number = *known.entry(set_up).or_insert_with_key(|set_up| {
                fens.fens.push((set_up.clone(), OnceLock::new()));
                fens.fens.len() - 1
            });
            fens.of_record.insert(record, number);
        }
        fens
    }

    /// The FEN of a record; `None` if it has no start position.
    ///
    /// # Errors
    /// As [`FenPosition::fen`].
    pub(crate) fn get(&self, record: usize) -> Result<Option<&[u8]>, ContentError> {
        let number = self.of_record.get(&record);
        let Some((set_up, text)) = number.and_then(|number| self.fens.get(*number)) else {
            return Ok(None);
        };
        if let Some(text) = text.get() {
            return Ok(Some(text));
        }
        let made = set_up.fen()?;
        Ok(Some(text.get_or_init(|| made)))
    }
}

#[cfg(test)]
mod tests;
