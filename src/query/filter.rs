//! What is asked of the tags of a game.

use crate::chess::Rules;

/// A condition on a game, made of tests.
#[derive(Debug, Clone, PartialEq)]
pub enum Filter {
    /// All hold.
    And(Vec<Filter>),
    /// At least one holds.
    Or(Vec<Filter>),
    /// It does not hold.
    Not(Box<Filter>),
    /// A single test.
    Test(Test),
}

/// A test of one thing.
#[derive(Debug, Clone, PartialEq)]
pub enum Test {
    /// A value is compared; a game without it fails.
    Compare(Field, Comparison),
    /// The game is played by these rules.
    Variant(Rules),
    /// Something stands in the movetext.
    Has(Feature),
}

/// What is compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Field {
    /// The first tag pair of this name, in upper or lower case.
    Tag(String),
    /// White or Black: one of them has to pass.
    Player,
    /// The plies of the main line.
    Plies,
}

/// How a value is compared.
#[derive(Debug, Clone, PartialEq)]
pub enum Comparison {
    /// There is one.
    Present,
    /// It is equal.
    Equal(Literal),
    /// It holds this text, in upper or lower case; the text is in lower case here.
    Holds(String),
    /// It is less.
    Less(Literal),
    /// It is less or equal.
    AtMost(Literal),
    /// It is greater.
    Greater(Literal),
    /// It is greater or equal.
    AtLeast(Literal),
}

impl Filter {
    /// The tags whose values it compares, as they are written.
    pub fn tags(&self) -> Vec<&str> {
        match self {
            Filter::And(parts) | Filter::Or(parts) => parts.iter().flat_map(Filter::tags).collect(),
            Filter::Not(part) => part.tags(),
            Filter::Test(Test::Compare(Field::Tag(name), _)) => vec![name],
            Filter::Test(_) => Vec::new(),
        }
    }
}

impl Comparison {
    /// The value that it compares with, if it does.
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

    /// Whether it compares with a value in quotes.
    pub(super) fn is_of_quoted(&self) -> bool {
        self.literal().is_some_and(|literal| literal.is_quoted)
    }
}

/// A value of a filter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Literal {
    /// Its text.
    pub text: String,
    /// Whether it stood in quotes: then it equals nothing but this text.
    pub is_quoted: bool,
}

/// What may stand in a movetext.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Feature {
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
    /// All of them, with the words for them.
    pub const ALL: [(&str, Feature); 4] = [
        ("clocks", Feature::Clocks),
        ("evals", Feature::Evals),
        ("comments", Feature::Comments),
        ("variations", Feature::Variations),
    ];
}
