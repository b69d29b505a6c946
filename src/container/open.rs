//! Finding the committed state of a file (spec/format.md, “Opening”).

use super::directory::Directory;
use super::error::{ContainerError, Damage, FilePart, FilePlace};
use super::footer::{self, Footer};
use super::header::{self, HEADER_BYTES, SIGNATURE};
use super::parity::ParitySpan;
use super::read_at::{ReadAt, SectionInput};
use super::registry;
use super::section::{HEAD_BYTES, Section, SectionHead};
use super::slot::{self, CommitSlot, FIRST_SECTION, SLOT_BYTES, SlotState};
use super::warning::Warning;
use memchr::memmem;
use std::slice;

/// The most bytes that are announced from the copy of the footer on. Up to there is the
/// directory of some hundred files; the parity after it is seldom read.
const MOST_ANNOUNCED: u64 = 64 << 10;

/// The most bytes at the end of a file in which the copy of its footer is searched. Between
/// the two are the directory and its parity.
const MOST_SEARCHED: u64 = 32 << 20;

/// A committed state of the file.
#[derive(Debug, Clone)]
pub(super) struct Commit {
    pub(super) slot: CommitSlot,
    pub(super) directory: Directory,
    /// All parity sections, in file order: those of the directory, then the one after it.
    pub(super) parity: Vec<ParitySpan>,
    /// Whether a later state may have been committed and its slot lost.
    pub(super) may_be_outdated: bool,
    /// Whether the state is followed by bytes that no append wrote. An append would
    /// truncate them.
    pub(super) is_followed_by_foreign_bytes: bool,
}

impl Commit {
    /// File offset after the footer.
    pub(super) fn end(&self) -> u64 {
        self.slot.end()
    }
}

/// Finds and checks the committed state.
pub(super) fn open<S: ReadAt>(
    input: &SectionInput<S>,
) -> Result<(Commit, Vec<Warning>), ContainerError> {
    let place = FilePlace::new(FilePart::Header, 0);
    let (front, header) = match input.read(place, input.size().min(FIRST_SECTION)) {
        // The medium has lost the first sector.
        Err(error) if error.is_damage() => {
            let lost = vec![0; usize::try_from(FIRST_SECTION).unwrap_or(0)];
            (lost, Err(error))
        }
        front => {
            let front = front?;
            let header = header::check(&front);
            (front, header)
        }
    };
    if let Err(error @ ContainerError::Version(_)) = header {
        return Err(error);
    }
    match (&header, committed_state(input, &front, header.is_ok())) {
        (Err(_), Ok((commit, mut warnings))) => {
            warnings.insert(0, Warning::HeaderDamaged);
            Ok((commit, warnings))
        }
        // Without a footer of an archive, the first bytes say best what the file is.
        (Err(_), Err(error)) if error.is_loss() => header.and(Err(error)),
        (_, state) => state,
    }
}

/// Finds the committed state by the slots, or by the end of the file. If it is certain that
/// the file is an archive, the footer there may be damaged.
fn committed_state<S: ReadAt>(
    input: &SectionInput<S>,
    front: &[u8],
    is_archive: bool,
) -> Result<(Commit, Vec<Warning>), ContainerError> {
    let plan = OpenPlan::new(read_slots(front)?)?;
    let (mut commit, found) = plan.resolve(input, is_archive)?;
    let mut warnings = plan.warnings(&commit);
    let offset = commit.end();
    let bytes = input.size().saturating_sub(offset);
    commit.may_be_outdated = bytes > 0 && !warnings.is_empty();
    warnings.extend(found);
    if commit.may_be_outdated {
        let generation = commit.slot.generation;
        warnings.push(Warning::MayBeOutdated { generation });
    }
    if bytes > 0 {
        let warning = match &first_bytes_after(input, offset)? {
            front if *front == SIGNATURE => Warning::AnotherArchive { offset, bytes },
            front if begins_append(front) => Warning::UnfinishedAppend { offset, bytes },
            _ => Warning::ForeignBytes { offset, bytes },
        };
        commit.is_followed_by_foreign_bytes = !matches!(warning, Warning::UnfinishedAppend { .. });
        warnings.push(warning);
    }
    Ok((commit, warnings))
}

