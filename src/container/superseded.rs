//! What is between the segments and after them: names, parity, footers, and what appends leave of older
//! states, which is no longer read.

use super::error::{ContainerError, FilePart, FilePlace};
use super::read_at::ReadAt;
use super::reader::Container;
use super::section::{HEAD_BYTES, Section, SectionHead};
use super::slot::FIRST_SECTION;
use super::warning::Warning;
use std::ops::Range;

impl<S: ReadAt> Container<S> {
    /// The bytes before the last segment that are neither of a segment nor of a model.
    pub fn bytes_between_segments(&self) -> u64 {
        let Some((last, others)) = self.segments().split_last() else {
            return 0;
        };
        let others = others.iter().map(|entry| entry.bytes);
        let listed = others.fold(self.models_bytes(), u64::saturating_add);
        last.offset
            .saturating_sub(FIRST_SECTION)
            .saturating_sub(listed)
    }

    /// Checks the sections between the segments. All damage in the file is
    /// thus reported, even where it is harmless.
    ///
    /// # Errors
    /// A section cannot be read now.
    pub fn superseded_damage(&self) -> Result<Vec<Warning>, ContainerError> {
        let ends = self.segments().iter();
        let ends = ends.map(|entry| entry.offset.saturating_add(entry.bytes));
        let starts = self.segments().iter().map(|entry| entry.offset);
        let starts = starts.chain([self.committed_bytes()]);
        let gaps = std::iter::once(FIRST_SECTION).chain(ends).zip(starts);
        let mut warnings = self.damaged_names()?;
        for (start, end) in gaps {
            if let Some(offset) = self.first_damage(start..end)? {
                let warning = self.warning_at(offset);
                if !warnings.contains(&Warning::IndexIgnored { offset }) {
                    warnings.push(warning);
                }
            }
        }
        Ok(warnings)
    }

    /// The warning about a damaged section between or after the segments.
    fn warning_at(&self, offset: u64) -> Warning {
        let commit = self.commit();
        let is_parity = commit.parity.iter().any(|span| span.offset == offset);
        match offset {
            _ if is_parity => Warning::ParityDamaged { offset },
            _ if offset == commit.slot.footer_offset => Warning::FooterDamaged { offset },
            _ => Warning::SupersededDamaged { offset },
        }
    }

    /// The first offset in a range of the file at which no intact section begins.
    fn first_damage(&self, range: Range<u64>) -> Result<Option<u64>, ContainerError> {
        let mut offset = range.start;
        while offset < range.end {
            match self.section_end(offset..range.end) {
                Ok(end) => offset = end,
                Err(error) if !error.is_loss() => return Err(error),
                Err(_) => return Ok(Some(offset)),
            }
        }
        Ok(None)
    }

    /// File offset after the section at the start of a range, if it is intact and ends there.
    fn section_end(&self, range: Range<u64>) -> Result<u64, ContainerError> {
        let place = FilePlace::new(FilePart::Segment, range.start);
        let bytes = range.end.saturating_sub(range.start);
        self.read_mended(place, bytes, || {
            let head = SectionHead::parse(&self.input().read(place, HEAD_BYTES)?, place)?;
            let section = head.section_bytes().unwrap_or(u64::MAX);
            if section > bytes {
                return Err(place.invalid("a section that ends elsewhere"));
            }
            place.check_limit("size of the section", section, self.limits().index_bytes)?;
            Section::check(self.input().read(place, section)?, place)?;
            Ok(range.start.saturating_add(section))
        })
    }

    /// Checks the last parity section and the footer after it. If one is damaged, an append
    /// would leave the bytes before it unprotected.
    ///
    /// # Errors
    /// One is damaged or cannot be read.
    pub(super) fn check_tail(&self) -> Result<(), ContainerError> {
        let commit = self.commit();
        let parity = commit
            .parity
            .last()
            .map_or(commit.end(), |span| span.offset);
        let Some(offset) = self.first_damage(parity..commit.end())? else {
            return Ok(());
        };
        let place = FilePlace::new(FilePart::End, offset);
        Err(place.invalid("the parity or the footer is damaged; repack the archive first"))
    }
}
