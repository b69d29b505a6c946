//! Copying segments from one container to another without decoding them.

use super::block::PackedBlock;
use super::directory::PartRange;
use super::error::ContainerError;
use super::read_at::ReadAt;
use super::reader::{Container, Segment};
use super::segment_end::{SectionEntry, TagsSection};
use super::warning::Warning;
use super::writer::{ContainerWriter, into_misuse};
use std::io::Write;

impl<W: Write + ?Sized> ContainerWriter<W> {
    /// Copies a segment and checks each of its sections. Damage that parity mends
    /// is mended in the copy. `parts` is as in [`Writer::end_segment`].
    ///
    /// # Errors
    /// The segment is damaged, or one of the other methods of the writer fails.
    pub fn copy_segment<S: ReadAt>(
        &mut self,
        from: &Container<S>,
        number: usize,
        parts: PartRange,
    ) -> Result<Option<Warning>, ContainerError> {
        let segment = from.segment(number)?;
        self.copy_segment_except(from, &segment, |_| false)?;
        let (summary, warning) = from.summary(number)?;
        self.summarize(summary)?;
        self.end_segment(parts)?;
        Ok(warning)
    }

    /// Copies the tables, the model, the blocks and the other sections of a segment, except
    /// sections for which `left_out` returns true. Leaves the segment open.
    ///
    /// # Errors
    /// As [`Writer::copy_segment`].
    pub fn copy_segment_except<S: ReadAt>(
        &mut self,
        from: &Container<S>,
        segment: &Segment,
        is_excluded: impl Fn(&SectionEntry) -> bool,
    ) -> Result<(), ContainerError> {
        let tables = from.tables(segment)?;
        self.copy_model(from, &tables)?;
        self.begin_segment(&tables)?;
        for group in segment.index().tags() {
            self.copy_group(from, segment, group)?;
        }
        let sections = segment.index().sections().iter();
        for entry in sections.filter(|entry| !is_excluded(entry)) {
            let section = from.section(segment, entry)?;
            self.section(entry.section_type, entry.flags, section.payload())?;
        }
        Ok(())
    }

    /// Copies a group of blocks of another container, with one movetext at a time in memory.
    fn copy_group<S: ReadAt>(
        &mut self,
        from: &Container<S>,
        segment: &Segment,
        group: &TagsSection,
    ) -> Result<(), ContainerError> {
        let mut own = self.take_segment()?;
        self.write_group(&mut own)?;
        let numbers = (group.first_block..).take(group.blocks as usize);
        let tags = numbers
            .clone()
            .map(|number| from.block_tags(segment, number));
        let tags = tags.collect::<Result<Vec<_>, ContainerError>>()?;
        self.write_tags(&own.index.id(), tags.iter().map(|tags| &tags[..]))?;
        for (number, tags) in numbers.zip(&tags) {
            let movetext = from.block_movetext(segment, number)?;
            let packed = PackedBlock {
                tags,
                movetext: movetext.packed(),
            };
            self.write_block(&mut own.index, movetext.header().shape, packed)?;
        }
        own.index.end_group().map_err(into_misuse)?;
        self.segment = Some(own);
        Ok(())
    }
}
