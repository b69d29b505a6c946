//! `squares`: any bits, and any game.
#![no_main]
libfuzzer_sys::fuzz_target!(|input: &[u8]| pgna_fuzz::moves::check(
    pgna::moves::Codec::Squares,
    input
));
