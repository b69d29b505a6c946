//! Parsing filters: `White ~ "carlsen" and WhiteElo > 2700`.

use super::field::{Field, FieldKind};
use super::filter::{Comparison, Condition, Feature, Filter, Literal, Test};
use crate::chess::Rules;
use crate::text::{fold, hint};
use regex::RegexBuilder;
use std::str::FromStr;

/// The maximum nesting depth of parentheses and `not`.
const MOST_DEPTH: usize = 100;

/// A syntax error in a filter, with its position.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("at character {}: {message}", .at + 1)]
#[non_exhaustive]
pub struct SyntaxError {
    /// The number of characters before the error.
    pub at: usize,
    /// The description of the error.
    pub message: String,
}

impl FromStr for Filter {
    type Err = SyntaxError;

    fn from_str(text: &str) -> Result<Self, SyntaxError> {
        let mut parser = QueryParser { text, at: 0 };
        let filter = parser.any(0)?;
        match parser.rest().trim_start() {
            "" => Ok(Filter(filter)),
            _ => {
                let why =
                    "expected `and`, `or` or the end; a value with blanks or signs must be quoted";
                Err(parser.error(why))
            }
        }
    }
}

/// The maximum size of a compiled regular expression, in bytes.
const MAX_PATTERN_BYTES: usize = 1 << 20;

/// What to say of a field in the place of a value.
const NO_FIELDS: &str = "; fields are not compared with each other, but elo.diff is a field";

/// An operator, without its negation.
enum Operator {
    Equals,
    Contains,
    Orders(fn(Literal) -> Comparison),
}

