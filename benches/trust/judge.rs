//! The outcome of reading a damaged archive.

use anyhow::Result;
use pgna::internals::container::{
    Block, BlockEntry, Container, Section, SectionEntry, Segment, Tables,
};
use pgna::{Bytes, Limits, ReadAt};
use std::fmt;
use std::ops::AddAssign;

/// The outcome of a case, the best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Outcome {
    /// Everything was read without a warning, and is right.
    Same,
    /// Everything was read with a warning, and is right.
    Mended,
    /// Some of it was refused, or an earlier state was opened; what was read is right.
    Detected,
    /// The archive was not opened.
    Refused,
    /// Something wrong was read without a warning.
    Silent,
}

/// The number of cases of each outcome.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Tally {
    pub(crate) refused: u64,
    pub(crate) detected: u64,
    pub(crate) mended: u64,
    pub(crate) same: u64,
    pub(crate) silent: u64,
}

impl Tally {
    pub(crate) fn of(outcome: Outcome) -> Tally {
        let mut tally = Tally::default();
        *match outcome {
            Outcome::Refused => &mut tally.refused,
            Outcome::Detected => &mut tally.detected,
            Outcome::Mended => &mut tally.mended,
            Outcome::Same => &mut tally.same,
            Outcome::Silent => &mut tally.silent,
        } += 1;
        tally
    }

    /// The sum of both tallies.
    pub(crate) fn with(mut self, other: Tally) -> Tally {
        self += other;
        self
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.refused += other.refused;
        self.detected += other.detected;
        self.mended += other.mended;
        self.same += other.same;
        self.silent += other.silent;
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tally {
            refused,
            detected,
            mended,
            same,
            silent,
        } = self;
        let cases = refused + detected + mended + same + silent;
        write!(
            f,
            "{cases} | {refused} | {detected} | {mended} | {same} | {silent}"
        )
    }
}

/// The contents of an undamaged archive, with which damaged ones are compared.
pub(crate) struct Original<'a> {
    pub(crate) container: Container<Bytes<&'a [u8]>>,
    segments: Vec<Content>,
}

/// The contents of a segment.
struct Content {
    segment: Segment,
    tables: Tables,
    /// The tags and the movetext of each block.
    blocks: Vec<[Vec<u8>; 2]>,
    sections: Vec<Vec<u8>>,
}

/// A part of a file on which no other part depends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    /// Header, slots, footers, directory: read when the archive is opened.
    Frame,
    Tables(usize),
    /// The frame of the tags of a group of blocks.
    Tags(usize, usize),
    Block(usize, usize),
    Section(usize, usize),
    End(usize),
}

impl<'a> Original<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Result<Self> {
        let (container, _) = Container::open(Bytes(bytes), Limits::default())?;
        let numbers = 0..container.segments().len();
        let segments = numbers.map(|number| Content::read(&container, number));
        Ok(Original {
            segments: segments.collect::<Result<_>>()?,
            container,
        })
    }

    /// The outcome of reading all of a damaged archive.
    pub(crate) fn judge<S: ReadAt>(&self, damaged: S) -> Outcome {
        self.judge_parts(damaged, |number, content| {
            let blocks = (0..content.blocks.len()).map(move |block| Part::Block(number, block));
            let sections =
                (0..content.sections.len()).map(move |section| Part::Section(number, section));
            let groups = 0..content.segment.index().tags().len();
            let tags = groups.map(move |group| Part::Tags(number, group));
            let rest = [Part::Tables(number), Part::End(number)].into_iter();
            rest.chain(tags).chain(blocks).chain(sections).collect()
        })
    }

    /// The same if only this part is damaged. All others read as the original bytes,
    /// with the same directory and the same indexes.
    pub(crate) fn judge_part<S: ReadAt>(&self, damaged: S, part: Part) -> Outcome {
        self.judge_parts(damaged, |number, _| match part {
            Part::Tables(at)
            | Part::Tags(at, _)
            | Part::Block(at, _)
            | Part::Section(at, _)
            | Part::End(at)
                if at == number =>
            {
                vec![part]
            }
            _ => Vec::new(),
        })
    }

    fn judge_parts<S: ReadAt>(
        &self,
        damaged: S,
        parts: impl Fn(usize, &Content) -> Vec<Part>,
    ) -> Outcome {
        let Ok((damaged, mut warnings)) = Container::open(damaged, Limits::default()) else {
            return Outcome::Refused;
        };
        let Ok(superseded) = damaged.superseded_damage() else {
            return Outcome::Refused;
        };
        warnings.extend(superseded);
        // With a warning, an earlier state may be opened.
        let generation = damaged.commit_slot().generation;
        let is_earlier = generation < self.container.commit_slot().generation;
        let is_right = self.container.segments().starts_with(damaged.segments())
            && self.container.sources().starts_with(damaged.sources())
            && (is_earlier
                || damaged.segments().len() == self.segments.len()
                    && damaged.sources().len() == self.container.sources().len()
                    && damaged.totals() == self.container.totals());
        if !is_right || (is_earlier && warnings.is_empty()) {
            return Outcome::Silent;
        }
        let mut outcome = match (warnings.is_empty(), is_earlier) {
            (true, _) => Outcome::Same,
            (false, false) => Outcome::Mended,
            (false, true) => Outcome::Detected,
        };
        for (number, content) in self
            .segments
            .iter()
            .enumerate()
            .take(damaged.segments().len())
        {
            let parts = parts(number, content);
            if !parts.is_empty() {
                outcome = outcome.max(content.judge(&damaged, number, &parts));
            }
        }
        match damaged.mended().is_empty() {
            true => outcome,
            false => outcome.max(Outcome::Mended),
        }
    }

    /// The part of a byte.
    pub(crate) fn part_of(&self, at: u64) -> Part {
        let segments = self.segments.iter().enumerate();
        for (number, content) in segments {
            let entry = content.segment.entry();
            let Some(at) = at.checked_sub(entry.offset).filter(|at| *at < entry.bytes) else {
                continue;
            };
            let index = content.segment.index();
            let blocks = index.blocks().iter();
            let sections = index.sections().iter();
            let within = |offset: u64, bytes: u64| (offset..offset + bytes).contains(&at);
            let is_of_block = |block: &BlockEntry| {
                within(block.offset, block.section_bytes())
                    || within(block.tags_offset, block.tags.bytes.into())
            };
            if let Some(block) = blocks.clone().position(is_of_block) {
                return Part::Block(number, block);
            }
            let mut groups = index.tags().iter();
            if let Some(group) = groups.position(|tags| within(tags.offset, tags.bytes)) {
                return Part::Tags(number, group);
            }
            let bytes = |section: &SectionEntry| section.section_bytes().unwrap_or(0);
            if let Some(section) = sections
                .clone()
                .position(|section| within(section.offset, bytes(section)))
            {
                return Part::Section(number, section);
            }
            let first = index.tags().first().map_or(0, |tags| tags.offset);
            return match at < first {
                true => Part::Tables(number),
                false => Part::End(number),
            };
        }
        Part::Frame
    }
}

