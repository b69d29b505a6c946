//! `huffman-index`, in both forms: any bits, and any game.
#![no_main]

use pgna::moves::Codec;

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    // The form stands in front.
    let [elided, input @ ..] = input else {
        return;
    };
    let forms = [Codec::HuffmanIndex, Codec::HuffmanIndexElided];
    pgna_fuzz::moves::check(forms[usize::from(elided & 1)], input);
});
