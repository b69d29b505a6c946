//! Filters: conditions on the tags and contents of a game.

use super::field::Field;
use crate::chess::Rules;
use regex::Regex;

/// A condition on a game, parsed from a text such as `White ~ carlsen and plies < 60`
/// (`pgna help find` lists all forms).
#[derive(Debug, Clone, PartialEq)]
pub struct Filter(pub(super) Condition);

/// The form of a filter.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Condition {
    /// All parts hold.
    And(Vec<Condition>),
    /// At least one part holds.
    Or(Vec<Condition>),
    /// The part does not hold.
    Not(Box<Condition>),
    /// A single test.
    Test(Test),
}

/// A single test.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Test {
    /// Compares a value. A game without the value fails.
    Compare(Field, Comparison),
    /// The game has these rules.
    Variant(Rules),
    /// The movetext contains this feature.
    Has(Feature),
}

/// A comparison with a value.
#[derive(Debug, Clone)]
pub(super) enum Comparison {
    /// The value exists.
    Present,
    /// The value is equal.
    Equal(Literal),
    /// The value contains this text, which is folded, without regard to case and accents.
    Holds(String),
    /// The value matches this regular expression.
    Matches(Regex),
    /// The value is less.
    Less(Literal),
    /// The value is less or equal.
    AtMost(Literal),
    /// The value is greater.
    Greater(Literal),
    /// The value is greater or equal.
    AtLeast(Literal),
    /// The value is at least the first and at most the second.
    Within(Literal, Literal),
}

impl Filter {
    /// The condition that the value of a tag is exactly this text.
    pub fn tag_equals(name: &str, value: &str) -> Filter {
        let literal = Literal {
            text: value.to_owned(),
            is_quoted: true,
        };
        let comparison = Comparison::Equal(literal);
        Filter(Condition::Test(Test::Compare(Field::tag(name), comparison)))
    }

    /// The condition that all filters hold.
    pub fn all(filters: impl IntoIterator<Item = Filter>) -> Filter {
        let parts = filters.into_iter().map(|filter| filter.0);
        Filter(Condition::And(parts.collect()))
    }

    /// The condition that at least one filter holds.
    pub fn any(filters: impl IntoIterator<Item = Filter>) -> Filter {
        let parts = filters.into_iter().map(|filter| filter.0);
        Filter(Condition::Or(parts.collect()))
    }

    /// The condition that the filter does not hold.
    #[must_use]
    pub fn negated(self) -> Filter {
        Filter(Condition::Not(Box::new(self.0)))
    }

    /// Whether it says which variants the games are of.
    pub(crate) fn asks_for_variant(&self) -> bool {
        self.0.asks_for_variant()
    }

    /// The fields that are compared.
    pub fn fields(&self) -> Vec<&Field> {
        self.0.fields()
    }
}

impl Condition {
    fn asks_for_variant(&self) -> bool {
        match self {
            Condition::And(parts) | Condition::Or(parts) => {
                parts.iter().any(Condition::asks_for_variant)
            }
            Condition::Not(part) => part.asks_for_variant(),
            Condition::Test(test) => matches!(test, Test::Variant(_)),
        }
    }

    fn fields(&self) -> Vec<&Field> {
        match self {
            Condition::And(parts) | Condition::Or(parts) => {
                parts.iter().flat_map(Condition::fields).collect()
            }
            Condition::Not(part) => part.fields(),
            Condition::Test(Test::Compare(field, _)) => vec![field],
            Condition::Test(_) => Vec::new(),
        }
    }
}

/// Regular expressions are equal if their texts are.
impl PartialEq for Comparison {
    fn eq(&self, other: &Comparison) -> bool {
        match (self, other) {
            (Comparison::Present, Comparison::Present) => true,
            (Comparison::Holds(text), Comparison::Holds(other)) => text == other,
            (Comparison::Matches(text), Comparison::Matches(other)) => {
                text.as_str() == other.as_str()
            }
            (Comparison::Within(low, high), Comparison::Within(other, most)) => {
                (low, high) == (other, most)
            }
            _ => {
                let is_same = std::mem::discriminant(self) == std::mem::discriminant(other);
                is_same && self.literal().is_some() && self.literal() == other.literal()
            }
        }
    }
}

impl Comparison {
    /// The value to compare with, if there is one; of two the first.
    pub(super) fn literal(&self) -> Option<&Literal> {
        match self {
            Comparison::Present | Comparison::Holds(_) | Comparison::Matches(_) => None,
            Comparison::Equal(literal)
            | Comparison::Less(literal)
            | Comparison::AtMost(literal)
            | Comparison::Greater(literal)
            | Comparison::AtLeast(literal)
            | Comparison::Within(literal, _) => Some(literal),
        }
    }

    /// Whether the value to compare with was quoted.
    pub(super) fn is_of_quoted(&self) -> bool {
        self.literal().is_some_and(|literal| literal.is_quoted)
    }
}

/// A value in a filter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Literal {
    /// The text of the value.
    pub(super) text: String,
    /// Whether it was quoted. A quoted value is equal only to exactly this
    /// text.
    pub(super) is_quoted: bool,
}

/// A feature of a movetext.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Feature {
    /// Clock times: `[%clk …]`.
    Clocks,
    /// Evaluations: `[%eval …]`.
    Evals,
    /// Comments with text beyond commands such as `[%clk …]`.
    Comments,
    /// Variations.
    Variations,
}

impl Feature {
    /// All features with their keywords.
    pub(super) const ALL: [(&str, Feature); 4] = [
        ("clocks", Feature::Clocks),
        ("evals", Feature::Evals),
        ("comments", Feature::Comments),
        ("variations", Feature::Variations),
    ];
}
