//! `piece-list`: any bits, and any set-up.
#![no_main]
libfuzzer_sys::fuzz_target!(|input: &[u8]| pgna_fuzz::position::check(
    pgna::position::Code::PieceList,
    input
));