/// The first bytes after the footer. If these are zeros and the next other bytes are
/// the signature of an archive, returns the signature.
fn first_bytes_after<S: ReadAt>(
    input: &SectionInput<S>,
    offset: u64,
) -> Result<Vec<u8>, ContainerError> {
    const WINDOW: u64 = 64 << 10;
    let read = |offset: u64, most: u64| {
        let bytes = input.size().saturating_sub(offset).min(most);
        input.read(FilePlace::new(FilePart::Header, offset), bytes)
    };
    let front = read(offset, SIGNATURE.len() as u64)?;
    let mut at = offset;
    while at < input.size() && front.iter().all(|byte| *byte == 0) {
        let window = read(at, WINDOW)?;
        if let Some(zeros) = window.iter().position(|byte| *byte != 0) {
            let found = read(at.saturating_add(zeros as u64), SIGNATURE.len() as u64)?;
            return Ok(if found == SIGNATURE { found } else { front });
        }
        at = at.saturating_add(WINDOW);
    }
    Ok(front)
}

/// Whether bytes may be the first ones of an append: of tables or, if it adds no
/// segment, of a footer copy. Zeros occur if the file grew before it was written.
fn begins_append(front: &[u8]) -> bool {
    // Compares only the part of a section head before the length.
    let front = front.get(..8).unwrap_or(front);
    let is_of = |first| {
        let head = SectionHead::critical(first, 0).encode();
        head.starts_with(front)
    };
    is_of(registry::TABLES) || is_of(registry::FOOTER) || front.iter().all(|byte| *byte == 0)
}

fn read_slots(front: &[u8]) -> Result<[SlotState; 2], ContainerError> {
    let truncated = || {
        FilePlace::new(FilePart::Slot, HEADER_BYTES).damaged(Damage::Truncated {
            needed: HEADER_BYTES + 2 * SLOT_BYTES,
            available: front.len() as u64,
        })
    };
    let (_, slots) = front.split_first_chunk::<16>().ok_or_else(truncated)?;
    let (first, rest) = slots.split_first_chunk::<32>().ok_or_else(truncated)?;
    let second = rest.first_chunk::<32>().ok_or_else(truncated)?;
    Ok([slot::parse(first, 0)?, slot::parse(second, 1)?])
}

/// Where to look for the committed state, according to the slots.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct OpenPlan {
    /// The newest valid slot.
    newest: Option<CommitSlot>,
    /// The slots whose content is not as expected.
    damaged: [bool; 2],
}

impl OpenPlan {
    fn new(states: [SlotState; 2]) -> Result<Self, ContainerError> {
        let mut damaged = states.map(|state| state == SlotState::Damaged);
        let newest = match states {
            [SlotState::Valid(odd), SlotState::Valid(even)] => Some(newer(odd, even)?),
            [SlotState::Valid(slot), _] | [_, SlotState::Valid(slot)] => Some(slot),
            _ => None,
        };
        // A generation above 1 means that both slots were written, so an empty one was
        // erased.
        if newest.is_some_and(|slot| slot.generation > 1) {
            let erased = states.map(|state| state == SlotState::Empty);
            damaged = [damaged[0] || erased[0], damaged[1] || erased[1]];
        }
        Ok(OpenPlan { newest, damaged })
    }

    fn resolve<S: ReadAt>(
        &self,
        input: &SectionInput<S>,
        is_archive: bool,
    ) -> Result<(Commit, Option<Warning>), ContainerError> {
        let Some(slot) = self.newest else {
            return state_at_file_end(input, is_archive);
        };
        // The damaged slot may have held the next generation, or a write of it was
        // torn. The footers of that generation were written before the slot.
        if self.damaged.contains(&true) {
            match state_at_file_end(input, false) {
                Ok((commit, warning))
                    if commit.slot.generation == slot.generation.saturating_add(1) =>
                {
                    return Ok((commit, warning));
                }
                Err(error) if !error.is_loss() => return Err(error),
                _ => {}
            }
        }
        state_of_slot(input, slot)
    }

