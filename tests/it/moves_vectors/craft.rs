//! Hand-made bit strings that no encoder produces.

use pgna::Codec;
use pgna::internals::bits::BitWriter;
use pgna::internals::chess::Square;
use pgna::internals::codec::huffman::{Alphabet, CodeTable, HuffmanTree};

/// An element of the bits of a game.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Op {
    /// A piece ID, coded by the piece tree.
    Piece(u8),
    /// A square of the initial position.
    At(Square),
    /// The target of a move: its square, and its index among the targets of the piece.
    To(Square, u8),
    /// A field: value and width in bits.
    Field(u64, u32),
}

pub(crate) use Op::{At, Field, Piece, To};

/// Encodes the trees of `ops`, then `ops`, as the codec `huffman` or `huffman-index` does.
pub(crate) fn craft(codec: Codec, ops: &[Op]) -> Vec<u8> {
    craft_with(codec, &[], ops)
}

/// As [`craft`], with leaves in the trees for `unused`, which does not occur in the data.
pub(crate) fn craft_with(codec: Codec, unused: &[Op], ops: &[Op]) -> Vec<u8> {
    let by_number = codec.name() == "huffman-index";
    let name = |op: &Op| match op {
        To(_, number) if by_number => Some(*number),
        To(square, _) => Some(u8::from(*square)),
        At(square) if !by_number => Some(u8::from(*square)),
        _ => None,
    };
    let (mut pieces, mut targets) = ([0; 32], [0; 64]);
    for op in unused.iter().chain(ops) {
        if let Piece(id) = op {
            pieces[usize::from(*id)] += 1;
        }
        if let Some(name) = name(op) {
            targets[usize::from(name)] += 1;
        }
    }
    let mut out = BitWriter::new();
    let pieces = HuffmanTree::from_counts(&pieces).expect("a piece is mentioned");
    pieces.write(Alphabet::new(5, 32), &mut out);
    let targets = HuffmanTree::from_counts(&targets);
    if let Some(targets) = &targets {
        let id_bits = if by_number { 5 } else { 6 };
        targets.write(Alphabet::new(id_bits, 1 << id_bits), &mut out);
    }
    let (pieces, targets) = (
        CodeTable::new(&pieces),
        targets.as_ref().map(CodeTable::new),
    );
    for op in ops {
        match (op, name(op)) {
            (Piece(id), _) => pieces.get(*id).expect("a leaf").write(&mut out),
            (Field(value, width), _) => out.push_bits(*value, *width),
            (At(square), None) => out.push_bits(u64::from(*square), 6),
            (_, name) => {
                let codes = targets.as_ref().expect("a tree");
                let name = name.expect("a name");
                codes.get(name).expect("a leaf").write(&mut out);
            }
        }
    }
    out.into_bytes()
}

/// Packs bits given as text. Characters other than 0 and 1 are skipped.
pub(crate) fn bits(text: &str) -> Vec<u8> {
    let mut out = BitWriter::new();
    for bit in text.chars().filter(|c| matches!(c, '0' | '1')) {
        out.push_bit(bit == '1');
    }
    out.into_bytes()
}
