//! Proposing shapes for the texts of a field.

use super::super::shape::TextShape;
use std::collections::BTreeMap;

/// `Text`, and the shapes that parse more than half of the texts, weighted by
/// how often each occurs.
pub(super) fn shapes(texts: &[(&[u8], u32)]) -> Vec<TextShape> {
    let all = total_count(texts, |_| true);
    let fits = |shape: &TextShape| 2 * total_count(texts, |text| shape.parse(text).is_some()) > all;
    let mut shapes = vec![TextShape::Text];
    shapes.extend(candidates(texts).into_iter().filter(fits));
    shapes
}

fn total_count(texts: &[(&[u8], u32)], counts: impl Fn(&[u8]) -> bool) -> u64 {
    let counted = texts.iter().filter(|(text, _)| counts(text));
    counted.map(|(_, count)| u64::from(*count)).sum()
}

fn candidates(texts: &[(&[u8], u32)]) -> Vec<TextShape> {
    let mut candidates = vec![TextShape::Time];
    let separators = [b'.', b'-', b'/'].map(TextShape::Date);
    candidates.extend(separators);
    let before_digits = |text: &[u8]| {
        text.iter()
            .rposition(|b| !b.is_ascii_digit())
            .map_or(0, |at| at + 1)
    };
    let decimal = most_frequent_prefix(texts, |text| text.split_at_checked(before_digits(text)));
    candidates.extend(decimal.map(TextShape::Decimal));
    let code = most_frequent_prefix(texts, |text| {
        text.split_at_checked(text.len().checked_sub(8)?)
    });
    candidates.extend(code.map(TextShape::Code));
    if total_count(texts, |text| text.contains(&b'.')) > 0 {
        candidates.push(TextShape::Round);
    }
    candidates
}

/// The most frequent first part of the texts that `cut` splits, if the second
/// part is not empty.
fn most_frequent_prefix<'a>(
    texts: &[(&'a [u8], u32)],
    cut: impl Fn(&'a [u8]) -> Option<(&'a [u8], &'a [u8])>,
) -> Option<Vec<u8>> {
    let mut prefixes: BTreeMap<&[u8], u64> = BTreeMap::new();
    for (text, count) in texts {
        if let Some((prefix, rest)) = cut(text)
            && !rest.is_empty()
            && prefix.len() <= 255
        {
            *prefixes.entry(prefix).or_default() += u64::from(*count);
        }
    }
    let most = prefixes.into_iter().rev().max_by_key(|(_, count)| *count)?;
    Some(most.0.to_vec())
}
