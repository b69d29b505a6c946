//! The offsets of the parts of each record in the columns that hold them end to end.

use crate::archive::block::column_reader::BlockColumns;
use crate::archive::block::stored_columns::Ints;
use crate::archive::error::ContentError;
use crate::archive::schema::columns::bit_columns;
use crate::archive::schema::record::plies_of_moves;
use crate::archive::schema::registry::{
    CODEC, ColumnId, MOVE_BYTES, MOVE_RATE, PLIES, VARIATION_PLIES,
};
use crate::archive::schema::residual::decode_length;

/// The number of columns of bit strings.
const BIT_COLUMNS: usize = 4;

/// The offsets of a record's bit strings in their columns, in bytes, in the order of
/// [`bit_columns`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct RecordOffsets([usize; BIT_COLUMNS]);

impl RecordOffsets {
    /// The offset in a column of bit strings.
    pub(crate) fn of(&self, column: ColumnId) -> usize {
        let mut columns = bit_columns().zip(self.0);
        let found = columns.find(|((id, _), _)| *id == column);
        found.map_or(0, |(_, offset)| offset)
    }

    /// Whether each column of bit strings ends at its offset. `bytes` gives the length
    /// of a column.
    pub(crate) fn are_ends(&self, bytes: impl Fn(ColumnId) -> usize) -> bool {
        let mut columns = bit_columns().zip(self.0);
        columns.all(|((id, _), offset)| bytes(id) == offset)
    }

    /// The offsets of the first `records` records, followed by the ends of the last.
    /// `raw_bytes` is the raw size of the block.
    pub(crate) fn find(
        columns: &BlockColumns,
        records: usize,
        raw_bytes: u32,
    ) -> Result<Vec<RecordOffsets>, ContentError> {
        let column = |id| columns.ints(id, records);
        let moves = MoveLengths::of(column)?;
        let lengths: Vec<(ColumnId, Ints<'_>)> = bit_columns()
            .map(|(_, length)| Ok((length, column(length)?)))
            .collect::<Result<_, ContentError>>()?;
        let mut offsets = RecordOffsets::default();
        let mut all = Vec::with_capacity(records + 1);
        // A ply takes at least one byte of text. Forced moves take no bytes of the
        // archive, so that no other bound would limit the time for decoding them.
        let mut plies_left = u64::from(raw_bytes);
        all.push(offsets);
        for record in 0..records {
            let left = plies_left.checked_sub(moves.plies(record));
            plies_left = left.ok_or(ContentError::Invalid("more plies than text"))?;
            for (offset, (id, length)) in offsets.0.iter_mut().zip(&lengths) {
                let length = match *id {
                    MOVE_BYTES => moves.bytes(record)?,
                    _ => length.get(record),
                };
                *offset = add(*offset, length)?;
            }
            all.push(offsets);
        }
        Ok(all)
    }
}

/// The columns that give the lengths of moves.
struct MoveLengths<'b> {
    plies: Ints<'b>,
    variation_plies: Ints<'b>,
    codec: Ints<'b>,
    lengths: Ints<'b>,
    rate: Ints<'b>,
}

impl<'b> MoveLengths<'b> {
    fn of(
        column: impl Fn(ColumnId) -> Result<Ints<'b>, ContentError>,
    ) -> Result<Self, ContentError> {
        Ok(MoveLengths {
            plies: column(PLIES)?,
            variation_plies: column(VARIATION_PLIES)?,
            codec: column(CODEC)?,
            lengths: column(MOVE_BYTES)?,
            rate: column(MOVE_RATE)?,
        })
    }

    /// The number of plies of a record, as far as the columns give it.
    fn plies(&self, record: usize) -> u64 {
        let main_line = self.plies.get(record);
        main_line.saturating_add(self.variation_plies.get(record))
    }

    /// The length of the moves of a record, in bytes.
    fn bytes(&self, record: usize) -> Result<u64, ContentError> {
        let codec = to_byte(self.codec.get(record))?;
        let others = self.variation_plies.get(record);
        let plies = plies_of_moves(codec, self.plies.get(record), others);
        let (value, rate) = (self.lengths.get(record), self.rate.get(record));
        let length = decode_length(value, plies, rate);
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
    use crate::archive::schema::record::StoredRecord;
    use crate::archive::testing::OneRecord;

    #[test]
    fn each_column_of_bits_has_an_offset() {
        assert_eq!(bit_columns().count(), BIT_COLUMNS);
    }

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
