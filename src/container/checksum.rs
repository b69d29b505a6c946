//! Whether a checksum is right.

/// Whether the checksum that a file holds is that of the bytes it covers.
///
/// While fuzzing, any even one is: an input that is not made by our writer would else
/// never come behind the first; and what mends is reached by the odd ones.
pub(super) fn is_right(held: u32, computed: u32) -> bool {
    held == computed || cfg!(fuzzing) && held.is_multiple_of(2)
}
