//! Learning the pieces of strings by byte pair encoding: the most frequent pair of
//! adjacent pieces is repeatedly joined into one (Gage, *A new algorithm for data
//! compression*, 1994).

use super::recipe::{MAX_PIECE_BYTES, MAX_PIECES, Recipe};
use std::collections::BTreeSet;

/// The minimum count of a pair. A rarer one costs more than it saves.
const MIN_PAIR_COUNT: u32 = 4;

/// The approximate size of the sample of text, in bytes.
const SAMPLE_BYTES: usize = 1 << 18;

/// The separator of texts.
const BREAK: u16 = u16::MAX;

/// Learns the pieces of these texts; the most frequent pairs come first. Returns
/// `None` if the texts contain too many distinct byte values.
pub(super) fn learn(texts: &[&[u8]]) -> Option<Recipe> {
    let used: BTreeSet<u8> = texts.iter().copied().flatten().copied().collect();
    if used.len() > MAX_PIECES {
        return None;
    }
    let bytes: Vec<u8> = used.into_iter().collect();
    let mut sequence = sample(texts, &bytes);
    let mut recipe = Recipe {
        bytes,
        pairs: Vec::new(),
    };
    let mut spelled = recipe.piece_bytes().ok()?;
    let mut taken: BTreeSet<Vec<u8>> = spelled.iter().cloned().collect();
    let mut counts = PairCounts::of(&sequence);
    while spelled.len() < MAX_PIECES {
        let join = |(left, right): (u8, u8)| {
            let part = |number: u8| spelled.get(usize::from(number)).cloned();
            Some([part(left)?, part(right)?].concat())
        };
        let fits = |pair: (u8, u8)| {
            join(pair)
                .is_some_and(|piece| piece.len() <= MAX_PIECE_BYTES && !taken.contains(&piece))
        };
        let best = counts.most_frequent(spelled.len(), fits);
        let Some((pair, piece)) = best.and_then(|pair| Some((pair, join(pair)?))) else {
            break;
        };
        let number = u16::try_from(spelled.len()).unwrap_or(BREAK);
        replace(&mut sequence, pair, number, &mut counts);
        taken.insert(piece.clone());
        spelled.push(piece);
        recipe.pairs.push(pair);
    }
    Some(recipe)
}

/// The numbers of the one-byte pieces of a sample, with a break after each text.
fn sample(texts: &[&[u8]], bytes: &[u8]) -> Vec<u16> {
    let size: usize = texts.iter().map(|text| text.len()).sum();
    let mut out = Vec::new();
    for text in texts.iter().step_by(1 + size / SAMPLE_BYTES) {
        let numbers = text
            .iter()
            .map(|byte| bytes.partition_point(|other| other < byte));
        out.extend(numbers.map(|number| u16::try_from(number).unwrap_or(BREAK)));
        out.push(BREAK);
    }
    out
}

/// The number of occurrences of each pair of adjacent pieces, at left × [`MAX_PIECES`]
/// + right.
struct PairCounts(Vec<u32>);

impl PairCounts {
    fn of(sequence: &[u16]) -> PairCounts {
        let mut counts = PairCounts(vec![0; MAX_PIECES * MAX_PIECES]);
        for two in sequence.windows(2) {
            if let [left, right] = *two {
                counts.add(left, right);
            }
        }
        counts
    }

    fn add(&mut self, left: u16, right: u16) {
        if let Some(count) = self.count(left, right) {
            *count += 1;
        }
    }

    fn remove(&mut self, left: u16, right: u16) {
        if let Some(count) = self.count(left, right) {
            *count = count.saturating_sub(1);
        }
    }

    /// The count of a pair; `None` if a break is in it.
    fn count(&mut self, left: u16, right: u16) -> Option<&mut u32> {
        let are_pieces = left != BREAK && right != BREAK;
        let at = usize::from(left) * MAX_PIECES + usize::from(right);
        self.0.get_mut(at).filter(|_| are_pieces)
    }

    /// The most frequent pair of the first `pieces` pieces for which `fits` holds; the
    /// first of several.
    fn most_frequent(&self, pieces: usize, fits: impl Fn((u8, u8)) -> bool) -> Option<(u8, u8)> {
        let mut best = None;
        let mut most = MIN_PAIR_COUNT - 1;
        for (left, counts) in (0..=u8::MAX).zip(self.0.chunks(MAX_PIECES).take(pieces)) {
            for (right, count) in (0..=u8::MAX).zip(counts.iter().take(pieces)) {
                if *count > most && fits((left, right)) {
                    (best, most) = (Some((left, right)), *count);
                }
            }
        }
        best
    }
}

/// Replaces each occurrence of a pair by the piece with this number, and counts the pairs
/// that this changes again.
fn replace(sequence: &mut Vec<u16>, pair: (u8, u8), number: u16, counts: &mut PairCounts) {
    let (left, right) = (u16::from(pair.0), u16::from(pair.1));
    let mut out = Vec::with_capacity(sequence.len());
    let mut is_after_pair = false;
    let mut rest = sequence.as_slice();
    while let [first, after @ ..] = rest {
        let before = out.last().copied().unwrap_or(BREAK);
        if *first == left && after.first() == Some(&right) {
            if !is_after_pair {
                counts.remove(before, left);
            }
            counts.remove(left, right);
            counts.remove(right, after.get(1).copied().unwrap_or(BREAK));
            counts.add(before, number);
            out.push(number);
            rest = after.get(1..).unwrap_or_default();
            is_after_pair = true;
        } else {
            if is_after_pair {
                counts.add(number, *first);
            }
            out.push(*first);
            rest = after;
            is_after_pair = false;
        }
    }
    *sequence = out;
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn counts_after_a_replacement_are_those_of_the_new_sequence(
            mut sequence in prop::collection::vec(prop_oneof![0..3u16, Just(BREAK)], 0..40),
            pair in (0..3u8, 0..3u8),
        ) {
            let mut counts = PairCounts::of(&sequence);
            replace(&mut sequence, pair, 3, &mut counts);
            prop_assert_eq!(counts.0, PairCounts::of(&sequence).0);
        }
    }
}
