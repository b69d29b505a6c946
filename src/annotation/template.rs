//! Templates: the common text of comments, with fields for the parts that vary.

use super::clock::ClockFormat;
use super::digits::NumberDigits;
use super::lex::{CommentToken, cut};
use super::number::{EvalScore, Mates, NumberFormat, NumberSign};
use crate::bits::{BitsError, ByteReader, put_bytes};
use std::borrow::Cow;

/// A template has at most this many fields.
pub const MAX_FIELDS: usize = 64;
/// The literals of a template have at most this many bytes together.
pub const MAX_LITERAL_BYTES: usize = 4096;

/// The kind and format of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TemplateField {
    /// A number or a mate.
    Number(NumberFormat),
    /// A time.
    Clock(ClockFormat),
    /// Coloured squares.
    Squares,
    /// Coloured arrows.
    Arrows,
    /// Moves.
    Moves,
}

/// The value of a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FieldContent<'a> {
    /// A number or a mate. A time is a number in units of its last digit.
    Score(EvalScore),
    /// The text of squares, arrows or moves.
    Text(Cow<'a, [u8]>),
}

/// The type bytes of fields.
const END: u8 = 0;
const NUMBER: u8 = 1;
const CLOCK: u8 = 2;
const SQUARES: u8 = 3;
const ARROWS: u8 = 4;
const MOVES: u8 = 5;

/// Marks a field in the key of a template; the field's kind follows.
const MARK: u8 = 0;

impl TemplateField {
    fn kind(&self) -> u8 {
        match self {
            TemplateField::Number(_) => NUMBER,
            TemplateField::Clock(clock) => CLOCK | key_bit(clock.has_hours),
            TemplateField::Squares => SQUARES,
            TemplateField::Arrows => ARROWS,
            TemplateField::Moves => MOVES,
        }
    }

    fn write(&self, out: &mut Vec<u8>) {
        match self {
            TemplateField::Number(format) => {
                let style = format.sign as u8 | (format.mates as u8) << 2;
                out.extend_from_slice(&[NUMBER, digits_byte(format.digits), style]);
            }
            TemplateField::Clock(format) => {
                let style = u8::from(format.has_hours) | u8::from(format.is_padded) << 1;
                out.extend_from_slice(&[CLOCK, digits_byte(format.digits), style]);
            }
            TemplateField::Squares | TemplateField::Arrows | TemplateField::Moves => {
                out.push(self.kind())
            }
        }
    }

    /// Reads a field. The outer `None` is a malformed field; `Err` holds an
    /// unknown type byte.
    fn read(input: &mut ByteReader<'_>) -> Result<Option<Result<TemplateField, u8>>, BitsError> {
        let kind = input.u8()?;
        Ok(match kind {
            NUMBER => {
                let [digits, style] = input.array()?;
                number_format(digits, style).map(|format| Ok(TemplateField::Number(format)))
            }
            CLOCK => {
                let [digits, style] = input.array()?;
                clock_format(digits, style).map(|format| Ok(TemplateField::Clock(format)))
            }
            SQUARES => Some(Ok(TemplateField::Squares)),
            ARROWS => Some(Ok(TemplateField::Arrows)),
            MOVES => Some(Ok(TemplateField::Moves)),
            _ => Some(Err(kind)),
        })
    }

    /// Converts a token to a value of this field.
    fn value<'a>(&self, token: &CommentToken<'a>) -> Option<FieldContent<'a>> {
        match (self, token) {
            (TemplateField::Number(format), CommentToken::Number(text)) => {
                Some(FieldContent::Score(text.score(format)?))
            }
            (TemplateField::Clock(format), CommentToken::Clock(text)) => {
                Some(FieldContent::Score(EvalScore::Number(text.value(format)?)))
            }
            (TemplateField::Squares, CommentToken::Squares(text))
            | (TemplateField::Arrows, CommentToken::Arrows(text))
            | (TemplateField::Moves, CommentToken::Moves(text)) => {
                Some(FieldContent::Text(Cow::Borrowed(text)))
            }
            _ => None,
        }
    }

    /// Appends the text of a value. Returns `None` if the value does not fit
    /// the field.
    fn print(&self, value: &FieldContent<'_>, out: &mut Vec<u8>) -> Option<()> {
        match (self, value) {
            (TemplateField::Number(format), FieldContent::Score(score)) => {
                format.write(*score, out)
            }
            (TemplateField::Clock(format), FieldContent::Score(EvalScore::Number(value))) => {
                format.write(*value, out)
            }
            (
                TemplateField::Squares | TemplateField::Arrows | TemplateField::Moves,
                FieldContent::Text(text),
            ) => {
                out.extend_from_slice(text);
                Some(())
            }
            _ => None,
        }
    }
}

fn digits_byte(digits: NumberDigits) -> u8 {
    digits.least() << 4 | digits.most()
}

