//! EPD: a line for each position.

use super::format::TableWriter;
use super::sink::Sink;
use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, Int64Type};
use arrow_array::{Array, RecordBatch, StringArray};
use arrow_schema::ArrowError;
use std::io::{self, BufWriter, Write};

/// The columns that the lines are made of.
pub(super) const COLUMNS: [&str; 5] = ["number", "Result", "Variant", "fens", "moves_san"];
/// The column after them, if only the positions that a query has found are written.
pub(super) const FOUND_AT: &str = "found_at";

/// A file of positions.
pub(super) struct EpdFile(BufWriter<Sink>);

impl EpdFile {
    pub(super) fn new(sink: Sink) -> Self {
        EpdFile(BufWriter::new(sink))
    }

    /// Writes the positions of the games of a batch.
    fn write_batch(&mut self, batch: &RecordBatch) -> Result<(), ArrowError> {
        let [numbers, results, variants, fens, moves, found @ ..] = batch.columns() else {
            return Err(ArrowError::SchemaError("not the columns of EPD".to_owned()));
        };
        let found = found.first().map(|found| found.as_primitive::<Int32Type>());
        let numbers = numbers.as_primitive::<Int64Type>().values().iter();
        let results = results.as_string::<i32>().iter();
        let variants = variants.as_string::<i32>().iter();
        let tags = results.zip(variants);
        let fens = fens.as_list::<i32>().iter().flatten();
        let moves = moves.as_list::<i32>().iter().flatten();
        let games = numbers.zip(tags).zip(fens.zip(moves)).enumerate();
        for (row, ((number, (result, variant)), (fens, moves))) in games {
            let positions = Positions {
                number: *number,
                result: result.filter(|result| is_result(result)),
                variant: variant.filter(|variant| is_plain(variant)),
                fens: fens.as_string(),
                moves: moves.as_string(),
            };
            match found {
                None => positions.write_all(&mut self.0)?,
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

/// Whether a text is a name without characters that would need escapes.
fn is_plain(text: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == ' ' || c == '-';
    !text.is_empty() && text.chars().all(is_part)
}

/// The positions of a game.
struct Positions<'a> {
    number: i64,
    result: Option<&'a str>,
    variant: Option<&'a str>,
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
        let played = (ply < self.moves.len()).then(|| self.moves.value(ply));
        // EPD has no null moves.
        if let Some(played) = played.filter(|played| *played != "--") {
            write!(sink, " sm {played};")?;
        }
        if let Some(variant) = self.variant {
            write!(sink, " c8 \"{variant}\";")?;
        }
        if let Some(result) = self.result {
            write!(sink, " c9 \"{result}\";")?;
        }
        writeln!(sink, " id \"{}@{ply}\";", self.number)
    }
}
