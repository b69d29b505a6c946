//! Recovery of damaged archives and of arbitrary bytes: no panic, no hang, no memory beyond the
//! limits. Undamaged archives are recovered completely; recovered text is always packed text.
//!
//! The input is a mode, edits, and then an archive (mode 0) or a text to pack (modes 1 and 2).
//! Modes 3 to 5 are the same with checksums verified while fuzzing.

use crate::archives::{CountedChecksums, Edits, NAME, Unpacked, pack, small_limits, unpack};
use pgna::{Archive, Bytes, Recovery, RecoveryReport};

pub(super) fn check(input: &[u8]) {
    let Some((mode, rest)) = input.split_first() else {
        return;
    };
    let is_strict = mode / 3 % 2 == 1;
    let _checksums = is_strict.then(CountedChecksums::new);
    let (edits, rest) = Edits::take(rest);
    if mode % 3 == 0 {
        let mut archive = rest.to_vec();
        edits.apply(&mut archive);
        let _ = recover(&archive);
        return;
    }
    let mut archive = pack(&[(NAME, rest)], 1 << 12);
    edits.apply(&mut archive);
    if mode % 3 == 2 {
        // Header and slots, which lead to the footer, are erased.
        archive[..80].fill(0);
    }
    let Some((recovery, unpacked)) = recover(&archive) else {
        return;
    };
    let recovered_bytes: u64 = unpacked.0.iter().map(|(_, text)| text.len() as u64).sum();
    assert_eq!(recovered_bytes, recovery.bytes);
    if edits.is_empty() {
        assert!(recovery.is_complete());
        assert!(unpacked.is_only(rest));
    } else if is_strict || !cfg!(fuzzing) {
        assert!(unpacked.0.iter().all(|(_, text)| is_part(text, rest)));
        assert!(!recovery.is_complete() || rest.is_empty() || unpacked.is_only(rest));
    }
}

/// Whether `part` is a subsequence of `whole`.
fn is_part(part: &[u8], whole: &[u8]) -> bool {
    let mut whole = whole.iter();
    part.iter().all(|byte| whole.any(|other| other == byte))
}

/// The report of the recovery, and the sources of the recovered archive.
fn recover(archive: &[u8]) -> Option<(RecoveryReport, Unpacked)> {
    let damaged = Recovery::open(Bytes(archive.to_vec()), small_limits()).ok()?;
    let written = damaged.write_recovered(Vec::new(), None, |_| ());
    let (mut good, slot, recovery) = written.expect("what is decoded is written");
    slot.write_to(&mut good);
    let good = Archive::new(good).expect("a whole archive");
    let unpacked = unpack(&good).expect("every source is proven");
    Some((recovery, unpacked))
}
