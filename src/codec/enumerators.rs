//! Lookup of enumerators by number.

/// The element of `all` with the number `named`.
pub(super) fn find_by_number<T: Copy>(all: &[T], number: impl Fn(T) -> u8, named: u8) -> Option<T> {
    let mut all = all.iter().copied();
    all.find(|one| number(*one) == named)
}
