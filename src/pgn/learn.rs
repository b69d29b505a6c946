//! Learns the layouts of a collection.
//!
//! Each record rules out some wrapping rules, and some widths of the others. Records are grouped as
//! long as one layout reproduces all of them: a group is the version space (Mitchell 1982) of the
//! layouts that fit all its records.

use super::compare::{SeenBreak, comment_breaks, line_ending, match_gap};
use super::layout::{GapTemplate, Layout, LineEnding, Wrap, WrapMode};
use super::parse::start_of;
use super::render::{column_after, line_len};
use super::scan::{Lexeme, LexemeKind};
use super::steps::{GapContext, LayoutStep, Lexed, steps};
use crate::chess::ChessPosition;

/// The maximum number of layouts of a segment.
pub const MAX_LAYOUTS: usize = 255;
/// The minimum number of records for which a layout other than the commonest is stored: a layout
/// costs about as much as the patches that three records need without it.
const MIN_USES: u32 = 4;
/// A group of this many records retains only its simplest candidate.
const SETTLE_AFTER_USES: u32 = 64;
/// Checking a record against a candidate takes one step per lexeme and one per this many bytes.
const BYTES_PER_STEP: usize = 16;
/// The average number of checks per record is at most this.
const CHECKS_PER_RECORD: u64 = 96;
/// The maximum number of steps for which a record adds to the budget. A record of a megabyte is so
/// checked against the simplest rules only.
const STEPS_PER_RECORD: u64 = 1 << 15;
/// The maximum number of unused steps that are saved for later records.
const MAX_BUDGET: u64 = 1 << 24;

/// Learns the layouts of records, which are given in the order of the file.
#[derive(Debug, Default)]
pub struct LayoutLearner {
    groups: Vec<LayoutGroup>,
    /// The group of the last record, tried first.
    latest: usize,
    /// The number of steps that may still be spent.
    budget: u64,
    places: Vec<SeenBreak>,
}

/// The result of learning.
#[derive(Debug, Default)]
pub struct Learned {
    /// The layouts worth storing, the commonest first; at least one.
    pub layouts: Vec<Layout>,
    /// The number of the layout of each group, if it is stored.
    layout_numbers: Vec<Option<u8>>,
}

impl Learned {
    /// The number of the layout of a record in this group.
    pub fn layout_of(&self, group: Option<u16>) -> Option<u8> {
        self.layout_numbers
            .get(usize::from(group?))
            .copied()
            .flatten()
    }
}

#[derive(Debug)]
struct LayoutGroup {
    /// The layouts that fit all records, the simplest rule first.
    candidates: Vec<LayoutCandidate>,
    uses: u32,
    /// Whether there are line endings in comments.
    breaks_comments: bool,
}

impl LayoutGroup {
    /// The simplest candidate. If there are line endings in comments, the simplest that wraps
    /// inside comments, if any: the text of comments is then stored without line endings.
    fn best(&self) -> Option<&LayoutCandidate> {
        let enters = |candidate: &&LayoutCandidate| candidate.layout.wrap.wraps_comments();
        let entering = self.candidates.iter().find(enters);
        let entering = entering.filter(|_| self.breaks_comments);
        entering.or_else(|| self.candidates.first())
    }

    fn retain_best(&mut self) {
        if self.candidates.len() > 1
            && let Some(best) = self.best().cloned()
        {
            self.candidates = vec![best];
        }
    }
}

#[derive(Debug, Clone)]
struct LayoutCandidate {
    layout: Layout,
    /// The range of widths that fit, inclusive.
    min_width: u32,
    max_width: u32,
}

/// What a matching record adds to a candidate.
struct LayoutFit {
    least: u32,
    most: u32,
    gaps: Vec<(GapContext, GapTemplate)>,
}

impl LayoutLearner {
    /// Assigns a record to a group; `None` if no group admits it and none can be created.
    pub fn assign(&mut self, record: &[u8], lexemes: &[Lexeme]) -> Option<u16> {
        let start = start_of(record, lexemes).map_or_else(ChessPosition::standard, |start| start.1);
        self.assign_text(Lexed {
            record,
            lexemes,
            start: &start,
        })
    }

