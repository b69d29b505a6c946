//! Filters: conditions on the tags and contents of a game.

use crate::chess::Rules;

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
    Compare(FilterField, Comparison),
    /// The game has these rules.
    Variant(Rules),
    /// The movetext contains this feature.
    Has(Feature),
}

/// The value to compare.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum FilterField {
    /// The first tag pair with this name, ignoring case.
    Tag(String),
    /// White or Black: at least one of them must pass.
    Player,
    /// The number of plies of the main line.
    Plies,
}

/// A comparison with a value.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Comparison {
    /// The value exists.
    Present,
    /// The value is equal.
    Equal(Literal),
    /// The value contains this text, ignoring case. The text is in lower case.
    Holds(String),
    /// The value is less.
    Less(Literal),
    /// The value is less or equal.
    AtMost(Literal),
    /// The value is greater.
    Greater(Literal),
    /// The value is greater or equal.
    AtLeast(Literal),
}

impl Filter {
    /// The condition that the value of a tag is exactly this text.
    pub fn tag_equals(name: &str, value: &str) -> Filter {
        let literal = Literal {
            text: value.to_owned(),
            is_quoted: true,
        };
        let field = FilterField::Tag(name.to_owned());
        Filter(Condition::Test(Test::Compare(
            field,
            Comparison::Equal(literal),
        )))
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

    /// The names of the tags that are compared, as written in the filter.
    pub fn tags(&self) -> Vec<&str> {
        self.0.tags()
    }
}

impl Condition {
    fn tags(&self) -> Vec<&str> {
        match self {
            Condition::And(parts) | Condition::Or(parts) => {
                parts.iter().flat_map(Condition::tags).collect()
            }
            Condition::Not(part) => part.tags(),
            Condition::Test(Test::Compare(FilterField::Tag(name), _)) => vec![name],
            Condition::Test(_) => Vec::new(),
        }
    }
}

impl Comparison {
    /// The value to compare with, if there is one.
    pub(super) fn literal(&self) -> Option<&Literal> {
        match self {
            Comparison::Present | Comparison::Holds(_) => None,
            Comparison::Equal(literal)
            | Comparison::Less(literal)
            | Comparison::AtMost(literal)
            | Comparison::Greater(literal)
            | Comparison::AtLeast(literal) => Some(literal),
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
    /// Comments of any kind.
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
