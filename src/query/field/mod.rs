//! Fields: the values of a game by which games are found, sorted, divided and listed.

mod columns;
mod of_game;
mod operand;
mod reading;
#[cfg(feature = "cli")]
mod similar;
mod table;
mod time_control;
mod values;
mod worth;

pub(super) use columns::{FieldColumn, all_or_error};
pub use columns::{FieldValue, FieldValues};
pub(super) use of_game::GameField;
pub(super) use operand::Operand;
pub(super) use reading::Reading;
pub(super) use table::{Rule, TagField};
#[cfg(feature = "answers")]
pub(crate) use time_control::Speed;
pub(super) use values::FieldReader;
pub(super) use worth::Worth;

use super::filter::Literal;
use crate::text;
use std::fmt;
use std::str::FromStr;

/// A value of a game: of a tag, one that follows from tags, such as the mean of the ratings, or one
/// of the movetext, such as its comments. `pgna fields` lists all.
///
/// ```
/// use pgna::Field;
///
/// let field: Field = "elo.mean".parse()?;
/// assert_eq!(field.tags(), ["WhiteElo", "BlackElo"]);
/// assert_eq!("Annotator".parse(), Ok(Field::tag("Annotator")));
/// # Ok::<(), pgna::FieldError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field(pub(super) FieldKind);

/// Where the values of a field come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum FieldKind {
    /// The first tag pair with this name, ignoring case.
    Tag(String),
    /// Tags, by a rule.
    OfTags(&'static TagField),
    /// The movetext.
    OfGame(GameField),
}

/// A text that is not the name of a field.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} is not a field{hint}: write the name of a tag, or one of {names}; `pgna fields` lists all",
    hint = text::hint(.0, table::names_with_dots()),
    names = table::names_with_dots().collect::<Vec<_>>().join(", ")
)]
pub struct FieldError(String);

impl Field {
    /// The value of the tag with this name, ignoring case.
    pub fn tag(name: &str) -> Field {
        Field(FieldKind::Tag(name.to_owned()))
    }

    /// The names of all fields that are not tags, each with a description.
    pub fn all() -> impl Iterator<Item = (&'static str, &'static str)> {
        let of_tags = table::TAG_FIELDS.iter();
        let of_tags = of_tags.map(|field| (field.name, field.about));
        of_tags.chain(GameField::ALL.map(|field| (field.name(), field.about())))
    }

    /// The names of the tags from which the values are read; none if they come from the movetext.
    pub fn tags(&self) -> Vec<&str> {
        match &self.0 {
            FieldKind::Tag(name) => vec![name],
            FieldKind::OfTags(field) => field.tags.to_vec(),
            FieldKind::OfGame(_) => Vec::new(),
        }
    }

    /// Whether it is a tag, not one of [`Field::all`].
    pub fn is_tag(&self) -> bool {
        matches!(self.0, FieldKind::Tag(_))
    }

    /// Whether the values are dates or parts of dates.
    pub fn is_of_dates(&self) -> bool {
        self.tags()
            .last()
            .is_some_and(|name| reading::is_date(name))
    }

    /// Whether all values are numbers, none of them text.
    pub fn is_number(&self) -> bool {
        match &self.0 {
            FieldKind::Tag(_) => false,
            FieldKind::OfTags(field) => field.reading.is_number(),
            FieldKind::OfGame(field) => field.is_number(),
        }
    }

    /// What the texts of its tags are read as; `None` if the values come from the movetext.
    pub(super) fn reading(&self) -> Option<Reading> {
        match &self.0 {
            FieldKind::Tag(name) => Some(Reading::of_tag(name)),
            FieldKind::OfTags(field) => Some(field.reading),
            FieldKind::OfGame(_) => None,
        }
    }

    /// The value of a filter in the form in which it is compared, if the field is read from tags.
    #[cfg(feature = "cli")]
    pub(super) fn operand_of<'v>(&self, text: &'v str) -> Option<Operand<'v>> {
        match self.reading()? {
            Reading::Speed => text.parse().ok().map(Operand::Speed),
            reading => reading.operand(text.into()),
        }
    }

    /// Whether it has values that are compared as numbers or as dates.
    pub(super) fn is_ordered(&self) -> bool {
        let is_numeric = self.reading() == Some(Reading::NumericText);
        self.is_number() || self.is_of_dates() || is_numeric
    }

    /// Whether a game can have more than one value.
    pub fn is_list(&self) -> bool {
        match &self.0 {
            FieldKind::Tag(_) => false,
            FieldKind::OfTags(field) => field.rule == Rule::Each,
            FieldKind::OfGame(field) => field.is_list(),
        }
    }

    /// A value of a filter in the form in which it is compared, or what is expected instead.
    /// `is_ordered` says that it is compared by `<` and the like.
    pub(super) fn literal(
        &self,
        literal: Literal,
        is_ordered: bool,
    ) -> Result<Literal, &'static str> {
        match &self.0 {
            FieldKind::Tag(name) => Reading::of_tag(name).literal(literal, is_ordered),
            FieldKind::OfTags(field) => field.reading.literal(literal, is_ordered),
            FieldKind::OfGame(field) => field.literal(literal, is_ordered),
        }
    }
}

impl FromStr for Field {
    type Err = FieldError;

    /// Parses the name of a field or of a tag, in upper or lower case; in quotes it is that of a
    /// tag.
    fn from_str(name: &str) -> Result<Self, FieldError> {
        let in_quotes = |quote| name.strip_prefix(quote)?.strip_suffix(quote);
        if let Some(tag) = in_quotes('"').or(in_quotes('\'')) {
            return Ok(Field::tag(tag));
        }
        if let Some(field) = table::tag_field(name) {
            return Ok(Field(FieldKind::OfTags(field)));
        }
        if let Some(field) = GameField::by_name(name) {
            return Ok(Field(FieldKind::OfGame(field)));
        }
        let is_part = |char: char| char.is_alphanumeric() || char == '_';
        match !name.is_empty() && name.chars().all(is_part) {
            true => Ok(Field::tag(name)),
            false => Err(FieldError(name.to_owned())),
        }
    }
}

impl fmt::Display for Field {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            FieldKind::Tag(name) if name.parse().as_ref() == Ok(self) => out.write_str(name),
            FieldKind::Tag(name) => write!(out, "\"{name}\""),
            FieldKind::OfTags(field) => out.write_str(field.name),
            FieldKind::OfGame(field) => out.write_str(field.name()),
        }
    }
}
