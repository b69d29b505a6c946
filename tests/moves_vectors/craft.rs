//! Bits made by hand: what no encoder writes.

use pgna::bits::BitWriter;
use pgna::chess::Square;
use pgna::codec::huffman::{Alphabet, CodeTable, Tree};

/// Something that the bits of a game say.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Op {
    /// A piece ID, by the piece tree.
    Piece(u8),
    /// A square, by the square tree.
    At(Square),
    /// A field of so many bits.
    Field(u64, u32),
}

pub(crate) use Op::{At, Field, Piece};

/// The trees of what is said, then what is said.
pub(crate) fn craft(ops: &[Op]) -> Vec<u8> {
    craft_with(&[], ops)
}

/// As [`craft`], with leaves in the trees for things that are not said.
pub(crate) fn craft_with(unsaid: &[Op], ops: &[Op]) -> Vec<u8> {
    let (mut pieces, mut squares) = ([0; 32], [0; 64]);
    for op in unsaid.iter().chain(ops) {
        match op {
            Piece(id) => pieces[usize::from(*id)] += 1,
            At(square) => squares[usize::from(*square)] += 1,
            Field(..) => {}
        }
    }
    let pieces = Tree::from_counts(&pieces).expect("a piece is mentioned");
    let squares = Tree::from_counts(&squares).expect("a square is mentioned");
    let mut out = BitWriter::new();
    pieces.write(Alphabet::new(5, 32), &mut out);
    squares.write(Alphabet::new(6, 64), &mut out);
    let (pieces, squares) = (CodeTable::new(&pieces), CodeTable::new(&squares));
    for op in ops {
        match op {
            Piece(id) => pieces.get(*id).expect("a leaf").write(&mut out),
            At(square) => squares
                .get(u8::from(*square))
                .expect("a leaf")
                .write(&mut out),
            Field(value, width) => out.push_bits(*value, *width),
        }
    }
    out.into_bytes()
}

/// Bits as text; anything but 0 and 1 is skipped.
pub(crate) fn bits(text: &str) -> Vec<u8> {
    let mut out = BitWriter::new();
    for bit in text.chars().filter(|c| matches!(c, '0' | '1')) {
        out.push_bit(bit == '1');
    }
    out.into_bytes()
}
