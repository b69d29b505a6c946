//! Short descriptions of plans, for people.

use super::plan::{Base, Plan, Predictor, Side};
use super::shape::Shape;

/// Returns the name of a column, given its field and side.
pub(super) type Name<'n> = dyn Fn(usize, Side) -> String + 'n;

impl Plan {
    /// Describes what predicts the values and how the others are coded, such as
    /// `map of [White], previous; dates from [Date]`.
    pub fn describe(&self, name: &Name<'_>) -> String {
        let book = self.follows.then(|| "book of openings".to_owned());
        let foreseen = self.predictors.iter().map(|p| predictor(p, name));
        let recent = self.is_recent.then(|| "recent".to_owned());
        let foreseen: Vec<String> = book.into_iter().chain(foreseen).chain(recent).collect();
        let parts = [foreseen.join(", "), self.values(name)];
        let parts = parts.into_iter().filter(|part| !part.is_empty());
        parts.collect::<Vec<String>>().join("; ")
    }

    /// Describes the values that are coded explicitly.
    fn values(&self, name: &Name<'_>) -> String {
        let noun = match self.shape {
            Shape::Text => return "dictionary".to_owned(),
            Shape::Decimal(_) => "numbers",
            Shape::Signed { .. } => "signed numbers",
            Shape::Date(_) => "dates",
            Shape::Time => "times",
            Shape::Code(_) => "codes",
            Shape::Round => "rounds",
        };
        let from = self.bases.iter().find_map(|base| match base {
            Base::Value(_) => None,
            Base::Opposite => Some("minus partner".to_owned()),
            Base::By(of) => Some(source(of, name)),
        });
        match from {
            Some(from) => format!("{noun} from {from}"),
            None => noun.to_owned(),
        }
    }
}

fn predictor(of: &Predictor, name: &Name<'_>) -> String {
    match of {
        Predictor::Of(_) => format!("equal to {}", source(of, name)),
        _ => source(of, name),
    }
}

fn source(of: &Predictor, name: &Name<'_>) -> String {
    match of {
        Predictor::Previous => "previous".to_owned(),
        Predictor::Partner => "partner".to_owned(),
        Predictor::Of(source) => name(source.field, source.side),
        Predictor::Last(field) => format!("last by {}", name(*field, Side::Same)),
        Predictor::Map(source) => format!("map of {}", name(source.field, source.side)),
        Predictor::Value(_) => "constant".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tags::Source;

    #[test]
    fn plans_have_words() {
        let name = |field: usize, side: Side| format!("{field}{}", u8::from(side == Side::Second));
        let described = |plan: &Plan| plan.describe(&name);
        let mut plan = Plan::of(Shape::Text);
        assert_eq!(described(&plan), "dictionary");
        let side = Side::Second;
        plan.predictors = vec![
            Predictor::Of(Source { field: 3, side }),
            Predictor::Last(4),
            Predictor::Previous,
        ];
        plan.is_recent = true;
        let words = "equal to 31, last by 40, previous, recent; dictionary";
        assert_eq!(described(&plan), words);
        plan.shape = Shape::Date(b'.');
        plan.predictors = vec![Predictor::Value(2)];
        plan.is_recent = false;
        plan.bases = vec![Base::Value(0), Base::By(Predictor::Partner)];
        assert_eq!(described(&plan), "constant; dates from partner");
        plan.follows = true;
        plan.shape = Shape::Decimal(Vec::new());
        plan.bases.clear();
        assert_eq!(described(&plan), "book of openings, constant; numbers");
    }
}
