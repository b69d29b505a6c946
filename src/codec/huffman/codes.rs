//! The codes of a tree, for writing.

use bitvec::array::BitArray;
use bitvec::order::Msb0;
use bitvec::slice::BitSlice;

use crate::bits::BitWriter;

use super::MAX_LEAVES;
use super::tree::{HuffmanNode, HuffmanTree};

/// The code of one ID: at most 63 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CodeWord {
    bits: BitArray<[u8; 8], Msb0>,
    len: u8,
}

impl CodeWord {
    /// The bits of the code.
    pub fn bits(&self) -> &BitSlice<u8, Msb0> {
        self.bits.get(..self.len()).unwrap_or_default()
    }

    /// The length of the code in bits.
    pub fn len(&self) -> usize {
        usize::from(self.len)
    }

    /// Whether the code has no bits: the tree has one leaf.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The length of the code if `byte` begins with it, else `None`.
    pub(super) fn prefix_len(&self, byte: u8) -> Option<u8> {
        let [first, ..] = self.bits.into_inner();
        let other = u32::from(first ^ byte) << 24;
        (self.len <= 8 && other.leading_zeros() >= u32::from(self.len)).then_some(self.len)
    }

    /// Appends the code.
    pub fn write(&self, out: &mut BitWriter) {
        let len = u32::from(self.len);
        let word = u64::from_be_bytes(self.bits.into_inner());
        out.push_bits(word.checked_shr(u64::BITS - len).unwrap_or(0), len);
    }
}

/// The codes of all IDs of a tree.
#[derive(Debug, Clone)]
pub struct CodeTable {
    codes: [Option<CodeWord>; MAX_LEAVES],
}

impl CodeTable {
    /// Computes the codes: the path to each leaf, 0 for left and 1 for right.
    pub fn new(tree: &HuffmanTree) -> Self {
        let mut codes = [None; MAX_LEAVES];
        let mut path = TreePath::default();
        for node in tree.nodes() {
            match node {
                HuffmanNode::Branch(_) => path.descend_left(),
                HuffmanNode::Leaf(id) => {
                    if let Some(code) = codes.get_mut(usize::from(*id)) {
                        *code = Some(path.code());
                    }
                    path.next_subtree();
                }
            }
        }
        CodeTable { codes }
    }

    /// The code of an ID; `None` if the tree does not contain it.
    pub fn get(&self, id: u8) -> Option<&CodeWord> {
        self.codes.get(usize::from(id))?.as_ref()
    }
}

/// The path from the root to a node. It is a machine word because growing and
/// shrinking a bit vector at each step took a tenth of the encoding time.
#[derive(Debug, Clone, Copy, Default)]
struct TreePath {
    /// The steps, 0 for left and 1 for right. The last is the least significant
    /// bit.
    steps: u64,
    len: u8,
}

impl TreePath {
    fn code(self) -> CodeWord {
        let unused = u64::BITS.saturating_sub(u32::from(self.len));
        let word = self.steps.checked_shl(unused).unwrap_or(0);
        CodeWord {
            bits: BitArray::new(word.to_be_bytes()),
            len: self.len,
        }
    }

    /// Descends to the left child.
    fn descend_left(&mut self) {
        self.steps <<= 1;
        self.len = self.len.saturating_add(1);
    }

    /// Moves from a leaf to the next node in preorder: the right child of the
    /// last branch where the path turns left.
    fn next_subtree(&mut self) {
        while self.steps & 1 == 1 {
            self.steps >>= 1;
            self.len = self.len.saturating_sub(1);
        }
        self.steps |= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::BitReader;
    use bitvec::prelude::*;
    use proptest::prelude::*;

    #[test]
    fn codes_are_the_paths_to_the_leaves() {
        let tree = HuffmanTree::from_counts(&[3, 1, 2, 1]).expect("a tree");
        let table = CodeTable::new(&tree);
        let code = |id| table.get(id).expect("a code").bits();
        assert_eq!(code(0), bits![0]);
        assert_eq!(code(1), bits![1, 0, 0]);
        assert_eq!(code(3), bits![1, 0, 1]);
        assert_eq!(code(2), bits![1, 1]);
        assert_eq!(table.get(4), None);
        assert_eq!(table.get(200), None);
    }

    #[test]
    fn the_code_of_a_lone_leaf_is_empty() {
        let tree = HuffmanTree::from_counts(&[0, 7]).expect("a tree");
        assert!(CodeTable::new(&tree).get(1).expect("a code").is_empty());
    }

    proptest! {
        #[test]
        fn coded_ids_round_trip(
            counts in prop::collection::vec(0u64..1000, 64),
            picks in prop::collection::vec(0u8..64, 0..200),
        ) {
            let mut counts: [u64; 64] = counts.try_into().unwrap();
            for id in &picks {
                counts[usize::from(*id)] += 1;
            }
            let Some(tree) = HuffmanTree::from_counts(&counts) else {
                return Ok(());
            };
            let table = CodeTable::new(&tree);
            let mut out = BitWriter::new();
            let mut plain = BitWriter::new();
            for id in &picks {
                table.get(*id).unwrap().write(&mut out);
                plain.extend_from(table.get(*id).unwrap().bits());
            }
            let bytes = out.into_bytes();
            prop_assert_eq!(&bytes, &plain.into_bytes());
            let mut bits = BitReader::new(&bytes);
            for id in &picks {
                prop_assert_eq!(tree.decode(&mut bits), Ok(*id));
            }
            prop_assert_eq!(bits.finish(), Ok(()));
        }
    }
}
