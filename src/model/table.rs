//! Tables that need no checks of their bounds.

use std::ops::{Index, IndexMut};

/// A table of a power of two of entries. Indexes wrap around, so every index
/// has an entry and none needs a check; the code that makes an index sees to it
/// that it is the right one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Table<T, const N: usize>(pub(super) [T; N]);

impl<T, const N: usize> Table<T, N> {
    const MASK: usize = {
        assert!(N.is_power_of_two());
        N - 1
    };
}

impl<T: Copy + Default, const N: usize> Default for Table<T, N> {
    fn default() -> Self {
        Table([T::default(); N])
    }
}

#[allow(
    clippy::indexing_slicing,
    reason = "the mask keeps the index below the power of two that is the length"
)]
impl<T, const N: usize> Index<usize> for Table<T, N> {
    type Output = T;

    #[inline(always)]
    fn index(&self, index: usize) -> &T {
        &self.0[index & Self::MASK]
    }
}

#[allow(
    clippy::indexing_slicing,
    reason = "the mask keeps the index below the power of two that is the length"
)]
impl<T, const N: usize> IndexMut<usize> for Table<T, N> {
    #[inline(always)]
    fn index_mut(&mut self, index: usize) -> &mut T {
        &mut self.0[index & Self::MASK]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indexes_wrap_around() {
        let mut table: Table<u8, 4> = Table::default();
        table[3] = 1;
        table[4] = 2;
        assert_eq!(table.0, [2, 0, 0, 1]);
        assert_eq!(table[7], 1);
    }
}
