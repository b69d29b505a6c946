//! The newest directory that is whole, and what is known of later ones.

use super::super::directory::Directory;
use super::super::error::{ContainerError, Part, Place};
use super::super::footer::{self, Footer, Totals};
use super::super::header::HEADER_BYTES;
use super::super::read_at::{Input, ReadAt};
use super::super::scan::Mark;
use super::super::section::Section;
use super::super::slot::{self, FIRST_SECTION, SlotState};
use super::walk::Finds;

/// What tells of the whole archive.
#[derive(Debug, Default)]
pub(super) struct Newest {
    /// The last directory of the file that is whole.
    pub(super) directory: Option<Directory>,
    /// File offset behind it.
    pub(super) end: u64,
    /// Whether a slot or a footer tells of a later one, which is lost.
    pub(super) is_outdated: bool,
    /// What the newest footer that is whole says of the whole archive.
    pub(super) totals: Option<Totals>,
}

pub(super) fn newest<S: ReadAt>(input: &Input<S>, finds: &Finds) -> Newest {
    let mut marks = finds.directories.iter().rev();
    let found = marks.find_map(|mark| Some((mark, read(input, mark).ok()?)));
    let footers = finds.footers.iter();
    let totals = footers.max_by_key(|footer| footer.generation);
    let mut newest = Newest {
        totals: totals.map(|footer| footer.totals),
        ..Newest::default()
    };
    let Some((mark, (directory, digest))) = found else {
        return newest;
    };
    // Where bytes were lost or added before it, only its footer knows its old place.
    let is_own = |footer: &&Footer| footer.directory_digest == digest;
    let own = finds.footers.iter().find(is_own);
    let place = own.map_or(mark.offset, |footer| footer.directory_offset);
    let others = finds.footers.iter().filter(|footer| !is_own(footer));
    let mut places = others
        .map(|footer| footer.directory_offset)
        .chain(named_by_slots(input));
    newest.is_outdated = places.any(|other| other > place);
    newest.directory = Some(directory);
    newest.end = mark.end();
    newest
}

fn read<S: ReadAt>(input: &Input<S>, mark: &Mark) -> Result<(Directory, [u8; 32]), ContainerError> {
    let place = Place::new(Part::Directory, mark.offset);
    let bytes = mark.section_bytes();
    place.within("size of the directory", bytes, input.limits().index_bytes)?;
    let bytes = input.read(place, bytes)?;
    let digest = *blake3::hash(&bytes).as_bytes();
    let section = Section::check(bytes, place)?;
    Ok((Directory::parse(section.payload(), place)?, digest))
}

/// The places of directories that the slots tell.
fn named_by_slots<S: ReadAt>(input: &Input<S>) -> Vec<u64> {
    let place = Place::new(Part::Slot, HEADER_BYTES);
    let slots = input.read(place, FIRST_SECTION - HEADER_BYTES);
    let slots = slots.unwrap_or_default();
    let (slots, _) = slots.as_chunks::<32>();
    let states = (0..)
        .zip(slots)
        .map(|(number, slot)| slot::parse(slot, number));
    states
        .filter_map(|state| match state {
            Ok(SlotState::Valid(slot)) => {
                Some(slot.copy_offset.saturating_add(footer::SECTION_BYTES))
            }
            _ => None,
        })
        .collect()
}
