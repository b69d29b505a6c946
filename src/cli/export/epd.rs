//! EPD: a line for each position.

use super::format::TableWriter;
use super::sink::Sink;
use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, Int64Type};
use arrow_array::{Array, RecordBatch, StringArray};
use arrow_schema::ArrowError;
use std::io::{self, BufWriter, Write};

/// The columns that the lines are made of. With the last, only the position that the query has
/// found is written.
pub(super) const COLUMNS: [&str; 5] = ["number", "Result", "fens", "moves_san", FOUND_AT];
pub(super) const FOUND_AT: &str = "found_at";

/// A file of positions.
pub(super) struct EpdFile(BufWriter<Sink>);

impl EpdFile {
    pub(super) fn new(sink: Sink) -> Self {
        EpdFile(BufWriter::new(sink))
    }

    /// Writes the positions of the games of a batch.
    fn write_batch(&mut self, batch: &RecordBatch) -> Result<(), ArrowError> {
        let [numbers, results, fens, moves, found @ ..] = batch.columns() else {
            return Err(ArrowError::SchemaError("not the columns of EPD".to_owned()));
        };
        let found = found.first().map(|found| found.as_primitive::<Int32Type>());
        let numbers = numbers.as_primitive::<Int64Type>().values().iter();
        let results = results.as_string::<i32>().iter();
        let fens = fens.as_list::<i32>().iter().flatten();
        let moves = moves.as_list::<i32>().iter().flatten();
        let games = numbers.zip(results).zip(fens.zip(moves)).enumerate();
        for (row, ((number, result), (fens, moves))) in games {
            let positions = Positions {
                number: *number,
                result: result.filter(|result| is_result(result)),
                fens: fens.as_string(),
                moves: moves.as_string(),
            };
            match found {
                None => positions.write_all(&mut self.0)?,
                // A position in a variation has no number of plies.
                Some(found) if found.is_null(row) => {}
                Some(found) => {
                    let ply = usize::try_from(found.value(row)).unwrap_or(usize::MAX);
                    positions.write_one(&mut self.0, ply)?;
                }
            }
        }
        Ok(())
    }
}

impl TableWriter for EpdFile {
    fn write(&mut self, batches: &[RecordBatch]) -> Result<(), ArrowError> {
        batches.iter().try_for_each(|batch| self.write_batch(batch))
    }

    fn finish(mut self: Box<Self>) -> Result<(), ArrowError> {
        Ok(self.0.flush()?)
    }
}

/// Other texts of the tag would need escapes, which EPD lacks.
fn is_result(text: &str) -> bool {
    matches!(text, "1-0" | "0-1" | "1/2-1/2")
}

/// The positions of a game.
struct Positions<'a> {
    number: i64,
    result: Option<&'a str>,
    fens: &'a StringArray,
    moves: &'a StringArray,
}

impl Positions<'_> {
    fn write_all(&self, sink: &mut impl Write) -> io::Result<()> {
        (0..self.fens.len()).try_for_each(|ply| self.write_one(sink, ply))
    }

    fn write_one(&self, sink: &mut impl Write, ply: usize) -> io::Result<()> {
        if ply >= self.fens.len() {
            return Ok(());
        }
        // The counters are the last two fields of a FEN.
        let mut fields = self.fens.value(ply).rsplitn(3, ' ');
        let [fullmoves, halfmoves, position] = [(); 3].map(|()| fields.next().unwrap_or_default());
        write!(sink, "{position} hmvc {halfmoves}; fmvn {fullmoves};")?;
        if ply < self.moves.len() {
            write!(sink, " sm {};", self.moves.value(ply))?;
        }
        if let Some(result) = self.result {
            write!(sink, " c9 \"{result}\";")?;
        }
        writeln!(sink, " id \"{}@{ply}\";", self.number)
    }
}