    fn assign_text(&mut self, text: Lexed<'_>) -> Option<u16> {
        let granted = CHECKS_PER_RECORD * steps_of(text).min(STEPS_PER_RECORD);
        self.budget = self.budget.min(MAX_BUDGET).saturating_add(granted);
        let latest = self.latest;
        let others = (0..self.groups.len()).filter(|group| *group != latest);
        for index in std::iter::once(latest).chain(others) {
            if self.try_add(index, text) {
                self.latest = index;
                return u16::try_from(index).ok();
            }
        }
        self.create_group(text)
    }

    fn spend(&mut self, checks: usize, text: Lexed<'_>) -> bool {
        let work = steps_of(text).saturating_mul(checks as u64);
        match self.budget.checked_sub(work) {
            Some(rest) => {
                self.budget = rest;
                true
            }
            None => false,
        }
    }

    fn try_add(&mut self, index: usize, text: Lexed<'_>) -> bool {
        let candidates = self
            .groups
            .get(index)
            .map_or(0, |group| group.candidates.len());
        if candidates == 0 || !self.spend(candidates, text) {
            return false;
        }
        let Some(group) = self.groups.get_mut(index) else {
            return false;
        };
        let places = &mut self.places;
        let fits: Vec<_> = group
            .candidates
            .iter()
            .map(|candidate| candidate.check(text, places))
            .collect();
        if fits.iter().all(Option::is_none) {
            return false;
        }
        let mut fits = fits.into_iter();
        group.candidates.retain_mut(|candidate| {
            fits.next()
                .flatten()
                .map(|fit| candidate.narrow(fit))
                .is_some()
        });
        group.uses += 1;
        group.breaks_comments |= breaks_comments(text);
        if group.uses >= SETTLE_AFTER_USES {
            group.retain_best();
        }
        true
    }

    /// Creates a group from a record.
    fn create_group(&mut self, text: Lexed<'_>) -> Option<u16> {
        let index = u16::try_from(self.groups.len()).ok()?;
        if usize::from(index) >= MAX_LAYOUTS {
            return None;
        }
        let ending = line_ending(text.record);
        let mut candidates = Vec::new();
        for (number, wrap) in rules().into_iter().enumerate() {
            // The simplest rule is always tried.
            if !self.spend(1, text) && number > 0 {
                break;
            }
            let mut candidate = LayoutCandidate::new(ending, wrap);
            if let Some(fit) = candidate.check(text, &mut self.places) {
                candidate.narrow(fit);
                candidates.push(candidate);
            }
        }
        if candidates.is_empty() {
            return None;
        }
        self.groups.push(LayoutGroup {
            candidates,
            uses: 1,
            breaks_comments: breaks_comments(text),
        });
        self.latest = usize::from(index);
        Some(index)
    }

    /// Chooses the layouts worth storing.
    pub fn finish(self) -> Learned {
        let mut order: Vec<usize> = (0..self.groups.len()).collect();
        order.sort_by_key(|index| {
            std::cmp::Reverse(self.groups.get(*index).map(|group| group.uses))
        });
        let mut learned = Learned {
            layouts: Vec::new(),
            layout_numbers: vec![None; self.groups.len()],
        };
        for index in order {
            let Some(group) = self.groups.get(index) else {
                continue;
            };
            let is_first = learned.layouts.is_empty();
            if !is_first && group.uses < MIN_USES {
                continue;
            }
            if let (Some(candidate), Some(layout_number)) =
                (group.best(), learned.layout_numbers.get_mut(index))
            {
                *layout_number = u8::try_from(learned.layouts.len()).ok();
                learned.layouts.push(candidate.layout());
            }
        }
        if learned.layouts.is_empty() {
            learned
                .layouts
                .push(Layout::new(LineEnding::Lf, Wrap::NONE));
        }
        learned
    }
}

/// Whether there are line endings in comments.
fn breaks_comments(text: Lexed<'_>) -> bool {
    let mut comments = text.lexemes.iter();
    comments.any(|lexeme| {
        lexeme.kind == LexemeKind::Comment && lexeme.text(text.record).contains(&b'\n')
    })
}

/// The number of steps of a check of the record.
fn steps_of(text: Lexed<'_>) -> u64 {
    (1 + text.lexemes.len() + text.record.len() / BYTES_PER_STEP) as u64
}