    fn warnings(&self, commit: &Commit) -> Vec<Warning> {
        let mut damaged = self.damaged;
        // The slots of a stream are empty, but a stream has only one generation.
        if self.newest.is_none() && commit.slot.generation > 1 {
            damaged = [true, true];
        }
        (0..)
            .zip(damaged)
            .filter(|&(_, damaged)| damaged)
            .map(|(slot, _)| Warning::SlotDamaged { slot })
            .collect()
    }
}

/// The newer of two slots, which hold consecutive generations.
fn newer(odd: CommitSlot, even: CommitSlot) -> Result<CommitSlot, ContainerError> {
    if odd.generation.abs_diff(even.generation) != 1 {
        return Err(FilePlace::new(FilePart::Slot, HEADER_BYTES)
            .invalid("the generations of the two slots do not follow each other"));
    }
    Ok(if odd.generation > even.generation {
        odd
    } else {
        even
    })
}

/// The state whose footer ends the file. If that footer is damaged, its copy may be searched.
fn state_at_file_end<S: ReadAt>(
    input: &SectionInput<S>,
    may_search: bool,
) -> Result<(Commit, Option<Warning>), ContainerError> {
    let offset = input.size().saturating_sub(footer::SECTION_BYTES);
    let footer = match read_footer(input, FilePlace::new(FilePart::Footer, offset)) {
        Err(error) if may_search && error.is_damage() => last_copy(input)?.ok_or(error)?,
        Ok(footer) if footer.slot().footer_offset != offset => {
            let place = FilePlace::new(FilePart::Footer, offset);
            return Err(place.invalid("a footer that was moved"));
        }
        footer => footer?,
    };
    state_of_slot(input, footer.slot())
}

/// The copy of a footer that ends the file.
fn last_copy<S: ReadAt>(input: &SectionInput<S>) -> Result<Option<Footer>, ContainerError> {
    const WINDOW: u64 = 1 << 18;
    let head = SectionHead::critical(registry::FOOTER, footer::PAYLOAD_BYTES).encode();
    let mut end = input.size();
    while end > 0 && input.size() - end <= MOST_SEARCHED {
        let start = end.saturating_sub(WINDOW);
        // A head may begin in this window and end in the one that was read before.
        let stop = end.saturating_add(HEAD_BYTES).min(input.size());
        let place = FilePlace::new(FilePart::FooterCopy, start);
        let window = input.read_lossy(start..stop)?;
        for at in memmem::rfind_iter(&window, &head) {
            let offset = start.saturating_add(at as u64);
            let place = FilePlace { offset, ..place };
            let footer = read_footer(input, place);
            if let Ok(footer) = footer
                && footer.slot().copy_offset == offset
                && footer.slot().end() == input.size()
            {
                return Ok(Some(footer));
            }
        }
        end = start;
    }
    Ok(None)
}

/// The state that a slot refers to.
fn state_of_slot<S: ReadAt>(
    input: &SectionInput<S>,
    slot: CommitSlot,
) -> Result<(Commit, Option<Warning>), ContainerError> {
    let tail = slot
        .end()
        .saturating_sub(slot.copy_offset)
        .min(MOST_ANNOUNCED);
    let tail = slot.copy_offset..slot.copy_offset.saturating_add(tail);
    input.source().will_read(slice::from_ref(&tail));
    let (footer, mut warning) = read_footers(input, &slot)?;
    footer.check_slot(&slot)?;
    if slot.end() > input.size() {
        let offset = slot.footer_offset;
        warning = warning.or(Some(Warning::FooterDamaged { offset }));
    }
    let directory = read_directory(input, &footer)?;
    let place = FilePlace::new(FilePart::Directory, footer.directory_offset);
    if directory.end() > slot.copy_offset {
        return Err(place.invalid("a segment reaches into the footer"));
    }
    let mut parity = directory.parity().to_vec();
    parity.push(footer.parity());
    ParitySpan::check_all(&parity).map_err(|damage| place.damaged(damage))?;
    let commit = Commit {
        slot,
        directory,
        parity,
        may_be_outdated: false,
        is_followed_by_foreign_bytes: false,
    };
    Ok((commit, warning))
}

