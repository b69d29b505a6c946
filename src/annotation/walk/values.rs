//! Coding the values of comments: predicted numbers, clocks, lists of squares.

use super::super::AnnotationError;
use super::super::families::{FAULTS, LEVELS, MATES, UNKNOWN, Use};
use super::super::history::{HistoryView, MOST, PlayerHistory, ValueHistory};
use super::super::number::{EvalScore, Mates};
use super::super::squares;
use super::super::template::{FieldContent, TemplateField};
use super::AnnotationWalk;
use crate::codec::distributions::SymbolCoder;
use std::borrow::Cow;

impl<'a, C: SymbolCoder> AnnotationWalk<'_, 'a, C> {
    pub(super) fn value(
        &mut self,
        field: &TemplateField,
        slot: usize,
        known: Option<&FieldContent<'a>>,
    ) -> Result<FieldContent<'a>, AnnotationError> {
        let text = match known {
            Some(FieldContent::Text(text)) => Some(text),
            _ => None,
        };
        let score = match known {
            Some(FieldContent::Score(score)) => *score,
            _ => EvalScore::Number(0),
        };
        Ok(match field {
            TemplateField::Number(format) => {
                let has_mates = format.mates != Mates::None;
                FieldContent::Score(self.score(slot, has_mates, score)?)
            }
            TemplateField::Clock(_) => FieldContent::Score(self.score(slot, false, score)?),
            TemplateField::Squares => FieldContent::Text(self.squares(1, text)?),
            TemplateField::Arrows => FieldContent::Text(self.squares(2, text)?),
            // Moves are decoded later, when the positions are known.
            TemplateField::Moves => FieldContent::Text(text.cloned().unwrap_or_default()),
        })
    }

    fn score(
        &mut self,
        slot: usize,
        has_mates: bool,
        score: EvalScore,
    ) -> Result<EvalScore, AnnotationError> {
        let (form, scheme) = self.notation.slot(slot);
        let history = self
            .histories
            .get(slot)
            .copied()
            .unwrap_or(ValueHistory::NONE);
        let side = self.line.side();
        let is_mate = matches!(score, EvalScore::Mate(_));
        let is_mate = has_mates && {
            let level = u32::try_from(history.last_size() / 32)
                .unwrap_or(0)
                .min(LEVELS - 1);
            let outer = self.line.fault + FAULTS * u32::from(history.mate.is_some());
            let place = Use::IsMate(slot).at(outer, level);
            self.coder.symbol(place, is_mate.into())? != 0
        };
        let (score, difference) = if is_mate {
            (
                EvalScore::Mate(self.mate(slot, &history, side, score)?),
                None,
            )
        } else {
            let value = match score {
                EvalScore::Number(value) | EvalScore::Mate(value) => value,
            };
            let view = HistoryView {
                histories: &self.histories,
                slot,
                form,
                side,
                time: self.time,
            };
            let prediction = view.predict(scheme);
            let outer = if prediction.is_known {
                self.line.fault
            } else {
                UNKNOWN
            };
            let size = view.expected_size(scheme, &prediction);
            let place = Use::Difference(slot).at(outer, size);
            let difference = self.coder.signed(place, prediction.difference(value))?;
            let value = prediction.value(difference);
            (
                EvalScore::Number(value),
                prediction.is_known.then_some(difference),
            )
        };
        if let Some(history) = self.histories.get_mut(slot) {
            history.note(side, form, score, difference);
        }
        Ok(score)
    }

    fn mate(
        &mut self,
        slot: usize,
        history: &ValueHistory,
        side: PlayerHistory,
        score: EvalScore,
    ) -> Result<i64, AnnotationError> {
        let mate = match score {
            EvalScore::Mate(mate) => mate,
            EvalScore::Number(_) => 0,
        };
        let last = history.mate.unwrap_or(0);
        let moves = u32::try_from(last.unsigned_abs())
            .unwrap_or(MATES)
            .min(MATES - 1);
        let wins = last.saturating_mul(side.sign()) > 0;
        let place = Use::Mate(slot).at(wins.into(), moves);
        let difference = mate.saturating_sub(last).saturating_mul(side.sign());
        let difference = self.coder.signed(place, difference)?;
        let mate = last.saturating_add(difference.saturating_mul(side.sign()));
        Ok(mate.clamp(-MOST, MOST))
    }

    /// Codes a list of items with `count` squares each.
    fn squares(
        &mut self,
        count: usize,
        known: Option<&Cow<'a, [u8]>>,
    ) -> Result<Cow<'a, [u8]>, AnnotationError> {
        let mut known = known
            .into_iter()
            .flat_map(|list| list.split(|byte| *byte == b','));
        let mut text = Vec::new();
        let mut next = known.next();
        loop {
            let (colour, of) = next
                .and_then(|item| squares::read(item, count))
                .unwrap_or_default();
            let colour = self.coder.symbol(Use::Colour.at(0, 0), colour)?;
            let from = self.coder.symbol(Use::Square.at(0, 0), of[0])?;
            if count == 1 {
                squares::write(colour, &[from], &mut text);
            } else {
                let to = self.coder.symbol(Use::Target.at(from.into(), 0), of[1])?;
                squares::write(colour, &[from, to], &mut text);
            }
            next = known.next();
            let more = self
                .coder
                .symbol(Use::More.at(0, 0), next.is_some().into())?;
            if more == 0 {
                return Ok(text.into());
            }
            self.take_budget(1)?;
            text.push(b',');
        }
    }
}
