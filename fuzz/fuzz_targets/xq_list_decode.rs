//! `xq-list`: any bits.
#![no_main]
libfuzzer_sys::fuzz_target!(|input: &[u8]| pgna_fuzz::xiangqi::check_code(
    pgna::xiangqi::Code::List,
    input
));
