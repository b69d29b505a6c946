//! The coding of the marks of a movetext, shared by counting, writing,
//! measuring and reading.

mod values;

use super::families::{EARLIER, PLACES, TWO_BACK, Use};
use super::history::ValueHistory;
use super::item::{Item, Items, Note};
use super::line::ValueLine;
use super::notation::Notation;
use super::pattern::Sign;
use super::prose::ProseFields;
use super::time::TimeControl;
use super::{AnnotationError, Bounds};
use crate::codec::distributions::SymbolCoder;
use crate::pgn::Mark;

/// Ends the text of a comment in the prose. No comment contains it.
pub(super) const COMMENT_END: u8 = b'}';
/// Ends the text of a line comment in the prose.
pub(super) const LINE_END: u8 = b'\n';

/// Codes a movetext group by group.
pub(super) struct AnnotationWalk<'n, 'a, C> {
    notation: &'n Notation,
    coder: C,
    prose: ProseFields<'a>,
    time: TimeControl,
    budget: usize,
    /// The pattern symbols of the previous two groups, the latest first.
    earlier: [u8; 2],
    line: ValueLine,
    histories: Vec<ValueHistory>,
    items: Items<'a>,
    /// The number of plies before the group.
    at: usize,
}

/// The next item, if it is being written or counted.
type KnownValues<'k, 'a> = Option<&'k Item<'a>>;

impl<'n, 'a, C: SymbolCoder> AnnotationWalk<'n, 'a, C> {
    pub(super) fn new(
        notation: &'n Notation,
        coder: C,
        prose: ProseFields<'a>,
        time: TimeControl,
        bounds: Bounds,
    ) -> Self {
        AnnotationWalk {
            notation,
            coder,
            prose,
            time,
            budget: bounds.marks,
            earlier: [0; 2],
            line: ValueLine::default(),
            histories: vec![ValueHistory::NONE; notation.slots.slots.len()],
            items: Items::new(),
            at: 0,
        }
    }

