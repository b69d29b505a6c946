//! Reading the tables of recovered segments within a budget.

use super::report::LossReason;
use crate::archive::tables::SegmentTables;
use crate::archive::tables::models::{ModelId, unpack_model};
use crate::container::{AnyBytes, FoundSegment, RecoveryScan, SegmentId, SourcePart, Tables};
use std::sync::Arc;

/// Tables of at most this many times the size of the file are read: each copy of a
/// segment has its own tables, and consecutive pieces of one segment share them.
const MAX_TABLE_READS: u64 = 2;
/// This many bytes of tables are read in addition, so that small files may have theirs
/// read more often.
const FREE_BYTES: u64 = 256 << 10;

/// The remaining number of bytes of tables to read or to write. Without the budget, many small pieces
/// of a malicious segment with large tables would take time that grows with the product
/// of both.
#[derive(Debug)]
pub(super) struct Budget(u64);

impl Budget {
    pub(super) fn of(recovery: &RecoveryScan<AnyBytes>) -> Self {
        let bytes = recovery.file_bytes().saturating_mul(MAX_TABLE_READS);
        Budget(bytes.saturating_add(FREE_BYTES))
    }

    /// Takes the size of the tables of a segment from the budget.
    fn take(&mut self, segment: &FoundSegment) -> Result<(), LossReason> {
        let bytes = segment.tables_bytes().ok_or(LossReason::Tables)?;
        let left = self.0.checked_sub(bytes);
        let too_often = || LossReason::Content("its tables would be read too often".to_owned());
        self.0 = left.ok_or_else(too_often)?;
        Ok(())
    }

    /// Reads the tables of a segment, if they are intact and the budget suffices.
    fn read(
        &mut self,
        recovery: &RecoveryScan<AnyBytes>,
        segment: &FoundSegment,
    ) -> Result<Tables, LossReason> {
        self.take(segment)?;
        let tables = recovery.tables(segment);
        tables.map_err(|error| LossReason::Content(error.to_string()))
    }

    /// The source parts of a segment, if they are known and their sizes match the
    /// segment.
    pub(super) fn parts(
        &mut self,
        recovery: &RecoveryScan<AnyBytes>,
        segment: &FoundSegment,
    ) -> Option<Vec<SourcePart>> {
        let tables = self.read(recovery, segment).ok()?;
        let parts = recovery.source_parts(segment, &tables).ok()?;
        let bytes = parts.iter().map(|part| part.bytes);
        let bytes = bytes.fold(0, u64::saturating_add);
        let fits = segment.raw_bytes.is_none_or(|known| known == bytes);
        fits.then_some(parts)
    }
}

/// The tables of a segment, as they are stored and as blocks are decoded with them.
#[derive(Debug)]
pub(super) struct OpenedTables {
    pub(super) stored: Tables,
    pub(super) parsed: Arc<SegmentTables>,
}

/// Tables, or the reason why they cannot be read.
pub(super) type TablesResult = Result<Arc<OpenedTables>, LossReason>;

/// The tables for reading blocks. The most recent ones are cached.
#[derive(Debug)]
pub(super) struct OpenTables {
    budget: Budget,
    /// What the tables that are written may take. Each segment is written with tables of
    /// its own, so many small pieces of one segment would multiply them.
    writing: Budget,
    last: Option<(SegmentId, TablesResult)>,
}

impl OpenTables {
    pub(super) fn of(recovery: &RecoveryScan<AnyBytes>) -> Self {
        OpenTables {
            budget: Budget::of(recovery),
            writing: Budget::of(recovery),
            last: None,
        }
    }

    /// The tables of a segment that is to be written.
    pub(super) fn get(
        &mut self,
        recovery: &RecoveryScan<AnyBytes>,
        segment: &FoundSegment,
    ) -> TablesResult {
        let opened = self.open(recovery, segment)?;
        self.writing.take(segment)?;
        Ok(opened)
    }

    fn open(&mut self, recovery: &RecoveryScan<AnyBytes>, segment: &FoundSegment) -> TablesResult {
        if let Some((id, opened)) = &self.last
            && *id == segment.id
        {
            return opened.clone();
        }
        let tables = self.budget.read(recovery, segment);
        let opened = tables.and_then(|stored| {
            let own = |id: ModelId| {
                let packed = recovery.model(&id.0)?;
                let model = packed.map(|packed| unpack_model(&packed, id, recovery.limits()));
                model.transpose()
            };
            let parsed = SegmentTables::parse(&stored, &own, recovery.limits());
            let why = |error| LossReason::Content(format!("the tables of its segment: {error}"));
            let parsed = Arc::new(parsed.map_err(why)?);
            Ok(Arc::new(OpenedTables { stored, parsed }))
        });
        self.last = Some((segment.id, opened.clone()));
        opened
    }
}
