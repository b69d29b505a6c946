//! Reads a tree and codes from arbitrary bits. A valid tree and its codes write the same bits.

use pgna::internals::bits::{BitReader, BitWriter};
use pgna::internals::codec::huffman::{Alphabet, CodeTable, HuffmanTree};

const ALPHABETS: [Alphabet; 3] = [
    Alphabet::new(5, 32),
    Alphabet::new(6, 64),
    Alphabet::new(5, 27),
];

pub(super) fn check(bytes: &[u8]) {
    for alphabet in ALPHABETS {
        let mut bits = BitReader::new(bytes);
        let Ok(tree) = HuffmanTree::read(alphabet, &mut bits) else {
            continue;
        };
        let mut copy = BitWriter::new();
        tree.write(alphabet, &mut copy);
        assert_eq!(copy.bit_len(), bits.position());
        let table = CodeTable::new(&tree);
        if tree.ids().len() > 1 {
            while let Ok(id) = tree.decode(&mut bits) {
                table.get(id).unwrap().write(&mut copy);
            }
        }
        let used = copy.bit_len();
        let mut read = BitReader::new(bytes);
        let written = copy.into_bytes();
        let mut written = BitReader::new(&written);
        for _ in 0..used {
            assert_eq!(written.read_bit(), read.read_bit());
        }
    }
    let counts: [u64; 64] =
        std::array::from_fn(|id| bytes.get(id).map_or(0, |count| u64::from(*count)));
    let built = HuffmanTree::from_counts(&counts);
    let counted = counts.iter().filter(|count| **count > 0).count();
    assert_eq!(built.map_or(0, |tree| tree.ids().len()), counted);
}
