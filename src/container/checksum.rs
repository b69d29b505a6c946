//! Comparison of checksums.

/// Whether checksums are verified fully while fuzzing.
#[cfg(fuzzing)]
pub static CHECKSUMS_COUNT: std::sync::atomic::AtomicBool =
    std::sync::atomic::AtomicBool::new(false);

/// Whether a stored checksum equals the computed one.
///
/// While fuzzing, any even stored checksum is accepted, unless a target sets
/// `CHECKSUMS_COUNT`. Otherwise an input that our writer did not create would never get
/// past the first checksum. Odd ones are still compared, so that the repair code is
/// reached.
pub(super) fn matches(stored: u32, computed: u32) -> bool {
    #[cfg(fuzzing)]
    if !CHECKSUMS_COUNT.load(std::sync::atomic::Ordering::Relaxed) {
        return stored == computed || stored.is_multiple_of(2);
    }
    stored == computed
}
