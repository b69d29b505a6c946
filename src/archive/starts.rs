//! Where the parts of each record start in the columns that hold them end to end.

use super::cells::{BlockColumns, Ints, With};
use super::error::ContentError;
use super::lengths;
use super::record::plies_of_moves;
use super::registry::{
    CODEC, ColumnId, LINE_BYTES, MARK_BYTES, MOVE_BYTES, MOVE_RATE, PLIES, VARIATION_BYTES,
    VARIATION_PLIES,
};

/// Where the parts of a record start.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Starts {
    pub(super) moves: usize,
    pub(super) variations: usize,
    pub(super) marks: usize,
    pub(super) lines: usize,
}

impl Starts {
    /// Those of the first records, and where the last of these ends.
    pub(super) fn find(
        columns: &BlockColumns,
        records: usize,
        with: With<'_>,
    ) -> Result<Vec<Starts>, ContentError> {
        let column = |id| columns.ints(id, records, with);
        let lengths = Lengths::of(column)?;
        let [variations, marks] = [column(VARIATION_BYTES)?, column(MARK_BYTES)?];
        let lines = column(LINE_BYTES)?;
        let mut starts = Starts::default();
        let mut all = Vec::with_capacity(records + 1);
        all.push(starts);
        for record in 0..records {
            starts.moves = add(starts.moves, lengths.of_moves(record)?)?;
            starts.variations = add(starts.variations, variations.get(record))?;
            starts.marks = add(starts.marks, marks.get(record))?;
            starts.lines = add(starts.lines, lines.get(record))?;
            all.push(starts);
        }
        Ok(all)
    }
}

/// What tells the lengths of moves.
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

    fn of_moves(&self, record: usize) -> Result<u64, ContentError> {
        let codec = to_byte(self.codec.get(record))?;
        let others = self.variation_plies.get(record);
        let plies = plies_of_moves(codec, self.plies.get(record), others);
        let (value, rate) = (self.bytes.get(record), self.rate.get(record));
        let told = lengths::told(value, plies, rate);
        told.ok_or(ContentError::Invalid("a length of moves that cannot be"))
    }
}

pub(super) const TOO_LARGE: ContentError =
    ContentError::Invalid("a number too large for its column");

pub(super) fn to_usize(value: u64) -> Result<usize, ContentError> {
    usize::try_from(value).map_err(|_| TOO_LARGE)
}

pub(super) fn to_byte(value: u64) -> Result<u8, ContentError> {
    u8::try_from(value).map_err(|_| TOO_LARGE)
}

fn add(sum: usize, value: u64) -> Result<usize, ContentError> {
    sum.checked_add(to_usize(value)?).ok_or(TOO_LARGE)
}