    /// Codes the groups of a movetext of `plies` plies.
    pub(super) fn run(
        mut self,
        plies: usize,
        known: Option<&[(usize, Item<'a>)]>,
    ) -> Result<(Items<'a>, ProseFields<'a>), AnnotationError> {
        let any = known.is_some_and(|known| !known.is_empty());
        let any = self.coder.symbol(Use::Any.at(0, 0), any.into())?;
        let mut known = known;
        for at in (0..=plies).filter(|_| any != 0) {
            self.at = at;
            let group = known.map(|items| {
                let end = items.iter().take_while(|(ply, _)| *ply == at).count();
                let (group, rest) = items.split_at_checked(end).unwrap_or((items, &[]));
                known = Some(rest);
                group
            });
            self.group(group, at == plies)?;
            self.line.step(1);
        }
        Ok((self.items, self.prose))
    }

    fn group(
        &mut self,
        known: Option<&[(usize, Item<'a>)]>,
        is_last: bool,
    ) -> Result<(), AnnotationError> {
        let notation = self.notation;
        let patterns = &notation.patterns;
        let symbol = known.map_or(0, |items| notation.pattern_of(items));
        let place = match () {
            () if self.at == 0 => 0,
            () if is_last => 1,
            () if self.line.is_variation() => 2,
            () => 3,
        };
        debug_assert!(place < PLACES);
        let [before, two_back] = self.earlier.map(u32::from);
        let outer = before.min(EARLIER - 1);
        let inner = two_back.min(TWO_BACK - 1) * PLACES + place;
        let symbol = self.coder.symbol(Use::Pattern.at(outer, inner), symbol)?;
        self.earlier = [symbol, self.earlier[0]];
        if symbol == 0 {
            return self.unmatched_group(known);
        }
        let pattern = patterns.get(symbol).ok_or(AnnotationError::Pattern)?;
        for (index, sign) in pattern.iter().enumerate() {
            let known = known.and_then(|items| items.get(index));
            self.item(*sign, known.map(|(_, item)| item))?;
        }
        Ok(())
    }

    /// Codes the marks of a group without a pattern one by one.
    fn unmatched_group(
        &mut self,
        known: Option<&[(usize, Item<'a>)]>,
    ) -> Result<(), AnnotationError> {
        let mut before = END_KIND;
        for index in 0.. {
            let item = known
                .and_then(|items| items.get(index))
                .map(|(_, item)| item);
            let kind = item.map_or(END_KIND, |item| kind_of(item.mark()));
            let kind = self.coder.symbol(Use::Kind.at(before.into(), 0), kind)?;
            if kind == END_KIND {
                break;
            }
            before = kind;
            let mark = match mark_of(kind).ok_or(AnnotationError::Pattern)? {
                Mark::Nag(_) => {
                    let nag = match item {
                        Some(Item::Mark(Mark::Nag(nag))) => *nag,
                        _ => 0,
                    };
                    Mark::Nag(self.coder.symbol(Use::Nag.at(0, 0), nag)?)
                }
                mark => mark,
            };
            self.item(Sign::Mark(mark), item)?;
        }
        Ok(())
    }

    fn push(&mut self, item: Item<'a>) -> Result<(), AnnotationError> {
        self.take_budget(1)?;
        self.items.push((self.at, item));
        Ok(())
    }

    fn take_budget(&mut self, marks: usize) -> Result<(), AnnotationError> {
        self.budget = self
            .budget
            .checked_sub(marks)
            .ok_or(AnnotationError::Limit)?;
        Ok(())
    }

    fn item(&mut self, sign: Sign, known: KnownValues<'_, 'a>) -> Result<(), AnnotationError> {
        let mark = match sign {
            Sign::Note(template) => return self.note(template, known),
            Sign::Mark(mark) => mark,
        };
        let item = match mark {
            Mark::Comment => return self.comment(known),
            Mark::LineComment => {
                let text = match known {
                    Some(Item::LineComment(text)) => Some(text),
                    _ => None,
                };
                Item::LineComment(self.prose.text(text, LINE_END)?)
            }
            Mark::Verbatim => {
                let text = match known {
                    Some(Item::Verbatim(text)) => Some(text),
                    _ => None,
                };
                let len = text.map_or(0, |text| text.len() as u64);
                let len = self.coder.number(Use::Length.at(0, 0), len)?;
                Item::Verbatim(self.prose.bytes(text, len)?)
            }
            mark => {
                self.line.see(mark);
                Item::Mark(mark)
            }
        };
        self.push(item)
    }

    /// Codes a comment whose template is not named by a pattern.
    fn comment(&mut self, known: KnownValues<'_, 'a>) -> Result<(), AnnotationError> {
        let number = match known {
            Some(Item::Note(note)) => note.template.saturating_add(1),
            _ => 0,
        };
        let [page, low] = number.to_be_bytes();
        let page = self.coder.symbol(Use::TemplatePage.at(0, 0), page)?;
        let low = self.coder.symbol(Use::Template.at(page.into(), 0), low)?;
        let number = u16::from_be_bytes([page, low]);
        if let Some(template) = number.checked_sub(1) {
            return self.note(template, known);
        }
        let text = match known {
            Some(Item::Comment(text)) => Some(text),
            _ => None,
        };
        let text = self.prose.text(text, COMMENT_END)?;
        self.push(Item::Comment(text))
    }

    fn note(&mut self, number: u16, known: KnownValues<'_, 'a>) -> Result<(), AnnotationError> {
        let known = match known {
            Some(Item::Note(note)) => Some(note),
            _ => None,
        };
        let template = self.notation.templates.get(number);
        let template = template.ok_or(AnnotationError::Template)?;
        self.take_budget(template.fields.len())?;
        let mut values = Vec::with_capacity(template.fields.len());
        for (index, field) in template.fields().enumerate() {
            let known = known.and_then(|note| note.values.get(index));
            let slot = self.notation.slots.of_field(number, index);
            values.push(self.value(field, slot, known)?);
        }
        self.push(Item::Note(Note {
            template: number,
            values,
        }))
    }
}

/// Ends a group without a pattern; also the context of its first mark.
const END_KIND: u8 = 17;

/// The marks of groups without a pattern, by symbol. Glyphs and results follow
/// them.
const PLAIN: [Mark; 7] = [
    Mark::Comment,
    Mark::LineComment,
    Mark::Nag(0),
    Mark::Null,
    Mark::Open,
    Mark::Close,
    Mark::Verbatim,
];
const FIRST_GLYPH: u8 = 7;
const FIRST_RESULT: u8 = 13;

fn kind_of(mark: Mark) -> u8 {
    match mark {
        Mark::Glyph(nag) => FIRST_GLYPH + nag - 1,
        Mark::Result(number) => FIRST_RESULT + number,
        Mark::Comment => 0,
        Mark::LineComment => 1,
        Mark::Nag(_) => 2,
        Mark::Null => 3,
        Mark::Open => 4,
        Mark::Close => 5,
        Mark::Verbatim => 6,
    }
}

fn mark_of(kind: u8) -> Option<Mark> {
    Some(match kind {
        FIRST_GLYPH..FIRST_RESULT => Mark::Glyph(kind - FIRST_GLYPH + 1),
        FIRST_RESULT..END_KIND => Mark::Result(kind - FIRST_RESULT),
        kind => *PLAIN.get(usize::from(kind))?,
    })
}
