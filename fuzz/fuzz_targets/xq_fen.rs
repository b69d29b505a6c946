//! FENs of Xiangqi: any text.
#![no_main]
libfuzzer_sys::fuzz_target!(|input: &[u8]| pgna_fuzz::xiangqi::check_fen(input));
