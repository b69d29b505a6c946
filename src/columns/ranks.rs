//! The entries of a dictionary ranked by frequency: frequent ones have low
//! ranks, which take few bits.

use crate::codec::error::CodecError;
use crate::codec::ints;
use crate::limits::Limits;

/// The ranks of the entries of a dictionary.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ranks {
    /// The ID of each rank.
    ids: Vec<u32>,
    /// The rank of each ID.
    ranks: Vec<u32>,
}

/// The number of classes.
const CLASSES: usize = 64;

/// The class of an entry with this count: two classes for each power of two.
fn class(count: u32) -> u64 {
    let count = count.max(1);
    let half = count.checked_ilog2().unwrap_or(0);
    let upper = half > 0 && count >> (half - 1) & 1 == 1;
    u64::from(2 * half) + u64::from(upper)
}

impl Ranks {
    /// The ranks of entries with these counts, and the encoded table.
    pub fn from_counts(counts: &[u32]) -> (Ranks, Vec<u8>) {
        let classes: Vec<u64> = counts.iter().map(|count| class(*count)).collect();
        let table = match classes.iter().all(|class| *class == 0) {
            true => Vec::new(),
            false => ints::encode_smallest(&classes),
        };
        (Ranks::from_classes(&classes), table)
    }

    /// Reads the table of a dictionary of `entries` entries. An empty table
    /// gives all of them the same class.
    ///
    /// # Errors
    /// The table is damaged, or a limit is reached.
    pub fn read(table: &[u8], entries: usize, limits: &Limits) -> Result<Ranks, CodecError> {
        let classes = match table {
            [] => vec![0; entries],
            _ => ints::decode(table, entries, limits)?,
        };
        if classes.iter().any(|class| *class >= CLASSES as u64) {
            return Err(CodecError::Damaged("class of an entry"));
        }
        Ok(Ranks::from_classes(&classes))
    }

    /// Ranks entries by descending class, below [`CLASSES`], then by ascending ID.
    fn from_classes(classes: &[u64]) -> Ranks {
        let number = |class: &u64| usize::try_from(*class).unwrap_or(usize::MAX);
        let mut sizes = [0; CLASSES];
        for class in classes {
            if let Some(size) = sizes.get_mut(number(class)) {
                *size += 1;
            }
        }
        // The next rank of each class.
        let mut next = [0_u32; CLASSES];
        let mut first = 0;
        for (next, size) in next.iter_mut().zip(sizes).rev() {
            *next = first;
            first += size;
        }
        let mut ids = vec![0; classes.len()];
        let mut ranks = Vec::with_capacity(classes.len());
        for (id, class) in (0..).zip(classes) {
            if let Some(rank) = next.get_mut(number(class)) {
                ranks.push(*rank);
                if let Some(place) = ids.get_mut(*rank as usize) {
                    *place = id;
                }
                *rank += 1;
            }
        }
        Ranks { ids, ranks }
    }

    /// The rank of an ID; `None` if there is no such entry.
    pub fn rank(&self, id: u32) -> Option<u32> {
        self.ranks.get(usize::try_from(id).ok()?).copied()
    }

    /// The ID of a rank; `None` if there is no such entry.
    pub fn id(&self, rank: u64) -> Option<u32> {
        self.ids.get(usize::try_from(rank).ok()?).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn frequent_entries_come_first() {
        let (ranks, _) = Ranks::from_counts(&[1, 9, 1, 300, 8]);
        let ids: Vec<_> = (0..6).map(|rank| ranks.id(rank)).collect();
        assert_eq!(ids, [Some(3), Some(1), Some(4), Some(0), Some(2), None]);
    }

    #[test]
    fn classes_rise_twice_for_each_power_of_two() {
        let classes = [0, 1, 2, 3, 4, 5, 6, 7, 8, u32::MAX].map(class);
        assert_eq!(classes, [0, 0, 2, 3, 4, 4, 5, 5, 6, 63]);
    }

    #[test]
    fn classes_are_bounded() {
        let limits = Limits::default();
        let read = |class| Ranks::read(&ints::encode_smallest(&[0, class]), 2, &limits).is_ok();
        assert_eq!([63, 64, u64::MAX].map(read), [true, false, false]);
    }

    proptest! {
        #[test]
        fn tables_round_trip(counts in prop::collection::vec(0u32..50, 0..200)) {
            let (ranks, table) = Ranks::from_counts(&counts);
            let read = Ranks::read(&table, counts.len(), &Limits::default());
            prop_assert_eq!(read, Ok(ranks.clone()));
            for (id, _) in (0..).zip(&counts) {
                let rank = ranks.rank(id).unwrap();
                prop_assert_eq!(ranks.id(rank.into()), Some(id));
            }
        }

        #[test]
        fn ranks_are_those_of_a_stable_sort(classes in prop::collection::vec(0u64..64, 0..200)) {
            let mut ids: Vec<u32> = (0..).take(classes.len()).collect();
            ids.sort_by_key(|id| std::cmp::Reverse(classes[*id as usize]));
            prop_assert_eq!(Ranks::from_classes(&classes).ids, ids);
        }

        #[test]
        fn any_table_is_safe(table in prop::collection::vec(any::<u8>(), 0..50), entries in 0..200usize) {
            let _ = Ranks::read(&table, entries, &Limits::default());
        }
    }
}
