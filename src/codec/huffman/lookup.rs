//! Decoding with a lookup table.

use super::codes::CodeTable;
use super::tree::HuffmanTree;
use crate::bits::{BitReader, BitsError};

/// A tree with a lookup table for short codes. Walking the tree bit by bit takes
/// several times as long.
#[derive(Debug, Clone)]
pub struct LookupTable {
    tree: HuffmanTree,
    /// For each value of the next byte, the ID whose code begins it and the length of
    /// that code in bits; length 0 if the code is longer than a byte.
    short: Box<[(u8, u8); 256]>,
}

impl LookupTable {
    /// Builds the lookup table of a tree.
    pub fn new(tree: HuffmanTree) -> LookupTable {
        let codes = CodeTable::new(&tree);
        let mut short = Box::new([(0, 0); 256]);
        for (byte, entry) in (0u8..=u8::MAX).zip(short.iter_mut()) {
            let begins = |id: &u8| codes.get(*id).and_then(|code| code.prefix_len(byte));
            *entry = tree
                .ids()
                .iter()
                .find_map(|id| Some((*id, begins(id)?)))
                .unwrap_or_default();
        }
        LookupTable { tree, short }
    }

    /// Decodes one ID. A tree of one leaf reads no bits.
    pub fn decode(&self, bits: &mut BitReader<'_>) -> Result<u8, BitsError> {
        let (byte, available) = bits.peek_byte();
        match self.short.get(usize::from(byte)) {
            Some((id, length)) if (1..=available).contains(&u32::from(*length)) => {
                bits.read_bits(u32::from(*length))?;
                Ok(*id)
            }
            _ => self.tree.decode(bits),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::BitWriter;
    use proptest::prelude::*;

    proptest! {
        #[test]
        #[cfg_attr(miri, ignore = "takes minutes")]
        fn ids_are_those_of_the_tree(
            counts in proptest::array::uniform32(0u64..1 << 40),
            bytes in proptest::collection::vec(any::<u8>(), 0..40),
        ) {
            let Some(tree) = HuffmanTree::from_counts(&counts) else {
                return Ok(());
            };
            prop_assume!(!tree.is_leaf());
            let lookup = LookupTable::new(tree.clone());
            let (mut plain, mut quick) = (BitReader::new(&bytes), BitReader::new(&bytes));
            loop {
                let id = tree.decode(&mut plain);
                prop_assert_eq!(lookup.decode(&mut quick), id);
                if id.is_err() {
                    break;
                }
                prop_assert_eq!(quick.position(), plain.position());
            }
        }
    }

    #[test]
    fn codes_longer_than_a_byte_are_read() {
        let mut counts = [0; 32];
        for (count, power) in counts.iter_mut().zip(0..) {
            *count = 1u64 << power;
        }
        let tree = HuffmanTree::from_counts(&counts).unwrap();
        let codes = CodeTable::new(&tree);
        let mut bits = BitWriter::new();
        (0..32).for_each(|id| codes.get(id).unwrap().write(&mut bits));
        let bytes = bits.into_bytes();
        let mut bits = BitReader::new(&bytes);
        let lookup = LookupTable::new(tree);
        let read: Vec<_> = (0..32).map(|_| lookup.decode(&mut bits).unwrap()).collect();
        assert!(read.into_iter().eq(0..32));
    }
}
