//! Joining small segments. Large ones are copied, not encoded again.

use crate::archive::error::{ContentError, Error};
use crate::archive::fs::file::NewFile;
use crate::archive::options::PackOptions;
use crate::archive::read::archive::Archive;
use crate::archive::read::block_places::BlockPlace;
use crate::archive::read::read_ahead::ReadAhead;
use crate::archive::report::pack::PackReport;
use crate::archive::write::segment_writer::SegmentWriter;
use crate::archive::write::source_reader::SegmentText;
use crate::container::{CommitSlot, ContainerWriter, SourcePart};
use crate::pgn::{MAX_RECORD_BYTES, Record, VerbatimReason};
use std::io::Write;
use std::ops::Range;

/// What [`Archive::compact`] would join.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Compaction {
    /// The number of segments that would be joined to others.
    pub segments: u64,
    /// The number of segments that they would become.
    pub into: u64,
    /// The raw size of these segments, in bytes. So much text is encoded again.
    pub raw_bytes: u64,
    /// An estimate of the space that this saves, in bytes: the size of the tables of these
    /// segments, without the largest of each joined one, and of parity that one file does not need.
    pub estimated_gain: u64,
}

impl Archive {
    /// Divides the segments into those that [`Archive::compact`] would join and those that
    /// it would copy. Reads the ends of the small segments, and no games.
    ///
    /// ```
    /// use pgna::{Appender, Archive, FileWriter, Limits, NewFile, PackOptions};
    ///
    /// let folder = tempfile::tempdir()?;
    /// let path = folder.path().join("games.pgna");
    /// let options = PackOptions::default();
    /// let mut writer = FileWriter::create(&path, options.clone())?;
    /// writer.add_source("one.pgn", &b"1. e4 e5 1-0\n"[..])?;
    /// writer.finish(false)?;
    /// let mut appender = Appender::open(&path, options.clone(), Limits::default())?;
    /// appender.add_source("two.pgn", &b"1. d4 d5 0-1\n"[..])?;
    /// appender.finish()?;
    ///
    /// let archive = Archive::open_file(&path, Limits::default())?;
    /// assert_eq!(archive.compaction(options.segment_bytes)?.segments, 2);
    /// let joined = folder.path().join("joined.pgna");
    /// let (file, _) = archive.compact(NewFile::create(&joined)?, options, |_| ())?;
    /// file.commit(false)?;
    /// let joined = Archive::open_file(&joined, Limits::default())?;
    /// assert_eq!(joined.totals().segments, 1);
    /// assert_eq!(joined.sources(), archive.sources());
    /// assert_eq!(joined.text(2)?, b"1. d4 d5 0-1\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A small segment is damaged.
    pub fn compaction(&self, segment_bytes: usize) -> Result<Compaction, Error> {
        let mut compaction = Compaction::default();
        for group in self.joined_segments(segment_bytes) {
            compaction.segments += group.len() as u64;
            compaction.into += 1;
            let mut largest = 0;
            for number in group {
                let segment = self.container().segment(number)?;
                let tables = segment.index().tags().first();
                let tables = tables.map_or(0, |tags| tags.offset);
                compaction.raw_bytes += segment.entry().raw_bytes;
                compaction.estimated_gain += tables;
                largest = largest.max(tables);
            }
            compaction.estimated_gain -= largest;
        }
        if compaction.segments > 0 {
            compaction.estimated_gain += self.left_by_appends();
        }
        Ok(compaction)
    }

    /// A lower bound of what appends have left between the segments, in bytes: directories and
    /// footers that are superseded, and parity. A file that is written at once has at most 8 KiB of
    /// parity there, a checksum for each 4 KiB, and a period of 1/512 of its size.
    fn left_by_appends(&self) -> u64 {
        let at_once = (8 << 10) + self.committed_bytes() / 1024 * 3;
        let between = self.container().bytes_between_segments();
        between.saturating_sub(at_once)
    }

