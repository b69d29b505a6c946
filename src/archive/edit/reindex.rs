//! Replacing the indexes of an archive. Blocks are copied, not encoded again.

use crate::archive::error::Error;
use crate::archive::fs::file::NewFile;
use crate::archive::read::archive::Archive;
use crate::archive::read::derived_tags::TagRow;
use crate::archive::read::indexes::Indexes;
use crate::archive::schema::summary_row::SummaryRow;
use crate::archive::write::indexes::{tags_of, write_indexes};
use crate::container::{self, CommitSlot, SegmentSummary};
use crate::index::{DerivedTag, IndexMoves, is_index};
use crate::parallel;
use std::io::Write;

impl Archive {
    /// Writes the archive to a file with other indexes, on the thread pool of
    /// the feature `threads`. Nothing else changes. `on_progress` is called with the raw size in bytes of each
    /// block that is decoded. An existing file is replaced only if `replace` is set.
    ///
    /// # Errors
    /// The archive is damaged, or the file cannot be written.
    pub fn reindex(
        &self,
        file: NewFile,
        indexes: Indexes,
        replace: bool,
        on_progress: impl Fn(u64) + Sync,
    ) -> Result<(), Error> {
        let (sink, slot) = self.write_indexed(file.sink()?, indexes, on_progress)?;
        file.seal_and_commit(sink, slot, replace)
    }

    /// As [`Archive::reindex`], to a sink that need not seek.
    ///
    /// # Errors
    /// The archive is damaged, or the sink fails.
    #[doc(hidden)]
    pub fn write_indexed<W: Write>(
        &self,
        sink: W,
        indexes: Indexes,
        on_progress: impl Fn(u64) + Sync,
    ) -> Result<(W, CommitSlot), Error> {
        let mut writer = container::ContainerWriter::new(sink)?;
        for (number, entry) in self.container().segments().iter().enumerate() {
            let open = self.segment(number)?;
            let segment = &open.segment;
            writer.copy_segment_except(self.container(), segment, |section| {
                is_index(section.section_type)
            })?;
            let read = match indexes {
                Indexes::None => IndexedSegment {
                    summary: SegmentSummary {
                        days: entry.summary.days,
                        malformed_dates: entry.summary.malformed_dates,
                        names: None,
                    },
                    ..IndexedSegment::default()
                },
                _ => self.indexed_segment(number, indexes, &on_progress)?,
            };
            write_indexes(&read.moves, &read.tags, indexes, &mut writer, self.limits())?;
            writer.summarize(read.summary)?;
            writer.end_segment(entry.parts)?;
        }
        Ok(writer.finish(self.sources().to_vec())?)
    }

    /// Reads all games of a segment for its indexes and its summary.
    fn indexed_segment(
        &self,
        segment: usize,
        indexes: Indexes,
        on_progress: &(impl Fn(u64) + Sync),
    ) -> Result<IndexedSegment, Error> {
        let places = self.block_places_of(segment)?;
        let names = self.segment(segment)?.tables.opening_tag_names();
        let games = parallel::try_map(&places, |place| {
            let block = self.block_games(place)?;
            let games = (0..block.len()).map(|game| {
                let row = block.index_row(game, &names)?;
                Ok::<_, Error>((row, block.summary_row(game)?))
            });
            let games = games.collect::<Result<Vec<_>, _>>()?;
            on_progress(block.raw_bytes());
            Ok::<_, Error>(games)
        })?;
        let (rows, summaries): (Vec<_>, Vec<SummaryRow>) = games.into_iter().flatten().unzip();
        let (moves, rows): (Vec<_>, Vec<TagRow>) = rows.into_iter().unzip();
        Ok(IndexedSegment {
            moves,
            tags: tags_of(&names, &rows),
            summary: SummaryRow::all(summaries.iter().copied(), indexes == Indexes::Full),
        })
    }
}

/// What the indexes and the summary of a segment are made of.
#[derive(Default)]
struct IndexedSegment {
    /// The moves of its games.
    moves: Vec<IndexMoves>,
    /// The tags that depend on the moves.
    tags: Vec<DerivedTag>,
    summary: SegmentSummary,
}
