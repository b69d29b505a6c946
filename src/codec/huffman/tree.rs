//! A tree as a list of nodes in preorder, and its encoding.

use crate::bits::{BitReader, BitWriter, BitsError};

/// Errors in an encoded tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TreeError {
    /// The input ended inside the tree.
    #[error("tree is cut short")]
    CutShort,
    /// Two leaves have the same ID.
    #[error("ID {0} occurs twice in the tree")]
    RepeatedId(u8),
    /// A leaf has an ID that is not in the alphabet.
    #[error("ID {0} is not one of the tree's alphabet")]
    UnknownId(u8),
    /// The branches require more leaves than the alphabet has IDs.
    #[error("tree has more leaves than there are IDs")]
    TooManyLeaves,
}

/// The IDs that the leaves of a tree may have: 0 up to a bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Alphabet {
    id_bits: u32,
    ids: u8,
}

impl Alphabet {
    /// The IDs below `ids`, written in `id_bits` bits, at most 6, as no tree
    /// has more than [`MAX_LEAVES`](super::MAX_LEAVES) leaves.
    ///
    /// # Panics
    ///
    /// Panics if `id_bits` exceeds 6, or if `ids` is 0 or does not fit
    /// `id_bits`. The constants of the format are valid.
    pub const fn new(id_bits: u32, ids: u8) -> Self {
        assert!(id_bits <= 6 && ids > 0 && ids <= 1 << id_bits);
        Alphabet { id_bits, ids }
    }

    /// The width of an ID in bits.
    pub const fn id_bits(self) -> u32 {
        self.id_bits
    }
}

/// A node of a tree in preorder. The left child of a branch is the next node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HuffmanNode {
    Leaf(u8),
    /// The index of the right child.
    Branch(u8),
}

/// A Huffman tree of 1 to 64 leaves with distinct IDs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HuffmanTree {
    nodes: Vec<HuffmanNode>,
}

impl HuffmanTree {
    pub(super) fn nodes(&self) -> &[HuffmanNode] {
        &self.nodes
    }

    /// Whether the tree has only one ID, whose code has no bits.
    pub fn is_leaf(&self) -> bool {
        matches!(self.nodes.as_slice(), [HuffmanNode::Leaf(_)])
    }

    /// The IDs of the leaves, in ascending order.
    pub fn ids(&self) -> Vec<u8> {
        let mut ids: Vec<u8> = self.leaves().collect();
        ids.sort_unstable();
        ids
    }

    fn leaves(&self) -> impl Iterator<Item = u8> {
        self.nodes.iter().filter_map(|node| match node {
            HuffmanNode::Leaf(id) => Some(*id),
            HuffmanNode::Branch(_) => None,
        })
    }

    /// Appends the tree: bit 0 for a branch, bit 1 and the ID for a leaf.
    pub fn write(&self, alphabet: Alphabet, out: &mut BitWriter) {
        for node in &self.nodes {
            match node {
                HuffmanNode::Branch(_) => out.push_bit(false),
                HuffmanNode::Leaf(id) => {
                    out.push_bit(true);
                    out.push_bits(u64::from(*id), alphabet.id_bits);
                }
            }
        }
    }

    /// Reads a tree. Its memory is bounded by the size of the alphabet.
    pub fn read(alphabet: Alphabet, bits: &mut BitReader<'_>) -> Result<HuffmanTree, TreeError> {
        let mut shape = PreorderBuilder::default();
        let mut seen = 0u64;
        while !shape.is_complete() {
            if read_field(bits, 1)? == 0 {
                shape.branch();
            } else {
                let id = read_field(bits, alphabet.id_bits)?;
                if id >= alphabet.ids {
                    return Err(TreeError::UnknownId(id));
                }
                if seen >> id & 1 == 1 {
                    return Err(TreeError::RepeatedId(id));
                }
                seen |= 1 << id;
                shape.leaf(id);
            }
            if shape.required_leaves() > usize::from(alphabet.ids) {
                return Err(TreeError::TooManyLeaves);
            }
        }
        Ok(shape.into_tree())
    }

    /// Decodes one ID. A tree of one leaf reads no bits.
    pub fn decode(&self, bits: &mut BitReader<'_>) -> Result<u8, BitsError> {
        let mut index = 0;
        loop {
            index = match self.nodes.get(index) {
                Some(HuffmanNode::Leaf(id)) => return Ok(*id),
                Some(HuffmanNode::Branch(right)) if bits.read_bit()? => usize::from(*right),
                Some(HuffmanNode::Branch(_)) => index + 1,
                None => return Err(BitsError::EndOfInput),
            };
        }
    }
}

/// Reads a field of at most 8 bits.
fn read_field(bits: &mut BitReader<'_>, count: u32) -> Result<u8, TreeError> {
    let value = bits.read_bits(count).map_err(|_| TreeError::CutShort)?;
    u8::try_from(value).map_err(|_| TreeError::CutShort)
}