    /// The groups of segments that are joined, of two or more each.
    fn joined_segments(&self, segment_bytes: usize) -> Vec<Range<usize>> {
        let mut groups = self.segment_groups(segment_bytes);
        groups.retain(|group| group.len() > 1);
        groups
    }

    fn segment_groups(&self, segment_bytes: usize) -> Vec<Range<usize>> {
        let segments = self.container().segments().iter();
        let sizes = segments.map(|entry| entry.raw_bytes);
        groups(sizes, segment_bytes as u64)
    }

    /// Writes the archive to a file in which neighbouring small segments are joined, on the
    /// thread pool of the feature `threads`. A segment is small if its text is less than
    /// half of [`PackOptions::segment_bytes`]. The small ones are encoded again with the
    /// options, the others copied. Games, sources and their order stay the same.
    /// `on_progress` is called with the number of bytes of text that are done. The report is on the
    /// joined segments. The file is complete, and gets its name by [`NewFile::commit`].
    ///
    /// # Errors
    /// The archive is damaged, the file cannot be written, or this build leaves out a
    /// model that the options need.
    pub fn compact(
        &self,
        file: NewFile,
        options: PackOptions,
        mut on_progress: impl FnMut(u64),
    ) -> Result<(NewFile, PackReport), Error> {
        let (sink, slot, report) =
            self.write_compacted(file.sink()?, &options, &mut on_progress)?;
        file.seal(sink, slot)?;
        Ok((file, report))
    }

    fn write_compacted<W: Write>(
        &self,
        sink: W,
        options: &PackOptions,
        on_progress: &mut dyn FnMut(u64),
    ) -> Result<(W, CommitSlot, PackReport), Error> {
        options.check()?;
        let mut container = ContainerWriter::new(sink)?;
        let mut report = PackReport::default();
        let entries = self.container().segments();
        let mut done = 0u64;
        for group in self.segment_groups(options.segment_bytes) {
            let own = entries.get(group.clone()).unwrap_or_default();
            if let [entry] = own {
                let copied = container.copy_segment(self.container(), group.start, entry.parts);
                self.warn(copied?);
            } else {
                let segment = self.joined_text(group, &mut || on_progress(done))?;
                let writer = SegmentWriter {
                    segment: &segment,
                    options,
                    limits: self.limits(),
                };
                let on_progress = &mut |bytes| on_progress(done.saturating_add(bytes));
                writer.write(&mut container, &mut report, on_progress)?;
            }
            let bytes = own.iter().map(|entry| entry.raw_bytes);
            done = bytes.fold(done, u64::saturating_add);
            on_progress(done);
        }
        report.sources = self.sources().len() as u64;
        let (sink, slot) = container.finish(self.sources().to_vec())?;
        Ok((sink, slot, report))
    }

    /// The text of neighbouring segments as one.
    fn joined_text(
        &self,
        segments: Range<usize>,
        on_progress: &mut dyn FnMut(),
    ) -> Result<SegmentText, Error> {
        let mut joined = SegmentText::default();
        for number in segments {
            self.add_parts(number, &mut joined)?;
            let mut blocks = ReadAhead::new(self.block_places_of(number)?);
            while let Some(read) = blocks.read(|place| self.block_records(&place)) {
                for block in read {
                    let (text, records) = block?;
                    let start = joined.text.len();
                    joined.text.extend_from_slice(&text);
                    joined
                        .records
                        .extend(records.into_iter().map(|record| Record {
                            start: start + record.start,
                            end: start + record.end,
                            ..record
                        }));
                }
                on_progress();
            }
        }
        Ok(joined)
    }

