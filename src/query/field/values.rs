//! The values of a field in one game.

use super::super::tree::outcome;
use super::columns::FieldValue;
use super::operand::Operand;
use super::table::{Rule, TagField};
use super::{Field, FieldKind, Reading};
use crate::archive::{Archive, BlockGames, Error, StoredGame, TagName};
use crate::chess::{Color, Outcome};
use crate::pgn::{Moves, VerbatimReason};
use std::borrow::Cow;

/// What the fields of a game are read from.
pub(super) trait ReadGame {
    fn tag(&self, name: &TagName) -> Result<Option<Cow<'_, [u8]>>, Error>;
    fn plies(&self) -> Result<u64, Error>;
    /// Whether the movetext may contain anything but moves.
    fn may_have_marks(&self) -> Result<bool, Error>;
    fn text(&self) -> Result<Vec<u8>, Error>;
    fn moves(&self) -> Result<Option<Moves>, Error>;
    /// Whether words among the moves are no moves.
    fn has_words(&self) -> Result<bool, Error>;
    fn verbatim_reason(&self) -> Result<Option<VerbatimReason>, Error>;
}

impl ReadGame for (&BlockGames<'_>, usize) {
    fn tag(&self, name: &TagName) -> Result<Option<Cow<'_, [u8]>>, Error> {
        self.0.tag(self.1, name)
    }

    fn plies(&self) -> Result<u64, Error> {
        self.0.plies(self.1)
    }

    fn may_have_marks(&self) -> Result<bool, Error> {
        self.0.may_have_marks(self.1)
    }

    fn text(&self) -> Result<Vec<u8>, Error> {
        self.0.text(self.1)
    }

    fn moves(&self) -> Result<Option<Moves>, Error> {
        self.0.moves(self.1)
    }

    fn has_words(&self) -> Result<bool, Error> {
        self.0.has_words(self.1)
    }

    fn verbatim_reason(&self) -> Result<Option<VerbatimReason>, Error> {
        self.0.verbatim_reason(self.1)
    }
}

impl ReadGame for StoredGame {
    fn tag(&self, name: &TagName) -> Result<Option<Cow<'_, [u8]>>, Error> {
        self.tag_by_name(name)
    }

    fn plies(&self) -> Result<u64, Error> {
        self.plies()
    }

    fn may_have_marks(&self) -> Result<bool, Error> {
        self.may_have_marks()
    }

    fn text(&self) -> Result<Vec<u8>, Error> {
        self.text()
    }

    fn moves(&self) -> Result<Option<Moves>, Error> {
        self.moves()
    }

    fn has_words(&self) -> Result<bool, Error> {
        self.has_words()
    }

    fn verbatim_reason(&self) -> Result<Option<VerbatimReason>, Error> {
        self.verbatim_reason()
    }
}

/// A field whose tag names are looked up in a segment.
pub(crate) struct FieldReader<'f> {
    field: &'f Field,
    names: Vec<TagName>,
    archive: &'f Archive,
}

impl Archive {
    /// The values of some fields in a game, in the order of the fields.
    ///
    /// ```
    /// use pgna::{Archive, Field, FieldValue, PackOptions, Writer};
    ///
    /// let pgn = "[White \"Morphy\"]\n[WhiteElo \"2690\"]\n[BlackElo \"2400\"]\n\n1. e4 e5 1-0\n";
    /// let mut writer = Writer::new(Vec::new(), PackOptions::default())?;
    /// writer.add_source("one.pgn", pgn.as_bytes())?;
    /// let archive = Archive::new(writer.finish()?.0)?;
    /// let fields: [Field; 2] = ["elo.mean".parse()?, "Annotator".parse()?];
    /// let values = archive.game_values(1, &fields)?;
    /// assert_eq!(values, [vec![FieldValue::Number(2545.0)], vec![]]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// There is no such game, or its block is damaged.
    pub fn game_values(
        &self,
        number: u64,
        fields: &[Field],
    ) -> Result<Vec<Vec<FieldValue>>, Error> {
        let game = self.stored_game(number)?;
        let values = fields.iter().map(|field| {
            let reader = FieldReader {
                field,
                names: names_of(field, |name| Ok(game.tag_name(name)))?,
                archive: self,
            };
            let values = reader.values(&game)?;
            Ok(values.into_iter().map(FieldValue::from).collect())
        });
        values.collect()
    }
}