/// A tree that is built node by node in preorder. The caller stops when it is
/// complete and does not exceed [`MAX_LEAVES`](super::MAX_LEAVES).
#[derive(Debug, Default)]
pub(super) struct PreorderBuilder {
    nodes: Vec<HuffmanNode>,
    /// The branches whose left subtree is incomplete.
    open: Vec<usize>,
    branches: usize,
}

impl PreorderBuilder {
    pub(super) fn branch(&mut self) {
        self.open.push(self.nodes.len());
        self.nodes.push(HuffmanNode::Branch(0));
        self.branches += 1;
    }

    /// Adds a leaf. This completes the left subtree of the most recently opened
    /// branch.
    pub(super) fn leaf(&mut self, id: u8) {
        self.nodes.push(HuffmanNode::Leaf(id));
        let next = u8::try_from(self.nodes.len()).unwrap_or(u8::MAX);
        if let Some(branch) = self.open.pop().and_then(|open| self.nodes.get_mut(open)) {
            *branch = HuffmanNode::Branch(next);
        }
    }

    /// The number of leaves that the branches so far require: one more than
    /// there are branches.
    fn required_leaves(&self) -> usize {
        self.branches + 1
    }

    fn is_complete(&self) -> bool {
        self.nodes.len() == self.branches + self.required_leaves()
    }

    pub(super) fn into_tree(self) -> HuffmanTree {
        HuffmanTree { nodes: self.nodes }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const PAIRS: Alphabet = Alphabet::new(2, 3);

    fn read(alphabet: Alphabet, text: &str) -> Result<HuffmanTree, TreeError> {
        let mut out = BitWriter::new();
        for bit in text.bytes().filter(|bit| *bit != b' ') {
            out.push_bit(bit == b'1');
        }
        HuffmanTree::read(alphabet, &mut BitReader::new(&out.into_bytes()))
    }

    #[test]
    fn a_tree_is_its_preorder_walk() {
        let tree = read(PAIRS, "0 101 0 110 100").expect("a tree");
        assert_eq!(tree.ids(), [0, 1, 2]);
        let nodes = [
            HuffmanNode::Branch(2),
            HuffmanNode::Leaf(1),
            HuffmanNode::Branch(4),
            HuffmanNode::Leaf(2),
            HuffmanNode::Leaf(0),
        ];
        assert_eq!(tree.nodes(), nodes);
        let mut bits = BitReader::new(&[0b1011_0000]);
        assert_eq!(tree.decode(&mut bits), Ok(2));
        assert_eq!(tree.decode(&mut bits), Ok(0));
        assert_eq!(tree.decode(&mut bits), Ok(1));
        assert_eq!(bits.position(), 5);
    }

    #[test]
    fn every_fault_has_its_error() {
        let numbers = Alphabet::new(5, 27);
        assert_eq!(read(PAIRS, "0 101 101"), Err(TreeError::RepeatedId(1)));
        assert_eq!(read(PAIRS, "111"), Err(TreeError::UnknownId(3)));
        assert_eq!(read(numbers, "111011"), Err(TreeError::UnknownId(27)));
        assert!(read(numbers, "111010").is_ok());
        assert_eq!(read(PAIRS, ""), Err(TreeError::CutShort));
        assert_eq!(read(numbers, "00001"), Err(TreeError::CutShort));
        assert_eq!(read(PAIRS, "000"), Err(TreeError::TooManyLeaves));
        assert_eq!(read(PAIRS, "0 100 0 101 0"), Err(TreeError::TooManyLeaves));
    }

    #[test]
    fn one_leaf_takes_no_bits_to_code() {
        let tree = read(PAIRS, "110").expect("a tree");
        let mut bits = BitReader::new(&[]);
        assert_eq!(tree.decode(&mut bits), Ok(2));
        assert_eq!(bits.position(), 0);
    }

    #[test]
    fn codes_cut_short_are_refused() {
        let tree = read(PAIRS, "0 0 100 101 110").expect("a tree");
        let mut bits = BitReader::new(&[0]);
        bits.read_bits(7).expect("enough bits");
        assert_eq!(tree.decode(&mut bits), Err(BitsError::EndOfInput));
    }

    proptest! {
        #[test]
        fn trees_round_trip(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
            for alphabet in [PAIRS, Alphabet::new(5, 27), Alphabet::new(5, 32), Alphabet::new(6, 64)] {
                let mut bits = BitReader::new(&bytes);
                if let Ok(tree) = HuffmanTree::read(alphabet, &mut bits) {
                    let mut out = BitWriter::new();
                    tree.write(alphabet, &mut out);
                    prop_assert_eq!(out.bit_len(), bits.position());
                    let copy = out.into_bytes();
                    let again = HuffmanTree::read(alphabet, &mut BitReader::new(&copy));
                    prop_assert_eq!(again, Ok(tree));
                }
            }
        }
    }
}