/// All wrapping rules, the simplest first. Their widths are not set yet.
fn rules() -> Vec<Wrap> {
    let mut rules = vec![Wrap::NONE];
    for keep in [0, Wrap::KEEP_BLANK] {
        for comments in [0, Wrap::IN_COMMENTS] {
            for mode in [WrapMode::Fit, WrapMode::Reach] {
                let numbers = [Wrap::AFTER_NUMBERS, 0].into_iter();
                let flowing = numbers.flat_map(|n| [Wrap::BEFORE_RESULT, 0].map(|r| n | r));
                for places in flowing.chain([Wrap::ONLY_WHITE]) {
                    rules.push(Wrap {
                        mode,
                        flags: places | comments | keep,
                        width: 0,
                    });
                }
            }
        }
    }
    rules
}

impl LayoutCandidate {
    fn new(ending: LineEnding, wrap: Wrap) -> Self {
        LayoutCandidate {
            layout: Layout::new(ending, wrap),
            min_width: 0,
            max_width: u32::MAX,
        }
    }

    fn narrow(&mut self, fit: LayoutFit) {
        self.min_width = fit.least;
        self.max_width = fit.most;
        for (context, template) in fit.gaps {
            self.layout.set_gap(context, template);
        }
    }

    fn layout(&self) -> Layout {
        let mut layout = self.layout.clone();
        layout.wrap.width = self.min_width;
        layout
    }

    /// The layouts of the candidate that reproduce the record's text, if there are any.
    ///
    /// Gaps that no template describes are left to the patch.
    fn check(&self, text: Lexed<'_>, places: &mut Vec<SeenBreak>) -> Option<LayoutFit> {
        if line_ending(text.record) != self.layout.ending {
            return None;
        }
        places.clear();
        let mut gaps: Vec<(GapContext, GapTemplate)> = Vec::new();
        for step in steps(text, true) {
            if self.layout.wrap.ends_chunk(step.context) {
                places.push(SeenBreak {
                    range: step.start..step.start,
                    is_broken: false,
                    only_ends_chunk: true,
                });
            }
            self.check_gap(&step, &mut gaps, places)?;
            if let Some(lexeme) = step.lexeme
                && lexeme.kind == LexemeKind::Comment
                && self.layout.wrap.wraps_comments()
            {
                let inner = comment_breaks(lexeme.text(text.record), &self.layout);
                places.extend(inner.map(|place| SeenBreak {
                    range: lexeme.start + place.range.start..lexeme.start + place.range.end,
                    ..place
                }));
            }
        }
        let (least, most) = self.check_width(text.record, places)?;
        Some(LayoutFit { least, most, gaps })
    }

    fn check_gap(
        &self,
        step: &LayoutStep<'_>,
        gaps: &mut Vec<(GapContext, GapTemplate)>,
        places: &mut Vec<SeenBreak>,
    ) -> Option<()> {
        let known = self.layout.gap(step.context).or_else(|| {
            let found = gaps.iter().find(|(context, _)| *context == step.context)?;
            Some(&found.1)
        });
        let before = places.len();
        if let Some(template) = known {
            if match_gap(template, &self.layout, step, |place| places.push(place)) {
                return Some(());
            }
            places.truncate(before);
        }
        let template = self.layout.template_of(step.gap, step.number, step.context);
        match (known, template) {
            (_, None) => {}
            (Some(_), Some(_)) => return None,
            (None, Some(template)) => {
                match_gap(&template, &self.layout, step, |place| places.push(place));
                gaps.push((step.context, template));
            }
        }
        Some(())
    }

    /// The range of widths at which lines are broken exactly as in the record.
    fn check_width(&self, record: &[u8], places: &[SeenBreak]) -> Option<(u32, u32)> {
        let (mut least, mut most) = (self.min_width, self.max_width);
        let (mut column, mut start) = (0, 0);
        for (index, place) in places.iter().enumerate() {
            column = column_after(column, record.get(start..place.range.start)?);
            start = place.range.end;
            if place.only_ends_chunk {
                continue;
            }
            let next = places
                .get(index + 1)
                .map_or(record.len(), |next| next.range.start);
            let chunk = line_len(record.get(place.range.end..next)?);
            // The line is broken at this width and below.
            let limit = match self.layout.wrap.mode {
                WrapMode::None => return Some((least, most)),
                WrapMode::Fit => column + chunk,
                WrapMode::Reach => column,
            };
            let limit = u32::try_from(limit).ok()?;
            if place.is_broken {
                most = most.min(limit);
            } else {
                least = least.max(limit.checked_add(1)?);
            }
            if least > most {
                return None;
            }
            column = if place.is_broken { 0 } else { column + 1 };
        }
        Some((least, most))
    }
}
