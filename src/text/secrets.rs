//! Addresses without the names and passwords of their users, for messages.

use std::borrow::Cow;

/// A text whose URLs lack the names and passwords of users: `https://ann:secret@example.org/` is
/// shown as `https://example.org/`. For messages, which reach logs.
///
/// The name of a container that is before an `@`, as in `az://games@account/a.pgna`, remains.
pub fn without_secrets(text: &str) -> Cow<'_, str> {
    let mut shown = String::new();
    let mut left = text;
    while let Some((before, after)) = left.split_once("://") {
        let end = after.find(|c: char| is_end(c)).unwrap_or(after.len());
        let (authority, rest) = after.split_at(end);
        shown.push_str(before);
        shown.push_str("://");
        shown.push_str(without_user(authority, is_web(before)));
        left = rest;
    }
    match shown.is_empty() {
        true => Cow::Borrowed(text),
        false => Cow::Owned(shown + left),
    }
}

/// Whether the name of the server, its port and its user end here.
fn is_end(c: char) -> bool {
    matches!(c, '/' | '?' | '#' | '"' | '\'' | '`') || c.is_whitespace()
}

/// Whether a text ends with the scheme of web servers.
fn is_web(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    text.ends_with("http") || text.ends_with("https")
}

/// The part after the user. A user without a password may be a token, on web servers only.
fn without_user(authority: &str, is_web: bool) -> &str {
    match authority.rsplit_once('@') {
        Some((user, host)) if is_web || user.contains(':') => host,
        _ => authority,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn users_and_passwords_are_left_out() {
        for (text, shown) in [
            (
                "https://ann:secret@example.org/a.pgna",
                "https://example.org/a.pgna",
            ),
            (
                "HTTP://token@example.org:80: no",
                "HTTP://example.org:80: no",
            ),
            (
                "opening http://a:p@ss@h/x: and s3://k:s@b",
                "opening http://h/x: and s3://b",
            ),
            ("az://games@account/a.pgna", "az://games@account/a.pgna"),
            (
                "https://example.org/@/ann?to=a@b",
                "https://example.org/@/ann?to=a@b",
            ),
            ("games.pgna: no such file", "games.pgna: no such file"),
            ("a://", "a://"),
            ("", ""),
        ] {
            assert_eq!(without_secrets(text), shown);
        }
    }
}
