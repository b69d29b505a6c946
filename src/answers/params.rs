//! The parameters of a request.

use super::error::ApiError;
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// The longest value, in bytes.
const MAX_VALUE_BYTES: usize = 8192;

/// The parameters of a request, in their order.
#[derive(Debug, Clone)]
pub(crate) struct Params(Vec<(String, String)>);

impl Params {
    /// Reads the query of an address.
    ///
    /// # Errors
    /// A value is too long.
    pub(crate) fn read(query: &str) -> Result<Params, ApiError> {
        let params: Vec<_> = form_urlencoded::parse(query.as_bytes())
            .into_owned()
            .collect();
        let is_long = |(_, value): &&(String, String)| value.len() > MAX_VALUE_BYTES;
        match params.iter().find(is_long) {
            Some((name, _)) => {
                let message = format!("has more than {MAX_VALUE_BYTES} bytes");
                Err(ApiError::parameter(&shown(name), &message))
            }
            None => Ok(Params(params)),
        }
    }

    /// Refuses other parameters than these: a misspelt one would be silently without effect.
    pub(crate) fn only(&self, names: &[&str]) -> Result<(), ApiError> {
        let other = self
            .0
            .iter()
            .find(|(name, _)| !names.contains(&name.as_str()));
        match other {
            None => Ok(()),
            Some((name, _)) => {
                let message = match names {
                    [] => "there are no parameters here".to_owned(),
                    _ => format!("no such parameter; there are {}", names.join(", ")),
                };
                Err(ApiError::parameter(&shown(name), &message))
            }
        }
    }

    /// The value of a parameter; of several the last. An empty one counts as missing.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        let mut values = self.0.iter().rev().filter(|(other, _)| other == name);
        values
            .next()
            .map(|(_, value)| value.as_str())
            .filter(|value| !value.is_empty())
    }

    pub(crate) fn required(&self, name: &str) -> Result<&str, ApiError> {
        self.text(name)
            .ok_or_else(|| ApiError::parameter(name, &"is missing"))
    }

    /// A parsed value.
    pub(crate) fn parsed<T: FromStr<Err: Display>>(
        &self,
        name: &str,
    ) -> Result<Option<T>, ApiError> {
        let parse = |text: &str| {
            text.parse()
                .map_err(|error| ApiError::parameter(name, &error))
        };
        self.text(name).map(parse).transpose()
    }

    /// A number within a range.
    pub(crate) fn number(
        &self,
        name: &str,
        range: RangeInclusive<usize>,
        default: usize,
    ) -> Result<usize, ApiError> {
        let Some(text) = self.text(name) else {
            return Ok(default);
        };
        let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
        // A number of more digits is greater than all others, too.
        let number = is_number.then(|| text.parse().unwrap_or(usize::MAX));
        number
            .filter(|number| range.contains(number))
            .ok_or_else(|| {
                let (least, most) = range.into_inner();
                let message = match most {
                    usize::MAX => format!("is not a number from {least}"),
                    _ => format!("is not a number from {least} to {most}"),
                };
                ApiError::parameter(name, &message)
            })
    }

    /// Whether something is asked for: `1`, `true`, `yes`, `on` and their opposites.
    pub(crate) fn flag(&self, name: &str) -> Result<bool, ApiError> {
        match self.text(name).map(str::to_ascii_lowercase).as_deref() {
            None | Some("0" | "false" | "no" | "off") => Ok(false),
            Some("1" | "true" | "yes" | "on") => Ok(true),
            Some(_) => Err(ApiError::parameter(name, &"is neither true nor false")),
        }
    }

    /// A list whose items are separated by commas, or are values of the parameter each; `None` if the
    /// parameter is missing.
    pub(crate) fn list<T>(
        &self,
        name: &str,
        parse: impl Fn(&str) -> Option<T>,
        choices: &str,
    ) -> Result<Option<Vec<T>>, ApiError> {
        let values = self.0.iter().filter(|(other, _)| other == name);
        let mut items = values
            .flat_map(|(_, value)| value.split(','))
            .filter(|item| !item.is_empty())
            .peekable();
        if items.peek().is_none() {
            return Ok(None);
        }
        let item = |text: &str| {
            let message = || format!("{text:?} is not one of {choices}");
            parse(text).ok_or_else(|| ApiError::parameter(name, &message()))
        };
        items.map(item).collect::<Result<_, _>>().map(Some)
    }
}

/// A name of a parameter in a message.
fn shown(name: &str) -> String {
    let start: String = name.chars().take(40).collect();
    start.escape_debug().to_string()
}
