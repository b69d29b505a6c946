//! Comparing text without regard to case and accents.

use caseless::Caseless;
use std::borrow::Cow;
use unicode_normalization::UnicodeNormalization;

/// The combining marks of Latin, Greek and Cyrillic letters. Marks of other scripts, such as the
/// vowels of Devanagari, are letters of their words.
const ACCENTS: std::ops::RangeInclusive<char> = '\u{300}'..='\u{36f}';

/// A text in the form in which texts are compared: case is folded as Unicode says, accents are left
/// out, and letters with a stroke and ligatures are those that English writes for them.
pub(crate) fn fold(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return match text.bytes().any(|byte| byte.is_ascii_uppercase()) {
            true => Cow::Owned(text.to_ascii_lowercase()),
            false => Cow::Borrowed(text),
        };
    }
    let letters = text.nfd().filter(|char| !ACCENTS.contains(char));
    let mut folded = String::with_capacity(text.len());
    for letter in letters.default_case_fold() {
        match without_stroke(letter) {
            Some(letters) => folded.push_str(letters),
            None => folded.push(letter),
        }
    }
    Cow::Owned(folded)
}

/// The letters for one that Unicode does not decompose, as names are written without it.
fn without_stroke(letter: char) -> Option<&'static str> {
    Some(match letter {
        'ø' => "o",
        'ł' => "l",
        'đ' | 'ð' => "d",
        'ħ' => "h",
        'ŧ' => "t",
        'ı' => "i",
        'þ' => "th",
        'æ' => "ae",
        'œ' => "oe",
        '‘' | '’' | 'ʼ' => "'",
        _ => return None,
    })
}

/// Whether a text contains another, which is folded.
pub(crate) fn holds(text: &str, folded: &str) -> bool {
    if !text.is_ascii() {
        return fold(text).contains(folded);
    }
    // Most values are ASCII, which can be searched without a copy.
    let Some((first, rest)) = folded.as_bytes().split_first() else {
        return true;
    };
    let text = text.as_bytes();
    let mut starts = memchr::memchr2_iter(*first, first.to_ascii_uppercase(), text);
    starts.any(|start| {
        let end = start + 1 + rest.len();
        let there = text.get(start + 1..end).unwrap_or_default();
        there.eq_ignore_ascii_case(rest)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn names_are_equal_as_people_write_them() {
        for (name, as_written) in [
            ("NÄSS", "nass"),
            ("na\u{308}ss", "Näss"),
            ("Ståhlberg", "stahlberg"),
            ("Ftáčnik", "FTACNIK"),
            ("Weiß", "WEISS"),
            ("Ólafsson, Friðrik", "olafsson, fridrik"),
            ("Wojtkiewicz, Łukasz", "wojtkiewicz, lukasz"),
            ("Øgaard", "ogaard"),
            ("Ærø", "aero"),
            ("İstanbul", "istanbul"),
            ("Таль, Михаил", "ТАЛЬ, МИХАИЛ"),
            ("Алёхин", "алехин"),
            ("Σίσυφος", "ΣΊΣΥΦΟΣ"),
            ("O’Kelly", "o'kelly"),
        ] {
            assert_eq!(fold(name), fold(as_written), "{name}");
        }
        assert_ne!(fold("ガ"), fold("カ"));
    }

    #[test]
    fn parts_are_found() {
        for (text, part) in [
            ("Carlsen, Magnus", "carlsen"),
            ("GRÜNFELD", "grünfeld"),
            ("GRÜNFELD", "grunfeld"),
            ("plain", "lai"),
            ("Aab", "aB"),
            ("x", ""),
            ("", ""),
        ] {
            assert!(holds(text, &fold(part)), "{text} {part}");
        }
        for absent in ["x", "in ", "plains", "PLAINS", "i n"] {
            assert!(!holds("plain", &fold(absent)), "{absent}");
        }
    }

    proptest! {
        #[test]
        fn folding_twice_is_folding_once(text: String) {
            let folded = fold(&text).into_owned();
            prop_assert_eq!(fold(&folded), folded.as_str());
        }

        #[test]
        fn ascii_is_searched_as_other_text(text in "[ -~]{0,12}", part in "[ -~]{0,3}") {
            let part = fold(&part);
            prop_assert_eq!(holds(&text, &part), fold(&text).contains(&*part));
        }
    }
}
