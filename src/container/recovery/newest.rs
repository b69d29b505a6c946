//! The newest intact directory, and evidence of later ones.

use super::super::directory::{Directory, SegmentEntry};
use super::super::error::{ContainerError, FilePart, FilePlace};
use super::super::footer::{self, Footer};
use super::super::header::HEADER_BYTES;
use super::super::read_at::{ReadAt, SectionInput};
use super::super::scan::SectionMark;
use super::super::section::Section;
use super::super::segment_id::SegmentId;
use super::super::slot::{self, CommitSlot, FIRST_SECTION, SlotState};
use super::walk::ScanResult;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The data about the archive as a whole.
#[derive(Debug, Default)]
pub(super) struct NewestState {
    /// The newest intact directory.
    pub(super) directory: Option<Directory>,
    /// How far the directory is from the offset that its footer states, in bytes;
    /// `None` without a footer. If another archive precedes it in the file, this is the
    /// size of that archive.
    pub(super) shift: Option<i64>,
    /// The segments of all intact directories.
    pub(super) listed: BTreeSet<SegmentId>,
    /// Whether a slot or a footer refers to a later directory that is lost, or to one
    /// of another archive.
    pub(super) is_outdated: bool,
}

impl NewestState {
    /// The expected range of a segment, if the bytes before the directory were moved
    /// together with it.
    pub(super) fn place_of(&self, entry: &SegmentEntry) -> Range<u64> {
        let moved = |offset: u64| offset.saturating_add_signed(self.shift.unwrap_or(0));
        let Range { start, end } = stated_place(entry);
        moved(start)..moved(end)
    }
}

pub(super) fn find_newest<S: ReadAt>(input: &SectionInput<S>, finds: &ScanResult) -> NewestState {
    let (slots, has_damaged) = slots(input);
    let mut newest = NewestState::default();
    let DirectorySummary {
        best: Some(found),
        checks,
        places,
        listed,
    } = directories(input, finds)
    else {
        return newest;
    };
    newest.listed = listed;
    // If bytes were lost or added before the directory, only its footer contains its
    // original offset.
    let stated = found.footer.map(|own| own.directory_offset);
    let moved_by = stated.map(|stated| found.mark.offset.wrapping_sub(stated).cast_signed());
    newest.shift = moved_by;
    let place = stated.unwrap_or(found.mark.offset);
    let lost = finds.footers.iter();
    let mut lost = lost.filter(|(_, other)| !checks.contains(&other.directory()));
    let is_later = |(_, other): &(u64, Footer)| other.directory_offset > place;
    let is_of_another =
        |(at, other): &(u64, Footer)| !is_at_stated_offset(other, *at, moved_by.unwrap_or(0));
    let has_another = lost.clone().any(is_of_another);
    let is_of_lost = |slot: &CommitSlot| {
        let named = slot.copy_offset.saturating_add(footer::SECTION_BYTES);
        named > place && !places.contains(&named)
    };
    // A damaged slot may have referred to a state after the known one.
    let has_bytes_after = {
        let mut sections = finds.parity.iter();
        let own = sections.find(|span| span.offset == found.mark.end());
        let own = own.map(|span| span.bytes);
        let own = own.or(found.footer.map(|own| own.parity_bytes));
        let after = found.mark.end().saturating_add(own.unwrap_or(0));
        input.size() > after.saturating_add(footer::SECTION_BYTES)
    };
    newest.is_outdated = has_another
        || lost.any(is_later)
        || slots.iter().any(is_of_lost)
        || (has_damaged && has_bytes_after);
    newest.directory = Some(found.directory);
    newest
}

/// The range of a segment that the directory states.
pub(super) fn stated_place(entry: &SegmentEntry) -> Range<u64> {
    entry.offset..entry.offset.saturating_add(entry.bytes)
}

/// Whether a footer or a footer copy at `at` is at the offset that it states, shifted
/// by `moved_by` bytes.
fn is_at_stated_offset(footer: &Footer, at: u64, moved_by: i64) -> bool {
    let directory = footer.directory_offset;
    let copy = directory.checked_sub(footer::SECTION_BYTES);
    let mut places = copy.into_iter().chain([footer.parity().end()]);
    places.any(|place| place.checked_add_signed(moved_by) == Some(at))
}

/// An intact directory, and its footer if that is intact.
struct FoundDirectory<'f> {
    mark: &'f SectionMark,
    directory: Directory,
    footer: Option<&'f Footer>,
}

/// A summary of all intact directories.
#[derive(Default)]
struct DirectorySummary<'f> {
    /// The directory of the newest footer whose directory is intact. If no intact
    /// directory has a footer, the last directory of the file.
    best: Option<FoundDirectory<'f>>,
    /// The sizes and the CRC-32s of all.
    checks: BTreeSet<(u64, u32)>,
    /// The offsets of directories with footers: where they are, and where their footers
    /// state them.
    places: BTreeSet<u64>,
    /// The segments that they list.
    listed: BTreeSet<SegmentId>,
}

fn directories<'f, S: ReadAt>(
    input: &SectionInput<S>,
    finds: &'f ScanResult,
) -> DirectorySummary<'f> {
    let footers = finds.footers.iter();
    let footers: BTreeMap<(u64, u32), &Footer> = footers
        .map(|(_, footer)| (footer.directory(), footer))
        .collect();
    let mut found = DirectorySummary::default();
    for mark in finds.directories.iter().rev() {
        let Ok((directory, check)) = read(input, mark) else {
            continue;
        };
        let footer = footers.get(&check).copied();
        found.checks.insert(check);
        if let Some(own) = footer {
            found.places.extend([mark.offset, own.directory_offset]);
        }
        let ids = directory.segments().iter().map(|entry| entry.id);
        found.listed.extend(ids);
        let generation = |footer: Option<&Footer>| footer.map_or(0, |footer| footer.generation);
        let is_better = |best: &FoundDirectory<'f>| generation(footer) > generation(best.footer);
        if found.best.as_ref().is_none_or(is_better) {
            found.best = Some(FoundDirectory {
                mark,
                directory,
                footer,
            });
        }
    }
    found
}

fn read<S: ReadAt>(
    input: &SectionInput<S>,
    mark: &SectionMark,
) -> Result<(Directory, (u64, u32)), ContainerError> {
    let place = FilePlace::new(FilePart::Directory, mark.offset);
    let bytes = mark.section_bytes();
    place.check_limit("size of the directory", bytes, input.limits().index_bytes)?;
    let section = Section::check(input.read(place, bytes)?, place)?;
    let directory = Directory::parse(section.payload(), place)?;
    Ok((directory, (bytes, section.crc())))
}

/// The intact slots, and whether any slot is damaged.
fn slots<S: ReadAt>(input: &SectionInput<S>) -> (Vec<CommitSlot>, bool) {
    let place = FilePlace::new(FilePart::Slot, HEADER_BYTES);
    let slots = input.read(place, FIRST_SECTION - HEADER_BYTES);
    let slots = slots.unwrap_or_default();
    let (slots, _) = slots.as_chunks::<32>();
    let (mut whole, mut has_damaged) = (Vec::new(), false);
    for (number, slot) in (0..).zip(slots) {
        match slot::parse(slot, number) {
            Ok(SlotState::Valid(slot)) => whole.push(slot),
            Ok(SlotState::Empty) => {}
            Ok(SlotState::Damaged) | Err(_) => has_damaged = true,
        }
    }
    (whole, has_damaged)
}