/// Reads the copy of the footer, which is before the directory. If it is damaged, the footer.
fn read_footers<S: ReadAt>(
    input: &SectionInput<S>,
    slot: &CommitSlot,
) -> Result<(Footer, Option<Warning>), ContainerError> {
    let offset = slot.copy_offset;
    match read_footer(input, FilePlace::new(FilePart::FooterCopy, offset)) {
        Err(error) if error.is_damage() => {
            let place = FilePlace::new(FilePart::Footer, slot.footer_offset);
            let footer = read_footer(input, place)?;
            Ok((footer, Some(Warning::FooterCopyDamaged { offset })))
        }
        copy => Ok((copy?, None)),
    }
}

fn read_footer<S: ReadAt>(
    input: &SectionInput<S>,
    place: FilePlace,
) -> Result<Footer, ContainerError> {
    Footer::parse(input.read(place, footer::SECTION_BYTES)?, place)
}

fn read_directory<S: ReadAt>(
    input: &SectionInput<S>,
    footer: &Footer,
) -> Result<Directory, ContainerError> {
    let place = FilePlace::new(FilePart::Directory, footer.directory_offset);
    let bytes = footer.directory_bytes;
    place.check_limit("size of the directory", bytes, input.limits().index_bytes)?;
    let range = place.offset..place.offset.saturating_add(bytes);
    input.read_mended(&[footer.parity()], range, || {
        let section =
            Section::check_critical(input.read(place, bytes)?, registry::DIRECTORY, place)?;
        place.checksum(footer.directory_crc, section.crc())?;
        Directory::parse(section.payload(), place)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn valid(generation: u64) -> SlotState {
        SlotState::Valid(CommitSlot {
            generation,
            footer_offset: 200,
            copy_offset: 100,
        })
    }

    fn plan(states: [SlotState; 2]) -> (Option<u64>, [bool; 2]) {
        let plan = OpenPlan::new(states).unwrap();
        (plan.newest.map(|slot| slot.generation), plan.damaged)
    }

    #[test]
    fn the_newest_valid_slot_is_used() {
        use SlotState::{Damaged, Empty};
        let whole = [false, false];
        assert_eq!(plan([Empty, Empty]), (None, whole));
        assert_eq!(plan([valid(1), Empty]), (Some(1), whole));
        assert_eq!(plan([valid(1), valid(2)]), (Some(2), whole));
        assert_eq!(plan([valid(3), valid(2)]), (Some(3), whole));
        assert_eq!(plan([valid(1), Damaged]), (Some(1), [false, true]));
        assert_eq!(plan([Damaged, valid(2)]), (Some(2), [true, false]));
        assert_eq!(plan([Damaged, Empty]), (None, [true, false]));
        assert_eq!(plan([Damaged, Damaged]), (None, [true, true]));
    }

    #[test]
    fn an_erased_slot_is_damaged() {
        use SlotState::Empty;
        assert_eq!(plan([Empty, valid(2)]), (Some(2), [true, false]));
        assert_eq!(plan([valid(3), Empty]), (Some(3), [false, true]));
    }

    #[test]
    fn generations_that_do_not_follow_are_refused() {
        assert!(OpenPlan::new([valid(1), valid(4)]).is_err());
        assert!(OpenPlan::new([valid(7), valid(4)]).is_err());
        assert!(OpenPlan::new([valid(2), valid(2)]).is_err());
    }
}
