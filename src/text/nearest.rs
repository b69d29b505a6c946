//! Names that may have been meant by a misspelt one.

use super::fold::fold;

/// The name that is nearest to a misspelt one, if at most a third of its letters differ; of equally
/// near names the first.
pub(crate) fn nearest<'n>(
    misspelt: &str,
    names: impl IntoIterator<Item = &'n str>,
) -> Option<&'n str> {
    let folded = fold(misspelt);
    let most = folded.chars().count() / 3;
    let names = names.into_iter();
    let distances = names.map(|name| (distance(&folded, &fold(name)), name));
    let near = distances.filter(|(distance, _)| *distance <= most);
    near.min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

/// ` (did you mean NAME?)`, if a name is near to a misspelt one; else nothing.
pub(crate) fn hint<'n>(misspelt: &str, names: impl IntoIterator<Item = &'n str>) -> String {
    let name = nearest(misspelt, names);
    name.map_or_else(String::new, |name| format!(" (did you mean {name}?)"))
}

/// The least number of letters that are inserted, removed or replaced to get from one text to the
/// other.
fn distance(a: &str, b: &str) -> usize {
    // The distances of the letters of `a` so far from each beginning of `b`.
    let mut row: Vec<usize> = (0..=b.chars().count()).collect();
    for (at, of_a) in a.chars().enumerate() {
        let (mut diagonal, mut left) = (at, at + 1);
        let mut cells = row.iter_mut();
        if let Some(first) = cells.next() {
            *first = left;
        }
        for (cell, of_b) in cells.zip(b.chars()) {
            let replaced = diagonal + usize::from(of_a != of_b);
            diagonal = *cell;
            left = replaced.min(left + 1).min(diagonal + 1);
            *cell = left;
        }
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_least_numbers_of_edits() {
        for (a, b, expected) in [
            ("", "", 0),
            ("", "abc", 3),
            ("abc", "", 3),
            ("kitten", "sitting", 3),
            ("flaw", "lawn", 2),
            ("isolted", "isolated", 1),
        ] {
            assert_eq!(distance(a, b), expected, "{a} {b}");
            assert_eq!(distance(b, a), expected, "{b} {a}");
        }
    }

    #[test]
    fn a_name_is_near_if_few_letters_differ() {
        let names = ["WhiteElo", "BlackElo", "has", "not"];
        for (misspelt, expected) in [
            ("whitelo", Some("WhiteElo")),
            ("BlakcElo", Some("BlackElo")),
            ("haz", Some("has")),
            ("hz", None),
            ("Opening", None),
            ("", None),
        ] {
            assert_eq!(nearest(misspelt, names), expected, "{misspelt}");
        }
        assert_eq!(hint("nit", names), " (did you mean not?)");
        assert_eq!(hint("x", names), "");
    }
}
