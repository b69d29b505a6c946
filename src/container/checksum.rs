//! Comparison of checksums.
//!
//! The header, each slot and each section end with their CRC-32; `header`, `slot` and
//! `section` verify it when they read these parts. A parity section has one of each sector,
//! which `mend` compares. The footer repeats the CRC-32 of the directory, which `open`
//! compares, the directory that of each segment end, which `reader` compares, and the
//! segment end repeats those of the blocks and other sections after the tables,
//! which `reader` and `block` compare. The scan of a damaged file (`scan`) verifies
//! sections by itself and does not use [`matches`].

/// Whether checksums are verified fully while fuzzing.
#[cfg(fuzzing)]
pub static CHECKSUMS_COUNT: std::sync::atomic::AtomicBool =
    std::sync::atomic::AtomicBool::new(false);

/// Whether a stored checksum equals the computed one.
///
/// While fuzzing, any even stored checksum is accepted, unless a target sets
/// `CHECKSUMS_COUNT`. Otherwise an input that our writer did not create would never get
/// past the first checksum. Odd ones are still compared, so that the code that mends is
/// reached.
pub(super) fn matches(stored: u32, computed: u32) -> bool {
    #[cfg(fuzzing)]
    if !CHECKSUMS_COUNT.load(std::sync::atomic::Ordering::Relaxed) {
        return stored == computed || stored.is_multiple_of(2);
    }
    stored == computed
}
