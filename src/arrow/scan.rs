//! The walk over the games of an archive.

use super::array;
use super::columns::ArrowColumns;
use crate::archive::{Archive, Loss};
use crate::data::{GameBatch, Scan};
use crate::query::Query;
use crate::text::TextEncoding;
use arrow_array::{RecordBatch, RecordBatchOptions, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use std::fmt;
use std::ops::{Deref, RangeInclusive};
use std::sync::Arc;

/// Record batches of the games of an archive, one for each block with games that are asked for.
/// The [module](super) has an example.
///
/// A block or segment that is damaged yields an [`ArrowError::ExternalError`], which holds a
/// [`Loss`], in place of its games, and the walk continues after it. Most programs stop at the
/// first error; [`skip_losses`](Self::skip_losses) is for those that go on.
pub struct ArrowScan<A> {
    scan: Scan<A>,
    schema: SchemaRef,
    encoding: TextEncoding,
    /// Takes the losses, if they are skipped.
    report: Option<Box<dyn FnMut(Loss) + Send>>,
}

impl<A: Deref<Target = Archive>> ArrowScan<A> {
    /// Reads columns of all games of an archive.
    pub fn new(archive: A, columns: &ArrowColumns) -> Self {
        ArrowScan {
            encoding: archive.encoding(),
            scan: Scan::new(archive, columns.game_columns().iter().cloned()),
            schema: columns.schema(),
            report: None,
        }
    }

    /// Reads only the games with these numbers, as [`Scan::games`] does.
    #[must_use]
    pub fn games(self, games: RangeInclusive<u64>) -> Self {
        ArrowScan {
            scan: self.scan.games(games),
            ..self
        }
    }

    /// Reads only the games that match a query, as [`Scan::matching`] does.
    #[must_use]
    pub fn matching(self, query: Query) -> Self {
        ArrowScan {
            scan: self.scan.matching(query),
            ..self
        }
    }

    /// The columns of a batch as arrays.
    fn record_batch(&self, batch: GameBatch) -> Result<RecordBatch, ArrowError> {
        // A batch without columns has a number of rows too.
        let options = RecordBatchOptions::new().with_row_count(Some(batch.games.len()));
        let columns = batch.columns.into_iter().zip(self.schema.fields());
        let arrays =
            columns.map(|(data, field)| array::array(data, field.data_type(), self.encoding));
        let arrays = arrays.collect::<Result<_, ArrowError>>()?;
        RecordBatch::try_new_with_options(Arc::clone(&self.schema), arrays, &options)
    }

    /// Leaves out games that cannot be read, and reports each loss instead of yielding an error. A
    /// column of a block that is too large for an array stays an error.
    ///
    /// ```
    /// # use pgna::arrow::{ArrowColumns, ArrowScan};
    /// # use pgna::{Archive, PackOptions, Writer};
    /// # let mut writer = Writer::new(Vec::new(), PackOptions::default())?;
    /// # writer.add_source("a.pgn", &b"1. e4 e5 *\n"[..])?;
    /// # let archive = Archive::new(writer.finish()?.0)?;
    /// let (sender, losses) = std::sync::mpsc::channel();
    /// let scan = ArrowScan::new(&archive, &ArrowColumns::default());
    /// // An error of `send` is that no one receives.
    /// let scan = scan.skip_losses(move |loss| drop(sender.send(loss)));
    /// let batches = scan.collect::<Result<Vec<_>, _>>()?;
    /// for loss in losses {
    ///     eprintln!("games {:?} are lost: {}", loss.games, loss.error);
    /// }
    /// # assert_eq!(batches.len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn skip_losses(self, report: impl FnMut(Loss) + Send + 'static) -> Self {
        ArrowScan {
            report: Some(Box::new(report)),
            ..self
        }
    }

    /// Ends the scan as soon as `stop` returns `true`, as [`Scan::stop_when`] does.
    #[must_use]
    pub fn stop_when(self, stop: impl FnMut() -> bool + Send + 'static) -> Self {
        ArrowScan {
            scan: self.scan.stop_when(stop),
            ..self
        }
    }
}

impl<A: Deref<Target = Archive>> Iterator for ArrowScan<A> {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match (self.scan.next()?, &mut self.report) {
                (Ok(batch), _) => return Some(self.record_batch(batch)),
                (Err(loss), Some(report)) => report(loss),
                (Err(loss), None) => {
                    return Some(Err(ArrowError::ExternalError(Box::new(loss))));
                }
            }
        }
    }
}

impl<A: Deref<Target = Archive>> RecordBatchReader for ArrowScan<A> {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }
}

impl<A: fmt::Debug> fmt::Debug for ArrowScan<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ArrowScan")
            .field("scan", &self.scan)
            .field("schema", &self.schema)
            .finish_non_exhaustive()
    }
}
