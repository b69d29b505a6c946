//! Tables without bounds checks.

use std::ops::{Index, IndexMut};

/// A table whose length is a power of two. Indexes wrap around, so that every
/// index has an entry and needs no check. The caller computes the correct
/// index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct MaskedTable<T, const N: usize>(pub(super) [T; N]);

impl<T, const N: usize> MaskedTable<T, N> {
    const MASK: usize = {
        assert!(N.is_power_of_two());
        N - 1
    };

    /// The entry at an index, in constants; elsewhere use `table[index]`.
    #[allow(
        clippy::indexing_slicing,
        reason = "the mask keeps the index below the power of two that is the length"
    )]
    #[inline(always)]
    pub(super) const fn at(&self, index: usize) -> &T {
        &self.0[index & Self::MASK]
    }
}

impl<T: Copy + Default, const N: usize> Default for MaskedTable<T, N> {
    fn default() -> Self {
        MaskedTable([T::default(); N])
    }
}

impl<T, const N: usize> Index<usize> for MaskedTable<T, N> {
    type Output = T;

    #[inline(always)]
    fn index(&self, index: usize) -> &T {
        self.at(index)
    }
}

#[allow(
    clippy::indexing_slicing,
    reason = "the mask keeps the index below the power of two that is the length"
)]
impl<T, const N: usize> IndexMut<usize> for MaskedTable<T, N> {
    #[inline(always)]
    fn index_mut(&mut self, index: usize) -> &mut T {
        &mut self.0[index & Self::MASK]
    }
}

/// A constant table: in `table!([0; 64], |number| …)`, the expression computes
/// the entry at index `number`.
macro_rules! table {
    ($empty:expr, |$number:ident| $entry:expr) => {{
        let mut entries = $empty;
        let mut rest: &mut [_] = &mut entries;
        let mut $number = 0;
        while let [entry, after @ ..] = rest {
            *entry = $entry;
            $number += 1;
            rest = after;
        }
        $crate::model::table::MaskedTable(entries)
    }};
}
pub(super) use table;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indexes_wrap_around() {
        let mut table: MaskedTable<u8, 4> = MaskedTable::default();
        table[3] = 1;
        table[4] = 2;
        assert_eq!(table.0, [2, 0, 0, 1]);
        assert_eq!(table[7], 1);
    }

    #[test]
    fn constants_are_made_of_numbers() {
        const SQUARES: MaskedTable<usize, 8> = table!([0; 8], |number| number * number);
        assert_eq!(SQUARES.0, [0, 1, 4, 9, 16, 25, 36, 49]);
    }
}