/// The names of the tags that a field is read from; where a side's value counts, the result first.
fn names_of(
    field: &Field,
    look_up: impl Fn(&str) -> Result<TagName, Error>,
) -> Result<Vec<TagName>, Error> {
    let is_of_side = match &field.0 {
        FieldKind::OfTags(field) => matches!(field.rule, Rule::Winner | Rule::Loser),
        FieldKind::Tag(_) | FieldKind::OfGame(_) => false,
    };
    let result = is_of_side.then_some("Result");
    result
        .into_iter()
        .chain(field.tags())
        .map(look_up)
        .collect()
}

impl<'f> FieldReader<'f> {
    pub(crate) fn new(
        field: &'f Field,
        archive: &'f Archive,
        segment: usize,
    ) -> Result<FieldReader<'f>, Error> {
        let look_up = |name: &str| archive.tag_name_in_any_case(segment, name);
        Ok(FieldReader {
            field,
            names: names_of(field, look_up)?,
            archive,
        })
    }

    /// The values of a game of the segment.
    pub(crate) fn of_game(
        &self,
        block: &BlockGames<'_>,
        game: usize,
    ) -> Result<Vec<Operand<'static>>, Error> {
        self.values(&(block, game))
    }

    fn values(&self, game: &dyn ReadGame) -> Result<Vec<Operand<'static>>, Error> {
        match &self.field.0 {
            FieldKind::Tag(name) => {
                let reading = Reading::of_tag(name);
                let texts = self.texts(game, reading)?;
                let operand = |text| reading.operand(Cow::Owned(text));
                Ok(texts.into_iter().flatten().filter_map(operand).collect())
            }
            FieldKind::OfTags(field) => Ok(field.values(self.texts(game, field.reading)?)),
            FieldKind::OfGame(field) => field.values(game, self.archive.encoding()),
        }
    }

    fn texts(&self, game: &dyn ReadGame, reading: Reading) -> Result<Vec<Option<String>>, Error> {
        let text = |value: Cow<'_, [u8]>| match reading {
            Reading::Player => self.archive.player_name(&value).into_owned(),
            _ => self.archive.encoding().decode(&value).into_owned(),
        };
        let texts = self.names.iter().map(|name| Ok(game.tag(name)?.map(text)));
        texts.collect()
    }
}

impl TagField {
    /// The values that follow from those of the tags.
    fn values(&self, texts: Vec<Option<String>>) -> Vec<Operand<'static>> {
        let read = |text: Option<String>| self.reading.operand(Cow::Owned(text?));
        let mut texts = texts.into_iter();
        match self.rule {
            Rule::Each => texts.filter_map(read).collect(),
            Rule::First => {
                let texts: Vec<String> = texts.flatten().collect();
                let decided = texts.iter().find(|text| self.reading.is_decided_by(text));
                let text = decided.or(texts.first()).cloned();
                read(text).into_iter().collect()
            }
            Rule::Winner | Rule::Loser => {
                let side = texts.next().flatten().and_then(|text| self.side(&text));
                let mut sides = texts;
                let text = match side {
                    Some(Color::White) => sides.next(),
                    Some(Color::Black) => sides.nth(1),
                    None => None,
                };
                text.and_then(read).into_iter().collect()
            }
            Rule::Mean | Rule::Hundred | Rule::Difference => {
                let numbers = texts.map(|text| match read(text) {
                    Some(Operand::Number(number)) => Some(number),
                    _ => None,
                });
                let numbers: Vec<_> = numbers.collect();
                let value = match numbers.as_slice() {
                    [Some(white), Some(black)] => self.combined(*white, *black),
                    _ => None,
                };
                value.map(Operand::Number).into_iter().collect()
            }
        }
    }

    /// The side whose value counts, by the result.
    pub(crate) fn side(&self, result: &str) -> Option<Color> {
        let Some(Outcome::Decisive { winner }) = outcome(result) else {
            return None;
        };
        Some(match self.rule {
            Rule::Loser => !winner,
            _ => winner,
        })
    }

    /// The value that follows from those of White and Black.
    pub(crate) fn combined(&self, white: f64, black: f64) -> Option<f64> {
        match self.rule {
            Rule::Mean => Some((white + black) / 2.0),
            Rule::Hundred => Some(((white + black) / 200.0).floor() * 100.0),
            Rule::Difference => Some((white - black).abs()),
            Rule::Each | Rule::First | Rule::Winner | Rule::Loser => None,
        }
    }
}