impl Content {
    fn read<S: ReadAt>(container: &Container<S>, number: usize) -> Result<Content> {
        let segment = container.segment(number)?;
        let tables = container.tables(&segment)?;
        let blocks = 0..segment.index().blocks().len();
        let blocks = blocks.map(|block| {
            let block = container.block(&segment, block)?;
            let packed = block.packed();
            Ok([packed.tags, packed.movetext].map(<[u8]>::to_vec))
        });
        let sections = segment.index().sections().iter();
        let sections =
            sections.map(|entry| Ok(container.section(&segment, entry)?.payload().to_vec()));
        Ok(Content {
            blocks: blocks.collect::<Result<_>>()?,
            sections: sections.collect::<Result<_>>()?,
            tables,
            segment,
        })
    }

    /// Whether the head of the tables is read with other content, alone.
    fn has_other_head<S: ReadAt>(&self, damaged: &Container<S>) -> bool {
        let head = damaged.tables_head(&self.segment);
        head.is_ok_and(|head| {
            let mut both = head.tables.iter().zip(self.tables.iter());
            !both.all(|(read, written)| read == written)
        })
    }

    fn judge<S: ReadAt>(&self, damaged: &Container<S>, number: usize, parts: &[Part]) -> Outcome {
        let Ok(segment) = damaged.segment(number) else {
            return Outcome::Detected;
        };
        if segment != self.segment {
            return Outcome::Silent;
        }
        let mut outcome = Outcome::Same;
        for part in parts {
            let new = match part {
                Part::Frame | Part::End(_) => Outcome::Same,
                Part::Tables(_) if self.has_other_head(damaged) => Outcome::Silent,
                Part::Tables(_) => match damaged.tables(&segment) {
                    Ok(tables) if tables == self.tables => Outcome::Same,
                    Ok(_) => Outcome::Silent,
                    Err(_) => Outcome::Detected,
                },
                Part::Tags(_, group) => match segment.index().tags().get(*group) {
                    Some(tags) => match damaged.tags_warning(&segment, tags) {
                        Ok(None) => Outcome::Same,
                        Ok(Some(_)) => Outcome::Mended,
                        Err(_) => Outcome::Detected,
                    },
                    None => Outcome::Silent,
                },
                Part::Block(_, block) => {
                    let read = damaged.block(&segment, *block);
                    let read = read.as_ref().map(Block::packed);
                    let written = self.blocks.get(*block);
                    let [tags, movetext] = [0, 1].map(|part| written.map(|block| &block[part]));
                    let read_tags = read.map(|packed| packed.tags);
                    let read_movetext = read.map(|packed| packed.movetext);
                    compare(read_tags, tags).max(compare(read_movetext, movetext))
                }
                Part::Section(_, section) => {
                    let entry = segment.index().sections().get(*section);
                    let read = entry.map(|entry| damaged.section(&segment, entry));
                    match read {
                        Some(read) => compare(
                            read.as_ref().map(Section::payload),
                            self.sections.get(*section),
                        ),
                        None => Outcome::Silent,
                    }
                }
            };
            outcome = outcome.max(new);
        }
        outcome
    }
}

fn compare<E>(read: Result<&[u8], E>, written: Option<&Vec<u8>>) -> Outcome {
    match read {
        Err(_) => Outcome::Detected,
        Ok(read) if Some(read) == written.map(Vec::as_slice) => Outcome::Same,
        Ok(_) => Outcome::Silent,
    }
}
