//! Parts of other archives and of older states, each valid by itself.

use super::judge::{Original, Outcome, Tally};
use super::samples::halves;
use anyhow::Result;
use pgna::internals::container::Container;
use pgna::{Bytes, Limits};
use std::ops::Range;

/// The ranges of the blocks of an archive.
fn blocks(archive: &[u8]) -> Result<Vec<Range<usize>>> {
    let (container, _) = Container::open(Bytes(archive), Limits::default())?;
    let mut blocks = Vec::new();
    for number in 0..container.segments().len() {
        let segment = container.segment(number)?;
        let start = segment.entry().offset;
        for block in segment.index().blocks() {
            let start = usize::try_from(start + block.offset)?;
            blocks.push(start..start + usize::try_from(block.section_bytes())?);
        }
    }
    Ok(blocks)
}

/// The one forgery that is not read.
const UNREAD: &str = "the newest state as generation 1 in the older slot";

/// Reads a forgery that differs from the original. If nothing is detected, it
/// is silent.
fn judge(original: &Original<'_>, undamaged: &[u8], forged: &[u8], what: &str) -> Tally {
    if forged == undamaged {
        return Tally::default();
    }
    let outcome = original.judge(Bytes(forged));
    match (outcome, what == UNREAD) {
        (Outcome::Same, false) => {
            eprintln!("read without a word: {what}");
            Tally::of(Outcome::Silent)
        }
        _ => Tally::of(outcome),
    }
}

pub(crate) fn run() -> Result<Tally> {
    let [first, second, both] = halves()?;
    let mut tally = Tally::default();
    for (archive, other) in [(&first, &second), (&second, &first), (&first, &first)] {
        tally += spliced(archive, other)?;
    }
    tally += replayed(&first, &both)?;
    tally += equal_generations(&first, &both)?;
    Ok(tally)
}

/// Replaces each block by each block of another archive or of the same.
fn spliced(archive: &[u8], other: &[u8]) -> Result<Tally> {
    let original = Original::new(archive)?;
    let mut tally = Tally::default();
    for to in blocks(archive)? {
        for from in blocks(other)? {
            let spliced = [&archive[..to.start], &other[from], &archive[to.end..]].concat();
            // With another total length, and cut or padded to the same.
            let mut fitted = spliced[..to.end.min(spliced.len())].to_vec();
            fitted.resize(to.end, 0);
            fitted.extend_from_slice(&archive[to.end..]);
            for forged in [spliced, fitted] {
                tally += judge(
                    &original,
                    archive,
                    &forged,
                    "a block in the place of another",
                );
            }
        }
    }
    Ok(tally)
}

/// Parts of the state before an append, in the archive after it.
fn replayed(before: &[u8], after: &[u8]) -> Result<Tally> {
    let original = Original::new(after)?;
    let mut tally = Tally::default();
    let slots = 16..80;
    for part in [16..48, 48..80, slots] {
        let mut forged = after.to_vec();
        forged[part.clone()].copy_from_slice(&before[part]);
        tally += judge(&original, after, &forged, "an older slot");
    }
    // The old file with the slots of the new one, and the new file cut at the
    // end of the old one.
    let mut forged = before.to_vec();
    forged[16..80].copy_from_slice(&after[16..80]);
    tally += judge(&original, after, &forged, "newer slots");
    tally += judge(&original, after, &after[..before.len()], "newer slots, cut");
    Ok(tally)
}

/// Two valid slots, or footers, with the same generation.
fn equal_generations(first: &[u8], both: &[u8]) -> Result<Tally> {
    let original = Original::new(both)?;
    let slot = original.container.commit_slot();
    let other = pgna::internals::container::CommitSlot {
        generation: 1,
        ..slot
    };
    let mut tally = Tally::default();
    // The second state as if it were the first, in either slot.
    for (place, what) in [
        (16, UNREAD),
        (48, "the newest state as generation 1 in its slot"),
    ] {
        let mut forged = both.to_vec();
        forged[place..place + 32].copy_from_slice(&other.encode());
        tally += judge(&original, both, &forged, what);
    }
    // The footers of the first state after the second.
    let copy = usize::try_from(Original::new(first)?.container.commit_slot().copy_offset)?;
    let mut forged = both.to_vec();
    forged.extend_from_slice(&first[copy..]);
    forged[16..80].fill(0);
    tally += judge(&original, both, &forged, "an older footer after the newest");
    Ok(tally)
}