    /// Adds the source parts of a segment, which may continue the last part.
    fn add_parts(&self, number: usize, joined: &mut SegmentText) -> Result<(), Error> {
        let open = self.segment(number)?;
        let tables = self.container().tables(&open.segment)?;
        let parts = open.segment.source_parts(&tables)?;
        let first = usize::try_from(open.segment.entry().parts.first).unwrap_or(usize::MAX);
        if joined.parts.is_empty() {
            joined.first_source = first;
        }
        for (source, part) in (first..).zip(parts) {
            let at = source.saturating_sub(joined.first_source);
            // Sources between two segments are empty.
            while joined.parts.len() < at {
                joined
                    .parts
                    .push(self.empty_part(joined.first_source + joined.parts.len()));
            }
            match joined.parts.get_mut(at) {
                Some(last) => {
                    last.bytes += part.bytes;
                    last.games += part.games;
                    last.records += part.records;
                }
                None => joined.parts.push(SourcePart {
                    name: self.source_name(source),
                    ..part
                }),
            }
        }
        Ok(())
    }

    fn empty_part(&self, source: usize) -> SourcePart {
        SourcePart {
            name: self.source_name(source),
            offset: 0,
            bytes: 0,
            games: 0,
            records: 0,
        }
    }

    fn source_name(&self, number: usize) -> String {
        let source = self.sources().get(number);
        source.map(|source| source.name.clone()).unwrap_or_default()
    }

    /// The text of a block and its records, which stay the same records.
    fn block_records(&self, place: &BlockPlace) -> Result<(Vec<u8>, Vec<Record>), Error> {
        let open = self.segment(place.segment)?;
        let block = self.read_block(place.segment, place.block)?;
        let in_record = |record: usize, error: ContentError| {
            Error::of_block(&open.segment, place.segment, place.block, error)
                .in_record(record, None)
        };
        let read = block.all_records();
        let (text, ends) = read.map_err(|(record, error)| in_record(record, error))?;
        let mut start = 0;
        let records = ends.into_iter().enumerate().map(|(number, end)| {
            let is_game = block.is_game(number)?;
            let is_too_long = block.verbatim_reason(number)? == Some(VerbatimReason::TooLong);
            let record = Record {
                start,
                end,
                is_game,
                is_piece: is_too_long && (!is_game || end - start >= MAX_RECORD_BYTES),
            };
            if start == end {
                return Err(ContentError::Invalid("a record without text"));
            }
            start = end;
            Ok(record)
        });
        let records: Result<_, _> = records.collect();
        Ok((text, records.map_err(|error| in_record(0, error))?))
    }
}

/// Divides segments of these raw sizes into groups: neighbouring small ones of at most
/// `most` bytes together, each other one alone.
fn groups(sizes: impl Iterator<Item = u64>, most: u64) -> Vec<Range<usize>> {
    let mut groups: Vec<Range<usize>> = Vec::new();
    // What the last group may still take, in bytes.
    let mut left = None;
    for (number, bytes) in sizes.enumerate() {
        let is_small = bytes < most.div_ceil(2);
        let fits = |left: u64| left.checked_sub(bytes).filter(|_| is_small);
        match (left.and_then(fits), groups.last_mut()) {
            (Some(rest), Some(last)) => {
                last.end = number + 1;
                left = Some(rest);
            }
            _ => {
                groups.push(number..number + 1);
                left = is_small.then(|| most - bytes);
            }
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The groups of segments of these sizes, each by its first and its last.
    fn ends(sizes: &[u64], most: u64) -> Vec<(usize, usize)> {
        let groups = groups(sizes.iter().copied(), most).into_iter();
        groups.map(|group| (group.start, group.end - 1)).collect()
    }

    #[test]
    fn small_neighbours_are_joined() {
        for (sizes, expected) in [
            (&[][..], &[][..]),
            (&[10, 20, 49], &[(0, 2)]),
            (&[50, 10, 20, 100, 10], &[(0, 0), (1, 2), (3, 3), (4, 4)]),
            (&[40, 40, 20, 1, 49], &[(0, 2), (3, 4)]),
            (&[200, u64::MAX, 0, 0], &[(0, 0), (1, 1), (2, 3)]),
        ] {
            assert_eq!(ends(sizes, 100), expected);
        }
    }

    #[test]
    fn segments_are_not_joined_if_all_are_large() {
        assert_eq!(ends(&[1, 1], 1), [(0, 0), (1, 1)]);
        assert_eq!(ends(&[0, 1], 0), [(0, 0), (1, 1)]);
    }
}
