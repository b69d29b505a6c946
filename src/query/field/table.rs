//! The fields that follow from tags, one row each.

use super::reading::{PLAYERS, Reading};

/// A field that follows from tags.
#[derive(Debug)]
pub(crate) struct TagField {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    pub(crate) tags: &'static [&'static str],
    pub(crate) reading: Reading,
    pub(crate) rule: Rule,
}

/// How the value of a field follows from those of its tags.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rule {
    /// Each tag gives a value.
    Each,
    /// The first tag that has a value gives it.
    First,
    /// The tags are those of White and Black; that of the winner, by the result.
    Winner,
    /// As `Winner`: that of the loser.
    Loser,
    /// Half the sum of the values of both tags.
    Mean,
    /// The hundred in which the mean is.
    Hundred,
    /// How much the values of both tags differ.
    Difference,
}

const RATINGS: &[&str] = &["WhiteElo", "BlackElo"];
const DATES: &[&str] = &["Date", "UTCDate"];
const TIME_CONTROL: &[&str] = &["TimeControl"];

const fn row(
    name: &'static str,
    tags: &'static [&'static str],
    reading: Reading,
    rule: Rule,
    about: &'static str,
) -> TagField {
    TagField {
        name,
        about,
        tags,
        reading,
        rule,
    }
}

/// All of them.
pub(super) static TAG_FIELDS: [TagField; 16] = [
    row(
        "player",
        PLAYERS,
        Reading::Player,
        Rule::Each,
        "White and Black",
    ),
    row(
        "elo",
        RATINGS,
        Reading::Number,
        Rule::Each,
        "the rating of White and that of Black",
    ),
    row(
        "elo.mean",
        RATINGS,
        Reading::Number,
        Rule::Mean,
        "the mean of both ratings",
    ),
    row(
        "elo.class",
        RATINGS,
        Reading::Number,
        Rule::Hundred,
        "that mean by hundreds: 2400 for 2400 to 2499",
    ),
    row(
        "elo.diff",
        RATINGS,
        Reading::Number,
        Rule::Difference,
        "how much the ratings differ",
    ),
    row(
        "Date",
        DATES,
        Reading::Date,
        Rule::First,
        "Date, or UTCDate if its year is unknown",
    ),
    row(
        "year",
        DATES,
        Reading::Year,
        Rule::First,
        "the year of that date",
    ),
    row(
        "month",
        DATES,
        Reading::Month,
        Rule::First,
        "its month, 1 to 12",
    ),
    row(
        "winner",
        PLAYERS,
        Reading::Player,
        Rule::Winner,
        "the player who won",
    ),
    row(
        "loser",
        PLAYERS,
        Reading::Player,
        Rule::Loser,
        "the player who lost",
    ),
    row(
        "winner.elo",
        RATINGS,
        Reading::Number,
        Rule::Winner,
        "the rating of the winner",
    ),
    row(
        "loser.elo",
        RATINGS,
        Reading::Number,
        Rule::Loser,
        "the rating of the loser",
    ),
    row(
        "base",
        TIME_CONTROL,
        Reading::Base,
        Rule::First,
        "seconds for the game or its first moves, from TimeControl",
    ),
    row(
        "increment",
        TIME_CONTROL,
        Reading::Increment,
        Rule::First,
        "seconds added for each move, from TimeControl",
    ),
    row(
        "speed",
        TIME_CONTROL,
        Reading::Speed,
        Rule::First,
        "ultraBullet, bullet, blitz, rapid, classical or correspondence, as Lichess counts",
    ),
    row(
        "start",
        &["FEN"],
        Reading::Start,
        Rule::First,
        "the start position, if it is not the usual one",
    ),
];

/// Fields are equal if their names are.
impl PartialEq for TagField {
    fn eq(&self, other: &TagField) -> bool {
        self.name == other.name
    }
}

impl Eq for TagField {}

/// The field with this name, ignoring case.
pub(super) fn tag_field(name: &str) -> Option<&'static TagField> {
    let mut fields = TAG_FIELDS.iter();
    fields.find(|field| field.name.eq_ignore_ascii_case(name))
}

/// The names that no tag can have.
pub(super) fn names_with_dots() -> impl Iterator<Item = &'static str> {
    let names = TAG_FIELDS.iter().map(|field| field.name);
    names.filter(|name| name.contains('.'))
}
