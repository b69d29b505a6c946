//! Decodes any bits as a game of numbered targets, in both forms; what decodes encodes back.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pgna::chess::{Position, Rules};
use pgna::limits::Limits;
use pgna::moves::huffman::Huffman;
use pgna::moves::{Line, MoveCodec, Shape, Start};

fuzz_target!(|input: &[u8]| {
    // Options stand in front: the form, the plies, and which of the first
    // eight are null moves.
    let [options, plies, null_mask, bytes @ ..] = input else {
        return;
    };
    let elided = options & 1 == 1;
    let nulls: Vec<u64> = (0..8).filter(|ply| null_mask >> ply & 1 == 1).collect();
    let form = match elided {
        true => Huffman::INDEX_ELIDED,
        false => Huffman::INDEX_WRITTEN,
    };
    // Castling rights would make all positions invalid but those that have them.
    let fen: &[u8] = match elided {
        true => b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        false => b"4k3/8/8/8/8/8/8/4K3 w - - 0 1",
    };
    let rest = Position::from_fen(fen, Rules::CHESS).unwrap().rest();
    let shape = Shape {
        start: Start::Rest(&rest),
        plies: u64::from(*plies),
        nulls: &nulls,
    };
    if let Ok(line) = form.decode(bytes, &shape, &Limits::default()) {
        let again = Line::new(&line.start, &line.plies);
        assert_eq!(form.encode(again), Ok(bytes.to_vec()));
    }
});