struct QueryParser<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> QueryParser<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// An error at the next token.
    fn error(&self, message: impl Into<String>) -> SyntaxError {
        let at = self.text.len() - self.rest().trim_start().len();
        self.error_at(at, message)
    }

    fn error_at(&self, at: usize, message: impl Into<String>) -> SyntaxError {
        let before = self.text.get(..at).unwrap_or_default();
        SyntaxError {
            at: before.chars().count(),
            message: message.into(),
        }
    }

    fn skip_blanks(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    /// Consumes a sign if it is next.
    fn takes(&mut self, sign: &str) -> bool {
        self.skip_blanks();
        let is_here = self.rest().starts_with(sign);
        if is_here {
            self.at += sign.len();
        }
        is_here
    }

    /// Consumes a word of letters, digits and underscores, which may be empty.
    fn word(&mut self) -> &'a str {
        self.skip_blanks();
        let rest = self.rest();
        let is_part = |char: char| char.is_alphanumeric() || char == '_';
        let end = rest.find(|char| !is_part(char)).unwrap_or(rest.len());
        self.at += end;
        rest.get(..end).unwrap_or_default()
    }

    /// Consumes a keyword if it is next.
    fn takes_word(&mut self, keyword: &str) -> bool {
        let before = self.at;
        let is_here = self.word().eq_ignore_ascii_case(keyword);
        if !is_here {
            self.at = before;
        }
        is_here
    }

    fn any(&mut self, depth: usize) -> Result<Condition, SyntaxError> {
        let mut parts = vec![self.all(depth)?];
        while self.takes_word("or") {
            parts.push(self.all(depth)?);
        }
        Ok(one_or(parts, Condition::Or))
    }

    fn all(&mut self, depth: usize) -> Result<Condition, SyntaxError> {
        let mut parts = vec![self.single(depth)?];
        while self.takes_word("and") {
            parts.push(self.single(depth)?);
        }
        Ok(one_or(parts, Condition::And))
    }

    fn single(&mut self, depth: usize) -> Result<Condition, SyntaxError> {
        if depth > MOST_DEPTH {
            return Err(self.error("nested too deep"));
        }
        if self.takes_word("not") {
            return Ok(not(self.single(depth + 1)?));
        }
        if self.takes("(") {
            let inner = self.any(depth + 1)?;
            return match self.takes(")") {
                true => Ok(inner),
                false => Err(self.error("expected `)`")),
            };
        }
        if self.takes_word("has") {
            return self.feature();
        }
        self.test()
    }

    fn feature(&mut self) -> Result<Condition, SyntaxError> {
        self.skip_blanks();
        let at = self.at;
        let word = self.word();
        let mut known = Feature::ALL.iter();
        match known.find(|(name, _)| word.eq_ignore_ascii_case(name)) {
            Some((_, feature)) => Ok(Condition::Test(Test::Has(*feature))),
            None => {
                let names = Feature::ALL.iter().map(|(name, _)| *name);
                let hint = hint(word, names);
                let wanted = "expected `clocks`, `evals`, `comments` or `variations`";
                let other = match word {
                    "" => String::new(),
                    _ => format!("; for a tag or another field: {word}?"),
                };
                Err(self.error_at(at, format!("{wanted}{hint}{other}")))
            }
        }
    }

    fn test(&mut self) -> Result<Condition, SyntaxError> {
        self.skip_blanks();
        let at = self.at;
        let (name, field) = self.field()?;
        if name.eq_ignore_ascii_case("variant") {
            return self.variant();
        }
        let test = |comparison| Condition::Test(Test::Compare(field.clone(), comparison));
        let is_negated = self.takes_word("not");
        if self.takes_word("in") {
            let values = self.values(&field, &test)?;
            return Ok(if is_negated { not(values) } else { values });
        }
        if is_negated {
            return Err(self.error("expected `in`"));
        }
        if self.takes("?") {
            return Ok(test(Comparison::Present));
        }
        let Some((operator, is_negated)) = self.operator() else {
            if matches!(field.0, FieldKind::OfGame(of_game) if of_game.is_flag()) {
                return Ok(test(Comparison::Equal(yes())));
            }
            let hint = hint(name, ["has", "not"]);
            let wanted = format!("expected one of = != ~ !~ < <= > >= in ?{hint}");
            let is_known = ["and", "or", "in"]
                .iter()
                .any(|word| name.eq_ignore_ascii_case(word));
            return Err(match is_known {
                true => self.error_at(at, "expected the name of a tag, `has`, `not` or `(`"),
                false => self.error(wanted),
            });
        };
        let found = test(match operator {
            Operator::Contains => self.text_or_pattern()?,
            Operator::Equals => Comparison::Equal(self.value_of(&field, false)?),
            Operator::Orders(make) => make(self.value_of(&field, true)?),
        });
        Ok(if is_negated { not(found) } else { found })
    }

    /// Parses the name of a field: a word, words with dots between them, or the name of a tag in
    /// quotes.
    fn field(&mut self) -> Result<(&'a str, Field), SyntaxError> {
        let at = self.at;
        if self.rest().starts_with(['"', '\'']) {
            let name = self.literal()?.text;
            return Ok(("", Field::tag(&name)));
        }
        self.word();
        while self.rest().starts_with('.') && !self.rest().starts_with("..") {
            self.at += 1;
            self.word();
        }
        let name = self.text.get(at..self.at).unwrap_or_default();
        if name.is_empty() {
            return Err(self.error("expected the name of a tag, `has`, `not` or `(`"));
        }
        match name.parse() {
            Ok(field) => Ok((name, field)),
            Err(error) => Err(self.error_at(at, error.to_string())),
        }
    }

    /// Parses the right operand of `~`: a text, or a regular expression between slashes.
    fn text_or_pattern(&mut self) -> Result<Comparison, SyntaxError> {
        if !self.takes("/") {
            return Ok(Comparison::Holds(fold(&self.literal()?.text).into_owned()));
        }
        let at = self.at;
        let mut is_escaped = false;
        let end = self.rest().find(|char| {
            let ends = char == '/' && !is_escaped;
            is_escaped = char == '\\' && !is_escaped;
            ends
        });
        let Some(end) = end else {
            return Err(self.error_at(at, "the regular expression is not closed by `/`"));
        };
        let pattern = self.rest().get(..end).unwrap_or_default();
        self.at += end + 1;
        let ignores_case = self.rest().starts_with('i');
        self.at += usize::from(ignores_case);
        let built = RegexBuilder::new(&pattern.replace("\\/", "/"))
            .case_insensitive(ignores_case)
            .size_limit(MAX_PATTERN_BYTES)
            .build();
        built.map(Comparison::Matches).map_err(|error| {
            let message = error.to_string();
            let last = message.lines().last().unwrap_or_default();
            self.error_at(at, last.trim_start_matches("error: "))
        })
    }

    /// Consumes an operator. Returns it and whether the result is negated.
    fn operator(&mut self) -> Option<(Operator, bool)> {
        // Longer signs come before their prefixes.
        let operators = [
            ("!=", Operator::Equals, true),
            ("!~", Operator::Contains, true),
            ("<=", Operator::Orders(Comparison::AtMost), false),
            (">=", Operator::Orders(Comparison::AtLeast), false),
            ("=", Operator::Equals, false),
            ("~", Operator::Contains, false),
            ("<", Operator::Orders(Comparison::Less), false),
            (">", Operator::Orders(Comparison::Greater), false),
        ];
        let mut operators = operators.into_iter();
        let (_, operator, is_negated) = operators.find(|(sign, ..)| self.takes(sign))?;
        Some((operator, is_negated))
    }

    /// Parses a value and checks that it suits the field. `is_ordered` says that it is compared by
    /// `<` and the like.
    fn value_of(&mut self, field: &Field, is_ordered: bool) -> Result<Literal, SyntaxError> {
        self.skip_blanks();
        let at = self.at;
        let literal = self.literal()?;
        let is_field = !literal.is_quoted
            && literal
                .text
                .parse()
                .is_ok_and(|other: Field| other.is_ordered());
        let checked = field.literal(literal, is_ordered);
        checked.map_err(|wanted| match is_field {
            true => self.error_at(at, format!("{wanted}{NO_FIELDS}")),
            false => self.error_at(at, wanted),
        })
    }

    /// Parses the right operand of `in`: a range, or values and ranges in
    /// parentheses.
    fn values(
        &mut self,
        field: &Field,
        test: &dyn Fn(Comparison) -> Condition,
    ) -> Result<Condition, SyntaxError> {
        if !self.takes("(") {
            return self.range(field, test);
        }
        let mut parts = vec![self.range(field, test)?];
        while self.takes(",") {
            parts.push(self.range(field, test)?);
        }
        match self.takes(")") {
            true => Ok(one_or(parts, Condition::Or)),
            false => Err(self.error("expected `,` or `)`")),
        }
    }

    fn range(
        &mut self,
        field: &Field,
        test: &dyn Fn(Comparison) -> Condition,
    ) -> Result<Condition, SyntaxError> {
        self.skip_blanks();
        let at = self.at;
        let low = self.value_of(field, false)?;
        if !self.takes("..") {
            return Ok(test(Comparison::Equal(low)));
        }
        let low = field.literal(low, true);
        let low = low.map_err(|wanted| self.error_at(at, wanted))?;
        let high = self.value_of(field, true)?;
        Ok(test(Comparison::Within(low, high)))
    }

    fn variant(&mut self) -> Result<Condition, SyntaxError> {
        if self.takes("?") {
            let is_chess = Condition::Test(Test::Variant(Rules::CHESS));
            return Ok(Condition::Or(vec![is_chess.clone(), not(is_chess)]));
        }
        self.skip_blanks();
        let at = self.at;
        let is_negated = match self.operator() {
            Some((Operator::Equals, is_negated)) => is_negated,
            _ => return Err(self.error_at(at, "expected =, != or ?")),
        };
        self.skip_blanks();
        let at = self.at;
        let name = self.literal()?.text;
        let Some(rules) = Rules::by_name(name.as_bytes()) else {
            return Err(self.error_at(at, format!("no variant {name:?} is known")));
        };
        let test = Condition::Test(Test::Variant(rules));
        Ok(if is_negated { not(test) } else { test })
    }

    fn literal(&mut self) -> Result<Literal, SyntaxError> {
        self.skip_blanks();
        match self.rest().chars().next() {
            Some(quote @ ('"' | '\'')) => self.quoted(quote),
            _ => self.bare(),
        }
    }

    fn quoted(&mut self, quote: char) -> Result<Literal, SyntaxError> {
        let mut text = String::new();
        let mut chars = self.rest().char_indices().skip(1);
        while let Some((at, char)) = chars.next() {
            match char {
                '\\' => text.extend(chars.next().map(|(_, char)| char)),
                char if char == quote => {
                    self.at += at + quote.len_utf8();
                    return Ok(Literal {
                        text,
                        is_quoted: true,
                    });
                }
                char => text.push(char),
            }
        }
        Err(self.error("the quote is not closed"))
    }

    fn bare(&mut self) -> Result<Literal, SyntaxError> {
        let rest = self.rest();
        let ends = |char: char| char.is_whitespace() || "(),\"'=<>~!".contains(char);
        let end = rest.find(ends).unwrap_or(rest.len());
        let text = rest.get(..end).unwrap_or_default();
        let text = text.split("..").next().unwrap_or_default();
        if text.is_empty() {
            return Err(self.error("expected a value"));
        }
        self.at += text.len();
        Ok(Literal {
            text: text.to_owned(),
            is_quoted: false,
        })
    }
}

fn yes() -> Literal {
    Literal {
        text: "yes".to_owned(),
        is_quoted: false,
    }
}

fn not(filter: Condition) -> Condition {
    Condition::Not(Box::new(filter))
}

/// Combines the parts unless there is only one.
fn one_or(mut parts: Vec<Condition>, make: fn(Vec<Condition>) -> Condition) -> Condition {
    match (parts.len(), parts.pop()) {
        (1, Some(part)) => part,
        (_, last) => {
            parts.extend(last);
            make(parts)
        }
    }
}

#[cfg(test)]
mod tests;
