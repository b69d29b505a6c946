//! Hints on wrong arguments, beside those of the parser.

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, Error, ErrorKind};
use std::ffi::OsString;

/// The verbs with a filter and one argument that is no option.
const VERBS_WITH_FILTER: [&str; 3] = ["find", "tree", "stats"];

/// Adds what may be meant to an error in these arguments.
pub(super) fn add_hint(error: &mut Error, args: &[OsString]) {
    if let Some(hint) = hint(error, args) {
        let hints = ContextValue::StyledStrs(vec![StyledStr::from(hint)]);
        error.insert(ContextKind::Suggested, hints);
    }
}

fn hint(error: &Error, args: &[OsString]) -> Option<&'static str> {
    let Some(ContextValue::String(argument)) = error.get(ContextKind::InvalidArg) else {
        return None;
    };
    let mut verbs = VERBS_WITH_FILTER.iter();
    match error.kind() {
        ErrorKind::ArgumentConflict if argument.starts_with("--where") => {
            Some("one filter holds all conditions: join them with `and`")
        }
        ErrorKind::UnknownArgument
            if !argument.starts_with('-')
                && verbs.any(|verb| args.iter().any(|arg| arg == verb)) =>
        {
            Some("a condition on games is given with -w: -w 'player ~ morphy'")
        }
        _ => None,
    }
}
