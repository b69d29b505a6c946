//! Verification of all checksums of an archive without decoding a game.

use crate::archive::error::Error;
use crate::archive::read::archive::Archive;
use crate::archive::read::loss::Loss;
use crate::container::{ContainerError, SegmentEntry};
use crate::parallel;

impl Archive {
    /// Verifies the checksum of each table, block and other section, and returns all
    /// losses. Header, slots and directory were verified when the archive was
    /// opened. Blocks are read on the thread pool of the feature `threads`. `on_progress` is
    /// called with the number of bytes of the file that each step adds.
    ///
    /// This detects damage to the file. [`Archive::verify`] also verifies that the games
    /// decode to what was packed.
    pub fn verify_checksums(&self, on_progress: impl Fn(u64) + Sync) -> Vec<Loss> {
        let segments = self.container().segments().iter().enumerate();
        let losses = segments.map(|(number, entry)| {
            self.check_segment(number, entry, &on_progress)
                .unwrap_or_else(|error| vec![Loss::of_segment(entry, error)])
        });
        let mut losses: Vec<Loss> = losses.flatten().collect();
        losses.extend(self.verify_models());
        losses.extend(self.verify_superseded());
        losses
    }

    fn check_segment(
        &self,
        number: usize,
        entry: &SegmentEntry,
        on_progress: &(impl Fn(u64) + Sync),
    ) -> Result<Vec<Loss>, Error> {
        let container = self.container();
        let segment = container.segment(number)?;
        let tables = container.tables(&segment)?;
        segment.source_parts(&tables)?;
        let blocks = segment.index().blocks();
        let tags = segment.index().tags();
        on_progress(tags.first().map_or(entry.bytes, |tags| tags.offset));
        let blocks = parallel::map(blocks.iter().enumerate(), |(block, entry)| {
            let read = container.block(&segment, block);
            on_progress(entry.section_bytes());
            let lost = |error: ContainerError| Loss::of_block(&segment, block, error.into());
            read.err().map(lost)
        });
        let mut losses: Vec<Loss> = blocks.into_iter().flatten().collect();
        for tags in tags {
            match container.tags_warning(&segment, tags) {
                Ok(warning) => self.warn(warning),
                Err(error) => losses.push(Loss::without_games(error.into())),
            }
            on_progress(tags.bytes);
        }
        for entry in segment.index().sections() {
            let read = container.section(&segment, entry);
            losses.extend(read.err().map(|error| Loss::without_games(error.into())));
            on_progress(entry.section_bytes().unwrap_or(0));
        }
        Ok(losses)
    }
}
