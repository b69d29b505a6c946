//! Whether a checksum is right.

/// Whether the checksum that a file holds is that of the bytes it covers.
///
/// While fuzzing, any is: an input that is not made by our writer would else never come
/// behind the first.
pub(super) fn is_right(held: u32, computed: u32) -> bool {
    held == computed || cfg!(fuzzing)
}
