//! Short descriptions of plans, for people.

use super::plan::{FieldPlan, FieldSide, NumberBase, ValuePredictor};
use super::shape::TextShape;

/// Returns the name of a column, given its field and side.
pub(super) type Name<'n> = dyn Fn(usize, FieldSide) -> String + 'n;

impl FieldPlan {
    /// Describes what predicts the values and how the others are coded, such as
    /// `map of [White], previous; dates from [Date]`.
    pub fn describe(&self, name: &Name<'_>) -> String {
        let book = self.has_book.then(|| "book of openings".to_owned());
        let predictors = self.predictors.iter().map(|of| predictor(of, name));
        let recent = self.is_recent.then(|| "recent".to_owned());
        let predicted: Vec<String> = book.into_iter().chain(predictors).chain(recent).collect();
        let parts = [predicted.join(", "), self.values(name)];
        let parts = parts.into_iter().filter(|part| !part.is_empty());
        parts.collect::<Vec<String>>().join("; ")
    }

    /// Describes the values that are coded explicitly.
    fn values(&self, name: &Name<'_>) -> String {
        let noun = match self.shape {
            TextShape::Text => return "dictionary".to_owned(),
            TextShape::Decimal(_) => "numbers",
            TextShape::Date(_) => "dates",
            TextShape::Time => "times",
            TextShape::Code(_) => "codes",
            TextShape::Round => "rounds",
        };
        let from = self.base.map(|base| match base {
            NumberBase::Previous => "previous".to_owned(),
            NumberBase::Of(source) => name(source.field, source.side),
            NumberBase::Last(key) => format!("last by {}", name(key, FieldSide::Own)),
        });
        match from {
            Some(from) => format!("{noun} from {from}"),
            None => noun.to_owned(),
        }
    }
}

fn predictor(of: &ValuePredictor, name: &Name<'_>) -> String {
    match of {
        ValuePredictor::Previous => "previous".to_owned(),
        ValuePredictor::Last(field) => format!("last by {}", name(*field, FieldSide::Own)),
        ValuePredictor::Map(source) => format!("map of {}", name(source.field, source.side)),
        ValuePredictor::Constant(_) => "constant".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::ColumnSource;

    #[test]
    fn plans_have_words() {
        let name = |field: usize, side: FieldSide| {
            format!("{field}{}", u8::from(side == FieldSide::Second))
        };
        let described = |plan: &FieldPlan| plan.describe(&name);
        let mut plan = FieldPlan::with_shape(TextShape::Text);
        assert_eq!(described(&plan), "dictionary");
        let side = FieldSide::Second;
        plan.predictors = vec![
            ValuePredictor::Map(ColumnSource { field: 3, side }),
            ValuePredictor::Last(4),
            ValuePredictor::Previous,
        ];
        plan.is_recent = true;
        let words = "map of 31, last by 40, previous, recent; dictionary";
        assert_eq!(described(&plan), words);
        plan.shape = TextShape::Date(b'.');
        plan.predictors = vec![ValuePredictor::Constant(2)];
        plan.is_recent = false;
        plan.base = Some(NumberBase::Of(ColumnSource { field: 3, side }));
        assert_eq!(described(&plan), "constant; dates from 31");
        plan.has_book = true;
        plan.shape = TextShape::Decimal(Vec::new());
        plan.base = None;
        assert_eq!(described(&plan), "book of openings, constant; numbers");
    }
}
