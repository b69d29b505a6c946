//! A cursor in the text of an expression.

use crate::query::parse::SyntaxError;

#[derive(Debug, Clone)]
pub(super) struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str) -> Cursor<'a> {
        Cursor { text, at: 0 }
    }

    pub(super) fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// The place of the next token.
    pub(super) fn place(&mut self) -> usize {
        self.at = self.text.len() - self.rest().trim_start().len();
        self.at
    }

    /// Goes back to a place.
    pub(super) fn go_to(&mut self, at: usize) {
        self.at = at;
    }

    /// An error at the next token.
    pub(super) fn error(&mut self, message: impl Into<String>) -> SyntaxError {
        let at = self.place();
        self.error_at(at, message)
    }

    pub(super) fn error_at(&self, at: usize, message: impl Into<String>) -> SyntaxError {
        let before = self.text.get(..at).unwrap_or_default();
        SyntaxError {
            at: before.chars().count(),
            message: message.into(),
        }
    }

    /// Takes a sign if it is next.
    pub(super) fn takes(&mut self, sign: &str) -> bool {
        self.place();
        let is_here = self.rest().starts_with(sign);
        if is_here {
            self.at += sign.len();
        }
        is_here
    }

    /// Takes the characters up to the first that ends a token, which may be none.
    fn take_until(&mut self, ends: impl Fn(char) -> bool) -> &'a str {
        self.place();
        let rest = self.rest();
        let end = rest.find(ends).unwrap_or(rest.len());
        self.at += end;
        rest.get(..end).unwrap_or_default()
    }

    /// Takes a word of letters, digits and hyphens, which may be empty.
    pub(super) fn word(&mut self) -> &'a str {
        self.take_until(|char| !(char.is_alphanumeric() || char == '-' || char == '_'))
    }

    /// Takes a keyword if it is next.
    pub(super) fn takes_word(&mut self, keyword: &str) -> bool {
        let at = self.place();
        let is_here = self.word().eq_ignore_ascii_case(keyword);
        if !is_here {
            self.go_to(at);
        }
        is_here
    }

    /// Takes the text of a set of pieces or squares.
    pub(super) fn set_text(&mut self) -> &'a str {
        self.take_until(|char| !(char.is_alphanumeric() || "-[],".contains(char)))
    }

    /// Takes an argument: a quoted text, or all up to a blank or parenthesis.
    pub(super) fn argument(&mut self) -> Result<&'a str, SyntaxError> {
        self.place();
        let quote = self
            .rest()
            .chars()
            .next()
            .filter(|first| matches!(first, '"' | '\''));
        let Some(quote) = quote else {
            let text = self.take_until(|char| char.is_whitespace() || "()\"'".contains(char));
            return match text {
                "" => Err(self.error("expected a text")),
                text => Ok(text),
            };
        };
        let inner = self.rest().get(1..).unwrap_or_default();
        let Some((text, _)) = inner.split_once(quote) else {
            return Err(self.error("the quote is not closed"));
        };
        self.at += text.len() + 2;
        Ok(text)
    }

    /// Takes a number.
    pub(super) fn number(&mut self) -> Result<u32, SyntaxError> {
        let at = self.place();
        let digits = self.take_until(|char| !char.is_ascii_digit());
        digits
            .parse()
            .map_err(|_| self.error_at(at, "expected a number"))
    }

    /// Takes a number that is not 0.
    pub(super) fn positive(&mut self) -> Result<u32, SyntaxError> {
        let at = self.place();
        match self.number()? {
            0 => Err(self.error_at(at, "expected a number from 1")),
            number => Ok(number),
        }
    }
}
