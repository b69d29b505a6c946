//! The offsets of the parts of each record in the columns that hold them end to end.

use crate::archive::block::column_reader::{BlockColumns, Ints};
use crate::archive::block::record::plies_of_moves;
use crate::archive::block::residual;
use crate::archive::error::ContentError;
use crate::archive::schema::registry::{
    CODEC, ColumnId, LINE_BYTES, MARK_BYTES, MOVE_BYTES, MOVE_RATE, PLIES, VARIATION_BYTES,
    VARIATION_PLIES,
};

/// The offsets of the parts of a record, in bytes.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct RecordOffsets {
    pub(crate) moves: usize,
    pub(crate) variations: usize,
    pub(crate) marks: usize,
    pub(crate) lines: usize,
}

impl RecordOffsets {
    /// The offsets of the first `records` records, followed by the ends of the last.
    /// `raw_bytes` is the raw size of the block.
    pub(crate) fn find(
        columns: &BlockColumns,
        records: usize,
        raw_bytes: u32,
    ) -> Result<Vec<RecordOffsets>, ContentError> {
        let column = |id| columns.ints(id, records);
        let lengths = Lengths::of(column)?;
        let [variations, marks] = [column(VARIATION_BYTES)?, column(MARK_BYTES)?];
        let lines = column(LINE_BYTES)?;
        let mut starts = RecordOffsets::default();
        let mut all = Vec::with_capacity(records + 1);
        // A ply takes at least one byte of text. Forced moves take no bytes of the
        // archive, so that no other bound would limit the time for decoding them.
        let mut plies_left = u64::from(raw_bytes);
        all.push(starts);
        for record in 0..records {
            let left = plies_left.checked_sub(lengths.plies(record));
            plies_left = left.ok_or(ContentError::Invalid("more plies than text"))?;
            starts.moves = add(starts.moves, lengths.of_moves(record)?)?;
            starts.variations = add(starts.variations, variations.get(record))?;
            starts.marks = add(starts.marks, marks.get(record))?;
            starts.lines = add(starts.lines, lines.get(record))?;
            all.push(starts);
        }
        Ok(all)
    }
}

/// The columns that give the lengths of moves.
struct Lengths<'b> {
    plies: Ints<'b>,
    variation_plies: Ints<'b>,
    codec: Ints<'b>,
    bytes: Ints<'b>,
    rate: Ints<'b>,
}

impl<'b> Lengths<'b> {
    fn of(
        column: impl Fn(ColumnId) -> Result<Ints<'b>, ContentError>,
    ) -> Result<Self, ContentError> {
        Ok(Lengths {
            plies: column(PLIES)?,
            variation_plies: column(VARIATION_PLIES)?,
            codec: column(CODEC)?,
            bytes: column(MOVE_BYTES)?,
            rate: column(MOVE_RATE)?,
        })
    }

    /// The number of plies of a record, as far as the columns give it.
    fn plies(&self, record: usize) -> u64 {
        let main_line = self.plies.get(record);
        main_line.saturating_add(self.variation_plies.get(record))
    }

    fn of_moves(&self, record: usize) -> Result<u64, ContentError> {
        let codec = to_byte(self.codec.get(record))?;
        let others = self.variation_plies.get(record);
        let plies = plies_of_moves(codec, self.plies.get(record), others);
        let (value, rate) = (self.bytes.get(record), self.rate.get(record));
        let length = residual::decode_length(value, plies, rate);
        length.ok_or(ContentError::Invalid("a length of moves that cannot be"))
    }
}

pub(crate) const TOO_LARGE: ContentError =
    ContentError::Invalid("a number too large for its column");

pub(crate) fn to_usize(value: u64) -> Result<usize, ContentError> {
    usize::try_from(value).map_err(|_| TOO_LARGE)
}

pub(crate) fn to_byte(value: u64) -> Result<u8, ContentError> {
    u8::try_from(value).map_err(|_| TOO_LARGE)
}

fn add(sum: usize, value: u64) -> Result<usize, ContentError> {
    sum.checked_add(to_usize(value)?).ok_or(TOO_LARGE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::schema::record_columns::StoredRecord;
    use crate::archive::testing::OneRecord;

    #[test]
    fn plies_beyond_the_text_are_refused() {
        let one = OneRecord::new(&[], &[]);
        let read = |plies, variation_plies| {
            let mut record = StoredRecord::default();
            record.movetext.plies = plies;
            record.movetext.variation_plies = variation_plies;
            one.values(one.columns(record))
        };
        let raw_bytes = OneRecord::RAW_BYTES.into();
        assert_eq!(read(raw_bytes, 0), Ok(vec![]));
        let refused = Err(ContentError::Invalid("more plies than text"));
        assert_eq!(read(raw_bytes, 1), refused);
        assert_eq!(read(u64::MAX, u64::MAX), refused);
    }
}
