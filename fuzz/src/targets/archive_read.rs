//! Damaged archives, with and without valid checksums: reading returns the packed text or an error,
//! without a panic, a hang or memory beyond the limits.
//!
//! The input is a mode, edits, and then an archive (mode 0) or a text to pack (other modes).

use crate::archives::{Edits, NAME, all_columns, check_batch, forge, pack, small_limits, unpack};
use pgna::{Archive, Bytes, GameColumn};

pub(super) fn check(input: &[u8]) {
    let Some((mode, rest)) = input.split_first() else {
        return;
    };
    let (edits, rest) = Edits::take(rest);
    match mode % 3 {
        0 => read(rest, None),
        1 => {
            let mut archive = pack(&[(NAME, rest)], 1 << 20);
            edits.apply(&mut archive);
            read(&archive, Some(rest));
        }
        _ => {
            let archive = pack(&[(NAME, rest)], 1 << 20);
            if let Ok(forged) = forge(&archive, |content| edits.apply(content)) {
                read(&forged, Some(rest));
            }
        }
    }
}

/// Reads games, as text and as columns, and unpacks the archive. Every source has a digest, so
/// unpacking returns the text or fails.
fn read(archive: &[u8], text: Option<&[u8]>) {
    let Ok(archive) = Archive::open(Bytes(archive.to_vec()), small_limits()) else {
        return;
    };
    for number in 1..=archive.games().min(64) {
        let _ = archive.text(number);
        let _ = archive.head(number);
        let _ = archive.game(number);
    }
    for batch in archive.scan(all_columns()).flatten() {
        check_batch(&batch);
    }
    // Without the moves, another part of the decoder reads these.
    for batch in archive
        .scan([GameColumn::Clocks, GameColumn::Evals])
        .flatten()
    {
        assert_eq!(batch.columns.len(), 2);
    }
    if let (Ok(unpacked), Some(text)) = (unpack(&archive), text) {
        // Names are protected by checksums only, which are not verified while fuzzing.
        assert!(unpacked.is_only(text) || cfg!(fuzzing) && unpacked.texts().all(|t| t == text));
    }
}
