//! Templates: the common text of comments, with fields for the parts that vary.

use super::clock::ClockFormat;
use super::digits::Digits;
use super::lex::{Token, cut};
use super::number::{Mates, NumberFormat, Score, Sign};
use crate::bits::{BitsError, ByteReader, put_bytes};
use std::borrow::Cow;

/// A template has at most this many fields.
pub const MAX_FIELDS: usize = 64;
/// The literals of a template have at most this many bytes together.
pub const MAX_LITERAL_BYTES: usize = 4096;

/// The kind and format of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
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
pub enum Value<'a> {
    /// A number or a mate. A time is a number in units of its last digit.
    Score(Score),
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

impl Field {
    fn kind(&self) -> u8 {
        match self {
            Field::Number(_) => NUMBER,
            Field::Clock(clock) => CLOCK | key_bit(clock.has_hours),
            Field::Squares => SQUARES,
            Field::Arrows => ARROWS,
            Field::Moves => MOVES,
        }
    }

    fn write(&self, out: &mut Vec<u8>) {
        match self {
            Field::Number(format) => {
                let style = format.sign as u8 | (format.mates as u8) << 2;
                out.extend_from_slice(&[NUMBER, digits_byte(format.digits), style]);
            }
            Field::Clock(format) => {
                let style = u8::from(format.has_hours) | u8::from(format.is_padded) << 1;
                out.extend_from_slice(&[CLOCK, digits_byte(format.digits), style]);
            }
            Field::Squares | Field::Arrows | Field::Moves => out.push(self.kind()),
        }
    }

    /// Reads a field. The outer `None` is a malformed field; `Err` holds an
    /// unknown type byte.
    fn read(input: &mut ByteReader<'_>) -> Result<Option<Result<Field, u8>>, BitsError> {
        let kind = input.u8()?;
        Ok(match kind {
            NUMBER => {
                let [digits, style] = input.array()?;
                number_format(digits, style).map(|format| Ok(Field::Number(format)))
            }
            CLOCK => {
                let [digits, style] = input.array()?;
                clock_format(digits, style).map(|format| Ok(Field::Clock(format)))
            }
            SQUARES => Some(Ok(Field::Squares)),
            ARROWS => Some(Ok(Field::Arrows)),
            MOVES => Some(Ok(Field::Moves)),
            _ => Some(Err(kind)),
        })
    }

    /// Converts a token to a value of this field.
    fn value<'a>(&self, token: &Token<'a>) -> Option<Value<'a>> {
        match (self, token) {
            (Field::Number(format), Token::Number(text)) => Some(Value::Score(text.score(format)?)),
            (Field::Clock(format), Token::Clock(text)) => {
                Some(Value::Score(Score::Number(text.value(format)?)))
            }
            (Field::Squares, Token::Squares(text))
            | (Field::Arrows, Token::Arrows(text))
            | (Field::Moves, Token::Moves(text)) => Some(Value::Text(Cow::Borrowed(text))),
            _ => None,
        }
    }

    /// Appends the text of a value. Returns `None` if the value does not fit
    /// the field.
    fn print(&self, value: &Value<'_>, out: &mut Vec<u8>) -> Option<()> {
        match (self, value) {
            (Field::Number(format), Value::Score(score)) => format.write(*score, out),
            (Field::Clock(format), Value::Score(Score::Number(value))) => format.write(*value, out),
            (Field::Squares | Field::Arrows | Field::Moves, Value::Text(text)) => {
                out.extend_from_slice(text);
                Some(())
            }
            _ => None,
        }
    }
}

fn digits_byte(digits: Digits) -> u8 {
    digits.least() << 4 | digits.most()
}

fn number_format(digits: u8, style: u8) -> Option<NumberFormat> {
    Some(NumberFormat {
        digits: Digits::new(digits >> 4, digits & 15)?,
        sign: *[Sign::Bare, Sign::Plus, Sign::PlusUnlessZero].get(usize::from(style & 3))?,
        mates: *[Mates::None, Mates::HashSign, Mates::SignHash, Mates::SignM]
            .get(usize::from(style >> 2))?,
    })
}

fn clock_format(digits: u8, style: u8) -> Option<ClockFormat> {
    (style < 4).then_some(ClockFormat {
        has_hours: style & 1 != 0,
        is_padded: style & 2 != 0,
        digits: Digits::new(digits >> 4, digits & 15)?,
    })
}

/// Text with fields in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    /// Each field with the literal before it.
    pub(super) fields: Vec<(Vec<u8>, Field)>,
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

impl Template {
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
    pub fn read(input: &mut ByteReader<'_>) -> Result<Template, TemplateError> {
        let mut fields = Vec::new();
        let mut budget = MAX_LITERAL_BYTES;
        loop {
            let literal = input.bytes()?.to_vec();
            budget = budget
                .checked_sub(literal.len())
                .ok_or(TemplateError::Malformed)?;
            match Field::read(input)?.ok_or(TemplateError::Malformed)? {
                Ok(field) if fields.len() < MAX_FIELDS => fields.push((literal, field)),
                Err(END) => {
                    let end = literal;
                    return Ok(Template { fields, end });
                }
                _ => return Err(TemplateError::Malformed),
            }
        }
    }

    /// The fields, in order.
    pub fn fields(&self) -> impl Iterator<Item = &Field> {
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
    pub(super) fn values<'a>(&self, tokens: &[Token<'a>]) -> Option<Vec<Value<'a>>> {
        let tokens = tokens
            .iter()
            .filter(|token| !matches!(token, Token::Literal(_)));
        let pairs = self.fields().zip(tokens);
        pairs.map(|(field, token)| field.value(token)).collect()
    }

    /// The text for these values. Returns `None` if they do not fit the fields.
    pub fn print(&self, values: &[Value<'_>]) -> Option<Vec<u8>> {
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
pub(super) fn key(tokens: &[Token<'_>]) -> Option<Vec<u8>> {
    let mut key = Vec::new();
    let mut fields = 0;
    for token in tokens {
        let kind = match token {
            Token::Literal(text) if text.contains(&MARK) => return None,
            Token::Literal(text) => {
                key.extend_from_slice(text);
                continue;
            }
            Token::Number(_) => NUMBER,
            Token::Clock(clock) => CLOCK | key_bit(clock.has_hours()),
            Token::Squares(_) => SQUARES,
            Token::Arrows(_) => ARROWS,
            Token::Moves(_) => MOVES,
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
pub(super) fn tokens(text: &[u8]) -> (Vec<Token<'_>>, Option<Vec<u8>>) {
    let tokens = cut(text);
    let key = key(&tokens);
    (tokens, key)
}