fn number_format(digits: u8, style: u8) -> Option<NumberFormat> {
    Some(NumberFormat {
        digits: NumberDigits::new(digits >> 4, digits & 15)?,
        sign: *[
            NumberSign::Bare,
            NumberSign::Plus,
            NumberSign::PlusUnlessZero,
        ]
        .get(usize::from(style & 3))?,
        mates: *[Mates::None, Mates::HashSign, Mates::SignHash, Mates::SignM]
            .get(usize::from(style >> 2))?,
    })
}

fn clock_format(digits: u8, style: u8) -> Option<ClockFormat> {
    (style < 4).then_some(ClockFormat {
        has_hours: style & 1 != 0,
        is_padded: style & 2 != 0,
        digits: NumberDigits::new(digits >> 4, digits & 15)?,
    })
}

/// Text with fields in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommentTemplate {
    /// Each field with the literal before it.
    pub(super) fields: Vec<(Vec<u8>, TemplateField)>,
    /// The literal after the last field.
    pub(super) end: Vec<u8>,
}

/// Template decoding errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TemplateError {
    /// The input ends early.
    #[error("template: {0}")]
    Bits(#[from] BitsError),
    /// An unknown field type, an invalid format or too many fields.
    #[error("malformed template")]
    Malformed,
}

impl CommentTemplate {
    /// Appends the encoded template.
    pub fn write(&self, out: &mut Vec<u8>) {
        for (literal, field) in &self.fields {
            put_bytes(out, literal);
            field.write(out);
        }
        put_bytes(out, &self.end);
        out.push(END);
    }

    /// Decodes a template.
    ///
    /// # Errors
    /// The bytes are malformed.
    pub fn read(input: &mut ByteReader<'_>) -> Result<CommentTemplate, TemplateError> {
        let mut fields = Vec::new();
        let mut budget = MAX_LITERAL_BYTES;
        loop {
            let literal = input.bytes()?.to_vec();
            budget = budget
                .checked_sub(literal.len())
                .ok_or(TemplateError::Malformed)?;
            match TemplateField::read(input)?.ok_or(TemplateError::Malformed)? {
                Ok(field) if fields.len() < MAX_FIELDS => fields.push((literal, field)),
                Err(END) => {
                    let end = literal;
                    return Ok(CommentTemplate { fields, end });
                }
                _ => return Err(TemplateError::Malformed),
            }
        }
    }

    /// The fields, in order.
    pub fn fields(&self) -> impl Iterator<Item = &TemplateField> {
        self.fields.iter().map(|(_, field)| field)
    }

    /// The key of the texts that can match the template.
    pub(super) fn key(&self) -> Vec<u8> {
        let mut key = Vec::new();
        for (literal, field) in &self.fields {
            key.extend_from_slice(literal);
            key.extend_from_slice(&[MARK, field.kind()]);
        }
        key.extend_from_slice(&self.end);
        key
    }

    /// The values of a text with the key of this template. Returns `None` if a
    /// value does not have the format of its field.
    pub(super) fn values<'a>(&self, tokens: &[CommentToken<'a>]) -> Option<Vec<FieldContent<'a>>> {
        let tokens = tokens
            .iter()
            .filter(|token| !matches!(token, CommentToken::Literal(_)));
        let pairs = self.fields().zip(tokens);
        pairs.map(|(field, token)| field.value(token)).collect()
    }

    /// The text for these values. Returns `None` if they do not fit the fields.
    pub fn print(&self, values: &[FieldContent<'_>]) -> Option<Vec<u8>> {
        let mut text = Vec::new();
        if values.len() != self.fields.len() {
            return None;
        }
        for ((literal, field), value) in self.fields.iter().zip(values) {
            text.extend_from_slice(literal);
            field.print(value, &mut text)?;
        }
        text.extend_from_slice(&self.end);
        Some(text)
    }
}

/// The key of the templates that a text can match: its literals and the kinds
/// of its fields. Returns `None` if a literal contains `MARK` or there are too
/// many fields.
pub(super) fn key(tokens: &[CommentToken<'_>]) -> Option<Vec<u8>> {
    let mut key = Vec::new();
    let mut fields = 0;
    for token in tokens {
        let kind = match token {
            CommentToken::Literal(text) if text.contains(&MARK) => return None,
            CommentToken::Literal(text) => {
                key.extend_from_slice(text);
                continue;
            }
            CommentToken::Number(_) => NUMBER,
            CommentToken::Clock(clock) => CLOCK | key_bit(clock.has_hours()),
            CommentToken::Squares(_) => SQUARES,
            CommentToken::Arrows(_) => ARROWS,
            CommentToken::Moves(_) => MOVES,
        };
        key.extend_from_slice(&[MARK, kind]);
        fields += 1;
    }
    (fields <= MAX_FIELDS).then_some(key)
}

/// Distinguishes times with hours from times without.
fn key_bit(has_hours: bool) -> u8 {
    u8::from(has_hours) << 7
}

/// The tokens of a text and their key.
pub(super) fn tokens(text: &[u8]) -> (Vec<CommentToken<'_>>, Option<Vec<u8>>) {
    let tokens = cut(text);
    let key = key(&tokens);
    (tokens, key)
}
