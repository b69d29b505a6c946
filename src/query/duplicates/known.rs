//! What values of tags say, in a form in which equal things are equal; `None` if they say nothing.

use crate::query::tree::outcome;

/// Names of players that are not known, by their letters.
const UNKNOWN_PLAYERS: [&str; 5] = ["", "nn", "nnnn", "unknown", "anonymous"];

/// Whether a name, of which only letters and digits are given, is that of a player.
pub(super) fn is_player(letters: &str) -> bool {
    !UNKNOWN_PLAYERS.contains(&letters)
}

/// A value as it is, unless it is empty or means an unknown one, as `?`, `-`, `*` and
/// `????.??.??` do.
pub(super) fn word(value: &str) -> Option<String> {
    let value = value.trim();
    says_something(value.as_bytes()).then(|| value.to_owned())
}

/// Whether a value is neither empty nor one that means an unknown one.
pub(super) fn says_something(value: &[u8]) -> bool {
    let means_nothing = |byte: &u8| b"?-*.: ".contains(byte);
    !value.iter().all(means_nothing)
}

/// The number of a round or a board: what is before the first dot. `3`, `03` and `3.1` are the
/// same.
pub(super) fn number(value: &str) -> Option<String> {
    without_zeros(value.split('.').next()?)
}

/// The part of a round, such as the game of a match: what is after the first dot.
pub(super) fn part(value: &str) -> Option<String> {
    number(value)?;
    without_zeros(value.split_once('.')?.1)
}

/// A word in lower case, without zeros at its start.
fn without_zeros(value: &str) -> Option<String> {
    let first = word(value)?.to_lowercase();
    Some(match first.trim_start_matches('0') {
        "" => "0".to_owned(),
        number => number.to_owned(),
    })
}

/// A result that is none of those of PGN.
pub(super) fn malformed_result(value: &str) -> Option<String> {
    word(value).filter(|value| outcome(value).is_none())
}

/// A time of day, without fractions of a second.
pub(super) fn time(value: &str) -> Option<String> {
    match value.split_once('.') {
        Some((time, _)) if time.contains(':') => word(time),
        _ => word(value),
    }
}

/// The address of a game: a URL with a path, without scheme and fragment. A URL of a host alone is
/// that of a place, as `London` is.
pub(super) fn address(value: &str) -> Option<String> {
    let (scheme, rest) = value.trim().split_once("://")?;
    if !["http", "https"]
        .map(|known| scheme.eq_ignore_ascii_case(known))
        .contains(&true)
    {
        return None;
    }
    let rest = rest.split('#').next().unwrap_or_default();
    let (host, path) = rest.trim_end_matches('/').split_once('/')?;
    let host = host.to_ascii_lowercase();
    let host = host.strip_prefix("www.").unwrap_or(&host);
    Some(format!("{host}/{path}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Asserts that all values of a line say the same, and those of two lines do not.
    fn assert_classes(known: fn(&str) -> Option<String>, classes: &[&[&str]]) {
        for (at, class) in classes.iter().enumerate() {
            let first = known(class[0]).unwrap();
            for value in *class {
                assert_eq!(known(value).as_ref(), Some(&first), "{value}");
            }
            for other in &classes[at + 1..] {
                assert_ne!(known(other[0]), Some(first.clone()), "{}", other[0]);
            }
        }
    }

    #[test]
    fn rounds_are_compared_before_the_first_dot() {
        assert_classes(
            number,
            &[
                &["1", "1.3", "01", " 1 "],
                &["2"],
                &["10"],
                &["Final", "final"],
            ],
        );
        assert!(
            ["", "?", "-", " ", "?.1"]
                .iter()
                .all(|value| number(value).is_none())
        );
        assert_eq!(number("0").as_deref(), Some("0"));
    }

    #[test]
    fn parts_of_rounds_are_after_the_first_dot() {
        assert_classes(part, &[&["1.3", "2.03"], &["1.1"], &["1.3.1"]]);
        assert!(
            ["1", "1.", "1.?", "?.1", ""]
                .iter()
                .all(|value| part(value).is_none())
        );
    }

    #[test]
    fn fractions_of_seconds_do_not_count() {
        assert_classes(
            time,
            &[&["10:30:00", "10:30:00.5"], &["10.30.00"], &["10.45.00"]],
        );
    }

    #[test]
    fn results_that_are_malformed_say_something() {
        assert_classes(malformed_result, &[&["1-0 ff"], &["0-1 ff"]]);
        assert!(
            ["1-0", "1/2-1/2", "*", "?", ""]
                .iter()
                .all(|value| malformed_result(value).is_none())
        );
    }

    #[test]
    fn addresses_are_those_of_games() {
        assert_classes(
            address,
            &[
                &[
                    "https://lichess.org/abcd1234",
                    "http://www.lichess.org/abcd1234/",
                    "https://LICHESS.org/abcd1234#20",
                ],
                &["https://lichess.org/ABCD1234"],
                &["https://example.com/show.cgi?ID=1"],
                &["https://example.com/show.cgi?ID=2"],
            ],
        );
        for place in [
            "London",
            "London ENG",
            "",
            "?",
            "https://lichess.org/",
            "Chess.com",
            "a://b/c",
        ] {
            assert_eq!(address(place), None, "{place}");
        }
    }

    #[test]
    fn some_values_say_nothing() {
        for value in ["", "?", "-", "*", "????.??.??", "??:??:??", " "] {
            assert!(!says_something(value.as_bytes()), "{value}");
        }
        for value in ["0", "1-0", "2010.??.??", "A"] {
            assert!(says_something(value.as_bytes()), "{value}");
        }
        assert!(!is_player("nn") && is_player("nnamdi"));
    }
}
