//! Truncated archives.

use super::*;
use pgna::internals::container::RecoveryScan;
use std::collections::BTreeSet;

/// The start and end offsets of the blocks that a scan finds.
fn found(bytes: &[u8]) -> BTreeSet<(u64, u64)> {
    let Ok(recovery) = RecoveryScan::of(Bytes(bytes), Limits::default()) else {
        return BTreeSet::new();
    };
    let segments = recovery.segments().iter();
    segments
        .flat_map(|segment| (0..segment.blocks().len()).map(|block| segment.block_place(block)))
        .map(|place| place.map(|place| (place.start, place.end)).unwrap())
        .collect()
}

/// The start and end offsets of the blocks within the first `len` bytes.
fn whole_before(blocks: &[BlockAt], len: usize) -> BTreeSet<(u64, u64)> {
    let whole = blocks.iter().filter(|block| block.place.end <= len);
    whole
        .map(|block| (block.place.start as u64, block.place.end as u64))
        .collect()
}

/// Asserts that a truncated archive is refused, or opens if only its last parity and its footer,
/// which has a copy, are cut. Then nothing is lost, and a test reports the cut.
fn assert_reported(whole: &[u8], len: usize) {
    match Archive::new(&whole[..len]) {
        Err(error) => assert!(!error.to_string().is_empty()),
        Ok(archive) => {
            let [.., directory, _] = pointing_parts(whole);
            assert!(len >= directory.end, "cut at {len}");
            assert!(archive.verify(|_| ()).is_empty(), "cut at {len}");
            assert!(!archive.warnings().is_empty(), "cut at {len}");
        }
    }
}

#[test]
fn truncation_at_any_length_leaves_the_blocks_before_it() {
    let whole = archive();
    let blocks = blocks_of(&whole);
    for len in 0..whole.len() {
        let cut = &whole[..len];
        assert_reported(&whole, len);
        assert_eq!(found(cut), whole_before(&blocks, len), "cut at {len}");
    }
}

#[test]
fn the_text_before_a_cut_is_recovered() {
    let whole = archive();
    let blocks = blocks_of(&whole);
    let text: String = sources().into_iter().map(|(_, text)| text).collect();
    for (number, block) in blocks.iter().enumerate() {
        let (recovery, sources) = recover(&whole[..block.place.end]);
        assert_eq!(recovery.blocks, number as u64 + 1);
        let recovered: String = sources.into_iter().map(|(_, text)| text).collect();
        assert_eq!(recovered, text[..block.text.end as usize]);
        assert!(!recovery.is_complete());
    }
}

/// Truncates the archive `PGNA_ARCHIVE`, of about a megabyte, at every length.
#[test]
#[ignore = "takes minutes; needs PGNA_ARCHIVE"]
fn a_large_archive_truncated_at_every_length() {
    use rayon::prelude::*;
    let path = std::env::var("PGNA_ARCHIVE").expect("PGNA_ARCHIVE names an archive");
    let whole = std::fs::read(path).unwrap();
    let blocks = blocks_of(&whole);
    (0..whole.len()).into_par_iter().for_each(|len| {
        assert_reported(&whole, len);
        assert_eq!(
            found(&whole[..len]),
            whole_before(&blocks, len),
            "cut at {len}"
        );
    });
}
