//! Methods that are named by a number.

/// The one of all whose number this is.
pub(super) fn numbered<T: Copy>(all: &[T], number: impl Fn(T) -> u8, named: u8) -> Option<T> {
    let mut all = all.iter().copied();
    all.find(|one| number(*one) == named)
}
