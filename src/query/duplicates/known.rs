//! What values of tags say, in a form in which equal things are equal; `None` if they say nothing.

/// Names of players that are not known, by their letters.
const UNKNOWN_PLAYERS: [&str; 4] = ["", "nn", "unknown", "anonymous"];

/// Whether a name, of which only letters and digits are given, is that of a player.
pub(super) fn is_player(letters: &str) -> bool {
    !UNKNOWN_PLAYERS.contains(&letters)
}

/// A value as it is, unless it is empty or stands for an unknown one, as `?`, `-`, `*` and
/// `????.??.??` do.
pub(super) fn word(value: &str) -> Option<String> {
    let value = value.trim();
    says_something(value.as_bytes()).then(|| value.to_owned())
}

/// Whether a value is neither empty nor one that stands for an unknown one.
pub(super) fn says_something(value: &[u8]) -> bool {
    let stands_for_nothing = |byte: &u8| b"?-*.: ".contains(byte);
    !value.iter().all(stands_for_nothing)
}

/// The number of a round or a board: what is before the first dot. `3`, `03` and `3.1` are the
/// same.
pub(super) fn number(value: &str) -> Option<String> {
    let first = word(value.split('.').next().unwrap_or_default())?.to_lowercase();
    Some(match first.trim_start_matches('0') {
        "" => "0".to_owned(),
        number => number.to_owned(),
    })
}

/// A time of day, without fractions of a second.
pub(super) fn time(value: &str) -> Option<String> {
    word(value.split('.').next().unwrap_or_default())
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
