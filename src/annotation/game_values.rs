//! The values in the comments of a game, from which the schemes of slots are chosen.

use super::history::{HistoryView, PlayerHistory, ValueHistory};
use super::item::{Item, Items};
use super::line::ValueLine;
use super::notation::Notation;
use super::number::EvalScore;
use super::template::FieldContent;
use super::time::TimeControl;

/// The values of a movetext in their order. They depend on the templates, but on no
/// scheme, and take less space than the marks.
#[derive(Debug, Clone)]
pub struct GameValues {
    time: TimeControl,
    values: Box<[SlotValue]>,
}

/// A value of a slot, with the state of its line.
#[derive(Debug, Clone, Copy)]
struct SlotValue {
    score: EvalScore,
    slot: u8,
    /// The glyph of a bad move in the group, as in [`ValueLine`].
    fault: u8,
    side: PlayerHistory,
}

impl GameValues {
    pub(super) fn new(notation: &Notation, items: &Items<'_>, time: TimeControl) -> Self {
        let mut values = Vec::new();
        let mut line = ValueLine::default();
        let mut at = 0;
        for (ply, item) in items {
            if *ply > at {
                line.step(ply - at);
                at = *ply;
            }
            line.see(item.mark());
            let Item::Note(note) = item else { continue };
            for (index, value) in note.values.iter().enumerate() {
                let FieldContent::Score(score) = value else {
                    continue;
                };
                let slot = notation.slots.of_field(note.template, index);
                values.push(SlotValue {
                    score: *score,
                    slot: u8::try_from(slot).unwrap_or(u8::MAX),
                    fault: u8::try_from(line.fault).unwrap_or(0),
                    side: line.side(),
                });
            }
        }
        GameValues {
            time,
            values: values.into(),
        }
    }

    /// Calls `see` with each number, the state before it and the glyph of its group.
    pub(super) fn follow(
        &self,
        notation: &Notation,
        mut see: impl FnMut(&HistoryView<'_>, u32, i64),
    ) {
        let mut histories = vec![ValueHistory::NONE; notation.slots.slots.len()];
        for value in &self.values {
            let slot = usize::from(value.slot);
            let (form, scheme) = notation.slot(slot);
            let view = HistoryView {
                histories: &histories,
                slot,
                form,
                side: value.side,
                time: self.time,
            };
            let mut difference = None;
            if let EvalScore::Number(number) = value.score {
                see(&view, value.fault.into(), number);
                let prediction = view.predict(scheme);
                difference = prediction.is_known.then(|| prediction.difference(number));
            }
            if let Some(history) = histories.get_mut(slot) {
                history.note(value.side, form, value.score, difference);
            }
        }
    }
}
