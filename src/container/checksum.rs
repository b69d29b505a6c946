//! Whether a checksum is right.

/// While fuzzing, whether checksums count as they do otherwise.
#[cfg(fuzzing)]
pub static CHECKSUMS_COUNT: std::sync::atomic::AtomicBool =
    std::sync::atomic::AtomicBool::new(false);

/// Whether the checksum that a file holds is that of the bytes it covers.
///
/// While fuzzing, any even one is, unless a target says otherwise: an input that is not
/// made by our writer would else never come behind the first; and what mends is reached by
/// the odd ones.
pub(super) fn is_right(held: u32, computed: u32) -> bool {
    #[cfg(fuzzing)]
    if !CHECKSUMS_COUNT.load(std::sync::atomic::Ordering::Relaxed) {
        return held == computed || held.is_multiple_of(2);
    }
    held == computed
}
