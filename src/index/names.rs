//! Sets of names of players, as Bloom filters in rows (`spec/archive.md`, “Summaries”): they rule out segments
//! that have no games of a player.

use crate::chess::mix;
use crate::container::NAME_ROWS;

/// The bits for each name: about one other name in 30 seems to be in a set.
const NAME_BITS: usize = 8;
/// The bits of a name that are set in its cell.
const PROBES: u64 = 4;

/// The hash of a name. Bytes that are not ASCII do not count, so that it is the same in all encodings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct NameHash(u64);

impl NameHash {
    /// The hash of the value of a tag, with its escapes resolved.
    pub fn of(name: &[u8]) -> NameHash {
        let ascii = name.iter().filter(|byte| byte.is_ascii());
        NameHash(ascii.fold(0, |hash, byte| mix(hash ^ u64::from(*byte))))
    }

    /// The number of its row: the highest 8 bits.
    pub fn row(self) -> usize {
        const { assert!(NAME_ROWS == 256) };
        usize::try_from(self.0 >> 56).unwrap_or(0)
    }

    /// Its bits in a cell of this many bytes.
    fn bits(self, cell_bytes: usize) -> impl Iterator<Item = usize> {
        (0..PROBES).map(move |probe| {
            let hash = u128::from(mix(self.0.wrapping_add(probe)) >> 32);
            let bit = (hash * 8 * cell_bytes as u128) >> 32;
            usize::try_from(bit).unwrap_or(0)
        })
    }

    /// Whether a name with this hash seems to be in the set whose cell in the row this is.
    pub fn may_be_in(self, cell: &[u8]) -> bool {
        self.bits(cell.len()).all(|bit| {
            let byte = cell.get(bit / 8);
            byte.is_some_and(|byte| byte >> (bit % 8) & 1 == 1)
        })
    }
}

/// The cells of all rows of the set of these names.
pub fn name_cells(mut names: Vec<NameHash>) -> Vec<u8> {
    names.sort_unstable();
    names.dedup();
    let cell_bytes = (names.len() * NAME_BITS).div_ceil(8 * NAME_ROWS);
    let mut cells = vec![0; NAME_ROWS * cell_bytes];
    for name in names {
        let start = name.row() * cell_bytes;
        for bit in name.bits(cell_bytes) {
            if let Some(byte) = cells.get_mut(start + bit / 8) {
                *byte |= 1 << (bit % 8);
            }
        }
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(count: u64) -> Vec<NameHash> {
        (0..count)
            .map(|number| NameHash::of(format!("Player, {number}").as_bytes()))
            .collect()
    }

    fn may_have(cells: &[u8], name: NameHash) -> bool {
        let bytes = cells.len() / NAME_ROWS;
        let row = name.row() * bytes;
        name.may_be_in(&cells[row..row + bytes])
    }

    #[test]
    fn names_of_a_set_are_in_it_and_few_others() {
        for count in [0, 1, 10, 300, 20_000] {
            let all = names(2 * count + 4000);
            let (own, others) = all.split_at(usize::try_from(count).unwrap());
            let cells = name_cells([own, own].concat());
            assert!(cells.len() <= NAME_ROWS + own.len());
            assert!(own.iter().all(|name| may_have(&cells, *name)));
            let found = others.iter().filter(|name| may_have(&cells, **name));
            assert!(25 * found.count() < others.len(), "{count}");
        }
    }

    #[test]
    fn a_name_is_the_same_in_all_encodings() {
        let hash = NameHash::of("Müller, Karsten".as_bytes());
        assert_eq!(hash, NameHash::of(b"M\xfcller, Karsten"));
        assert_ne!(hash, NameHash::of(b"Muller, Karsten"));
    }
}
