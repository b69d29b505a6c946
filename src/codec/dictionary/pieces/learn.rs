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
    while spelled.len() < MAX_PIECES {
        let join = |(left, right): (u8, u8)| {
            let part = |number: u8| spelled.get(usize::from(number)).cloned();
            Some([part(left)?, part(right)?].concat())
        };
        let counts = count_pairs(&sequence, spelled.len());
        let fits = |pair: (u8, u8)| {
            join(pair)
                .is_some_and(|piece| piece.len() <= MAX_PIECE_BYTES && !taken.contains(&piece))
        };
        let best = most_frequent_pair(&counts, spelled.len(), fits);
        let Some((pair, piece)) = best.and_then(|pair| Some((pair, join(pair)?))) else {
            break;
        };
        let number = u16::try_from(spelled.len()).unwrap_or(BREAK);
        replace(&mut sequence, pair, number);
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

/// The number of occurrences of each pair of adjacent pieces, at left × pieces +
/// right.
fn count_pairs(sequence: &[u16], pieces: usize) -> Vec<u32> {
    let mut counts = vec![0; pieces * pieces];
    for two in sequence.windows(2) {
        if let [left, right] = *two
            && left != BREAK
            && right != BREAK
            && let Some(count) = counts.get_mut(usize::from(left) * pieces + usize::from(right))
        {
            *count += 1;
        }
    }
    counts
}

/// The most frequent pair for which `fits` holds; the first of several.
fn most_frequent_pair(
    counts: &[u32],
    pieces: usize,
    fits: impl Fn((u8, u8)) -> bool,
) -> Option<(u8, u8)> {
    let mut best = None;
    let mut most = MIN_PAIR_COUNT - 1;
    for (left, counts) in (0..=u8::MAX).zip(counts.chunks(pieces.max(1))) {
        for (right, count) in (0..=u8::MAX).zip(counts) {
            if *count > most && fits((left, right)) {
                (best, most) = (Some((left, right)), *count);
            }
        }
    }
    best
}

fn replace(sequence: &mut Vec<u16>, (left, right): (u8, u8), number: u16) {
    let (left, right) = (u16::from(left), u16::from(right));
    let mut out = Vec::with_capacity(sequence.len());
    let mut rest = sequence.as_slice();
    while let [first, after @ ..] = rest {
        if *first == left && after.first() == Some(&right) {
            out.push(number);
            rest = after.get(1..).unwrap_or_default();
        } else {
            out.push(*first);
            rest = after;
        }
    }
    *sequence = out;
}
