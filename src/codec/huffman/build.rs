//! Building a tree from counts.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::MAX_LEAVES;
use super::tree::{HuffmanTree, PreorderBuilder};

impl HuffmanTree {
    /// Builds the tree of the IDs with nonzero counts; `None` if there are
    /// none. The index of a count is its ID.
    ///
    /// The two lightest nodes repeatedly become the left and right child of a
    /// new node. Ties go to the node with the smallest ID in its subtree.
    pub fn from_counts<const IDS: usize>(counts: &[u64; IDS]) -> Option<HuffmanTree> {
        const { assert!(IDS <= MAX_LEAVES) };
        let mut ids = Vec::with_capacity(IDS);
        let mut queue = BinaryHeap::with_capacity(IDS);
        for (id, weight) in (0u8..).zip(counts).filter(|(_, weight)| **weight > 0) {
            queue.push(Reverse((*weight, id, ids.len())));
            ids.push(id);
        }
        let mut merged = Vec::with_capacity(ids.len());
        while let Some((left, right)) = pop_two(&mut queue) {
            let smallest = left.1.min(right.1);
            let index = ids.len() + merged.len();
            queue.push(Reverse((left.0.saturating_add(right.0), smallest, index)));
            merged.push((left.2, right.2));
        }
        (!ids.is_empty()).then(|| flatten(&ids, &merged))
    }
}

/// Weight, smallest ID in the subtree, index.
type Weighted = (u64, u8, usize);

/// Takes the two lightest nodes, unless only the root is left.
fn pop_two(queue: &mut BinaryHeap<Reverse<Weighted>>) -> Option<(Weighted, Weighted)> {
    if queue.len() < 2 {
        return None;
    }
    let Reverse(left) = queue.pop()?;
    let Reverse(right) = queue.pop()?;
    Some((left, right))
}

/// Lists the nodes in preorder. The root is the node with the highest index.
fn flatten(ids: &[u8], merged: &[(usize, usize)]) -> HuffmanTree {
    let mut shape = PreorderBuilder::default();
    let mut todo = vec![ids.len() + merged.len() - 1];
    while let Some(index) = todo.pop() {
        if let Some(id) = ids.get(index) {
            shape.leaf(*id);
        } else if let Some((left, right)) = merged.get(index - ids.len()) {
            shape.branch();
            todo.extend([*right, *left]);
        }
    }
    shape.into_tree()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::BitWriter;
    use crate::codec::huffman::{Alphabet, CodeTable};
    use bitvec::prelude::*;
    use proptest::prelude::*;

    const FOUR: Alphabet = Alphabet::new(2, 4);

    fn bits<const IDS: usize>(counts: &[u64; IDS], alphabet: Alphabet) -> Vec<u8> {
        let mut out = BitWriter::new();
        HuffmanTree::from_counts(counts)
            .expect("a tree")
            .write(alphabet, &mut out);
        out.into_bytes()
    }

    #[test]
    fn ties_go_to_the_smallest_id_of_the_subtree() {
        // IDs 1 and 3 are merged first, with weight 2. That node contains ID 1,
        // so it precedes ID 2 of equal weight. ID 0, of weight 3, is lighter
        // than both together.
        let expected = bits![u8, Msb0; 0, 1,0,0, 0, 0, 1,0,1, 1,1,1, 1,1,0];
        let mut expected = expected.to_bitvec();
        expected.set_uninitialized(false);
        assert_eq!(bits(&[3, 1, 2, 1], FOUR), expected.into_vec());
    }

    #[test]
    fn nothing_makes_no_tree_and_one_makes_a_leaf() {
        assert_eq!(HuffmanTree::from_counts(&[0; 5]), None);
        assert_eq!(bits(&[0, 0, 9, 0], FOUR), [0b1100_0000]);
    }

    /// Weights that double give the longest possible codes.
    #[test]
    fn the_longest_code_has_63_bits() {
        let mut counts = [0u64; MAX_LEAVES];
        for (id, count) in counts.iter_mut().enumerate() {
            *count = 1 << id.saturating_sub(1);
        }
        let tree = HuffmanTree::from_counts(&counts).expect("a tree");
        let table = CodeTable::new(&tree);
        let longest = (0..64)
            .filter_map(|id| table.get(id))
            .map(|code| code.len());
        assert_eq!(longest.max(), Some(63));
    }

    #[test]
    fn sums_beyond_64_bits_do_not_overflow() {
        let tree = HuffmanTree::from_counts(&[u64::MAX; 4]).expect("a tree");
        assert_eq!(tree.ids(), [0, 1, 2, 3]);
    }

    proptest! {
        /// The code is an optimal prefix code: its size is the sum of the
        /// weights of all merged nodes, merging the two lightest each time.
        #[test]
        fn the_code_is_optimal(counts in prop::array::uniform32(0u64..50)) {
            let Some(tree) = HuffmanTree::from_counts(&counts) else {
                return Ok(());
            };
            let table = CodeTable::new(&tree);
            let mut total = 0;
            let mut live = Vec::new();
            for (id, count) in (0u8..).zip(counts).filter(|(_, count)| *count > 0) {
                total += count * table.get(id).expect("a code").len() as u64;
                live.push(count);
            }
            let mut least = 0;
            while live.len() > 1 {
                live.sort_unstable_by(|a, b| b.cmp(a));
                let sum = live.pop().unwrap() + live.pop().unwrap();
                least += sum;
                live.push(sum);
            }
            prop_assert_eq!(total, least);
        }
    }
}
