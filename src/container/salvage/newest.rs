//! The newest directory that is whole, and what is known of later ones.

use super::super::directory::Directory;
use super::super::error::{ContainerError, Part, Place};
use super::super::footer::{self, Footer, Totals};
use super::super::header::HEADER_BYTES;
use super::super::read_at::{Input, ReadAt};
use super::super::scan::Mark;
use super::super::section::Section;
use super::super::slot::{self, CommitSlot, FIRST_SECTION, SlotState};
use super::walk::Finds;
use std::collections::BTreeMap;

/// What tells of the whole archive.
#[derive(Debug, Default)]
pub(super) struct Newest {
    /// The newest directory that is whole.
    pub(super) directory: Option<Directory>,
    /// File offset behind it.
    pub(super) end: u64,
    /// Whether a slot or a footer tells of a later one, which is lost.
    pub(super) is_outdated: bool,
    /// What the newest footer that is whole says of the whole archive.
    pub(super) totals: Option<Totals>,
}

pub(super) fn newest<S: ReadAt>(input: &Input<S>, finds: &Finds) -> Newest {
    let footers = finds.footers.iter();
    let footer = footers.max_by_key(|footer| footer.generation);
    let (slots, has_damaged) = slots(input);
    // A slot may tell of a state of which no footer is left.
    let generation = slots.iter().map(|slot| slot.generation).max();
    let is_newest = |footer: &&Footer| Some(footer.generation) >= generation;
    let mut newest = Newest {
        totals: footer.filter(is_newest).map(|footer| footer.totals),
        ..Newest::default()
    };
    let Some(found) = directory(input, finds) else {
        return newest;
    };
    // Where bytes were lost or added before it, only its footer knows its old place.
    let place = found
        .footer
        .map_or(found.mark.offset, |own| own.directory_offset);
    let is_own = |footer: &&Footer| footer.directory_digest == found.digest;
    let others = finds.footers.iter().filter(|footer| !is_own(footer));
    let named = slots
        .iter()
        .map(|slot| slot.copy_offset.saturating_add(footer::SECTION_BYTES));
    let mut places = others.map(|footer| footer.directory_offset).chain(named);
    newest.end = found.mark.end();
    // A slot that is damaged may have told of a state behind the one that is known.
    let goes_on = input.size() > newest.end.saturating_add(footer::SECTION_BYTES);
    newest.is_outdated = places.any(|other| other > place) || (has_damaged && goes_on);
    if has_damaged && goes_on {
        newest.totals = None;
    }
    newest.directory = Some(found.directory);
    newest
}

/// A directory that is whole, and its footer, if that is.
struct FoundDirectory<'f> {
    mark: &'f Mark,
    directory: Directory,
    digest: [u8; 32],
    footer: Option<&'f Footer>,
}

/// The directory of the newest footer that has one; without such a footer, the last of
/// the file.
fn directory<'f, S: ReadAt>(input: &Input<S>, finds: &'f Finds) -> Option<FoundDirectory<'f>> {
    let mut footers: BTreeMap<[u8; 32], &Footer> = BTreeMap::new();
    for footer in &finds.footers {
        footers.insert(footer.directory_digest, footer);
    }
    let mut best: Option<FoundDirectory<'f>> = None;
    for mark in finds.directories.iter().rev() {
        let Ok((directory, digest)) = read(input, mark) else {
            continue;
        };
        let footer = footers.get(&digest).copied();
        let generation = |footer: Option<&Footer>| footer.map_or(0, |footer| footer.generation);
        let is_better = |best: &FoundDirectory<'f>| generation(footer) > generation(best.footer);
        if best.as_ref().is_none_or(is_better) {
            best = Some(FoundDirectory {
                mark,
                directory,
                digest,
                footer,
            });
        }
    }
    best
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

/// The slots that are whole, and whether one is damaged.
fn slots<S: ReadAt>(input: &Input<S>) -> (Vec<CommitSlot>, bool) {
    let place = Place::new(Part::Slot, HEADER_BYTES);
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
